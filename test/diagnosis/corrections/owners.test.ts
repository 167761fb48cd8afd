import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Surroundings } from '../../../src/diagnosis/case.ts';
import { diagnose } from '../../../src/diagnosis/diagnose.ts';
import { aCase, aPodManifest, crashed } from '../../support/builders/cases.ts';

const test = suite('owners of folders, accounts and rights');

const told = (logs: string, container: object = {}, spec: object = {}, surroundings: Surroundings = {}) =>
  diagnose(aCase({ status: crashed(), logs, manifest: aPodManifest(container, spec), surroundings }));
const first = (...args: Parameters<typeof told>) => {
  const [one] = told(...args).corrections;
  return one && [one.confidence, ...one.changes.map(({ path, to }) => [path, to])];
};

const MOUNT = { volumeMounts: [{ name: 'data', mountPath: '/var/lib/postgresql/data' }] };
const data = (volume: object) => ({ volumes: [{ name: 'data', ...volume }] });
const CLAIM = { persistentVolumeClaim: { claimName: 'data' } };
const MODE = 'FATAL:  data directory "/var/lib/postgresql/data" has invalid permissions';
const BELOW = ['spec.containers[0].env', [{ name: 'PGDATA', value: '/var/lib/postgresql/data/pgdata' }]];

test('PostgreSQL gets a folder of its own below a new volume', () =>
  assert.equal(first(MODE, MOUNT, data({ emptyDir: {} })), ['likely', BELOW]));
test('a claim may already contain data', () => {
  assert.equal(first(MODE, MOUNT, data(CLAIM)), ['guess', BELOW]);
  const { culprit, advice } = told(MODE.replace('invalid permissions', 'wrong ownership'), MOUNT, data(CLAIM));
  assert.is(culprit, '/var/lib/postgresql/data');
  assert.match(advice[0] ?? '', /0700/);
  assert.not.match(advice[0] ?? '', /lost\+found/);
});
test('a folder that is already below the mount stays', () =>
  assert.is(first(MODE.replace('/data"', '/data/pgdata"'), MOUNT, data({ emptyDir: {} })), undefined));

const DENIED = "mkdir: can't create directory '/var/lib/grafana/plugins': Permission denied";
const GRAFANA = { volumeMounts: [{ name: 'data', mountPath: '/var/lib/grafana' }] };
const HOST = { hostPath: { path: '/srv/grafana' } };
const AS = { securityContext: { runAsUser: 472 } };
const OWNED = [
  'guess',
  [
    'spec.initContainers',
    [
      {
        name: 'own-folder',
        image: 'web:1',
        command: ['chown', '-R', '472:472', '/var/lib/grafana'],
        securityContext: { runAsUser: 0, runAsNonRoot: false },
        volumeMounts: [{ name: 'data', mountPath: '/var/lib/grafana' }],
      },
    ],
  ],
];
test('a folder of the node gets another owner, never a group', () => {
  assert.equal(first(DENIED, GRAFANA, { ...data(HOST), ...AS }), OWNED);
  const { advice } = told(DENIED, GRAFANA, { ...data(HOST), ...AS });
  assert.match(advice[0] ?? '', /`\/srv\/grafana` on the node \(`chown 472`\).*`fsGroup` does nothing/);
  assert.is(first(DENIED, GRAFANA, data(HOST)), undefined, 'nobody knows the user of the image');
});
test('a claim whose storage does not take the group that the pod names', () => {
  assert.equal(first(DENIED, GRAFANA, { ...data(CLAIM), securityContext: { runAsUser: 472, fsGroup: 472 } }), OWNED);
  assert.equal(first(DENIED, GRAFANA, { ...data(CLAIM), ...AS }), ['likely', ['spec.securityContext.fsGroup', 472]]);
});
test('a volume that somebody made by hand may take no group', () => {
  const spec = { ...data(CLAIM), ...AS };
  const claims = (storageClass: string) => ({ claims: [{ name: 'data', phase: 'Bound', storageClass }] });
  assert.equal(first(DENIED, GRAFANA, spec, claims('')), OWNED);
  assert.equal(
    told(DENIED, GRAFANA, spec, claims('')).corrections.map(({ confidence }) => confidence),
    ['guess', 'guess'],
  );
  assert.equal(first(DENIED, GRAFANA, spec, claims('fast'))?.[0], 'likely');
});
test('files that root creates in a volume are not for its group', () => {
  const fills = (securityContext: object) => ({
    ...data(CLAIM),
    ...AS,
    initContainers: [{ name: 'fill', image: 'web:1', volumeMounts: GRAFANA.volumeMounts, securityContext }],
  });
  assert.equal(first(DENIED, GRAFANA, fills({ runAsUser: 0 }))?.[0], 'guess');
  assert.equal(first(DENIED, GRAFANA, fills({}))?.[0], 'likely');
});

