import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FieldError } from '../../../src/sandbox/api/errors.ts';
import type { Loose, Stored } from '../../../src/sandbox/store/object.ts';
import { containerErrors, portErrors } from '../../../src/sandbox/validate/container.ts';
import { definitionErrors } from '../../../src/sandbox/validate/definition.ts';
import { eventErrors } from '../../../src/sandbox/validate/event.ts';
import { kindErrors } from '../../../src/sandbox/validate/kinds.ts';
import { podChangeErrors, podSpecErrors } from '../../../src/sandbox/validate/pod.ts';
import { policyErrors } from '../../../src/sandbox/validate/policy.ts';

// Limits of fields, and what conformance/ does not ask. Kubernetes' API reference says the limits.

const objects = suite('objects that the sandbox refuses');

/** `field: reason` of each error. */
const told = (errors: Iterable<FieldError>): string[] =>
  [...errors].map(({ field, reason }) => `${field}: ${reason.replace('FieldValue', '')}`);
const container = (fields: Loose, { volumes = ['v'], isShortInit = false } = {}) =>
  told(containerErrors({ name: 'app', image: 'web:1', ...fields }, 'c', new Set(volumes), isShortInit));

/** `[what, fields of a container, its errors]` */
const CONTAINERS: [string, Loose, string[]][] = [
  ['nothing special', {}, []],
  ['no name and no image', { name: '', image: '' }, ['c.name: Required', 'c.image: Required']],
  ['a name in capitals', { name: 'App' }, ['c.name: Invalid']],
  ['an image with a space before it', { image: ' web:1' }, ['c.image: Invalid']],
  ['an unknown pull policy', { imagePullPolicy: 'Sometimes' }, ['c.imagePullPolicy: NotSupported']],
  ['every pull policy', { imagePullPolicy: 'Never' }, []],
  ['an unknown termination policy', { terminationMessagePolicy: 'Logs' }, ['c.terminationMessagePolicy: NotSupported']],
  ['the other termination policy', { terminationMessagePolicy: 'FallbackToLogsOnError' }, []],
  ['a mount of no volume', { volumeMounts: [{ name: 'w', mountPath: '/w' }] }, ['c.volumeMounts[0].name: NotFound']],
  ['a mount without a path', { volumeMounts: [{ name: 'v' }] }, ['c.volumeMounts[0].mountPath: Required']],
  [
    'two mounts at one place',
    {
      volumeMounts: [
        { name: 'v', mountPath: '/v' },
        { name: 'v', mountPath: '/v' },
      ],
    },
    ['c.volumeMounts[1].mountPath: Invalid'],
  ],
  ['a variable without a name', { env: [{ value: 'x' }] }, ['c.env[0].name: Required']],
  ['a variable with an equals sign', { env: [{ name: 'A=B' }] }, ['c.env[0].name: Invalid']],
  ['a variable with a space and a dot', { env: [{ name: 'a .b' }] }, []],
  [
    'a value and a source',
    { env: [{ name: 'A', value: 'x', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] },
    ['c.env[0].valueFrom: Invalid'],
  ],
  [
    'a field that cannot be read',
    { env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'spec.containers' } } }] },
    ['c.env[0].valueFrom.fieldRef.fieldPath: Invalid'],
  ],
  ...[
    'metadata.name',
    'metadata.namespace',
    'metadata.uid',
    "metadata.labels['a']",
    "metadata.annotations['a']",
    'spec.nodeName',
    'spec.serviceAccountName',
    'status.hostIP',
    'status.hostIPs',
    'status.podIP',
    'status.podIPs',
  ].map((fieldPath): [string, Loose, string[]] => [
    `the field ${fieldPath}`,
    { env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath } } }] },
    [],
  ]),
  [
    'keys without a name',
    {
      env: [
        { name: 'A', valueFrom: { configMapKeyRef: { name: 'c' } } },
        { name: 'B', valueFrom: { secretKeyRef: { name: 's' } } },
      ],
    },
    ['c.env[0].valueFrom.configMapKeyRef.key: Required', 'c.env[1].valueFrom.secretKeyRef.key: Required'],
  ],
  ['ports at the limits', { ports: [{ containerPort: 1 }, { containerPort: 65535 }] }, []],
  [
    'ports beyond the limits',
    { ports: [{ containerPort: 65536 }, { containerPort: -1 }, {}] },
    ['c.ports[0].containerPort: Invalid', 'c.ports[1].containerPort: Invalid', 'c.ports[2].containerPort: Required'],
  ],
  ['a name of a port in capitals', { ports: [{ containerPort: 80, name: 'HTTP' }] }, ['c.ports[0].name: Invalid']],
  ['an unknown protocol', { ports: [{ containerPort: 80, protocol: 'HTTP' }] }, ['c.ports[0].protocol: NotSupported']],
  ['each protocol', { ports: ['TCP', 'UDP', 'SCTP'].map((protocol) => ({ containerPort: 80, hostPort: 80, protocol })) }, []],
  [
    'a port of the host twice',
    { ports: [1, 2].map(() => ({ containerPort: 80, hostPort: 80, protocol: 'TCP' })) },
    ['c.ports[1].hostPort: Duplicate'],
  ],
  ['a probe without a handler', { livenessProbe: {} }, ['c.livenessProbe: Required']],
  [
    'a probe with two handlers',
    { readinessProbe: { exec: { command: ['x'] }, httpGet: { port: 80 } } },
    ['c.readinessProbe.httpGet: Forbidden'],
  ],
  ['a probe without a command', { startupProbe: { exec: {} } }, ['c.startupProbe.exec.command: Required']],
  ['a probe of port 0', { livenessProbe: { httpGet: { port: 0 } } }, ['c.livenessProbe.httpGet.port: Invalid']],
  ['a TCP probe of a wrong name', { livenessProbe: { tcpSocket: { port: 'A_b' } } }, ['c.livenessProbe.tcpSocket.port: Invalid']],
  ['a probe by gRPC', { livenessProbe: { grpc: { port: 80 } } }, []],
  [
    'times of a probe below 0',
    { livenessProbe: { exec: { command: ['x'] }, initialDelaySeconds: -1, timeoutSeconds: -1, periodSeconds: -1, failureThreshold: -1 } },
    ['initialDelaySeconds', 'timeoutSeconds', 'periodSeconds', 'failureThreshold'].map((field) => `c.livenessProbe.${field}: Invalid`),
  ],
  ['times of a probe of 0', { livenessProbe: { exec: { command: ['x'] }, initialDelaySeconds: 0, timeoutSeconds: 0 } }, []],
  [
    'two successes of a liveness probe',
    { livenessProbe: { exec: { command: ['x'] }, successThreshold: 2 } },
    ['c.livenessProbe.successThreshold: Invalid'],
  ],
  [
    'two successes of a startup probe',
    { startupProbe: { exec: { command: ['x'] }, successThreshold: 2 } },
    ['c.startupProbe.successThreshold: Invalid'],
  ],
  ['two successes of a readiness probe', { readinessProbe: { exec: { command: ['x'] }, successThreshold: 2 } }, []],
  [
    'hooks without handlers',
    { lifecycle: { postStart: {}, preStop: {} } },
    ['c.lifecycle.postStart: Required', 'c.lifecycle.preStop: Required'],
  ],
  ['a hook that sleeps', { lifecycle: { preStop: { sleep: { seconds: 1 } } } }, []],
  ['an unknown resource', { resources: { limits: { gpu: '1' } } }, ['c.resources.limits[gpu]: Invalid']],
  [
    'known resources',
    { resources: { limits: { cpu: '1', memory: '1', 'ephemeral-storage': '1', 'hugepages-2Mi': '2Mi', 'x.example/gpu': '1' } } },
    [],
  ],
  ['a request below 0', { resources: { requests: { cpu: '-1' } } }, ['c.resources.requests[cpu]: Invalid']],
  ['a request above the limit', { resources: { requests: { cpu: '2' }, limits: { cpu: '1' } } }, ['c.resources.requests: Invalid']],
  ['a request as high as the limit', { resources: { requests: { cpu: '1000m' }, limits: { cpu: '1' } } }, []],
  ['user -1', { securityContext: { runAsUser: -1 } }, ['c.securityContext.runAsUser: Invalid']],
  ['user 0', { securityContext: { runAsUser: 0 } }, []],
  ['unmasked /proc', { securityContext: { procMount: 'Unmasked' } }, ['c.securityContext.procMount: Invalid']],
  [
    'privileged without escalation',
    { securityContext: { privileged: true, allowPrivilegeEscalation: false } },
    ['c.securityContext: Invalid'],
  ],
  ['privileged, and nothing said of escalation', { securityContext: { privileged: true } }, []],
];
for (const [what, fields, errors] of CONTAINERS) objects(`a container with ${what}`, () => assert.equal(container(fields), errors));

