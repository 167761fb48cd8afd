import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Container, PodSpec, PodTemplate } from '../../src/crd/kubernetes.ts';
import { checkPower } from '../../src/checks/power/power.ts';

const test = suite('power');

const base = (spec: Partial<PodSpec> = {}, app: Partial<Container> = {}): PodTemplate => ({
  spec: { containers: [{ name: 'app', image: 'web:1', ...app }], ...spec },
});
const app = (fields: Partial<Container>): PodTemplate => base({}, fields);
const context = (securityContext: Container['securityContext']): PodTemplate => app({ securityContext: securityContext ?? {} });
const at = 'spec.containers[0]';
const volume = (fields: object): PodTemplate => base({ volumes: [{ name: 'v', ...fields }] });
const secretEnv = (name: string, key = 'k'): Partial<Container> => ({ env: [{ name: 'X', valueFrom: { secretKeyRef: { name, key } } }] });

/** What the template asks for, the source, the template, and the paths that the refusal must name (none: accepted). */
const CASES: [what: string, source: PodTemplate, template: PodTemplate, paths: string[]][] = [
  [
    'another image, command, probe, env',
    base(),
    app({ image: 'web:2', command: ['x'], env: [{ name: 'A', value: '1' }], readinessProbe: { httpGet: { port: 80 } } }),
    [],
  ],
  [
    'fewer resources, another node',
    base(),
    base({ nodeSelector: { a: 'b' }, affinity: {} }, { resources: { requests: { cpu: '1' } } }),
    [],
  ],
  ['privileged', base(), context({ privileged: true }), [`${at}.securityContext.privileged`]],
  ['privileged as before', context({ privileged: true }), context({ privileged: true }), []],
  ['privileged said to be false', base(), context({ privileged: false }), []],
  ['host network', base(), base({ hostNetwork: true }), ['spec.hostNetwork']],
  ['host pids and ipc', base(), base({ hostPID: true, hostIPC: true }), ['spec.hostPID', 'spec.hostIPC']],
  ['host namespaces said to be false', base(), base({ hostNetwork: false, hostPID: false, hostIPC: false }), []],
  ['out of its user namespace', base({ hostUsers: false }), base(), ['spec.hostUsers']],
  ['sight of other containers', base(), base({ shareProcessNamespace: true }), ['spec.shareProcessNamespace']],
  ['sight of other containers given up', base({ shareProcessNamespace: true }), base({ shareProcessNamespace: false }), []],
  [
    'more memory for the whole pod',
    base({ resources: { limits: { memory: '1Gi' } } }),
    base({ resources: { limits: { memory: '2Gi' } } }),
    [],
  ],
  ['host path', base(), volume({ hostPath: { path: '/' } }), ['spec.volumes[0].hostPath']],
  ['another host path', volume({ hostPath: { path: '/var/log' } }), volume({ hostPath: { path: '/' } }), ['spec.volumes[0].hostPath']],
  [
    'the same host path under another name',
    volume({ hostPath: { path: '/l', type: '' } }),
    base({ volumes: [{ name: 'w', hostPath: { path: '/l' } }] }),
    [],
  ],
  ['a network volume', base(), volume({ nfs: { server: 'a', path: '/' } }), ['spec.volumes[0].nfs']],
  ['a CSI volume', base(), volume({ csi: { driver: 'd' } }), ['spec.volumes[0].csi']],
  [
    'empty and ConfigMap volumes',
    base(),
    base({
      volumes: [
        { name: 'a', emptyDir: {} },
        { name: 'b', configMap: { name: 'other' } },
      ],
    }),
    [],
  ],
  ['a Secret volume', base(), volume({ secret: { secretName: 's' } }), ['spec.volumes[0].secret.secretName']],
  ['a Secret volume of what the environment has', app(secretEnv('s')), volume({ secret: { secretName: 's' } }), []],
  ['a Secret in env', base(), app(secretEnv('s')), [`${at}.env[0].valueFrom.secretKeyRef.name`]],
  ['another key of the same Secret', app(secretEnv('s')), app(secretEnv('s', 'other')), []],
  ['a Secret in envFrom', base(), app({ envFrom: [{ secretRef: { name: 's' } }] }), [`${at}.envFrom[0].secretRef.name`]],
  ['another ConfigMap', app({ envFrom: [{ configMapRef: { name: 'a' } }] }), app({ envFrom: [{ configMapRef: { name: 'b' } }] }), []],
  [
    'a projected Secret',
    base(),
    volume({ projected: { sources: [{ secret: { name: 's' } }] } }),
    ['spec.volumes[0].projected.sources[0].secret.name'],
  ],
  [
    'a projected token',
    base(),
    volume({ projected: { sources: [{ serviceAccountToken: { path: 't', audience: 'vault' } }] } }),
    ['spec.volumes[0].projected.sources[0].serviceAccountToken'],
  ],
  [
    'a token for another audience',
    volume({ projected: { sources: [{ serviceAccountToken: { path: 't', audience: 'a' } }] } }),
    volume({ projected: { sources: [{ serviceAccountToken: { path: 't', audience: 'b' } }] } }),
    ['spec.volumes[0].projected.sources[0].serviceAccountToken'],
  ],
  ['a claim', base(), volume({ persistentVolumeClaim: { claimName: 'c' } }), ['spec.volumes[0].persistentVolumeClaim.claimName']],
  [
    'a claim to write to',
    volume({ persistentVolumeClaim: { claimName: 'c', readOnly: true } }),
    volume({ persistentVolumeClaim: { claimName: 'c' } }),
    ['spec.volumes[0].persistentVolumeClaim.readOnly'],
  ],
  ['a new claim', base(), volume({ ephemeral: { volumeClaimTemplate: { spec: {} } } }), ['spec.volumes[0].ephemeral']],
  ['a pull secret', base(), base({ imagePullSecrets: [{ name: 'p' }] }), ['spec.imagePullSecrets[0]']],
  [
    'a pull secret read by a container',
    base({ imagePullSecrets: [{ name: 'p' }] }),
    base({}, secretEnv('p')),
    [`${at}.env[0].valueFrom.secretKeyRef.name`],
  ],
  ['a pull secret dropped', base({ imagePullSecrets: [{ name: 'p' }] }), base(), []],
  [
    'a resource claim',
    base(),
    base({ resourceClaims: [{ name: 'gpu' }] }, { resources: { claims: [{ name: 'gpu' }] } }),
    ['spec.resourceClaims[0]', `${at}.resources.claims[0]`],
  ],
  ['a capability', base(), context({ capabilities: { add: ['NET_ADMIN'] } }), [`${at}.securityContext.capabilities.add`]],
  [
    'the same capability spelled otherwise',
    context({ capabilities: { add: ['CAP_NET_ADMIN'] } }),
    context({ capabilities: { add: ['net_admin'] } }),
    [],
  ],
  ['one capability of all', context({ capabilities: { add: ['ALL'] } }), context({ capabilities: { add: ['CHOWN'] } }), []],
  [
    'a dropped capability back',
    context({ capabilities: { drop: ['ALL'] } }),
    context({ capabilities: { drop: ['CHOWN'] } }),
    [`${at}.securityContext.capabilities.drop`],
  ],
  ['all dropped for one', context({ capabilities: { drop: ['CHOWN'] } }), context({ capabilities: { drop: ['all'] } }), []],
  ['a sysctl', base(), base({ securityContext: { sysctls: [{ name: 'kernel.shm', value: '1' }] } }), ['spec.securityContext.sysctls[0]']],
  ['procMount', base(), context({ procMount: 'Unmasked' }), [`${at}.securityContext.procMount`]],
  ['procMount by its default', base(), context({ procMount: 'Default' }), []],
  ['a toleration', base(), base({ tolerations: [{ operator: 'Exists' }] }), ['spec.tolerations[0]']],
  [
    'the same toleration with its default',
    base({ tolerations: [{ key: 'a', value: 'b' }] }),
    base({ tolerations: [{ key: 'a', operator: 'Equal', value: 'b', effect: '' }] }),
    [],
  ],
  [
    'tolerations that admission sets',
    base(),
    base({ tolerations: [{ key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 }] }),
    [],
  ],
  [
    'token automounting',
    base({ automountServiceAccountToken: false }),
    base({ automountServiceAccountToken: true }),
    ['spec.automountServiceAccountToken'],
  ],
  ['token automounting left to the account', base({ automountServiceAccountToken: false }), base(), ['spec.automountServiceAccountToken']],
  ['token automounting taken away', base(), base({ automountServiceAccountToken: false }), []],
  ['another service account', base({ serviceAccountName: 'web' }), base({ serviceAccountName: 'admin' }), ['spec.serviceAccountName']],
  ['the old spelling of a service account', base({ serviceAccountName: 'web' }), base({ serviceAccount: 'web' }), []],
  ['the default service account by name', base(), base({ serviceAccountName: 'default' }), []],
  [
    'seccomp removed from the pod',
    base({ securityContext: { seccompProfile: { type: 'RuntimeDefault' } } }),
    base(),
    ['spec.securityContext.seccompProfile'],
  ],
  ['seccomp unconfined', base(), context({ seccompProfile: { type: 'Unconfined' } }), [`${at}.securityContext.seccompProfile`]],
  [
    'seccomp moved from pod to container',
    base({ securityContext: { seccompProfile: { type: 'RuntimeDefault' } } }),
    context({ seccompProfile: { type: 'RuntimeDefault' } }),
    [],
  ],
  ['seccomp tightened', context({ seccompProfile: { type: 'Unconfined' } }), context({ seccompProfile: { type: 'RuntimeDefault' } }), []],
  ['AppArmor unconfined', base(), context({ appArmorProfile: { type: 'Unconfined' } }), [`${at}.securityContext.appArmorProfile`]],
  [
    'AppArmor unconfined by annotation',
    base(),
    { ...base(), metadata: { annotations: { 'container.apparmor.security.beta.kubernetes.io/app': 'unconfined' } } },
    ['metadata.annotations["container.apparmor.security.beta.kubernetes.io/app"]'],
  ],
  ['AppArmor by its default', base(), context({ appArmorProfile: { type: 'RuntimeDefault' } }), []],
  ['root', context({ runAsUser: 1000 }), context({ runAsUser: 0 }), [`${at}.securityContext.runAsUser`]],
  ['whatever user the image says', context({ runAsUser: 1000 }), base(), [`${at}.securityContext.runAsUser`]],
  ['root where nothing was said', base(), context({ runAsUser: 0 }), [`${at}.securityContext.runAsUser`]],
  ['a user that is not root', base(), context({ runAsUser: 1000, runAsNonRoot: true }), []],
  ['not root any more', context({ runAsUser: 0 }), context({ runAsUser: 1000 }), []],
  [
    'may run as root again',
    base({ securityContext: { runAsNonRoot: true } }),
    context({ runAsNonRoot: false }),
    [`${at}.securityContext.runAsNonRoot`],
  ],
  ['group root', base(), context({ runAsGroup: 0 }), [`${at}.securityContext.runAsGroup`]],
  ['more groups', base(), base({ securityContext: { supplementalGroups: [999] } }), ['spec.securityContext.supplementalGroups']],
  ['a first fsGroup', base(), base({ securityContext: { fsGroup: 2000 } }), []],
  [
    'another fsGroup',
    base({ securityContext: { fsGroup: 2000 } }),
    base({ securityContext: { fsGroup: 3000 } }),
    ['spec.securityContext.fsGroup'],
  ],
  ['escalation', context({ allowPrivilegeEscalation: false }), base(), [`${at}.securityContext.allowPrivilegeEscalation`]],
  ['SELinux', base(), context({ seLinuxOptions: { type: 'spc_t' } }), [`${at}.securityContext.seLinuxOptions`]],
  ['a host process', base(), context({ windowsOptions: { hostProcess: true } }), [`${at}.securityContext.windowsOptions`]],
  ['a field of tomorrow', base(), context({ teleport: true } as never), [`${at}.securityContext.teleport`]],
  ['a pod field of tomorrow', base(), base({ warp: 9 } as never), ['spec.warp']],
  ['a container field of tomorrow', base(), app({ warp: 9 } as never), [`${at}.warp`]],
  ['the runtime class removed', base({ runtimeClassName: 'gvisor' }), base(), ['spec.runtimeClassName']],
  [
    'a probe of another host',
    base(),
    app({ livenessProbe: { httpGet: { port: 80, host: '169.254.169.254' } } }),
    [`${at}.livenessProbe.httpGet.host`],
  ],
  [
    'a probe of another port of the node',
    app({ livenessProbe: { tcpSocket: { port: 80, host: '127.0.0.1' } } }),
    app({ livenessProbe: { tcpSocket: { port: 10250, host: '127.0.0.1' } } }),
    [`${at}.livenessProbe.tcpSocket.port`],
  ],
  [
    'a hook that calls another host',
    base(),
    app({ lifecycle: { postStart: { httpGet: { port: 80, host: 'vault' } } } }),
    [`${at}.lifecycle.postStart.httpGet.host`],
  ],
  [
    'a device of the node',
    app({ resources: { limits: { cpu: '1' } } }),
    app({ resources: { limits: { cpu: '2', 'example.com/kvm': '1' }, requests: { 'hugepages-2Mi': '4Mi' } } }),
    [`${at}.resources.limits["example.com/kvm"]`],
  ],
  [
    'fewer of the same device',
    app({ resources: { limits: { 'nvidia.com/gpu': '2' } } }),
    app({ resources: { limits: { 'nvidia.com/gpu': '1' }, requests: { 'nvidia.com/gpu': '1' } } }),
    [],
  ],
  [
    'a variable from where tomorrow\u2019s Kubernetes takes it',
    base(),
    app({ env: [{ name: 'A', valueFrom: { vaultRef: { name: 'x' } } as never }] }),
    [`${at}.env[0].valueFrom.vaultRef`],
  ],
  [
    'a Secret in envFrom with a prefix',
    base(),
    app({ envFrom: [{ prefix: 'P_', secretRef: { name: 's' } } as never] }),
    [`${at}.envFrom[0].secretRef.name`],
  ],
  [
    'a CSI volume that is handed a Secret',
    volume({ csi: { driver: 'd' } }),
    volume({ csi: { driver: 'd', nodePublishSecretRef: { name: 's' } } }),
    ['spec.volumes[0].csi'],
  ],
  [
    'a held-back field of tomorrow removed',
    base({ securityContext: { supplementalGroupsPolicy: 'Strict' } as never }),
    base(),
    ['spec.securityContext.supplementalGroupsPolicy'],
  ],
  ['ephemeral containers, which no mirror gets', base(), base({ ephemeralContainers: [{ name: 'debug' }] }), []],
  ['names for addresses', base(), base({ hostAliases: [{ ip: '10.0.0.1', hostnames: ['db'] }] }), []],
  ['raw devices', base(), app({ volumeDevices: [{ name: 'v', devicePath: '/dev/x' }] }), [`${at}.volumeDevices[0].name`]],
];
for (const [what, source, template, paths] of CASES)
  test(`${paths.length > 0 ? 'flags' : 'lets pass'}: ${what}`, () => assert.equal(checkPower(source, template), paths));

