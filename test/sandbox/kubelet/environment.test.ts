import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checkUser, ConfigFault, environmentOf, expandReferences, fieldValue } from '../../../src/sandbox/kubelet/environment.ts';
import { clusterNetwork } from '../../../src/sandbox/kubelet/network.ts';
import { planRun } from '../../../src/sandbox/kubelet/plan-run.ts';
import { makeRun, terminationMessage } from '../../../src/sandbox/kubelet/run.ts';
import { MountFault, volumeFiles } from '../../../src/sandbox/kubelet/volumes.ts';
import type { Machine } from '../../../src/sandbox/kubelet/machine.ts';
import type { Loose, Stored } from '../../../src/sandbox/store/object.ts';
import { bareApi } from '../../support/builders/sandbox-api.ts';

const surroundings = suite('what a container of the sandbox has around it');

const base64 = (text: string) => Buffer.from(text).toString('base64');
/** A cluster with a ConfigMap, a Secret and Services. */
function aCluster() {
  const bare = bareApi();
  const namespace = 'shop';
  bare.make('configmaps', {
    metadata: { name: 'settings', namespace },
    data: { color: 'blue', size: '1' },
    binaryData: { raw: base64('r') },
  });
  bare.make('secrets', { metadata: { name: 'keys', namespace }, data: { key: base64('k') } });
  const service = (name: string, clusterIP: string, port: number, where = namespace, more: Loose = {}) =>
    bare.make('services', { metadata: { name, namespace: where }, spec: { clusterIP, ports: [{ port }], ...more } });
  service('my-db', '10.96.0.50', 5432);
  service('headless', 'None', 80);
  service('kubernetes', '10.96.0.1', 443, 'default');
  service('other', '10.96.0.60', 80, 'default');
  return { ...bare, service };
}
const pod = (spec: Loose = {}, metadata: Loose = {}): Stored =>
  ({
    metadata: { name: 'web', namespace: 'shop', uid: 'u', labels: { app: 'web', 'a/b': 'c' }, annotations: { note: 'n' }, ...metadata },
    spec: { containers: [{ name: 'app', resources: { limits: { cpu: '500m', memory: '64Mi' } } }], ...spec },
    status: { podIP: '10.244.0.2' },
  }) as never;
const environment = (container: Loose, spec?: Loose) => environmentOf(aCluster().api, pod(spec), container, { PATH: '/bin' });
const faultOf = (run: () => unknown): string | undefined => {
  try {
    run();
    return undefined;
  } catch (error) {
    assert.ok(error instanceof ConfigFault || error instanceof MountFault, String(error));
    return error.message;
  }
};

surroundings('references are replaced where they are known', () => {
  const values = { A: '1', 'B.c': '2', _d: '3' };
  for (const [text, expected] of [
    ['$(A)-$(B.c)-$(_d)', '1-2-3'],
    ['$(NONE)', '$(NONE)'],
    ['$$(A)', '$(A)'],
    ['$$$(A)', '$1'],
    ['$A ${A} $(1)', '$A ${A} $(1)'],
  ] as const)
    assert.is(expandReferences(text, values), expected);
});

surroundings('fields of the downward API', () => {
  for (const [path, value] of [
    ['metadata.name', 'web'],
    ['metadata.namespace', 'shop'],
    ["metadata.labels['a/b']", 'c'],
    ["metadata.annotations['note']", 'n'],
    ["metadata.labels['none']", ''],
    ['metadata.labels', 'app="web"\na/b="c"'],
    ['status.podIP', '10.244.0.2'],
    ['spec.nodeName', ''],
  ] as const)
    assert.is(fieldValue(pod(), path), value, path);
});

const SERVICES = {
  ...{ MY_DB_SERVICE_HOST: '10.96.0.50', MY_DB_SERVICE_PORT: '5432' },
  ...{ KUBERNETES_SERVICE_HOST: '10.96.0.1', KUBERNETES_SERVICE_PORT: '443' },
};
surroundings('variables: of the image, the host name, the Services of the namespace, and then its own', () => {
  assert.equal(environment({}), { PATH: '/bin', HOSTNAME: 'web', ...SERVICES });
  const { MY_DB_SERVICE_HOST: _host, MY_DB_SERVICE_PORT: _port, ...others } = SERVICES;
  assert.equal(environment({}, { enableServiceLinks: false, hostname: 'h' }), { PATH: '/bin', HOSTNAME: 'h', ...others });
});

