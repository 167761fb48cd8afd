import { MASK } from './keys.ts';

const EDGE = /-----(BEGIN|END) ([A-Z0-9 ]{1,60})-----/g;
/** The labels of blocks that everybody may read. */
const PUBLIC =
  /^(?:(?:TRUSTED |X509 |ATTRIBUTE |NEW )?CERTIFICATE(?: REQUEST)?|X509 CRL|PKCS7|CMS|(?:RSA |EC |SSH2 )?PUBLIC KEY|PGP PUBLIC KEY BLOCK|PGP SIGNATURE|SSH SIGNATURE|(?:DH|EC|DSA|X9\.42 DH) PARAMETERS)$/;
/** The text after a BEGIN line that belongs to the key. */
const BODY = /^(?:\\{1,4}[nr]|\s|\\$)*(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash): [^\n]{1,120}\s+)*[A-Za-z0-9+/=]{12,}/;
/** The private part of a PuTTY key file: the given number of Base64 lines. */
const PUTTY = /(Private-Lines: \d{1,3}(?:\r?\n|\\n))[A-Za-z0-9+/=]{4,128}(?:(?:\r?\n|\\n)[A-Za-z0-9+/=]{4,128}){0,200}(\r?\n|\\n|$|")/g;
const BODY_CHARACTER = /[A-Za-z0-9+/=\s\\]/;

/** A shorter text cannot contain the first or last line of a key, such as `-----END X-----`. */
const SHORTEST = 15;

/** Empties blocks of private keys, even if cutting the text has removed their first or last line. */
export function maskPem(given: string): string {
  if (given.length < SHORTEST) return given;
  const text = given.includes('Private-Lines: ') ? given.replace(PUTTY, `$1${MASK}$2`) : given;
  if (!text.includes('-----')) return text;
  let masked = '';
  let at = 0;
  let inside: string | undefined;
  for (const edge of text.matchAll(EDGE)) {
    const [line, side, what = ''] = edge;
    const between = text.slice(at, edge.index);
    if (side === 'BEGIN') masked += inside === undefined ? between : emptied(between, inside);
    else masked += inside === undefined ? withoutEnd(between, what) : whole(between, inside);
    masked += line;
    at = edge.index + line.length;
    inside = side === 'BEGIN' ? what : undefined;
  }
  const rest = text.slice(at);
  return masked + (inside === undefined ? rest : emptied(rest, inside));
}

function whole(between: string, what: string): string {
  return PUBLIC.test(what) || !BODY.test(between.slice(0, 2_000)) ? between : MASK;
}

/** Empties the lines before an END line, if the BEGIN line was cut off. */
function withoutEnd(between: string, what: string): string {
  if (PUBLIC.test(what) || between.endsWith(MASK)) return between;
  const start = bodyStart(between);
  return start === between.length ? between : between.slice(0, start) + MASK;
}

function emptied(text: string, what: string): string {
  if (PUBLIC.test(what) || text.startsWith(MASK) || !BODY.test(text.slice(0, 2_000))) return text;
  return MASK + text.slice(bodyEnd(text));
}

function bodyEnd(text: string): number {
  let end = 0;
  // A backslash before a quote ends a text inside JSON: the quote keeps it.
  while (end < text.length && BODY_CHARACTER.test(text.charAt(end)) && !isQuoteNext(text, end)) end += 1;
  return end;
}

function isQuoteNext(text: string, at: number): boolean {
  return text[at] === '\\' && text[at + 1] === '"';
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
