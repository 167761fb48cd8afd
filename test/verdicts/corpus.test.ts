import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ALL } from './cases/all.ts';
import { runOnSandbox } from './on-sandbox.ts';
import { type CaseResult, score } from './score.ts';

/** Every case on the sandbox, in a stepped clock: `ONE=part-of-a-name` runs the cases with that name and tells their verdicts. */
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

test.run();
