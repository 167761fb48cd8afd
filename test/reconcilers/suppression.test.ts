import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SocketMessage } from '../../src/contract/socket.ts';
import type { Suppression, SuppressionStatus } from '../../src/crd/suppression.ts';
import { eventHub } from '../../src/events.ts';
import { KubeError } from '../../src/kube/errors.ts';
import { fingerprintOf } from '../../src/suppressions/apply.ts';
import { effectOf } from '../../src/suppressions/policy/match.ts';
import type { StatusWriter } from '../../src/kube/operator.ts';
import { suppressionAnnouncer } from '../../src/suppressions/announce.ts';
import { ALL_RECORDS, suppressionReconciler } from '../../src/reconcilers/suppression.ts';
import { decideSuppression } from '../../src/suppressions/policy/status.ts';
import { aSuppression } from '../support/builders/suppression.ts';

const START = Date.parse('2026-06-01T12:34:56Z');
const ns = (namespace: string) => ({ metadata: { namespace } });
const inMinutes = (minutes: number) => new Date(START + minutes * 60_000).toISOString();

const decide = suite('status');
/** The conditions as `Type=Status/Reason`. */
const said = ({ conditions = [] }: SuppressionStatus) =>
  conditions.map(({ type, status, reason }) => `${type}=${status}/${reason}`).join(' ');
const view = (suppression: Suppression, failures = 0, now = new Date(START), findings = 0) => ({
  suppression,
  matched: { failures, findings },
  now,
  effect: effectOf(suppression, now, 'podmend'),
});

const decisions: [says: string, suppression: Suppression, matched: number, conditions: string][] = [
  ['in effect', aSuppression({ pods: ['a'] }), 2, 'Ready=True/Applied Active=True/InEffect Unused=False/InUse'],
  ['suspended', aSuppression({ pods: ['a'] }, { suspend: true }), 0, 'Ready=True/Applied Active=False/Suspended'],
  ['over', aSuppression({ pods: ['a'] }, { expirationTime: inMinutes(0) }), 0, 'Ready=True/Applied Active=False/Expired'],
  ['wrong', aSuppression({ namespaces: ['a'] }, ns('shop')), 0, 'Ready=False/TenantRule Active=False/TenantRule Stalled=True/TenantRule'],
  ['unused since January', aSuppression({ pods: ['a'] }), 0, 'Ready=True/Applied Active=True/InEffect Unused=True/NothingMatched'],
  [
    'older than the schema, with a reason that turns its direction',
    { ...aSuppression({ pods: ['a'] }), spec: { reason: 'known \u202ex', match: { pods: ['a'] } } },
    1,
    'Ready=False/InvalidText Active=True/InEffect Stalled=True/InvalidText Unused=False/InUse',
  ],
  [
    'young',
    aSuppression({ pods: ['a'] }, { metadata: { creationTimestamp: '2026-05-31T00:00:00Z' } }),
    0,
    'Ready=True/Applied Active=True/InEffect Unused=False/InUse',
  ],
];
for (const [says, suppression, matched, conditions] of decisions)
  decide(`${says}: ${conditions}`, () => {
    const status = decideSuppression(view(suppression, matched));
    assert.is(said(status), conditions);
    assert.is(status.observedGeneration, 1);
    assert.equal([status.matchedFailures, status.matchedFindings], [matched, 0]);
    assert.is(status.lastMatchedTime, matched > 0 ? '2026-06-01T12:00:00Z' : undefined);
  });

decide('one that hides findings alone is in use', () => {
  const status = decideSuppression(view(aSuppression({ checks: ['a'] }), 0, new Date(START), 3));
  assert.is(said(status), 'Ready=True/Applied Active=True/InEffect Unused=False/InUse');
  assert.equal([status.matchedFailures, status.matchedFindings, status.lastMatchedTime], [0, 3, '2026-06-01T12:00:00Z']);
});

decide('a week without a match is too long, from the last match or else from its creation', () => {
  const at = (iso: string, more: object = {}) =>
    said(decideSuppression({ ...view(aSuppression({ pods: ['a'] })), ...more, now: new Date(iso) }));
  // The Suppression is of 2026-01-01T00:00:00Z.
  assert.match(at('2026-01-08T00:00:00Z'), 'Unused=False/InUse');
  assert.match(at('2026-01-08T00:00:01Z'), 'Unused=True/NothingMatched');
  const matched = { suppression: { ...aSuppression({ pods: ['a'] }), status: { lastMatchedTime: '2026-02-01T00:00:00Z' } } };
  assert.match(at('2026-02-08T00:00:00Z', matched), 'Unused=False/InUse');
  assert.match(at('2026-02-08T00:00:01Z', matched), 'Unused=True/NothingMatched');
});

