import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ConfigError, readConfig } from '../../src/config.ts';
import { loadManifest } from '../../src/crd/manifest.ts';
import { connect, type KubeClient } from '../../src/kube/client.ts';
import { CredentialsUnavailable } from '../../src/kube/errors.ts';
import { execCredentials, readExecPlugin } from '../../src/kube/exec-credentials.ts';
import { fromKubeconfig } from '../../src/kube/kubeconfig.ts';
import { connectLightweight, KINDS } from '../../src/kube/lightweight.ts';
import { createLog } from '../../src/log.ts';
import { runAgent } from '../../src/modes/agent.ts';
import { runWhy } from '../../src/modes/why.ts';
import { clusters } from '../support/cluster/clusters.ts';
import { spoken } from '../support/processes/command.ts';

const V1 = 'client.authentication.k8s.io/v1';
const V1BETA1 = 'client.authentication.k8s.io/v1beta1';
const folder = mkdtempSync(join(tmpdir(), 'podmend-exec-'));
process.once('exit', () => rmSync(folder, { recursive: true, force: true }));

const written = (name: string, text: string): string => {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
};

/** A shell script as a plugin. It records each run in a file beside it. */
function aPlugin(name: string, script: string): { command: string; runs(): number } {
  const command = written(name, `#!/bin/sh\necho run >> ${folder}/${name}.runs\n${script}\n`);
  chmodSync(command, 0o700);
  const runs = `${command}.runs`;
  if (existsSync(runs)) rmSync(runs);
  return { command, runs: () => (existsSync(runs) ? readFileSync(runs, 'utf8').trim().split('\n').length : 0) };
}

const credential = (status: object, apiVersion = V1) => JSON.stringify({ apiVersion, kind: 'ExecCredential', status });
const printing = (status: object, apiVersion = V1) => `cat <<'END'\n${credential(status, apiVersion)}\nEND`;
const exec = (command: string, more: object = {}) => ({ apiVersion: V1, command, interactiveMode: 'Never', ...more });
const plugin = (command: string, more: object = {}) => readExecPlugin(exec(command, more), folder, { server: 'https://a:1' });
const kubeconfig = (cluster: object, user: object) =>
  JSON.stringify({
    'current-context': 'c',
    contexts: [{ name: 'c', context: { cluster: 'k', user: 'u' } }],
    clusters: [{ name: 'k', cluster }],
    users: [{ name: 'u', user }],
  });
const why = async (promise: Promise<unknown>): Promise<string> => {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.instance(error, CredentialsUnavailable);
  return (error as CredentialsUnavailable).why;
};

const plugins = suite('credential plugins');

for (const apiVersion of [V1, V1BETA1]) {
  plugins(`${apiVersion}: arguments, variables and the cluster’s data reach the plugin`, async () => {
    const script = `cat > ${folder}/given <<END\n$*\n$REGION\n$KUBERNETES_EXEC_INFO\nEND\n${printing({ token: 't' }, apiVersion)}`;
    const { command } = aPlugin('given.sh', script);
    const more = { apiVersion, args: ['eks', 'get-token'], env: [{ name: 'REGION', value: 'eu' }], provideClusterInfo: true };
    assert.equal(await execCredentials(plugin(command, more)).get(), { token: 't' });
    const [args, region, info = ''] = readFileSync(`${folder}/given`, 'utf8').split('\n');
    assert.equal([args, region], ['eks get-token', 'eu']);
    assert.equal(JSON.parse(info), {
      apiVersion,
      kind: 'ExecCredential',
      spec: { interactive: false, cluster: { server: 'https://a:1' } },
    });
  });
}

plugins('v1beta1 may leave out the interactive mode, v1 may not', () => {
  assert.is(readExecPlugin({ apiVersion: V1BETA1, command: 'x' }, folder, {}).interactiveMode, 'IfAvailable');
  assert.throws(() => readExecPlugin({ apiVersion: V1, command: 'x' }, folder, {}), /"x" must have an interactiveMode of Never/);
});

plugins('a command with a slash is a path from the kubeconfig, and one without is found in PATH', () => {
  assert.is(plugin('bin/login').command, `${folder}/bin/login`);
  assert.is(plugin('login').command, 'login');
});

for (const [what, fields, expected] of [
  ['no command', { apiVersion: V1 }, /name no command/],
  ['a version of yesterday', { apiVersion: 'client.authentication.k8s.io/v1alpha1', command: 'x' }, /"x" must have an apiVersion of /],
] as const)
  plugins(`refuses ${what}`, () => assert.throws(() => readExecPlugin(fields, folder, {}), expected));

plugins('a credential is kept until it expires, and concurrent requests share a run', async () => {
  let now = Date.parse('2026-01-01T00:00:00Z');
  const { command, runs } = aPlugin('expiring.sh', printing({ token: 't', expirationTimestamp: '2026-01-01T00:10:00Z' }));
  const credentials = execCredentials(plugin(command), { now: () => now });
  await Promise.all([credentials.get(), credentials.get()]);
  now += 9 * 60_000;
  await credentials.get();
  assert.is(runs(), 1);
  now += 60_000 - 1;
  await credentials.get();
  assert.is(runs(), 2);
});

