import { MASK } from './keys.ts';
import { hide, isLetter, type Pass, secrecyIn } from './scan-state.ts';
import { isHarmless, isPath, isRandom, isVeryRandom, looksSecret } from './harmless-values.ts';

type Noun = 'argument' | 'directive' | 'password' | 'token' | 'key' | 'scheme' | 'sql' | 'community';

const nouns = (noun: Noun, words: string): [string, Noun][] => words.split(' ').map((word) => [word, noun]);
/** Nouns that a secret may follow in sentences, headers and statements. */
const NOUNS = new Map<string, Noun>([
  ...nouns(
    'password',
    'password passwords passwd passphrase passcode pwd pass passwort kennwort passworts contraseña contrasena clave passe senha wachtwoord parola hasło haslo heslo lösenord losenord salasana пароль паролем şifre jelszó',
  ),
  ...nouns('token', 'token tokens secret secrets credential credentials geheimnis secreto segredo secreta jeton'),
  ...nouns('key', 'key keys schlüssel chave clé'),
  ...nouns('scheme', 'bearer basic token apikey ssws geniekey bot digest negotiate splunk snowflake sharedaccesssignature'),
  ...nouns('sql', 'identified'),
  ...nouns('argument', 'argument value'),
  ...nouns('directive', 'requirepass masterauth rootpw bindpw rootpass rocommunity rwcommunity'),
]);
const LINKS = new Set(
  'is was are be been has set to as now currently ist lautet war wurde auf gesetzt es era será fue est était sera é foi era eh é è är er jest je on は это = := -> → : value of'.split(
    ' ',
  ),
);
/** A key is a secret if one of these words stands before `key`. */
const KEY_BEFORE =
  /(?:api|access|secret|private|encryption|signing|master|shared|licen[sc]e|account|storage|admin|root|deploy|ssh|unseal|integration|routing|session|auth|service) $/i;
/** If one of these is among the three words before the noun, as in `using the root password value`, a value follows. */
const BEFORE = new Set(
  (
    'with using use mit con avec com usando utilizando new set change reset temporary default initial generated root admin the their your and ' +
    'login user dem la le a o el met med z'
  ).split(' '),
);
const MOST_BEFORE = 3;
const ALGORITHM = /^(?:[Ss][Hh][Aa]|[Mm][Dd]5|SCRAM|scram|bcrypt|argon|pbkdf|PBKDF|AES|aes|RSA|rsa|v?\d{1,2}\b)|^[A-Za-z][a-z]{0,7}\d$/;
/** Words that follow `password` in sentences that contain no password. */
const SAID =
  /^(?:not|no|missing|invalid|expired|is|was|required|must|wrong|correct|incorrect|empty|unset|too|weak|strong|the|a|an|for|from|of|in|on|at|by|or|and|has|hash|authentication|reset|policy|changed|ok|set|needed|being|already|never|only|same|different|default|null|none|nil|falsch|richtig|ungültig|leer|incorrecta|correcta|incorrect|vide|errada|inválida|required[.,]?)(?![\w@#$%&*!-])/i;
const VALUE = /(?:\[([^[\]\s]{4,256})\]|"([^"\n]{1,256})"|'([^'\n]{1,256})'|`([^`\n]{1,256})`|((?:[^\s"'`<>|\\]|\\(?!["'nrt])){1,512}))/y;
const MOST_LINKS = 4;
const T = 116;
const SPACE = 32;
const TAB = 9;
const DASH = 45;
const UNDERSCORE = 95;

/** The noun between two places of the text, in upper or lower case; undefined if the word is none of `NOUNS`. */
export function nounAt(text: string, from: number, to: number): Noun | undefined {
  const length = to - from;
  if (length < 3 || length > 21) return undefined;
  const word = text.slice(from, to);
  return NOUNS.get(word) ?? (length > 3 && hasCapital(word) ? NOUNS.get(word.toLowerCase()) : undefined);
}

/** The words that `nounAt` knows. */
export const NOUN_WORDS: readonly string[] = [...NOUNS.keys()];

