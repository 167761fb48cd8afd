import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CoreEvent, Pod, PodStatus } from '../../../src/crd/kubernetes.ts';
import { detectFailure } from '../../../src/failures/detect/detect.ts';

const test = suite('failures of a whole pod');

const NOW = new Date('2026-05-01T10:00:00Z');
const ago = (seconds: number): string => new Date(NOW.getTime() - seconds * 1000).toISOString();
const GRACES = { pendingSeconds: 120, unreadySeconds: 60 };
const FIVE_MINUTES = 300;

interface World {
  metadata?: object;
  status?: Partial<PodStatus> & Record<string, unknown>;
  spec?: object;
  age?: number;
  events?: CoreEvent[];
}

const event = (reason: string, seconds: number, message = reason, type = 'Warning'): CoreEvent =>
  ({
    metadata: { name: `${reason}-${seconds}`, namespace: 'shop' },
    involvedObject: { kind: 'Pod', namespace: 'shop', name: 'web', uid: 'u' },
    ...{ type, reason, message, firstTimestamp: ago(seconds), lastTimestamp: ago(seconds), count: 1 },
  }) as CoreEvent;
const condition = (type: string, status: string, seconds: number, more: object = {}) => ({
  ...{ type, status, lastTransitionTime: ago(seconds), ...more },
});

/** `reason family: message` of a pod of this age; `well` if it does not fail. */
function told({ metadata, status, spec, age = 1000, events = [] }: World): string {
  const pod = {
    metadata: { name: 'web', namespace: 'shop', uid: 'u', creationTimestamp: ago(age), ...metadata },
    spec: { containers: [{ name: 'app', image: 'web:1' }], ...spec },
    status: { phase: 'Pending', ...status },
  } as unknown as Pod;
  const failure = detectFailure({ pod, events, now: NOW, graces: GRACES });
  return failure ? `${failure.reason} ${failure.family}: ${failure.message}` : 'well';
}

const PREEMPTED = condition('DisruptionTarget', 'True', 5, { reason: 'PreemptionByScheduler', message: 'made room' });
const COLLECTED = condition('DisruptionTarget', 'True', 5, { reason: 'DeletionByPodGC' });
const RUNNING = { phase: 'Running' } as const;
const unready = (seconds: number) => [condition('Ready', 'False', seconds)];
const UNSCHEDULED = (seconds: number, more: object = { reason: 'Unschedulable', message: 'no node' }) => [
  condition('PodScheduled', 'False', seconds, more),
];
const ON_NODE = { nodeName: 'n' };
const TAKEN = { startTime: ago(FIVE_MINUTES), conditions: [condition('PodScheduled', 'True', FIVE_MINUTES)] };
const GATE = { nodeName: 'n', readinessGates: [{ conditionType: 'x/open' }] };
const READY = (seconds: number) => [condition('ContainersReady', 'True', seconds)];

const OF_JOB = [{ apiVersion: 'batch/v1', kind: 'Job', name: 'export', uid: 'j', controller: true }];
const isDone = (seconds: number, exitCode = 0) => ({ state: { terminated: { exitCode, finishedAt: ago(seconds) } } });
/** A pod whose first container is in this state, beside another one that runs. */
const beside = (name: string, work: object, owners: object[] = OF_JOB): World => ({
  metadata: { ownerReferences: owners },
  spec: { ...ON_NODE, restartPolicy: 'Never', containers: [{ name: 'export' }, { name }] },
  status: {
    ...{ ...RUNNING, startTime: ago(FIVE_MINUTES), conditions: unready(FIVE_MINUTES) },
    containerStatuses: [
      { name: 'export', ready: false, restartCount: 0, ...work },
      { name, ready: true, restartCount: 0, state: { running: { startedAt: ago(FIVE_MINUTES) } } },
    ] as NonNullable<PodStatus['containerStatuses']>,
  },
});
const LEFT = 'NotReady unready: container export has completed, and container sql-proxy runs on: the Job does not complete';

