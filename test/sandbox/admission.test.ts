import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { admitTolerations, podUsage, qosClass } from '../../src/sandbox/admission/admission.ts';
import { fillDefaults, labelJob } from '../../src/sandbox/admission/field-defaults.ts';
import { podSecurityViolations } from '../../src/sandbox/admission/podsecurity.ts';
import type { Loose, Stored } from '../../src/sandbox/store/object.ts';
import { aPodBody, bareApi, refusalOf } from '../support/builders/sandbox-api.ts';

// What conformance/cases/admission.ts does not ask: addresses, amounts and the words for several containers.

const admission = suite('admission of the sandbox');

admission('a Service gets the lowest free address, also beyond 245 Services; a headless one and an external one get none', () => {
  const { make } = bareApi();
  const service = (name: string, spec: Loose = {}) =>
    make('services', { metadata: { name, namespace: 'shop' }, spec: { ports: [{ port: 80 }], ...spec } }).spec;
  assert.is(service('taken', { clusterIP: '10.96.0.11' }).clusterIP, '10.96.0.11');
  const given = Array.from({ length: 248 }, (_, index) => service(`s-${index}`).clusterIP);
  assert.equal(given.slice(0, 3), ['10.96.0.10', '10.96.0.12', '10.96.0.13']);
  assert.equal(given.slice(244, 247), ['10.96.0.255', '10.96.1.0', '10.96.1.1']);
  const own = service('own');
  assert.equal([own.clusterIPs, own.ipFamilies, own.ipFamilyPolicy], [[own.clusterIP], ['IPv4'], 'SingleStack']);
  const headless = service('headless', { clusterIP: 'None' });
  assert.equal([headless.clusterIP, headless.clusterIPs], ['None', ['None']]);
  assert.is(service('external', { type: 'ExternalName', externalName: 'x.example' }).clusterIP, undefined);
});

const five = (key: string) => ({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 });
const [NOT_READY, UNREACHABLE] = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];
for (const [what, given, added] of [
  ['none', undefined, [five(NOT_READY), five(UNREACHABLE)]],
  ['another key', [{ key: 'x', operator: 'Exists' }], [five(NOT_READY), five(UNREACHABLE)]],
  ['the key for another effect', [{ key: NOT_READY, operator: 'Exists', effect: 'NoSchedule' }], [five(NOT_READY), five(UNREACHABLE)]],
  ['one of the two', [{ key: NOT_READY, operator: 'Exists', effect: 'NoExecute' }], [five(UNREACHABLE)]],
  ['one of the two, for every effect', [{ key: UNREACHABLE, operator: 'Exists' }], [five(NOT_READY)]],
  ['everything', [{ operator: 'Exists' }], []],
] as const)
  admission(`a pod that tolerates ${what} waits five minutes for its node unless it says otherwise`, () => {
    const spec: Loose = { ...(given && { tolerations: structuredClone(given) }) };
    admitTolerations(spec);
    assert.equal(spec.tolerations, [...(given ?? []), ...added]);
  });

const resources = (limits: Loose, requests: Loose = limits) => ({ name: 'c', resources: { limits, requests } });
const FULL = resources({ cpu: '1', memory: '1Gi' });
for (const [what, spec, expected] of [
  ['nothing', { containers: [{ name: 'c' }] }, 'BestEffort'],
  ['only devices', { containers: [resources({ 'example.com/gpu': '1' })] }, 'BestEffort'],
  ['all of it, limits as requests', { containers: [FULL] }, 'Guaranteed'],
  [
    'the same amount spelled otherwise',
    { containers: [resources({ cpu: '1', memory: '1Gi' }, { cpu: '1000m', memory: '1024Mi' })] },
    'Guaranteed',
  ],
  ['less than its limit', { containers: [resources({ cpu: '1', memory: '1Gi' }, { cpu: '1', memory: '1Mi' })] }, 'Burstable'],
  ['no limit of memory', { containers: [resources({ cpu: '1' })] }, 'Burstable'],
  ['no limits', { containers: [resources({}, { cpu: '1', memory: '1Gi' })] }, 'Burstable'],
  ['something in one of two containers', { containers: [FULL, { name: 'd' }] }, 'Burstable'],
  ['something in an init container only', { initContainers: [FULL], containers: [{ name: 'd' }] }, 'Burstable'],
  ['all in both', { initContainers: [FULL], containers: [FULL] }, 'Guaranteed'],
] as const)
  admission(`a pod that asks for ${what} is ${expected}`, () => assert.is(qosClass(spec), expected));

