import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { containerStatus } from '../../../src/sandbox/kubelet/container-status.ts';
import { type PodView, podStatus } from '../../../src/sandbox/kubelet/status.ts';
import type { Loose } from '../../../src/sandbox/store/object.ts';

const status = suite('statuses that the kubelet of the sandbox writes');

const NOW = new Date('2030-01-01T00:01:00Z');
const RUNNING = { state: { running: {} }, lastState: {}, ready: true, started: true };
const UNREADY = { ...RUNNING, ready: false };
const ended = (exitCode: number) => ({ state: { terminated: { exitCode } }, lastState: {}, ready: false, started: false });
const WAITING = { state: { waiting: {} }, lastState: {}, ready: false, started: false };
/** Between two runs. */
const BETWEEN = { ...WAITING, lastState: { terminated: { exitCode: 1 } } };

function view(
  restartPolicy: string,
  statuses: Loose[],
  more: Partial<PodView> & { init?: [Loose, policy?: string][]; spec?: Loose } = {},
): PodView {
  const { init = [], spec = {}, ...rest } = more;
  const named = (list: Loose[], prefix: string) => list.map((one, index) => ({ ...one, name: `${prefix}${index}` }));
  return {
    pod: {
      metadata: { name: 'p', generation: 3 },
      spec: {
        restartPolicy,
        initContainers: init.map(([, policy], index) => ({ name: `i${index}`, ...(policy && { restartPolicy: policy }) })),
        ...spec,
      },
      status: {},
    } as never,
    initStatuses: named(
      init.map(([one]) => one),
      'i',
    ),
    statuses: named(statuses, 'c'),
    isSandboxReady: true,
    podIP: '10.244.0.2',
    startedAt: new Date('2030-01-01T00:00:00Z'),
    now: NOW,
    isOver: true,
    ...rest,
  };
}

/** Kubernetes, "Pod Lifecycle": `[what, view, phase, reason for which it is not ready]` */
const PHASES: [string, PodView, string, string | undefined][] = [
  ['its container runs', view('Always', [RUNNING]), 'Running', undefined],
  ['its container is not ready', view('Always', [RUNNING, UNREADY]), 'Running', 'containers with unready status: [c1]'],
  ['its container has not started', view('Always', [WAITING]), 'Pending', 'containers with unready status: [c0]'],
  ['one of two has not started', view('Always', [RUNNING, WAITING]), 'Pending', 'containers with unready status: [c1]'],
  ['it is between two runs', view('Always', [BETWEEN]), 'Running', 'containers with unready status: [c0]'],
  ['it ended, and will run again', view('Always', [ended(0)]), 'Running', 'containers with unready status: [c0]'],
  ['it ended well', view('Never', [ended(0)]), 'Succeeded', 'PodCompleted'],
  ['both ended well', view('OnFailure', [ended(0), ended(0)]), 'Succeeded', 'PodCompleted'],
  ['it failed, and is not run again', view('Never', [ended(0), ended(1)]), 'Failed', 'PodFailed'],
  ['it failed, and is run again', view('OnFailure', [ended(1)]), 'Running', 'containers with unready status: [c0]'],
  ['the kubelet ended it', view('Always', [RUNNING], { ended: { reason: 'Evicted', message: 'full' } }), 'Failed', 'PodFailed'],
  ['its init container runs', view('Always', [WAITING], { init: [[RUNNING]] }), 'Pending', 'containers with unready status: [c0]'],
  ['its init container ended well', view('Always', [RUNNING], { init: [[ended(0)]] }), 'Running', undefined],
  ['its init container failed for good', view('Never', [WAITING], { init: [[ended(1)]] }), 'Failed', 'PodFailed'],
  [
    'its init container is tried again',
    view('OnFailure', [WAITING], { init: [[ended(1)]] }),
    'Pending',
    'containers with unready status: [c0]',
  ],
  ['its sidecar has started', view('Always', [RUNNING], { init: [[RUNNING, 'Always']] }), 'Running', undefined],
  [
    'its sidecar is not ready',
    view('Always', [RUNNING], { init: [[UNREADY, 'Always']] }),
    'Running',
    'containers with unready status: [i0]',
  ],
  [
    'its sidecar has not started',
    view('Always', [WAITING], { init: [[WAITING, 'Always']] }),
    'Pending',
    'containers with unready status: [i0 c0]',
  ],
  [
    'its sidecar failed',
    view('Never', [RUNNING], { init: [[{ ...ended(1), started: true }, 'Always']] }),
    'Running',
    'containers with unready status: [i0]',
  ],
];
for (const [what, one, phase, why] of PHASES)
  status(`${what}: ${phase}`, () => {
    const found = podStatus(one);
    assert.is(found.phase, phase);
    const ready = found.conditions.find(({ type }: Loose) => type === 'Ready');
    assert.equal([ready.status, ready.message ?? ready.reason], [why === undefined ? 'True' : 'False', why]);
  });

status('a pod gets a terminal phase and its reason only when its containers and sandbox are gone', () => {
  const evicted = { reason: 'Evicted', message: 'full' };
  const going = (isOver: boolean, earlier?: string) => {
    const one = view('Never', [ended(1)], { isOver, ended: evicted });
    one.pod.status = { ...(earlier && { phase: earlier }) };
    const { phase, reason, message } = podStatus(one);
    return [phase, reason, message];
  };
  assert.equal(going(false, 'Running'), ['Running', undefined, undefined]);
  assert.equal(going(false), ['Pending', undefined, undefined]);
  assert.equal(going(true, 'Running'), ['Failed', 'Evicted', 'full']);
});

