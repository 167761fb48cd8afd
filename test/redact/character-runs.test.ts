import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ALPHABETS, type Alphabet } from '../../src/redact/formats/format.ts';
import { runsOf } from '../../src/redact/character-runs.ts';
import { countKinds } from '../../src/redact/harmless-values.ts';
import { STRANGE } from '../support/load/logs.ts';

// A token may seem to begin at every character of a run. The work for each character must not grow with the length of the run.

const LENGTH = 3_000;
const WINDOW = 80;
const alphabets = Object.keys(ALPHABETS) as Alphabet[];

/** A text that counts how often its characters are read. */
function counting(text: string): { text: string; reads(): number } {
  let reads = 0;
  const read = { length: text.length, charCodeAt: (index: number) => (reads++, text.charCodeAt(index)) };
  return { text: read as unknown as string, reads: () => reads };
}

const runs = suite('runs of characters');
for (const [what, part] of Object.entries(STRANGE)) {
  const whole = part.repeat(Math.ceil(LENGTH / part.length)).slice(0, LENGTH);
  runs(`${what}: the end of a run is asked at each character, and each is read once or twice for an alphabet`, () => {
    for (const alphabet of alphabets) {
      const { text, reads } = counting(whole);
      const known = runsOf(text);
      for (let from = 0; from < LENGTH; from++) known.end(from, alphabet, LENGTH);
      assert.ok(reads() <= 2 * LENGTH, `${alphabet}: ${reads()} reads of ${LENGTH} characters`);
    }
  });
  runs(`${what}: a window is counted at each character, and each is read a few times`, () => {
    const { text, reads } = counting(whole);
    const known = runsOf(text);
    for (let from = 0; from < LENGTH; from++) known.counts(from, Math.min(LENGTH, from + WINDOW));
    assert.ok(reads() <= 3 * LENGTH, `${reads()} reads of ${LENGTH} characters`);
  });
  runs(`${what}: runs and windows are what a plain look finds`, () => {
    const short = whole.slice(0, 1500);
    const known = runsOf(short);
    for (let from = 0; from < short.length; from++) {
      const to = Math.min(short.length, from + WINDOW);
      assert.equal(known.counts(from, to), countKinds(short, from, to));
      assert.is(known.end(from, 'base62', to), from + (/^[A-Za-z0-9]*/.exec(short.slice(from, to))?.[0].length ?? 0));
    }
  });
}
runs.run();
