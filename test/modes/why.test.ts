import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Pod, PodSpec } from '../../src/crd/kubernetes.ts';
import { dumpManifest, loadManifest } from '../../src/crd/manifest.ts';
import { connect, type KubeClient } from '../../src/kube/client.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { runDiagnose } from '../../src/modes/diagnose.ts';
import { readLive } from '../../src/modes/offline/read-cluster.ts';
import { runWhy } from '../../src/modes/why.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/sandbox.ts';
import { spoken } from '../support/processes/command.ts';
import { until } from '../support/runner/wait.ts';

const folder = mkdtempSync(join(tmpdir(), 'podmend-why-'));
const kubeconfig = join(folder, 'kubeconfig');
const why = suite('podmend why');
let sandbox: Sandbox;
let client: KubeClient;
/** A proxy in front of the sandbox that refuses the requests of `refuses`. */
let gate: Server;
let refuses: { code: number; path: RegExp } | undefined;
const asked: string[] = [];

why.before(async () => {
  sandbox = await startSandbox({ speed: 20 });
  client = connect({ kubeconfigText: sandbox.kubeconfig });
  gate = createServer((from, to) => {
    const url = from.url ?? '';
    asked.push(`${from.method} ${url}`);
    if (refuses?.path.test(url)) {
      const message = `pods is forbidden: User "jane" cannot read ${url.split('?')[0]}`;
      to.writeHead(refuses.code, { 'content-type': 'application/json' });
      to.end(JSON.stringify({ kind: 'Status', status: 'Failure', reason: 'Forbidden', code: refuses.code, message }));
      return;
    }
    const through = request(sandbox.url + url, { method: from.method, headers: from.headers }, (answer) => {
      to.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(to);
    });
    from.pipe(through);
  });
  gate.listen(0, '127.0.0.1');
  await once(gate, 'listening');
  const { port } = gate.address() as AddressInfo;
  const config = loadManifest(sandbox.kubeconfig.replace(sandbox.url, `http://127.0.0.1:${port}`)) as { contexts: object[] };
  config.contexts.push({ name: 'at-rest', context: { cluster: 'sandbox', user: 'sandbox', namespace: 'quiet' } });
  writeFileSync(kubeconfig, dumpManifest(config));
  for (const name of ['shop', 'quiet']) await client.create(KINDS.namespace, { metadata: { name } });
  await client.create(KINDS.configMap, { metadata: { name: 'settings', namespace: 'shop' }, data: { size: 'hunter4' } });
  const crash = 'echo "password=hunter2"; echo "panic: index out of range"; exit 3';
  const env = [{ name: 'DB_PASSWORD', value: 'hunter3' }];
  await run('crashing', { containers: [{ name: 'app', image: 'busybox:1.35', command: ['sh', '-c', crash], env }] });
  await run('keyless', {
    containers: [
      {
        name: 'app',
        image: 'web:1',
        env: [{ name: 'SIZE', valueFrom: { configMapKeyRef: { name: 'settings', key: 'sise' } } }],
      },
    ],
  });
  await run('unpulled', { containers: [{ name: 'app', image: 'web:9' }] });
  await run('well', { containers: [{ name: 'app', image: 'web:1' }] });
  await run('well', { containers: [{ name: 'app', image: 'web:1' }] }, 'quiet');
  await until(async () => (await waitingReasons()).join() === 'CrashLoopBackOff,CreateContainerConfigError,ImagePullBackOff,', {
    what: 'three failures and a healthy pod',
  });
});
why.before.each(() => {
  refuses = undefined;
  asked.length = 0;
});
why.after(async () => {
  client.close();
  gate.close();
  gate.closeAllConnections();
  await sandbox.close();
  rmSync(folder, { recursive: true });
});

async function run(name: string, spec: PodSpec, namespace = 'shop'): Promise<void> {
  await client.create<Pod>(KINDS.pod, { metadata: { name, namespace }, spec });
}