admission('a quota counts the requests and limits of all containers, in whole units', () => {
  const pod = { spec: { containers: [resources({ cpu: '1', memory: '1Ki' }, { cpu: '0.2', memory: '1Ki' }), resources({ cpu: '500m' })] } };
  assert.equal(podUsage(pod as unknown as Stored), {
    pods: 1,
    'count/pods': 1,
    'requests.cpu': 700,
    cpu: 700,
    'requests.memory': 1024,
    memory: 1024,
    'limits.cpu': 1500,
    'limits.memory': 1024,
  });
});

admission('a quota refuses in the words of the real one: first what is not said, then what is too much', () => {
  const { make } = bareApi();
  make('resourcequotas', { metadata: { name: 'a', namespace: 'shop' }, spec: { hard: { 'limits.memory': '1Gi', cpu: '1', pods: '2' } } });
  make('resourcequotas', { metadata: { name: 'b', namespace: 'default' }, spec: { hard: { pods: '0' } } });
  const refused = (container: Loose, spec: Loose = {}) => refusalOf(() => make('pods', aPodBody('p', spec, container)));
  const two = { containers: ['x', 'y'].map((name) => ({ name, image: 'web:1' })) };
  assert.is(refused({}, two), 'pods "p" is forbidden: failed quota: a: must specify cpu for: x,y; limits.memory for: x,y');
  const limits = { memory: '512Mi', cpu: '600m' };
  assert.is(refused({ resources: { limits } }), undefined);
  assert.is(
    refusalOf(() => make('pods', aPodBody('q', {}, { resources: { limits: { ...limits, memory: '513Mi' } } }))),
    'pods "q" is forbidden: exceeded quota: a, requested: cpu=600m,limits.memory=513Mi, used: cpu=600m,limits.memory=512Mi, limited: cpu=1,limits.memory=1Gi',
  );
  assert.is(
    refusalOf(() => make('pods', aPodBody('q', {}, { resources: { limits: { memory: '512Mi', cpu: '400m' } } }))),
    undefined,
  );
  assert.is(
    refusalOf(() => make('pods', aPodBody('r', {}, { resources: { requests: { cpu: '0' }, limits: { memory: '0' } } }))),
    'pods "r" is forbidden: exceeded quota: a, requested: pods=1, used: pods=2, limited: pods=2',
  );
});

admission('pods that have ended leave room in a quota', () => {
  const { make, say } = bareApi();
  make('resourcequotas', { metadata: { name: 'a', namespace: 'shop' }, spec: { hard: { pods: '1' } } });
  for (const phase of ['Succeeded', 'Failed']) {
    make('pods', aPodBody(phase.toLowerCase()));
    assert.ok(refusalOf(() => make('pods', aPodBody('next'))));
    say('pods', `shop/${phase.toLowerCase()}`, { phase });
  }
  assert.is(
    refusalOf(() => make('pods', aPodBody('next'))),
    undefined,
  );
});

