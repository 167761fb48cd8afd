import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { startControllers } from '../../../src/sandbox/controllers/all.ts';
import { startClaims } from '../../../src/sandbox/controllers/claims.ts';
import { startCollector } from '../../../src/sandbox/controllers/collector.ts';
import { startDeployments } from '../../../src/sandbox/controllers/deployment.ts';
import { startEndpoints } from '../../../src/sandbox/controllers/endpoints.ts';
import { startJobs } from '../../../src/sandbox/controllers/job.ts';
import { controllerLoop } from '../../../src/sandbox/controllers/loop.ts';
import { startNamespaces } from '../../../src/sandbox/controllers/namespaces.ts';
import { templateHash, withCondition } from '../../../src/sandbox/controllers/pods.ts';
import { startQuotas } from '../../../src/sandbox/controllers/quota.ts';
import { recorder } from '../../../src/sandbox/controllers/recorder.ts';
import { startReplicaSets } from '../../../src/sandbox/controllers/replicaset.ts';
import { startDaemonSets, startStatefulSets } from '../../../src/sandbox/controllers/sets.ts';
import type { Api } from '../../../src/sandbox/api/api.ts';
import type { Loose, Stored } from '../../../src/sandbox/store/object.ts';
import { aPodBody, type BareApi, bareApi } from '../../support/builders/sandbox-api.ts';

// Each controller alone, on an API without a node: the test says what pods do.

const controllers = suite('controllers of the sandbox');

const NOW = '2030-01-01T00:00:00Z';
const withController = (...starts: ((api: Api) => () => void)[]): BareApi & { stop(): void; settle(ms?: number): Promise<void> } => {
  const bare = bareApi();
  const stops = starts.map((start) => start(bare.api));
  return {
    ...bare,
    stop: () => {
      for (const stop of stops) stop();
    },
    settle: (ms = 0) => bare.clock.advance(ms),
  };
};
const names = (objects: Stored[]) => objects.map(({ metadata }) => metadata.name);
const told = ({ list }: BareApi) => list('events').map(({ reason, message, type, count }) => `${type} ${reason} (${count}): ${message}`);
const condition = (status: Loose, type: string): Loose => status?.conditions?.find((one: Loose) => one.type === type);
const READY = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };

controllers('a loop runs each key once a turn, at the earliest time that was asked for', async () => {
  const { api, clock, make } = bareApi();
  const seen: string[] = [];
  const loop = controllerLoop(
    api,
    ({ object }) => (object.kind === 'ConfigMap' ? [object.metadata.name] : []),
    (key) => void seen.push(`${clock.now().getTime() - Date.parse(NOW)} ${key}`),
  );
  make('configmaps', { metadata: { name: 'a', namespace: 'shop' } });
  make('configmaps', { metadata: { name: 'b', namespace: 'shop' } });
  loop.enqueue('a');
  await clock.advance(0);
  assert.equal(seen.splice(0), ['0 b', '0 a']);
  loop.enqueue('late', 500);
  loop.enqueue('late', 900);
  loop.enqueue('soon', 500);
  loop.enqueue('soon');
  await clock.advance(1000);
  assert.equal(seen.splice(0), ['0 soon', '500 late']);
  loop.enqueue('x', 10);
  loop.stop();
  loop.enqueue('y');
  make('configmaps', { metadata: { name: 'c', namespace: 'shop' } });
  await clock.advance(1000);
  assert.equal(seen, []);
});

controllers('a pass that throws is repeated after 40 ms, 80 ms …, and a good one begins the count anew', async () => {
  const { api, clock } = bareApi();
  const seen: number[] = [];
  let isBroken = true;
  const loop = controllerLoop(
    api,
    () => [],
    () => {
      seen.push(clock.now().getTime() - Date.parse(NOW));
      if (isBroken) throw new Error('no');
    },
  );
  loop.enqueue('a');
  await clock.advance(300);
  assert.equal(seen.splice(0), [0, 40, 120, 280]);
  isBroken = false;
  await clock.advance(1000);
  assert.equal(seen.splice(0), [600]);
  isBroken = true;
  loop.enqueue('a');
  await clock.advance(41);
  assert.equal(seen, [1300, 1340]);
});

