import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KeptLog } from '../../../src/contract/log.ts';
import { boundLog, KEPT_LOG_BYTES, lastLines } from '../../../src/mirrors/policy/kept-log.ts';

const KIB = 1024;
/** Numbered lines of 16 bytes. */
const lines = (bytes: number): string =>
  Array.from({ length: bytes / 16 }, (_, index) => `line ${String(index).padStart(10, '0')}\n`).join('');
const aLog = (...containers: [current: string | null, previous: string | null][]): KeptLog => ({
  container: 'c0',
  containers: containers.map(([current, previous], index) => ({ name: `c${index}`, current, previous })),
});
const sizes = ({ containers }: KeptLog): (number | null)[] =>
  containers.flatMap(({ current, previous }) => [current, previous]).map((text) => (text === null ? null : Buffer.byteLength(text)));
const isAbout = (size: number | null | undefined, bytes: number): boolean => (size ?? 0) <= bytes && (size ?? 0) > bytes - 128;

const test = suite('what is kept of the log of a mirror');

test('a short log is kept completely, and a missing one stays null', () => {
  const log = aLog(['ready\n', 'it died\n'], ['', null], [null, null]);
  assert.equal(boundLog(log), log);
});

test('a long run keeps its end, from the beginning of a line, with a mark', () => {
  const current = boundLog(aLog([lines(1024 * KIB), null])).containers[0]?.current ?? '';
  assert.ok(isAbout(Buffer.byteLength(current), KEPT_LOG_BYTES));
  assert.match(current, /^\[\d+ earlier bytes were cut\]\nline \d{10}\n/);
  assert.match(current, /line 0000065535\n$/);
});

test('runs share the room, and short ones leave theirs to long ones', () => {
  const [long, short, other] = sizes(boundLog(aLog([lines(1024 * KIB), lines(4 * KIB)], [lines(1024 * KIB), null]))).filter(
    (size) => size !== null,
  );
  assert.is(short, 4 * KIB);
  assert.ok(isAbout(long, 30 * KIB) && isAbout(other, 30 * KIB), `${long} and ${other}`);
});

test('many containers together stay within the bound', () => {
  const all = sizes(boundLog(aLog(...Array.from({ length: 100 }, () => [lines(64 * KIB), lines(64 * KIB)] as [string, string]))));
  assert.ok(all.reduce<number>((sum, size) => sum + (size ?? 0), 0) <= KEPT_LOG_BYTES);
});

test('a secret is masked before the cut could halve it', () => {
  const text = `${'x'.repeat(10)} API_TOKEN=hunter2secret\n`.repeat(8_000);
  assert.not.match(boundLog(aLog([text, null])).containers[0]?.current ?? '', /hunter2|secret/);
});

test('a line without a line break keeps its end', () => {
  assert.match(boundLog(aLog([`${'a '.repeat(100_000)}the end`, null])).containers[0]?.current ?? '', /a the end$/);
});

for (const [text, count, expected] of [
  ['a\nb\nc\n', 2, 'b\nc\n'],
  ['a\nb\nc', 2, 'b\nc'],
  ['a\nb\n', 2, 'a\nb\n'],
  ['', 1, ''],
  ['a\n\n', 1, '\n'],
] as const)
  test(`the last ${count} lines of ${JSON.stringify(text)}`, () => assert.is(lastLines(text, count), expected));

test.run();