objects('an init container that ends has no probes', () => {
  const probe = { exec: {} };
  assert.equal(container({ livenessProbe: probe, startupProbe: probe }, { isShortInit: true }), [
    'c.livenessProbe: Forbidden',
    'c.startupProbe: Forbidden',
  ]);
  assert.equal(container({ lifecycle: { preStop: {} } }, { isShortInit: true }), ['c.lifecycle.preStop: Required']);
});

objects('ports are numbers from 1 to 65535', () => {
  assert.equal(
    [0, 1, 65535, 65536, NaN].map((port) => told(portErrors('p', port)).length),
    [1, 0, 0, 1, 1],
  );
});

const spec = (fields: Loose, policies = ['Always', 'OnFailure', 'Never']) =>
  told(podSpecErrors({ containers: [{ name: 'app', image: 'web:1' }], ...fields }, 's', policies));
/** `[what, fields of a pod's spec, its errors]` */
const PODS: [string, Loose, string[]][] = [
  ['nothing special', {}, []],
  ['no containers', { containers: [] }, ['s.containers: Required']],
  ['two containers of one name', { initContainers: [{ name: 'app', image: 'web:1' }] }, ['s.initContainers[0].name: Duplicate']],
  [
    'a sidecar with a probe',
    { initContainers: [{ name: 'i', image: 'web:1', restartPolicy: 'Always', livenessProbe: {} }] },
    ['s.initContainers[0].livenessProbe: Required'],
  ],
  [
    'an init container with a probe',
    { initContainers: [{ name: 'i', image: 'web:1', livenessProbe: {} }] },
    ['s.initContainers[0].livenessProbe: Forbidden'],
  ],
  ['two volumes of one name', { volumes: [{ name: 'v' }, { name: 'v' }] }, ['s.volumes[1].name: Duplicate']],
  ['a volume of two types', { volumes: [{ name: 'v', configMap: { name: 'c' }, emptyDir: {} }] }, ['s.volumes[0].configMap: Forbidden']],
  [
    'volumes without names of what they hold',
    {
      volumes: [
        { name: 'a', hostPath: {} },
        { name: 'b', configMap: {} },
        { name: 'c', secret: {} },
      ],
    },
    ['s.volumes[0].hostPath.path: Required', 's.volumes[1].configMap.name: Required', 's.volumes[2].secret.secretName: Required'],
  ],
  ['a wrong key of a node selector', { nodeSelector: { 'a/b/c': 'x' } }, ['s.nodeSelector: Invalid']],
  ['a toleration with a value for any', { tolerations: [{ operator: 'Exists', value: 'x' }] }, ['s.tolerations[0].operator: Invalid']],
  ['an unknown restart policy', { restartPolicy: 'Sometimes' }, ['s.restartPolicy: NotSupported']],
  ['an unknown DNS policy', { dnsPolicy: 'Cluster' }, ['s.dnsPolicy: NotSupported']],
  ...['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'].map((dnsPolicy): [string, Loose, string[]] => [
    `DNS policy ${dnsPolicy}`,
    { dnsPolicy },
    [],
  ]),
  ['user -1', { securityContext: { runAsUser: -1 } }, ['s.securityContext.runAsUser: Invalid']],
  ['a host name in capitals', { hostname: 'Web' }, ['s.hostname: Invalid']],
  ['a deadline of 0', { activeDeadlineSeconds: 0 }, ['s.activeDeadlineSeconds: Invalid']],
  ['a deadline of 1', { activeDeadlineSeconds: 1 }, []],
];
for (const [what, fields, errors] of PODS) objects(`a pod with ${what}`, () => assert.equal(spec(fields), errors));