controllers('events: a repeated one is counted, many similar ones are combined, and one without a namespace is dropped', async () => {
  const bare = bareApi();
  const { api, make, clock } = bare;
  const object = make('configmaps', { metadata: { name: 'c', namespace: 'shop' } });
  const record = recorder(api, 'tester', { host: 'node-1' });
  record({ object, reason: 'Made', message: 'm' });
  await clock.advance(5000);
  record({ object, reason: 'Made', message: 'm' });
  const [event] = bare.list('events');
  assert.equal([event?.count, event?.firstTimestamp, event?.lastTimestamp, event?.type], [2, NOW, '2030-01-01T00:00:05Z', 'Normal']);
  assert.equal(
    [event?.source, event?.reportingComponent, event?.reportingInstance],
    [{ component: 'tester', host: 'node-1' }, 'tester', 'node-1'],
  );
  const { name, namespace, uid, resourceVersion } = object.metadata;
  assert.equal(event?.involvedObject, { kind: 'ConfigMap', apiVersion: 'v1', name, namespace, uid, resourceVersion });
  record({ object, reason: 'Made', message: 'm', type: 'Warning' });
  record({ object, reason: 'Made', message: 'm', fieldPath: 'spec.x' });
  assert.equal(told(bare).sort(), ['Normal Made (1): m', 'Normal Made (2): m', 'Warning Made (1): m']);
  assert.ok(bare.list('events').some(({ involvedObject }) => involvedObject.fieldPath === 'spec.x'));
  for (let index = 0; index < 12; index += 1) record({ object, reason: 'Many', message: `${index}` });
  const many = told(bare).filter((text) => text.includes('Many'));
  assert.equal([many.length, many.includes('Normal Many (3): (combined from similar events): 11')], [10, true]);
  await clock.advance(601_000);
  record({ object, reason: 'Many', message: '12' });
  assert.ok(told(bare).includes('Normal Many (1): 12'), 'ten minutes later they are told one by one');
  record({ object: { ...object, metadata: { ...object.metadata, namespace: 'gone' } }, reason: 'Lost', message: 'm' });
  assert.not(told(bare).some((text) => text.includes('Lost')));
});

controllers('events of the newer API have a time, and a series instead of a count', async () => {
  const bare = bareApi();
  const object = bare.make('pods', aPodBody('p'));
  const record = recorder(bare.api, 'default-scheduler', { isSeries: true });
  for (let times = 0; times < 3; times += 1) {
    record({ object, type: 'Warning', reason: 'No', message: 'm', action: 'Scheduling' });
    await bare.clock.advance(1000);
  }
  const [event] = bare.list('events');
  const { action, count, eventTime, series, reportingInstance, firstTimestamp } = event as Loose;
  assert.equal([action, count, reportingInstance, firstTimestamp], ['Scheduling', undefined, 'default-scheduler', null]);
  assert.equal([eventTime, series], ['2030-01-01T00:00:00.000000Z', { count: 3, lastObservedTime: '2030-01-01T00:00:02.000000Z' }]);
});

controllers('a condition keeps its time while its status is the same', () => {
  const old = { type: 'Ready', status: 'True', reason: 'A', message: 'm', lastTransitionTime: 'then' };
  const other = { type: 'Other', status: 'True' };
  const set = (change: Loose) =>
    withCondition([old, other], { type: 'Ready', status: 'True', reason: 'A', message: 'm', ...change }, 'now');
  assert.equal(set({}), [other, old]);
  assert.equal(set({ reason: 'B' }), [other, { ...old, reason: 'B' }]);
  assert.equal(set({ message: 'n' }), [other, { ...old, message: 'n' }]);
  assert.equal(set({ status: 'False' }), [other, { ...old, status: 'False', lastTransitionTime: 'now' }]);
  assert.equal(withCondition(undefined, { type: 'Ready', status: 'True' }, 'now'), [
    { type: 'Ready', status: 'True', lastTransitionTime: 'now' },
  ]);
});

controllers('equal templates have equal hashes of ten letters', () => {
  assert.match(templateHash({ a: 1 }), /^[bcdfghjklmnpqrstvwxz2456789]{10}$/);
  assert.equal([templateHash({ a: 1 }) === templateHash({ a: 1 }), templateHash({ a: 1 }) === templateHash({ a: 2 })], [true, false]);
});

const volume = (name: string, fields: Loose = {}) => ({
  metadata: { name },
  spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce', 'ReadOnlyMany'], hostPath: { path: '/x' }, ...fields },
});
const claim = (fields: Loose = {}) => ({
  metadata: { name: 'data', namespace: 'shop' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...fields },
});
for (const [what, made, isBound] of [
  ['one that is large enough', volume('v'), true],
  ['one that is larger', volume('v', { capacity: { storage: '2Gi' } }), true],
  ['one that is too small', volume('v', { capacity: { storage: '1023Mi' } }), false],
  ['one without the access mode', volume('v', { accessModes: ['ReadOnlyMany'] }), false],
  ['one of another class', volume('v', { storageClassName: 'fast' }), false],
  ['one that belongs to another claim', volume('v', { claimRef: { name: 'data', namespace: 'other', uid: 'u' } }), false],
  ['one that is kept for it by name', volume('v', { claimRef: { name: 'data', namespace: 'shop' } }), true],
] as const)
  controllers(`a claim and a volume: ${what}`, async () => {
    const bare = withController(startClaims);
    bare.make('persistentvolumes', made);
    bare.make('persistentvolumeclaims', claim());
    await bare.settle();
    const bound = bare.read('persistentvolumeclaims', 'shop/data');
    assert.is(bound?.status?.phase === 'Bound', isBound);
    if (!isBound)
      return assert.equal(told(bare), [
        'Normal FailedBinding (1): no persistent volumes available for this claim and no storage class is set',
      ]);
    const { spec, status } = bare.read('persistentvolumes', 'v')!;
    const { uid } = bound!.metadata;
    assert.equal(
      [spec.claimRef, status],
      [{ apiVersion: 'v1', kind: 'PersistentVolumeClaim', name: 'data', namespace: 'shop', uid }, { phase: 'Bound' }],
    );
    assert.equal(
      [bound!.spec.volumeName, bound!.status],
      ['v', { phase: 'Bound', accessModes: made.spec.accessModes, capacity: made.spec.capacity }],
    );
    assert.equal(told(bare), []);
  });

