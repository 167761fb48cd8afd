import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { podStatusText } from '../../../src/sandbox/table/kind-columns.ts';
import { jsonPath, tableOf } from '../../../src/sandbox/table/table.ts';
import { shownAs } from '../../../src/sandbox/table/served-version.ts';
import { Registry } from '../../../src/sandbox/kinds/kinds.ts';
import type { Loose, Stored } from '../../../src/sandbox/store/object.ts';

// What `kubectl get` shows of each kind, and with `-o wide` (after the bar).

const tables = suite('tables of the sandbox');
const registry = new Registry();
const NOW = new Date('2030-01-01T00:05:00Z');
const CREATED = '2030-01-01T00:00:00Z';
const AGE = '5m';

/** `NAME: cell` of each column; those for `-o wide` after a bar. */
function cells(plural: string, object: Loose): string {
  const table = tableOf(
    registry.builtin(plural),
    [{ ...object, metadata: { name: 'x', creationTimestamp: CREATED, ...object.metadata } }],
    {},
    NOW,
    null,
  );
  const shown = (isWide: boolean) =>
    table.columnDefinitions
      .flatMap(({ name, priority }: Loose, index: number) => (priority > 0 === isWide ? [`${name}: ${table.rows[0].cells[index]}`] : []))
      .join(', ');
  const wide = shown(true);
  return shown(false) + (wide && ` | ${wide}`);
}
const LABELS = { app: 'web', tier: 'a' };
const template = {
  spec: {
    containers: [
      { name: 'app', image: 'web:1' },
      { name: 'side', image: 's:2' },
    ],
  },
};
const WIDE = 'Containers: app,side, Images: web:1,s:2, Selector: app=web,tier=a';
const spec = (fields: Loose) => ({ spec: { selector: { matchLabels: LABELS }, template, ...fields } });
const status = (fields: Loose) => ({ status: fields });
const both = (one: Loose, other: Loose) => ({ ...one, ...other });
const pod = (fields: Loose, statusFields: Loose = {}, metadata: Loose = {}) => ({
  metadata,
  spec: { containers: [{ name: 'app' }], ...fields },
  status: statusFields,
});

