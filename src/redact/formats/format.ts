/** One bit for each kind of character. An alphabet is a sum of such bits. */
const DIGIT = 1;
const LOWER_HEX = 2;
const LOWER = 4;
const UPPER_HEX = 8;
const UPPER = 16;
const DASH = 32;
const UNDERSCORE = 64;
const DOT = 128;
const PLUS = 256;
const SLASH = 512;
const EQUALS = 1024;
const TILDE = 2048;
const ADDRESS = 4096;
const COLON = 8192;
const BASE62 = DIGIT | LOWER_HEX | LOWER | UPPER_HEX | UPPER;

/** The characters of the random part of a token. */
export const ALPHABETS = {
  digits: DIGIT,
  hex: DIGIT | LOWER_HEX,
  Hex: DIGIT | LOWER_HEX | UPPER_HEX,
  uuid: DIGIT | LOWER_HEX | UPPER_HEX | DASH,
  base36: DIGIT | LOWER_HEX | LOWER,
  BASE36: DIGIT | UPPER_HEX | UPPER,
  base62: BASE62,
  /** Words joined by dashes, each in base62. */
  dashed: BASE62 | DASH,
  base64url: BASE62 | DASH | UNDERSCORE,
  padded: BASE62 | DASH | UNDERSCORE | EQUALS,
  dotted: BASE62 | DASH | UNDERSCORE | DOT | EQUALS,
  base64: BASE62 | PLUS | SLASH | EQUALS,
  /** Standard Base64 or base64url, in several parts. */
  parts: BASE62 | DASH | UNDERSCORE | DOT | PLUS | SLASH | EQUALS | TILDE,
  slashes: BASE62 | DASH | UNDERSCORE | SLASH | COLON,
  colons: BASE62 | DASH | UNDERSCORE | COLON,
  /** The characters that may follow in an address. */
  address: BASE62 | DASH | UNDERSCORE | DOT | PLUS | SLASH | EQUALS | TILDE | COLON | ADDRESS,
} as const;
export type Alphabet = keyof typeof ALPHABETS;

/** A kind of token that its first characters identify. */
export interface Format {
  /** The issuer and the kind of the token, such as "GitLab deploy token". */
  kind: string;
  /** The title of the page in the issuer's documentation that describes the format. */
  source: string;
  prefix: string;
  alphabet: Alphabet;
  /** How many characters follow the prefix. */
  least: number;
  /** Without it, any number of characters may follow. */
  most?: number;
}

type Row = readonly [kind: string, prefix: string, alphabet: Alphabet, least: number, most?: number];

/** The formats that one page of an issuer's documentation describes. */
export function formats(source: string, rows: readonly Row[]): Format[] {
  return rows.map(([kind, prefix, alphabet, least, most]) => ({
    ...{ kind, source, prefix, alphabet, least },
    ...(most === undefined ? {} : { most }),
  }));
}

/** A table from character codes to bits; 0 for characters that no alphabet contains. */
export const BITS = ((): Uint16Array => {
  const bits = new Uint16Array(128);
  const set = (characters: string, bit: number): void => {
    for (const character of characters) bits[character.charCodeAt(0)] = bit;
  };
  set('0123456789', DIGIT);
  set('abcdef', LOWER_HEX);
  set('ghijklmnopqrstuvwxyz', LOWER);
  set('ABCDEF', UPPER_HEX);
  set('GHIJKLMNOPQRSTUVWXYZ', UPPER);
  set('-', DASH);
  set('_', UNDERSCORE);
  set('.', DOT);
  set('+', PLUS);
  set('/', SLASH);
  set('=', EQUALS);
  set('~', TILDE);
  set(':', COLON);
  set('%?&#@!$*', ADDRESS);
  return bits;
})();
