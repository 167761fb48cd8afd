import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../../src/crd/kubernetes.ts';
import { hardeningChanges } from '../../../src/models/policy/hardening.ts';
import type { ModelChange } from '../../../src/models/policy/locate-changes.ts';

const SPEC = {
  hostNetwork: true,
  securityContext: { seccompProfile: { type: 'Localhost', localhostProfile: 'strict.json' }, runAsUser: 2000 },
  initContainers: [{ name: 'prepare', image: 'web:1', securityContext: { runAsUser: 0 } }],
  containers: [
    {
      name: 'app',
      image: 'web:1',
      env: [{ name: 'PASSWORD', value: '***' }],
      ports: [{ name: 'http', containerPort: 80, hostPort: 80 }],
      resources: { limits: { memory: '64Mi' } },
      securityContext: {
        privileged: true,
        procMount: 'Unmasked',
        capabilities: { add: ['SYS_ADMIN'], drop: ['NET_RAW'] },
        seccompProfile: { type: 'Unconfined' },
      },
      volumeMounts: [{ name: 'data', mountPath: '/data' }],
    },
    { name: 'side', image: 'side:1' },
  ],
  volumes: [{ name: 'data', hostPath: { path: '/srv' } }],
};
const workload = (spec: object): KubeObject =>
  ({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec: { template: { spec } } }) as never;
const harden = (proposals: Omit<ModelChange, 'why'>[], spec: object = SPEC) =>
  hardeningChanges(
    proposals.map((proposal) => ({ ...proposal, why: 'because' })),
    workload(spec),
  );

const test = suite('hardening');

const ALLOWED: [path: string, to: ModelChange['to']][] = [
  ['containers[app].securityContext.allowPrivilegeEscalation', false],
  ['containers[app].securityContext.privileged', false],
  ['containers[side].securityContext.readOnlyRootFilesystem', true],
  ['containers[side].securityContext.runAsNonRoot', true],
  ['securityContext.runAsNonRoot', true],
  ['securityContext.runAsGroup', 3000],
  ['initContainers[prepare].securityContext.runAsUser', 1000],
  ['containers[app].securityContext.seccompProfile.type', 'RuntimeDefault'],
  ['containers[app].securityContext.capabilities.drop', 'ALL'],
  ['containers[app].securityContext.capabilities.add', null],
  ['containers[app].securityContext.procMount', null],
  ['hostNetwork', false],
  ['hostNetwork', null],
  ['hostPID', false],
  ['automountServiceAccountToken', false],
  ['containers[app].volumeMounts[data].readOnly', true],
  ['containers[app].ports[http].hostPort', null],
  ['containers[app].imagePullPolicy', 'Always'],
  ['containers[app].resources.limits.cpu', '500m'],
  ['containers[side].resources.limits.memory', '256Mi'],
  ['containers[side].resources.limits.memory', '2Gi'],
  ['containers[side].resources.requests.cpu', '2'],
  ['containers[side].resources.limits.ephemeral-storage', '4Gi'],
  ['securityContext.runAsGroup', 1000],
  ['securityContext.runAsGroup', 65_535],
];
for (const [path, to] of ALLOWED)
  test(`${path} may become ${JSON.stringify(to)}`, () => {
    const [change] = harden([{ path, to }]) ?? [];
    assert.equal(change?.to, to === 'ALL' ? ['ALL'] : to);
    assert.match(change?.path ?? '', /^spec\.template\.spec\./);
    assert.is(change?.why, 'because');
  });