admission('a priority comes from its class, from the default class or from the system', () => {
  const { make } = bareApi();
  make('priorityclasses', { metadata: { name: 'high' }, value: 1000, preemptionPolicy: 'Never' });
  let count = 0;
  const prioritized = (spec: Loose) => {
    const pod = make('pods', aPodBody(`p-${(count += 1)}`, spec)).spec;
    return [pod.priorityClassName, pod.priority, pod.preemptionPolicy];
  };
  assert.equal(prioritized({}), [undefined, 0, 'PreemptLowerPriority']);
  assert.equal(prioritized({ priorityClassName: 'high' }), ['high', 1000, 'Never']);
  assert.equal(prioritized({ priorityClassName: 'system-cluster-critical' }), [
    'system-cluster-critical',
    2_000_000_000,
    'PreemptLowerPriority',
  ]);
  assert.equal(prioritized({ priorityClassName: 'system-node-critical' }), ['system-node-critical', 2_000_001_000, 'PreemptLowerPriority']);
  make('priorityclasses', { metadata: { name: 'usual' }, value: 5, globalDefault: true });
  assert.equal(prioritized({}), ['usual', 5, 'PreemptLowerPriority']);
  assert.match(
    refusalOf(() => make('pods', aPodBody('x', { priorityClassName: 'none' }))) ?? '',
    'no PriorityClass with name none was found',
  );
  assert.match(
    refusalOf(() => make('pods', aPodBody('x', { priority: 7 }))) ?? '',
    'the integer value of priority (7) must not be provided in pod spec; priority admission controller computed 5 from the given PriorityClass name',
  );
  assert.equal(prioritized({ priority: 5 }), ['usual', 5, 'PreemptLowerPriority']);
});

const TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount';
admission('the token of the account is mounted once in each container, unless the pod or the account does not want it', () => {
  const { make } = bareApi();
  make('serviceaccounts', { metadata: { name: 'quiet', namespace: 'shop' }, automountServiceAccountToken: false });
  make('serviceaccounts', { metadata: { name: 'puller', namespace: 'shop' }, imagePullSecrets: [{ name: 'registry' }] });
  let count = 0;
  const admitted = (spec: Loose) => make('pods', aPodBody(`p-${(count += 1)}`, spec)).spec;
  const init = [{ name: 'init', image: 'web:1' }];
  const pod = admitted({ initContainers: init });
  assert.equal([pod.serviceAccountName, pod.serviceAccount], ['default', 'default']);
  assert.equal(pod.volumes.length, 1);
  assert.match(pod.volumes[0].name, /^kube-api-access-[a-z0-9]{5}$/);
  const [token, authority, namespace] = pod.volumes[0].projected.sources;
  assert.equal(token, { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } });
  assert.equal(authority.configMap.name, 'kube-root-ca.crt');
  assert.equal(namespace.downwardAPI.items[0].fieldRef.fieldPath, 'metadata.namespace');
  for (const container of [...pod.initContainers, ...pod.containers])
    assert.equal(container.volumeMounts, [{ name: pod.volumes[0].name, readOnly: true, mountPath: TOKEN }]);
  assert.is(admitted({ automountServiceAccountToken: false }).volumes, undefined);
  assert.is(admitted({ serviceAccountName: 'quiet' }).volumes, undefined);
  assert.is(admitted({ serviceAccountName: 'quiet', automountServiceAccountToken: true }).volumes.length, 1);
  const volumes = [{ name: 'own', emptyDir: {} }];
  const containers = [{ name: 'app', image: 'web:1', volumeMounts: [{ name: 'own', mountPath: TOKEN }] }];
  assert.equal(admitted({ volumes, containers }).volumes, volumes, 'a mount of its own at that place');
  assert.equal(admitted({ serviceAccountName: 'puller' }).imagePullSecrets, [{ name: 'registry' }]);
  assert.equal(admitted({ serviceAccountName: 'puller', imagePullSecrets: [{ name: 'own' }] }).imagePullSecrets, [{ name: 'own' }]);
  assert.is(
    refusalOf(() => admitted({ serviceAccountName: 'gone' })),
    'pods "p-8" is forbidden: error looking up service account shop/gone: serviceaccount "gone" not found',
  );
});

