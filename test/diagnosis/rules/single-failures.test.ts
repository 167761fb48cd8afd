import { suite } from 'uvu';
import { configMissing } from '../../../src/diagnosis/rules/config-missing.ts';
import { imageName } from '../../../src/diagnosis/rules/image-name.ts';
import { imageNeverPull } from '../../../src/diagnosis/rules/image-never-pull.ts';
import { jobFailed } from '../../../src/diagnosis/rules/job-failed.ts';
import { tinyMemory } from '../../../src/diagnosis/rules/memory-unit.ts';
import { missingNode } from '../../../src/diagnosis/rules/missing-node.ts';
import { orderedPeers } from '../../../src/diagnosis/rules/ordered-peers.ts';
import { outOfMemory } from '../../../src/diagnosis/rules/out-of-memory.ts';
import { readinessGate } from '../../../src/diagnosis/rules/readiness-gate.ts';
import type { DiagnosisRule } from '../../../src/diagnosis/rules/rule.ts';
import { runAsRoot } from '../../../src/diagnosis/rules/run-as-root.ts';
import type { KubeObject } from '../../../src/crd/kubernetes.ts';
import { anInput, type CaseParts, crashed } from '../../support/builders/cases.ts';
import { tells, type Told } from '../../support/builders/told-by-rule.ts';

const small = suite('rules of one failure each');

interface Pod extends CaseParts {
  app?: object;
  spec?: object;
  owner?: object;
}
const ask = (rule: DiagnosisRule, { app = {}, spec = {}, owner, ...parts }: Pod) => {
  const input = anInput(app, spec, parts);
  return rule.answer(owner ? { ...input, subject: { ...input.subject, owner: owner as KubeObject } } : input);
};
const ofPod = (reason: string, message: string): CaseParts => ({
  failure_reason: reason,
  failure_message: message,
  container: null,
  container_statuses: [],
});
const waiting = (reason: string, message: string): CaseParts => ({ failure_reason: reason, status: { state: 'waiting', reason, message } });

type Row = [sentence: string, answer: ReturnType<DiagnosisRule['answer']>, expected: Partial<Told> | undefined];

// Memory in wrong units.
const memory = (limit: string, request?: string) => ({
  resources: { limits: { memory: limit }, ...(request ? { requests: { memory: request } } : {}) },
});
const BOX = ofPod('FailedCreatePodSandBox', 'it cannot start');
// A node that does not exist.
const taken = (name: string) => ofPod('Pending', `the node "${name}" has not taken the pod`);
const nodes = (...names: string[]) => ({
  surroundings: { nodes: names.map((name) => ({ name, labels: {}, allocatable: {}, taints: [] })) },
});
// Readiness gates.
const gates = (...types: string[]) => ({ spec: { readinessGates: types.map((conditionType) => ({ conditionType })) } });
const GATE = ofPod('ReadinessGatesNotReady', 'corresponding condition of pod readiness gate "lb" does not exist.');
// Root.
const ROOT = waiting('CreateContainerConfigError', 'container has runAsNonRoot and image will run as root');
const NAMED = waiting(
  'CreateContainerConfigError',
  'container has runAsNonRoot and image has non-numeric user (shop), cannot verify user is non-root',
);
const ZERO = waiting('CreateContainerConfigError', "container's runAsUser breaks non-root policy");
const pair = {
  containers: [
    { name: 'app', image: 'web:1' },
    { name: 'b', image: 'b:1' },
  ],
};
const owns = (command: string, user = 0, name = 'own'): Pod => ({
  ...ZERO,
  container: name,
  container_statuses: [
    {
      name,
      kind: 'init',
      state: 'waiting',
      reason: 'CreateContainerConfigError',
      message: "container's runAsUser breaks non-root policy",
      ready: false,
    },
  ],
  spec: { initContainers: [{ name, image: 'x:1', command: ['sh', '-c', command], securityContext: { runAsUser: user } }] },
});
// Configuration.
const config = (message: string) => waiting('CreateContainerConfigError', message);
const NO_MAP = config('configmap "shop" not found');
const NO_KEY = config("couldn't find key port in ConfigMap shop/shop");
const NO_SECRET_KEY = config("couldn't find key port in Secret shop/shop");
const has = (...keys: string[]) => ({ surroundings: { configMaps: [{ name: 'shop', keys }], secrets: [{ name: 'shop', keys }] } });
const port = (from: 'configMapKeyRef' | 'secretKeyRef') => ({
  app: { env: [{ name: 'PORT', valueFrom: { [from]: { name: 'shop', key: 'port' } } }] },
});
const FILE = ofPod('FailedMount', 'MountVolume.SetUp failed for volume "conf" : references non-existent config key: a.conf');
const SECRET_FILE = ofPod('FailedMount', 'MountVolume.SetUp failed for volume "conf" : references non-existent secret key: a.conf');
const volume = (source: object) => ({
  spec: {
    volumes: [
      { name: 'x', configMap: { name: 'other' } },
      { name: 'conf', ...source },
    ],
  },
});
// Memory that ran out.
const killed = (more: object = {}): CaseParts => ({
  failure_reason: 'OOMKilled',
  status: {
    state: 'waiting',
    reason: 'CrashLoopBackOff',
    last_state: { state: 'terminated', reason: 'OOMKilled', exit_code: 137 },
    ...more,
  },
});
// Members of a StatefulSet.
const member = (log: string, { spec = {}, there, ...more }: { spec?: object; there?: number } & CaseParts = {}): Pod => ({
  pod_name: 'db-0',
  failure_reason: 'Unhealthy',
  status: { state: 'running' },
  logs: `==> app (current) <==\n${log}\n`,
  owner: {
    kind: 'StatefulSet',
    metadata: { name: 'db' },
    spec: { replicas: 3, ...spec },
    status: there === undefined ? {} : { replicas: there },
  },
  ...more,
});
const MISSED = 'lookup db-1.db: no such host';
const FEW = 'waiting for 2 peers';
// Images.
const image = (name: string, images: string[] = []) => ({
  ...waiting('InvalidImageName', `Failed to apply default image tag "${name}": couldn't parse image name`),
  app: { image: name },
  surroundings: { images },
});
const never = (name: string, images: string[] = []) => ({
  ...waiting('ErrImageNeverPull', `Container image "${name}" is not present with pull policy of Never`),
  app: { image: name },
  surroundings: { images },
});
// Jobs.
const job = (reason: string, message: string, more: Pod = {}): Pod => ({
  failure_reason: reason,
  failure_message: message,
  resource_kind: 'Job',
  pod_name: 'import',
  container: null,
  container_statuses: [],
  ...more,
});
const pod = (last: object) => ({
  container_statuses: [
    { name: 'ok', kind: 'app' as const, state: 'terminated' as const, exit_code: 0, ready: false },
    { name: 'app', kind: 'app' as const, state: 'terminated' as const, ready: false, ...last },
  ],
});

