import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ALL } from './cases/all.ts';
import { SHORT_TTL_SECONDS, shortForm, SPARE_SECONDS } from './select-cases.ts';
import { runOnSandbox } from './on-sandbox.ts';
import { type CaseResult, score } from './score.ts';

/** Every case on the sandbox, with a stepped clock. `ONE=part-of-a-name` runs the cases with that name and prints their verdicts. */
const test = suite('verdict corpus on the sandbox');
const wanted = process.env['ONE'] ?? '';

test('no last verdict is false, and every mirror ends', async () => {
  const results: CaseResult[] = [];
  for (const one of ALL.filter(({ name, on }) => on !== 'node' && name.includes(wanted))) results.push(await runOnSandbox(one));
  const { lines, falseFixed, falseStillFailing, inconclusive, withoutEnd } = score(results);
  console.log(lines.join('\n'));
  if (wanted) console.log(JSON.stringify(results, undefined, 1));
  assert.equal(falseFixed, [], 'false Fixed');
  assert.equal(falseStillFailing, [], 'false StillFailing');
  assert.equal(inconclusive, [], 'Inconclusive, though the truth can be seen');
  assert.equal(withoutEnd, [], 'without an end');
});

test('each case of the short form shows its truth with time to spare', async () => {
  const late: string[] = [];
  for (const one of shortForm().filter(({ on }) => on !== 'node')) {
    const ttlSeconds = Math.min(one.ttlSeconds ?? Infinity, SHORT_TTL_SECONDS - SPARE_SECONDS);
    const { last } = await runOnSandbox({ ...one, ttlSeconds });
    if (last !== one.truth) late.push(`${one.name}: ${last}`);
  }
  assert.equal(late, []);
});

test.run();
