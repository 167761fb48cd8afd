import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ALPHABETS, BITS } from '../../src/redact/formats/format.ts';
import { FORMATS } from '../../src/redact/formats/list.ts';
import { maskText } from '../../src/redact/text.ts';
import { random } from '../support/builders/random.ts';

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

test.run();