const podContext = (securityContext: object): PodTemplate => base({ securityContext });
const profile = (type: string, localhostProfile?: string) => ({ type, ...(localhostProfile && { localhostProfile }) });
const ARMOR = 'container.apparmor.security.beta.kubernetes.io/app';
const armored = (value: string): PodTemplate => ({ ...base(), metadata: { annotations: { [ARMOR]: value } } });
const armor = (type: string, localhostProfile?: string) => context({ appArmorProfile: profile(type, localhostProfile) } as never);
const [OF_APP, OF_POD] = [`${at}.securityContext`, 'spec.securityContext'];

/** Settings of security: which changes are looser. `[what, source, template, paths]` */
const SETTINGS: [what: string, source: PodTemplate, template: PodTemplate, paths: string[]][] = [
  ['unmasked /proc as before', context({ procMount: 'Unmasked' }), context({ procMount: 'Unmasked' }), []],
  [
    'the profile of the runtime for one of the node',
    context({ seccompProfile: profile('Localhost', 'p') }),
    context({ seccompProfile: profile('RuntimeDefault') }),
    [`${OF_APP}.seccompProfile`],
  ],
  [
    'another profile of the node',
    context({ seccompProfile: profile('Localhost', 'p') }),
    context({ seccompProfile: profile('Localhost', 'q') }),
    [`${OF_APP}.seccompProfile`],
  ],
  ['a first profile of the node', base(), context({ seccompProfile: profile('Localhost', 'p') }), [`${OF_APP}.seccompProfile`]],
  ['a first profile of the runtime', base(), context({ seccompProfile: profile('RuntimeDefault') }), []],
  ['the same profile of AppArmor as a field', armored('localhost/p'), armor('Localhost', 'p'), []],
  ['another profile of AppArmor', armor('Localhost', 'p'), armor('Localhost', 'q'), [`${OF_APP}.appArmorProfile`]],
  ['the default of AppArmor by annotation', base(), armored('runtime/default'), []],
  ['an empty annotation of AppArmor', base(), armored(''), []],
  ['a profile where there was none', armor('Unconfined'), armor('RuntimeDefault'), []],
  ['a profile of the node by annotation', base(), armored('localhost/p'), [`metadata.annotations["${ARMOR}"]`]],
  ['another group than root', context({ runAsGroup: 0 }), context({ runAsGroup: 5 }), []],
  ['another group', context({ runAsGroup: 5 }), context({ runAsGroup: 6 }), [`${OF_APP}.runAsGroup`]],
  ['another user', context({ runAsUser: 5 }), context({ runAsUser: 6 }), [`${OF_APP}.runAsUser`]],
  ['the same user, set for the pod', context({ runAsUser: 5 }), podContext({ runAsUser: 5 }), []],
  ['another user of the pod', podContext({ runAsUser: 5 }), podContext({ runAsUser: 6 }), [`${OF_POD}.runAsUser`]],
  ['a group that is the group of its volumes', podContext({ fsGroup: 7 }), podContext({ fsGroup: 7, supplementalGroups: [7] }), []],
  ['a group that it has', podContext({ supplementalGroups: [7, 8] }), podContext({ supplementalGroups: [8] }), []],
  ['root as the first group of its volumes', base(), podContext({ fsGroup: 0 }), [`${OF_POD}.fsGroup`]],
  ['no group of its volumes any more', podContext({ fsGroup: 7 }), base(), []],
  ['when the group of its volumes is set', base(), podContext({ fsGroupChangePolicy: 'Always' }), []],
  ['a sysctl of its own', podContext({ sysctls: [{ name: 'a', value: '1' }] }), podContext({ sysctls: [{ name: 'a', value: '1' }] }), []],
  [
    'another value of a sysctl',
    podContext({ sysctls: [{ name: 'a', value: '1' }] }),
    podContext({
      sysctls: [
        { name: 'b', value: '1' },
        { name: 'a', value: '2' },
      ],
    }),
    [`${OF_POD}.sysctls[0]`, `${OF_POD}.sysctls[1]`],
  ],
  [
    'the same SELinux options, set for the pod',
    context({ seLinuxOptions: { type: 't' } }),
    podContext({ seLinuxOptions: { type: 't' } }),
    [],
  ],
  ['no SELinux options any more', context({ seLinuxOptions: { type: 't' } }), base(), [`${OF_APP}.seLinuxOptions`]],
  [
    'the same options of Windows',
    context({ windowsOptions: { hostProcess: true } }),
    context({ windowsOptions: { hostProcess: true } }),
    [],
  ],
  ['a writable root', context({ readOnlyRootFilesystem: true }), base(), []],
  [
    'fewer capabilities dropped',
    context({ capabilities: { drop: ['CHOWN', 'KILL'] } }),
    context({ capabilities: { drop: ['CHOWN'] } }),
    [`${OF_APP}.capabilities.drop`],
  ],
  [
    'more capabilities dropped',
    context({ capabilities: { drop: ['CHOWN'] } }),
    context({ capabilities: { drop: ['KILL', 'cap_chown'] } }),
    [],
  ],
  ['escalation said to be allowed', base(), context({ allowPrivilegeEscalation: true }), []],
  ['not root any more', podContext({ runAsNonRoot: true }), context({ runAsNonRoot: true }), []],
  ['a user namespace', base(), base({ hostUsers: false }), []],
  ['another group than root for the pod', podContext({ runAsGroup: 0 }), podContext({ runAsGroup: 5 }), []],
  [
    'a profile of AppArmor for the pod',
    podContext({ appArmorProfile: profile('Unconfined') }),
    podContext({ appArmorProfile: profile('RuntimeDefault') }),
    [],
  ],
  [
    'the same options of Windows, set for the pod',
    context({ windowsOptions: { hostProcess: true } }),
    podContext({ windowsOptions: { hostProcess: true } }),
    [],
  ],
  ['a runtime class', base(), base({ runtimeClassName: 'kata' }), ['spec.runtimeClassName']],
  ['a token where the account decides', base(), base({ automountServiceAccountToken: true }), ['spec.automountServiceAccountToken']],
  ['a token as before', base({ automountServiceAccountToken: true }), base({ automountServiceAccountToken: true }), []],
  ['a token left to the account, which it had', base({ automountServiceAccountToken: true }), base(), []],
  ['a pull secret as before', base({ imagePullSecrets: [{ name: 'p' }] }), base({ imagePullSecrets: [{ name: 'p' }] }), []],
  [
    'another pull secret',
    base({ imagePullSecrets: [{ name: 'p' }] }),
    base({ imagePullSecrets: [{ name: 'p' }, { name: 'q' }] }),
    ['spec.imagePullSecrets[1]'],
  ],
  [
    'a toleration of another effect',
    base({ tolerations: [{ key: 'a', effect: 'NoSchedule' }] }),
    base({ tolerations: [{ key: 'a', effect: 'NoExecute' }] }),
    ['spec.tolerations[0]'],
  ],
  [
    'a probe of the same host and port, in other words',
    app({ livenessProbe: { httpGet: { port: 80, host: 'x' } } }),
    app({ livenessProbe: { httpGet: { port: '80', host: 'x', path: '/a' } } }),
    [],
  ],
  [
    'another host for a TCP probe',
    app({ startupProbe: { tcpSocket: { port: 80, host: 'x' } } }),
    app({ startupProbe: { tcpSocket: { port: 80, host: 'y' } } }),
    [`${at}.startupProbe.tcpSocket.host`],
  ],
  ['no host any more', app({ livenessProbe: { httpGet: { port: 80, host: 'x' } } }), app({ livenessProbe: { httpGet: { port: 81 } } }), []],
];
for (const [what, source, template, paths] of SETTINGS)
  test(`${paths.length > 0 ? 'flags' : 'lets pass'} as a setting: ${what}`, () => assert.equal(checkPower(source, template), paths));

