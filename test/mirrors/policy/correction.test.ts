import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PreviewCorrection } from '../../../src/contract/mirror.ts';
import { nextCorrection, type PastTrial, refutedLast } from '../../../src/mirrors/policy/correction.ts';

const tried = suite('what mirrors have refuted');

const change = (to: unknown) => ({ path: 'spec.containers[0].image', from: 'web:9', to, why: 'because' });
const candidate = (to: unknown, mirrorable = true): PreviewCorrection => ({
  title: String(to),
  owner_patch: null,
  fixed_manifest: '',
  explanation: 'Perhaps.',
  changes: [change(to)],
  diff: '',
  confidence: 'guess',
  is_fallback: true,
  mirrorable,
});
const trial = (to: unknown, verdict: string | null = 'StillFailing', reason_after: string | null = 'ImagePullBackOff'): PastTrial => ({
  verdict,
  reason_after,
  changes: [{ ...change(to), why: 'another reason' }],
});
const known = [candidate('web:1', false), candidate('web:2'), candidate('web:3')];
const order = (trials: PastTrial[]) => refutedLast(known, trials).map(({ title }) => title);

tried('goes last and says so; the others keep their order', () => {
  assert.equal(order([trial('web:2')]), ['web:1', 'web:3', 'web:2']);
  const last = refutedLast(known, [trial('web:2')]).at(-1);
  assert.is(last?.explanation, 'A mirror has tried this and was still failing (ImagePullBackOff). Perhaps.');
});

for (const verdict of ['Fixed', 'Inconclusive', null])
  tried(`a verdict ${verdict} refutes nothing`, () => assert.equal(order([trial('web:2', verdict)]), ['web:1', 'web:2', 'web:3']));

tried('the next one is the best that a mirror may run and no mirror has refuted', () => {
  const next = (...trials: PastTrial[]) => nextCorrection(known, trials)?.title;
  assert.equal([next(), next(trial('web:2')), next(trial('web:2'), trial('web:3'))], ['web:2', 'web:3', undefined]);
});

tried('a field that goes away is kept without its null', () => {
  const { to: _, ...removed } = change(null);
  const gone = candidate(null);
  assert.is(nextCorrection([gone], [{ ...trial(null), changes: [removed as ReturnType<typeof change>] }]), undefined);
});

tried('the same new value in place of another old value is another correction', () => {
  const other = { ...trial('web:2'), changes: [{ ...change('web:2'), from: 'web:8' }] };
  assert.equal(order([other]), ['web:1', 'web:2', 'web:3']);
});

tried.run();