/** `[what, fields of the container, the variables that it adds]` */
const VARIABLES: [string, Loose, Loose][] = [
  ['a value', { env: [{ name: 'A', value: 'x' }] }, { A: 'x' }],
  ['an empty value', { env: [{ name: 'A' }] }, { A: '' }],
  [
    'a value of an earlier one',
    {
      env: [
        { name: 'A', value: 'x' },
        { name: 'B', value: '$(A)y' },
      ],
    },
    { A: 'x', B: 'xy' },
  ],
  [
    'a value of a later one, which is not known yet',
    {
      env: [
        { name: 'B', value: '$(A)y' },
        { name: 'A', value: 'x' },
      ],
    },
    { A: 'x', B: '$(A)y' },
  ],
  [
    'the last of two with one name',
    {
      env: [
        { name: 'A', value: 'x' },
        { name: 'A', value: 'y' },
      ],
    },
    { A: 'y' },
  ],
  ['another PATH', { env: [{ name: 'PATH', value: '/x' }] }, { PATH: '/x' }],
  ['all of a ConfigMap', { envFrom: [{ configMapRef: { name: 'settings' } }] }, { color: 'blue', size: '1', raw: 'r' }],
  ['all of a Secret, with a prefix', { envFrom: [{ prefix: 'S_', secretRef: { name: 'keys' } }] }, { S_key: 'k' }],
  [
    'its own before those of a ConfigMap',
    { envFrom: [{ configMapRef: { name: 'settings' } }], env: [{ name: 'color', value: 'red' }] },
    { color: 'red', size: '1', raw: 'r' },
  ],
  ['none of an optional ConfigMap', { envFrom: [{ configMapRef: { name: 'gone', optional: true } }] }, {}],
  ['a key of a ConfigMap', { env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'settings', key: 'color' } } }] }, { A: 'blue' }],
  ['a key of a Secret', { env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'keys', key: 'key' } } }] }, { A: 'k' }],
  ['no optional key', { env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'keys', key: 'none', optional: true } } }] }, {}],
  ['no key of an optional Secret', { env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'gone', key: 'x', optional: true } } }] }, {}],
  ['a field', { env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }] }, { A: 'web' }],
  [
    'a limit, rounded up',
    { resources: { limits: { cpu: '1500m' } }, env: [{ name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } }] },
    { A: '2' },
  ],
  [
    'a limit in another unit',
    {
      resources: { limits: { cpu: '1500m' } },
      env: [{ name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu', divisor: '1m' } } }],
    },
    { A: '1500' },
  ],
  [
    'a limit of another container',
    { env: [{ name: 'A', valueFrom: { resourceFieldRef: { containerName: 'app', resource: 'limits.memory', divisor: '1Mi' } } }] },
    { A: '64' },
  ],
  [
    'a limit that is not set: that of the node',
    {
      env: [
        { name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
        { name: 'B', valueFrom: { resourceFieldRef: { resource: 'limits.memory', divisor: '1Gi' } } },
      ],
    },
    { A: '4', B: '8' },
  ],
];
for (const [what, container, added] of VARIABLES)
  surroundings(`variables: ${what}`, () => assert.equal(environment(container), { PATH: '/bin', HOSTNAME: 'web', ...SERVICES, ...added }));

for (const [container, fault] of [
  [{ envFrom: [{ configMapRef: { name: 'gone' } }] }, 'configmap "gone" not found'],
  [{ envFrom: [{ secretRef: { name: 'gone' } }] }, 'secret "gone" not found'],
  [{ env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'gone', key: 'x' } } }] }, 'configmap "gone" not found'],
  [
    { env: [{ name: 'A', valueFrom: { configMapKeyRef: { name: 'settings', key: 'x' } } }] },
    "couldn't find key x in ConfigMap shop/settings",
  ],
  [{ env: [{ name: 'A', valueFrom: { secretKeyRef: { name: 'keys', key: 'x' } } }] }, "couldn't find key x in Secret shop/keys"],
] as const)
  surroundings(fault, () =>
    assert.is(
      faultOf(() => environment(container)),
      fault,
    ),
  );