test('fields that decide where, when and how a pod runs may change; no other one that this version knows', () => {
  const pods = `nodeSelector affinity topologySpreadConstraints schedulerName schedulingGates restartPolicy os activeDeadlineSeconds
    terminationGracePeriodSeconds hostname subdomain setHostnameAsFQDN hostAliases dnsPolicy dnsConfig enableServiceLinks`;
  for (const field of pods.split(/\s+/)) assert.equal(checkPower(base(), base({ [field]: ['x'] } as never)), [], field);
  const containers = `image imagePullPolicy command args workingDir ports terminationMessagePath terminationMessagePolicy restartPolicy
    restartPolicyRules resizePolicy stdin stdinOnce tty`;
  for (const field of containers.split(/\s+/)) assert.equal(checkPower(base(), app({ [field]: 'x' } as never)), [], field);
  for (const field of ['hostNetwork', 'hostPID', 'hostIPC', 'shareProcessNamespace'])
    assert.equal(
      [checkPower(base(), base({ [field]: true })), checkPower(base({ [field]: true }), base({ [field]: true }))],
      [[`spec.${field}`], []],
    );
});

test('resources that are no devices', () => {
  const asked = (name: string) => checkPower(base(), app({ resources: { requests: { [name]: '1' } } }));
  for (const name of ['cpu', 'memory', 'storage', 'ephemeral-storage', 'hugepages-1Gi', 'kubernetes.io/batch'])
    assert.equal(asked(name), [], name);
  for (const name of ['nvidia.com/gpu', 'cpux', 'smarter-devices/fuse']) assert.equal(asked(name).length, 1, name);
});

