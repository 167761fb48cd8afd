import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { maskText } from '../../src/redact/text.ts';
import { random } from '../support/builders/random.ts';
import { STRANGERS } from '../support/builders/strangers.ts';

// Formats whose author did not see the table of formats. After the name of a variable, nine of ten must be masked.

const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const UPPER = LOWER.toUpperCase();
const DIGITS = '0123456789';
const ALPHABETS: Record<string, string> = {
  a: LOWER + UPPER + DIGITS,
  l: LOWER + DIGITS,
  u: UPPER + DIGITS,
  U: UPPER,
  h: `${DIGITS}abcdef`,
  H: `${DIGITS}ABCDEF`,
  d: DIGITS,
  b: `${LOWER}${UPPER}${DIGITS}-_`,
  B: `${LOWER}${UPPER}${DIGITS}+/`,
};
const { pick } = random(42);
const letters = (count: number, alphabet: string): string => Array.from({ length: count }, () => pick(alphabet.split(''))).join('');
const uuid = (): string => [8, 4, 4, 4, 12].map((count) => letters(count, `${DIGITS}abcdef`)).join('-');

function made(pieces: readonly string[]): string {
  return pieces
    .map((piece) => {
      if (/^uuid$/i.test(piece)) return piece === 'uuid' ? uuid() : uuid().toUpperCase();
      const alphabet = /^[alubBhHdU]\d+$/.test(piece) ? ALPHABETS[piece.charAt(0)] : undefined;
      return alphabet ? letters(Number(piece.slice(1)), alphabet) : piece;
    })
    .join('');
}

const FORMS: Record<string, (name: string, secret: string) => string> = {
  'a variable': (name, secret) => `${name}=${secret}`,
  'a line of YAML': (name, secret) => `${name}: ${secret}`,
  'a member of JSON': (name, secret) => `{"${name}":"${secret}"}`,
  'a line of a shell': (name, secret) => `export ${name}="${secret}"`,
  'an option': (name, secret) => `--${name.toLowerCase().replaceAll('_', '-')}=${secret}`,
};

/** The vendors whose secret, or its longest run of letters and digits, can still be read. */
function missed(form: (name: string, secret: string) => string): string[] {
  return STRANGERS.flatMap(([vendor, name, ...pieces]) => {
    const secret = made(pieces);
    const longest = secret.split(/[^A-Za-z0-9]/).toSorted((a, b) => b.length - a.length)[0] ?? secret;
    return maskText(form(name, secret)).includes(longest) ? [vendor] : [];
  });
}

const test = suite('formats by somebody else');
for (const [what, form] of Object.entries(FORMS)) {
  test(`behind the name of ${what} at least nine of ten are masked`, () => {
    const left = missed(form);
    assert.ok(left.length <= STRANGERS.length / 10, left.join(', '));
  });
}
test('without a name, those that have a form of their own are masked', () => {
  const left = missed((_name, secret) => `the request with ${secret} was refused`);
  console.log(`bare: ${STRANGERS.length - left.length} of ${STRANGERS.length} are masked`);
  assert.ok(left.length <= STRANGERS.length * 0.6, left.join(', '));
});
test.run();