status('addresses, times and the statuses of the containers', () => {
  const { conditions: _conditions, ...rest } = podStatus(view('Always', [RUNNING], { init: [[ended(0)]] }));
  assert.equal(rest, {
    initContainerStatuses: [{ ...ended(0), name: 'i0' }],
    containerStatuses: [{ ...RUNNING, name: 'c0' }],
    hostIP: '172.31.255.1',
    hostIPs: [{ ip: '172.31.255.1' }],
    observedGeneration: 3,
    phase: 'Running',
    podIP: '10.244.0.2',
    podIPs: [{ ip: '10.244.0.2' }],
    startTime: '2030-01-01T00:00:00Z',
  });
  const early = podStatus(view('Always', [WAITING], { podIP: undefined }));
  assert.equal([early.podIP, early.podIPs, early.initContainerStatuses], [undefined, undefined, undefined]);
});

status('the conditions, in the order of the kubelet; what others wrote stays, and a time changes only with its status', () => {
  const before = '2029-01-01T00:00:00Z';
  const one = view('Always', [UNREADY], { init: [[RUNNING], [RUNNING]], isSandboxReady: false });
  one.pod.status = {
    conditions: [
      { type: 'Ready', status: 'True', lastTransitionTime: before },
      { type: 'Initialized', status: 'False', lastTransitionTime: before },
      { type: 'example.com/gate', status: 'True' },
    ],
    qosClass: 'BestEffort',
  };
  const found = podStatus(one);
  const shown = found.conditions.map(({ type, status: is, lastTransitionTime = '-', reason = '-' }: Loose) =>
    [type, is, lastTransitionTime, reason].join(' '),
  );
  const now = '2030-01-01T00:01:00Z';
  assert.equal(shown, [
    'example.com/gate True - -',
    `PodReadyToStartContainers False ${now} -`,
    `Initialized False ${before} ContainersNotInitialized`,
    `Ready False ${now} ContainersNotReady`,
    `ContainersReady False ${now} ContainersNotReady`,
    `PodScheduled True ${now} -`,
  ]);
  assert.is(found.conditions[2].message, 'containers with incomplete status: [i0 i1]');
  assert.equal(
    found.conditions.slice(1).map(({ observedGeneration, lastProbeTime }: Loose) => [observedGeneration, lastProbeTime]),
    Array.from({ length: 5 }, () => [3, null]),
  );
  assert.is(found.qosClass, 'BestEffort');
});

status('a pod that has ended well is initialized', () => {
  const [, initialized] = podStatus(view('Never', [ended(0)], { init: [[ended(0)]] })).conditions;
  assert.equal([initialized.type, initialized.status, initialized.reason], ['Initialized', 'True', 'PodCompleted']);
});

status('readiness gates hold a pod back', () => {
  const gates = ['a', 'b', 'c'].map((conditionType) => ({ conditionType }));
  const one = view('Always', [RUNNING], { spec: { readinessGates: gates } });
  one.pod.status = {
    conditions: [
      { type: 'b', status: 'False' },
      { type: 'c', status: 'True' },
    ],
  };
  const ready = podStatus(one).conditions.find(({ type }: Loose) => type === 'Ready');
  assert.equal(
    [ready.status, ready.reason, ready.message],
    [
      'False',
      'ReadinessGatesNotReady',
      'corresponding condition of pod readiness gate "a" does not exist., the status of pod readiness gate "b" is not "True", but False',
    ],
  );
});

const RUN = { id: 'abc', log: [], size: 0 };
status('a container without a run has no id; with one it has its image, user and mounts', () => {
  const spec = {
    name: 'app',
    image: 'web:1',
    volumeMounts: [
      { name: 'a', mountPath: '/a', subPath: 'x' },
      { name: 'b', mountPath: '/b', readOnly: true },
    ],
  };
  const base = { spec, state: { waiting: {} }, lastState: {}, isReady: false, isStarted: true, restartCount: 2 };
  const mounts = [
    { mountPath: '/a', name: 'a' },
    { mountPath: '/b', name: 'b', readOnly: true, recursiveReadOnly: 'Disabled' },
  ];
  const common = { lastState: {}, name: 'app', ready: false, restartCount: 2, started: true, state: { waiting: {} }, volumeMounts: mounts };
  const image = { name: 'docker.io/library/web:1', digest: 'sha256:1' } as never;
  const bare = containerStatus({ ...base, spec: { name: 'app', image: 'web:1' }, current: undefined }, { image: undefined, uid: 0 });
  assert.equal([bare.volumeMounts, bare.containerID, bare.image], [undefined, undefined, 'web:1']);
  assert.equal(containerStatus({ ...base, current: undefined }, { image, uid: 7 }), { ...common, image: 'web:1', imageID: '' });
  assert.equal(containerStatus({ ...base, current: RUN }, { image, uid: 7 }), {
    ...common,
    containerID: 'containerd://abc',
    image: 'docker.io/library/web:1',
    imageID: 'docker.io/library/web@sha256:1',
    resources: {},
    user: { linux: { gid: 0, supplementalGroups: [0], uid: 7 } },
  });
});

status.run();
