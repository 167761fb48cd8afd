import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { adviser, type AdviceDeps } from '../../src/advice/advise.ts';
import { explanations } from '../../src/advice/explanations.ts';
import { ADVICE_KINDS, inventories } from '../../src/advice/read-objects.ts';
import { DETECTORS } from '../../src/advice/detectors/list.ts';
import { trustBundlesOf } from '../../src/advice/detectors/cluster-view.ts';
import type { AdvicePass } from '../../src/db/advice.ts';
import type { Kind } from '../../src/kube/kinds.ts';
import { KindNotServed, KubeError } from '../../src/kube/errors.ts';

// One pass over a namespace with objects from memory. loop.test.ts has the whole loop on a cluster and a database.

// oxlint-disable-next-line typescript/no-explicit-any
type Loose = any;

const advising = suite('one pass of advice');
const NOW = new Date('2026-05-02T12:00:00Z');
const labels = { app: 'web' };
const container = { name: 'app', image: 'web:1' };
const cronJob = {
  metadata: { name: 'nightly', namespace: 'shop' },
  spec: { schedule: '0 3 * * *', jobTemplate: { spec: { template: { spec: { containers: [container] } } } } },
};
const bare = {
  metadata: { name: 'lone', namespace: 'shop', labels, creationTimestamp: '2026-05-01T00:00:00Z' },
  spec: { containers: [container] },
  status: { phase: 'Running' },
};

interface World {
  objects?: Record<string, Loose[]>;
  errors?: Record<string, Error>;
  over?: Partial<AdviceDeps>;
  /** Changes of what is stored, before they are sent. */
  stored?: (one: Loose) => Loose;
}
function world({ objects = {}, errors = {}, over = {}, stored = (one) => one }: World) {
  const passes: AdvicePass[] = [];
  const sent: Loose[] = [];
  const set: Loose[] = [];
  const asked: string[] = [];
  const noted: Loose[] = [];
  const logged: Loose[] = [];
  const page = (kind: Kind, selection: Loose, { limit }: Loose) => {
    asked.push(`${kind.kind} ${JSON.stringify(selection)} ${limit}`);
    const error = errors[kind.kind];
    return error ? Promise.reject(error) : Promise.resolve({ items: objects[kind.kind] ?? [], resourceVersion: '1' });
  };
  const deps = {
    client: { page },
    advice: {
      store: (pass: AdvicePass) => {
        passes.push(pass);
        return Promise.resolve(
          pass.rows.map((row, index) => stored({ ...row, id: `${index}`, namespace: pass.namespace, status: 'open' })),
        );
      },
    },
    adviceSuppressions: { set: (changes: Loose[]) => Promise.resolve(changes.map((one) => set.push(one) && one.id)) },
    failureHistory: {
      noteImages: (images: Loose) => Promise.resolve(noted.push(images)),
      read: () => Promise.resolve({ since: NOW, failures: [], revisions: [] }),
    },
    ...{ cluster: 'test', readSecretNames: false, suppressionOf: () => undefined, now: () => NOW },
    hub: { publish: (message: Loose) => sent.push(message) },
    log: { error: (fields: Loose, text: string) => logged.push([fields.detector, fields.namespace, text]) },
    ...over,
  } as unknown as AdviceDeps;
  return { ...adviser(deps), passes, sent, set, asked, noted, logged };
}
const told = ({ rows }: AdvicePass) =>
  rows.map(({ detector_id, resource_kind, resource_name }) => `${detector_id} ${resource_kind}/${resource_name}`);

advising('every field of a piece of advice is stored and sent', async () => {
  const one = world({ objects: { Pod: [bare] } });
  await one.namespace('shop');
  const [pass] = one.passes;
  assert.equal([pass?.cluster, pass?.namespace, pass?.unreadable], ['test', 'shop', []]);
  const row = {
    detector_id: 'bare-pod',
    severity: 'low',
    category: 'reliability',
    title: 'A pod has no controller',
    summary: 'Pod lone has been running without a controller for more than a day.',
    resource_kind: 'Pod',
    resource_name: 'lone',
    evidence: { days: 1, node: null, restart_policy: 'Always' },
    recommended_change: 'Run it as a Deployment (one replica is enough), or as a Job if it is meant to end.',
    labels,
    images: ['web:1'],
    suppressed_by: null,
  };
  assert.equal(pass?.rows, [row]);
  assert.equal(one.sent, [{ type: 'advice_finding', data: { ...row, id: '0', namespace: 'shop', status: 'open' } }]);
  assert.equal(
    pass?.detectors.toSorted(),
    [...DETECTORS.map(({ id }) => id), 'missing-requests', 'missing-memory-limit', 'mutable-image-tag', 'host-path'].toSorted(),
  );
});

