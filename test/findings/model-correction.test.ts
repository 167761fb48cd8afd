import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Finding, FindingFix } from '../../src/contract/finding.ts';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { findingCorrections } from '../../src/findings/model-correction.ts';
import type { AskTopic, Topic } from '../../src/models/ask-topic.ts';
import type { CachedQuestion } from '../../src/models/policy/question.ts';

const deployment = (...containers: object[]) =>
  ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop' },
    spec: { template: { spec: { containers, serviceAccountName: 'robot' } } },
  }) as unknown as KubeObject;
const APP = { name: 'app', image: 'web:1' };
const aFinding = (over: Partial<Finding> = {}): Finding => ({
  ...{ id: 7, cluster: 'here', resource_type: 'Deployment', resource_name: 'web', namespace: 'shop', check_name: 'privileged' },
  ...{ source: 'podmend', severity: 'high', message: 'app is privileged', remediation: 'Set privileged\nto false.' },
  ...{
    details: { container: 'app' },
    status: 'open',
    first_seen: '',
    last_seen: '',
    timestamp: '',
    resolved_at: null,
    suppressed_by: null,
  },
  ...over,
});

interface Asked extends Pick<CachedQuestion<unknown>, 'system' | 'user' | 'schema' | 'maxTokens' | 'read'> {
  fingerprint: string;
  names: readonly string[];
  data: { finding: Record<string, unknown>; spec: { containers: { name: string }[] } | null; proposed: unknown[] };
}

/** The question about the finding, and the fix that follows from `answer`; without an answer the model is away. */
async function asked(
  finding: Finding,
  live: KubeObject | null,
  answer?: object,
  model = ['anthropic', 'm'],
): Promise<Asked & { fix: FindingFix }> {
  let heard: Asked | undefined;
  const askTopic = (async (topic: Topic<unknown>) => {
    const pseudonyms = { hide: (text: string) => text, restore: (text: string) => text };
    const question = topic.question(pseudonyms, model);
    const [, json = ''] = /<untrusted_cluster_data>\n(.*)\n<\/untrusted/s.exec(question.user) ?? [];
    heard = { ...question, fingerprint: String(question.fingerprint), names: topic.names, data: JSON.parse(json) };
    return answer && { answer, restore: (text: string) => text.replaceAll('name_0', 'app') };
  }) as AskTopic;
  const fix = await findingCorrections({ askTopic })(finding, live);
  return { ...heard!, fix };
}

test('the question has the finding, the spec and the scanner’s proposal, and hides their names', async () => {
  const own = { path: 'spec.template.spec.containers[0].image', from: 'old', to: 'web:2', why: 'It is\nold.' };
  const { data, names } = await asked(aFinding({ details: { container: 'app', note: 'n', fix: [own] } }), deployment(APP));
  assert.equal(data, {
    finding: {
      ...{ check: 'privileged', severity: 'high', on: { kind: 'Deployment', name: 'web', in_namespace: 'shop' } },
      ...{ message: 'app is privileged', remediation: 'Set privileged to false.', details: { container: 'app', note: 'n' } },
    },
    spec: { containers: [APP], serviceAccountName: 'robot' },
    proposed: [{ path: 'containers[app].image', from: 'web:1', to: 'web:2', why: 'It is old.' }],
  });
  assert.equal(names, ['web', 'shop', 'robot']);
});

test('of an object that is too large, only the container of the finding is shown', async () => {
  const large = { name: 'large', args: ['x'.repeat(24_000)] };
  const { data } = await asked(aFinding(), deployment(large, APP));
  assert.equal(data.spec, { containers: [APP] });
  const other = await asked(aFinding({ details: { container: 'none', container_name: 'app' } }), deployment(large, APP));
  assert.equal(other.data.spec?.containers, []);
});

test('without the object, neither a spec nor a proposal is shown', async () => {
  const fix = [{ path: 'spec.hostNetwork', to: false }];
  const { data } = await asked(aFinding({ details: { fix } }), null);
  assert.equal([data.spec, data.proposed], [null, []]);
});

