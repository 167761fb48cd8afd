import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { MirrorPod, MirrorPodStatus } from '../../src/crd/mirrorpod.ts';
import { KubeError } from '../../src/kube/errors.ts';
import type { MirrorState } from '../../src/mirrors/policy/status.ts';
import { announceDeletion, recordEvents, updateTrial, verdictCounts, writeStatus } from '../../src/mirrors/status-and-events.ts';
import { aMirrorPod, at, atText } from '../support/builders/mirror.ts';

function world(refusal?: Error) {
  const [patches, recorded, sent, counted, updated]: unknown[][] = [[], [], [], [], []];
  const deps = {
    client: {
      patch: async (_kind: unknown, ...given: unknown[]) => {
        patches!.push(given);
        if (refusal) throw refusal;
      },
      read: async () => ({ metadata: { uid: 'source' } }),
    },
    hub: { publish: (message: unknown) => void sent!.push(message) },
    recorder: { record: (event: unknown) => void recorded!.push(event) },
    counts: { count: (...given: unknown[]) => void counted!.push(given) },
    trials: { update: async (...given: unknown[]) => void updated!.push(given) },
    now: () => at(5),
  } as never;
  return { deps, patches: patches!, recorded: recorded!, sent: sent!, counted: counted!, updated: updated! };
}
const WAITS: MirrorState = { kind: 'pending', reason: 'LimitReached', message: 'It waits.' };
const seen = (mirror: MirrorPod, written?: MirrorPod) => ({
  mirror,
  expiresAt: at(120),
  defaultTtlSeconds: 180,
  events: [],
  ...(written && { written }),
});
const write = async (mirror: MirrorPod, it = world(), written?: MirrorPod) => ({
  ...it,
  next: await writeStatus(it.deps, seen(mirror, written), { state: WAITS, facts: {} }),
});

test('a changed status is written for the version that was read, then told everywhere', async () => {
  const { next, patches, recorded, sent, counted } = await write(aMirrorPod({}, undefined, { resourceVersion: '7' }));
  assert.is(next.status?.phase, 'Pending');
  assert.equal(patches, [['shop', 'try', { status: next.status }, { type: 'merge', subresource: 'status', resourceVersion: '7' }]]);
  assert.equal(counted, [[undefined, next.status]]);
  assert.equal(
    recorded.map((event) => (event as { reason: string }).reason),
    ['MirrorWaiting'],
  );
  const [{ type, data }] = sent as [{ type: string; data: { mirror_id: string; status: string } }];
  assert.equal([type, data.mirror_id, data.status], ['mirror_status', 'uid-try', 'Pending']);
});

test('the same status is neither written nor told', async () => {
  const { next } = await write(aMirrorPod());
  const again = await write(next);
  assert.equal([again.patches, again.sent, again.recorded, again.next], [[], [], [], next]);
});

test('fields that the new status lacks are removed, in lists too', async () => {
  const { next } = await write(aMirrorPod());
  const before = { ...next.status, startTime: atText(1), correction: { origin: 'Given', explanation: 'x' } } as MirrorPodStatus;
  const { patches } = await write(aMirrorPod(), world(), aMirrorPod({}, before));
  const [, , { status }] = patches[0] as [string, string, { status: Record<string, unknown> }];
  assert.equal([status['startTime'], status['correction'], status['phase']], [null, null, 'Pending']);
});

test('of a mirror that was deleted meanwhile nothing is told; any other refusal is an error', async () => {
  const gone = await write(aMirrorPod(), world(new KubeError(404, 'NotFound', 'gone')));
  assert.equal([gone.sent, gone.recorded, gone.counted], [[], [], []]);
  await write(aMirrorPod(), world(new KubeError(409, 'Conflict', 'newer'))).then(
    () => assert.unreachable(),
    ({ message }: Error) => assert.is(message, 'newer'),
  );
});