controllers('a claim waits for its volume, its class or the volume of its name, and asks every 15 seconds', async () => {
  const bare = withController(startClaims);
  bare.make('persistentvolumes', volume('other'));
  bare.make('persistentvolumeclaims', claim({ storageClassName: 'fast' }));
  bare.make('persistentvolumeclaims', { ...claim({ volumeName: 'mine' }), metadata: { name: 'named', namespace: 'shop' } });
  await bare.settle(15_000);
  const MISSING = 'storageclass.storage.k8s.io "fast" not found';
  const said = told(bare);
  assert.ok(said.includes(`Warning ProvisioningFailed (2): ${MISSING}`), said.join());
  bare.make('persistentvolumes', volume('mine'));
  bare.make('persistentvolumes', volume('quick', { storageClassName: 'fast' }));
  await bare.settle();
  const of = (name: string) => bare.read('persistentvolumeclaims', `shop/${name}`)?.spec.volumeName;
  assert.equal([of('data'), of('named')], ['quick', 'mine']);
});

const LABELS = { app: 'web' };
const template = { metadata: { labels: LABELS, annotations: { note: 'x' } }, spec: { containers: [{ name: 'app', image: 'web:1' }] } };
const workload = (name: string, fields: Loose = {}) => ({
  metadata: { name, namespace: 'shop' },
  spec: { selector: { matchLabels: LABELS }, template, ...fields },
});

controllers('a ReplicaSet keeps its number of pods, and removes unready ones first', async () => {
  const bare = withController(startReplicaSets);
  bare.make('replicasets', workload('rs', { replicas: 3 }));
  await bare.settle();
  const pods = () => bare.list('pods', 'shop');
  assert.is(pods().length, 3);
  const [pod] = pods();
  assert.match(pod!.metadata.name, /^rs-[a-z0-9]{5}$/);
  const set = bare.read('replicasets', 'shop/rs')!;
  assert.equal(pod!.metadata.ownerReferences, [
    { apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'rs', uid: set.metadata.uid, controller: true, blockOwnerDeletion: true },
  ]);
  assert.equal([pod!.metadata.labels, pod!.metadata.annotations], [LABELS, { note: 'x' }]);
  assert.equal(
    told(bare).sort(),
    names(pods()).map((name) => `Normal SuccessfulCreate (1): Created pod: ${name}`),
  );
  for (const name of names(pods()).slice(1)) bare.say('pods', `shop/${name}`, READY);
  await bare.settle();
  const { status } = bare.read('replicasets', 'shop/rs')!;
  assert.equal(status, {
    ...{ fullyLabeledReplicas: 3, readyReplicas: 2, availableReplicas: 2 },
    ...{ observedGeneration: 1, replicas: 3, terminatingReplicas: 0 },
  });
  const kept = names(pods()).slice(1);
  bare.api.change(bare.api.registry.builtin('replicasets'), set, '', (copy) => (copy.spec.replicas = 2));
  await bare.settle();
  assert.equal(names(pods()), kept);
  assert.ok(told(bare).includes(`Normal SuccessfulDelete (1): Deleted pod: ${pod!.metadata.name}`));
  bare.say('pods', `shop/${kept[0]}`, { phase: 'Failed' });
  await bare.settle();
  assert.is(pods().length, 3, 'a pod that has ended is replaced');
});

controllers('a ReplicaSet says why its pods are refused, and tries again', async () => {
  const bare = withController(startReplicaSets);
  bare.make('resourcequotas', { metadata: { name: 'q', namespace: 'shop' }, spec: { hard: { pods: '1' } } });
  bare.make('replicasets', workload('rs', { replicas: 3 }));
  await bare.settle(100);
  const failure = () => condition(bare.read('replicasets', 'shop/rs')?.status, 'ReplicaFailure');
  const first = failure();
  assert.equal([first.status, first.reason, first.lastTransitionTime], ['True', 'FailedCreate', NOW]);
  assert.match(first.message, /^pods "rs-[a-z0-9]{5}" is forbidden: exceeded quota: q/);
  assert.ok(told(bare).some((text) => text.startsWith('Warning FailedCreate (1): Error creating: pods "rs-')));
  assert.is(bare.list('pods', 'shop').length, 1);
  assert.is(failure().message, first.message, 'the first refusal stays');
  bare.api.remove(bare.api.registry.builtin('resourcequotas'), 'shop', 'q');
  await bare.settle(10_000);
  assert.equal([bare.list('pods', 'shop').length, failure()], [3, undefined]);
});

