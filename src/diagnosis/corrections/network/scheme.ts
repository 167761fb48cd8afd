import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { type ContainerPlace, type RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { givenIn, rewritten } from '../given-values.ts';
import { wordsAt } from '../replace-text.ts';
import { editDistance } from '../similar-names.ts';
import { placedTexts } from '../container-texts.ts';

/** An address in a variable or an argument, without a scheme before it. */
interface BareAddress {
  /** Only the address. An option may come before it. */
  address: string;
  option: string;
  host: string;
  port: string | undefined;
  path: string;
}

/** `host`, `host:port`, with a user before it and a path after it. */
const ADDRESS =
  /^(--?[\w.-]{1,60}=)?((?:[^\s/:@=]{1,100}(?::[^\s/@]{0,100})?@)?([a-z0-9](?:[a-z0-9-]{0,62})(?:\.[a-z0-9-]{1,63}){0,8})(?::(\d{2,5}))?(?:\/\S{0,300})?)$/i;
/** An address on which a program listens. It is not an address to call. */
const OWN = /^(?:0\.0\.0\.0|127\.\d{1,3}\.\d{1,3}\.\d{1,3})$/;
/** A scheme that a line mentions without an address after it. */
const NAMED_SCHEME = /\b([a-z][a-z0-9+.-]{1,20}):\/\/(?![\w[])/;
/** Ports that imply a scheme. */
const SCHEMES: Readonly<Record<string, string>> = {
  '443': 'https',
  '8443': 'https',
  '6379': 'redis',
  '5672': 'amqp',
  '27017': 'mongodb',
  '4222': 'nats',
  '5432': 'postgresql',
  '3306': 'mysql',
};

/** For a program that wants a URL but gets `host:port`: adds the scheme. `address` is the value that lacks it, if known. */
export function withScheme(input: RuleInput, line: string): { address: string; corrections: Correction[] } | undefined {
  const place = input.place();
  if (!place?.container) return undefined;
  const slip = withColonAndSlashes(place);
  if (slip) return slip;
  const all = addressesIn(place, line);
  const found = meant(all, line) ?? urlAlone(place, all, line);
  if (!found) return undefined;
  const { address, host, port } = found;
  const scheme = NAMED_SCHEME.exec(line)?.[1] ?? SCHEMES[port ?? ''] ?? (port === undefined && host.includes('.') ? 'https' : 'http');
  const service = input.subject.surroundings?.services?.find(({ name }) => name === host.split('.', 1)[0]);
  const isKnown = service !== undefined && (port === undefined || service.ports?.includes(Number(port)) === true);
  const to = `${scheme}://${address}`;
  return {
    address,
    corrections: [
      {
        title: `Write ${code(to)}`,
        changes: all
          .filter((one) => one.address === address)
          .map(({ path, option }) => change(place, path, `${option}${to}`, `a URL begins with its scheme, ${code(`${scheme}://`)}`)),
        confidence: isKnown ? 'likely' : 'guess',
        explanation: `The program takes ${code(address.split(':', 1)[0] ?? '')} for the scheme, or finds none.`,
        mirrorable: true,
      },
    ],
  };
}

/** The only address whose scheme lacks its colon or one of its slashes: `postgres//db`, `http:/api`. */
function withColonAndSlashes(place: ContainerPlace): { address: string; corrections: Correction[] } | undefined {
  const found = givenIn(place).flatMap((one) => {
    const [, scheme = '', between = '', rest = ''] = /^([a-z][a-z0-9+]{1,20})(:?\/{1,2}|;\/\/)(?!\/)(\S+)$/.exec(one.value) ?? [];
    return between !== '' && between !== '://' && OF_SERVERS.includes(scheme) ? [{ ...one, scheme, to: `${scheme}://${rest}` }] : [];
  });
  const [only, ...more] = found;
  if (!only || more.length > 0) return undefined;
  return {
    address: only.value,
    corrections: [
      {
        title: `Begin the address with ${code(`${only.scheme}://`)}`,
        changes: [rewritten(place, only, only.to, 'a colon and two slashes end the scheme')],
        confidence: 'likely',
        explanation: 'The address lacks one of them.',
        mirrorable: true,
      },
    ],
  };
}

/** For a program that lists the schemes it accepts: gives the only address with another scheme the first of them. */
export function otherScheme(input: RuleInput, line: string): { address: string; corrections: Correction[] } | undefined {
  const place = input.place();
  const [scheme, ...others] = [...line.matchAll(/\b([a-z][a-z0-9+.-]{1,20}):\/\/(?![\w[])/g)].map(([, name = '']) => name);
  if (!place || scheme === undefined) return undefined;
  const taken = [scheme, ...others];
  const jdbc = withoutJdbc(place, taken);
  if (jdbc) return jdbc;
  const wrong = givenIn(place).filter(
    ({ value }) => /^[a-z][a-z0-9+.-]{1,20}:\/\/\S/.test(value) && !taken.includes(value.split(':', 1)[0] ?? ''),
  );
  // If there are several addresses, the setting's name must contain the scheme: `REDIS_URL` for `redis`.
  const named = wrong.filter(({ name }) => taken.some((one) => name.toLowerCase().includes(one.split('+', 1)[0] ?? one)));
  const [only, ...more] = named.length > 0 || wrong.length > 1 ? named : wrong;
  if (!only || more.length > 0) return undefined;
  const to = only.value.replace(/^[^:]{1,21}(?=:)/, () => scheme);
  return {
    address: `${only.name}=${only.value}`,
    corrections: [
      {
        title: `Begin the address with ${code(`${scheme}://`)}`,
        changes: [rewritten(place, only, to, `the program takes ${taken.map((one) => code(`${one}://`)).join(', ')}`)],
        confidence: 'likely',
        explanation: 'The program chooses by the scheme how it speaks to the server.',
        mirrorable: true,
      },
    ],
  };
}

/** The address of a Java driver, for a program that takes what stands behind its `jdbc:`. */
function withoutJdbc(place: ContainerPlace, taken: readonly string[]): { address: string; corrections: Correction[] } | undefined {
  const [only, ...more] = givenIn(place).filter(({ value }) => taken.includes(/^jdbc:([a-z]{2,20}):\/\//.exec(value)?.[1] ?? ''));
  if (!only || more.length > 0) return undefined;
  return {
    address: `${only.name}=${only.value}`,
    corrections: [
      {
        title: 'Write the address without `jdbc:`',
        changes: [rewritten(place, only, only.value.slice('jdbc:'.length), 'only drivers of Java know `jdbc:`')],
        confidence: 'likely',
        explanation: 'The program chooses by the scheme how it speaks to the server.',
        mirrorable: true,
      },
    ],
  };
}

/** Server names that people use as schemes, and the real schemes. Source: the URI schemes of AMQP, MongoDB, Redis and PostgreSQL. */
const MADE_UP: Readonly<Record<string, string>> = {
  rabbitmq: 'amqp',
  rabbit: 'amqp',
  mongo: 'mongodb',
  psql: 'postgresql',
  pg: 'postgresql',
  elastic: 'http',
  elasticsearch: 'http',
  memcache: 'memcached',
};

/** Schemes of clients of servers, for the slips of them. */
const OF_SERVERS = [
  'http', 'https', 'redis', 'rediss', 'valkey', 'amqp', 'amqps', 'mongodb', 'mongodb+srv', 'postgres', 'postgresql', 'postgresql+psycopg2',
  'postgresql+asyncpg', 'mysql', 'mysql2', 'mysqlx', 'mysql+pymysql', 'mariadb', 'nats', 'kafka', 'memcached', 'sqlite', 'sqlite3', 'mssql',
  'sqlserver', 'ldap', 'ldaps', 'ldapi', 'smtp', 'smtps', 'grpc', 'grpcs', 'mqtt', 'mqtts', 'bolt', 'neo4j', 'clickhouse', 'cassandra', 'pulsar',
  'pulsar+ssl', 'ftp', 'ftps', 'sftp', 'file', 'unix', 'tcp', 'tcp4', 'tcp6', 'udp', 'udp4', 'udp6', 'ws', 'wss', 'rtsp', 'rtmp', 'jdbc', 's3', 'gs',
]; // prettier-ignore

/** The scheme that was meant: for a server's name, or the longest from which it differs by a letter (`postgres` for `postgress`). */
function schemeMeant(scheme: string): string | undefined {
  if (Object.hasOwn(MADE_UP, scheme)) return MADE_UP[scheme];
  const slips = scheme.length < 4 || OF_SERVERS.includes(scheme) ? [] : OF_SERVERS.filter((one) => editDistance(one, scheme) === 1);
  return slips.toSorted((a, b) => b.length - a.length)[0];
}

/** For a program that does not list its schemes: corrects the only address that uses a server's name as its scheme, or a slip of a scheme. */
export function madeUpScheme(input: RuleInput): { address: string; corrections: Correction[] } | undefined {
  const place = input.place();
  const found = (place ? givenIn(place) : []).flatMap((one) => {
    const [scheme = '', rest = ''] = one.value.split(/(?=:\/\/)/, 2);
    const to = rest === '' ? undefined : schemeMeant(scheme);
    return to === undefined ? [] : [{ one, scheme, rest, to }];
  });
  const [only, ...more] = found;
  if (!place || !only || more.length > 0) return undefined;
  return {
    address: `${only.one.name}: ${only.scheme}://`,
    corrections: [
      {
        title: `Begin the address with ${code(`${only.to}://`)}`,
        changes: [rewritten(place, only.one, `${only.to}${only.rest}`, `its clients know this server as ${code(`${only.to}://`)}`)],
        confidence: 'likely',
        explanation: 'The program chooses by the scheme how it speaks to the server.',
        mirrorable: true,
      },
    ],
  };
}

/** For a program that does not take `http` or `tcp`: uses the scheme that belongs to the address's well-known port, if only one address has such a port. */
export function schemeOfPort(input: RuleInput): { address: string; corrections: Correction[] } | undefined {
  const place = input.place();
  const found = (place ? givenIn(place) : []).flatMap((one) => {
    const [, rest = '', port = ''] = /^(?:https?|tcp|udp|unix)(:\/\/[\w.@:$()-]{1,300}:(\d{2,5})(?:\/\S{0,200})?)$/.exec(one.value) ?? [];
    const scheme = SCHEMES[port];
    return scheme === undefined || scheme === 'https' ? [] : [{ ...one, to: `${scheme}${rest}`, port }];
  });
  const [only, ...more] = found;
  if (!place || !only || more.length > 0) return undefined;
  return {
    address: `${only.name}=${only.value}`,
    corrections: [
      {
        title: `Begin the address with ${code(`${SCHEMES[only.port] ?? ''}://`)}`,
        changes: [rewritten(place, only, only.to, `port ${only.port} is that of such a server`)],
        confidence: 'likely',
        explanation: 'The program chooses by the scheme how it speaks to the server.',
        mirrorable: true,
      },
    ],
  };
}

/** The address whose host the line names. If the line names no other host, the only address. */
function meant(addresses: BareAddress[], line: string): BareAddress | undefined {
  const named = addresses.filter(({ host }) => wordsAt(line, host).length > 0);
  const [only, ...more] = named.length > 0 ? named : /["'`][\w.:-]{2,100}["'`]/.test(line) ? [] : addresses.filter(({ port }) => port);
  return only && more.every(({ address }) => address === only.address) ? only : undefined;
}

/** The address in the setting that the line names. For a line that mentions just a URL, the only setting with URL in its name. */
function urlAlone({ container }: ContainerPlace, addresses: BareAddress[], line: string): BareAddress | undefined {
  const values = (container?.env ?? []).flatMap(({ name, value }) =>
    /(?:^|_)URL$/i.test(name) && typeof value === 'string' ? [value] : [],
  );
  const said = (container?.env ?? []).flatMap(({ name, value }) =>
    wordsAt(line, name).length > 0 && typeof value === 'string' ? [value] : [],
  );
  const isMeant = (address: string): boolean => said.includes(address) || (/\bURL\b/.test(line) && values.includes(address));
  const found = addresses.filter(({ address, host }) => isMeant(address) && host.includes('.'));
  return found.length === 1 ? found[0] : undefined;
}

/** The addresses of the container without a scheme. One on which it listens counts only where the line shows it. */
function addressesIn(place: ContainerPlace, line: string): BareAddress[] {
  return placedTexts(place).flatMap((one): BareAddress[] => {
    const [, option = '', address, host, port] = ADDRESS.exec(one.text.slice(0, 600)) ?? [];
    return address === undefined || host === undefined || (OWN.test(host) && !line.includes(`"${address}"`)) || /^\d+$/.test(host)
      ? []
      : [{ address, option, host, port, path: one.path }];
  });
}

/** Which addresses the driver takes, for an address as it should be. */
function driverName(to: string): string {
  const begin = /^jdbc:[a-z]+:/.exec(to)?.[0] ?? 'jdbc:';
  return `its driver takes addresses that begin with ${code(begin)}`;
}

/** Replaces schemes like `postgres://`, which database tools accept, with the names that Python and Java drivers use. */
export function driversScheme(input: RuleInput, line: string): { address: string; corrections: Correction[] } | undefined {
  const place = input.place();
  const isJava = /jdbc|No suitable driver|provided URL|[Cc]annot find database driver/i.test(line);
  const from = isJava ? /^(?:jdbc:postgres|postgres(?:ql)?|mysql|mariadb|sqlserver):\/\// : /^(postgres):\/\//;
  const [only, ...more] = place ? givenIn(place).filter(({ value }) => from.test(value)) : [];
  if (!place || !only || more.length > 0) return undefined;
  const plain = only.value.replace(/^(?:jdbc:)?postgres:/, 'postgresql:');
  const to = isJava ? `jdbc:${plain}` : plain;
  const hasUser = /:\/\/[^/\s]{1,200}@/.test(only.value);
  return {
    address: only.value.replace(/:\/\/[^/\s]{1,200}@/, '://'),
    corrections: [
      {
        title: `Begin the address with ${code(`${to.split('//', 1)[0] ?? ''}//`)}`,
        changes: [rewritten(place, only, to, isJava ? driverName(to) : 'the driver is called `postgresql`')],
        // Most JDBC drivers take the user and the password as separate settings.
        confidence: isJava && hasUser ? 'guess' : 'likely',
        explanation: 'The program chooses its driver by how the address begins.',
        mirrorable: true,
      },
    ],
  };
}
