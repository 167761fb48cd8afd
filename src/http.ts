import { lookup as systemLookup, type LookupAddress, type LookupOptions } from 'node:dns';
import { BlockList, isIP } from 'node:net';
import { Agent, buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool, request } from 'undici';

export interface HttpRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers?: Record<string, string>;
  body?: string | null;
  signal?: AbortSignal;
}

export interface HttpAnswer {
  status: number;
  /** Names in lower case; a repeated header's values are joined with `, `. */
  headers: Record<string, string>;
  body: string;
}

/**
 * Requests `url` and returns the server's answer with any status. Does not follow redirects. Throws HttpError if there is no complete
 * answer.
 */
export type Http = (url: string, options?: HttpRequest) => Promise<HttpAnswer>;

/**
 * No whole answer came. `code` is the network's word (`ECONNREFUSED`), `TIMEOUT`, `TOO_LARGE`, `ABORTED` or `PRIVATE`. `PROXY_407` and
 * `PROXY_ECONNREFUSED`: the proxy refused with that status, or was not reached.
 */
export class HttpError extends Error {
  readonly code: string;
  readonly address: string;
  constructor(address: string, code: string, what: string) {
    super(`${address}: ${what}`);
    this.name = 'HttpError';
    this.code = code;
    this.address = address;
  }
}

export interface HttpOptions {
  timeoutMs: number;
  maxBytes: number;
  /** For addresses that users typed: only public ones, and those in these ranges, are reached. Absent: any. */
  onlyPublicAnd?: readonly string[];
  /** Only these ranges are reached: for addresses without encryption. */
  onlyIn?: readonly string[];
  /** Certificate authorities, as PEM, that replace those of the system. */
  ca?: string | undefined;
  /** Looks up names: the system's resolver unless another is given. */
  lookup?: Lookup;
  /**
   * What https addresses are reached through. A name is then looked up by the proxy, not here, so the proxy decides what may be reached:
   * `onlyPublicAnd` and `onlyIn` judge only addresses written as numbers, and what goes directly.
   */
  proxy?: HttpProxy | undefined;
}

/** A proxy that takes CONNECT. */
export interface HttpProxy {
  /** An http or https address, perhaps with `user:password@`. */
  address: string;
  /** Hosts that are reached without the proxy, in the form of `NO_PROXY`. Empty: none. */
  except: string;
}

/** Every address of a name. */
export type Lookup = (
  host: string,
  options: LookupOptions & { all: true },
  done: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

/** The one way out of the building: `timeoutMs` covers the whole exchange, `maxBytes` the answer's body. */
export function httpClient({ timeoutMs, maxBytes, onlyPublicAnd, onlyIn, ca, lookup = systemLookup, proxy }: HttpOptions): Http {
  const mayReach = onlyIn ? inRanges(onlyIn) : onlyPublicAnd ? addressRule(onlyPublicAnd) : undefined;
  // A name is looked up once, and the connection goes to the address that was checked. So the name cannot resolve to another address in
  // between.
  const connect = { timeout: timeoutMs, ...(ca && { ca }), ...(mayReach ? { lookup: guardedLookup(mayReach, lookup) } : {}) };
  // One deadline covers the whole exchange, so the time-outs of its parts are off; a connection that never opens must not outlive it.
  const exchange = { connect, headersTimeout: 0, bodyTimeout: 0, connections: 16 };
  const dispatcher = proxy ? through(proxy, exchange) : new Agent(exchange);
  return async (url, options = {}) => {
    const address = publicPart(url);
    const { signal } = options;
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      // An address written as numbers is never looked up.
      const host = URL.canParse(url) ? new URL(url).hostname.replace(/^\[|\]$/g, '') : '';
      if (mayReach && isIP(host) && !mayReach(host)) throw new HttpError(address, 'PRIVATE', PRIVATE);
      const either = signal ? AbortSignal.any([deadline, signal]) : deadline;
      const answer = await request(url, { ...options, dispatcher, signal: either });
      return { status: answer.statusCode, headers: flat(answer.headers), body: await bounded(answer.body, maxBytes, address) };
    } catch (error) {
      if (error instanceof HttpError) throw error;
      if (signal?.aborted) throw new HttpError(address, 'ABORTED', 'given up by the caller');
      if (deadline.aborted) throw new HttpError(address, 'TIMEOUT', `no answer within ${timeoutMs} ms`);
      if (codeOf(error) === 'PRIVATE') throw new HttpError(address, 'PRIVATE', PRIVATE);
      // The library's message may quote the request, so only its code leaves.
      throw new HttpError(address, codeOf(error), `no answer (${codeOf(error)})`);
    }
  };
}

type Exchange = Agent.Options & { connect: { timeout: number; ca?: string } };

/** The guarded lookup of `connect` is for what goes directly: the proxy itself is often in a private network. */
function through({ address, except }: HttpProxy, exchange: Exchange): Dispatcher {
  const { timeout, ca } = exchange.connect;
  const connector = buildConnector({ timeout, allowH2: false });
  // All is given, so that the library reads no variable itself.
  return new EnvHttpProxyAgent({
    ...exchange,
    httpProxy: '',
    httpsProxy: address,
    noProxy: except,
    requestTls: { timeout, ...(ca && { ca }) },
    // The caller's deadline does not reach the question to the proxy, so that has its own, a little later.
    clientFactory: (origin) =>
      new Pool(origin, {
        headersTimeout: timeout + 1_000,
        connect: (options, done) =>
          connector(options, (...[error, socket]) => {
            if (error) done(Object.assign(new Error('no proxy'), { code: `PROXY_${codeOf(error)}` }), null);
            else done(null, socket);
          }),
      }),
  });
}