/** Creates a Deployment whose second revision names a missing image. Returns the name of the pod that waits for the image. */
async function rolledOut(namespace: string): Promise<string> {
  await client.create(KINDS.namespace, { metadata: { name: namespace } });
  const labels = { app: 'web' };
  const template = (image: string) => ({ metadata: { labels }, spec: { containers: [{ name: 'app', image }] } });
  const spec = { replicas: 1, selector: { matchLabels: labels }, template: template('web:1') };
  await client.create(KINDS.deployment, { metadata: { name: 'web', namespace }, spec });
  const pods = () => client.list(KINDS.pod, { namespace });
  const isReady = ({ status }: Pod) => status?.containerStatuses?.[0]?.ready;
  await until(async () => (await pods()).some(isReady), { what: 'the first revision' });
  await client.patch(KINDS.deployment, namespace, 'web', { spec: { template: template('web:9') } }, { type: 'merge' });
  const waiting = async () =>
    (await pods()).find(({ status }) => status?.containerStatuses?.[0]?.state?.waiting?.reason === 'ImagePullBackOff');
  const pod = await until(waiting, { what: 'the second revision to fail' });
  return pod.metadata.name ?? '';
}

async function waitingReasons(): Promise<string[]> {
  const pods = await client.list(KINDS.pod, { namespace: 'shop' });
  return pods
    .toSorted((a, b) => (a.metadata.name ?? '').localeCompare(b.metadata.name ?? ''))
    .map(({ status }) => status?.containerStatuses?.[0]?.state?.waiting?.reason ?? (status?.containerStatuses?.[0]?.ready ? '' : '?'));
}

const ask = (...argv: string[]) => spoken(runWhy, [...argv, '--kubeconfig', kubeconfig]);
interface Told {
  pod_name: string;
  changes: { to: unknown }[];
}
const failuresOf = (stdout: string): Told[] => JSON.parse(stdout).failures;
const changedTo = (stdout: string): unknown[] => failuresOf(stdout).flatMap(({ changes }) => changes.map(({ to }) => to));