advising('what Suppressions are asked about, before and after it is stored', async () => {
  const asked: Loose[] = [];
  let name: string | undefined = 'quiet';
  const one = world({
    objects: { Pod: [bare], CronJob: [cronJob] },
    over: { suppressionOf: (subject: Loose) => asked.push(subject) && name } as Loose,
    stored: (row) => ((name = undefined), row),
  });
  await one.namespace('shop');
  assert.equal(asked[0], { namespace: 'shop', check: 'bare-pod', severity: 'low', pod_name: 'lone', labels, images: ['web:1'] });
  assert.equal([asked[1].check, asked[1].pod_name], ['job-without-deadline', null]);
  assert.equal(
    one.passes[0]?.rows.map(({ suppressed_by }) => suppressed_by),
    ['quiet', 'quiet'],
  );
  assert.equal(
    one.set.map(({ id, name: now, suppressed_by }) => [id, now, suppressed_by]),
    [
      ['0', null, 'quiet'],
      ['1', null, 'quiet'],
    ],
    'the Suppression went in between',
  );
  assert.equal(one.sent.length, 2);
});

advising('what is hidden or ignored is not sent', async () => {
  const hidden = world({ objects: { Pod: [bare] }, over: { suppressionOf: () => 'quiet' } });
  await hidden.namespace('shop');
  const ignored = world({ objects: { Pod: [bare] }, stored: (row) => ({ ...row, status: 'ignored' }) });
  await ignored.namespace('shop');
  const resolved = world({ objects: { Pod: [bare] }, stored: (row) => ({ ...row, status: 'resolved' }) });
  await resolved.namespace('shop');
  assert.equal([hidden.sent.length, hidden.passes[0]?.rows.length, ignored.sent.length, resolved.sent.length], [0, 1, 0, 1]);
});

advising('a detector that fails is told, keeps its advice, and stops no other one', async () => {
  const one = world({ objects: { Pod: [bare], HorizontalPodAutoscaler: [{ metadata: { name: 'x' }, spec: {} }] } });
  await one.namespace('shop');
  assert.ok(
    one.logged.some(
      ([detector, namespace, text]) => detector === 'autoscaler-without-target' && namespace === 'shop' && text === 'a detector failed',
    ),
  );
  const [pass] = one.passes;
  assert.equal(
    [told(pass!), pass!.detectors.includes('autoscaler-without-target'), pass!.detectors.includes('bare-pod')],
    [['bare-pod Pod/lone'], false, true],
  );
});

advising('a kind that may not be read switches its detectors off; one that is not there is empty', async () => {
  const forbidden = new KubeError(403, 'Forbidden', 'no');
  const one = world({
    objects: { CronJob: [cronJob] },
    errors: { Pod: forbidden, Certificate: new KindNotServed('Certificate'), PodMetrics: new KubeError(503, '', 'away') },
  });
  await one.namespace('shop');
  const [pass] = one.passes;
  assert.equal([pass?.unreadable, told(pass!)], [['Pod', 'PodMetrics'], ['job-without-deadline CronJob/nightly']]);
  assert.equal(
    ['bare-pod', 'memory-near-limit', 'certificate-not-renewed', 'job-without-deadline'].map((id) => pass?.detectors.includes(id)),
    [false, false, true, true],
  );
  const lost = world({ errors: { Deployment: new KubeError(500, '', 'broken') } });
  await lost.namespace('shop').then(
    () => assert.unreachable('a kind of the cluster itself is needed'),
    (error: Error) => assert.match(error.message, 'broken'),
  );
});

advising('nothing is read in the namespaces of the cluster, and their advice is resolved', async () => {
  const one = world({ objects: { Pod: [bare] } });
  for (const namespace of ['kube-system', 'kube-public']) await one.namespace(namespace);
  assert.equal(
    [one.asked, one.passes.map(({ rows, detectors }) => [rows.length, detectors.length > 30])],
    [
      [],
      [
        [0, true],
        [0, true],
      ],
    ],
  );
  await one.namespace('my-kube-tools');
  assert.ok(one.asked.length > 0);
});

advising('images are noted for what lasts, and as watched from the second pass on', async () => {
  const job = { metadata: { name: 'import', namespace: 'shop' }, spec: { template: { spec: { containers: [container] } } } };
  const one = world({ objects: { CronJob: [cronJob], Job: [job] } });
  await one.namespace('shop');
  await one.namespace('shop');
  assert.equal(one.noted, [
    { cluster: 'test', namespace: 'shop', workloads: [{ kind: 'CronJob', name: 'nightly', images: ['web:1'] }], isWatched: false },
    { cluster: 'test', namespace: 'shop', workloads: [{ kind: 'CronJob', name: 'nightly', images: ['web:1'] }], isWatched: true },
  ]);
});