const PRIVATE = 'not a public address (ALLOW_PRIVATE_ADDRESSES names the ranges that may be reached besides)';

/** What is not the public internet: this host, private and shared networks, link-local (clouds' metadata), documentation, multicast. */
const NOT_PUBLIC = (
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 ' +
  '192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 ' +
  '::/96 ::ffff:0:0:0/96 64:ff9b::/96 64:ff9b:1::/48 100::/64 2001::/23 2001:db8::/32 2002::/16 3fff::/20 5f00::/16 fc00::/7 fe80::/10 fec0::/10 ff00::/8'
).split(' ');

/** Whether an IP address may be reached: a public one, or one in the allowed ranges (`10.1.0.0/16`, `10.1.2.3`). */
export function addressRule(allowed: readonly string[]): (address: string) => boolean {
  const [refused, granted] = [rangesOf(NOT_PUBLIC), rangesOf(allowed)];
  return (address) => {
    const plain = unmapped(address);
    const family = isIP(plain) === 4 ? 'ipv4' : 'ipv6';
    return granted.check(plain, family) || !refused.check(plain, family);
  };
}

/** Whether an IP address is in one of the ranges. */
function inRanges(ranges: readonly string[]): (address: string) => boolean {
  const list = rangesOf(ranges);
  return (address) => {
    const plain = unmapped(address);
    return list.check(plain, isIP(plain) === 4 ? 'ipv4' : 'ipv6');
  };
}

/**
 * An address of a host that may be reached, by the same rules, for protocols other than HTTP. Throws HttpError when there is none, or when
 * one of the name's addresses may not be reached.
 */
export function allowedAddress(host: string, onlyPublicAnd: readonly string[], lookup: Lookup = systemLookup): Promise<string> {
  const mayReach = addressRule(onlyPublicAnd);
  const refused = new HttpError(host, 'PRIVATE', PRIVATE);
  if (isIP(host)) return mayReach(host) ? Promise.resolve(host) : Promise.reject(refused);
  return new Promise((resolve, reject) => {
    guardedLookup(mayReach, lookup)(host, { all: false }, (error, address) => {
      if (error) reject(codeOf(error) === 'PRIVATE' ? refused : new HttpError(host, codeOf(error), `no address (${codeOf(error)})`));
      else resolve(typeof address === 'string' ? address : '');
    });
  });
}

function rangesOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = '', bits] = range.split('/');
    const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
    list.addSubnet(address, Number(bits ?? (family === 'ipv4' ? 32 : 128)), family);
  }
  return list;
}

/** `::ffff:10.0.0.1`, also as `::ffff:a00:1`, is 10.0.0.1. */
function unmapped(address: string): string {
  const [, rest = ''] = /^::ffff:(.+)$/i.exec(address) ?? [];
  const [, high, low] = /^([0-9a-f]{1,4}):([0-9a-f]{1,4})$/i.exec(rest) ?? [];
  if (high === undefined || low === undefined) return isIP(rest) === 4 ? rest : address;
  const [a, b] = [Number.parseInt(high, 16), Number.parseInt(low, 16)];
  return [a >> 8, a & 255, b >> 8, b & 255].join('.');
}

type LookupDone = (error: NodeJS.ErrnoException | null, address: string | LookupAddress[], family?: number) => void;

/** A name with one address that may not be reached is refused whole. */
function guardedLookup(mayReach: (address: string) => boolean, lookup: Lookup) {
  return (host: string, options: LookupOptions, done: LookupDone): void => {
    lookup(host, { ...options, all: true }, (error, found) => {
      const [first] = found ?? [];
      if (error || !first) return done(error ?? Object.assign(new Error('no address'), { code: 'ENOTFOUND' }), []);
      if (!found.every(({ address }) => mayReach(address))) return done(Object.assign(new Error(PRIVATE), { code: 'PRIVATE' }), []);
      return options.all ? done(null, found) : done(null, first.address, first.family);
    });
  };
}

/** Address without user, password, query and fragment: all four may be secrets. */
function publicPart(url: string): string {
  if (!URL.canParse(url)) return 'an address that is no URL';
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  // Only the message of this error says with which status a proxy refused.
  const [, refused] = (error instanceof Error && /^Proxy response \((\d{3})\)/.exec(error.message)) || [];
  if (refused) return `PROXY_${refused}`;
  return typeof code === 'string' ? code : 'UNKNOWN';
}

function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const pairs = Object.entries(headers).filter((pair): pair is [string, string | string[]] => pair[1] !== undefined);
  return Object.fromEntries(pairs.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]));
}

/** Leaving the loop early destroys the body, and with it the connection. */
async function bounded(body: AsyncIterable<Buffer>, maxBytes: number, address: string): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new HttpError(address, 'TOO_LARGE', `the answer is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