plugins('a credential without an expiry is kept until the API server refuses it', async () => {
  const { command, runs } = aPlugin('endless.sh', printing({ token: 't' }));
  const credentials = execCredentials(plugin(command));
  const first = await credentials.get();
  credentials.refused({ token: 't' });
  assert.is(await credentials.get(), first, 'another credential was refused');
  credentials.refused(first);
  await credentials.get();
  assert.is(runs(), 2);
});

plugins('a failed run is tried again the next time', async () => {
  const { command, runs } = aPlugin('later.sh', `[ -f ${folder}/ready ] || exit 1\n${printing({ token: 't' })}`);
  const credentials = execCredentials(plugin(command));
  await why(credentials.get());
  written('ready', '');
  assert.equal(await credentials.get(), { token: 't' });
  assert.is(runs(), 2);
});

for (const [what, script, expected] of [
  ['one that fails', 'echo "password hunter2"; echo "hunter3" >&2; exit 7', 'ended with exit code 7; run it in a shell to see why'],
  ['one that is killed', 'kill -TERM $$', 'was ended by SIGTERM'],
  ['one that prints something else', 'echo hunter2', `printed no ExecCredential of ${V1}`],
  ['one that answers in another version', printing({ token: 'hunter2' }, V1BETA1), `printed no ExecCredential of ${V1}`],
  ['one without a status', `echo '{"apiVersion":"${V1}","kind":"ExecCredential"}'`, `printed no ExecCredential of ${V1}`],
  ['half a certificate', printing({ clientKeyData: 'hunter2' }), 'printed neither a token nor a client certificate with its key'],
  ['too much', 'head -c 3000000 /dev/zero', 'prints too much'],
] as const) {
  plugins(`${what} is one line that names the command and repeats nothing`, async () => {
    const { command } = aPlugin('bad.sh', script);
    assert.is(await why(execCredentials(plugin(command, { args: ['hunter2'] })).get()), `the credential plugin "${command}" ${expected}`);
  });
}

plugins('for a plugin that is not installed, the error says how to install it', async () => {
  const credentials = execCredentials(plugin('podmend-no-such-plugin', { installHint: 'Install it:\n  brew install x' }));
  assert.is(await why(credentials.get()), 'the credential plugin "podmend-no-such-plugin" is not installed: Install it: brew install x');
});

plugins('a plugin that is not installed keeps no process alive', async () => {
  const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  await why(execCredentials(plugin('podmend-no-such-plugin')).get());
  assert.is(timers(), before);
});

plugins('a plugin that does not answer is given up, also when its child process goes on', async () => {
  const { command } = aPlugin('silent.sh', `sleep 60 &\necho $! > ${folder}/started\nwait`);
  const credentials = execCredentials(plugin(command), { timeoutMs: 1_000 });
  assert.is(await why(credentials.get()), `the credential plugin "${command}" does not answer in time`);
  // On a busy machine, the plugin may be given up before it starts anything.
  const started = existsSync(`${folder}/started`) ? Number(readFileSync(`${folder}/started`, 'utf8')) : 0;
  if (started > 0) assert.ok(process.kill(started, 'SIGKILL'), 'it went on');
});

plugins('a plugin that must ask a person needs a terminal', async () => {
  const { command, runs } = aPlugin('asks.sh', printing({ token: 't' }));
  assert.match(await why(execCredentials(plugin(command, { interactiveMode: 'Always' }), { isTerminal: false }).get()), /needs a terminal/);
  assert.is(runs(), 0);
});
plugins.run();

/** An API server that accepts only one token. */
interface Gate {
  server: Server;
  url: string;
  accepted: string;
  asked: string[];
}

const requests = suite<Gate>('requests with a plugin');
requests.before.each(async (gate) => {
  gate.accepted = 'first';
  gate.asked = [];
  gate.server = createServer((request, response) => {
    gate.asked.push(request.headers.authorization ?? 'nobody');
    const isWelcome = request.headers.authorization === `Bearer ${gate.accepted}`;
    const refusal = { kind: 'Status', status: 'Failure', reason: 'Unauthorized', message: 'Unauthorized', code: 401 };
    const list = { kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: '1' }, items: [] };
    response.writeHead(isWelcome ? 200 : 401, { 'content-type': 'application/json' }).end(JSON.stringify(isWelcome ? list : refusal));
  });
  gate.server.listen(0, '127.0.0.1');
  await once(gate.server, 'listening');
  gate.url = `http://127.0.0.1:${(gate.server.address() as AddressInfo).port}`;
});
requests.after.each(({ server }) => {
  server.closeAllConnections();
  server.close();
});

const CLIENTS = {
  'the lightweight client': (path: string) => connectLightweight({ kubeconfig: path }),
  'the full client': (path: string): Pick<KubeClient, 'list' | 'close'> => connect({ kubeconfig: path }),
};

