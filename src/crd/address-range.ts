/** An address as a number, with its length in bits. */
interface Address {
  value: bigint;
  bits: 32 | 128;
}

/** Whether an address is in a range such as `10.0.0.0/8` or `fd00::/8`. False for an invalid address or range. */
export function isWithin(cidr: string, ip: string): boolean {
  const [network = '', length = '', ...rest] = cidr.split('/');
  const [range, address] = [addressOf(network), addressOf(ip)];
  if (!range || range.bits !== address?.bits || rest.length > 0 || !/^\d{1,3}$/.test(length) || Number(length) > range.bits) return false;
  const shift = BigInt(range.bits - Number(length));
  return range.value >> shift === address.value >> shift;
}

function addressOf(text: string): Address | undefined {
  return text.includes(':') ? version6(text) : version4(text);
}

function version4(text: string): Address | undefined {
  const parts = text.split('.');
  if (parts.length !== 4 || !parts.every((part) => /^\d{1,3}$/.test(part) && Number(part) < 256)) return undefined;
  return { value: parts.reduce((value, part) => (value << 8n) | BigInt(part), 0n), bits: 32 };
}

/** RFC 4291: groups of four hexadecimal digits; `::` once stands for as many zeros as are missing; the end may be an IPv4 address. */
function version6(text: string): Address | undefined {
  const end = /^(.*:)(\d+\.\d+\.\d+\.\d+)$/.exec(text);
  const last = end ? version4(end[2] ?? '') : undefined;
  if (end && !last) return undefined;
  const plain = last && end ? `${end[1]}${(last.value >> 16n).toString(16)}:${(last.value & 0xffffn).toString(16)}` : text;
  const halves = plain.split('::').map((half) => (half === '' ? [] : half.split(':')));
  const [before = [], after = []] = halves;
  const missing = 8 - before.length - after.length;
  if (halves.length > 2 || (halves.length === 2 ? missing < 1 : missing !== 0)) return undefined;
  const groups = [...before, ...Array.from({ length: missing }, () => '0'), ...after];
  if (!groups.every((group) => /^[0-9a-f]{1,4}$/i.test(group))) return undefined;
  return { value: groups.reduce((value, group) => (value << 16n) | BigInt(`0x${group}`), 0n), bits: 128 };
}
