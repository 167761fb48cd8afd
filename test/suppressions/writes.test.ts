import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { Refusal } from '../../src/contract/refusal.ts';
import { MANAGED_BY, MANAGED_BY_LABEL } from '../../src/crd/managed.ts';
import type { Suppression, SuppressionMatch } from '../../src/crd/suppression.ts';
import { ClusterUnavailable, KubeError } from '../../src/kube/errors.ts';
import { refusalOf, suppressionWrites, type WritesDeps } from '../../src/suppressions/writes.ts';
import { aSuppression } from '../support/builders/suppression.ts';

const test = suite('writing Suppressions');

const OLD = aSuppression({ pods: ['web'] }, { metadata: { uid: 'old', resourceVersion: '1' } });
const NEW = aSuppression({ pods: ['web'] }, { metadata: { uid: 'new', resourceVersion: '2' } });
const MANAGED = aSuppression({ pods: ['web'] }, { metadata: { labels: { 'kustomize.toolkit.fluxcd.io/name': 'apps' } } });
const SPEC = { reason: 'known', match: { pods: ['db'] } };

/** Writes to a cluster that has `held` now. `answers` are the errors of its next writes; `next` is what the cache sees later. */
function world(held: Suppression | undefined, { answers = [], ...then }: { answers?: Error[]; next?: Suppression | undefined } = {}) {
  const next = 'next' in then ? then.next : held;
  const asked: unknown[][] = [];
  const waited: number[] = [];
  let now = held;
  const answer = async (what: string, ...given: unknown[]) => {
    asked.push([what, ...given]);
    const error = answers.shift();
    if (error) throw error;
    return next ?? aSuppression({});
  };
  const client = {
    create: (_kind: unknown, object: unknown) => answer('create', object),
    patch: (_kind: unknown, namespace: unknown, name: unknown, body: unknown, options: unknown) =>
      answer('patch', namespace, name, body, options),
    remove: (_kind: unknown, namespace: unknown, name: unknown, precondition: unknown) => answer('remove', namespace, name, precondition),
  } as unknown as WritesDeps['client'];
  const cache: WritesDeps['cache'] = {
    get: () => now,
    async seen(holds, ms) {
      waited.push(ms);
      now = next;
      return holds();
    },
  };
  return { asked, waited, writes: suppressionWrites({ client, cache, operatorNamespace: 'podmend' }) };
}
const conflict = () => new KubeError(409, 'Conflict', 'the object has been modified');
const messageOf = (promise: Promise<unknown>) =>
  promise.then(
    () => 'done',
    (error: Error) => `${error instanceof Refusal ? error.kind : error.name}: ${error.message}`,
  );

test('a new one is created in the operator’s namespace, marked as made by Podmend', async () => {
  const { writes, asked } = world(undefined, { next: NEW });
  assert.is(await writes.put('known', SPEC), NEW);
  const metadata = { name: 'known', namespace: 'podmend', labels: { [MANAGED_BY_LABEL]: MANAGED_BY } };
  assert.equal(asked, [['create', { apiVersion: 'podmend.dev/v1alpha1', kind: 'Suppression', metadata, spec: SPEC }]]);
});

test('one that has this spec, or is enough, is returned without a write', async () => {
  const { writes, asked } = world(OLD);
  assert.is(await writes.put('known', { ...OLD.spec }), OLD);
  assert.is(await writes.put('known', SPEC, () => true), OLD);
  assert.equal(asked, []);
});

test('one with another spec is replaced as a whole, if it is still the version that was read', async () => {
  const held = {
    ...OLD,
    spec: { ...OLD.spec, ticket: 'T-1', match: { pods: ['web'], labelSelector: { matchLabels: { app: 'web', a: 'b' } } } },
  };
  const match = { checks: ['x'], labelSelector: { matchLabels: { app: 'db' } } };
  const { writes, asked } = world(held);
  await writes.put('known', { reason: 'new', match });
  const body = {
    spec: { reason: 'new', ticket: null, match: { pods: null, checks: ['x'], labelSelector: { matchLabels: { app: 'db', a: null } } } },
  };
  assert.equal(asked, [['patch', 'podmend', 'known', body, { type: 'merge', resourceVersion: '1' }]]);
});

test('a change writes only the match; without a match the object goes; the same match writes nothing', async () => {
  const { writes, asked } = world(OLD);
  await writes.change(OLD, (match) => match);
  assert.equal(asked, []);
  await writes.change(OLD, () => ({ checks: ['x'] }));
  const body = { spec: { match: { pods: null, checks: ['x'] } } };
  assert.equal(asked.splice(0), [['patch', 'podmend', 'known', body, { type: 'merge', resourceVersion: '1' }]]);
  await writes.change(OLD, () => undefined);
  assert.equal(asked, [['remove', 'podmend', 'known', { uid: 'old' }]]);
});

test('a newer Suppression of the same name stays, and one that is gone is not changed', async () => {
  for (const present of [NEW, undefined]) {
    const { writes, asked } = world(present);
    await writes.change(OLD, () => undefined);
    await writes.change(OLD, () => ({ checks: ['x'] }));
    assert.equal(asked, []);
  }
});

test('one that a tool manages is neither replaced nor changed', async () => {
  const { writes, asked } = world(MANAGED);
  const refused = 'conflict: Managed by Flux: change it at its source';
  assert.is(await messageOf(writes.put('known', SPEC)), refused);
  assert.is(await messageOf(writes.change(MANAGED, () => undefined)), refused);
  assert.equal(asked, []);
  assert.is(await writes.put('known', MANAGED.spec), MANAGED, 'but it may be enough');
});