test('annotations that nothing acts on', () => {
  const noted = (key: string) => checkPower(base(), { ...base(), metadata: { annotations: { [key]: 'x' } } });
  for (const key of ['note', 'checksum/x', 'prometheus.io/port', 'kubectl.kubernetes.io/restartedAt', 'app.kubernetes.io/version'])
    assert.equal(noted(key), [], key);
  for (const key of ['a.b', 'checksumx/y', 'x.prometheus.io/port', 'sidecar.istio.io/inject', 'k8s.v1.cni.cncf.io/networks'])
    assert.equal(noted(key).length, 1, key);
});

test('a new container is compared with the most similar one of the source', () => {
  const source: PodTemplate = {
    spec: {
      containers: [
        { name: 'tight', image: 'a', securityContext: { runAsNonRoot: true, allowPrivilegeEscalation: false } },
        { name: 'loose', image: 'a' },
      ],
    },
  };
  const added = (securityContext: object) =>
    checkPower(source, { spec: { containers: [...source.spec.containers, { name: 'new', image: 'b', securityContext }] } });
  assert.equal(added({}), []);
  assert.equal(added({ capabilities: { add: ['NET_RAW'] } }), ['spec.containers[2].securityContext.capabilities.add']);
});

test('a new container brings nothing that the source does not have', () => {
  const held = base({ securityContext: { runAsNonRoot: true } }, { securityContext: { allowPrivilegeEscalation: false } });
  const added = (extra: Partial<Container>): PodTemplate => ({
    spec: { ...held.spec, containers: [...held.spec.containers, { name: 'new', image: 'x', ...extra }] },
  });
  assert.equal(checkPower(held, added({})), ['spec.containers[1].securityContext.allowPrivilegeEscalation']);
  assert.equal(checkPower(held, added({ securityContext: { allowPrivilegeEscalation: false } })), []);
  assert.equal(checkPower(held, added({ securityContext: { allowPrivilegeEscalation: false, privileged: true } })), [
    'spec.containers[1].securityContext.privileged',
  ]);
  const init: PodTemplate = {
    spec: { ...base().spec, initContainers: [{ name: 'new', image: 'x', securityContext: { privileged: true } }] },
  };
  const privileged = context({ privileged: true });
  assert.equal(checkPower(privileged, { spec: { ...privileged.spec, initContainers: init.spec.initContainers ?? [] } }), [
    'spec.initContainers[0].securityContext.privileged',
  ]);
});

