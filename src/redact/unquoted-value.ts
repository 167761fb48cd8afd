import { type Secrecy } from './keys.ts';
import { BLANKS, endAt, type Stops, stopAt } from './stops.ts';
import { isHarmless, isPath, isSecretValue } from './harmless-values.ts';

// Sentences, code, types and versions may follow a name that sounds secret. They are no secrets.

const VERSION = /^(?:v?\d{1,6}(?:\.\d{1,6}){0,3}(?:[-+][\w.-]{1,64})?|latest|stable|sha256)(?!\w)/;
export const SCHEME = /^(?:Bearer|Basic|Token|Digest|ApiKey)[ \t]{1,4}/i;
const INSTANT = /^\d{4}-\d\d-\d\d(?:[T ]\d\d:|$)/;
/** The words that follow `token:` or `password:` in sentences, most often in error messages. */
const PROSE =
  /^(?:not|no|missing|invalid|expired|is|was|are|the|a|an|required|must|unable|failed|cannot|can't|could|couldn't|authentication|signature|unauthorized|denied|access|error|empty|unset|using|for|from|of|has|contains|unexpected|rpc|open|stat|Get|Post|dial|permission|timed|unknown|bad|wrong|incorrect|mismatch|malformed|illegal|field|value|received|rejected|secret|secrets|configmap|serviceaccount|serviceaccounts|object|references|unsupported|crypto|x509|json|yaml|http|https|EOF|ENOENT|EACCES|please|see|unbound|parameter|failure|request|response|undefined|command|waiting|requires|did|does|should|may|NO|YES)\b(?![!@#$%^&*+=])/i;
/** Names that also occur in sentences. An ordinary word after one of them is no secret. */
const SOFT = /^(?:authorization|auth|signature|credentials?|cookies?|creds?|tokens?|secrets?|jwt|bearer|sig)$/i;

/** How a value stands in its text. `isFirst`: its name begins the line. `isTight`: no blank behind the colon. */
export interface Standing {
  isFirst: boolean;
  isTight: boolean;
}

/** Whether an unquoted value is no secret, although its name sounds secret. */
export function isNoSecret(
  shown: string,
  { name, secrecy, separator }: { name: string; secrecy: Secrecy; separator: string },
  { isFirst, isTight }: Standing,
): boolean {
  const word = beginningOf(shown, BLANK);
  if (word !== shown && isHarmless(word)) return true;
  if (secrecy !== 'strong') return !isSecretValue(beginningOf(shown, PART), secrecy);
  if (isPath(shown.trim()) || isCall(shown) || (isDigit(shown.charCodeAt(0)) && INSTANT.test(shown))) return true;
  if (separator === ':' && isProse(shown, name, { isFirst, isTight })) return true;
  return (
    (shown.length < 7 && isDigit(shown.charCodeAt(0)) && /^\d{1,6}$/.test(shown) && /^(?:auth|pass|tokens?|sig)$/i.test(name)) ||
    (name === 'PASS' && /^(?:Test|Example|Benchmark)/.test(shown))
  );
}

const BLANK = stopAt(BLANKS);
const PART = stopAt(`${BLANKS},;`);

function beginningOf(shown: string, stops: Stops): string {
  return shown.slice(0, endAt(shown, 0, { stops, most: shown.length }));
}

/** Whether the value is code that gets the secret from elsewhere: `os.getenv('TOKEN')`, `System.getenv("TOKEN")`. */
function isCall(shown: string): boolean {
  return (
    shown.includes('.') &&
    /^(?:[A-Za-z_]\w{0,32}\.){1,4}(?:[A-Za-z_]\w{0,64})(?:\(|\[|$)/.test(shown) &&
    /env|config|secret|get|var|\.(?:data|value|token|password)$/i.test(shown)
  );
}

function isDigit(code: number): boolean {
  return code > 47 && code < 58;
}

/** Whether the value under this name consists of several words, as a mnemonic does. */
export function isPhrase(name: string): boolean {
  return name.length > 5 && /mnemonic|phrase$/i.test(name);
}

function isProse(shown: string, name: string, { isFirst, isTight }: Standing): boolean {
  if (isPhrase(name)) return false;
  if (PROSE.test(shown) || (isTight && VERSION.test(shown))) return true;
  if (SOFT.test(name) && isSaid(shown, isFirst && !isTight)) return true;
  // The sentence continues: `password: user app is not known`.
  return !isFirst && !isTight && /^[A-Za-z][a-z]{1,15} [a-z]{2,16}(?:[\s.,;:)]|$)/.test(shown);
}

/** Code and types, as tracebacks and schemas show them: `password = os.environ["PASSWORD"]`. */
export const CODE =
  /^(?:(?:await|new|async|function|typeof|lambda|yield|self|this|void|def|const|let|var)\b|[A-Za-z_$][\w$]*(?:(?:\.|::)[A-Za-z_$][\w$]*)*(?:\(|\[$|<)|(?:string|str|number|bool|boolean|int|integer|bytes?|any|object|unknown|String|Text|Optional)\b[;,?|\s)]*$|\/\^)/;
const COOKIE = /^(?:SameSite|Path|Domain|HttpOnly|Secure|Max-Age|Expires)\b/i;

/** Whether a value is a word, a version or the name of an object, as they follow names that also occur in sentences. */
function isSaid(shown: string, isLine: boolean): boolean {
  if (VERSION.test(shown) || COOKIE.test(shown)) return true;
  if (isLine && !/\s/.test(shown.trim())) return /^(?:[A-Za-z][a-z_]{0,31}|[A-Z]{2,16})[.,;]?$/.test(shown.trim());
  return (
    /^[a-z_]{1,32}\b(?![+/=.]|-?\d)/.test(shown) ||
    /^[A-Z][a-z]{0,15}:?(?:\s|$)/.test(shown) ||
    /^[a-z-]{2,40}\/[a-z.-]{2,63}(?:[,;\s]|$)/.test(shown)
  );
}

/** Whether the value in quotes is a sentence: `"token": "not found"`. */
export function isRemark(shown: string, name: string): boolean {
  return (
    SOFT.test(name) &&
    shown.includes(' ') &&
    !SCHEME.test(shown) &&
    (PROSE.test(shown) || /^[A-Za-z][\w'-]*(?: [A-Za-z'-]{1,24}){2}/.test(shown))
  );
}