objects('a Job must not run for ever', () => {
  assert.equal(spec({ restartPolicy: 'Always' }, ['OnFailure', 'Never']), ['s.restartPolicy: Required']);
  assert.equal(spec({ restartPolicy: 'Never' }, ['OnFailure', 'Never']), []);
});

const aPod = (fields: Loose = {}, first: Loose = {}) =>
  ({ spec: { containers: [{ name: 'app', image: 'web:1', ...first }], ...fields } }) as unknown as Stored;
/** `[what, the pod, as it was, the errors]` */
const CHANGES: [string, Stored, Stored, string[]][] = [
  ['another image', aPod({}, { image: 'web:2' }), aPod(), []],
  ['no image', aPod({}, { image: '' }), aPod(), ['spec.containers[0].image: Required']],
  [
    'another image of an init container',
    aPod({ initContainers: [{ name: 'i', image: 'b' }] }),
    aPod({ initContainers: [{ name: 'i', image: 'a' }] }),
    [],
  ],
  [
    'a toleration, a node and no gate',
    aPod({ tolerations: [{}], nodeName: 'n', schedulingGates: [] }),
    aPod({ schedulingGates: [{ name: 'g' }] }),
    [],
  ],
  ['another command', aPod({}, { command: ['x'] }), aPod(), ['spec: Forbidden']],
  ['another policy', aPod({ restartPolicy: 'Never' }), aPod(), ['spec: Forbidden']],
  [
    'one container more',
    aPod({
      containers: [
        { name: 'app', image: 'web:1' },
        { name: 'b', image: 'b' },
      ],
    }),
    aPod(),
    ['spec.containers: Forbidden'],
  ],
  ['a first deadline', aPod({ activeDeadlineSeconds: 5 }), aPod(), []],
  ['an earlier deadline', aPod({ activeDeadlineSeconds: 4 }), aPod({ activeDeadlineSeconds: 5 }), []],
  ['a later deadline', aPod({ activeDeadlineSeconds: 6 }), aPod({ activeDeadlineSeconds: 5 }), ['spec.activeDeadlineSeconds: Invalid']],
  ['no deadline any more', aPod(), aPod({ activeDeadlineSeconds: 5 }), ['spec.activeDeadlineSeconds: Invalid']],
];
for (const [what, pod, old, errors] of CHANGES)
  objects(`a pod that gets ${what}`, () => assert.equal(told(podChangeErrors(pod, old)), errors));

