import type { Secrecy } from './keys.ts';
import { LONGEST_NAME, type Pair, PEEK, plain, quoted } from './pair-value.ts';
import { hide, isLetter, type Pass, secrecyIn } from './scan-state.ts';
import { isSecretValue, looksSecret } from './harmless-values.ts';

// In these forms neither a colon nor an equals sign separates name and value: flags, XML elements, variables of a Dockerfile.

const FLAG_VALUE = /[ \t]{1,4}(?![-=:])|["'][ \t]{0,4},[ \t]{0,4}(?=["'])/y;

/** Hides the value behind a flag: `--password value`, `"--password", "value"`. `from` begins the flag, `to` ends it. Returns where to continue reading. */
export function flag(pass: Pass, from: number, to: number): number {
  const { text } = pass;
  FLAG_VALUE.lastIndex = to;
  if (!FLAG_VALUE.test(text)) return to;
  const begin = FLAG_VALUE.lastIndex;
  const name = text.slice(from, Math.min(to, from + LONGEST_NAME)).replace(/^-{1,2}/, '');
  const secrecy = secrecyIn(pass, name);
  if (!secrecy) return to;
  const one: Pair = { name, secrecy, separator: ' ', index: from, from: begin };
  const quote = /^["']/.exec(text.charAt(begin))?.[0];
  return Math.max(
    to,
    quote === undefined ? plain(pass, one, { peek: text.slice(begin, begin + PEEK), isFirst: false }) : quoted(pass, one, quote),
  );
}

const SLASH = 47;
const ELEMENT = /<([A-Za-z][\w.:-]{0,63})([ \t][^<>\n]{0,128})?>([^<>\n]{1,1024})(?=<\/)/y;

/** Hides the text of an element: `<password>value</password>`. `at` is the place of its first bracket. */
export function element(pass: Pass, at: number): number {
  if (!isLetter(pass.text.charCodeAt(at + 1))) return at + 1;
  // The next tag must close this one.
  if (pass.text.charCodeAt(pass.text.indexOf('<', at + 1) + 1) !== SLASH) return at + 1;
  ELEMENT.lastIndex = at;
  const found = ELEMENT.exec(pass.text);
  const [, name = '', attributes = '', content = ''] = found ?? [];
  const secrecy = found && (secrecyIn(pass, name.slice(name.indexOf(':') + 1)) ?? secrecyOfElement(pass, attributes));
  if (!secrecy || !isSecretValue(content, secrecy) || !pass.text.startsWith(`</${name}>`, ELEMENT.lastIndex)) return at + 1;
  return hide(pass, ELEMENT.lastIndex - content.length, ELEMENT.lastIndex);
}

/** The secrecy of an element whose name is in an attribute: `<entry key="password">value</entry>`. */
function secrecyOfElement(pass: Pass, attributes: string): Secrecy | undefined {
  const name = /\b(?:key|name|id)="([\w.-]{1,64})"/i.exec(attributes)?.[1];
  return name === undefined ? undefined : secrecyIn(pass, name);
}

const ENCODED = /%3[dD]((?:[\w.~+*-]|%(?!26|0[aA]|2[02])[0-9A-Fa-f]{2}){1,512})/y;

/** Hides the value of an encoded pair, which stands inside a parameter of a query: `password%3Dvalue%26`. */
export function encodedPair(pass: Pass, at: number): number {
  const behind = at + 3;
  if (pass.nameTo !== at) return behind;
  const secrecy = secrecyIn(pass, pass.text.slice(Math.max(pass.nameFrom, at - LONGEST_NAME), at));
  if (!secrecy) return behind;
  ENCODED.lastIndex = at;
  const word = ENCODED.exec(pass.text)?.[1];
  return word !== undefined && isSecretValue(word, secrecy) ? hide(pass, behind, behind + word.length) : behind;
}

const SPACED = /[ \t]{1,4}(?:"([^"\n]{1,256})"|'([^'\n]{1,256})'|([^\s"'=:,;<>()]{6,256})(?=\s|$|[,;.]))/y;

/** Hides the value of a variable that only a blank separates from its name: `ENV DB_PASSWORD value`. */
export function spacedPair(pass: Pass, from: number, to: number): number {
  const name = pass.text.slice(from, Math.min(to, from + LONGEST_NAME));
  if (!/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(name)) return to;
  SPACED.lastIndex = to;
  const found = secrecyIn(pass, name) ? SPACED.exec(pass.text) : null;
  const word = found?.[1] ?? found?.[2] ?? found?.[3];
  if (!found || word === undefined || !looksSecret(word) || !/\d/.test(word)) return to;
  const start = to + found[0].indexOf(word);
  return hide(pass, start, start + word.length);
}