/** `[kind, object, what is shown after NAME]` */
const ROWS: [string, Loose, string][] = [
  [
    'pods',
    pod(
      {
        nodeName: 'n',
        readinessGates: [{ conditionType: 'a' }, { conditionType: 'b' }],
        initContainers: [{ name: 'proxy', restartPolicy: 'Always' }, { name: 'init' }],
      },
      {
        phase: 'Running',
        podIP: '10.244.0.2',
        nominatedNodeName: 'm',
        conditions: [
          { type: 'a', status: 'True' },
          { type: 'b', status: 'False' },
        ],
        containerStatuses: [
          {
            name: 'app',
            ready: true,
            restartCount: 2,
            state: { running: {} },
            lastState: { terminated: { finishedAt: '2030-01-01T00:04:00Z' } },
          },
        ],
        initContainerStatuses: [
          {
            name: 'proxy',
            ready: true,
            started: true,
            restartCount: 1,
            state: { running: {} },
            lastState: { terminated: { finishedAt: '2030-01-01T00:03:00Z' } },
          },
          { name: 'init', ready: true, restartCount: 0, state: { terminated: { exitCode: 0 } }, lastState: {} },
        ],
      },
    ),
    `Ready: 2/2, Status: Running, Restarts: 3 (60s ago), Age: ${AGE} | IP: 10.244.0.2, Node: n, Nominated Node: m, Readiness Gates: 1/2`,
  ],
  [
    'pods',
    pod({}),
    `Ready: 0/1, Status: Pending, Restarts: 0, Age: ${AGE} | IP: <none>, Node: <none>, Nominated Node: <none>, Readiness Gates: <none>`,
  ],
  [
    'deployments',
    both(spec({ replicas: 3 }), status({ readyReplicas: 1, updatedReplicas: 2, availableReplicas: 1 })),
    `Ready: 1/3, Up-to-date: 2, Available: 1, Age: ${AGE} | ${WIDE}`,
  ],
  ['deployments', spec({ replicas: 3 }), `Ready: 0/3, Up-to-date: 0, Available: 0, Age: ${AGE} | ${WIDE}`],
  [
    'replicasets',
    both(spec({ replicas: 3 }), status({ replicas: 2, readyReplicas: 1 })),
    `Desired: 3, Current: 2, Ready: 1, Age: ${AGE} | ${WIDE}`,
  ],
  [
    'statefulsets',
    both(spec({ replicas: 3 }), status({ readyReplicas: 1 })),
    `Ready: 1/3, Age: ${AGE} | Containers: app,side, Images: web:1,s:2`,
  ],
  [
    'daemonsets',
    both(
      spec({ template: { spec: { ...template.spec, nodeSelector: { disk: 'ssd' } } } }),
      status({ desiredNumberScheduled: 5, currentNumberScheduled: 4, numberReady: 3, updatedNumberScheduled: 2, numberAvailable: 1 }),
    ),
    `Desired: 5, Current: 4, Ready: 3, Up-to-date: 2, Available: 1, Node Selector: disk=ssd, Age: ${AGE} | ${WIDE}`,
  ],
  ['daemonsets', spec({}), `Desired: 0, Current: 0, Ready: 0, Up-to-date: 0, Available: 0, Node Selector: <none>, Age: ${AGE} | ${WIDE}`],
  [
    'jobs',
    both(spec({ completions: 3 }), status({ succeeded: 1, startTime: '2030-01-01T00:04:30Z' })),
    `Status: Running, Completions: 1/3, Duration: 30s, Age: ${AGE} | ${WIDE}`,
  ],
  [
    'jobs',
    both(
      spec({}),
      status({
        succeeded: 1,
        startTime: '2030-01-01T00:04:00Z',
        completionTime: '2030-01-01T00:04:10Z',
        conditions: [{ type: 'Complete', status: 'True' }],
      }),
    ),
    `Status: Complete, Completions: 1/1, Duration: 10s, Age: ${AGE} | ${WIDE}`,
  ],
  ['jobs', spec({}), `Status: Running, Completions: 0/1, Duration: , Age: ${AGE} | ${WIDE}`],
  [
    'services',
    {
      spec: {
        type: 'NodePort',
        clusterIP: '10.96.0.10',
        selector: LABELS,
        ports: [
          { port: 80, nodePort: 30080, protocol: 'TCP' },
          { port: 53, protocol: 'UDP' },
        ],
      },
    },
    `Type: NodePort, Cluster-IP: 10.96.0.10, External-IP: <none>, Port(s): 80:30080/TCP,53/UDP, Age: ${AGE} | Selector: app=web,tier=a`,
  ],
  [
    'services',
    { spec: { type: 'LoadBalancer' } },
    `Type: LoadBalancer, Cluster-IP: <none>, External-IP: <pending>, Port(s): <none>, Age: ${AGE} | Selector: <none>`,
  ],
  [
    'services',
    { spec: { type: 'ExternalName', externalName: 'x.example' } },
    `Type: ExternalName, Cluster-IP: <none>, External-IP: x.example, Port(s): <none>, Age: ${AGE} | Selector: <none>`,
  ],
  [
    'endpoints',
    { subsets: [{ addresses: [{ ip: '10.0.0.1' }, { ip: '10.0.0.2' }], ports: [{ port: 80 }] }] },
    `Endpoints: 10.0.0.1:80,10.0.0.2:80, Age: ${AGE}`,
  ],
  ['endpoints', {}, `Endpoints: <none>, Age: ${AGE}`],
  [
    'endpointslices',
    { addressType: 'IPv4', ports: [{ port: 80 }, { port: 81 }], endpoints: [{ addresses: ['10.0.0.1'] }, { addresses: ['10.0.0.2'] }] },
    `AddressType: IPv4, Ports: 80,81, Endpoints: 10.0.0.1,10.0.0.2, Age: ${AGE}`,
  ],
  ['endpointslices', { addressType: 'IPv4' }, `AddressType: IPv4, Ports: <unset>, Endpoints: <unset>, Age: ${AGE}`],
  ['configmaps', { data: { a: '', b: '' }, binaryData: { c: '' } }, `Data: 3, Age: ${AGE}`],
  ['configmaps', {}, `Data: 0, Age: ${AGE}`],
  ['secrets', { type: 'Opaque', data: { a: '' } }, `Type: Opaque, Data: 1, Age: ${AGE}`],
  ['namespaces', status({ phase: 'Active' }), `Status: Active, Age: ${AGE}`],
  [
    'nodes',
    {
      metadata: { labels: { 'node-role.kubernetes.io/worker': '', 'node-role.kubernetes.io/gpu': '', other: '' } },
      spec: { unschedulable: true },
      status: {
        conditions: [{ type: 'Ready', status: 'True' }],
        addresses: [
          { type: 'Hostname', address: 'h' },
          { type: 'InternalIP', address: '172.16.0.1' },
        ],
        nodeInfo: { kubeletVersion: 'v1', osImage: 'os', kernelVersion: '6', containerRuntimeVersion: 'c' },
      },
    },
    `Status: Ready,SchedulingDisabled, Roles: worker,gpu, Age: ${AGE}, Version: v1 | Internal-IP: 172.16.0.1, External-IP: <none>, OS-Image: os, Kernel-Version: 6, Container-Runtime: c`,
  ],
  [
    'nodes',
    status({ conditions: [{ type: 'Ready', status: 'False' }] }),
    `Status: NotReady, Roles: <none>, Age: ${AGE}, Version:  | Internal-IP: <none>, External-IP: <none>, OS-Image: <unknown>, Kernel-Version: <unknown>, Container-Runtime: <unknown>`,
  ],
  [
    'nodes',
    {},
    `Status: Unknown, Roles: <none>, Age: ${AGE}, Version:  | Internal-IP: <none>, External-IP: <none>, OS-Image: <unknown>, Kernel-Version: <unknown>, Container-Runtime: <unknown>`,
  ],
  [
    'persistentvolumeclaims',
    both(
      { spec: { volumeName: 'v', storageClassName: 'fast', volumeMode: 'Filesystem' } },
      status({ phase: 'Bound', capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce', 'ReadOnlyMany'] }),
    ),
    `Status: Bound, Volume: v, Capacity: 1Gi, Access Modes: ReadWriteOnce,ReadOnlyMany, StorageClass: fast, VolumeAttributesClass: <unset>, Age: ${AGE} | VolumeMode: Filesystem`,
  ],
  [
    'persistentvolumeclaims',
    {},
    `Status: Pending, Volume: , Capacity: , Access Modes: , StorageClass: , VolumeAttributesClass: <unset>, Age: ${AGE} | VolumeMode: <unset>`,
  ],
  [
    'resourcequotas',
    both({ spec: { hard: { pods: '2', 'limits.cpu': '4', 'requests.cpu': '1' } } }, status({ used: { pods: '1', 'limits.cpu': '3' } })),
    `Request: pods: 1/2, requests.cpu: 0/1, Limit: limits.cpu: 3/4, Age: ${AGE}`,
  ],
  ['networkpolicies', { spec: { podSelector: { matchLabels: LABELS } } }, `Pod-Selector: app=web,tier=a, Age: ${AGE}`],
  ['networkpolicies', { spec: { podSelector: {} } }, `Pod-Selector: <none>, Age: ${AGE}`],
  [
    'priorityclasses',
    { value: 7, globalDefault: true, preemptionPolicy: 'Never' },
    `Value: 7, Global-Default: true, Age: ${AGE}, PreemptionPolicy: Never`,
  ],
  ['priorityclasses', { value: 7 }, `Value: 7, Global-Default: false, Age: ${AGE}, PreemptionPolicy: PreemptLowerPriority`],
  ['leases', { spec: { holderIdentity: 'me' } }, `Holder: me, Age: ${AGE}`],
  ['leases', {}, `Holder: , Age: ${AGE}`],
  ['customresourcedefinitions', {}, `Created At: ${CREATED}`],
  ['roles', {}, `Created At: ${CREATED}`],
  ['clusterroles', {}, `Created At: ${CREATED}`],
  ['rolebindings', { roleRef: { kind: 'Role', name: 'r' } }, `Role: Role/r, Age: ${AGE}`],
  ['clusterrolebindings', { roleRef: { kind: 'ClusterRole', name: 'r' } }, `Role: ClusterRole/r, Age: ${AGE}`],
  ['runtimeclasses', { handler: 'runc' }, `Handler: runc, Age: ${AGE}`],
  ['serviceaccounts', {}, `Age: ${AGE}`],
];
for (const [plural, object, expected] of ROWS)
  tables(`${plural}: ${expected.slice(0, 60)}`, () => assert.is(cells(plural, object), `Name: x, ${expected}`));

tables('events begin with when they were last seen', () => {
  const event = (fields: Loose) =>
    cells('events', {
      type: 'Warning',
      reason: 'BackOff',
      involvedObject: { kind: 'Pod', name: 'web', fieldPath: 'spec.containers{app}' },
      message: ' no \n',
      ...fields,
    });
  const REST = 'Type: Warning, Reason: BackOff, Object: pod/web, Message: no | Subobject: spec.containers{app}';
  assert.is(
    event({
      lastTimestamp: '2030-01-01T00:04:00Z',
      firstTimestamp: '2030-01-01T00:03:30Z',
      count: 3,
      source: { component: 'kubelet', host: 'n' },
    }),
    `Last Seen: 60s, ${REST}, Source: kubelet, n, First Seen: 90s, Count: 3, Name: x`,
  );
  assert.is(
    event({
      eventTime: '2030-01-01T00:03:30Z',
      series: { count: 5, lastObservedTime: '2030-01-01T00:04:50Z' },
      reportingComponent: 'scheduler',
      source: {},
    }),
    `Last Seen: 10s, ${REST}, Source: scheduler, First Seen: 90s, Count: 5, Name: x`,
  );
  assert.is(event({ eventTime: '2030-01-01T00:04:30Z' }), `Last Seen: 30s, ${REST}, Source: , First Seen: 30s, Count: 1, Name: x`);
  assert.match(event({}), /^Last Seen: 5m, /);
});

const state = (one: Loose, more: Loose = {}) => ({ name: 'app', ready: false, restartCount: 0, state: one, ...more });
const withStatuses = (...containerStatuses: Loose[]) => pod({}, { phase: 'Running', containerStatuses });
const init = (...initContainerStatuses: Loose[]) =>
  pod(
    { initContainers: initContainerStatuses.map(({ policy }, index) => ({ name: `${index}`, restartPolicy: policy })) },
    { phase: 'Pending', initContainerStatuses },
  );
/** The STATUS of a pod, by the rules of the printer of Kubernetes. */
const STATUSES: [string, Loose, string][] = [
  ['nothing is known', pod({}), 'Pending'],
  ['its phase', pod({}, { phase: 'Running' }), 'Running'],
  ['a reason of its own', pod({}, { phase: 'Failed', reason: 'Evicted' }), 'Evicted'],
  ['a gate', pod({}, { phase: 'Pending', conditions: [{ type: 'PodScheduled', reason: 'SchedulingGated' }] }), 'SchedulingGated'],
  ['a container waits', withStatuses(state({ waiting: { reason: 'CrashLoopBackOff' } })), 'CrashLoopBackOff'],
  ['a container ended', withStatuses(state({ terminated: { reason: 'OOMKilled', exitCode: 137 } })), 'OOMKilled'],
  ['a container ended without a reason', withStatuses(state({ terminated: { exitCode: 3 } })), 'ExitCode:3'],
  ['a container ended by a signal', withStatuses(state({ terminated: { exitCode: 137, signal: 9 } })), 'Signal:9'],
  [
    'the first container that has a reason counts',
    withStatuses(state({ waiting: { reason: 'ErrImagePull' } }), state({ waiting: { reason: 'CrashLoopBackOff' } })),
    'ErrImagePull',
  ],
  [
    'one is complete, the other runs',
    withStatuses(state({ terminated: { reason: 'Completed', exitCode: 0 } }), state({ running: {} }, { ready: true })),
    'Running',
  ],
  [
    'one is complete, the other runs and is not ready',
    withStatuses(state({ terminated: { reason: 'Completed', exitCode: 0 } }), state({ running: {} })),
    'Completed',
  ],
  ['an init container runs', init({ state: { terminated: { exitCode: 0 } } }, { state: { running: {} } }), 'Init:1/2'],
  ['an init container fails', init({ state: { terminated: { exitCode: 1, reason: 'Error' } } }), 'Init:Error'],
  ['an init container ended without a reason', init({ state: { terminated: { exitCode: 2 } } }), 'Init:ExitCode:2'],
  ['an init container ended by a signal', init({ state: { terminated: { exitCode: 137, signal: 9 } } }), 'Init:Signal:9'],
  ['an init container waits', init({ state: { waiting: { reason: 'CrashLoopBackOff' } } }), 'Init:CrashLoopBackOff'],
  ['an init container is initialized', init({ state: { waiting: { reason: 'PodInitializing' } } }), 'Init:0/1'],
  ['a sidecar has started', init({ policy: 'Always', started: true, state: { running: {} } }), 'Pending'],
  ['a sidecar has not started', init({ policy: 'Always', started: false, state: { running: {} } }), 'Init:0/1'],
  ['it is deleted', pod({}, { phase: 'Running' }, { deletionTimestamp: CREATED }), 'Terminating'],
  ['it is deleted after its end', pod({}, { phase: 'Succeeded' }, { deletionTimestamp: CREATED }), 'Succeeded'],
  ['it is deleted after its failure', pod({}, { phase: 'Failed', reason: 'Evicted' }, { deletionTimestamp: CREATED }), 'Evicted'],
];
for (const [what, one, expected] of STATUSES)
  tables(`the status of a pod: ${what}`, () => assert.is(podStatusText(one as Stored), expected));

for (const [conditions, metadata, expected] of [
  [['Failed', 'FailureTarget'], {}, 'Failed'],
  [['FailureTarget'], {}, 'FailureTarget'],
  [['Suspended'], {}, 'Suspended'],
  [['Suspended'], { deletionTimestamp: CREATED }, 'Terminating'],
  [['Complete'], { deletionTimestamp: CREATED }, 'Complete'],
] as const)
  tables(`the status of a Job: ${expected} with ${conditions.join()}`, () =>
    assert.match(
      cells('jobs', { metadata, ...spec({}), ...status({ conditions: conditions.map((type) => ({ type, status: 'True' })) }) }),
      `Status: ${expected},`,
    ),
  );

const OBJECT = {
  spec: {
    'a.b': 1,
    list: [
      { type: 'A', status: 'x' },
      { type: 'B', status: 'y' },
    ],
    none: null,
  },
};
for (const [path, value] of [
  ['.spec.list[0].type', 'A'],
  ['{.spec.list[1].status}', 'y'],
  ['.spec.list[?(@.type=="B")].status', 'y'],
  [".spec.list[?(@.type == 'A')].status", 'x'],
  ['.spec.list[?(@.type=="C")].status', undefined],
  ['.spec.list[*].type', 'A'],
  ['.spec.a\\.b', 1],
  ['.spec.none.x', undefined],
  ['.nothing.x', undefined],
] as const)
  tables(`the path ${path}`, () => assert.is(jsonPath(OBJECT, path), value));

tables('columns of a custom kind', () => {
  const column = (name: string, type: string, path: string, more: Loose = {}) => ({ name, type, jsonPath: path, ...more });
  const columns = [
    column('Color', 'string', '.spec.color'),
    column('Since', 'date', '.spec.since'),
    column('Never', 'date', '.spec.never'),
    column('None', 'integer', '.spec.none', { priority: 1 }),
    column('All', 'string', '.spec', { format: 'f' }),
  ];
  const kind = { ...registry.builtin('pods'), columns, isCustom: true };
  const object = { metadata: { name: 'x' }, spec: { color: 'red', since: '2030-01-01T00:04:00Z' } } as never;
  const table = tableOf(kind, [object], { resourceVersion: '7' }, NOW, 'None');
  assert.equal(table.rows, [
    { cells: ['x', 'red', '60s', '<unknown>', null, '{"color":"red","since":"2030-01-01T00:04:00Z"}'], object: null },
  ]);
  assert.equal(table.columnDefinitions[0], { name: 'Name', type: 'string', format: 'name', description: 'Name', priority: 0 });
  assert.equal(table.columnDefinitions[4], { name: 'None', type: 'integer', format: '', description: 'None', priority: 1 });
  assert.equal(table.columnDefinitions[5], { name: 'All', type: 'string', format: 'f', description: 'All', priority: 0 });
  assert.equal([table.kind, table.apiVersion, table.metadata], ['Table', 'meta.k8s.io/v1', { resourceVersion: '7' }]);
});

tables('a row has the object, its metadata or nothing, as the client asks', () => {
  const object = { metadata: { name: 'x' }, data: {} } as never;
  const of = (include: string | null) => tableOf(registry.builtin('configmaps'), [object], {}, NOW, include).rows[0].object;
  assert.equal(of('Object'), object);
  assert.equal(of(null), { kind: 'PartialObjectMetadata', apiVersion: 'meta.k8s.io/v1', metadata: { name: 'x' } });
  assert.is(of('None'), null);
});

tables('types of columns', () => {
  const types = (plural: string) =>
    Object.fromEntries(tableOf(registry.builtin(plural), [], {}, NOW, null).columnDefinitions.map(({ name, type }: Loose) => [name, type]));
  assert.equal(
    [types('replicasets')['Desired'], types('daemonsets')['Available'], types('pods')['Ready']],
    ['integer', 'integer', 'string'],
  );
  assert.equal([types('priorityclasses')['Value'], types('priorityclasses')['Global-Default']], ['integer', 'boolean']);
  assert.is(types('customresourcedefinitions')['Created At'], 'date');
});

tables('an object is shown in the version in which it is asked for', () => {
  const custom = { ...registry.builtin('pods'), group: 'x.example', version: 'v2' };
  assert.is(shownAs(custom, { apiVersion: 'x.example/v1' } as Stored).apiVersion, 'x.example/v2');
  const event = {
    apiVersion: 'v1',
    kind: 'Event',
    message: 'm',
    involvedObject: { name: 'a' },
    count: 2,
    reportingComponent: 'c',
    reportingInstance: 'i',
    source: { component: 's' },
    firstTimestamp: 'f',
    lastTimestamp: 'l',
    metadata: { name: 'e' },
  } as never;
  const newer = registry.byPlural('events.k8s.io', 'v1', 'events')!;
  assert.is(shownAs(registry.builtin('events'), event), event);
  assert.equal(shownAs(newer, event) as Loose, {
    ...{ apiVersion: 'events.k8s.io/v1', kind: 'Event', metadata: { name: 'e' }, note: 'm', regarding: { name: 'a' } },
    ...{ reportingController: 'c', reportingInstance: 'i', deprecatedSource: { component: 's' }, deprecatedCount: 2 },
    ...{ deprecatedFirstTimestamp: 'f', deprecatedLastTimestamp: 'l' },
  });
});

tables.run();