const WHERE = '(pod: "web_shop(u)", container: app)';
for (const [what, ofPod, ofContainer, fault] of [
  ['nothing is said', undefined, undefined, undefined],
  ['not root, and no user', { runAsNonRoot: true }, undefined, `container has runAsNonRoot and image will run as root ${WHERE}`],
  ['not root, and user 0', { runAsNonRoot: true }, { runAsUser: 0 }, `container's runAsUser breaks non-root policy ${WHERE}`],
  ['not root, and user 1', { runAsUser: 1 }, { runAsNonRoot: true }, undefined],
  ['the container may be root', { runAsNonRoot: true }, { runAsNonRoot: false }, undefined],
] as const)
  surroundings(`users: ${what}`, () =>
    assert.is(
      faultOf(() => checkUser(pod({ securityContext: ofPod }), { name: 'app', securityContext: ofContainer })),
      fault,
    ),
  );

const IMAGE = { entrypoint: ['/web'], command: [':80'], environment: {} } as never;
for (const [what, spec, argv] of [
  ['the image says it', {}, ['/web', ':80']],
  ['other arguments', { args: [':8080'] }, ['/web', ':8080']],
  ['another command, without the arguments of the image', { command: ['/x'] }, ['/x']],
  ['both', { command: ['/x'], args: ['$(A)', '$$'] }, ['/x', '1', '$']],
] as const)
  surroundings(`command: ${what}`, () => {
    const plan = planRun({ api: bareApi().api, pod: () => pod() }, { ...spec, env: [{ name: 'A', value: '1' }] }, IMAGE);
    assert.equal('argv' in plan && plan.argv, argv);
  });

surroundings('command: none, or a source that is missing', () => {
  const plan = (spec: Loose, image: Loose) => planRun({ api: bareApi().api, pod: () => pod() }, spec, image) as Loose;
  const none = plan({}, { entrypoint: [], command: [], environment: {} });
  assert.is(none.reason, 'CreateContainerError');
  assert.match(none.message, /^failed to generate container "[0-9a-f]{64}" spec: failed to generate spec: no command specified$/);
  assert.equal(plan({ envFrom: [{ secretRef: { name: 'gone' } }] }, IMAGE), {
    reason: 'CreateContainerConfigError',
    message: 'secret "gone" not found',
  });
});

/** `[what, volume, its files, or why it cannot be mounted]` */
const VOLUMES: [string, Loose, Record<string, string> | string][] = [
  ['a ConfigMap', { configMap: { name: 'settings' } }, { '/color': 'blue', '/size': '1', '/raw': 'r' }],
  ['some of its keys', { configMap: { name: 'settings', items: [{ key: 'color', path: 'a/b' }] } }, { '/a/b': 'blue' }],
  [
    'a key that is not there',
    { configMap: { name: 'settings', items: [{ key: 'x', path: 'x' }] } },
    'configmap references non-existent config key: x',
  ],
  [
    'an optional key',
    {
      configMap: {
        name: 'settings',
        optional: true,
        items: [
          { key: 'x', path: 'x' },
          { key: 'size', path: 's' },
        ],
      },
    },
    { '/s': '1' },
  ],
  ['a ConfigMap that is not there', { configMap: { name: 'gone' } }, 'configmap "gone" not found'],
  ['an optional one', { configMap: { name: 'gone', optional: true } }, {}],
  ['a Secret', { secret: { secretName: 'keys' } }, { '/key': 'k' }],
  [
    'a key of a Secret that is not there',
    { secret: { secretName: 'keys', items: [{ key: 'x', path: 'x' }] } },
    'references non-existent secret key: x',
  ],
  [
    'fields of the pod',
    {
      downwardAPI: {
        items: [
          { path: 'name', fieldRef: { fieldPath: 'metadata.name' } },
          { path: 'cpu', resourceFieldRef: {} },
        ],
      },
    },
    { '/name': 'web', '/cpu': '' },
  ],
  [
    'all of them together',
    {
      projected: {
        sources: [
          { configMap: { name: 'settings', items: [{ key: 'size', path: 's' }] } },
          { secret: { name: 'keys' } },
          { downwardAPI: { items: [{ path: 'name', fieldRef: { fieldPath: 'metadata.name' } }] } },
          { serviceAccountToken: { path: 't' } },
        ],
      },
    },
    { '/s': '1', '/key': 'k', '/name': 'web', '/t': 'sandbox' },
  ],
  ['nothing projected', { projected: {} }, {}],
  ['an empty folder', { emptyDir: {} }, {}],
  ['a folder of the node', { hostPath: { path: '/var/log', type: 'Directory' } }, {}],
  ['any path of the node', { hostPath: { path: '/nowhere', type: '' } }, {}],
  ['a folder that is made', { hostPath: { path: '/nowhere', type: 'DirectoryOrCreate' } }, {}],
  [
    'a folder that is not there',
    { hostPath: { path: '/nowhere', type: 'Directory' } },
    'hostPath type check failed: /nowhere is not a directory',
  ],
  ['a file that is not there', { hostPath: { path: '/etc', type: 'File' } }, 'hostPath type check failed: /etc is not a file'],
  ['a socket that is not there', { hostPath: { path: '/etc', type: 'Socket' } }, 'hostPath type check failed: /etc is not a socket file'],
];
for (const [what, volume, expected] of VOLUMES)
  surroundings(`volumes: ${what}`, () => {
    const { api } = aCluster();
    if (typeof expected === 'string')
      return assert.is(
        faultOf(() => volumeFiles(api, pod(), { name: 'v', ...volume })),
        expected,
      );
    const files = volumeFiles(api, pod(), { name: 'v', ...volume });
    for (const [path, text] of Object.entries(expected)) assert.is(files.read(path), text, path);
    assert.equal(files.names('/'), [...new Set(Object.keys(expected).map((path) => String(path.split('/')[1])))].sort());
    const isScratch = Boolean(volume.emptyDir ?? volume.hostPath);
    const isWritable = () => files.write('/new', 'x', { uid: 1000 });
    if (isScratch) assert.not.throws(isWritable);
    else assert.throws(isWritable, /Read-only file system/);
  });