decide('its last match is told to the hour, and its conditions have the times of their change', () => {
  const status = decideSuppression(
    view(aSuppression({ pods: ['a'] }, { metadata: { generation: 4 } }), 1, new Date('2026-06-01T12:59:59Z')),
  );
  assert.is(status.lastMatchedTime, '2026-06-01T12:00:00Z');
  assert.is(status.observedGeneration, 4);
  assert.equal(
    status.conditions?.map(({ message, lastTransitionTime, observedGeneration }) => [message, lastTransitionTime, observedGeneration]),
    [
      ['It is read and applied.', '2026-06-01T12:59:59Z', 4],
      ['It hides what it matches.', '2026-06-01T12:59:59Z', 4],
      ['It matched something within 7 days, or is younger than that.', '2026-06-01T12:59:59Z', 4],
    ],
  );
});

for (const field of ['reason', 'owner', 'ticket'])
  decide(`a ${field} that hides control characters is told`, () => {
    const one = aSuppression({ pods: ['a'] }, { [field]: 'a\u0000b' });
    assert.match(said(decideSuppression(view(one, 1))), 'Ready=False/InvalidText');
  });
decide('only the reason may have several lines', () => {
  const of = (more: object) => said(decideSuppression(view(aSuppression({ pods: ['a'] }, more), 1)));
  assert.match(of({ reason: 'a\nb' }), 'Ready=True');
  assert.match(of({ owner: 'a\nb' }), 'Ready=False');
  assert.match(of({ ticket: 'a\nb' }), 'Ready=False');
});

decide('deciding twice is deciding once', () => {
  const first = decideSuppression(view(aSuppression({ pods: ['a'] }), 2));
  const again = decideSuppression(view({ ...aSuppression({ pods: ['a'] }), status: first }, 2, new Date(START + 60_000)));
  assert.equal(again, first);
});

decide('a fixed Suppression is no longer stalled, and an old match is remembered', () => {
  const wrong = decideSuppression(view(aSuppression({}), 0));
  const matchedBefore = { ...wrong, lastMatchedTime: '2026-05-30T10:00:00Z' };
  const right = decideSuppression(view({ ...aSuppression({ pods: ['a'] }), status: matchedBefore }, 0));
  assert.is(said(right), 'Ready=True/Applied Active=True/InEffect Unused=False/InUse');
  assert.is(right.lastMatchedTime, '2026-05-30T10:00:00Z');
});
decide.run();

/** A reconciler over some Suppressions. The test moves the clock and sets in `counts` what matches. */
function world(...initial: Suppression[]) {
  const objects = new Map(initial.map((one) => [`${one.metadata.namespace}/${one.metadata.name}`, one]));
  const messages: SocketMessage[] = [];
  const hub = eventHub();
  hub.subscribe((message) => void messages.push(message));
  const announcer = suppressionAnnouncer(hub, { operatorNamespace: 'podmend', hiddenNamespaces: ['hidden'] });
  const it = {
    announcer,
    nowMs: START,
    runs: 0,
    writes: 0,
    broken: undefined as Error | undefined,
    /** The API server's answer to the write of a status. */
    refusal: undefined as Error | undefined,
    /** The number of failures that each Suppression matches. */
    counts: new Map<string, number>(),
    messages,
    put(one: Suppression) {
      const key = `${one.metadata.namespace}/${one.metadata.name}`;
      objects.set(key, { ...one, ...(objects.get(key)?.status ? { status: objects.get(key)!.status! } : {}) });
    },
    drop: (key: string) => objects.delete(key),
    status: (key: string) => objects.get(key)?.status,
    pass: (key: string) => reconcile(key),
    told: () => messages.splice(0).map(({ type, data }) => `${type} ${'action' in data ? data.action : ''}`),
  };
  const writeStatus: StatusWriter = async (_kind, object, status) => {
    if (it.refusal) throw it.refusal;
    const { namespace, name } = object.metadata;
    const one = objects.get(`${namespace}/${name}`);
    if (JSON.stringify(one?.status) === JSON.stringify(status)) return;
    it.writes++;
    if (one) one.status = status as SuppressionStatus;
  };
  const reconcile = suppressionReconciler({
    cache: { get: (namespace, name) => objects.get(`${namespace}/${name}`), list: () => [...objects.values()] },
    operatorNamespace: 'podmend',
    announcer,
    async applySuppressions() {
      it.runs++;
      if (it.broken) throw it.broken;
      const at = new Date(it.nowMs);
      const fingerprints = [...objects].map(([key, one]) => [key, fingerprintOf(one, effectOf(one, at, 'podmend').active)] as const);
      return {
        at,
        fingerprints: new Map(fingerprints),
        matched: new Map([...it.counts].map(([key, failures]) => [key, { failures, findings: failures * 2 }])),
      };
    },
    writeStatus,
    now: () => new Date(it.nowMs),
  });
  return it;
}

