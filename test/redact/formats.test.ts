import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ALPHABETS, BITS } from '../../src/redact/formats/format.ts';
import { FORMATS } from '../../src/redact/formats/list.ts';
import { maskText } from '../../src/redact/text.ts';
import { random } from '../support/builders/random.ts';
import { TOKEN_FORMATS } from '../support/expected/token-formats.ts';

// Each format of the list. documented-secrets.ts has examples that were written without it.

const test = suite('formats of tokens');

const { pick } = random(7);

function charactersOf(alphabet: keyof typeof ALPHABETS): string[] {
  return Array.from(BITS, (bits, code) => ((bits & ALPHABETS[alphabet]) === 0 ? '' : String.fromCharCode(code))).filter((one) =>
    /[A-Za-z0-9]/.test(one),
  );
}

test('a token of the least length is masked in a sentence', () => {
  for (const { kind, prefix, alphabet, least } of FORMATS) {
    const characters = charactersOf(alphabet);
    const secret = prefix + Array.from({ length: least }, () => pick(characters)).join('');
    const text = maskText(`the server got ${secret} and refused it`);
    assert.not(text.includes(secret.slice(-8)), `${kind}: ${text}`);
    assert.ok(text.startsWith('the server got ') && text.endsWith(' and refused it'), `${kind}: ${text}`);
  }
});

test('no format asks for more than a short token has, and each has a prefix of its own', () => {
  for (const { kind, prefix, least, most = Infinity } of FORMATS) {
    assert.ok(least > 0 && least <= 150 && most >= least, `${kind}: ${least} to ${most}`);
    assert.ok(prefix.length + least >= 15, `${kind}: too short to be told from a word`);
  }
  const all = FORMATS.map(({ prefix, least, alphabet }) => `${prefix} ${least} ${alphabet}`);
  assert.is(new Set(all).size, all.length);
});

test('every format that was known is still known, from the same length on', () => {
  const formOf = ({ prefix, alphabet, least, most }: (typeof FORMATS)[number]) =>
    `${prefix} ${alphabet} ${least}${most === undefined ? '' : `-${most}`}`;
  const known = new Set(FORMATS.map(formOf));
  const expected = Object.entries(TOKEN_FORMATS).flatMap(([form, prefixes]) => prefixes.split(' ').map((prefix) => `${prefix} ${form}`));
  assert.equal(
    expected.filter((form) => !known.has(form)),
    [],
  );
  assert.is(known.size, new Set(expected).size, 'a new format has its line in token-formats.ts');
});

test('each alphabet has its characters', () => {
  const shown = (alphabet: keyof typeof ALPHABETS) =>
    Array.from(BITS, (bits, code) => ((bits & ALPHABETS[alphabet]) === 0 ? '' : String.fromCharCode(code))).join('');
  const [digits, upper, lower] = ['0123456789', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz'];
  const base62 = digits + upper + lower;
  const sorted = (text: string) =>
    Array.from(text)
      .sort((one, other) => (one < other ? -1 : 1))
      .join('');
  for (const [alphabet, characters] of Object.entries({
    ...{ digits, hex: `${digits}abcdef`, Hex: `${digits}ABCDEFabcdef`, uuid: `${digits}ABCDEFabcdef-`, base36: digits + lower },
    ...{ BASE36: digits + upper, base62, dashed: `${base62}-`, base64url: `${base62}-_`, padded: `${base62}-_=`, dotted: `${base62}-_.=` },
    ...{ base64: `${base62}+/=`, parts: `${base62}-_.+/=~`, slashes: `${base62}-_/:`, colons: `${base62}-_:` },
    address: `${base62}-_.+/=~:%?&#@!$*`,
  }))
    assert.is(shown(alphabet as 'hex'), sorted(characters), alphabet);
});

test.run();