controllers('a StatefulSet makes its pods one after the other, each when the one before is ready', async () => {
  const bare = withController(startStatefulSets);
  bare.make('statefulsets', workload('db', { replicas: 3, serviceName: 'db' }));
  await bare.settle();
  const pods = () => bare.list('pods', 'shop');
  assert.equal(names(pods()), ['db-0']);
  const [first] = pods();
  assert.equal(first!.metadata.labels, { ...LABELS, 'apps.kubernetes.io/pod-index': '0', 'statefulset.kubernetes.io/pod-name': 'db-0' });
  assert.is(first!.spec.hostname, 'db-0');
  for (const index of [0, 1]) {
    bare.say('pods', `shop/db-${index}`, READY);
    await bare.settle();
  }
  assert.equal(names(pods()), ['db-0', 'db-1', 'db-2']);
  const set = bare.read('statefulsets', 'shop/db')!;
  assert.equal(set.status, {
    ...{ readyReplicas: 2, availableReplicas: 2, collisionCount: 0, currentReplicas: 3 },
    ...{ observedGeneration: 1, replicas: 3, updatedReplicas: 3 },
  });
  bare.say('pods', 'shop/db-1', { phase: 'Failed' });
  await bare.settle();
  assert.is.not(bare.read('pods', 'shop/db-1')?.status?.phase, 'Failed', 'an ended pod is made anew');
  bare.api.change(bare.api.registry.builtin('statefulsets'), set, '', (copy) => (copy.spec.replicas = 1));
  await bare.settle();
  assert.equal(names(pods()), ['db-0']);
});

controllers('a parallel StatefulSet makes its pods at once', async () => {
  const bare = withController(startStatefulSets);
  bare.make('statefulsets', workload('db', { replicas: 3, serviceName: 'db', podManagementPolicy: 'Parallel' }));
  await bare.settle();
  assert.equal(names(bare.list('pods', 'shop')), ['db-0', 'db-1', 'db-2']);
  assert.is(bare.read('statefulsets', 'shop/db')?.status.readyReplicas, undefined);
});

controllers('a DaemonSet has one pod on each node', async () => {
  const bare = withController(startDaemonSets);
  for (const name of ['n1', 'n2']) bare.make('nodes', { metadata: { name } });
  bare.make('daemonsets', workload('agent'));
  await bare.settle();
  const places = () =>
    bare
      .list('pods', 'shop')
      .map(({ spec }) => String(spec.nodeSelector['kubernetes.io/hostname']))
      .toSorted();
  assert.equal(places(), ['n1', 'n2']);
  const [pod] = bare.list('pods', 'shop');
  bare.say('pods', `shop/${pod!.metadata.name}`, READY);
  await bare.settle();
  assert.equal(bare.read('daemonsets', 'shop/agent')?.status, {
    ...{ currentNumberScheduled: 2, desiredNumberScheduled: 2, numberAvailable: 1, numberMisscheduled: 0 },
    ...{ numberReady: 1, numberUnavailable: 1, observedGeneration: 1, updatedNumberScheduled: 2 },
  });
  bare.say('pods', `shop/${pod!.metadata.name}`, { phase: 'Failed' });
  await bare.settle();
  assert.equal([places(), bare.read('pods', `shop/${pod!.metadata.name}`)], [['n1', 'n2'], undefined]);
});

const jobOf = (fields: Loose = {}) => ({
  metadata: { name: 'import', namespace: 'shop' },
  spec: { template: { spec: { restartPolicy: 'Never', containers: [{ name: 'app', image: 'web:1' }] } }, ...fields },
});
const jobWorld = (fields: Loose = {}) => {
  const bare = withController(startJobs);
  bare.make('jobs', jobOf(fields));
  const unfinished = () => bare.list('pods', 'shop').filter(({ status }) => !['Succeeded', 'Failed'].includes(status?.phase));
  const end = (phase: string) => bare.say('pods', `shop/${unfinished()[0]!.metadata.name}`, { phase });
  const status = () => bare.read('jobs', 'shop/import')!.status;
  return { ...bare, unfinished, end, status };
};

controllers('a Job is complete when enough pods have succeeded', async () => {
  const world = jobWorld({ completions: 3, parallelism: 2 });
  await world.settle();
  assert.is(world.unfinished().length, 2);
  assert.equal(world.status(), { active: 2, ready: 0, startTime: NOW, terminating: 0, uncountedTerminatedPods: {} });
  world.end('Succeeded');
  await world.settle();
  assert.equal([world.unfinished().length, world.status().succeeded, world.status().active], [2, 1, 2]);
  world.end('Succeeded');
  await world.settle();
  assert.is(world.unfinished().length, 1, 'no more than are wanted');
  await world.settle(5000);
  world.end('Succeeded');
  await world.settle();
  const { conditions, ...rest } = world.status();
  assert.equal(rest, {
    completionTime: '2030-01-01T00:00:05Z',
    ready: 0,
    startTime: NOW,
    succeeded: 3,
    terminating: 0,
    uncountedTerminatedPods: {},
  });
  assert.equal(
    conditions.map(({ type, status, reason, message }: Loose) => [type, status, reason, message]),
    ['SuccessCriteriaMet', 'Complete'].map((type) => [type, 'True', 'CompletionsReached', 'Reached expected number of succeeded pods']),
  );
  assert.ok(told(world).includes('Normal Completed (1): Job completed'));
});