test('containers are matched by name, not by place', () => {
  const two = (first: string, second: string): PodTemplate => ({
    spec: {
      containers: [first, second].map((name) => ({
        name,
        image: 'x',
        ...(name === 'root' ? { securityContext: { privileged: true } } : {}),
      })),
    },
  });
  assert.equal(checkPower(two('root', 'app'), two('app', 'root')), []);
});

test('an annotation that may have an effect must be the source\u2019s', () => {
  const noted = (annotations: Record<string, string>): PodTemplate => ({ ...base(), metadata: { annotations } });
  const rows: [what: string, source: Record<string, string>, template: Record<string, string>, paths: string[]][] = [
    ['a role in the cloud', {}, { 'iam.amazonaws.com/role': 'admin' }, ['metadata.annotations["iam.amazonaws.com/role"]']],
    ['a network', {}, { 'k8s.v1.cni.cncf.io/networks': 'db' }, ['metadata.annotations["k8s.v1.cni.cncf.io/networks"]']],
    ['a device', {}, { 'io.kubernetes.cri-o.Devices': '/dev/mem' }, ['metadata.annotations["io.kubernetes.cri-o.Devices"]']],
    ['the same role', { 'iam.amazonaws.com/role': 'web' }, { 'iam.amazonaws.com/role': 'web' }, []],
    [
      'another role',
      { 'iam.amazonaws.com/role': 'web' },
      { 'iam.amazonaws.com/role': 'db' },
      ['metadata.annotations["iam.amazonaws.com/role"]'],
    ],
    ['notes', {}, { note: 'x', 'checksum/config': '1', 'prometheus.io/scrape': 'true', 'kubectl.kubernetes.io/restartedAt': 'now' }, []],
    ['none any more', { 'iam.amazonaws.com/role': 'web' }, {}, []],
  ];
  for (const [what, before, after, paths] of rows) assert.equal(checkPower(noted(before), noted(after)), paths, what);
});

