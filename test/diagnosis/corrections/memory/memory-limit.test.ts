import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Surroundings } from '../../../../src/diagnosis/case.ts';
import { memoryNeed } from '../../../../src/diagnosis/corrections/memory/memory-limit.ts';
import { sparkMemory } from '../../../../src/diagnosis/corrections/memory/spark-memory.ts';
import { anInput, type CaseParts } from '../../../support/builders/cases.ts';
import { correctionRows, env, inWords, likely } from '../../../support/builders/corrections.ts';

const test = suite('how much memory a container needs');
const rows = correctionRows(test);

const MI = 2 ** 20;
interface Killed {
  seconds?: number;
  container?: object;
  surroundings?: Surroundings;
  trials?: object[];
  reason?: string;
}
/** The need of a container that was killed at a limit of so many Mi, in Mi. */
function need(limit: number, { seconds, container = {}, surroundings, trials, reason = 'OOMKilled' }: Killed): [number, string] {
  const START = Date.UTC(2026, 0, 1);
  const times =
    seconds === undefined ? {} : { started_at: new Date(START).toISOString(), finished_at: new Date(START + seconds * 1000).toISOString() };
  const last_state = { state: 'terminated', reason, exit_code: 137, ...times };
  const parts = { status: { state: 'waiting', last_state }, ...(surroundings ? { surroundings } : {}) } as CaseParts;
  const input = anInput(container, {}, parts);
  const subject = { ...input.subject, ...(trials ? { trials } : {}) } as typeof input.subject;
  const { bytes, why } = memoryNeed({ ...input, subject }, input.place()!, limit * MI, 'because');
  return [bytes / MI, why];
}

for (const [seconds, factor, why] of [
  [0, 4, 'it was killed within 2 s of its start at this limit, therefore four times the limit'],
  [2.4, 4, 'it was killed within 2 s of its start at this limit, therefore four times the limit'],
  [2.5, 3, 'it was killed after 3 s at this limit, therefore three times the limit'],
  [59, 3, 'it was killed after 59 s at this limit, therefore three times the limit'],
  [60, 2, 'it was killed after 60 s at this limit, therefore twice the limit'],
  [119, 2, 'it was killed after 119 s at this limit, therefore twice the limit'],
  [120, 2, 'it was killed after 2 min at this limit, therefore twice the limit'],
  [3599, 2, 'it was killed after 60 min at this limit, therefore twice the limit'],
  [3600, 1.5, 'it was killed after 60 min at this limit, therefore half as much again'],
  [7199, 1.5, 'it was killed after 120 min at this limit, therefore half as much again'],
  [7200, 1.5, 'it was killed after 2 h at this limit, therefore half as much again'],
] as const)
  test(`killed after ${seconds} s`, () => assert.equal(need(100, { seconds }), [100 * factor, why]));

const UNKNOWN = 'it was killed within 2 s of its start at this limit, so nothing tells how much it needs; most programs start with 256Mi';
test('a limit that was soon too small', () => {
  assert.equal(need(63, { seconds: 1 }), [256, UNKNOWN]);
  assert.is(need(64, { seconds: 1 })[1], 'it was killed within 2 s of its start at this limit, therefore four times the limit');
});
test('a limit of which nothing is known', () => {
  assert.equal(need(100, {}), [200, 'because']);
  assert.equal(need(100, { seconds: 1, reason: 'Error' }), [200, 'because'], 'a run that ended otherwise says nothing');
  assert.equal(need(31, {}), [64, 'because; less than 64Mi is little for any program']);
  assert.equal(need(32, {}), [64, 'because']);
});

test('a heap', () => {
  const java = (heap: string) => ({ container: env({ JAVA_OPTS: heap }) });
  assert.equal(need(100, { seconds: 1, ...java('-Xmx128m') })[0], 384, 'that needs more than the limit counts alone');
  assert.equal(need(296, { seconds: 1, ...java('-Xmx40m') })[0], 1184, 'that needs as much as the limit explains nothing');
  assert.equal(need(295, { seconds: 1, ...java('-Xmx40m') })[0], 320, 'is rounded up to 32Mi');
});

const revision = (memory: string | undefined, more: object = {}, name = 'app', list = 'containers'): Killed => ({
  surroundings: {
    revisions: { before: 4, serving: 0, previous: { [list]: [{ name, resources: { limits: { memory } } }] }, ...more } as never,
  },
});
test('the previous revision', () => {
  assert.equal(need(100, revision('500Mi')), [500, 'revision 4 had `500Mi`']);
  assert.equal(need(100, revision('500Mi', { serving: 1 })), [500, 'revision 4 has `500Mi` and works']);
  assert.equal(need(100, revision('500Mi', {}, 'app', 'initContainers'))[0], 500);
  assert.equal(need(100, revision('50Mi')), [300, 'the limit was already raised from `50Mi`, therefore three times the limit']);
  assert.equal(need(100, revision('100Mi')), [200, 'because'], 'with the same limit');
  assert.equal(need(100, revision('150Mi')), [200, 'because'], 'with less than it needs');
  assert.equal(need(100, revision('500Mi', {}, 'side')), [200, 'because'], 'of another container');
  assert.equal(need(100, revision(undefined)), [200, 'because'], 'without a limit');
});