const listening = (...ports: number[]): Machine =>
  ({ listeners: new Map(ports.map((port) => [port, (path: string) => ({ status: 200, body: `${port}${path}` })])) }) as never;

surroundings('names and addresses that a pod reaches', () => {
  const bare = aCluster();
  const ready = (is: string, ip: string) => ({ podIP: ip, conditions: [{ type: 'Ready', status: is }] });
  for (const [name, status] of [
    ['down', ready('False', '10.244.0.8')],
    ['up', ready('True', '10.244.0.9')],
  ] as const) {
    bare.make('pods', {
      metadata: { name, namespace: 'shop', labels: { app: 'api' } },
      spec: { containers: [{ name: 'app', image: 'web:1', ports: [{ name: 'http', containerPort: 8080 }] }] },
    });
    bare.say('pods', `shop/${name}`, status);
  }
  bare.service('api', '10.96.0.70', 80, 'shop', {
    selector: { app: 'api' },
    ports: [
      { name: 'a', port: 80, targetPort: 'http' },
      { name: 'b', port: 8080 },
    ],
  });
  bare.service('lost', '10.96.0.71', 80, 'shop', { selector: { app: 'none' } });
  const machines: Record<string, Machine[]> = { '10.244.0.9': [listening(), listening(8080)] };
  const network = clusterNetwork(
    bare.api,
    'shop',
    () => [listening(3000)],
    (address) => machines[address],
  );
  for (const [name, address] of [
    ['my-db', '10.96.0.50'],
    ['my-db.', '10.96.0.50'],
    ['my-db.shop', '10.96.0.50'],
    ['my-db.shop.svc', '10.96.0.50'],
    ['my-db.shop.svc.cluster.local', '10.96.0.50'],
    ['other', undefined],
    ['other.default', '10.96.0.60'],
    ['my-db.shop.example.org', undefined],
    ['headless', undefined],
    ['gone', undefined],
  ] as const)
    assert.is(network.lookup(name), address, name);
  for (const [address, port, answer] of [
    ['127.0.0.1', 3000, '3000/x'],
    ['127.0.0.1', 3001, 'refused'],
    ['10.244.0.9', 8080, '8080/x'],
    ['10.244.0.9', 80, 'refused'],
    ['10.1.1.1', 80, 'timeout'],
    ['10.96.0.70', 80, '8080/x'],
    ['10.96.0.70', 8080, '8080/x'],
    ['10.96.0.70', 443, 'timeout'],
    ['10.96.0.71', 80, 'refused'],
    ['10.96.0.50', 5432, 'refused'],
  ] as const) {
    const found = network.get(address, port, '/x');
    assert.is(typeof found === 'string' ? found : found.body, answer, `${address}:${port}`);
  }
});

