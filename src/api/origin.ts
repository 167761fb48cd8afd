import { isIP } from 'node:net';

/** What the environment says of the addresses under which people reach this process. */
export interface OwnAddress {
  /** The public address. */
  baseUrl?: string | undefined;
  /** The address or name that is listened on. */
  host?: string | undefined;
}

/** Where a request says that it goes to, and where from. */
export interface RequestOrigin {
  protocol: string;
  /** `Host`, or what a trusted proxy has put in its place. */
  host: string;
  origin: string | undefined;
  /** `Sec-Fetch-Site`. */
  site: string | undefined;
}

/** Names that no stranger can make a DNS server answer for: loopback (RFC 6761), Services of the cluster, and names without a dot. */
const LOCAL = /^[^.]+$|\.(localhost|svc|svc\.cluster\.local)$/;

/**
 * Whether `host` (`name:port`) is a name of this process. A page of a stranger whose name was rebound to the address of this process would
 * be its own origin to the browser, and could do what this process lets everybody do. Such a page comes under the stranger's name: an IP
 * address, as probes and scrapes use it, is never one.
 */
export function isOwnHost(host: string, { baseUrl, host: listening }: OwnAddress): boolean {
  const name = nameOf(host);
  if (name === undefined) return false;
  const own = [baseUrl && new URL(baseUrl).hostname, listening && nameOf(listening)];
  return isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 || LOCAL.test(name) || own.includes(name);
}

/**
 * Whether a browser says that another site's page makes this request. The page's origin must be that of the request or `BASE_URL`, with
 * its scheme: a page that came over plain http may have been changed on its way. Programs that are no browsers say nothing.
 */
export function isForeign({ protocol, host, origin, site }: RequestOrigin, { baseUrl }: OwnAddress): boolean {
  if (site === 'cross-site') return true;
  if (origin === undefined) return false;
  const pub = baseUrl === undefined ? undefined : new URL(baseUrl);
  const page = URL.parse(origin)?.origin;
  // A proxy that ends TLS sends plain http, so a request for the host of BASE_URL gets the scheme of BASE_URL.
  const requested = pub?.host === host ? pub : URL.parse(`${protocol}://${host}`);
  return page === undefined || page === 'null' || (page !== requested?.origin && page !== pub?.origin);
}

/** The name in `name:port`, as browsers write it; undefined for none. */
function nameOf(host: string): string | undefined {
  if (/[@/?#\\\s]/.test(host)) return undefined;
  const address = isIP(host) === 6 ? `[${host}]` : host;
  return URL.parse(`http://${address}`)?.hostname.replace(/\.$/, '');
}