controllers('a Job tries again after 10 s, then 20 s, and fails when its limit is passed', async () => {
  const world = jobWorld({ backoffLimit: 2 });
  await world.settle();
  for (const wait of [10_000, 20_000]) {
    world.end('Failed');
    await world.settle(wait - 1);
    assert.is(world.unfinished().length, 0, `${wait}`);
    await world.settle(1);
    assert.is(world.unfinished().length, 1, `${wait}`);
  }
  world.end('Failed');
  await world.settle();
  const { conditions, failed, active, completionTime } = world.status();
  assert.equal([failed, active, completionTime], [3, undefined, undefined]);
  assert.equal(
    conditions.map(({ type, reason }: Loose) => [type, reason]),
    [
      ['FailureTarget', 'BackoffLimitExceeded'],
      ['Failed', 'BackoffLimitExceeded'],
    ],
  );
  assert.ok(told(world).includes('Warning BackoffLimitExceeded (1): Job has reached the specified backoff limit'));
  await world.settle(700_000);
  assert.is(world.unfinished().length, 0, 'nothing more is tried');
});

controllers('restarts of containers count as failures, and what still runs is deleted', async () => {
  const world = jobWorld({ backoffLimit: 1 });
  await world.settle();
  const [pod] = world.unfinished();
  const restarted = (restartCount: number) => ({ phase: 'Running', containerStatuses: [{ restartCount: 0 }, { restartCount }] });
  world.say('pods', `shop/${pod!.metadata.name}`, restarted(1));
  await world.settle();
  assert.is(condition(world.status(), 'Failed'), undefined);
  world.say('pods', `shop/${pod!.metadata.name}`, restarted(2));
  await world.settle();
  assert.equal([condition(world.status(), 'Failed')?.reason, world.list('pods', 'shop')], ['BackoffLimitExceeded', []]);
});

controllers('a Job fails at its deadline; one that is suspended does nothing', async () => {
  const world = jobWorld({ activeDeadlineSeconds: 60 });
  await world.settle(59_999);
  assert.is(condition(world.status(), 'Failed'), undefined);
  await world.settle(1);
  assert.equal(
    [condition(world.status(), 'Failed')?.reason, condition(world.status(), 'Failed')?.message],
    ['DeadlineExceeded', 'Job was active longer than specified deadline'],
  );
  const waiting = jobWorld({ suspend: true });
  await waiting.settle(1000);
  assert.equal(waiting.list('pods', 'shop'), []);
});

const deploymentWorld = (fields: Loose = {}) => {
  const bare = withController(startDeployments, startReplicaSets);
  bare.make('deployments', {
    ...workload('web', { replicas: 2, ...fields }),
    metadata: { name: 'web', namespace: 'shop', annotations: { team: 'a' } },
  });
  const kind = bare.api.registry.builtin('deployments');
  const deployment = () => bare.read('deployments', 'shop/web')!;
  const change = (mutate: (copy: Loose) => void) => bare.api.change(kind, deployment(), '', mutate);
  const image = (name: string) => change((copy) => (copy.spec.template.spec.containers[0].image = name));
  const sets = () =>
    bare
      .list('replicasets', 'shop')
      .toSorted(
        (one, other) =>
          Number(one.metadata.annotations?.['deployment.kubernetes.io/revision']) -
          Number(other.metadata.annotations?.['deployment.kubernetes.io/revision']),
      );
  const ready = async () => {
    for (let rounds = 0; rounds < 6; rounds += 1) {
      for (const pod of bare.list('pods', 'shop'))
        if (!pod.metadata.deletionTimestamp) bare.say('pods', `shop/${pod.metadata.name}`, READY);
      await bare.settle();
    }
  };
  return { ...bare, deployment, change, image, sets, ready };
};

controllers('a Deployment rolls out: its conditions, its ReplicaSet and its counts', async () => {
  const world = deploymentWorld();
  await world.settle();
  const [set] = world.sets();
  const hash = templateHash(world.deployment().spec.template);
  assert.equal([set!.metadata.name, set!.metadata.labels?.['pod-template-hash'], set!.spec.replicas], [`web-${hash}`, hash, 2]);
  assert.equal(set!.spec.selector, { matchLabels: { ...LABELS, 'pod-template-hash': hash } });
  assert.equal(set!.metadata.annotations, {
    team: 'a',
    'deployment.kubernetes.io/desired-replicas': '2',
    'deployment.kubernetes.io/max-replicas': '3',
    'deployment.kubernetes.io/revision': '1',
  });
  assert.ok(told(world).includes(`Normal ScalingReplicaSet (1): Scaled up replica set web-${hash} from 0 to 2`));
  const conditions = () =>
    ['Available', 'Progressing'].map((type) => [
      condition(world.deployment().status, type)?.status,
      condition(world.deployment().status, type)?.reason,
    ]);
  assert.equal(conditions()[0], ['False', 'MinimumReplicasUnavailable']);
  await world.ready();
  assert.equal(conditions(), [
    ['True', 'MinimumReplicasAvailable'],
    ['True', 'NewReplicaSetAvailable'],
  ]);
  const { conditions: _conditions, ...counts } = world.deployment().status;
  assert.equal(
    [counts.replicas, counts.readyReplicas, counts.availableReplicas, counts.updatedReplicas, counts.unavailableReplicas],
    [2, 2, 2, 2, undefined],
  );
});