const run = (...lines: string[]) => ({ id: 'r', size: 0, log: lines.map((text) => ({ at: new Date(0), text })) });
const LAST = { terminationMessagePolicy: 'FallbackToLogsOnError' };
for (const [what, spec, lines, exitCode, message] of [
  ['no wish', {}, ['a\n'], 1, ''],
  ['no error', LAST, ['a\n'], 0, ''],
  ['an error', LAST, ['a', 'b\n', 'c'], 1, 'ab\nc'],
  [
    'the last 80 lines',
    LAST,
    Array.from({ length: 100 }, (_, index) => `${index}\n`),
    1,
    Array.from({ length: 80 }, (_, index) => `${index + 20}\n`).join(''),
  ],
  ['the last 2048 bytes', LAST, ['b', 'a'.repeat(2048)], 1, 'a'.repeat(2048)],
] as const)
  surroundings(`termination message: ${what}`, () => assert.is(terminationMessage(spec, run(...lines), exitCode), message));

surroundings('a run that never began has no message', () => assert.is(terminationMessage(LAST, undefined, 1), ''));

surroundings('the machine of a container', async () => {
  const { clock } = bareApi();
  let isCurrent = true;
  const scratch = volumeFiles(bareApi().api, pod(), { name: 'v', emptyDir: {} });
  const context = { clock, network: {} as never, volumes: new Map([['v', scratch]]) };
  const of = (spec: Loose, environment: Record<string, string> = {}) =>
    makeRun({
      context,
      spec,
      image: { executables: ['/web'] } as never,
      environment,
      uid: 7,
      isCurrent: () => isCurrent,
      onOutOfMemory: () => undefined,
    });
  const plain = of({}).machine;
  assert.equal([plain.workingDirectory, plain.hostname, plain.memoryLimit, plain.uid], ['/', 'sandbox', 8 * 2 ** 30, 7]);
  const said = of({ workingDir: '/x', resources: { limits: { memory: '1Mi' } } }, { HOSTNAME: 'web' }).machine;
  assert.equal([said.workingDirectory, said.hostname, said.memoryLimit], ['/x', 'web', 2 ** 20]);
  const mounted = of({
    volumeMounts: [
      { name: 'v', mountPath: '/data/' },
      { name: 'gone', mountPath: '/gone' },
    ],
    securityContext: { readOnlyRootFilesystem: true },
  }).machine;
  mounted.files.write('/data/x', '1', { uid: 7 });
  assert.equal([scratch.read('/x'), mounted.files.exists('/gone')], ['1', false]);
  assert.throws(() => mounted.files.write('/tmp/x', '1', { uid: 0 }), /Read-only file system/);
  const { run: logged, machine, end } = of({});
  machine.log('a');
  await clock.advance(1000);
  machine.log('b');
  assert.equal(
    logged.log.map(({ at, text }) => [at.toISOString(), text]),
    [
      ['2030-01-01T00:00:00.000Z', 'a'],
      ['2030-01-01T00:00:01.000Z', 'b'],
    ],
  );
  const woken: string[] = [];
  void machine.sleep(1000).then(() => woken.push('in time'));
  await clock.advance(1000);
  void machine.sleep(1000).then(() => woken.push('after the end'));
  void machine.sleep(Infinity).then(() => woken.push('never'));
  end();
  await clock.advance(5000);
  isCurrent = false;
  machine.log('c');
  void machine.sleep(1).then(() => woken.push('of another run'));
  await clock.advance(5000);
  assert.equal([woken, logged.log.length], [['in time'], 2]);
});

surroundings('a log ends at a mebibyte', () => {
  const context = { clock: bareApi().clock, network: {} as never, volumes: new Map() };
  const { run: logged, machine } = makeRun({
    context,
    spec: {},
    image: { executables: [] } as never,
    environment: {},
    uid: 0,
    isCurrent: () => true,
    onOutOfMemory: () => undefined,
  });
  for (let index = 0; index < 12; index += 1) machine.log('x'.repeat(100_000));
  assert.equal([logged.log.length, logged.size], [11, 1_100_000]);
});

surroundings.run();