const passes = suite('passes');
const KEY = 'podmend/known';

passes('the next leader announces what changed while nobody led, and nothing that its predecessor announced', async () => {
  const before = world(aSuppression({ pods: ['a'] }), aSuppression({ pods: ['b'] }, { metadata: { name: 'removed' } }));
  const after = world();
  await before.pass(KEY);
  await before.pass('podmend/removed');
  // The other replica hears these messages.
  for (const message of before.messages.splice(0)) after.announcer.heard(message);
  after.put(aSuppression({ pods: ['a'] }));
  after.put(aSuppression({ pods: ['c'] }, { metadata: { name: 'added' } }));
  await after.pass(ALL_RECORDS);
  await after.pass(KEY);
  await after.pass('podmend/added');
  assert.equal(after.told(), ['suppression_change removed', 'suppression_change added']);
});

passes('a new one is applied, announced and counted; the next pass changes nothing', async () => {
  const it = world();
  await it.pass(ALL_RECORDS);
  assert.is(it.runs, 1);
  it.counts.set(KEY, 3);
  it.put(aSuppression({ pods: ['a'] }));
  assert.equal(await it.pass(KEY), { requeueAfterMs: 5 * 60_000 });
  assert.is(it.runs, 2);
  assert.is(it.status(KEY)?.matchedFailures, 3);
  assert.equal(it.told(), ['suppression_change added']);
  it.nowMs += 60_000;
  assert.equal(await it.pass(KEY), { requeueAfterMs: 4 * 60_000 });
  assert.is(it.runs, 2);
  assert.is(it.writes, 1);
  assert.equal(it.told(), []);
});

passes('counts change at most every 5 minutes', async () => {
  const it = world(aSuppression({ pods: ['a'] }));
  await it.pass(KEY);
  it.counts.set(KEY, 5);
  it.nowMs += 4 * 60_000;
  await it.pass(KEY);
  assert.is(it.status(KEY)?.matchedFailures, 0);
  it.nowMs += 60_000;
  await it.pass(KEY);
  assert.equal([it.status(KEY)?.matchedFailures, it.status(KEY)?.matchedFindings], [5, 10]);
});

passes('a clock that is set forward and back again ends it and brings it back, and counts go on', async () => {
  const it = world();
  await it.pass(ALL_RECORDS);
  it.put(aSuppression({ namespaces: ['shop'] }, { expirationTime: inMinutes(2) }));
  await it.pass(KEY);
  it.nowMs += 3 * 3600_000;
  await it.pass(KEY);
  assert.match(said(it.status(KEY)!), 'Active=False/Expired');
  it.nowMs -= 3 * 3600_000;
  await it.pass(KEY);
  assert.match(said(it.status(KEY)!), 'Active=True');
  it.nowMs -= 3 * 3600_000;
  it.counts.set(KEY, 7);
  assert.equal(await it.pass(KEY), { requeueAfterMs: 5 * 60_000 });
  assert.is(it.status(KEY)?.matchedFailures, 7);
});

passes('it wakes at its expiration, brings back what it hid, and says so', async () => {
  const it = world();
  await it.pass(ALL_RECORDS);
  it.put(aSuppression({ namespaces: ['shop'] }, { expirationTime: inMinutes(2) }));
  assert.equal(await it.pass(KEY), { requeueAfterMs: 2 * 60_000 });
  assert.equal(it.told(), ['suppression_change added', 'namespace_exclusion excluded']);
  it.nowMs += 2 * 60_000;
  const { runs } = it;
  assert.equal(await it.pass(KEY), { requeueAfterMs: 5 * 60_000 });
  assert.is(it.runs, runs + 1);
  assert.match(said(it.status(KEY)!), 'Active=False/Expired');
  assert.equal(it.told(), ['suppression_change changed', 'namespace_exclusion included']);
});

passes('suspending, changing and removing are applied and announced', async () => {
  const it = world(aSuppression({ namespaces: ['shop'] }));
  await it.pass(KEY);
  assert.equal(it.told(), ['suppression_change added', 'namespace_exclusion excluded']);
  it.put(aSuppression({ namespaces: ['shop'] }, { suspend: true }));
  await it.pass(KEY);
  assert.equal(it.told(), ['suppression_change changed', 'namespace_exclusion included']);
  it.put(aSuppression({ namespaces: ['shop', 'bank'] }));
  await it.pass(KEY);
  assert.equal(it.told(), ['suppression_change changed', 'namespace_exclusion excluded', 'namespace_exclusion excluded']);
  it.drop(KEY);
  const { runs } = it;
  assert.is(await it.pass(KEY), undefined);
  assert.is(it.runs, runs + 1);
  assert.equal(it.told(), ['suppression_change removed', 'namespace_exclusion included', 'namespace_exclusion included']);
});

