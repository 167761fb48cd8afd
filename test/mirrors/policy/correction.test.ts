import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PreviewCorrection } from '../../../src/contract/mirror.ts';
import { correctionOf, nextCorrection, type PastTrial, refutedLast } from '../../../src/mirrors/policy/correction.ts';

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

const shown = suite('a correction as the status of a mirror shows it');

for (const [is_fallback, origin] of [
  [true, 'Rules'],
  [false, 'Model'],
  [undefined, 'Rules'],
] as const)
  shown(`is of origin ${origin} if is_fallback is ${is_fallback}`, () =>
    assert.is(correctionOf({ ...candidate('web:2'), is_fallback } as PreviewCorrection).origin, origin),
  );

shown('has its explanation and its changes, without absent values', () =>
  assert.equal(correctionOf({ ...candidate('web:2'), changes: [change('web:2'), { ...change('web:2'), from: null }, change(null)] }), {
    origin: 'Rules',
    explanation: 'Perhaps.',
    changes: [
      { path: 'spec.containers[0].image', from: 'web:9', to: 'web:2', why: 'because' },
      { path: 'spec.containers[0].image', to: 'web:2', why: 'because' },
      { path: 'spec.containers[0].image', from: 'web:9', why: 'because' },
    ],
  }),
);

shown('keeps to the bounds of the CRD', () => {
  const long = { ...change('web:2'), path: 'p'.repeat(1_000), why: 'w'.repeat(2_000) };
  const { explanation, changes } = correctionOf({
    ...candidate('web:2'),
    explanation: 'e'.repeat(20_000),
    changes: Array.from({ length: 200 }, () => long),
  });
  assert.equal([explanation?.length, changes?.length, changes?.[0]?.path.length, changes?.[0]?.why.length], [16_384, 64, 512, 1_024]);
});

shown.run();