const bad = (name: string, securityContext: Loose, more: Loose = {}) => ({ name, image: 'web:1', securityContext, ...more });
const SAFE = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
};
const of = (...contexts: Loose[]) => ({ containers: contexts.map((context, index) => bad('abc'[index] as string, context)) });
const LEVELS: [what: string, spec: Loose, baseline: string[], restricted: string[]][] = [
  ['a safe pod', of(SAFE), [], []],
  [
    'its volumes',
    {
      ...of(SAFE),
      volumes: ['configMap', 'csi', 'downwardAPI', 'emptyDir', 'ephemeral', 'image', 'persistentVolumeClaim', 'projected', 'secret']
        .map((type) => ({ name: type, [type]: {} }))
        .concat([{ name: 'none' } as never]),
    },
    [],
    [],
  ],
  [
    'namespaces of the host',
    { ...of(SAFE), hostNetwork: true, hostPID: true, hostIPC: true },
    ['host namespaces (hostNetwork=true, hostPID=true, hostIPC=true)'],
    [],
  ],
  [
    'one folder of the host',
    { ...of(SAFE), volumes: [{ name: 'v', hostPath: { path: '/x' } }] },
    ['hostPath volumes (volume "v")'],
    ['restricted volume types (volume "v" uses restricted volume type "hostPath")'],
  ],
  [
    'two folders of the host',
    { ...of(SAFE), volumes: ['v', 'w'].map((name) => ({ name, hostPath: { path: '/x' } })) },
    ['hostPath volumes (volumes "v", "w")'],
    ['restricted volume types (volumes "v", "w" uses restricted volume type "hostPath", "hostPath")'],
  ],
  [
    'a disk',
    { ...of(SAFE), volumes: [{ name: 'v', nfs: {} }] },
    [],
    ['restricted volume types (volume "v" uses restricted volume type "nfs")'],
  ],
  [
    'a port of the host',
    { containers: [bad('a', SAFE, { ports: [{ hostPort: 80 }] })] },
    ['hostPort (container "a" uses hostPort 80)'],
    [],
  ],
  [
    'privileges in two containers',
    of({ ...SAFE, privileged: true }, { ...SAFE, privileged: true }),
    ['privileged (containers "a", "b" must not set securityContext.privileged=true)'],
    [],
  ],
  [
    'privileges in an init container',
    { initContainers: [bad('i', { ...SAFE, privileged: true })], ...of(SAFE) },
    ['privileged (container "i" must not set securityContext.privileged=true)'],
    [],
  ],
  [
    'capabilities',
    of({ ...SAFE, capabilities: { add: ['CHOWN', 'NET_RAW', 'SYS_TIME'], drop: ['ALL'] } }),
    ['non-default capabilities (container "a" must not include "NET_RAW", "SYS_TIME" in securityContext.capabilities.add)'],
    [],
  ],
  [
    'no seccomp in the pod',
    { ...of(SAFE), securityContext: { seccompProfile: { type: 'Unconfined' } } },
    ['seccompProfile (pod must not set securityContext.seccompProfile.type to "Unconfined")'],
    [],
  ],
  [
    'no seccomp in both',
    { ...of({ ...SAFE, seccompProfile: { type: 'Unconfined' } }), securityContext: { seccompProfile: { type: 'Unconfined' } } },
    ['seccompProfile (pod and container "a" must not set securityContext.seccompProfile.type to "Unconfined")'],
    ['seccompProfile (pod or container "a" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")'],
  ],
  [
    'sysctls',
    { ...of(SAFE), securityContext: { sysctls: [{ name: 'kernel.msgmax' }, { name: 'net.ipv4.tcp_rmem' }, { name: 'kernel.sem' }] } },
    ['forbidden sysctls (kernel.msgmax, kernel.sem)'],
    [],
  ],
  [
    'nothing said',
    of({}, {}),
    [],
    [
      'allowPrivilegeEscalation != false (containers "a", "b" must set securityContext.allowPrivilegeEscalation=false)',
      'unrestricted capabilities (containers "a", "b" must set securityContext.capabilities.drop=["ALL"])',
      'runAsNonRoot != true (pod or containers "a", "b" must set securityContext.runAsNonRoot=true)',
      'seccompProfile (pod or containers "a", "b" must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost")',
    ],
  ],
  [
    'the pod says it',
    {
      ...of({ allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } }),
      securityContext: { runAsNonRoot: true, seccompProfile: { type: 'Localhost' } },
    },
    [],
    [],
  ],
  ['user 0', of({ ...SAFE, runAsUser: 0 }), [], ['runAsUser=0 (container "a" must not set runAsUser=0)']],
  [
    'user 0 in the pod and in a container',
    { ...of({ ...SAFE, runAsUser: 0 }, SAFE), securityContext: { runAsUser: 0 } },
    [],
    ['runAsUser=0 (pod and container "a" must not set runAsUser=0)'],
  ],
];
for (const [what, spec, baseline, restricted] of LEVELS)
  admission(`Pod Security and ${what}`, () => {
    assert.equal(podSecurityViolations(spec, 'baseline'), baseline);
    assert.equal(podSecurityViolations(spec, 'restricted'), [...baseline, ...restricted]);
  });