controllers('a new image replaces the old pods, and the old image brings its ReplicaSet back with a new revision', async () => {
  const world = deploymentWorld();
  await world.ready();
  world.image('web:2');
  await world.settle();
  assert.equal(
    world.sets().map(({ spec }) => spec.replicas),
    [2, 1],
    'first one more',
  );
  await world.ready();
  assert.equal(
    world.sets().map(({ spec }) => spec.replicas),
    [0, 2],
  );
  const [old] = world.sets();
  assert.ok(told(world).some((text) => text.endsWith(`Scaled down replica set ${old!.metadata.name} from 1 to 0`)));
  world.image('web:1');
  await world.ready();
  const [, back] = world.sets();
  assert.equal([back!.metadata.name, back!.spec.replicas, world.sets().length], [old!.metadata.name, 2, 2]);
  const annotations = back!.metadata.annotations ?? {};
  assert.equal([annotations['deployment.kubernetes.io/revision'], annotations['deployment.kubernetes.io/revision-history']], ['3', '1']);
  assert.is(world.deployment().metadata.annotations?.['deployment.kubernetes.io/revision'], '3');
});

controllers('a rollout that does not come forward is late after its deadline', async () => {
  const world = deploymentWorld({ progressDeadlineSeconds: 60 });
  await world.settle(59_000);
  const progressing = () => condition(world.deployment().status, 'Progressing');
  assert.equal([progressing().status, progressing().reason], ['True', 'ReplicaSetUpdated']);
  await world.settle(120_000);
  const [set] = world.sets();
  assert.equal(
    [progressing().status, progressing().reason, progressing().message],
    ['False', 'ProgressDeadlineExceeded', `ReplicaSet "${set!.metadata.name}" has timed out progressing.`],
  );
});

controllers('a paused Deployment does nothing; refused pods are told by it too', async () => {
  const paused = deploymentWorld({ paused: true });
  await paused.settle(1000);
  assert.equal(paused.sets(), []);
  const world = withController(startDeployments, startReplicaSets);
  world.make('resourcequotas', { metadata: { name: 'q', namespace: 'shop' }, spec: { hard: { pods: '0' } } });
  world.make('deployments', workload('web', { replicas: 1 }));
  await world.settle(100);
  const failure = condition(world.read('deployments', 'shop/web')?.status, 'ReplicaFailure');
  assert.equal([failure.status, failure.reason], ['True', 'FailedCreate']);
  assert.match(failure.message, 'exceeded quota: q');
});

controllers('quotas count the pods that have not ended', async () => {
  const bare = withController(startQuotas);
  const hard = { pods: '5', 'requests.cpu': '2', 'limits.memory': '1Gi' };
  bare.make('resourcequotas', { metadata: { name: 'q', namespace: 'shop' }, spec: { hard } });
  const resources = { requests: { cpu: '500m' }, limits: { memory: '256Mi' } };
  for (const name of ['a', 'b']) bare.make('pods', aPodBody(name, {}, { resources }));
  await bare.settle();
  const status = () => bare.read('resourcequotas', 'shop/q')?.status;
  assert.equal(status(), { hard, used: { pods: '2', 'requests.cpu': '1', 'limits.memory': '512Mi' } });
  bare.say('pods', 'shop/a', { phase: 'Succeeded' });
  await bare.settle();
  assert.equal(status().used, { pods: '1', 'requests.cpu': '500m', 'limits.memory': '256Mi' });
  bare.api.remove(bare.api.registry.builtin('pods'), 'shop', 'b');
  await bare.settle();
  assert.equal(status().used, { pods: '0', 'requests.cpu': '0', 'limits.memory': '0' });
});

controllers('a new namespace has its account and the CA; deleted ones come back', async () => {
  const bare = withController(startNamespaces);
  bare.make('namespaces', { metadata: { name: 'new' } });
  const furniture = () => [names(bare.list('serviceaccounts', 'new')), names(bare.list('configmaps', 'new'))];
  assert.equal(furniture(), [['default'], ['kube-root-ca.crt']], 'at once');
  bare.api.remove(bare.api.registry.builtin('serviceaccounts'), 'new', 'default');
  bare.api.remove(bare.api.registry.builtin('configmaps'), 'new', 'kube-root-ca.crt');
  await bare.settle();
  assert.equal(furniture(), [['default'], ['kube-root-ca.crt']]);
});