advising('how each kind is read', async () => {
  const one = world({ over: { readSecretNames: true } });
  await one.namespace('shop');
  const special: Record<string, Loose> = {
    Event: { fieldSelector: 'involvedObject.kind=Pod,reason=Pulled' },
    ConfigMap: { withManagedFields: true },
    Secret: { metadataOnly: true },
  };
  assert.equal(
    one.asked,
    Object.keys(ADVICE_KINDS).map((kind) => `${kind} ${JSON.stringify({ ...special[kind], namespace: 'shop' })} 250`),
  );
  const without = world({});
  await without.namespace('shop');
  assert.not(without.asked.some((text) => text.startsWith('Secret')));
});

const certificate = (server: string) => ({
  metadata: { name: server },
  webhooks: [{ name: 'w', clientConfig: { caBundle: 'QQ==', service: { namespace: server } } }],
});
advising('cluster-wide objects are read in smaller pages, without those of hidden namespaces', async () => {
  const one = world({
    objects: { ValidatingWebhookConfiguration: [certificate('hidden'), certificate('shop')] },
    over: { hiddenNamespaces: ['hidden'] },
  });
  await one.cluster();
  assert.equal(
    one.asked,
    ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration', 'APIService', 'CustomResourceDefinition'].map(
      (kind) => `${kind} {} 50`,
    ),
  );
  assert.equal([one.passes[0]?.namespace, one.passes[0]?.detectors.includes('ca-bundle-expiring')], ['cluster-wide', true]);
});

advising('a missing kind is asked for again after ten minutes', async () => {
  let now = NOW;
  let calls = 0;
  const page = (kind: Kind) => {
    if (kind.kind !== 'Certificate') return Promise.resolve({ items: [], resourceVersion: '1' });
    calls += 1;
    return Promise.reject(new KindNotServed('Certificate'));
  };
  const inventory = inventories({ client: { page } as Loose, now: () => now, readSecretNames: false });
  for (const minutes of [0, 5, 9.99, 10]) {
    now = new Date(NOW.getTime() + minutes * 60_000);
    assert.equal((await inventory.ofNamespace('shop')).absent, ['Certificate']);
  }
  assert.is(calls, 2);
});

advising('all pages of a kind are read, and of events only successful pulls', async () => {
  const pull = {
    metadata: { name: 'e', uid: 'u', creationTimestamp: 't', labels },
    message: 'Successfully pulled image',
    involvedObject: { name: 'p', kind: 'Pod' },
    lastTimestamp: 'l',
    reportingInstance: 'n',
    source: { host: 'h' },
    type: 'Normal',
  };
  const pages: Record<string, Loose> = {
    '': { items: [pull], continueToken: 'next' },
    next: { items: [{ ...pull, message: 'Container image already present' }, pull] },
  };
  const page = (kind: Kind, _: Loose, { continue: token = '' }: Loose) =>
    Promise.resolve(kind.kind === 'Event' ? pages[token] : { items: [] });
  const { objects } = await inventories({ client: { page } as Loose, now: () => NOW, readSecretNames: false }).ofNamespace('shop');
  const kept = {
    metadata: { name: 'e', uid: 'u', creationTimestamp: 't' },
    message: 'Successfully pulled image',
    lastTimestamp: 'l',
    source: { host: 'h' },
    reportingInstance: 'n',
    involvedObject: { name: 'p' },
  };
  assert.equal(objects.Event, [kept, kept] as Loose);
});

advising('the bundles of each cluster-wide kind', () => {
  const client = (caBundle: unknown, namespace?: string) => ({ caBundle, ...(namespace && { service: { namespace } }) });
  const of = (kind: Parameters<typeof trustBundlesOf>[0], object: Loose) => trustBundlesOf(kind, { metadata: { name: 'x' }, ...object });
  const base = { name: 'x', webhook: null, server: null, caBundle: 'QQ==' };
  assert.equal(of('APIService', { spec: client('QQ==', 'shop') }), [{ ...base, kind: 'APIService', server: 'shop' }]);
  assert.equal(of('CustomResourceDefinition', { spec: { conversion: { webhook: { clientConfig: client('QQ==') } } } }), [
    { ...base, kind: 'CustomResourceDefinition' },
  ]);
  const webhooks = [
    { name: 'a', clientConfig: client('QQ==', 'shop') },
    { clientConfig: client('QQ==') },
    { name: 'c', clientConfig: client('') },
    null,
  ];
  for (const kind of ['ValidatingWebhookConfiguration', 'MutatingWebhookConfiguration'] as const)
    assert.equal(of(kind, { webhooks }), [
      { ...base, kind, webhook: 'a', server: 'shop' },
      { ...base, kind },
    ]);
  for (const odd of [{}, { spec: 'x' }, { spec: { conversion: null } }, { webhooks: 'x' }])
    for (const kind of ['APIService', 'CustomResourceDefinition', 'MutatingWebhookConfiguration'] as const) assert.equal(of(kind, odd), []);
});