const LABELS = { app: 'web' };
const workload = (kind: string, fields: Loose = {}, podFields: Loose = {}): Loose => ({
  kind,
  metadata: { name: 'web' },
  spec: {
    ...(kind !== 'Job' && { selector: { matchLabels: LABELS } }),
    template: {
      metadata: { labels: LABELS },
      spec: { restartPolicy: kind === 'Job' ? 'Never' : 'Always', containers: [{ name: 'app', image: 'web:1' }], ...podFields },
    },
    ...fields,
  },
});
const other = (kind: string, fields: Loose): Loose => ({ kind, metadata: { name: 'web' }, ...fields });
const service = (fields: Loose) => other('Service', { spec: { ports: [{ port: 80 }], ...fields } });
/** `[what, object, its errors, the object as it was]` */
const KINDS: [string, Loose, string[], Loose?][] = [
  ...['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job'].flatMap((kind): [string, Loose, string[], Loose?][] => [
    [`a ${kind}`, workload(kind), []],
    [`a ${kind} of -1 pods`, workload(kind, { replicas: -1 }), ['spec.replicas: Invalid']],
    [`a ${kind} of 0 pods`, workload(kind, { replicas: 0 }), []],
    [
      `a ${kind} with another policy`,
      workload(kind, {}, { restartPolicy: kind === 'Job' ? 'Always' : 'Never' }),
      [`spec.template.spec.restartPolicy: ${kind === 'Job' ? 'Required' : 'NotSupported'}`],
    ],
    [
      `a ${kind} with another selector than before`,
      workload(kind, kind === 'Job' ? { selector: { matchLabels: LABELS } } : {}),
      ['spec.selector: Invalid'],
      workload(kind, { selector: { matchLabels: { a: 'b' } } }),
    ],
  ]),
  [
    'a Deployment without a selector',
    workload('Deployment', { selector: undefined }),
    ['spec.selector: Required', 'spec.template.metadata.labels: Invalid'],
  ],
  [
    'a Deployment whose selector selects others',
    workload('Deployment', { selector: { matchLabels: { a: 'b' } } }),
    ['spec.template.metadata.labels: Invalid'],
  ],
  ['a Deployment with an unknown strategy', workload('Deployment', { strategy: { type: 'Slow' } }), ['spec.strategy: NotSupported']],
  ['a Job with another template than before', workload('Job', {}, { hostname: 'a' }), ['spec.template: Invalid'], workload('Job')],
  ['a Deployment with another template than before', workload('Deployment', {}, { hostname: 'a' }), [], workload('Deployment')],
  ['a ConfigMap with a wrong key', other('ConfigMap', { data: { 'a/b': 'x' } }), ['data[a/b]: Invalid']],
  ['a ConfigMap with right keys', other('ConfigMap', { data: { 'a-B_c.d1': 'x' } }), []],
  [
    'an immutable ConfigMap with other data',
    other('ConfigMap', { immutable: true, data: { a: 'y' } }),
    ['data: Forbidden'],
    other('ConfigMap', { immutable: true, data: { a: 'x' } }),
  ],
  [
    'an immutable ConfigMap that is mutable now',
    other('ConfigMap', { data: { a: 'x' } }),
    ['immutable: Forbidden'],
    other('ConfigMap', { immutable: true, data: { a: 'x' } }),
  ],
  [
    'a ConfigMap that becomes immutable',
    other('ConfigMap', { immutable: true, data: { a: 'y' } }),
    [],
    other('ConfigMap', { data: { a: 'x' } }),
  ],
  ['a Secret of another type than before', other('Secret', { type: 'a' }), ['type: Invalid'], other('Secret', { type: 'b' })],
  [
    'a Secret for registries without its key',
    other('Secret', { type: 'kubernetes.io/dockerconfigjson', data: {} }),
    ['data[.dockerconfigjson]: Required'],
  ],
  ['a Secret for registries', other('Secret', { type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': 'e30=' } }), []],
  ['a Secret with a wrong key', other('Secret', { data: { 'a b': 'x' } }), ['data[a b]: Invalid']],
  ['a Service', service({}), []],
  ['a Service of an unknown type', service({ type: 'Open' }), ['spec.type: NotSupported']],
  ...['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'].map((type): [string, Loose, string[]] => [
    `a Service of type ${type}`,
    service({ type }),
    [],
  ]),
  ['a Service without ports', service({ ports: [] }), ['spec.ports: Required']],
  ['a headless Service without ports', service({ ports: [], clusterIP: 'None' }), []],
  ['an external Service without ports', service({ ports: [], type: 'ExternalName' }), []],
  ['a Service with two ports without names', service({ ports: [{ port: 80 }, { port: 81, name: 'b' }] }), ['spec.ports[0].name: Required']],
  [
    'a Service with wrong ports',
    service({ ports: [{ port: 0, targetPort: 'A' }] }),
    ['spec.ports[0].port: Invalid', 'spec.ports[0].targetPort: Invalid'],
  ],
  ['a Lease of 0 seconds', other('Lease', { spec: { leaseDurationSeconds: 0 } }), ['spec.leaseDurationSeconds: Invalid']],
  ['a Lease of 1 second, never passed on', other('Lease', { spec: { leaseDurationSeconds: 1, leaseTransitions: 0 } }), []],
  ['a Lease with -1 transitions', other('Lease', { spec: { leaseTransitions: -1 } }), ['spec.leaseTransitions: Invalid']],
  ['the highest priority', other('PriorityClass', { value: 1_000_000_000 }), []],
  ['a higher priority', other('PriorityClass', { value: 1_000_000_001 }), ['value: Forbidden']],
  ['a priority of the system', { ...other('PriorityClass', { value: 2_000_000_000 }), metadata: { name: 'system-node-critical' } }, []],
  [
    'a priority that is named like one',
    { ...other('PriorityClass', { value: 1 }), metadata: { name: 'system-mine' } },
    ['metadata.name: Forbidden'],
  ],
  ['another priority than before', other('PriorityClass', { value: 2 }), ['value: Forbidden'], other('PriorityClass', { value: 1 })],
  [
    'a claim',
    other('PersistentVolumeClaim', { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } }),
    [],
  ],
  [
    'a claim of nothing',
    other('PersistentVolumeClaim', { spec: { accessModes: [] } }),
    ['spec.accessModes: Required', 'spec.resources[storage]: Required'],
  ],
  ['a pod without containers', other('Pod', { spec: { containers: [] } }), ['spec.containers: Required']],
  [
    'a pod with another command than before',
    { ...aPod({}, { command: ['x'] }), kind: 'Pod' },
    ['spec: Forbidden'],
    { ...aPod(), kind: 'Pod' },
  ],
  ['a kind that is not checked', other('Endpoints', { subsets: 'x' }), []],
];
for (const [what, object, errors, old] of KINDS)
  objects(what, () => assert.equal(told(kindErrors(object as Stored, old as Stored)), errors));

const policy = (fields: Loose) => told(policyErrors({ spec: { podSelector: {}, ...fields } }));
objects('a NetworkPolicy names peers, ports and directions', () => {
  assert.equal(policy({}), []);
  assert.equal(policy({ policyTypes: ['Ingress', 'Egress'] }), []);
  assert.equal(policy({ policyTypes: ['Ingress', 'Both'] }), ['spec.policyTypes[1]: NotSupported']);
  assert.equal(policy({ ingress: [{ from: [{}] }] }), ['spec.ingress[0].from[0]: Required']);
  assert.equal(policy({ egress: [{ to: [{}] }], ingress: [{ to: [{}] }] }), ['spec.egress[0].to[0]: Required']);
  assert.equal(
    policy({
      ingress: [
        {},
        {
          from: [
            { podSelector: {} },
            { namespaceSelector: {} },
            { ipBlock: { cidr: '10.0.0.0/8' } },
            { ipBlock: { cidr: '2001:db8::/64' } },
          ],
        },
      ],
    }),
    [],
  );
  assert.equal(policy({ egress: [{ to: [{ ipBlock: { cidr: '10.0.0.0' } }, { ipBlock: {} }] }] }), [
    'spec.egress[0].to[0].ipBlock.cidr: Invalid',
    'spec.egress[0].to[1].ipBlock.cidr: Invalid',
  ]);
  assert.equal(policy({ ingress: [{ ports: [{ port: 80 }, { port: 'http' }, {}, { port: 0 }, { port: 'A' }] }] }), [
    'spec.ingress[0].ports[3].port: Invalid',
    'spec.ingress[0].ports[4].port: Invalid',
  ]);
});

const event = (fields: Loose): Stored => ({ metadata: { namespace: 'shop' }, type: 'Normal', eventTime: 't', ...fields }) as never;
objects('an Event is of the namespace of its object', () => {
  assert.equal(told(eventErrors(event({ involvedObject: { namespace: 'shop' } }), undefined, false)), []);
  assert.equal(told(eventErrors(event({ involvedObject: {} }), undefined, false)), []);
  assert.equal(told(eventErrors(event({ involvedObject: { namespace: 'other' } }), undefined, false)), [
    'involvedObject.namespace: Invalid',
  ]);
});

objects('an Event of events.k8s.io must say more, and stays as it is', () => {
  const made = (fields: Loose) => told(eventErrors(event(fields), undefined, true));
  assert.equal(made({ message: 'x'.repeat(1024) }), []);
  assert.equal(made({ type: 'Warning', involvedObject: { namespace: 'other' } }), []);
  assert.equal(made({ message: 'x'.repeat(1025), type: 'Error', eventTime: undefined }), [
    'eventTime: Required',
    'type: Invalid',
    'message: Invalid',
  ]);
  const fields = [
    'involvedObject',
    'reason',
    'message',
    'type',
    'action',
    'reportingComponent',
    'reportingInstance',
    'related',
    'eventTime',
  ];
  for (const field of fields)
    assert.equal(told(eventErrors(event({ [field]: 'new' }), event({ [field]: 'old' }), true)), [`${field}: Invalid`]);
  assert.equal(told(eventErrors(event({ series: { count: 2 } }), event({}), true)), []);
});

const NAMES = { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' };
const version = (fields: Loose = {}) => ({
  name: 'v1',
  served: true,
  storage: true,
  schema: { openAPIV3Schema: { type: 'object' } },
  ...fields,
});
const definition = (fields: Loose, name = 'widgets.example.org') =>
  told(
    definitionErrors({
      metadata: { name },
      spec: { group: 'example.org', scope: 'Namespaced', names: NAMES, versions: [version()], ...fields },
    } as never),
  );
const schemaOf = (openAPIV3Schema: Loose) => ({ versions: [version({ schema: { openAPIV3Schema } })] });
const ROOT = 'spec.validation.openAPIV3Schema';
objects('a CustomResourceDefinition', () => {
  assert.equal(definition({}), []);
  assert.equal(definition({ scope: 'Cluster' }), []);
  assert.equal(definition({}, 'widget.example.org'), ['metadata.name: Invalid']);
  assert.equal(definition({ scope: 'All' }), ['spec.scope: NotSupported']);
  assert.equal(
    definition({ names: { plural: 'widgets' } }),
    ['singular', 'kind', 'listKind'].map((field) => `spec.names.${field}: Required`),
  );
  const NONE = ['spec.versions: Invalid', 'status.storedVersions: Invalid'];
  assert.equal(definition({ versions: [version({ storage: false })] }), NONE);
  assert.equal(definition({ versions: [version(), version({ name: 'v2' })] }), NONE);
  assert.equal(definition({ versions: [version({ schema: undefined })] }), ['spec.versions[0].schema.openAPIV3Schema: Required']);
  assert.equal(definition(schemaOf({})), [`${ROOT}.type: Invalid`]);
  assert.equal(definition(schemaOf({ type: 'object', properties: { spec: {} } })), [`${ROOT}.properties[spec].type: Required`]);
  assert.equal(definition(schemaOf({ type: 'object', properties: { a: { type: 'object', properties: { b: {} } } } })), [
    `${ROOT}.properties[a].properties[b].type: Required`,
  ]);
  assert.equal(definition(schemaOf({ type: 'object', properties: { a: { type: 'array', items: { properties: { b: {} } } } } })), [
    `${ROOT}.properties[a].items.properties[b].type: Required`,
  ]);
  const open = { a: { 'x-kubernetes-preserve-unknown-fields': true }, b: { 'x-kubernetes-int-or-string': true } };
  assert.equal(definition(schemaOf({ type: 'object', properties: open })), []);
  const second = version({ name: 'v2', storage: false, schema: { openAPIV3Schema: { type: 'string' } } });
  assert.equal(definition({ versions: [version(), second] }), ['spec.versions[1].schema.openAPIV3Schema.type: Invalid']);
});

objects.run();
