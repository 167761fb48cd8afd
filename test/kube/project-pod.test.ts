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

pods.run();
