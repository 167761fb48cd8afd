import { fieldPath } from '../../../crd/field-path.ts';
import { code } from '../../rendering/quote.ts';
import { change, appended } from '../change.ts';
import { type RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { placedTexts } from '../container-texts.ts';
import { givenIn, rewritten, setTo } from '../given-values.ts';
import { isOff, isOn, turnedOff, turnedOn } from '../settings/switch-word.ts';

/** Schemes with TLS, and their counterparts without it. */
const PAIRS: readonly [tls: string, plain: string][] = [
  ['https', 'http'],
  ['rediss', 'redis'],
  ['amqps', 'amqp'],
  ['mqtts', 'mqtt'],
  ['wss', 'ws'],
];
const URL_TEXT = /\b([a-z]{2,6}):\/\/(?:[^\s@/]{1,100}@)?([A-Za-z0-9](?:[\w-]{0,62})(?:\.[\w-]{1,63}){0,8}(?::\d{2,5})?)/;

/** Changes the scheme of an address. `isSpoken`: the client speaks TLS, but the server does not. Otherwise the other way round. */
export function otherTls(input: RuleInput, line: string, isSpoken: boolean): { address: string; corrections: Correction[] } | undefined {
  const place = input.place();
  const services = input.subject.surroundings?.services ?? [];
  if (!place?.container) return undefined;
  const found = placedTexts(place).flatMap(({ text, path }) => {
    const [, scheme, address = ''] = URL_TEXT.exec(text.slice(0, 2000)) ?? [];
    const to = PAIRS.find((pair) => pair[isSpoken ? 0 : 1] === scheme)?.[isSpoken ? 1 : 0];
    const isOwn = /^(?:localhost|127\.\d+\.\d+\.\d+)(?=:|$)/.test(address) && line.includes(address);
    const isOurs = isOwn || services.some(({ name }) => name === address.split(/[.:]/, 1)[0]);
    return to !== undefined && isOurs ? [{ text, path, from: `${scheme}://`, to: `${to}://`, address }] : [];
  });
  const named = found.filter(({ address }) => line.includes(address.split(':', 1)[0] ?? address));
  const [only, ...more] = named.length > 0 ? named : found;
  if (!only || more.some(({ address }) => address !== only.address)) return undefined;
  const why = isSpoken ? `the server at ${code(only.address)} speaks no TLS` : `the server at ${code(only.address)} speaks TLS only`;
  return {
    address: only.address,
    corrections: [
      {
        title: `Call it with ${code(only.to)}`,
        changes: [only, ...more].map(({ text, path, from, to }) =>
          change(
            place,
            path,
            text.replace(from, () => to),
            why,
          ),
        ),
        confidence: 'likely',
        explanation: 'Client and server must agree whether they speak TLS.',
        mirrorable: true,
      },
    ],
  };
}

/** Ports without TLS, and those of the same servers with it (IANA, "Service Name and Port Number Registry"; Strimzi, "Listeners"). */
const TLS_PORTS: Readonly<Record<number, number>> = {
  80: 443,
  8080: 8443,
  9092: 9093,
  6379: 6380,
  5672: 5671,
  389: 636,
  1883: 8883,
  2379: 2380,
};
/** A variable that only switches TLS on. */
const SWITCH = /(?:^|_)(?:SSL|TLS)(?:_?(?:ENABLED?|ON))?$|^(?:USE|ENABLE)_(?:SSL|TLS)$|_(?:USE|ENABLE)_(?:SSL|TLS)$/;

/** The setting of Kafka's clients for the protocol (Apache Kafka, "security.protocol"). Its values with TLS end with `SSL`. */
const KAFKA = /(?:^|[_.])SECURITY[_.]PROTOCOL$/i;
/** The value of a switch that turns TLS off. */
const withoutTls = (value: string): string => (/SSL$/.test(value) ? value.replace(/SSL$/, 'PLAINTEXT') : turnedOff(value));

/**
 * For a client that speaks TLS to a port without it, where the address has no scheme: the TLS port of the same Service, or else the switch for TLS.
 */
export function tlsSwitch(input: RuleInput): { address: string; corrections: Correction[] } | undefined {
  const place = input.place();
  const given = place ? givenIn(place) : [];
  const [only, ...more] = given.filter(({ name, value }) => (SWITCH.test(name) ? isOn(value) : KAFKA.test(name) && value.endsWith('SSL')));
  const owner = only?.name.split('_', 1)[0] ?? '';
  if (!place || !only || more.length > 0) return undefined;
  const found = given.flatMap((one) => {
    const [, host = '', port = ''] = /^([a-z][\w-]{0,62}(?:\.[\w-]{1,63}){0,8}):(\d{2,5})$/.exec(one.value) ?? [];
    const service = input.subject.surroundings?.services?.find(({ name }) => name === host.split('.', 1)[0]);
    const to = TLS_PORTS[Number(port)];
    return one.name.startsWith(owner) && service && to !== undefined && service.ports?.includes(to) ? [{ one, host, port, to }] : [];
  });
  const [first] = found;
  const address = found.length === 1 ? first : undefined;
  const change = address
    ? rewritten(
        place,
        address.one,
        `${address.host}:${address.to}`,
        `port ${address.port} of the Service has no TLS, and it has port ${address.to} too`,
      )
    : rewritten(place, only, withoutTls(only.value), 'the server speaks no TLS');
  return {
    address: `${only.name}${first ? ` (${first.one.name}=${first.one.value})` : ''}`,
    corrections: [
      {
        title: address ? `Call port ${code(String(address.to))}` : `Set ${code(only.name)} to ${code(withoutTls(only.value))}`,
        changes: [change],
        confidence: 'guess',
        explanation: 'Client and server must agree whether they speak TLS.',
        mirrorable: true,
      },
    ],
  };
}

/** What clients print when a server closes the connection because it expects TLS. */
const CLOSED = /\bEOF\b|reset by peer|closed (?:the )?connection|[Cc]onnection (?:was )?closed|[Dd]isconnected/;

/** For a client without TLS whose server closes the connection: its switch for TLS, if it calls the port that servers of this kind have for TLS. */
export function switchedOn(input: RuleInput, line: string): { name: string; correction: Correction } | undefined {
  const place = input.place();
  const given = place && CLOSED.test(line) ? givenIn(place) : [];
  const [only, ...more] = given.filter(({ name, value }) => SWITCH.test(name) && isOff(value));
  const owner = only?.name.split('_', 1)[0] ?? '';
  const ports = Object.values(TLS_PORTS);
  const address = given.find(({ name, value }) => name.startsWith(owner) && ports.some((port) => value.endsWith(`:${port}`)));
  if (!place || !only || more.length > 0 || !address) return undefined;
  const texts = { why: `${code(address.value)} is a port with TLS`, explanation: 'Client and server must agree whether they speak TLS.' };
  return {
    name: `${only.name}=${only.value} (${address.name}=${address.value})`,
    correction: setTo(place, only, turnedOn(only.value), { ...texts, confidence: 'guess' }),
  };
}

const OFF = /\bsslmode=disable\b/i;
const MODE = /\bsslmode=[\w-]{2,20}/i;
const POSTGRES = /^(?:jdbc:)?postgres(?:ql)?(?:\+\w{1,20})?:\/\//;

/** For a PostgreSQL server without TLS: the client's setting for it. */
export function withoutPostgresTls(input: RuleInput): Correction[] {
  const place = input.place();
  const env = place?.container?.env ?? [];
  if (!place) return [];
  const why = 'the server has no TLS';
  const set = (index: number, to: string) => change(place, fieldPath(place.path, 'env', index, 'value'), to, why);
  const changes = env.flatMap(({ name, value }, index) => {
    if (typeof value !== 'string') return [];
    if (/SSL_?MODE$/i.test(name) && value !== 'disable') return [set(index, 'disable')];
    return MODE.test(value) && !/sslmode=disable/i.test(value) ? [set(index, value.replace(MODE, 'sslmode=disable'))] : [];
  });
  const urls = env.flatMap(({ value }, index) => (typeof value === 'string' && POSTGRES.test(value) ? [{ value, index }] : []));
  const [only, ...more] = urls;
  const added = only && more.length === 0 ? [set(only.index, `${only.value}${only.value.includes('?') ? '&' : '?'}sslmode=disable`)] : [];
  const hasHost = env.some(({ name }) => name === 'PGHOST');
  const variable = hasHost ? [appended(place, fieldPath(place.path, 'env'), env, { name: 'PGSSLMODE', value: 'disable' }, why)] : [];
  const made = [changes, added, variable].find((list) => list.length > 0);
  if (!made) return [];
  return [
    {
      title: 'Call the database without TLS',
      changes: made,
      confidence: 'likely',
      explanation: 'The client wants TLS and the server has none. On a network that others share, give the server a certificate instead.',
      mirrorable: true,
    },
  ];
}

/** For a PostgreSQL server that refuses calls without TLS: the client's setting for it, where the manifest switches TLS off. */
export function withPostgresTls(input: RuleInput): Correction[] {
  const place = input.place();
  const changes = (place?.container?.env ?? []).flatMap(({ name, value }, index) => {
    if (!place || typeof value !== 'string') return [];
    const to = /SSL_?MODE$/i.test(name) && value.trim() === 'disable' ? 'require' : value.replace(OFF, 'sslmode=require');
    if (to === value) return [];
    return [change(place, fieldPath(place.path, 'env', index, 'value'), to, 'the server refuses calls without TLS')];
  });
  if (changes.length === 0) return [];
  return [
    {
      title: 'Call the database with TLS',
      changes,
      confidence: 'likely',
      explanation: '`require` encrypts and does not compare the certificate; `verify-full` does, and needs the CA of the server.',
      mirrorable: true,
    },
  ];
}