controllers('a deleted namespace is emptied; it waits for finalizers and says so', async () => {
  const bare = withController(startNamespaces);
  bare.make('namespaces', { metadata: { name: 'new' } });
  for (const name of ['a', 'b']) bare.make('configmaps', { metadata: { name, namespace: 'new', finalizers: ['example.org/hold'] } });
  bare.make('secrets', { metadata: { name: 'free', namespace: 'new' } });
  bare.api.remove(bare.api.registry.builtin('namespaces'), undefined, 'new');
  await bare.settle();
  const { status } = bare.read('namespaces', 'new')!;
  assert.is(status.phase, 'Terminating');
  assert.equal(
    status.conditions.map(({ type, status: is, reason, message }: Loose) => [type, is, reason, message]),
    [
      ['NamespaceDeletionDiscoveryFailure', 'False', 'ResourcesDiscovered', 'All resources successfully discovered'],
      ['NamespaceDeletionGroupVersionParsingFailure', 'False', 'ParsedGroupVersions', 'All legacy kube types successfully parsed'],
      ['NamespaceDeletionContentFailure', 'False', 'ContentDeleted', 'All content successfully deleted, may be waiting on finalization'],
      ['NamespaceContentRemaining', 'True', 'SomeResourcesRemain', 'Some resources are remaining: configmaps. has 2 resource instances'],
      [
        'NamespaceFinalizersRemaining',
        'True',
        'SomeFinalizersRemain',
        'Some content in the namespace has finalizers remaining: example.org/hold in 2 resource instances',
      ],
    ],
  );
  assert.equal(bare.list('secrets', 'new'), []);
  for (const name of ['a', 'b'])
    bare.api.change(
      bare.api.registry.builtin('configmaps'),
      { metadata: { name, namespace: 'new' } },
      '',
      (copy) => delete copy.metadata.finalizers,
    );
  await bare.settle(499);
  assert.ok(bare.read('namespaces', 'new'));
  await bare.settle(1);
  assert.is(bare.read('namespaces', 'new'), undefined);
});

const ownedBy = (owner: Stored, more: Loose = {}) => ({
  apiVersion: owner.apiVersion,
  kind: owner.kind,
  name: owner.metadata.name,
  uid: owner.metadata.uid,
  ...more,
});
const configMap = (bare: BareApi, name: string, ownerReferences: Loose[] = []) =>
  bare.make('configmaps', { metadata: { name, namespace: 'shop', ...(ownerReferences.length && { ownerReferences }) } });

controllers('what loses its last owner is deleted, and what keeps one loses the reference alone', async () => {
  const bare = withController(startCollector);
  const [one, other] = [configMap(bare, 'one'), configMap(bare, 'other')];
  configMap(bare, 'of-one', [ownedBy(one)]);
  configMap(bare, 'of-both', [ownedBy(one), ownedBy(other)]);
  configMap(bare, 'of-nobody', [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'one', uid: 'another' }]);
  configMap(bare, 'of-a-stranger', [{ apiVersion: 'example.org/v9', kind: 'ConfigMap', name: 'one', uid: 'x' }]);
  configMap(bare, 'of-an-unknown-kind', [{ apiVersion: 'example.org/v9', kind: 'Widget', name: 'one', uid: 'x' }]);
  await bare.settle();
  assert.equal(names(bare.list('configmaps', 'shop')), ['of-a-stranger', 'of-both', 'of-one', 'one', 'other']);
  bare.api.remove(bare.api.registry.builtin('configmaps'), 'shop', 'one');
  await bare.settle();
  assert.equal(names(bare.list('configmaps', 'shop')), ['of-a-stranger', 'of-both', 'other']);
  assert.equal(bare.read('configmaps', 'shop/of-both')?.metadata.ownerReferences, [ownedBy(other)]);
});

controllers('in the foreground, an owner goes after what blocks it; orphans stay without it', async () => {
  const bare = withController(startCollector);
  const kind = bare.api.registry.builtin('configmaps');
  const owner = configMap(bare, 'owner');
  configMap(bare, 'child', [ownedBy(owner, { blockOwnerDeletion: true })]);
  bare.api.change(
    kind,
    { metadata: { name: 'child', namespace: 'shop' } },
    '',
    (copy) => (copy.metadata.finalizers = ['example.org/hold']),
  );
  bare.api.remove(kind, 'shop', 'owner', { propagationPolicy: 'Foreground' });
  await bare.settle();
  assert.equal(names(bare.list('configmaps', 'shop')), ['child', 'owner'], 'the child holds it');
  assert.ok(bare.read('configmaps', 'shop/child')?.metadata.deletionTimestamp);
  bare.api.change(kind, { metadata: { name: 'child', namespace: 'shop' } }, '', (copy) => delete copy.metadata.finalizers);
  await bare.settle();
  assert.equal(bare.list('configmaps', 'shop'), []);
  const parent = configMap(bare, 'parent');
  configMap(bare, 'orphan', [ownedBy(parent)]);
  bare.api.remove(kind, 'shop', 'parent', { propagationPolicy: 'Orphan' });
  await bare.settle();
  assert.equal(names(bare.list('configmaps', 'shop')), ['orphan']);
  assert.is(bare.read('configmaps', 'shop/orphan')?.metadata.ownerReferences, undefined);
});