admission('the lists of Pod Security are those of the standard', () => {
  const capabilities = 'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT';
  assert.equal(podSecurityViolations(of({ capabilities: { add: capabilities.split(' ') } }), 'baseline'), []);
  const tcp = 'fin_timeout keepalive_intvl keepalive_probes keepalive_time rmem syncookies wmem'.split(' ').map((name) => `tcp_${name}`);
  const ip = ['ip_local_port_range', 'ip_local_reserved_ports', 'ip_unprivileged_port_start', 'ping_group_range'];
  const sysctls = ['kernel.shm_rmid_forced', ...[...ip, ...tcp].map((name) => `net.ipv4.${name}`)].map((name) => ({ name }));
  assert.equal(podSecurityViolations({ ...of(SAFE), securityContext: { sysctls } }, 'restricted'), []);
});

/** `[kind, what is given, what must be there afterwards]` */
const DEFAULTS: [string, Loose, Loose][] = [
  [
    'Deployment',
    { spec: { template: { spec: { containers: [] } } } },
    {
      replicas: 1,
      progressDeadlineSeconds: 600,
      revisionHistoryLimit: 10,
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
    },
  ],
  [
    'Deployment',
    { spec: { replicas: 0, strategy: { type: 'Recreate' }, template: { spec: { containers: [] } } } },
    { replicas: 0, strategy: { type: 'Recreate' } },
  ],
  ['ReplicaSet', { spec: { template: { spec: { containers: [] } } } }, { replicas: 1 }],
  [
    'StatefulSet',
    { spec: { template: { spec: { containers: [] } } } },
    {
      replicas: 1,
      podManagementPolicy: 'OrderedReady',
      revisionHistoryLimit: 10,
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
    },
  ],
  [
    'DaemonSet',
    { spec: { template: { spec: { containers: [] } } } },
    { revisionHistoryLimit: 10, updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } },
  ],
  [
    'Job',
    { spec: { template: { spec: { containers: [] } } } },
    {
      backoffLimit: 6,
      completions: 1,
      parallelism: 1,
      completionMode: 'NonIndexed',
      suspend: false,
      manualSelector: false,
      podReplacementPolicy: 'TerminatingOrFailed',
    },
  ],
  ['Job', { spec: { parallelism: 3, template: { spec: { containers: [] } } } }, { parallelism: 3, completions: undefined }],
  [
    'CronJob',
    { spec: { jobTemplate: { spec: { template: { spec: { containers: [] } } } } } },
    { concurrencyPolicy: 'Allow', suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 },
  ],
  [
    'Service',
    { spec: { ports: [{ port: 80 }] } },
    {
      type: 'ClusterIP',
      sessionAffinity: 'None',
      internalTrafficPolicy: 'Cluster',
      ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }],
    },
  ],
  ['Service', { spec: { type: 'ExternalName' } }, { type: 'ExternalName', internalTrafficPolicy: undefined }],
  ['NetworkPolicy', { spec: { podSelector: {} } }, { policyTypes: ['Ingress'] }],
  [
    'NetworkPolicy',
    { spec: { podSelector: {}, egress: [{ ports: [{ port: 53 }] }], ingress: [{}] } },
    { policyTypes: ['Ingress', 'Egress'], egress: [{ ports: [{ port: 53, protocol: 'TCP' }] }] },
  ],
  ['PersistentVolumeClaim', { spec: {} }, { volumeMode: 'Filesystem' }],
  [
    'HorizontalPodAutoscaler',
    { spec: { maxReplicas: 3 } },
    { minReplicas: 1, metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { averageUtilization: 80, type: 'Utilization' } } }] },
  ],
  ['ResourceQuota', { spec: { hard: { cpu: '0.5', memory: '1024Ki' } } }, { hard: { cpu: '500m', memory: '1Mi' } }],
  [
    'Pod',
    { spec: { containers: [] } },
    {
      restartPolicy: 'Always',
      terminationGracePeriodSeconds: 30,
      dnsPolicy: 'ClusterFirst',
      schedulerName: 'default-scheduler',
      securityContext: {},
      enableServiceLinks: true,
    },
  ],
  ['Pod', { spec: { containers: [], serviceAccount: 'old' } }, { serviceAccount: 'old', serviceAccountName: 'old' }],
  ['Pod', { spec: { containers: [], serviceAccountName: 'new' } }, { serviceAccount: 'new', serviceAccountName: 'new' }],
];
const SCHEMAS: Record<string, string> = {
  ...Object.fromEntries(['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet'].map((kind) => [kind, `io.k8s.api.apps.v1.${kind}`])),
  ...Object.fromEntries(['Job', 'CronJob'].map((kind) => [kind, `io.k8s.api.batch.v1.${kind}`])),
  NetworkPolicy: 'io.k8s.api.networking.v1.NetworkPolicy',
  HorizontalPodAutoscaler: 'io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler',
};
const filled = (kind: string, object: Loose): Loose => {
  const copy = structuredClone({ metadata: {}, ...object, kind });
  fillDefaults(copy, SCHEMAS[kind] ?? `io.k8s.api.core.v1.${kind}`);
  return copy;
};
for (const [kind, given, expected] of DEFAULTS)
  admission(`${kind} is completed: ${JSON.stringify(given.spec).slice(0, 60)}`, () => {
    const { spec } = filled(kind, given);
    for (const [field, value] of Object.entries(expected)) assert.equal(spec[field], value, field);
  });