for (const [name, open] of Object.entries(CLIENTS)) {
  requests(`${name} asks the plugin again when the API server refuses its token, once`, async ({ url, asked, ...gate }) => {
    const token = written('token', 'first');
    const { command, runs } = aPlugin(
      'current.sh',
      `printf '{"apiVersion":"${V1}","kind":"ExecCredential","status":{"token":"%s"}}' $(cat ${token})`,
    );
    const client = open(written('revoked', kubeconfig({ server: url, 'insecure-skip-tls-verify': true }, { exec: exec(command) })));
    await client.list(KINDS.pod);
    await client.list(KINDS.pod);
    assert.is(runs(), 1);
    gate.server.removeAllListeners('request');
    gate.server.on('request', (request, response) => {
      asked.push(request.headers.authorization ?? 'nobody');
      response.writeHead(401).end('{}');
    });
    written('token', 'second');
    const { code } = (await client.list(KINDS.pod).catch((error: unknown) => error)) as { code: number };
    assert.is(code, 401);
    assert.equal(asked, ['Bearer first', 'Bearer first', 'Bearer first', 'Bearer second']);
    client.close();
  });

  requests(`${name} reads tokenFile, and refuses an auth-provider that it does not know`, async ({ url }) => {
    written('token.txt', 'first\n');
    const cluster = { server: url, 'insecure-skip-tls-verify': true };
    const client = open(written('token-file', kubeconfig(cluster, { tokenFile: 'token.txt', token: 'old' })));
    assert.equal(await client.list(KINDS.pod), []);
    client.close();
    const path = written('provider', kubeconfig(cluster, { 'auth-provider': { name: 'openstack' } }));
    assert.throws(() => open(path), /the auth-provider "openstack" is not supported; use exec credentials or a token/);
  });
}

requests('podmend why says on one line that the plugin fails', async ({ url }) => {
  const { command } = aPlugin('broken.sh', 'echo hunter2 >&2; exit 3');
  const path = written('broken', kubeconfig({ server: url, 'insecure-skip-tls-verify': true }, { exec: exec(command) }));
  const { code, stderr } = await spoken(runWhy, ['x', '--kubeconfig', path]);
  assert.is(code, 2);
  assert.is(stderr, `podmend why: the credential plugin "${command}" ended with exit code 3; run it in a shell to see why\n`);
});

requests('the agent says on one line that the kubeconfig is wrong', async ({ url }) => {
  const KUBECONFIG = written('wrong', kubeconfig({ server: url }, { exec: { command: 'x' } }));
  const config = readConfig({ KUBECONFIG, SERVICE_TOKEN: 'secret-of-an-agent' }, 'agent');
  const error = await runAgent({ config, log: createLog({ level: 'silent' }) }).catch((reason: unknown) => reason);
  assert.instance(error, ConfigError);
  assert.match(
    (error as Error).message,
    /^bad configuration: KUBECONFIG must give a way to a cluster \(.*"x" must have an apiVersion of .*\)$/,
  );
});

requests('a proxy from the kubeconfig is used', async ({ url, asked }) => {
  const proxied: string[] = [];
  const proxy = createServer((request, response) => {
    proxied.push(request.url ?? '');
    void fetch(request.url ?? '', { headers: { authorization: request.headers.authorization ?? '' } }).then(async (answer) =>
      response.writeHead(answer.status).end(await answer.text()),
    );
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const client = connectLightweight({
    kubeconfig: written('proxied', kubeconfig({ server: url, 'proxy-url': address }, { token: 'first' })),
  });
  assert.equal(await client.list(KINDS.pod), []);
  assert.is(proxied.length, 1);
  assert.equal(asked, ['Bearer first']);
  client.close();
  proxy.closeAllConnections();
  proxy.close();
  assert.throws(
    () => fromKubeconfig(written('socks', kubeconfig({ server: url, 'proxy-url': 'socks5://a' }, {}))),
    /proxy-url must begin with/,
  );
});
requests.run();

for (const { name, start } of clusters('exec credentials')) {
  const real = suite(`exec credentials on the ${name}`);
  real('both clients reach the cluster with the plugin’s credential', async () => {
    const cluster = await start();
    const { clusters: known, users } = loadManifest(cluster.kubeconfigText) as {
      clusters: { cluster: object }[];
      users: { user: Record<string, string> }[];
    };
    const user = users[0]?.user ?? {};
    const decoded = (field: string) => user[field] && Buffer.from(user[field], 'base64').toString('utf8');
    const status = {
      token: user['token'],
      clientCertificateData: decoded('client-certificate-data'),
      clientKeyData: decoded('client-key-data'),
    };
    const { command, runs } = aPlugin('real.sh', printing(status));
    const path = written('real', kubeconfig(known[0]?.cluster ?? {}, { exec: exec(command) }));
    for (const open of Object.values(CLIENTS)) {
      const client = open(path);
      const namespaces = await client.list(KINDS.namespace);
      assert.ok(namespaces.some(({ metadata }) => metadata.name === 'default'));
      client.close();
    }
    assert.is(runs(), 2);
    await cluster.close();
  });
  real.run();
}