const gone = () => new KubeError(404, 'NotFound', 'not found');
const busy = 'conflict: known is being changed by somebody else: try again';
const writing: [says: string, given: Parameters<typeof world>, message: string, writes: number][] = [
  ['a conflict with a change that has arrived is tried again', [OLD, { answers: [conflict()], next: NEW }], 'done', 2],
  ['an object that was removed while it was patched is created', [OLD, { answers: [gone()], next: undefined }], 'done', 2],
  ['a conflict with a change that does not arrive is told', [OLD, { answers: [conflict()] }], busy, 1],
  [
    'a namespace that does not exist is not a conflict',
    [undefined, { answers: [gone()] }],
    'ClusterUnavailable: Kubernetes client not available',
    1,
  ],
];
for (const [says, given, message, count] of writing)
  test(says, async () => {
    const { writes, asked, waited } = world(...given);
    assert.is(await messageOf(writes.put('known', SPEC)), message);
    assert.is(asked.length, count);
    assert.ok(waited.every((ms) => ms === 2_000));
  });

test('five conflicts in a row are told', async () => {
  let [version, tries] = [0, 0];
  const client = { patch: async () => Promise.reject((tries++, conflict())) } as unknown as WritesDeps['client'];
  const get = () => aSuppression({}, { metadata: { resourceVersion: `${version++}` } });
  const writes = suppressionWrites({ client, cache: { get, seen: async (holds) => holds() }, operatorNamespace: 'podmend' });
  assert.is(await messageOf(writes.put('known', SPEC)), busy);
  assert.is(tries, 5);
});

test('a write returns when the cache has seen it', async () => {
  const seen: [says: string, now: Suppression | undefined, isSeen: boolean][] = [
    ['it', aSuppression({}, { metadata: { uid: 'x', generation: 3 } }), true],
    ['a later change of it', aSuppression({}, { metadata: { uid: 'x', generation: 4 } }), true],
    ['the state before it', aSuppression({}, { metadata: { uid: 'x', generation: 2 } }), false],
    ['another object', aSuppression({}, { metadata: { uid: 'y', generation: 3 } }), false],
    ['nothing', undefined, false],
  ];
  for (const [says, now, isSeen] of seen) {
    const asked: boolean[] = [];
    const written = aSuppression({}, { metadata: { uid: 'x', generation: 3 } });
    let cached: Suppression | undefined;
    const client = { create: async () => ((cached = now), written) } as unknown as WritesDeps['client'];
    const cache: WritesDeps['cache'] = { get: () => cached, seen: async (holds) => (asked.push(holds()), true) };
    await suppressionWrites({ client, cache, operatorNamespace: 'podmend' }).put('known', SPEC);
    assert.equal(asked, [isSeen], says);
  }
});

test('a removal returns when the cache has no longer that object', async () => {
  for (const [now, isSeen] of [
    [OLD, false],
    [undefined, true],
    [NEW, true],
  ] as const) {
    const asked: boolean[] = [];
    let cached: Suppression | undefined = OLD;
    const client = { remove: async () => void (cached = now) } as unknown as WritesDeps['client'];
    const cache: WritesDeps['cache'] = { get: () => cached, seen: async (holds) => (asked.push(holds()), true) };
    await suppressionWrites({ client, cache, operatorNamespace: 'podmend' }).change(OLD, (): SuppressionMatch | undefined => undefined);
    assert.equal(asked, [isSeen]);
  }
});

const invalid = 'Suppression.podmend.dev "x" is invalid: ';
const refusals: [says: string, error: Error, answer: string][] = [
  ['a mistake', new KubeError(422, 'Invalid', `${invalid}spec.match.failureReasons: too many`), 'invalid: match.failure_reasons: too many'],
  [
    'every field that the API names otherwise',
    new KubeError(
      422,
      'Invalid',
      `${invalid}[spec.expirationTime: a, spec.match.labelSelector.matchLabels: b, spec.match.labelSelector.matchExpressions: c, spec.match.pods: d]`,
    ),
    'invalid: [expires_at: a, match.label_selector.match_labels: b, match.label_selector.match_expressions: c, match.pods: d]',
  ],
  ['a malformed request', new KubeError(400, 'BadRequest', 'spec.ticket: odd'), 'invalid: ticket: odd'],
  [
    'a policy',
    new KubeError(403, 'Forbidden', 'admission webhook "p" denied the request'),
    'denied: The cluster refuses it: admission webhook "p" denied the request',
  ],
  [
    'a missing right of Podmend',
    new KubeError(403, 'Forbidden', 'suppressions is forbidden: User "p" cannot'),
    'KubeError: suppressions is forbidden: User "p" cannot',
  ],
  ['no such kind', new KubeError(404, 'NotFound', 'no'), 'ClusterUnavailable: Kubernetes client not available'],
  ['too many requests', new KubeError(429, 'TooManyRequests', 'wait'), 'ClusterUnavailable: Kubernetes client not available'],
  ['a broken API server', new KubeError(500, 'InternalError', 'etcd'), 'ClusterUnavailable: Kubernetes client not available'],
  ['another one', new KubeError(410, 'Gone', 'old'), 'KubeError: old'],
  ['no answer', new ClusterUnavailable('refused'), 'ClusterUnavailable: Kubernetes client not available'],
  ['a fault', new TypeError('x is undefined'), 'TypeError: x is undefined'],
];
for (const [says, error, answer] of refusals)
  test(`refused because of ${says}`, async () => assert.is(await messageOf(Promise.reject(refusalOf(error))), answer));

test.run();
