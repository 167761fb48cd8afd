import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Pod } from '../../src/crd/kubernetes.ts';
import { projectPod, projectPodWithResources } from '../../src/kube/project-pod.ts';

const ASKED = { requests: { cpu: '100m', memory: '64Mi', 'example.com/gpu': '1' }, limits: { memory: '128Mi' } };
const GRANTED = { requests: { cpu: '100m', memory: '64Mi' }, limits: { memory: '256Mi' } };

const podWith = (granted?: object, pod?: object): Pod =>
  ({
    metadata: { name: 'web-0' },
    spec: { containers: [{ name: 'app', image: 'web:1', resources: ASKED }], ...(pod && { resources: pod }) },
    status: { containerStatuses: [{ name: 'app', ready: true, restartCount: 0, image: 'web:1', ...(granted && { resources: granted }) }] },
  }) as Pod;

const pods = suite('what is kept of a pod');

pods('agents keep no resources', () => {
  assert.not.match(JSON.stringify(projectPod(podWith(GRANTED, ASKED))), 'resources');
});

pods('agents keep when a container starts again', () => {
  const own = { restartPolicy: 'Never', restartPolicyRules: [{ action: 'Restart', exitCodes: { operator: 'In', values: [42] } }] };
  const made = podWith();
  const [app] = projectPod({ ...made, spec: { containers: [{ name: 'app', ...own }] } }).spec.containers;
  assert.equal(app, { name: 'app', ...own });
});

for (const [situation, pod, app, whole] of [
  ['CPU and memory, as asked for', podWith(), { requests: { cpu: '100m', memory: '64Mi' }, limits: { memory: '128Mi' } }, undefined],
  ['what the node has granted, while a resize is under way', podWith(GRANTED), GRANTED, undefined],
  ['those of the pod as a whole', podWith(GRANTED, { limits: { memory: '1Gi' } }), GRANTED, { limits: { memory: '1Gi' } }],
] as [string, Pod, object, object | undefined][])
  pods(`advice keeps ${situation}`, () => {
    const { spec } = projectPodWithResources(pod);
    assert.equal([spec.containers[0]?.resources, spec.resources], [app, whole]);
  });

pods('all that detection and evidence read is kept, and nothing else', () => {
  const kept = { name: 'web-0', namespace: 'shop', uid: 'u', resourceVersion: '7', creationTimestamp: 'c', deletionTimestamp: 'd' };
  const lists = { labels: { app: 'web' }, ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: 'x' }] };
  const probe = { initialDelaySeconds: 1, periodSeconds: 2, failureThreshold: 3 };
  const container = { name: 'app', image: 'web:1', readinessProbe: probe, startupProbe: { periodSeconds: 9 } };
  const state = { waiting: { reason: 'X', message: 'm' } };
  const ended = { terminated: { exitCode: 1, reason: 'Error', finishedAt: 'f', message: 'm' } };
  const status = { name: 'app', ready: false, started: true, restartCount: 4, image: 'web:1', state, lastState: ended };
  const condition = { type: 'Ready', status: 'False', reason: 'r', message: 'm', lastTransitionTime: 't' };
  const spec = { nodeName: 'n', restartPolicy: 'Never', schedulerName: 's', schedulingGates: [{ name: 'g' }] };
  const facts = { phase: 'Running', reason: 'Evicted', message: 'm', startTime: 's' };
  const pod = {
    apiVersion: 'v1',
    metadata: { ...kept, ...lists, annotations: { note: 'x' }, managedFields: [{}] },
    spec: {
      ...spec,
      initContainers: [{ ...container, name: 'init', env: [] }],
      containers: [{ ...container, readinessProbe: { ...probe, httpGet: {} }, args: ['x'], livenessProbe: {} }],
      volumes: [],
    },
    status: {
      ...facts,
      podIP: '10.0.0.1',
      conditions: [{ ...condition, lastProbeTime: 'p' }],
      initContainerStatuses: [{ ...status, name: 'init', imageID: 'i' }],
      containerStatuses: [{ ...status, containerID: 'i' }],
    },
  };
  assert.equal(projectPod(pod as unknown as Pod), {
    kind: 'Pod',
    metadata: { ...kept, ...lists },
    spec: { ...spec, initContainers: [{ ...container, name: 'init' }], containers: [container] },
    status: { ...facts, conditions: [condition], initContainerStatuses: [{ ...status, name: 'init' }], containerStatuses: [status] },
  } as unknown as Pod);
  const bare = { metadata: { name: 'x' }, spec: { containers: [{ name: 'a' }] } } as Pod;
  assert.equal(projectPod(bare), {
    kind: 'Pod',
    metadata: { name: 'x' },
    spec: { containers: [{ name: 'a' }] },
    status: {},
  } as unknown as Pod);
});

pods('of a long message of a container its beginning and its end are kept', () => {
  const messages = (message: string) => {
    const state = { waiting: { reason: 'X', message }, terminated: { exitCode: 1, message }, running: { startedAt: 's' } };
    const made = { ...podWith(), status: { containerStatuses: [{ name: 'app', state }] } } as unknown as Pod;
    const { waiting, terminated, running } = projectPod(made).status?.containerStatuses?.[0]?.state ?? {};
    assert.equal(running, { startedAt: 's' });
    return [waiting?.message, terminated?.message];
  };
  const fits = 'x'.repeat(1000);
  assert.equal(messages(fits), [fits, fits]);
  const long = `${'a'.repeat(500)}${'b'.repeat(3_000)}${'c'.repeat(500)}`;
  const cut = `${'a'.repeat(500)} … ${'c'.repeat(500)}`;
  assert.equal(messages(long), [cut, cut]);
});

pods('advice keeps resources of init containers too', () => {
  const made = podWith();
  const { spec } = projectPodWithResources({
    ...made,
    spec: { ...made.spec, initContainers: [{ name: 'init', resources: ASKED }] },
  } as Pod);
  assert.equal(spec.initContainers?.[0]?.resources, { requests: { cpu: '100m', memory: '64Mi' }, limits: { memory: '128Mi' } });
  assert.not.ok('initContainers' in projectPodWithResources(made).spec);
});

pods.run();