test('an expression in a mount must give the same folder', () => {
  const mounted = (container: Partial<Container>): PodTemplate =>
    base(
      { volumes: [{ name: 'v', hostPath: { path: '/var/log' } }] },
      { volumeMounts: [{ name: 'v', mountPath: '/m', subPathExpr: '$(FOLDER)' }], ...container },
    );
  const own = { name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } };
  const source = mounted({ env: [{ name: 'FOLDER', value: 'of-$(POD)' }, own] });
  const fault = [`${at}.volumeMounts[0].subPath`];
  const rows: [what: string, container: Partial<Container>, paths: string[]][] = [
    ['unchanged', { env: [own, { name: 'FOLDER', value: 'of-$(POD)' }, { name: 'A', value: '1' }].reverse() }, []],
    ['another value', { env: [{ name: 'FOLDER', value: '.' }, own] }, fault],
    [
      'another value behind it',
      {
        env: [
          { name: 'FOLDER', value: 'of-$(POD)' },
          { name: 'POD', value: 'other' },
        ],
      },
      fault,
    ],
    ['a second definition', { env: [{ name: 'FOLDER', value: 'of-$(POD)' }, own, { name: 'FOLDER', value: '.' }] }, fault],
    ['from a ConfigMap', { env: [own], envFrom: [{ configMapRef: { name: 'c' } }] }, fault],
  ];
  for (const [what, container, paths] of rows)
    assert.equal(
      checkPower(source, mounted(container)).map((path) => path.replace('subPathExpr', 'subPath')),
      paths,
      what,
    );
});