const ADVICE: Loose = {
  ...{ id: '7', detector_id: 'bare-pod', title: 'A pod has no controller', severity: 'low', category: 'reliability', namespace: 'shop' },
  ...{
    resource_kind: 'Pod',
    resource_name: 'lone',
    summary: 'Pod lone is bare.',
    evidence: { node: 'n-1' },
    recommended_change: 'Use a Deployment.',
    suppressed_by: null,
  },
};
/** Explains with a model that answers at once, late or not at all. */
async function explained({ now, late, hidden = null }: { now?: string; late?: string; hidden?: string | null }) {
  const kept: Loose[] = [];
  const sent: Loose[] = [];
  let topic: Loose;
  let answerLate: ((answer: Loose) => Promise<void>) | undefined;
  const reply = (explanation: string | undefined) =>
    explanation === undefined ? undefined : { answer: { explanation }, restore: (text: string) => text.replace('POD-1', 'lone') };
  const explain = explanations({
    askTopic: ((one: Loose, then: Loose) => {
      [topic, answerLate] = [one, then];
      return Promise.resolve(reply(now));
    }) as Loose,
    advice: {
      explain: (...all: Loose[]) => Promise.resolve(kept.push(all)),
      byId: (id: string) => Promise.resolve({ ...ADVICE, id, explanation: 'new', suppressed_by: hidden }),
    } as Loose,
    hub: { publish: (message: Loose) => sent.push(message) } as Loose,
  });
  const result = await explain(ADVICE);
  if (late !== undefined) await answerLate?.(reply(late));
  return { ...result, topic, kept, sent };
}

advising('an explanation has the words of the model, or those of the detector', async () => {
  const without = await explained({});
  assert.equal([without.isFallback, without.explanation.includes('nothing creates it again')], [true, true]);
  const told = await explained({ now: 'POD-1 may vanish.' });
  assert.equal(
    [told.isFallback, told.explanation.includes('lone may vanish.'), told.explanation.includes('nothing creates it again')],
    [false, true, false],
  );
  assert.match(told.explanation, /Pod lone is bare\.[\s\S]*- node: `n-1`[\s\S]*Use a Deployment\./);
  assert.is((await explained({ now: ' ' })).isFallback, true, 'an empty answer is none');
});

advising('a late answer is stored and sent, unless the advice is hidden or the answer empty', async () => {
  const { kept, sent } = await explained({ late: 'POD-1 may vanish.' });
  assert.equal([kept.length, kept[0][0], kept[0][1].includes('lone may vanish.'), kept[0][2]], [1, ADVICE, true, false]);
  assert.equal(sent, [{ type: 'advice_finding', data: { ...ADVICE, explanation: 'new' } }]);
  const hidden = await explained({ late: 'POD-1 may vanish.', hidden: 'quiet' });
  assert.equal([hidden.kept.length, hidden.sent.length], [1, 0]);
  const empty = await explained({ late: '' });
  assert.equal([empty.kept.length, empty.sent.length], [0, 0]);
});

advising('what the model is asked', async () => {
  const { topic } = await explained({});
  assert.equal(topic.names.slice(0, 2), ['lone', 'shop']);
  const question = topic.question(
    { hide: (text: string) => text, apply: (text: string) => text, replace: (text: string) => text } as Loose,
    ['model'],
  );
  assert.equal([question.maxTokens, question.schema.required, question.schema.additionalProperties], [8192, ['explanation'], false]);
  for (const word of [
    '"detector": "bare-pod"',
    '"kind": "Pod"',
    '"in_namespace": "shop"',
    'nothing creates it again',
    'Use a Deployment.',
    'n-1',
  ])
    assert.ok(question.user.replaceAll('":"', '": "').includes(word), word);
  assert.match(question.system, 'two to six sentences');
  assert.match(question.fingerprint, /^[0-9a-f]{64}$/);
});

advising.run();