admission('a container is completed, and what it says stays', () => {
  const container = (given: Loose) => filled('Pod', { spec: { containers: [{ name: 'app', ...given }] } }).spec.containers[0];
  for (const [image, policy] of [
    ['web', 'Always'],
    ['web:latest', 'Always'],
    ['web:1', 'IfNotPresent'],
    ['registry:5000/web', 'Always'],
    ['registry:5000/web:1', 'IfNotPresent'],
    [`web@sha256:${'a'.repeat(64)}`, 'IfNotPresent'],
  ] as const)
    assert.is(container({ image }).imagePullPolicy, policy, image);
  assert.is(container({ image: 'web', imagePullPolicy: 'Never' }).imagePullPolicy, 'Never');
  const probe = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };
  const asked = container({
    livenessProbe: { httpGet: { port: 80 } },
    readinessProbe: { grpc: { port: 81 }, periodSeconds: 2 },
    startupProbe: { exec: { command: ['true'] } },
    lifecycle: { postStart: { httpGet: { port: 1 } }, preStop: { exec: { command: ['true'] } } },
    ports: [{ containerPort: 80 }, { containerPort: 53, protocol: 'UDP' }],
    env: [
      { name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
      { name: 'B', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
    ],
    resources: { limits: { cpu: '0.5', memory: '1024Ki' }, requests: { cpu: '0.1' } },
  });
  assert.equal(asked.livenessProbe, { httpGet: { port: 80, path: '/', scheme: 'HTTP' }, ...probe });
  assert.equal(asked.readinessProbe, { grpc: { port: 81, service: '' }, ...probe, periodSeconds: 2 });
  assert.equal(asked.startupProbe, { exec: { command: ['true'] }, ...probe });
  assert.equal(asked.lifecycle, {
    postStart: { httpGet: { port: 1, path: '/', scheme: 'HTTP' } },
    preStop: { exec: { command: ['true'] } },
  });
  assert.equal(
    asked.ports.map(({ protocol }: Loose) => protocol),
    ['TCP', 'UDP'],
  );
  assert.equal([asked.env[0].valueFrom.fieldRef.apiVersion, asked.env[1].valueFrom.resourceFieldRef.divisor], ['v1', '0']);
  assert.equal(asked.resources, { limits: { cpu: '500m', memory: '1Mi' }, requests: { cpu: '100m', memory: '1Mi' } });
  assert.equal(container({ resources: { requests: { cpu: '1' } } }).resources, { requests: { cpu: '1' } });
  assert.equal([asked.terminationMessagePath, asked.terminationMessagePolicy], ['/dev/termination-log', 'File']);
});

admission('volumes are completed', () => {
  const volumes = [
    { name: 'a' },
    { name: 'b', secret: { secretName: 's' } },
    { name: 'c', configMap: { name: 'c', defaultMode: 256 } },
    { name: 'd', downwardAPI: { items: [{ path: 'p', fieldRef: { fieldPath: 'metadata.name' } }] } },
    { name: 'e', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } },
    { name: 'f', hostPath: { path: '/x' } },
  ];
  const [a, b, c, d, e, f] = filled('Pod', { spec: { containers: [], volumes } }).spec.volumes;
  assert.equal(a, { name: 'a', emptyDir: {} });
  assert.equal([b.secret.defaultMode, c.configMap.defaultMode, d.downwardAPI.defaultMode, e.projected.defaultMode], [420, 256, 420, 420]);
  assert.is(d.downwardAPI.items[0].fieldRef.apiVersion, 'v1');
  assert.is(e.projected.sources[0].serviceAccountToken.expirationSeconds, 3600);
  assert.is(f.hostPath.type, '');
});