test('a mount reaches no further into the node, or into a claim, than the source\u2019s', () => {
  const mounted = (mount: object, kind: object = { hostPath: { path: '/var/log' } }): PodTemplate =>
    base({ volumes: [{ name: 'v', ...kind }] }, { volumeMounts: [{ name: 'v', mountPath: '/m', ...mount }] });
  const rows: [string, object, object, string[]][] = [
    ['writable', { readOnly: true }, {}, [`${at}.volumeMounts[0].readOnly`]],
    ['read-only', {}, { readOnly: true }, []],
    ['writable inside', { readOnly: true, recursiveReadOnly: 'Enabled' }, { readOnly: true }, [`${at}.volumeMounts[0].readOnly`]],
    ['the whole of a part', { subPath: 'a' }, {}, [`${at}.volumeMounts[0].subPath`]],
    ['a part of the whole', {}, { subPath: 'a' }, []],
    ['deeper', { subPath: 'a' }, { subPath: 'a/b/' }, []],
    ['beside', { subPath: 'a' }, { subPath: 'ab' }, [`${at}.volumeMounts[0].subPath`]],
    ['by an expression', { subPath: 'a' }, { subPathExpr: '$(X)' }, [`${at}.volumeMounts[0].subPathExpr`]],
    ['with propagation', {}, { mountPropagation: 'Bidirectional' }, [`${at}.volumeMounts[0].mountPropagation`]],
  ];
  for (const [what, before, after, paths] of rows) assert.equal(checkPower(mounted(before), mounted(after)), paths, what);
  const claim = { persistentVolumeClaim: { claimName: 'c' } };
  assert.equal(checkPower(base({ volumes: [{ name: 'v', ...claim }] }), mounted({}, claim)), [], 'a claim that is named but not mounted');
  assert.equal(
    checkPower(volume({ hostPath: { path: '/var/log' } }), mounted({})),
    [`${at}.volumeMounts[0].name`],
    'a host path that is not mounted',
  );
});

test('everything that parses is judged without an error', () => {
  const odd: unknown[] = [
    { spec: { containers: 'x' } },
    { spec: { containers: [null, 7, { name: 'app', env: 'x', volumeMounts: {}, securityContext: { capabilities: { add: 'ALL' } } }] } },
    { spec: { containers: [{ name: 'app' }], volumes: { a: 1 }, tolerations: 'all', imagePullSecrets: [null] } },
  ];
  for (const template of odd) assert.ok(Array.isArray(checkPower(base(), template as PodTemplate)));
});

test.run();