/**
 * Whether a word may be written in capitals. Short words count as nouns only in lower case, because `BOT` and `PWD` have other meanings.
 */
function hasCapital(word: string): boolean {
  for (let index = 0; index < word.length; index++) {
    const code = word.charCodeAt(index);
    if ((code > 64 && code < 91) || (code > 127 && code < 0x430)) return true;
  }
  return false;
}

/** Hides the value after a noun in a sentence. Returns where to continue reading. */
export function prose(pass: Pass, noun: Noun, from: number, to: number): number {
  if (pass.text.charCodeAt(from - 1) === 47) return to;
  if (noun === 'scheme' || (noun === 'token' && to - from === 'token'.length && (pass.text.charCodeAt(from) | 32) === T)) {
    const end = schemeEnd(pass, to);
    if (end > to || noun === 'scheme') return end;
  }
  if (noun === 'directive') return directive(pass, to);
  if (noun === 'argument') return argument(pass, to);
  if (noun === 'sql') return statement(pass, from, to);
  return sentence(pass, noun, from, to);
}

const SCHEME_VALUE = /[ \t]{1,4}(?:id[ \t]|token="?)?([A-Za-z0-9._~+/=:-]{6,})/y;

/** Hides the credential behind a scheme: `Bearer value`, `Basic value`. */
function schemeEnd(pass: Pass, to: number): number {
  SCHEME_VALUE.lastIndex = to;
  const value = SCHEME_VALUE.exec(pass.text)?.[1];
  if (value === undefined || !isCredential(value)) return to;
  return hide(pass, SCHEME_VALUE.lastIndex - value.length, SCHEME_VALUE.lastIndex);
}

/** Distinguishes a credential from the next word of a sentence (`basic authentication`) and from a challenge (`Bearer realm=…`). */
function isCredential(value: string): boolean {
  const hasDigit = /[0-9]/.test(value.slice(0, 256));
  if (!hasDigit && value.length < 24 && !value.endsWith('=')) return false;
  if (/^(?:[a-z_]{1,20}=|https?:)/.test(value)) return false;
  return hasDigit ? value.length > 7 || !/^[a-z]+\d{1,3}$/.test(value) : value.length >= 24 || /^[A-Za-z]{1,256}={1,2}$/.test(value);
}

const STATEMENT =
  /[ \t]{1,4}(?:with[ \t]{1,4}[\w"'`]{1,64}[ \t]{1,4})?(?:by|as)(?:[ \t]{1,4}(?:random[ \t]{1,4})?password)?[ \t]{1,4}(["'])([^"'\n]{1,256})\1/iy;

/** Hides the password of an SQL statement: `IDENTIFIED BY 'value'`. */
function statement(pass: Pass, from: number, to: number): number {
  if (!/\b(?:user|role|grant|login)\b/i.test(pass.text.slice(Math.max(0, from - 160), from))) return to;
  STATEMENT.lastIndex = to;
  const value = STATEMENT.exec(pass.text)?.[2];
  if (value === undefined || value.startsWith(MASK)) return to;
  return hide(pass, STATEMENT.lastIndex - 1 - value.length, STATEMENT.lastIndex - 1);
}

const DIRECTIVE = /[ \t]{1,8}(?:"([^"\n]{1,256})"|([^\s"'=:]{1,256}))/y;

/** Hides the value in a line of a configuration file: `requirepass value`. */
function directive(pass: Pass, to: number): number {
  DIRECTIVE.lastIndex = to;
  const found = DIRECTIVE.exec(pass.text);
  const value = found?.[1] ?? found?.[2];
  if (!found || value === undefined || isHarmless(value)) return to;
  const start = to + found[0].indexOf(value);
  return hide(pass, start, start + value.length);
}

const ARGUMENT = /[ \t]"([^"\n]{1,256})" for (?:flag )?"?(?:-\w, )?--?([\w.-]{2,64})/y;

/** Hides an argument that an error message repeats: `invalid argument "value" for "--password" flag`. */
function argument(pass: Pass, to: number): number {
  ARGUMENT.lastIndex = to;
  const [, value, name] = ARGUMENT.exec(pass.text) ?? [];
  if (value === undefined || name === undefined || !secrecyIn(pass, name) || isHarmless(value)) return to;
  return hide(pass, to + 2, to + 2 + value.length);
}

