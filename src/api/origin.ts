import { isIP } from 'node:net';

/** The addresses of this process, as the environment configures them. */
export interface OwnAddress {
  /** The public address. */
  baseUrl?: string | undefined;
  /** The address or name that this process listens on. */
  host?: string | undefined;
}

/** The headers that tell where a request goes to and where it comes from. */
export interface RequestOrigin {
  protocol: string;
  /** The value of `Host`, or the value that a trusted proxy gives instead. */
  host: string;
  origin: string | undefined;
  /** `Sec-Fetch-Site`. */
  site: string | undefined;
}

/** Names that no attacker can register in DNS: loopback (RFC 6761), Services of the cluster, and names without a dot. */
const LOCAL = /^[^.]+$|\.(localhost|svc|svc\.cluster\.local)$/;

/**
 * Whether `host` (`name:port`) is a name of this process. This check prevents DNS rebinding: an attacker points a name at the address of
 * this process, and the browser then lets the attacker's page call public routes. Such a page uses the attacker's name, so IP addresses,
 * which probes and scrapes use, are safe.
 */
export function isOwnHost(host: string, { baseUrl, host: listening }: OwnAddress): boolean {
  const name = nameOf(host);
  if (name === undefined) return false;
  const own = [baseUrl && new URL(baseUrl).hostname, listening && nameOf(listening)];
  return isIP(name.replace(/^\[(.*)\]$/, '$1')) !== 0 || LOCAL.test(name) || own.includes(name);
}

/**
 * Whether a page of another site makes this request, according to the browser's headers. The origin of the page must be that of the request
 * or of `BASE_URL`. The scheme must match too, because a page loaded over plain http may have been tampered with. Programs other than
 * browsers do not send these headers.
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