controllers('endpoints: the pods that a Service selects, ready and not, with the port of the first', async () => {
  const bare = withController(startEndpoints);
  bare.make('services', {
    metadata: { name: 'web', namespace: 'shop' },
    spec: { selector: LABELS, ports: [{ name: 'a', port: 80, targetPort: 'http' }] },
  });
  await bare.settle();
  const slice = () => bare.read('endpointslices', 'shop/web-sandbox')!;
  const older = () => bare.read('endpoints', 'shop/web')!;
  assert.equal([slice().endpoints ?? [], slice().ports, older().subsets ?? []], [[], [{ name: 'a', port: 80, protocol: 'TCP' }], []]);
  assert.equal([slice().addressType, slice().metadata.labels], ['IPv4', { 'kubernetes.io/service-name': 'web' }]);
  const placed = (name: string, podIP: string | undefined, status: Loose, labels: Loose = LABELS) => {
    bare.make('pods', aPodBody(name, { nodeName: 'n' }, { ports: [{ name: 'http', containerPort: 8080 }] }, { labels }));
    bare.say('pods', `shop/${name}`, { phase: 'Running', ...(podIP && { podIP }), ...status });
  };
  placed('a', '10.244.0.2', READY);
  placed('b', '10.244.0.3', {});
  placed('c', undefined, READY);
  placed('d', '10.244.0.5', { ...READY, phase: 'Failed' });
  placed('e', '10.244.0.6', READY, { app: 'other' });
  await bare.settle();
  const ref = (name: string) => ({ kind: 'Pod', namespace: 'shop', name, uid: bare.read('pods', `shop/${name}`)!.metadata.uid });
  const conditions = (ready: boolean) => ({ ready, serving: ready, terminating: false });
  assert.equal(slice().endpoints, [
    { addresses: ['10.244.0.2'], conditions: conditions(true), nodeName: 'n', targetRef: ref('a') },
    { addresses: ['10.244.0.3'], conditions: conditions(false), nodeName: 'n', targetRef: ref('b') },
  ]);
  const ports = [{ name: 'a', port: 8080, protocol: 'TCP' }];
  assert.equal(slice().ports, ports);
  const address = (name: string, ip: string) => ({ ip, nodeName: 'n', targetRef: ref(name) });
  assert.equal(older().subsets, [{ addresses: [address('a', '10.244.0.2')], notReadyAddresses: [address('b', '10.244.0.3')], ports }]);
  bare.say('pods', 'shop/b', { ...READY, podIP: '10.244.0.3' });
  await bare.settle();
  assert.is(older().subsets[0].notReadyAddresses, undefined);
  bare.api.remove(bare.api.registry.builtin('pods'), 'shop', 'a', { gracePeriodSeconds: 0 });
  await bare.settle();
  assert.is(slice().endpoints.length, 1);
});

controllers('a Service without a selector has no endpoints', async () => {
  const bare = withController(startEndpoints);
  bare.make('services', { metadata: { name: 'web', namespace: 'shop' }, spec: { ports: [{ port: 80 }] } });
  await bare.settle();
  assert.equal([bare.list('endpointslices'), bare.list('endpoints')], [[], []]);
});

controllers('all of them start, and do nothing after they are stopped', async () => {
  const bare = bareApi();
  const stop = startControllers(bare.api);
  const node = { metadata: { name: 'n' } };
  bare.make('nodes', node);
  const make = (suffix: string) => {
    for (const [plural, kind] of [
      ['deployments', 'd'],
      ['statefulsets', 's'],
      ['daemonsets', 'a'],
      ['jobs', 'j'],
    ] as const) {
      const body: Loose = plural === 'jobs' ? jobOf() : workload('x', { replicas: 1, serviceName: 'x' });
      bare.make(plural, { ...body, metadata: { name: `${kind}${suffix}`, namespace: 'shop' } });
    }
    bare.make('services', { metadata: { name: `web${suffix}`, namespace: 'shop' }, spec: { selector: LABELS, ports: [{ port: 80 }] } });
    bare.make('resourcequotas', { metadata: { name: `q${suffix}`, namespace: 'shop' }, spec: { hard: { pods: '50' } } });
    bare.make('persistentvolumeclaims', { ...claim(), metadata: { name: `c${suffix}`, namespace: 'shop' } });
    bare.make('namespaces', { metadata: { name: `ns${suffix}` } });
    configMap(bare, `lost${suffix}`, [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'gone', uid: 'x' }]);
  };
  const state = () => ({
    pods: bare.list('pods', 'shop').length,
    sets: bare.list('replicasets', 'shop').length,
    slices: bare.list('endpointslices', 'shop').length,
    quotas: bare.list('resourcequotas', 'shop').filter(({ status }) => status?.used).length,
    claims: bare.list('events', 'shop').filter(({ reason }) => reason === 'FailedBinding').length,
    accounts: bare.list('serviceaccounts').length,
    lost: names(bare.list('configmaps', 'shop')).filter((name) => name.startsWith('lost')).length,
  });
  make('1');
  await bare.clock.advance(1000);
  const first = state();
  assert.equal(first, { pods: 4, sets: 1, slices: 1, quotas: 1, claims: 1, accounts: 3, lost: 0 });
  stop();
  make('2');
  await bare.clock.advance(1000);
  assert.equal(state(), { ...first, lost: 1 });
});

controllers.run();