/** Whether the noun begins a line of two words: `PASSWORD value`. */
function isDirective(text: string, from: number, to: number): boolean {
  const before = text.charCodeAt(from - 1);
  return (from === 0 || before === 10) && !/[ \t]\S+[ \t]+\S/.test(text.slice(to, to + 80).split('\n', 1)[0] ?? '');
}

/** Hides the value of a sentence: `password is value`, `with password value`, `ALTER ROLE a PASSWORD 'value'`. */
function sentence(pass: Pass, noun: Noun, from: number, to: number): number {
  const { text } = pass;
  if (text.charCodeAt(to) !== 32 && text.charCodeAt(to) !== 9) return to;
  if (isPlain(text, to)) return to;
  const before = text.slice(Math.max(pass.at, from - 48), from);
  if (noun === 'key' && !KEY_BEFORE.test(before)) return to;
  const whose = whoseEnd(text, to);
  const { at, isLinked: hasLink } = afterLinks(text, whose);
  const isLinked = hasLink || whose > to;
  VALUE.lastIndex = at;
  const found = VALUE.exec(text);
  if (!found) return to;
  const inside = found[1] ?? found[2] ?? found[3] ?? found[4];
  const value = inside ?? withoutStop(found[5] ?? '');
  if (value === '' || value.includes(MASK) || isHarmless(value)) return to;
  const start = at + (inside === undefined ? 0 : 1);
  const quoted = found[1] === undefined ? inside : undefined;
  const isSecret =
    noun === 'password'
      ? isPassword({ value, isQuoted: quoted !== undefined, isLinked, before, isDirective: isDirective(text, from, to) })
      : isToken(value, isLinked);
  return isSecret ? hide(pass, start, start + value.length) : to;
}

/** Whether the next 96 characters of the line are only words. Most sentences are, and need no closer look. */
function isPlain(text: string, from: number): boolean {
  const end = Math.min(text.length, from + 96);
  for (let index = from; index < end; index++) {
    const code = text.charCodeAt(index);
    if (code === 10) return true;
    if (code < 127 && PLAIN[code] === 0) return false;
  }
  return true;
}

/** The characters of ordinary words. Capitals, quotes, digits and signs may belong to a secret. */
const PLAIN = ((): Uint8Array => {
  const plain = new Uint8Array(128);
  for (const character of 'abcdefghijklmnopqrstuvwxyz ,.-\t') plain[character.charCodeAt(0)] = 1;
  return plain;
})();

