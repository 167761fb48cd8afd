import { hide, isLetter, type Pass } from './scan-state.ts';
import { isHarmless } from './harmless-values.ts';

/** `//user:password@`, after the colon of the scheme. Digits before a slash are a port, not a password. */
const USERINFO = /\/\/[^\s/@:"'<>]{0,128}:(?!\d{1,5}(?:[/"'\s,;)\]]|$))([^\s"'<>@]{1,256})@(?:[^\s"'<>@/]{1,128}@)?/y;
/** `//token@`. */
const TOKEN = /\/\/([A-Za-z0-9_-]{20,256})@/y;
const COLON = 58;
const SLASH = 47;
const AT = 64;
const PERCENT = 37;
const FAR = 420;

/** Hides a password or a token before the host of an address. `colon` ends the scheme. */
export function address(pass: Pass, colon: number): number {
  const { text } = pass;
  const next = nextAt(pass, colon);
  if (next === -1 || next - colon > FAR) return colon + 1;
  USERINFO.lastIndex = colon + 1;
  const found = USERINFO.exec(text);
  if (found?.[1] !== undefined && !isHarmless(found[1])) {
    const from = found.index + found[0].indexOf(':', 2) + 1;
    return hide(pass, from, USERINFO.lastIndex - 1);
  }
  TOKEN.lastIndex = colon + 1;
  return TOKEN.test(text) ? hide(pass, colon + 3, TOKEN.lastIndex - 1) : colon + 1;
}

/** The index of the next `@`, or -1. Several addresses share one search. */
function nextAt(pass: Pass, from: number): number {
  const known = pass.nextAt;
  if (known !== undefined && (known === -1 || known > from)) return known;
  return (pass.nextAt = pass.text.indexOf('@', from));
}

/** The host after the `@` in `user:password@host/path`, `user:password@host:5432`, `user:password@tcp(host:3306)/name`. */
const HOST = /@(?:(?:tcp|udp|unix)?\(|(?!sha\d{3}:)[A-Za-z0-9-]{1,63}(?:\.[A-Za-z0-9-]{1,63}){0,8}(?:\/|:\d{2,5}(?!\d)|$|(?=["'\s;])))/y;
/** User and password separated by a slash, as Oracle writes them. */
const ORACLE = /(?:thin:|oci8?:|sqlplus {1,4}(?:-[SLs] {1,4}){0,2})["']?[\w$#"]{1,64}\/$/i;
const NO_USER = new Set('mailto sip sips xmpp acct ssh git scp tel image images from http https digest'.split(' '));

/** Hides the password of an address without a scheme. `at` is the index of its `@`. Returns where to continue reading. */
export function bareAddress(pass: Pass, at: number): number {
  const { text } = pass;
  const from = passwordStart(text, at, pass.at);
  if (from === 0) return at + 1;
  const isSecret = text.charCodeAt(from - 1) === COLON ? isAfterUser(text, from, at) : isAfterSlash(text, from, at);
  if (isSecret && !isHarmless(text.slice(from, at))) hide(pass, from, at);
  return at + 1;
}

function isAfterUser(text: string, from: number, at: number): boolean {
  HOST.lastIndex = at;
  return HOST.test(text) && isUser(text, from - 1) && !isMail(text, from, at);
}

function isAfterSlash(text: string, from: number, at: number): boolean {
  if (text.charCodeAt(at - 1) === SLASH) return false;
  return text.startsWith('//', at + 1) || ORACLE.test(text.slice(Math.max(0, from - 90), from));
}

/** The index after the colon or slash before the `@`, where a password may begin; 0 when there is none. */
function passwordStart(text: string, at: number, least: number): number {
  const last = Math.max(least, at - 256);
  for (let index = at - 1; index >= last; index--) {
    const code = text.charCodeAt(index);
    if (code === COLON || code === SLASH) return index === at - 1 ? 0 : index + 1;
    if (code < 128 && NO_PASSWORD[code] === 1) return 0;
  }
  return 0;
}

/** Blanks, and the characters that end a password unless they are escaped. */
const NO_PASSWORD = ((): Uint8Array => {
  const signs = new Uint8Array(128).fill(1, 0, 33);
  for (const sign of '@"\'<>,;()') signs[sign.charCodeAt(0)] = 1;
  return signs;
})();
const LONGEST_USER = 64;

/** Whether the word before the colon is a user, and not a part of the path of an image or an address. */
function isUser(text: string, colon: number): boolean {
  let from = colon;
  while (from > 0 && colon - from <= LONGEST_USER && isUserLetter(text.charCodeAt(from - 1))) from--;
  if (from === colon || colon - from > LONGEST_USER) return false;
  const before = text.charCodeAt(from - 1);
  if (before === AT || before === SLASH || before === PERCENT) return false;
  return colon - from < 3 || colon - from > 6 || !NO_USER.has(text.slice(from, colon).toLowerCase());
}

function isUserLetter(code: number): boolean {
  return isLetter(code) || (code > 47 && code < 58) || code === 45 || code === 46 || code === 95;
}

/** Whether the text is a label and an e-mail address: `to:ada@shop.example`. Nothing follows the host, and the part before `@` has no digits. */
function isMail(text: string, from: number, at: number): boolean {
  const isEnd =
    /[\s"';]|^$/.test(text.charAt(HOST.lastIndex)) &&
    !/[/:(]/.test(text.charAt(HOST.lastIndex - 1)) &&
    !/:\d{2,5}$/.test(text.slice(at, HOST.lastIndex));
  return isEnd && !/[\d!#$%^&*+=]/.test(text.slice(from, at));
}

const PGPASS = /:(?:[1-9]\d{3,4}|\*):[^:\s"']{1,63}:[^:\s"'@/]{1,63}:([^\s:"']{3,256})(?=["'\s]|$)/y;

/** Finds the password in a line of `.pgpass`: `host:port:database:user:password`. Returns where the password begins and ends. */
export function pgpass(text: string, colon: number): { from: number; to: number } | undefined {
  PGPASS.lastIndex = colon;
  const found = PGPASS.exec(text);
  return found?.[1] === undefined ? undefined : { from: PGPASS.lastIndex - found[1].length, to: PGPASS.lastIndex };
}

const CURL_USER = /(?:[\s=",']{1,4})[^\s:"',]{1,128}:([^\s"',]{1,256})/y;

/** Hides the password after a flag that takes user and password: `-u user:password`, `--user "user:password"`. */
export function userFlag(pass: Pass, from: number): number {
  CURL_USER.lastIndex = from;
  const found = CURL_USER.exec(pass.text);
  if (!found?.[1] || found[1].startsWith('//') || isHarmless(found[1]) || /^\d+$/.test(found[1])) return from;
  return hide(pass, CURL_USER.lastIndex - found[1].length, CURL_USER.lastIndex);
}
