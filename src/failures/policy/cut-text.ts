import { maskText } from '../../redact/text.ts';

/** The bytes that a mark may take. */
const MARK_BYTES = 64;

/**
 * `text` with at most `bytes` of UTF-8 (or a mark alone): its beginning and a mark. What is cut is masked first, because half of a secret
 * does not look like one.
 */
export function cutEnd(text: string, bytes: number, mark = (cut: number): string => ` [${cut} more bytes were cut]`): string {
  return cut(text, bytes, (whole, room) => {
    const begin = beginning(whole, room);
    return begin.toString() + mark(whole.length - begin.length);
  });
}

/** The same, with a quarter from the beginning and the rest from the end, because the last lines tell most. */
export function cutMiddle(text: string, bytes: number): string {
  return cut(text, bytes, (whole, room) => {
    const begin = beginning(whole, Math.floor(room / 4));
    const end = ending(whole, room - begin.length);
    return `${begin.toString()}\n[${whole.length - begin.length - end.length} bytes were cut]\n${end.toString()}`;
  });
}

/** The same, keeping only the end, from the beginning of a line. */
export function cutBegin(text: string, bytes: number): string {
  return cut(text, bytes, (whole, room) => {
    const end = ending(whole, room);
    const line = end.indexOf('\n') + 1;
    const kept = line < end.length ? end.subarray(line) : end;
    return `[${whole.length - kept.length} earlier bytes were cut]\n${kept.toString()}`;
  });
}

function cut(text: string, bytes: number, shorten: (whole: Buffer, room: number) => string): string {
  // A UTF-16 unit is at most three bytes, so most texts need no count.
  if (text.length * 3 <= bytes || Buffer.byteLength(text) <= bytes) return text;
  const masked = Buffer.from(maskText(text));
  return masked.length <= bytes ? masked.toString() : shorten(masked, Math.max(0, bytes - MARK_BYTES));
}

/** At most so many bytes, no character halved. */
function beginning(whole: Buffer, bytes: number): Buffer {
  let to = bytes;
  while (to > 0 && isInside(whole[to])) to--;
  return whole.subarray(0, to);
}

function ending(whole: Buffer, bytes: number): Buffer {
  let from = whole.length - bytes;
  while (from < whole.length && isInside(whole[from])) from++;
  return whole.subarray(from);
}

function isInside(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