test('details are shown as long as they fit, and texts are cut', async () => {
  // With its key and quotes, `a` takes 2,003 characters and `b` 1,993 of 4,000.
  for (const [c, shown] of [
    ['z', ['a', 'b', 'c']],
    ['zz', ['a', 'b']],
  ] as const) {
    const details = { a: 'x'.repeat(2_000), b: 'y'.repeat(1_990), c };
    const { data } = await asked(aFinding({ message: 'm'.repeat(5_000), details }), null);
    assert.equal(Object.keys(data.finding['details'] as object), shown);
    assert.is(String(data.finding['message']).length, 4_000);
  }
});

test('another model, another finding or another object is another question', async () => {
  const { fingerprint } = await asked(aFinding(), deployment(APP));
  assert.is((await asked(aFinding(), deployment(APP))).fingerprint, fingerprint);
  assert.is((await asked(aFinding({ id: 8 }), deployment(APP))).fingerprint, fingerprint, 'its id is not part of the question');
  for (const [finding, live, model] of [
    [aFinding(), deployment(APP), ['anthropic', 'n']],
    [aFinding({ severity: 'low' }), deployment(APP), undefined],
    [aFinding(), deployment({ ...APP, image: 'web:2' }), undefined],
  ] as const)
    assert.is.not((await asked(finding, live, undefined, model && [...model])).fingerprint, fingerprint);
});

test('an answer has an explanation and changes, and nothing else', async () => {
  const { read, schema, maxTokens, system, user } = await asked(aFinding(), null);
  assert.equal('answer' in read({ explanation: 'x', changes: [] }), true);
  for (const wrong of [{ explanation: 'x' }, { changes: [] }, { explanation: '', changes: [] }, { explanation: 'x', changes: [], more: 1 }])
    assert.ok('wrong' in read(wrong), JSON.stringify(wrong));
  const { required, properties, additionalProperties } = schema as {
    required: string[];
    properties: object;
    additionalProperties: boolean;
  };
  assert.equal([required, Object.keys(properties), additionalProperties], [['explanation', 'changes'], ['explanation', 'changes'], false]);
  assert.ok(maxTokens >= 4_096, 'long enough for models that think');
  assert.match(system, 'never an instruction');
  assert.match(user, 'What is the risk, and which change mends it?');
});

const STRICT = { path: 'containers[name_0].securityContext.privileged', to: false, why: 'No need.' };
const PRIVILEGED = deployment({ ...APP, securityContext: { privileged: true } });
const LEFT_OUT = 'It may leave app.\n\nThe model also proposed changes that it may not make; they are left out.';
const explanation = 'It may leave name_0.';
const OWN = [{ path: 'spec.template.spec.hostNetwork', to: false, why: 'Own network.' }];
const answers: [says: string, given: Parameters<typeof asked>, patched: string[], explained: string, isFallback: boolean][] = [
  ['no model', [aFinding(), PRIVILEGED], [], 'Set privileged\nto false.', true],
  ['an explanation alone', [aFinding(), PRIVILEGED, { explanation, changes: [] }], [], 'It may leave app.', false],
  [
    'a change that makes it stricter',
    [aFinding(), PRIVILEGED, { explanation, changes: [STRICT] }],
    ['spec.template.spec.containers[0].securityContext.privileged'],
    'It may leave app.\n\n- `spec.template.spec.containers[0].securityContext.privileged`: No need.',
    false,
  ],
  [
    'a change that loosens',
    [aFinding(), PRIVILEGED, { explanation, changes: [{ ...STRICT, path: 'hostNetwork', to: true }] }],
    [],
    LEFT_OUT,
    false,
  ],
  ['a change of what nobody may read', [aFinding(), null, { explanation, changes: [STRICT] }], [], LEFT_OUT, false],
  [
    'a change beside the scanner’s own',
    [aFinding({ details: { fix: OWN } }), PRIVILEGED, { explanation, changes: [STRICT] }],
    ['spec.template.spec.hostNetwork'],
    'It may leave app.\n\n- `spec.template.spec.hostNetwork`: Own network.',
    false,
  ],
  [
    'an explanation of which nothing may be shown',
    [aFinding(), PRIVILEGED, { explanation: '<b></b>', changes: [STRICT] }],
    [],
    'Set privileged\nto false.',
    true,
  ],
];
for (const [says, given, patched, explained, isFallback] of answers)
  test(`the answer: ${says}`, async () => {
    const { fix } = await asked(...given);
    assert.equal([fix.patch.map(({ path }) => path), fix.explanation, fix.is_fallback], [patched, explained, isFallback]);
  });

test.run();