test('what concerns the source is an event about it too, related to the mirror', async () => {
  const { deps, recorded } = world();
  const mirror = aMirrorPod({}, { podName: 'p', expirationTime: atText(120) } as MirrorPodStatus);
  recordEvents(deps, mirror, { before: undefined, shown: undefined });
  const [ofMirror, ofSource] = recorded as [Record<string, unknown>, Record<string, unknown>];
  const ref = { apiVersion: 'podmend.dev/v1alpha1', kind: 'MirrorPod', namespace: 'shop', name: 'try', uid: 'uid-try' };
  assert.equal([ofMirror['regarding'], ofMirror['reason'], ofMirror['related']], [ref, 'MirrorCreated', undefined]);
  assert.equal([ofSource['related'], ofSource['reason']], [ref, 'MirrorCreated']);
  assert.equal(await (ofSource['regarding'] as () => Promise<unknown>)(), {
    apiVersion: 'v1',
    kind: 'Pod',
    namespace: 'shop',
    name: 'web',
    uid: 'source',
  });
});

test('first verdicts and revisions are counted once', () => {
  const { count, tally } = verdictCounts();
  const revised = (...reasons: string[]) => ({ verdict: 'Fixed', revisions: reasons.map((reason) => ({ reason })) }) as MirrorPodStatus;
  count(undefined, {});
  count({}, { verdict: 'Fixed' } as MirrorPodStatus);
  count({ verdict: 'Fixed' } as MirrorPodStatus, revised('Regressed', 'whatever'));
  count(revised('Regressed', 'whatever'), revised('Regressed', 'whatever', 'Recovered'));
  assert.equal(tally(), {
    verdicts: [{ verdict: 'Fixed', count: 1 }],
    revisions: [
      { reason: 'Regressed', count: 1 },
      { reason: 'Other', count: 1 },
      { reason: 'Recovered', count: 1 },
    ],
  });
});

const condition = (type: string, status: string, reason = 'OOMKilled') => ({ type, status, reason, message: '', lastTransitionTime: '' });
const trialOf = async (status: object) => {
  const { deps, updated } = world();
  await updateTrial(deps, aMirrorPod({}, status as MirrorPodStatus), undefined);
  return updated[0] as [string, Record<string, unknown>] | undefined;
};

test('the trial has the verdict, the reason of a failure, and the revisions', async () => {
  const revision = { time: 't', from: 'Fixed', verdict: 'StillFailing', reason: 'Regressed', message: 'm' };
  const failing = { verdict: 'StillFailing', conditions: [condition('Fixed', 'False'), condition('Final', 'True')] };
  assert.equal(await trialOf(failing), [
    'uid-try',
    { verdict: 'StillFailing', reason_after: 'OOMKilled', evidence: null, strength: null, revisions: [], final: true },
  ]);
  const [, revised] = (await trialOf({ ...failing, revisions: [{ ...revision, failure: 'Error' }] })) ?? [];
  assert.equal([revised?.['reason_after'], revised?.['revisions']], ['Error', [revision]]);
  const [, fixed] =
    (await trialOf({ verdict: 'Fixed', conditions: [condition('Fixed', 'True', 'PodReady'), condition('Final', 'False')] })) ?? [];
  assert.equal([fixed?.['reason_after'], fixed?.['final']], [null, false]);
});

test('a mirror without evidence and verdict changes no trial', async () => assert.is(await trialOf({ phase: 'Pending' }), undefined));

test('a deletion is announced as the end of the mirror, unless its end was announced', () => {
  const told = (status?: object) => {
    const { deps, sent } = world();
    announceDeletion(deps, aMirrorPod({}, status as MirrorPodStatus));
    return sent
      .map((message) => (message as { data: { status: string; expires_at: string } }).data)
      .map(({ status: phase, expires_at }) => [phase, expires_at]);
  };
  assert.equal(told({ phase: 'Running', expirationTime: atText(120) }), [['Expired', atText(5)]]);
  assert.equal(told(), [['Expired', atText(5)]]);
  assert.equal([told({ phase: 'Expired' }), told({ phase: 'Running', expirationTime: atText(5) })], [[], []]);
});

test.run();
