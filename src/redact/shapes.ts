import { MASK } from './keys.ts';

/**
 * Secrets that are known by their own shape. Each pattern begins where no such run can have begun before (the lookbehind) and is
 * bounded or ends with its run, so that a text of any length is read in linear time.
 */
const TOKENS = new RegExp(
  '(?<![A-Za-z0-9_-])(?:' +
    [
      'eyJ[A-Za-z0-9_-]{8,8192}\\.[A-Za-z0-9_-]{4,8192}(?:\\.[A-Za-z0-9_-]{1,8192}){0,3}', // JSON web tokens
      '(?:AKIA|ASIA)[0-9A-Z]{16}(?![A-Za-z0-9])',
      'gh[opsur]_[A-Za-z0-9]{30,255}',
      'github_pat_[A-Za-z0-9_]{22,255}',
      'glpat-[A-Za-z0-9_-]{20,255}',
      'xox[abeoprs]-[A-Za-z0-9-]{10,255}',
      'xapp-[A-Za-z0-9-]{10,255}',
      'sk-[A-Za-z0-9_-]{20,255}',
      '[rsp]k_(?:live|test)_[A-Za-z0-9]{10,255}',
      'AIza[A-Za-z0-9_-]{35}',
      'npm_[A-Za-z0-9]{36}',
      'dckr_pat_[A-Za-z0-9_-]{20,255}',
      'dop_v1_[a-f0-9]{64}',
      'hv[sb]\\.[A-Za-z0-9_-]{20,255}',
      'SG\\.[A-Za-z0-9_-]{16,64}\\.[A-Za-z0-9_-]{16,64}',
      'ya29\\.[A-Za-z0-9_-]{20,1024}',
      'AGE-SECRET-KEY-1[0-9A-Z]{20,128}',
      'pypi-[A-Za-z0-9_-]{50,512}',
      'hf_[A-Za-z0-9]{30,64}',
      'dapi[a-f0-9]{32}(?![A-Za-z0-9])',
      'gl(?:sa|c)_[A-Za-z0-9_+/=-]{30,512}',
      'shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}',
      'sntry[su]_[A-Za-z0-9_+/=-]{30,512}',
      'ATATT3[A-Za-z0-9_=-]{30,512}',
      'NRAK-[A-Z0-9]{27}',
      'lin_api_[A-Za-z0-9]{30,64}',
      'dp\\.(?:pt|st|ct)\\.[A-Za-z0-9.]{30,128}',
      'sq0(?:atp|csp)-[A-Za-z0-9_-]{20,64}',
      '\\d{8,10}:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])', // Telegram bots
    ].join('|') +
    ')',
  'g',
);
/** Addresses that are a secret by themselves: whoever knows them may post. */
const WEBHOOKS =
  /(hooks\.slack\.com\/(?:services|workflows|triggers)\/|discord(?:app)?\.com\/api\/webhooks\/|webhook\.office\.com\/webhookb2\/|api\.telegram\.org\/bot)[^\s"'<>]{8,512}/g;
/** `scheme://user:password@`; a port is followed by `/` and is no password. */
const USERINFO = /(:\/\/[^\s/@:"'<>]{0,128}):(?!\d{1,5}(?:\/|\s|$))[^\s"'<>@]{1,256}@(?:[^\s"'<>@/]{1,128}@)?/g;
const TOKEN_USERINFO = /(:\/\/)[A-Za-z0-9_-]{20,256}@/g;
/** `user:password@registry.example/…`, an address without its scheme. A digest after the `@` has no path. */
const BARE_USERINFO =
  /(?<![\w.@/%-])([\w.-]{1,64}):[^\s/@:"',;]{1,256}@(?=[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,8}(?::\d{1,5})?\/)/g;
const SCHEMES = /\b(Bearer|Basic|Token)([ \t]{1,4})([A-Za-z0-9._~+/=-]{6,8192})/gi;
const CURL_USER = /((?:^|[\s"',])(?:-u|--user)[\s=",']{1,4}[^\s:"',]{1,128}):[^\s"',]{1,256}/g;

/** What databases are told of their users, and tell again in their logs. */
const SQL =
  /\b((?:identified {1,4}(?:with {1,4}[\w"'`]{1,64} {1,4})?(?:by|as)(?: {1,4}password)?|password)(?: {1,4}| {0,4}= {0,4}))(['"])(?!\2)[^'"\n]{1,256}\2/gi;

/** Masks what is a secret by its shape: PEM blocks, web tokens, providers' keys, passwords in addresses, bearer tokens. */
export function maskShapes(text: string): string {
  let masked = text.includes('-----') ? maskPem(text) : text;
  masked = masked.replace(TOKENS, MASK);
  return maskUserinfo(masked)
    .replace(WEBHOOKS, `$1${MASK}`)
    .replace(SQL, `$1$2${MASK}$2`)
    .replace(CURL_USER, `$1:${MASK}`)
    .replace(SCHEMES, (all, scheme: string, space: string, value: string) => (isCredential(value) ? `${scheme}${space}${MASK}` : all));
}

/** Masks passwords before the host of an address. */
export function maskUserinfo(text: string): string {
  if (!text.includes('@')) return text;
  const masked = text.includes('://') ? text.replace(USERINFO, `$1:${MASK}@`).replace(TOKEN_USERINFO, `$1${MASK}@`) : text;
  return masked.replace(BARE_USERINFO, `$1:${MASK}@`);
}

/** Tells a credential from the next word of a sentence (`basic authentication`) or a challenge (`Bearer realm=…`). */
function isCredential(value: string): boolean {
  if (/^[a-z_]{1,20}=/.test(value)) return false;
  return /[0-9]/.test(value.slice(0, 256)) || value.length >= 24 || /^[A-Za-z]{1,256}={1,2}$/.test(value);
}

const EDGE = /-----(BEGIN|END) [A-Z0-9 ]{1,60}-----/g;

/** Empties PEM blocks, also those that a cut at either side has robbed of their first or last line. */
function maskPem(text: string): string {
  let masked = '';
  let at = 0;
  let isInside = false;
  for (const edge of text.matchAll(EDGE)) {
    const between = text.slice(at, edge.index);
    const isEnd = edge[1] === 'END';
    if (isInside && isEnd) masked += MASK;
    else if (isEnd) masked += between.endsWith(MASK) ? between : between.slice(0, bodyStart(between)) + MASK;
    else masked += isInside ? emptied(between) : between;
    masked += edge[0];
    at = edge.index + edge[0].length;
    isInside = !isEnd;
  }
  const rest = text.slice(at);
  return masked + (isInside ? emptied(rest) : rest);
}

const BODY = /[A-Za-z0-9+/=\s\\]/;

function emptied(text: string): string {
  return text.startsWith(MASK) ? text : MASK + text.slice(bodyEnd(text));
}

function bodyEnd(text: string): number {
  let end = 0;
  while (end < text.length && BODY.test(text.charAt(end))) end += 1;
  return end;
}

/** Where the base64 before an END line begins: only whole lines that hold nothing else belong to it. */
function bodyStart(text: string): number {
  let start = text.length;
  while (start > 0) {
    const lineStart = start < 2 ? 0 : text.lastIndexOf('\n', start - 2) + 1;
    if (!/^(?:[A-Za-z0-9+/=]{20,}\s*|\s*)$/.test(text.slice(lineStart, start))) break;
    start = lineStart;
  }
  return start;
}
