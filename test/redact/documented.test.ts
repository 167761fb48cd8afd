import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { maskText } from '../../src/redact/text.ts';
import { BARE, FRAMES, HARMLESS, NAMED, SHAPED } from '../support/builders/documented-secrets.ts';
import { random } from '../support/builders/random.ts';

// Formats from the issuers' documentation. They were written down before the mask was changed for any of them.

const { pick } = random(42);

/** The characters of a class such as `A-Za-z_`. */
function characters(shown: string): string[] {
  return shown.replace(/(.)-(.)/g, (_, first: string, last: string) => between(first, last)).split('');
}

function between(first: string, last: string): string {
  const [from, to] = [first.charCodeAt(0), last.charCodeAt(0)];
  return String.fromCharCode(...Array.from({ length: to - from + 1 }, (_, index) => from + index));
}

function made(pattern: string): string {
  return pattern.replace(/\[([^\]]+)\](?:\{(\d+)\})?/g, (_, shown: string, count = '1') =>
    Array.from({ length: Number(count) }, () => pick(characters(shown))).join(''),
  );
}

/** A text with a random secret in it. */
function planted(text: string): [text: string, secret: string] {
  const [before = '', pattern = '', after = ''] = text.split(/[«»]/);
  const secret = made(pattern);
  return [before + secret + after, secret];
}

/** The texts that still show the last part of the secret. */
function seen(planted: [text: string, secret: string][]): string[] {
  return planted.flatMap(([text, secret]) => {
    const end = secret.replace(/[=!]+$/, '').slice(-8);
    return maskText(text).includes(end) ? [text] : [];
  });
}

const documented = suite('documented formats');
const SETS: Record<string, [string, string][]> = {
  'behind a name': NAMED.map(planted),
  'in connection strings, files and sentences': SHAPED.map(planted),
  bare: BARE.map((pattern, index) => {
    const secret = made(pattern);
    return [(FRAMES[index % FRAMES.length] ?? 'X').replace('X', () => secret), secret];
  }),
};
for (const [what, set] of Object.entries(SETS))
  documented(`${what}: all are masked`, () => {
    assert.ok(set.length > 30);
    assert.equal(seen(set), []);
  });
documented('what only sounds like a secret stays', () => {
  assert.ok(HARMLESS.length > 90);
  for (const line of HARMLESS) assert.is(maskText(line), line);
});
documented.run();