const KLOG = String.raw`E1120 09:14:02.771034       1 reflector.go:166] "Unhandled Error" err="failed to list *v1.ConfigMap: configmaps is forbidden: User \"system:serviceaccount:shop:default\" cannot list resource \"configmaps\" in API group \"\" in the namespace \"shop\""`;
const ACCOUNTS = { serviceAccounts: ['default', 'app-operator', 'app'] };
test('a refusal in quotes within quotes names who may not do what', () => {
  const { culprit, summary } = told(KLOG);
  assert.is(culprit, 'system:serviceaccount:shop:default cannot list resource configmaps');
  assert.match(summary, 'its service account `default` is not allowed to `list` `configmaps`');
});
test('the account of the same name is a guess', () => {
  assert.equal(first(KLOG, {}, {}, ACCOUNTS), ['guess', ['spec.serviceAccountName', 'app']]);
  assert.is(first(KLOG, {}, { serviceAccountName: 'app-operator' }, ACCOUNTS), undefined, 'the pod names one');
  assert.is(first(KLOG, {}, {}, { serviceAccounts: ['default', 'builder', 'deployer'] }), undefined, 'none of them looks meant');
});

const LOCKED = 'Error initializing core: Failed to lock memory: cannot allocate memory';
const ADDED = ['spec.containers[0].securityContext.capabilities.add', ['IPC_LOCK']];
test('root locks memory with a capability', () => {
  assert.equal(first(LOCKED, {}, {}, { podSecurity: null }), ['likely', ADDED]);
  assert.is(first(LOCKED, { securityContext: { runAsUser: 100 } }, {}, { podSecurity: null })?.[0], 'guess');
  assert.is(first(LOCKED, { securityContext: { capabilities: { add: ['IPC_LOCK'] } } }, {}, { podSecurity: null }), undefined);
});

const asRoot = (image: string, container: object = {}, spec: object = {}) =>
  diagnose(
    aCase({
      failure_reason: 'CreateContainerConfigError',
      status: {
        state: 'waiting',
        reason: 'CreateContainerConfigError',
        message: 'container has runAsNonRoot and image will run as root (pod: "web_shop(1)", container: app)',
      },
      manifest: aPodManifest({ image, ...container }, { securityContext: { runAsNonRoot: true }, ...spec }),
    }),
  ).corrections[0]?.confidence;
test('an ordinary user is a guess where the program begins as root', () => {
  assert.is(asRoot('shop/web:1'), 'likely');
  assert.is(asRoot('registry.shop.example/library/postgres:16'), 'guess');
  assert.is(asRoot('postgres-exporter:1'), 'likely', 'it is another image');
  assert.is(asRoot('tools:1', { command: ['sh', '-c', 'chown -R app /data && exec app'] }), 'guess');
});

const mounting = (path: string, workload?: string) =>
  diagnose(
    aCase({
      failure_reason: 'FailedMount',
      status: { state: 'waiting', reason: 'ContainerCreating' },
      events: [
        {
          type: 'Warning',
          reason: 'FailedMount',
          message: `MountVolume.SetUp failed for volume "data" : hostPath type check failed: ${path} is not a directory`,
        },
      ],
      manifest: aPodManifest({}, data({ hostPath: { path, type: 'Directory' } })),
      ...(workload ? { workload: { kind: 'Deployment', name: workload } } : {}),
    }),
  ).corrections.map(({ confidence, changes }) => [confidence, ...changes.map(({ path: at, to }) => [at.replace(/^.*\./, ''), to])]);
test('a folder of the node that is missing', () => {
  assert.equal(mounting('/var/logs'), [
    ['likely', ['path', '/var/log']],
    ['guess', ['type', 'DirectoryOrCreate']],
    ['guess', ['hostPath', null], ['emptyDir', {}]],
  ]);
  assert.equal(mounting('/srv/archive')[0], ['guess', ['type', 'DirectoryOrCreate']], 'nobody knows what should be there');
  assert.equal(mounting('/srv/ledger/data', 'ledger')[0], ['likely', ['type', 'DirectoryOrCreate']], 'its own folder');
});

const UNREACHED = 'FATAL: could not connect to db:5432: connection refused';
const service = (more: object): Surroundings => ({
  services: [{ name: 'db', ports: [5432], selector: { app: 'db', role: 'primary' }, selected: { pods: 0, ready: 0 }, ...more }],
});
test('when the selector of a Service is wrong, the pod is not to blame', () => {
  const { noCorrection, commands } = told(UNREACHED, {}, {}, service({ almost: { key: 'role', has: 'master' } }));
  assert.match(noCorrection?.why ?? '', /The selector of the Service `db` is wrong/);
  assert.is(noCorrection?.isOpen, undefined);
  assert.ok(commands.some((command) => command.startsWith('kubectl patch service db')));
  assert.is(told(UNREACHED, {}, {}, service({})).noCorrection?.isOpen, true);
});

test.run();