passes('two hundred new ones are applied in one run, and counted in one', async () => {
  const keys = Array.from({ length: 200 }, (_, n) => `podmend/s-${n}`);
  const it = world(...keys.map((key) => aSuppression({ pods: [key] }, { metadata: { name: key.slice(8) } })));
  for (const key of [ALL_RECORDS, ...keys]) await it.pass(key);
  assert.is(it.runs, 1);
  it.nowMs += 5 * 60_000;
  for (const key of keys) await it.pass(key);
  assert.is(it.runs, 2);
});

passes('a Suppression that came and went between two runs costs none, a change that concerns all records always costs one', async () => {
  const it = world();
  await it.pass(ALL_RECORDS);
  await it.pass('podmend/never-fingerprints');
  assert.is(it.runs, 1);
  await it.pass(ALL_RECORDS);
  assert.is(it.runs, 2);
});

passes('a trusted registry is announced as one, a hidden namespace never', async () => {
  const it = world();
  await it.pass(ALL_RECORDS);
  it.put(aSuppression({ checks: ['untrusted-registry'], images: ['ghcr.io/*', 'odd'] }));
  await it.pass(KEY);
  it.put(aSuppression({ namespaces: ['hidden', 'shop'] }));
  await it.pass(KEY);
  const told = it.messages.map(({ data }) => data);
  assert.not.match(JSON.stringify(told), 'hidden');
  assert.equal(it.told(), [
    'suppression_change added',
    'trusted_registry_change added',
    'suppression_change changed',
    'namespace_exclusion excluded',
    'trusted_registry_change removed',
  ]);
  it.put(aSuppression({ namespaces: ['hidden'] }));
  await it.pass(KEY);
  assert.equal(it.told(), ['suppression_change removed', 'namespace_exclusion included']);
  it.put(aSuppression({ pods: ['a'] }, { metadata: { namespace: 'hidden' } }));
  await it.pass('hidden/known');
  assert.equal(it.told(), []);
});

passes('a namespace is excluded only by what has an effect everywhere and matches by namespace alone', async () => {
  const it = world();
  await it.pass(ALL_RECORDS);
  it.put(aSuppression({ namespaces: ['shop'], pods: ['web-*'] }));
  await it.pass(KEY);
  it.put(aSuppression({ pods: ['web-*'] }, { metadata: { namespace: 'shop' } }));
  await it.pass('shop/known');
  assert.equal(it.told(), ['suppression_change added', 'suppression_change added']);
});

passes('while the database is away nothing is announced or written, and afterwards everything', async () => {
  const it = world();
  await it.pass(ALL_RECORDS);
  it.put(aSuppression({ pods: ['a'] }));
  it.broken = new Error('Database not available');
  await it.pass(KEY).then(
    () => assert.unreachable(),
    (error: Error) => assert.is(error.message, 'Database not available'),
  );
  assert.is(it.writes, 0);
  it.broken = undefined;
  await it.pass(KEY);
  assert.is(it.writes, 1);
  assert.equal(it.told(), ['suppression_change added']);
});

passes('one that is deleted before its first status is written is forgotten; any other refusal is one to try again', async () => {
  const it = world();
  await it.pass(ALL_RECORDS);
  it.put(aSuppression({ pods: ['a'] }));
  it.refusal = new KubeError(404, 'NotFound', 'suppressions.podmend.dev "known" not found');
  assert.is(await it.pass(KEY), undefined);
  it.drop(KEY);
  assert.is(await it.pass(KEY), undefined);
  assert.equal(it.told(), ['suppression_change added', 'suppression_change removed']);
  it.put(aSuppression({ pods: ['a'] }));
  it.refusal = new KubeError(500, 'InternalError', 'etcd is away');
  await it.pass(KEY).then(
    () => assert.unreachable(),
    (error: Error) => assert.is(error.message, 'etcd is away'),
  );
});

passes('a new object of the same name is applied anew', async () => {
  const it = world(aSuppression({ pods: ['a'] }));
  await it.pass(KEY);
  it.put(aSuppression({ pods: ['a'] }, { metadata: { uid: 'another' } }));
  const { runs } = it;
  await it.pass(KEY);
  assert.is(it.runs, runs + 1);
});
passes.run();
