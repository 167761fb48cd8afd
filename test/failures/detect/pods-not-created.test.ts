import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { CoreEvent, Workload } from '../../../src/crd/kubernetes.ts';
import { type ControllerView, controllerFailure } from '../../../src/failures/detect/pods-not-created.ts';
import { after, anEvent } from '../../support/builders/pod.ts';

const object = (kind: string, over: object = {}): Workload =>
  ({ kind, metadata: { name: 'web', namespace: 'shop', uid: 'u' }, spec: {}, status: {}, ...over }) as unknown as Workload;
const event = (reason: string, seconds: number, message = 'exceeded quota'): CoreEvent =>
  anEvent(reason, message, seconds, { involvedObject: { kind: 'ReplicaSet', namespace: 'shop', name: 'web', uid: 'u' } });
const failed = (type: string, over = {}) => ({
  type,
  status: 'True',
  reason: 'FailedCreate',
  message: ' no quota ',
  lastTransitionTime: after(0),
  ...over,
});
const failure = (one: Workload, over: Partial<ControllerView> = {}) => {
  const found = controllerFailure({
    object: one,
    events: [],
    now: new Date(after(120)),
    graces: { pendingSeconds: 120, unreadySeconds: 0 },
    ...over,
  });
  return found && `${found.family} ${found.reason}: ${found.message}`;
};
const set = (over: object = {}) => object('ReplicaSet', over);
const refused = [event('FailedCreate', 0)];
const REFUSED = 'controller FailedCreate: exceeded quota';

const cases: [says: string, one: Workload, over: Partial<ControllerView>, expected: string | undefined][] = [
  ['a refusal, after the grace time', set(), { events: refused }, REFUSED],
  ['a refusal within the grace time', set(), { events: refused, now: new Date(after(119)) }, undefined],
  [
    'the newest refusal, since the first one',
    set(),
    { events: [event('FailedCreate', 0, 'first'), event('FailedCreate', 119, 'newest')] },
    'controller FailedCreate: newest',
  ],
  ['a refusal before a success', set(), { events: [...refused, event('SuccessfulCreate', 1)] }, undefined],
  ['a refusal after a success', set(), { events: [event('SuccessfulCreate', 0), event('FailedCreate', 0)] }, REFUSED],
  ['the condition alone', set({ status: { conditions: [failed('ReplicaFailure')] } }), {}, 'controller FailedCreate: no quota'],
  [
    'a condition within the grace time',
    set({ status: { conditions: [failed('ReplicaFailure', { lastTransitionTime: after(1) })] } }),
    { events: refused },
    undefined,
  ],
  ['a condition that is over', set({ status: { conditions: [failed('ReplicaFailure', { status: 'False' })] } }), {}, undefined],
  ['a condition of another reason', set({ status: { conditions: [failed('ReplicaFailure', { reason: 'FailedDelete' })] } }), {}, undefined],
  ['another condition', set({ status: { conditions: [failed('Progressing')] } }), {}, undefined],
  ['all replicas exist', set({ spec: { replicas: 2 }, status: { replicas: 2 } }), { events: refused }, undefined],
  ['one replica is missing', set({ spec: { replicas: 2 }, status: { replicas: 1 } }), { events: refused }, REFUSED],
  ['scaled to nothing', set({ spec: { replicas: 0 } }), { events: refused }, undefined],
  ['one replica, which nobody has to say', set({ status: { replicas: 1 } }), { events: refused }, undefined],
  [
    'being deleted',
    set({ metadata: { name: 'web', namespace: 'shop', uid: 'u', deletionTimestamp: after(0) } }),
    { events: refused },
    undefined,
  ],
  [
    'a Deployment, whose ReplicaSet shows it',
    object('Deployment'),
    { events: [anEvent('FailedCreate', '', 0, { involvedObject: { name: 'web', namespace: 'shop' } })] },
    undefined,
  ],
  [
    'a DaemonSet with all pods',
    object('DaemonSet', { status: { currentNumberScheduled: 2, desiredNumberScheduled: 2, conditions: [failed('ReplicaFailure')] } }),
    {},
    undefined,
  ],
  [
    'a DaemonSet that lacks one',
    object('DaemonSet', { status: { currentNumberScheduled: 1, desiredNumberScheduled: 2, conditions: [failed('ReplicaFailure')] } }),
    {},
    'controller FailedCreate: no quota',
  ],
  ['a Job that works', object('Job', { status: { active: 1, conditions: [failed('ReplicaFailure')] } }), {}, undefined],
  ['a suspended Job', object('Job', { spec: { suspend: true }, status: { conditions: [failed('ReplicaFailure')] } }), {}, undefined],
  ['a Job that has succeeded', object('Job', { status: { conditions: [failed('ReplicaFailure'), failed('Complete')] } }), {}, undefined],
  [
    'a Job that can create no pod',
    object('Job', { status: { conditions: [failed('ReplicaFailure')] } }),
    {},
    'controller FailedCreate: no quota',
  ],
  [
    'a Job that has given up',
    object('Job', { status: { conditions: [failed('Failed', { reason: 'DeadlineExceeded', message: 'too long' })] } }),
    { now: new Date(after(0)) },
    'controller DeadlineExceeded: too long',
  ],
  [
    'a Job that gives up, without words',
    object('Job', { status: { conditions: [failed('FailureTarget', { reason: '', message: '' })] } }),
    {},
    'controller BackoffLimitExceeded: BackoffLimitExceeded',
  ],
  [
    'a condition of a Job on something else',
    object('StatefulSet', { spec: { replicas: 0 }, status: { conditions: [failed('Failed')] } }),
    {},
    undefined,
  ],
];
for (const [says, one, over, expected] of cases)
  test(`${says}: ${expected ?? 'no failure'}`, () => assert.is(failure(one, over), expected));

test.run();