const trial = (to: unknown, more: object = {}, path = 'spec.containers[0].resources.limits.memory') => ({
  verdict: 'StillFailing',
  reason_after: 'OOMKilled',
  changes: [{ path, from: null, to, why: '' }],
  ...more,
});
test('mirrors', () => {
  const tried = (...trials: object[]) => need(100, { trials });
  assert.equal(tried(trial('200Mi'), trial('150Mi')), [800, 'a mirror with `200Mi` was killed too, therefore four times that']);
  assert.equal(tried(trial('200Mi', {}, 'spec.template.spec.containers[0].resources.limits.memory'))[0], 800, 'of a workload');
  for (const [sentence, one] of [
    ['that were fixed', trial('200Mi', { verdict: 'Fixed' })],
    ['that failed otherwise', trial('200Mi', { reason_after: 'Error' })],
    ['with another change', trial('200Mi', {}, 'spec.containers[1].resources.limits.memory')],
    ['with less', trial('50Mi')],
    ['with as much', trial('100Mi')],
    ['with no limit', trial(null)],
    ['with no quantity', trial('x')],
  ] as const)
    assert.equal(tried(one), [200, 'because'], sentence);
});

test('what a setting lets it keep', () => {
  const with_ = (all: Record<string, string>) => need(40, { container: env(all) });
  assert.equal(with_({ CACHE_MB: '90' }), [160, '`CACHE_MB` lets it keep `90Mi` in memory']);
  assert.equal(with_({ BUFFER_POOL: '1G' })[0], 80, 'more than sixteen times the limit');
  assert.equal(with_({ BUFFER_POOL: '100Mi' })[0], 160);
  for (const all of [{ CACHE_MB: '20' }, { CACHE: '90' }, { DISK_CACHE_MB: '90' }, { BATCH_MB: '90' }, { CACHE_MB: 'all' }])
    assert.is(with_(all as Record<string, string>)[0], 80, JSON.stringify(all));
});

test('what it uses now', () => {
  const uses = (memory: string, pod = 'web', container = 'app') => need(100, { surroundings: { memoryUse: [{ pod, container, memory }] } });
  assert.equal(uses('200Mi'), [320, 'it uses `200Mi` now, and at its peak perhaps half as much again']);
  for (const [sentence, found] of [
    ['little', uses('120Mi')],
    ['another container', uses('200Mi', 'web', 'side')],
    ['another pod', uses('200Mi', 'other')],
    ['no quantity', uses('x')],
  ] as const)
    assert.equal(sentence === 'little' ? found[0] : found, sentence === 'little' ? 200 : [200, 'because'], sentence);
});

const spark = (container: object, whose = 'driver') => sparkMemory(anInput(container), whose);
rows('the memory of Spark', {
  'in an option': [spark({ args: ['x', '--driver-memory=256m'] }), likely({ 'args[1]': '--driver-memory=1g' })],
  'in an option with its value as a word': [spark({ args: ['--driver-memory', '256m'] }), likely({ 'args[1]': '1g' })],
  'in a variable': [spark(env({ A: 'x', SPARK_DRIVER_MEMORY: '256m' })), likely({ 'env[1].value': '1g' })],
  'of an executor': [
    spark({ args: ['--executor-memory=1m', '--driver-memory=2m'] }, 'executor'),
    likely({ 'args[0]': '--executor-memory=1g' }),
  ],
  'in a setting': [spark({ args: ['--conf', 'spark.driver.memory=256m'] }), likely({ 'args[1]': 'spark.driver.memory=1g' })],
  'in a setting in one word': [
    spark({ args: ['--conf=spark.driver.memory=256m'] }),
    likely({ 'args[0]': '--conf=spark.driver.memory=1g' }),
  ],
  'in a setting beside others': [
    spark({ args: ['--conf', 'spark.app.name=x', '--conf', 'spark.driver.memory=256m'] }),
    likely({ 'args[3]': 'spark.driver.memory=1g' }),
  ],
  'in an option before a setting': [
    spark({ args: ['--conf', 'spark.driver.memory=2m', '--driver-memory=1m'] }),
    likely({ 'args[2]': '--driver-memory=1g' }),
  ],
  'in another option': [spark({ args: ['--note', 'spark.driver.memory=2m'] }), []],
  'of another part': [spark({ args: ['--conf', 'spark.executor.memory=2m', '--executor-memory=1m'] }), []],
  'that comes from a variable': [spark({ args: ['--driver-memory=$(MEMORY)'] }), []],
  'without a manifest': [sparkMemory(anInput({}, {}, { manifest: 'x' }), 'driver'), []],
});
test('the memory of Spark, in words', () => {
  const option = spark({ args: ['--driver-memory=256m'] });
  assert.is(option?.name, '--driver-memory=256m');
  assert.equal(inWords(option?.correction), [
    'Set `--driver-memory` to `1g`',
    'Spark takes 1g where nobody says otherwise. The limit must allow it.',
    '256m is less than Spark starts with',
  ]);
  const setting = spark({ args: ['--conf', 'spark.driver.memory=256m'] });
  assert.is(setting?.name, 'spark.driver.memory=256m');
  assert.equal(
    [setting?.correction.title, setting?.correction.changes[0]?.why],
    ['Set `--conf` to `spark.driver.memory=1g`', '256m is less than Spark starts with'],
  );
});

test.run();