const CASES: Record<string, [World, string]> = {
  'preempted, as the condition says': [{ status: { ...RUNNING, conditions: [PREEMPTED] } }, 'Preempted node: made room'],
  'preempted once, and not any more': [{ spec: ON_NODE, status: { ...RUNNING, conditions: [{ ...PREEMPTED, status: 'False' }] } }, 'well'],
  'preempted by a kubelet': [{ status: { phase: 'Failed', reason: 'Preempting' } }, 'Preempted node: the pod was preempted'],
  'about to be preempted by a kubelet': [{ spec: ON_NODE, status: { ...RUNNING, reason: 'Preempting' } }, 'well'],
  'preempted, as only an event says': [
    { status: { phase: 'Failed', reason: 'Preempting' }, events: [event('Preempted', 9, 'by pod x')] },
    'Preempted node: by pod x',
  ],
  'its node is lost, as the status says': [
    { status: { ...RUNNING, reason: 'NodeLost' } },
    'NodeLost node: the node that runs the pod is lost',
  ],
  'nobody knows its phase': [{ status: { phase: 'Unknown' } }, 'NodeLost node: the node that runs the pod is lost'],
  'collected with its node': [{ status: { ...RUNNING, conditions: [COLLECTED] } }, 'NodeLost node: the node does not exist any more'],
  'its node is not ready': [
    { spec: ON_NODE, status: { ...RUNNING, conditions: unready(100) }, events: [event('NodeNotReady', 100, 'Node is not ready')] },
    'NodeLost node: Node is not ready',
  ],
  'its node was not ready long before the pod became unready, and it has started since': [
    {
      spec: ON_NODE,
      status: { ...RUNNING, conditions: unready(50) },
      events: [event('NodeNotReady', 500), event('Started', 60, '', 'Normal')],
    },
    'well',
  ],
  'its node was not ready, and the pod is': [
    { spec: ON_NODE, status: { ...RUNNING, conditions: [condition('Ready', 'True', 100)] }, events: [event('NodeNotReady', 100)] },
    'well',
  ],
  'failed with a reason': [{ status: { phase: 'Failed', reason: 'OutOfcpu', message: ' too small ' } }, 'OutOfcpu node: too small'],
  'failed with a reason of a newer kubelet': [{ status: { phase: 'Failed', reason: 'TooBlue' } }, 'TooBlue node: TooBlue'],
  'failed, and only an event says why': [
    { status: { phase: 'Failed' }, events: [event('Evicted', 9, 'low on disk')] },
    'Evicted node: low on disk',
  ],
  'failed before any container, with a warning': [
    { status: { phase: 'Failed' }, events: [event('BadSysctl', 9, 'not allowed'), event('Pulled', 5, '', 'Normal')] },
    'BadSysctl node: not allowed',
  ],
  'failed before any container, without a word': [
    { status: { phase: 'Failed' } },
    'Error crash: the pod failed before any container was started',
  ],

  'not scheduled, just now': [{ status: { conditions: UNSCHEDULED(119) } }, 'well'],
  'not scheduled for the grace time': [{ status: { conditions: UNSCHEDULED(120) } }, 'Unschedulable waiting: no node'],
  'not scheduled, as only the event says': [
    { status: { conditions: UNSCHEDULED(120, {}) }, events: [event('FailedScheduling', 9, '0/1 nodes')] },
    'Unschedulable waiting: 0/1 nodes',
  ],
  'not scheduled, and nobody says why': [{ status: { conditions: UNSCHEDULED(120, {}) } }, 'Unschedulable waiting: Unschedulable'],
  'a node was promised': [{ status: { conditions: UNSCHEDULED(400) }, events: [event('TriggeredScaleUp', 100, '', 'Normal')] }, 'well'],
  'a node was promised long ago': [
    { status: { conditions: UNSCHEDULED(4000) }, events: [event('TriggeredScaleUp', 3000, '', 'Normal')] },
    'Unschedulable waiting: no node',
  ],
  'a gate holds it, as its condition says': [{ status: { conditions: UNSCHEDULED(400, { reason: 'SchedulingGated' }) } }, 'well'],
  'a gate holds it, as its spec says': [{ spec: { schedulingGates: [{ name: 'x' }] } }, 'well'],
  'no gate holds it any more': [
    { spec: { schedulingGates: [] }, status: { conditions: UNSCHEDULED(400) } },
    'Unschedulable waiting: no node',
  ],
  'its own scheduler has not looked at it': [
    { spec: { schedulerName: 'slow' }, age: 120 },
    'Unschedulable waiting: no scheduler named slow has looked at the pod',
  ],
  'its own scheduler has a moment left': [{ spec: { schedulerName: 'slow' }, age: 119 }, 'well'],
  'it waits for claims of devices': [
    { spec: { resourceClaims: [{ name: 'gpu' }, { name: 'x', resourceClaimName: 'card' }] }, age: 10_000 },
    'Unschedulable waiting: the pod waits for its resource claims "gpu", "card"',
  ],
  'another scheduler, and claims': [
    { spec: { schedulerName: 'slow', resourceClaims: [{ name: 'gpu' }] }, age: 10_000 },
    'Unschedulable waiting: no scheduler named slow has looked at the pod',
  ],

  'bound to a node that does not take it': [{ spec: ON_NODE, age: 121 }, 'Pending waiting: the node "n" has not taken the pod'],
  'bound to a node a moment ago': [{ spec: ON_NODE, age: 9 }, 'well'],
  'a volume is not mounted': [
    { spec: ON_NODE, status: TAKEN, events: [event('FailedMount', 30, 'secret "x" not found')] },
    'FailedMount volume: secret "x" not found',
  ],
  'a volume was not mounted, and an image is pulled since': [
    { spec: ON_NODE, status: TAKEN, events: [event('FailedMount', 30), event('Pulling', 20, '', 'Normal')] },
    'well',
  ],
  'a volume was attached after all': [
    {
      spec: ON_NODE,
      status: TAKEN,
      events: [event('FailedAttachVolume', 60, 'Multi-Attach error'), event('SuccessfulAttachVolume', 30, '', 'Normal')],
    },
    'well',
  ],
  'a volume is attached elsewhere, and so not mounted': [
    {
      spec: ON_NODE,
      status: TAKEN,
      events: [
        event('FailedAttachVolume', 60, 'Multi-Attach error'),
        event('FailedMount', 30, 'Unable to attach or mount volumes: timed out'),
      ],
    },
    'FailedAttachVolume volume: Multi-Attach error',
  ],

  'a proxy runs on after the work of a Job': [beside('sql-proxy', isDone(120)), LEFT],
  'a proxy has a moment left to end': [beside('sql-proxy', isDone(119)), 'well'],
  'a proxy runs on beside work that still runs': [beside('sql-proxy', { state: { running: { startedAt: ago(200) } } }), 'well'],
  'other work runs on': [beside('upload', isDone(120)), 'well'],
  'a proxy runs on in a pod of no Job': [beside('sql-proxy', isDone(120), []), 'well'],
  'a proxy runs on beside work that failed': [beside('sql-proxy', isDone(120, 3)), 'Error crash: container export ended with exit code 3'],

  'a gate of readiness is closed': [
    { spec: GATE, status: { ...RUNNING, conditions: READY(60) } },
    'ReadinessGatesNotReady unready: the readiness gates "x/open" are not true',
  ],
  'a gate of readiness has a moment left': [{ spec: GATE, status: { ...RUNNING, conditions: READY(59) } }, 'well'],
  'a gate of readiness is open': [
    { spec: GATE, status: { ...RUNNING, conditions: [...READY(600), condition('x/open', 'True', 600)] } },
    'well',
  ],
  'one of two gates is closed': [
    {
      spec: { ...ON_NODE, readinessGates: [{ conditionType: 'x/open' }, { conditionType: 'x/shut' }] },
      status: { ...RUNNING, conditions: [...READY(600), condition('x/open', 'True', 600)] },
    },
    'ReadinessGatesNotReady unready: the readiness gates "x/shut" are not true',
  ],
};
for (const [sentence, [world, expected]] of Object.entries(CASES)) test(sentence, () => assert.is(told(world), expected));

test('the default scheduler has half a minute to look at a pod, another one the grace time', () => {
  const seen = (age: number, schedulerName?: string, events: CoreEvent[] = []) => {
    const pod = {
      metadata: { name: 'web', namespace: 'shop', uid: 'u', creationTimestamp: ago(age) },
      spec: { containers: [{ name: 'app', image: 'web:1' }], ...(schedulerName && { schedulerName }) },
      status: { phase: 'Pending' },
    } as unknown as Pod;
    return detectFailure({ pod, events, now: NOW, graces: { pendingSeconds: 10, unreadySeconds: 0 } })?.message;
  };
  assert.equal([seen(29), seen(30)], [undefined, 'no scheduler named default-scheduler has looked at the pod']);
  assert.equal([seen(9, 'mine'), seen(10, 'mine')], [undefined, 'no scheduler named mine has looked at the pod']);
  assert.is(seen(10, undefined, [event('FailedScheduling', 5, 'no node')]), 'no node', 'it has looked');
});

test.run();