const LIMIT = 'Job has reached the specified backoff limit';

const ROWS: Row[] = [
  ['memory: no tiny limit', ask(tinyMemory, { ...BOX, app: memory('1Mi') }), undefined],
  [
    'memory: an eighth of a byte',
    ask(tinyMemory, { ...BOX, app: memory('128m', '64m') }),
    {
      summary:
        'The pod `web` cannot start: the memory limit `128m` of container `app` means 0.128 bytes, because `m` stands for thousandths.',
      culprit: 'memory limit 128m',
      evidence: ['manifest: resources.limits.memory of app: 128m', 'pod status: it cannot start'],
      advice: ['Write memory with `Mi` or `Gi`. `m` are thousandths, and a number alone are bytes.'],
      commands: ['kubectl describe pod web -n shop'],
      corrections: [
        ['likely', 'Set the memory limit to `128Mi`', { 'resources.limits.memory': '128Mi', 'resources.requests.memory': '64Mi' }],
      ],
      why: 'The limit is too low for any program.',
      look: "the container's `resources`",
    },
  ],
  [
    'memory: bytes, in an init container',
    ask(tinyMemory, { ...BOX, spec: { initContainers: [{ name: 'i', image: 'i:1', ...memory('512') }] }, app: memory('1Gi') }),
    {
      summary: 'The pod `web` cannot start: the memory limit `512` of container `i` means 512 bytes.',
      corrections: [['likely', 'Set the memory limit to `512Mi`', { 'spec.initContainers[0].resources.limits.memory': '512Mi' }]],
    },
  ],
  ['memory: a tiny limit in another unit', ask(tinyMemory, { ...BOX, app: memory('4Ki') }), undefined],
  ['memory: no limit at all', ask(tinyMemory, { ...BOX, app: memory('0') }), undefined],
  ['memory: a request beside a good limit', ask(tinyMemory, { ...BOX, app: memory('1Gi', '128m') }), undefined],
  ['memory: another reason', ask(tinyMemory, { ...ofPod('Pending', 'x'), app: memory('128m') }), undefined],
  [
    'memory: nothing is said',
    ask(tinyMemory, { ...ofPod('FailedMount', ''), app: memory('128m') }),
    { evidence: ['manifest: resources.limits.memory of app: 128m'] },
  ],
  [
    'node: it does not exist',
    ask(missingNode, { ...taken('node-9'), ...nodes('node-8', 'x'), spec: { nodeName: 'node-9' } }),
    {
      summary: 'The pod `web` never started: its manifest names the node `node-9`, which the cluster does not have.',
      culprit: 'nodeName node-9',
      evidence: ['manifest: spec.nodeName: node-9'],
      advice: ['Let the scheduler choose the node, or correct `nodeName`.'],
      commands: ['kubectl describe pod web -n shop', 'kubectl get nodes'],
      corrections: [['likely', 'Let the scheduler choose the node', { 'spec.nodeName': null }]],
      why: 'The node is there and does not answer.',
      look: 'the kubelet of node `node-9`',
    },
  ],
  [
    'node: it exists',
    ask(missingNode, { ...taken('node-9'), ...nodes('node-9'), spec: { nodeName: 'node-9' } }),
    {
      summary: 'The pod `web` never started: its manifest names the node `node-9`, which has not taken it.',
      advice: ['Look at the kubelet of the node.'],
      corrections: [],
    },
  ],
  [
    'node: no nodes are known',
    ask(missingNode, { ...taken('node-9'), spec: { nodeName: 'node-9' } }),
    {
      summary: 'The pod `web` never started: its manifest names the node `node-9`, which has not taken it.',
      advice: ['Look at the kubelet of the node.'],
      corrections: [['guess', 'Let the scheduler choose the node', { 'spec.nodeName': null }]],
    },
  ],
  ['node: another message', ask(missingNode, { ...ofPod('Pending', 'x'), spec: { nodeName: 'node-9' } }), undefined],
  ['node: the manifest names none', ask(missingNode, taken('node-9')), undefined],
  [
    'gate: one of two',
    ask(readinessGate, { ...GATE, ...gates('a', 'lb') }),
    {
      summary: 'The pod `web` is not ready, although its containers are: nobody has set the condition of its readiness gate `lb`.',
      culprit: 'readiness gate lb',
      evidence: ['pod status: corresponding condition of pod readiness gate "lb" does not exist.'],
      advice: [
        'See whether the controller that sets this condition (often that of a load balancer) runs in this cluster, and what it says about the pod.',
      ],
      commands: ['kubectl describe pod web -n shop'],
      corrections: [['guess', 'Remove the readiness gate `lb`', { 'spec.readinessGates': [{ conditionType: 'a' }] }]],
      why: 'Something outside of the pod sets the condition.',
      look: 'the controller that the name of the condition names',
    },
  ],
  [
    'gate: the only one',
    ask(readinessGate, { ...GATE, ...gates('lb') }),
    {
      corrections: [['guess', 'Remove the readiness gate `lb`', { 'spec.readinessGates': null }]],
    },
  ],
  ['gate: of no known pod', ask(readinessGate, GATE), { culprit: 'readiness gate', corrections: [] }],
  ['gate: another reason', ask(readinessGate, { ...GATE, failure_reason: 'Pending', ...gates('lb') }), undefined],
  [
    'root: the image',
    ask(runAsRoot, ROOT),
    {
      summary: 'Container `app` cannot start: the image runs as root, and `runAsNonRoot` forbids it.',
      culprit: 'runAsNonRoot: image web:1 runs as root',
      evidence: ['status of container app: container has runAsNonRoot and image will run as root'],
      advice: [
        'Give the container a user (`runAsUser`) that is not 0, or build the image with `USER` and a number.',
        'The program then needs folders that this user may write to, and ports above 1023 if the runtime does not allow lower ones.',
      ],
      corrections: [['likely', 'Run as user 1000', { 'spec.securityContext.runAsUser': 1000 }]],
      why: 'The image must name a user other than root.',
      look: "the image's `USER`",
    },
  ],
  [
    'root: one of two containers',
    ask(runAsRoot, { ...ROOT, spec: pair }),
    { culprit: 'container app, runAsNonRoot: image web:1 runs as root' },
  ],
  [
    'root: a name',
    ask(runAsRoot, { ...NAMED, app: { securityContext: { runAsNonRoot: true } } }),
    {
      summary:
        "Container `app` cannot start: the image's user `shop` is a name and not a number, so kubelet cannot know that it is not root.",
      culprit: 'runAsNonRoot: user shop of the image has no number',
      corrections: [['likely', 'Run as user 1000', { 'securityContext.runAsUser': 1000 }]],
    },
  ],
  [
    'root: the pod',
    ask(runAsRoot, { ...ZERO, app: { securityContext: { runAsUser: 0 } } }),
    {
      summary: 'Container `app` cannot start: `runAsUser: 0` contradicts `runAsNonRoot`.',
      culprit: 'runAsUser 0 against runAsNonRoot',
      corrections: [['guess', 'Run as user 1000', { 'securityContext.runAsUser': 1000 }]],
    },
  ],
  [
    'root: an init container that changes owners',
    ask(runAsRoot, owns('chown -R 7 /data')),
    {
      corrections: [
        ['likely', 'Let this init container run as root', { 'spec.initContainers[0].securityContext.runAsNonRoot': false }, 'no mirror'],
        ['guess', 'Run as user 1000', { 'spec.initContainers[0].securityContext.runAsUser': 1000 }],
      ],
    },
  ],
  [
    'root: an init container of an ordinary user',
    ask(runAsRoot, owns('chown -R 7 /data', 7)),
    {
      corrections: [['likely', 'Run as user 1000', { 'spec.initContainers[0].securityContext.runAsUser': 1000 }]],
    },
  ],
  [
    'root: an init container that does something else',
    ask(runAsRoot, owns('date')),
    {
      corrections: [['guess', 'Run as user 1000', { 'spec.initContainers[0].securityContext.runAsUser': 1000 }]],
    },
  ],
  [
    'root: a container that needs root',
    ask(runAsRoot, { ...ROOT, app: { command: ['sh', '-c', 'chown -R app /data && exec app'] } }),
    {
      corrections: [['guess', 'Run as user 1000', { 'spec.securityContext.runAsUser': 1000 }]],
    },
  ],
  ['root: another failure', ask(runAsRoot, waiting('CreateContainerConfigError', 'x')), undefined],
  [
    'configuration: no ConfigMap',
    ask(configMissing, NO_MAP),
    {
      summary: 'Container `app` cannot start: there is no ConfigMap `shop`.',
      culprit: 'ConfigMap shop',
      evidence: ['status of container app: configmap "shop" not found'],
      advice: ['Create the ConfigMap `shop` in namespace `shop`, or correct its name.'],
      commands: ['kubectl get configmaps -n shop', 'kubectl describe pod web -n shop'],
      corrections: [],
      why: 'Somebody must create the ConfigMap `shop`. The manifest only names it.',
      look: 'the ConfigMaps of the namespace, and what should have created this one',
    },
  ],
  [
    'configuration: no key',
    ask(configMissing, { ...NO_KEY, ...has('ports', 'host'), ...port('configMapKeyRef') }),
    {
      summary: 'Container `app` cannot start: there is no key `port` in ConfigMap `shop`.',
      culprit: 'key port in ConfigMap shop',
      advice: [
        'Add the key `port` to ConfigMap `shop`, or correct the key that the pod names. ConfigMap `shop` has the keys `ports`, `host`.',
      ],
      commands: ['kubectl describe configmap shop -n shop', 'kubectl describe pod web -n shop'],
      corrections: [
        ['likely', 'Use the key `ports`', { 'env[0].valueFrom.configMapKeyRef.key': 'ports' }],
        ['guess', 'Let the pod start without it', { 'env[0].valueFrom.configMapKeyRef.optional': true }],
      ],
      why: 'Somebody must create the key `port` in ConfigMap `shop`. The manifest only names it.',
    },
  ],
  [
    'configuration: a key of unknown keys',
    ask(configMissing, NO_KEY),
    { advice: ['Add the key `port` to ConfigMap `shop`, or correct the key that the pod names.'] },
  ],
  [
    'configuration: a key that is there',
    ask(configMissing, { ...NO_KEY, ...has('port'), ...port('configMapKeyRef') }),
    {
      summary: 'Container `app` cannot start: the kubelet did not find the key `port` in ConfigMap `shop`.',
      advice: [
        'ConfigMap `shop` has the key `port` now. Wait a minute: if the key came after the pod, the container starts by itself. If it does not, delete the pod, so that it is made anew. If it stands under `binaryData`, no variable can have it: mount it as a file, or write its text under `data`.',
      ],
      corrections: [],
      why: 'The ConfigMap has the key now, and the manifest names it rightly.',
    },
  ],
  [
    'configuration: a key of a Secret that is there',
    ask(configMissing, { ...NO_SECRET_KEY, ...has('port'), ...port('secretKeyRef') }),
    {
      advice: [
        'Secret `shop` has the key `port` now. Wait a minute: if the key came after the pod, the container starts by itself. If it does not, delete the pod, so that it is made anew.',
      ],
      look: 'the Secrets of the namespace, and what should have created this one',
    },
  ],
  [
    'configuration: a file of a ConfigMap',
    ask(configMissing, { ...FILE, ...volume({ configMap: { name: 'shop' } }) }),
    {
      summary: 'The pod `web` cannot start: there is no key `a.conf` in ConfigMap `shop`, which volume `conf` needs.',
      culprit: 'key a.conf in ConfigMap shop',
    },
  ],
  [
    'configuration: a file of a Secret',
    ask(configMissing, { ...SECRET_FILE, ...volume({ secret: { secretName: 'login' } }) }),
    { culprit: 'key a.conf in Secret login' },
  ],
  [
    'configuration: a file of several sources',
    ask(configMissing, {
      ...FILE,
      ...volume({
        projected: {
          sources: [
            { secret: { name: 's', items: [{ key: 'a.conf', path: 'a' }] } },
            { configMap: { name: 'b', items: [{ key: 'b', path: 'b' }] } },
            { configMap: { name: 'c', items: [{ key: 'a.conf', path: 'a' }] } },
          ],
        },
      }),
    }),
    { culprit: 'key a.conf in ConfigMap c' },
  ],
  ['configuration: a file of no known volume', ask(configMissing, FILE), { culprit: 'key a.conf in ConfigMap conf' }],
  ['configuration: another failure', ask(configMissing, config('x')), undefined],
  [
    'out of memory',
    ask(outOfMemory, { ...killed(), app: memory('64Mi'), logs: '==> app (previous) <==\nbye\n' }),
    {
      summary: 'Container `app` was killed because it used more memory than its limit of `64Mi`.',
      culprit: 'memory limit 64Mi',
      evidence: [
        'status of container app: terminated: OOMKilled, exit code 137, restarted 3 times',
        'last run of container app: OOMKilled',
        'manifest: resources.limits.memory: 64Mi',
        'log of app (previous), last line: bye',
      ],
      advice: [
        'Measure how much it needs at its peak and set the limit above that. If its use grows without end, it leaks, and a higher limit only delays the kill.',
        'Set the heap of runtimes that have one (JVM, Node) below the limit: `-XX:MaxRAMPercentage`, `--max-old-space-size`.',
      ],
      commands: ['kubectl top pod web --containers -n shop', 'kubectl logs web -c app --previous --tail=100 -n shop'],
      corrections: [
        ['likely', 'Raise the memory limit to `128Mi`', { 'resources.limits.memory': '128Mi' }],
        ['guess', 'Raise the memory limit to `512Mi`', { 'resources.limits.memory': '512Mi' }],
      ],
      why: 'No node has more memory than the limit.',
      look: 'the memory of the node, the limits of the pod and the namespace, and the memory that the program uses',
    },
  ],
  [
    'out of memory: the limit of the pod',
    ask(outOfMemory, { ...killed(), spec: { resources: { limits: { memory: '1Gi' } } } }),
    {
      summary: 'Container `app` was killed because it used more memory than the limit of the whole pod, `1Gi`.',
      culprit: 'memory limit of the pod 1Gi',
    },
  ],
  [
    'out of memory: no limit',
    ask(outOfMemory, killed()),
    {
      summary: 'Container `app` was killed because memory ran out; it has no memory limit of its own, so the pod or the node ran out.',
      culprit: 'memory',
      evidence: [
        'status of container app: terminated: OOMKilled, exit code 137, restarted 3 times',
        'last run of container app: OOMKilled',
      ],
      why: 'The container has no limit that could be raised.',
    },
  ],
  [
    'out of memory: no manifest',
    ask(outOfMemory, { ...killed(), manifest: 'kind: [' }),
    { summary: 'Container `app` was killed because memory ran out.' },
  ],
  [
    'out of memory: by an event',
    ask(outOfMemory, { failure_reason: 'Error', events: [{ reason: 'OOMKilling', message: 'Memory cgroup out of memory' }] }),
    {
      summary: 'Container `app` was killed because memory ran out; it has no memory limit of its own, so the pod or the node ran out.',
      evidence: ['event OOMKilling: Memory cgroup out of memory'],
    },
  ],
  [
    'out of memory: another container',
    ask(outOfMemory, {
      failure_reason: 'Error',
      container_statuses: [
        { name: 'b', kind: 'app', ready: false, ...crashed(137), last_state: { state: 'terminated', reason: 'OOMKilled', exit_code: 137 } },
      ],
    }),
    undefined,
  ],
  ['out of memory: nothing shows it', ask(outOfMemory, { failure_reason: 'Error', status: crashed(137) }), undefined],
  [
    'peers: a member that comes later',
    ask(orderedPeers, member(MISSED)),
    {
      summary:
        'Container `app` runs and is not ready, because it looks for `db-1`, which StatefulSet `db` starts only after `db-0` is ready (`podManagementPolicy: OrderedReady`).',
      culprit: 'podManagementPolicy OrderedReady: db-0 waits for db-1',
      evidence: ['log of app (current): lookup db-1.db: no such host'],
      advice: [
        'Make the StatefulSet again with `podManagementPolicy: Parallel`: the field cannot be changed in place. Its pods and claims stay when it is deleted with `--cascade=orphan`.',
        'Members that find each other by name before they are ready need `publishNotReadyAddresses: true` in the headless Service.',
      ],
      commands: ['kubectl logs db-0 -c app --previous --tail=100 -n shop', 'kubectl delete statefulset db --cascade=orphan -n shop'],
      why: 'The order in which a StatefulSet starts its pods cannot be changed while it exists.',
      look: '`podManagementPolicy` of the StatefulSet, its readiness probe, and `publishNotReadyAddresses` of its Service',
    },
  ],
  [
    'peers: several, in their order',
    ask(orderedPeers, member(`${MISSED}\ndb-2: unreachable\n${MISSED}`)),
    {
      culprit: 'podManagementPolicy OrderedReady: db-0 waits for db-1, db-2',
      evidence: ['log of app (current): lookup db-1.db: no such host'],
    },
  ],
  ['peers: a number of them', ask(orderedPeers, member(FEW)), { culprit: 'podManagementPolicy OrderedReady: db-0 waits for db-1' }],
  [
    'peers: a member that ended',
    ask(orderedPeers, member('Error: dial tcp: lookup db-1.db: no such host', { failure_reason: 'CrashLoopBackOff', status: crashed() })),
    {
      summary:
        'Container `app` keeps ending, because it looks for `db-1`, which StatefulSet `db` starts only after `db-0` is ready (`podManagementPolicy: OrderedReady`).',
    },
  ],
  ['peers: it starts them all at once', ask(orderedPeers, member(MISSED, { spec: { podManagementPolicy: 'Parallel' } })), undefined],
  ['peers: they are there', ask(orderedPeers, member(MISSED, { there: 2 })), undefined],
  [
    'peers: as many as the members so far',
    ask(orderedPeers, member(MISSED, { there: 1 })),
    { culprit: 'podManagementPolicy OrderedReady: db-0 waits for db-1' },
  ],
  ['peers: the last member', ask(orderedPeers, member(MISSED, { spec: { replicas: 1 } })), undefined],
  ['peers: an earlier member', ask(orderedPeers, member('lookup db-0.db: no such host', { pod_name: 'db-1' })), undefined],
  ['peers: a member beyond the last', ask(orderedPeers, member('lookup db-3.db: no such host')), undefined],
  ['peers: part of a longer name', ask(orderedPeers, member('lookup my-db-1.db: no such host\nlookup db-1x: no such host')), undefined],
  ['peers: a line that misses nobody', ask(orderedPeers, member('hello db-1')), undefined],
  [
    'peers: another kind of owner',
    ask(orderedPeers, { ...member(MISSED), owner: { kind: 'Deployment', metadata: { name: 'db' }, spec: { replicas: 3 } } }),
    undefined,
  ],
  ['peers: a pod of another name', ask(orderedPeers, member(MISSED, { pod_name: 'web-0' })), undefined],
  [
    'image name: upper case',
    ask(imageName, image('Shop/Web:1')),
    {
      summary: 'Container `app` cannot start: `Shop/Web:1` is not an image reference (a repository must be lower-case).',
      culprit: 'Shop/Web:1 (a repository must be lower-case)',
      evidence: [`status of container app: Failed to apply default image tag "Shop/Web:1": couldn't parse image name`],
      advice: ['A reference is `registry/folder/name:tag`: lower-case names, one colon before the tag, no spaces and no `https://`.'],
      commands: ['kubectl describe pod web -n shop'],
      corrections: [['likely', 'Use the image `shop/web:1`', { image: 'shop/web:1' }]],
      why: 'Nothing shows which image was meant.',
      look: "the template or pipeline that wrote the container's `image`",
    },
  ],
  [
    'image name: it is empty',
    ask(imageName, image('  ')),
    { summary: 'Container `app` cannot start: ` ` is not an image reference (it is empty).', corrections: [] },
  ],
  [
    'image name: a placeholder',
    ask(imageName, image('web:{{tag}}')),
    {
      summary: 'Container `app` cannot start: `web:{{tag}}` is not an image reference (a placeholder was not filled in).',
      corrections: [],
    },
  ],
  [
    'image name: white space',
    ask(imageName, image('web :1')),
    {
      summary: 'Container `app` cannot start: `web :1` is not an image reference (it has white space).',
      corrections: [['likely', 'Use the image `web:1`', { image: 'web:1' }]],
    },
  ],
  [
    'image name: a protocol',
    ask(imageName, image('https://shop/web:1')),
    {
      summary: 'Container `app` cannot start: `https://shop/web:1` is not an image reference (it begins with a protocol).',
      corrections: [['likely', 'Use the image `shop/web:1`', { image: 'shop/web:1' }]],
    },
  ],
  [
    'image name: two tags',
    ask(imageName, image('web:1:2')),
    {
      summary: 'Container `app` cannot start: `web:1:2` is not an image reference (it has two tags).',
      corrections: [
        ['guess', 'Use the image `web:1`', { image: 'web:1' }],
        ['guess', 'Use the image `web:2`', { image: 'web:2' }],
      ],
    },
  ],
  [
    'image name: two tags, one is known',
    ask(imageName, image('web:1:2', ['web:2'])),
    {
      corrections: [
        ['likely', 'Use the image `web:2`', { image: 'web:2' }],
        ['guess', 'Use the image `web:1`', { image: 'web:1' }],
      ],
    },
  ],
  [
    'image name: no tag',
    ask(imageName, image('web:')),
    {
      summary: 'Container `app` cannot start: `web:` is not an image reference (the tag is empty).',
      corrections: [['likely', 'Use the image `web`', { image: 'web' }]],
    },
  ],
  [
    'image name: no tag, and the cluster has tags',
    ask(imageName, image('web:', ['web:7', 'web:8'])),
    {
      corrections: [
        ['likely', 'Use the image `web:8`', { image: 'web:8' }],
        ['guess', 'Use the image `web:7`', { image: 'web:7' }],
        ['guess', 'Use the image `web`', { image: 'web' }],
      ],
    },
  ],
  [
    'image name: other characters',
    ask(imageName, image('web:1+2')),
    {
      summary: 'Container `app` cannot start: `web:1+2` is not an image reference (it has characters that a reference may not have).',
      corrections: [['likely', 'Use the image `web:1-2`', { image: 'web:1-2' }]],
    },
  ],
  [
    'image name: slashes',
    ask(imageName, image('/shop//web:1')),
    {
      corrections: [['likely', 'Use the image `shop/web:1`', { image: 'shop/web:1' }]],
    },
  ],
  [
    'image name: a port of the registry',
    ask(imageName, image('reg:5000/Shop/web:1')),
    {
      corrections: [['likely', 'Use the image `reg:5000/shop/web:1`', { image: 'reg:5000/shop/web:1' }]],
    },
  ],
  [
    'image name: only the status names it',
    ask(imageName, { ...image('Web'), manifest: 'kind: [', status: { state: 'waiting', reason: 'InvalidImageName', image: 'Web' } }),
    { culprit: 'Web (a repository must be lower-case)', evidence: [], corrections: [] },
  ],
  ['image name: another failure', ask(imageName, waiting('Pending', 'x')), undefined],
  [
    'never pulled',
    ask(imageNeverPull, never('web:1')),
    {
      summary: 'Container `app` cannot start: the image `web:1` is not on the node, and `imagePullPolicy: Never` forbids pulling it.',
      culprit: 'web:1',
      evidence: ['status of container app: Container image "web:1" is not present with pull policy of Never'],
      advice: ['Let the node pull it (`IfNotPresent`), or load the image onto every node that may run the pod.'],
      commands: ['kubectl describe pod web -n shop'],
      corrections: [['likely', 'Let the node pull the image', { imagePullPolicy: 'IfNotPresent' }]],
      why: 'Somebody must load the image onto the node.',
      look: 'the images of the node (`crictl images`)',
    },
  ],
  [
    'never pulled: the cluster has other tags',
    ask(imageNeverPull, never('web:1.2.3', ['web:1.2.4', 'web:5', 'web:6'])),
    {
      corrections: [
        ['likely', 'Use the image `web:1.2.4`', { image: 'web:1.2.4' }],
        ['guess', 'Use the image `web:6`', { image: 'web:6' }],
        ['guess', 'Let the node pull the image', { imagePullPolicy: 'IfNotPresent' }],
      ],
    },
  ],
  ['never pulled: no manifest', ask(imageNeverPull, { ...never('web:1'), manifest: 'kind: [' }), { corrections: [] }],
  ['never pulled: another failure', ask(imageNeverPull, waiting('Pending', 'x')), undefined],
  [
    'a Job: too many failures',
    ask(jobFailed, job('BackoffLimitExceeded', 'Job has reached the specified backoff limit')),
    {
      summary: 'The Job `import` gave up: its pods failed more often than `backoffLimit` allows.',
      culprit: 'backoffLimit',
      evidence: ['pod status: Job has reached the specified backoff limit'],
      advice: [
        'Read why its last pod failed. A higher `backoffLimit` only helps if the failure is random.',
        'A failed Job stays failed. Correct the cause, then delete the Job and create it again.',
      ],
      commands: [
        'kubectl get pods -l batch.kubernetes.io/job-name=import -n shop',
        'kubectl logs -l batch.kubernetes.io/job-name=import --all-containers --tail=50 -n shop',
      ],
      corrections: [],
      why: 'The limit only says how often to try. The logs of the pods say why they fail.',
      look: "the logs and statuses of the Job's pods",
    },
  ],
  [
    'a Job: its policy',
    ask(jobFailed, job('PodFailurePolicy', 'Container app failed with exit code 3')),
    {
      summary:
        'The Job `import` gave up: its `podFailurePolicy` says that this failure is final (`Container app failed with exit code 3`).',
      culprit: 'PodFailurePolicy: Container app failed with exit code 3',
    },
  ],
  [
    'a Job: its indexes',
    ask(jobFailed, job('FailedIndexes', 'FailedIndexes')),
    { summary: 'The Job `import` gave up: some of its indexes failed for good.', culprit: 'FailedIndexes', evidence: [] },
  ],
  [
    'a Job: too many indexes',
    ask(jobFailed, job('MaxFailedIndexesExceeded', '')),
    {
      summary: 'The Job `import` gave up: more of its indexes failed than `maxFailedIndexes` allows.',
      culprit: 'MaxFailedIndexesExceeded',
    },
  ],
  [
    'a Job: a pod that crashed',
    ask(jobFailed, job('BackoffLimitExceeded', LIMIT, pod({ reason: 'Error', exit_code: 3 }))),
    {
      summary:
        'The Job `import` gave up: its pods failed more often than `backoffLimit` allows. Container `app` ended with exit code 3: the program ended with its own error code.',
      culprit: 'exit code 3',
      evidence: ['pod status: Job has reached the specified backoff limit', 'status of container app: terminated: Error, exit code 3'],
      advice: [
        'Its documentation and the log of its last run say what the code means.',
        'No line of its log is known. If it logs nothing, run it by hand (`kubectl debug`, or `command: [sleep, "3600"]`) and see what it does.',
        'A failed Job stays failed. Correct the cause, then delete the Job and create it again.',
      ],
      why: 'The program itself ends, and nothing points at a field of the manifest.',
    },
  ],
  [
    'a Job: a pod without memory',
    ask(jobFailed, job('BackoffLimitExceeded', LIMIT, pod({ reason: 'OOMKilled', exit_code: 137 }))),
    {
      summary:
        'The Job `import` gave up: its pods failed more often than `backoffLimit` allows. Container `app` was killed because memory ran out; it has no memory limit of its own, so the pod or the node ran out.',
      culprit: 'memory',
    },
  ],
  [
    'a Job: a pod that could not start',
    ask(
      jobFailed,
      job(
        'BackoffLimitExceeded',
        '',
        pod({
          reason: 'StartError',
          exit_code: 128,
          message: 'OCI runtime create failed: exec: "serve": executable file not found in $PATH',
        }),
      ),
    ),
    {
      summary:
        'The Job `import` gave up: its pods failed more often than `backoffLimit` allows. Container `app` cannot start: `serve` is not in the image.',
      culprit: 'serve',
    },
  ],
  [
    'a Job: a pod that was too late',
    ask(
      jobFailed,
      job('BackoffLimitExceeded', '', {
        ...pod({ reason: 'Error', exit_code: 137 }),
        events: [{ reason: 'DeadlineExceeded', message: 'Pod was active on the node longer than the specified deadline' }],
      }),
    ),
    {
      summary:
        'The Job `import` gave up: its pods failed more often than `backoffLimit` allows. The Job `import` was ended because it ran longer than its deadline.',
      culprit: 'activeDeadlineSeconds',
    },
  ],
  ['a Job: another failure', ask(jobFailed, job('Pending', 'x')), undefined],
];
for (const [sentence, answer, expected] of ROWS) small(sentence, () => tells(answer, expected));

small.run();