why('a failing pod: its reason, the line of its log, nothing secret, and 1', async () => {
  const { code, stdout, stderr } = await ask('crashing', '-n', 'shop');
  assert.equal([code, stderr], [1, '']);
  assert.match(stdout, /^# shop\/crashing: CrashLoopBackOff\n\n- \*\*What happened:\*\* /);
  assert.match(stdout, /panic: index out of range/);
});

/** Names of volumes and Secrets. Each name sounds like a secret. */
const VOLUMES = (
  'tls-secret token tokens credentials api-key db-password secret secrets password passwords auth certs jwt-key access-token ssh-key private-key encryption-key ' +
  'registry-credentials session-secret'
).split(' ');

why('a missing Secret is named, whatever it and its volume are called', async () => {
  await client.create(KINDS.namespace, { metadata: { name: 'mounts' } });
  for (const name of VOLUMES)
    await run(
      `with-${name}`,
      {
        containers: [{ name: 'app', image: 'web:1', volumeMounts: [{ name, mountPath: '/run/it' }] }],
        volumes: [{ name, secret: { secretName: name } }],
      },
      'mounts',
    );
  const failures = async () => JSON.parse((await ask('--all', '-n', 'mounts', '-o', 'json')).stdout).failures as Record<string, string>[];
  const found = await until(
    async () => {
      const all = await failures();
      return all.length === VOLUMES.length ? all : undefined;
    },
    { what: 'every pod to miss its Secret' },
  );
  assert.equal(
    VOLUMES.filter((name) => {
      const failure = found.find(({ pod_name }) => pod_name === `with-${name}`);
      return !failure?.['solution']?.includes(`Secret \`${name}\``) || failure['solution'].includes('***');
    }),
    [],
  );
});

why('the output has no secret unless the user asks for it', async () => {
  await client.create(KINDS.namespace, { metadata: { name: 'bank' } });
  const leak = 'echo "panic: cannot log in with password=hunter2"; exit 3';
  const env = [{ name: 'DB_PASSWORD', value: 'hunter3' }];
  await run('leaking', { containers: [{ name: 'app', image: 'busybox:1.35', command: ['sh', '-c', leak], env }] }, 'bank');
  await until(async () => (await ask('leaking', '-n', 'bank')).stdout.includes('panic:'), { what: 'the log of the failing pod' });
  for (const format of ['text', 'json', 'yaml'])
    for (const subject of ['leaking', '--all']) {
      const asked = [subject, '-n', 'bank', '-o', format];
      const { stdout } = await ask(...asked);
      assert.not.match(stdout, /hunter/);
      assert.match(stdout, 'password=***');
      assert.match((await ask(...asked, '--show-secrets')).stdout, 'password=hunter2');
    }
});

why('reads, and changes nothing', async () => {
  await ask('crashing', '-n', 'shop');
  assert.ok(asked.length > 0);
  assert.equal(
    asked.filter((line) => !line.startsWith('GET ')),
    [],
  );
  assert.equal(
    asked.filter((line) => line.includes('/secrets')),
    [],
    'Secrets are not looked at',
  );
  const logs = asked.filter((line) => line.includes('/log?')).map((line) => /previous=(\w+)/.exec(line)?.[1] ?? '');
  assert.equal(logs.sort(), ['false', 'true'], 'the present and the previous run');
});

why('the surroundings tell the nearest name', async () => {
  assert.equal(changedTo((await ask('keyless', '-n', 'shop', '-o', 'json')).stdout), ['size']);
  assert.equal(changedTo((await ask('pod/unpulled', '--namespace', 'shop', '-o', 'json')).stdout), ['web:1']);
});

why('prints what diagnose prints of the same objects', async () => {
  const kinds = [KINDS.pod, KINDS.event, KINDS.configMap, KINDS.service, KINDS.persistentVolumeClaim];
  const read = async () => {
    const lists = await Promise.all(kinds.map((kind) => client.list(kind, { namespace: 'shop' })));
    return [...lists.flat(), ...(await client.list(KINDS.node))].filter(({ metadata }) => metadata.name !== 'crashing');
  };
  const versions = (items: { metadata: { resourceVersion?: string } }[]) => items.map(({ metadata }) => metadata.resourceVersion).join();
  // The kubelet retries an image now and then. Both commands must read the same state.
  const { items, said } = await until(
    async () => {
      const before = await read();
      const live = await ask('--all', '-n', 'shop', '-o', 'json');
      return versions(await read()) === versions(before) ? { items: before, said: live.stdout } : undefined;
    },
    { what: 'a moment in which nothing changes' },
  );
  const recorded = await spoken(runDiagnose, ['-f', '-', '-o', 'json'], { stdin: JSON.stringify({ kind: 'List', items }) });
  const expected = failuresOf(recorded.stdout);
  assert.is(expected.length, 2);
  assert.equal(
    failuresOf(said).filter(({ pod_name }) => pod_name !== 'crashing'),
    expected,
  );
});

for (const argv of [['--all'], []])
  why(`every failing pod of the namespace: ${argv.join('') || 'no pod named'}`, async () => {
    const { code, stdout } = await ask(...argv, '-n', 'shop', '-o', 'yaml');
    assert.is(code, 1);
    const { failures } = loadManifest(stdout) as { failures: { pod_name: string }[] };
    assert.equal(failures.map(({ pod_name }) => pod_name).toSorted(), ['crashing', 'keyless', 'unpulled']);
  });

why('a healthy pod: nothing fails, 0', async () => {
  assert.equal(await ask('well', '-n', 'shop'), { code: 0, stdout: 'Nothing fails.\n', stderr: '' });
  assert.equal(await ask('-n', 'quiet'), { code: 0, stdout: 'Nothing fails in namespace "quiet".\n', stderr: '' });
});

why('an unknown name: similar names are listed', async () => {
  assert.match(
    (await ask('crashin', '-n', 'shop')).stderr,
    /no pod "crashin" in namespace "shop", and no workload of this name; similar: "crashing"/,
  );
  assert.match((await ask('deploy/none', '-n', 'shop')).stderr, /no Deployment "none" in namespace "shop"/);
  assert.match((await ask('job', 'none', '-n', 'shop')).stderr, /no Job "none" in namespace "shop"/);
  assert.match((await ask('service/web', '-n', 'shop')).stderr, /unknown kind "service"/);
});

why('another context brings its namespace', async () => {
  assert.is((await ask('well', '--context', 'at-rest')).code, 0);
  assert.match((await ask('well')).stderr, /no pod "well" in namespace "default"/);
});

why('what may not be read is skipped and named', async () => {
  refuses = { code: 403, path: /\/(configmaps|nodes)\b|\/log\?|^\/api\/v1\/pods\?/ };
  const { code, stdout, stderr } = await ask('crashing', '-n', 'shop');
  assert.is(code, 1);
  assert.match(stdout, /^# shop\/crashing: CrashLoopBackOff/);
  assert.is(stderr, 'podmend why: skipped, because you may not read it: configmaps, logs, nodes, pods of other namespaces\n');
});

why('what changed since the revision that works comes first, and going back is offered', async () => {
  const pod = await rolledOut('moved');
  const { stdout } = await ask(pod, '-n', 'moved');
  assert.match(
    stdout,
    /\n\n## What changed\n\nDeployment `web` changed since revision 1, of which a pod still works:\n\n- `image` of container `app`: `web:1` → `web:9`\n/,
  );
  assert.match(stdout, /\*\*Go back to revision 1\*\* \(likely\)/);
  assert.equal(changedTo((await ask('-n', 'moved', '-o', 'json')).stdout), ['web:1']);
  for (const named of [['deploy/web'], ['deployment', 'web'], ['web']])
    assert.equal(changedTo((await ask(...named, '-n', 'moved', '-o', 'json')).stdout), ['web:1'], named.join(' '));

  refuses = { code: 403, path: /\/replicasets(?:\?|$)/ };
  const refused = await ask(pod, '-n', 'moved');
  assert.match(refused.stdout, /^# moved\/web-\S+: ImagePullBackOff\n\n- \*\*What happened:\*\* /);
  assert.is(refused.stderr, 'podmend why: skipped, because you may not read it: replicasets\n');
});

why('somebody who sees one namespace learns of its images', async () => {
  refuses = { code: 403, path: /\/nodes\b|^\/api\/v1\/pods\?/ };
  assert.equal(changedTo((await ask('unpulled', '-n', 'shop', '-o', 'json')).stdout), ['web:1']);
});

const BAD: [sentence: string, argv: string[], refusal: typeof refuses, says: RegExp][] = [
  ['no such pod', ['gone', '-n', 'shop'], undefined, /there is no pod "gone" in namespace "shop"/],
  ['no such pod, with its kind', ['pod/crashng', '-n', 'shop'], undefined, /no pod "crashng" in namespace "shop"; similar: "crashing"/],
  ['no such namespace, but a similar one', ['x', '-n', 'shopp'], undefined, /no namespace "shopp"; similar: "shop"/],
  ['no such namespace', ['gone', '-n', 'nowhere'], undefined, /there is no namespace "nowhere"/],
  ['no such namespace, without a pod', ['-n', 'nowhere'], undefined, /there is no namespace "nowhere"/],
  ['a pod that may not be read', ['well', '-n', 'shop'], { code: 403, path: /./ }, /refuses: pods is forbidden: User "jane" cannot read/],
  ['a namespace that may not be read', ['-n', 'shop'], { code: 403, path: /./ }, /refuses: pods is forbidden/],
  [
    'no such pod, and no right to see namespaces',
    ['gone', '-n', 'x'],
    { code: 403, path: /namespaces\/x$/ },
    /no pod "gone" in namespace "x"/,
  ],
  ['credentials that are not accepted', ['well', '-n', 'shop'], { code: 401, path: /./ }, /does not accept your credentials/],
  ['no such context', ['well', '--context', 'elsewhere'], undefined, /no context "elsewhere"/],
  ['an unknown output', ['well', '-o', 'xml'], undefined, /unknown output "xml"/],
  ['an unknown option', ['well', '--wat'], undefined, /--wat/],
  ['two pods', ['well', 'crashing'], undefined, /unexpected argument "crashing"/],
  ['a pod and all', ['well', '--all'], undefined, /name a pod or use --all, not both/],
  ['a name that none can have', ['..', '-n', 'shop'], undefined, /no pod "\.\."/],
];
for (const [sentence, argv, refusal, says] of BAD)
  why(`bad input: ${sentence}`, async () => {
    refuses = refusal;
    const { code, stdout, stderr } = await ask(...argv);
    assert.equal([code, stdout], [2, '']);
    assert.match(stderr, says);
    assert.is(stderr.trimEnd().split('\n').length, 1);
  });

why('bad input: no kubeconfig there, no cluster behind it', async () => {
  const absent = await spoken(runWhy, ['well', '--kubeconfig', join(folder, 'absent')]);
  assert.is(absent.code, 2);
  assert.match(absent.stderr, /cannot connect to a cluster: .*absent/);
  const nobody = join(folder, 'nobody');
  writeFileSync(nobody, sandbox.kubeconfig.replace(sandbox.url, 'http://127.0.0.1:1'));
  const away = await spoken(runWhy, ['well', '--kubeconfig', nobody]);
  assert.is(away.code, 2);
  assert.match(away.stderr, /the cluster at http:\/\/127\.0\.0\.1:1 does not answer/);
});

for (const code of [403, 404, 503])
  why(`does without the metrics API where it answers ${code}`, async () => {
    refuses = { code, path: /metrics\.k8s\.io/ };
    const { code: exit, stderr } = await ask('crashing', '-n', 'shop');
    assert.equal([exit, stderr], [1, '']);
    assert.ok(asked.some((url) => url.includes('/apis/metrics.k8s.io/v1beta1/namespaces/shop/pods')));
  });

why('asks for the log of a previous run only where there was one', async () => {
  await client.create(KINDS.namespace, { metadata: { name: 'once' } });
  await run(
    'once',
    { restartPolicy: 'Never', containers: [{ name: 'app', image: 'busybox:1.35', command: ['sh', '-c', 'exit 3'] }] },
    'once',
  );
  await until(async () => (await client.read(KINDS.pod, 'once', 'once'))?.status?.phase === 'Failed', { what: 'a failed pod' });
  const previous = () => asked.filter((url) => url.includes('/log?') && url.includes('previous=true')).length;
  await ask('once', '-n', 'once');
  assert.is(previous(), 0);
  await ask('crashing', '-n', 'shop');
  assert.is(previous(), 1);
});

why('names the nearest key of a Secret when asked to, keeps no value, and does without where Secrets are refused', async () => {
  await client.create(KINDS.namespace, { metadata: { name: 'vault' } });
  await client.create(KINDS.secret, { metadata: { name: 'login', namespace: 'vault' }, data: { password: btoa('hunter5') } });
  const env = [{ name: 'P', valueFrom: { secretKeyRef: { name: 'login', key: 'pasword' } } }];
  await run('locked', { containers: [{ name: 'app', image: 'web:1', env }] }, 'vault');
  const isWaiting = async () => (await client.read(KINDS.pod, 'vault', 'locked'))?.status?.containerStatuses?.[0]?.state?.waiting?.reason;
  await until(async () => (await isWaiting()) === 'CreateContainerConfigError', { what: 'the kubelet to miss the key' });
  const told = await ask('locked', '-n', 'vault', '--secret-names', '-o', 'json');
  assert.equal(changedTo(told.stdout), ['password']);
  const { recording } = await readLive(client, { namespace: 'vault', name: 'locked', secretNames: true });
  assert.not.match(JSON.stringify(recording), new RegExp(`hunter5|${btoa('hunter5')}`));
  refuses = { code: 403, path: /\/secrets/ };
  const without = await ask('locked', '-n', 'vault', '--secret-names', '-o', 'json');
  assert.is(without.code, 1);
  assert.match(without.stderr, /skipped, because you may not read it: secrets/);
  assert.not.equal(changedTo(without.stdout), ['password']);
});

why.run();