const REFUSED: [path: string, to: ModelChange['to'], why: string][] = [
  ['containers[app].securityContext.allowPrivilegeEscalation', true, 'looser'],
  ['containers[app].securityContext.privileged', true, 'nothing changes'],
  ['containers[side].securityContext.privileged', true, 'looser'],
  ['containers[app].securityContext.readOnlyRootFilesystem', false, 'looser'],
  ['securityContext.runAsNonRoot', false, 'looser'],
  ['securityContext.runAsNonRoot', null, 'looser'],
  ['securityContext.runAsUser', 0, 'root'],
  ['securityContext.runAsUser', 1000, 'somebody chose one'],
  ['containers[side].securityContext.runAsUser', 1000, 'the pod chose one'],
  ['securityContext.runAsGroup', 0, 'root'],
  ['securityContext.runAsGroup', 999, 'a system group'],
  ['securityContext.runAsGroup', 1000.5, 'no id'],
  ['securityContext.runAsGroup', '3000', 'no number'],
  ['securityContext.runAsGroup', 65_536, 'beyond all ids'],
  ['containers[side].resources.limits.memory', '2049Mi', 'a little too much'],
  ['containers[side].resources.limits.cpu', '2001m', 'a little too much'],
  ['containers[side].resources.limits.memory', '0', 'nothing'],
  ['containers[side].resources.limits.memory', '-1', 'less than nothing'],
  ['securityContext.seccompProfile.type', 'RuntimeDefault', 'what somebody wrote may be stricter'],
  ['containers[side].securityContext.seccompProfile.type', 'RuntimeDefault', 'what the pod says may be stricter'],
  ['containers[app].securityContext.seccompProfile.type', 'Localhost', 'which one?'],
  ['securityContext.seccompProfile', null, 'looser'],
  ['containers[app].securityContext.capabilities.add', 'ALL', 'looser'],
  ['containers[app].securityContext.capabilities.drop', null, 'looser'],
  ['containers[app].securityContext.capabilities.drop', 'NET_RAW', 'perhaps fewer than before'],
  ['containers[app].securityContext.procMount', 'Unmasked', 'looser'],
  ['containers[app].securityContext', null, 'all of it'],
  ['hostPID', true, 'looser'],
  ['automountServiceAccountToken', true, 'looser'],
  ['automountServiceAccountToken', null, 'looser'],
  ['serviceAccountName', 'cluster-admin', 'another identity'],
  ['containers[app].volumeMounts[data].readOnly', false, 'looser'],
  ['containers[app].ports[http].hostPort', 8080, 'on the node'],
  ['containers[app].imagePullPolicy', 'Never', 'looser'],
  ['containers[app].image', 'web:2', 'nobody knows that it is there'],
  ['containers[app].image', 'evil.example/web:1', 'another image'],
  ['containers[app].command[0]', 'sh', 'another program'],
  ['containers[app].env[PASSWORD].value', 'x', 'not a matter of hardening'],
  ['containers[app].resources.limits.memory', '128Mi', 'somebody chose one'],
  ['containers[side].resources.limits.memory', '64Gi', 'too much'],
  ['containers[side].resources.limits.memory', null, 'nothing changes'],
  ['containers[side].resources.limits.memory', 'much', 'no amount'],
  ['volumes[data].hostPath.path', '/', 'looser'],
  ['containers[none].securityContext.privileged', false, 'no such container'],
  ['containers[app].volumeMounts[none].readOnly', true, 'no such mount'],
  ['constructor.prototype', true, 'no field'],
  ['securityContext.__proto__.runAsNonRoot', true, 'no field'],
  ['', true, 'no path'],
  ['spec.containers[0].securityContext.privileged', false, 'not from the pod’s spec'],
];
for (const [path, to, why] of REFUSED)
  test(`${path || 'nothing'} may not become ${JSON.stringify(to)}: ${why}`, () => assert.is(harden([{ path, to }]), undefined));

test('if one change is not allowed, all are dropped; an empty list gives no changes', () => {
  const good = { path: 'containers[app].securityContext.privileged', to: false };
  assert.is(harden([good, { path: 'hostPID', to: true }]), undefined);
  assert.is(harden([]), undefined);
  assert.is(harden([good, { path: 'hostPID', to: false }])?.length, 2);
  assert.is(hardeningChanges([{ ...good, why: '' }], { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' } }), undefined);
});

test.run();
