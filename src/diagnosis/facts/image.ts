import type { Message, Quote } from './message.ts';

export const PULL_CAUSES = [
  'not-found',
  'denied',
  'unauthorized',
  'rate-limited',
  'unknown-host',
  'tls',
  'http-registry',
  'unreachable',
  'disk-full',
  'platform',
  'proxy',
  'corrupt',
  'signature',
  'server-error',
  'unknown',
] as const;
export type PullCause = (typeof PULL_CAUSES)[number];

/** An image that could not be pulled. `detail` is the host in the message. */
export interface PullFact {
  kind: 'pull';
  image: string | null;
  cause: PullCause;
  detail: string | null;
  container: string | null;
  evidence: Quote;
}
/** A name that is not an image reference. */
export interface ImageNameFact {
  kind: 'image-name';
  image: string;
  evidence: Quote;
}
/** An image that is not on the node and must not be pulled. */
export interface NeverPullFact {
  kind: 'never-pull';
  image: string;
  evidence: Quote;
}
/** Pull secrets that the kubelet could not find. */
export interface PullSecretFact {
  kind: 'pull-secret';
  names: string[];
  evidence: Quote;
}
export type ImageFact = PullFact | ImageNameFact | NeverPullFact | PullSecretFact;

/** The first match wins, so specific patterns come before general ones. Covers messages of containerd, CRI-O and Docker, old and new. */
const CAUSES: readonly [PullCause, RegExp][] = [
  [
    'signature',
    /signature (?:validation failed|was required)|SignatureValidationFailed|no (?:valid )?signatures? (?:exists?|found)|Source image rejected/,
  ],
  ['rate-limited', /toomanyrequests|too many requests|rate limit|429/i],
  ['disk-full', /no space left on device|disk quota exceeded/i],
  ['platform', /no match(?:ing manifest)? for platform|no matching manifest for|no image found in (?:manifest list|image index) for/i],
  ['http-registry', /server gave HTTP response to HTTPS client/i],
  ['tls', /x509:|tls: |certificate (?:has expired|signed by unknown)|remote error: tls|SSL_ERROR/i],
  ['proxy', /proxyconnect|407 Proxy/i],
  ['unknown-host', /no such host|server misbehaving|name resolution|Name or service not known|lookup [^ ]{1,200} on /i],
  [
    'unauthorized',
    /401 Unauthorized|no basic auth credentials|unauthorized: |UNAUTHORIZED|authentication required|invalid username\/password|incorrect username or password|failed to authorize|failed to fetch (?:anonymous|oauth) token/,
  ],
  [
    'denied',
    /pull access denied|requested access to the resource is denied|insufficient_scope|403 Forbidden|denied: |DENIED|permission ["']?[\w.]{1,100}["']? denied|may require ['"]?(?:docker login|authorization)/,
  ],
  [
    'not-found',
    /: not found|manifest unknown|MANIFEST_UNKNOWN|NAME_UNKNOWN|code = NotFound|404 Not Found|reading manifest [^ ]{1,200} in [^ ]{1,300}: |name unknown|repository does not exist|could not find image/i,
  ],
  // A broken download also ends with EOF, so this pattern comes before `unreachable`.
  [
    'corrupt',
    /failed to extract layer|failed to verify|invalid checksum|unexpected commit digest|archive\/tar|unsupported media type|mediaType/i,
  ],
  [
    'unreachable',
    /i\/o timeout|connection refused|network is unreachable|no route to host|deadline exceeded|context canceled|TLS handshake timeout|connection reset|\bEOF\b|Client\.Timeout|connection timed out/i,
  ],
  ['server-error', /50[0234] (?:Internal|Bad|Service|Gateway)|unexpected status code (?:50\d)|unexpected status [^:]{0,80}: 50\d/i],
];

const PULL_WORDS =
  /ErrImagePull|ImagePullBackOff|Failed to pull image|pulling image|pull and unpack image|RegistryUnavailable|SignatureValidationFailed|resolve (?:reference|image)|initializing source|PullImage/;

/** Facts of one message about an image. */
export function readImage(message: Message): ImageFact[] {
  const { text, reason } = message;
  const evidence = { from: message.from, text: text || reason };
  if (
    reason === 'InvalidImageName' ||
    reason === 'InspectFailed' ||
    text.includes('invalid reference format') ||
    text.includes("couldn't parse image name")
  ) {
    const image =
      /couldn't parse image (?:name|reference) "([^"]{1,300})"|apply default image tag "([^"]{1,300})"|parse image reference "([^"]{1,300})"/.exec(
        text,
      );
    if (image) return [{ kind: 'image-name', image: (image[1] ?? image[2] ?? image[3]) as string, evidence }];
  }
  const never = /Container image "([^"]{1,300})" is not present with pull policy of Never/.exec(text);
  if (never) return [{ kind: 'never-pull', image: never[1] as string, evidence }];
  const secrets = /Unable to retrieve some image pull secrets \(([^)]{1,500})\)/.exec(text);
  if (secrets) return [{ kind: 'pull-secret', names: (secrets[1] as string).split(',').map((name) => name.trim()), evidence }];
  if (!PULL_WORDS.test(text) && !PULL_WORDS.test(reason)) return [];
  return [{ kind: 'pull', image: imageIn(text), ...pullCause(text), container: message.container, evidence }];
}

function pullCause(text: string): { cause: PullCause; detail: string | null } {
  // For many causes containerd says "pull access denied, repository does not exist or may require authorization". The words after it decide.
  const cause = CAUSES.find(([, words]) => words.test(text))?.[0] ?? 'unknown';
  const host = /lookup ([^\s:]{1,253})|dial tcp:? (?:lookup )?(\S{1,253}?):?(?=\s|$)|https?:\/\/([^/\s"]{1,253})/.exec(text);
  return { cause, detail: host ? ((host[1] ?? host[2] ?? host[3]) as string) : null };
}

function imageIn(text: string): string | null {
  const image =
    /(?:ulling|ull) image "([^"]{1,300})"|unpack image "([^"]{1,300})"|(?:resolve (?:reference|image):? )"?([^\s"]{1,300}?)"?:? |docker:\/\/([^\s"]{1,300}?):? /.exec(
      text,
    );
  return image ? (image[1] ?? image[2] ?? image[3] ?? image[4] ?? null) : null;
}