admission('a pod on the network of its host takes the ports of its containers there', () => {
  const ports = [{ containerPort: 80 }, { containerPort: 81, hostPort: 8081 }];
  const taken = (hostNetwork: boolean) =>
    filled('Pod', { spec: { hostNetwork, containers: [{ name: 'app', ports }] } }).spec.containers[0].ports.map(
      (one: Loose) => one.hostPort,
    );
  assert.equal(taken(true), [80, 8081]);
  assert.equal(taken(false), [undefined, 8081]);
});

admission('other kinds are completed beside their spec', () => {
  assert.equal(filled('Secret', { data: { a: 'YQ==' }, stringData: { b: 'b' } }), {
    kind: 'Secret',
    metadata: {},
    type: 'Opaque',
    data: { a: 'YQ==', b: 'Yg==' },
  });
  assert.equal(filled('Namespace', { metadata: { name: 'shop', labels: { a: 'b' } } }).metadata.labels, {
    a: 'b',
    'kubernetes.io/metadata.name': 'shop',
  });
  assert.equal(filled('Event', { count: 2 }), {
    ...{ kind: 'Event', metadata: {}, count: 2, eventTime: null, firstTimestamp: null, lastTimestamp: null },
    ...{ reportingComponent: '', reportingInstance: '', source: {} },
  });
  const set = filled('DaemonSet', { spec: { template: { spec: { containers: [] } } } });
  assert.equal(set.metadata.annotations, { 'deprecated.daemonset.template.generation': '1' });
  assert.equal(filled('PersistentVolumeClaim', { spec: {} }).status, { phase: 'Pending' });
  assert.equal(filled('HorizontalPodAutoscaler', { spec: { maxReplicas: 3 } }).status, { currentMetrics: null, desiredReplicas: 0 });
});

admission('a Job selects its pods by labels with its uid, unless it has a selector', () => {
  const job: Loose = { metadata: { name: 'import', uid: 'u' }, spec: { template: { metadata: { labels: { app: 'x' } } } } };
  labelJob(job);
  const labels = {
    ...{ app: 'x', 'batch.kubernetes.io/controller-uid': 'u', 'batch.kubernetes.io/job-name': 'import' },
    ...{ 'controller-uid': 'u', 'job-name': 'import' },
  };
  assert.equal(job.spec.template.metadata.labels, labels);
  assert.equal(job.metadata.labels, labels);
  assert.equal(job.spec.selector, { matchLabels: { 'batch.kubernetes.io/controller-uid': 'u' } });
  const own: Loose = { metadata: { name: 'import', uid: 'u' }, spec: { selector: { matchLabels: { a: 'b' } }, template: {} } };
  labelJob(own);
  assert.equal(own.spec, { selector: { matchLabels: { a: 'b' } }, template: {} });
});

admission.run();