const WHOSE =
  /[ \t](?:for|of|für|de|para|do|da)(?: (?:the )?(?:user|role|account|database|admin|login|usuario|utilisateur|benutzer))? ["'`]?[\w.@-]{1,64}["'`]?(?= ?(?::|=|is |ist |es |est |é ))/iy;

/** The end of the words that name the owner of a password: `password for user app: value`. */
function whoseEnd(text: string, to: number): number {
  WHOSE.lastIndex = to;
  if (!WHOSE.test(text)) return to;
  const end = WHOSE.lastIndex;
  return text[end] === ':' || text[end] === '=' ? end + 1 : end;
}

function afterLinks(text: string, to: number): { at: number; isLinked: boolean } {
  let at = to;
  let isLinked = false;
  for (let links = 0; links <= MOST_LINKS; links++) {
    while ((text.charCodeAt(at) === SPACE || text.charCodeAt(at) === TAB) && at - to < 64) at++;
    if (!isLinkLead(text.charCodeAt(at))) break;
    const end = wordEnd(text, at);
    const word = text.slice(at, end).toLowerCase();
    if (!LINKS.has(word.length > 2 && word.endsWith(':') ? word.slice(0, -1) : word)) break;
    isLinked = true;
    at = end;
  }
  return { at, isLinked };
}

/** Whether a link may begin with this character. */
const isLinkLead = ((): ((code: number) => boolean) => {
  const leads = new Set([...LINKS].flatMap((link) => [link.charCodeAt(0), link.toUpperCase().charCodeAt(0)]));
  return (code) => leads.has(code);
})();

function wordEnd(text: string, from: number): number {
  let end = from;
  while (end < text.length && end - from < 12 && text.charCodeAt(end) > SPACE) end++;
  return end;
}

interface Said {
  value: string;
  isQuoted: boolean;
  isLinked: boolean;
  before: string;
  isDirective: boolean;
}

function isPassword({ value, isQuoted, isLinked, before, isDirective }: Said): boolean {
  if (isQuoted)
    return (
      isLinked ||
      /(?:with|using|encrypted|password|alter|create|set|user|role|login|invalid|by|mit|con|avec|com|generated|temporary|default|initial|new|:$)\b|:$/i.test(
        before,
      )
    );
  // `machine host login user password value`: netrc.
  if (/\blogin[ \t]+\S{1,64}[ \t]+$/.test(before)) return true;
  if (SAID.test(value) || (!isLinked && !isDirective && ALGORITHM.test(value)) || isPath(value) || value.length < 4) return false;
  return isChosen(value, isLinked || isDirective) && (isLinked || isDirective || isAnnounced(before));
}

/** Whether one of the last words of a text announces a value: `using the root `. Each ends with one blank. */
function isAnnounced(before: string): boolean {
  let end = before.length - 1;
  for (let words = 0; words < MOST_BEFORE && before.charCodeAt(end) === SPACE; words++) {
    let start = end;
    while (start > 0 && end - start < 25 && isPartOfWord(before.charCodeAt(start - 1))) start--;
    const word = before.slice(start, end);
    if (BEFORE.has(word.slice(word.lastIndexOf('-') + 1).toLowerCase())) return true;
    if (word === '' || word.length > 24) return false;
    end = start - 1;
  }
  return false;
}

function isPartOfWord(code: number): boolean {
  return isLetter(code) || (code > 47 && code < 58) || code === DASH || code === UNDERSCORE;
}

/** Whether somebody may have chosen the value as a password: it has digits, signs, or capitals among small letters. Names have none. */
function isChosen(value: string, isLinked: boolean): boolean {
  if (/^[\d.,:/-]+$/.test(value) || isPath(value) || (!isLinked && !looksSecret(value.padEnd(6, 'x')))) return false;
  return /\d/.test(value) || /[!#$%^&*+=?@~]/.test(value) || /[a-z][A-Z]/.test(value);
}

/** Whether the value is a token. Names of objects follow `secret` and `token` too; they are made of small letters and dashes. */
function isToken(value: string, isLinked: boolean): boolean {
  if (/^[a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?$/.test(value) && (value.includes('-') || value.includes('.') || !isLinked)) return false;
  if (isPath(value) || /[/:]/.test(value.slice(0, 8))) return false;
  return isLinked ? value.length > 7 && isRandom(value, 0, value.length) : value.length > 15 && isVeryRandom(value, 0, value.length);
}

function withoutStop(value: string): string {
  return value.replace(/[.,;:!?)\]}。，、]{1,4}$/, '');
}

/** A noun, links and a value in scripts that write no blanks between words, or signs of their own. */
const WIDE =
  /(?:密码|密碼|口令|密钥|密鑰|暗証番号|パスワード|秘密鍵|비밀번호|암호|пароль|паролем|كلمة المرور|รหัสผ่าน)(?:\s?(?:是|为|為|は|が|を|:|：|=|＝|「|『|“|"|'|이|은|는|это|—|-|เป็น|คือ|هي){1,3}\s?|\s)([!-&(-;=?-~]{4,128})/gu;

/** Hides passwords in sentences of scripts that write no blanks between words. */
export function maskWideProse(text: string): string {
  return text.replace(WIDE, (all, value: string) => {
    const bare = withoutStop(value);
    return isHarmless(bare) || !(/\d|[!#$%^&*+=?@~]/.test(bare) || /[a-z][A-Z]/.test(bare))
      ? all
      : all.slice(0, -value.length) + MASK + value.slice(bare.length);
  });
}
