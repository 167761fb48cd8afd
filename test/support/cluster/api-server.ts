import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { json } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { makeAuthority, makeCertificate } from '../network/certificates.ts';

const run = promisify(execFile);

export interface ApiServer {
  /** Path of an administrator's kubeconfig. */
  kubeconfig: string;
  kubeconfigText: string;
  /** Stops kube-apiserver but not etcd. `resume` starts it again on the same port with the same data. */
  halt(): Promise<void>;
  resume(): Promise<void>;
  /** Compacts etcd's history up to now, as the API server does every five minutes. Older watches get a 410. */
  compact(): Promise<void>;
  close(): Promise<void>;
}

/** The folder with etcd, kube-apiserver and kubectl; undefined if this machine has none. */
export function apiServerAssets(): string | undefined {
  return process.env['KUBEBUILDER_ASSETS'] || undefined;
}

/**
 * Starts etcd and kube-apiserver of `KUBEBUILDER_ASSETS` on loopback, in a temporary folder. There are no controllers: owned objects are
 * not collected, and deleted namespaces stay. Throws with the server's last output if it does not start within 30 s. `more` are further
 * flags of kube-apiserver.
 */
export async function startApiServer(more: Record<string, string> = {}): Promise<ApiServer> {
  const assets = apiServerAssets();
  if (!assets) throw new Error('KUBEBUILDER_ASSETS is not set');
  const home = await mkdtemp(join(tmpdir(), 'podmend-api-'));
  const file = (name: string) => join(home, name);
  const port = await freePort();
  await makeKeys(home);
  const etcd = launch(join(assets, 'etcd'), {
    'data-dir': file('etcd'),
    'unsafe-no-fsync': true,
    'log-level': 'warn',
    'listen-client-urls': `unix://${file('etcd.sock')}`,
    'advertise-client-urls': 'http://unused:1',
    'listen-peer-urls': `unix://${file('peer.sock')}`,
  });
  const flags = {
    'etcd-servers': `unix://${file('etcd.sock')}`,
    'bind-address': '127.0.0.1',
    'secure-port': port,
    'tls-cert-file': file('server.crt'),
    'tls-private-key-file': file('server.key'),
    'client-ca-file': file('ca.crt'),
    'service-account-issuer': 'https://kubernetes.default.svc.cluster.local',
    'service-account-key-file': file('accounts.key'),
    'service-account-signing-key-file': file('accounts.key'),
    'service-cluster-ip-range': '10.96.0.0/16',
    'authorization-mode': 'RBAC',
    'allow-privileged': true,
    profiling: false,
    'endpoint-reconciler-type': 'none',
    'disable-admission-plugins': 'ServiceAccount',
    ...more,
  };
  let server = launch(join(assets, 'kube-apiserver'), flags);
  const close = async () => {
    await Promise.all([end(server), end(etcd)]);
    await rm(home, { recursive: true, force: true });
  };
  try {
    const kubeconfigText = await kubeconfigOf(home, `https://127.0.0.1:${port}`);
    await writeFile(file('kubeconfig'), kubeconfigText, { mode: 0o600 });
    const isReady = () => ready(join(assets, 'kubectl'), file('kubeconfig'), server);
    await isReady();
    return {
      kubeconfig: file('kubeconfig'),
      kubeconfigText,
      halt: () => end(server),
      async resume() {
        server = launch(join(assets, 'kube-apiserver'), flags);
        await isReady();
      },
      compact: () => compact(file('etcd.sock')),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Uses the HTTP gateway of etcd, which listens on the same socket. */
async function compact(socket: string): Promise<void> {
  const ask = async (path: string, body: object): Promise<{ header: { revision: string } }> => {
    const sent = request({ socketPath: socket, path: `/v3/kv/${path}`, method: 'POST', timeout: 10_000 });
    const answered = once(sent, 'response') as Promise<[IncomingMessage]>;
    sent.end(JSON.stringify(body));
    return (await json((await answered)[0])) as { header: { revision: string } };
  };
  const { revision } = (await ask('range', { key: 'AA==' })).header;
  await ask('compaction', { revision, physical: true });
}

interface Launched {
  process: ChildProcess;
  words(): string;
}

function launch(command: string, flags: Record<string, string | number | boolean>): Launched {
  const args = Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`);
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let tail = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (tail = (tail + text).slice(-2000)));
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  return { process: child, words: () => tail };
}

async function end({ process: child }: Launched): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  // A graceful shutdown of the API server takes seconds and has no benefit here.
  child.kill('SIGKILL');
  await gone;
}

async function ready(kubectl: string, kubeconfig: string, server: Launched): Promise<void> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const answer = await run(kubectl, ['--kubeconfig', kubeconfig, 'get', '--raw', '/readyz']).catch(() => undefined);
    if (answer) return;
    if (Date.now() > deadline || server.process.exitCode !== null) throw new Error(`kube-apiserver did not come up: ${server.words()}`);
    await new Promise((wake) => setTimeout(wake, 100));
  }
}

/** Its own CA, certificates for the server and an administrator, and the key that signs service-account tokens. */
async function makeKeys(home: string): Promise<void> {
  await makeAuthority(home);
  await Promise.all([
    makeCertificate(home, 'server', '/CN=kube-apiserver', 'DNS:localhost,IP:127.0.0.1,IP:10.96.0.1'),
    makeCertificate(home, 'admin', '/O=system:masters/CN=admin', 'DNS:unused'),
    run('openssl', ['ecparam', '-name', 'prime256v1', '-genkey', '-noout', '-out', 'accounts.key'], { cwd: home }),
  ]);
}

async function kubeconfigOf(home: string, server: string): Promise<string> {
  const data = async (name: string) => (await readFile(join(home, name))).toString('base64');
  const [ca, certificate, key] = await Promise.all([data('ca.crt'), data('admin.crt'), data('admin.key')]);
  return `apiVersion: v1
kind: Config
current-context: cluster
contexts: [{name: cluster, context: {cluster: cluster, user: admin}}]
clusters: [{name: cluster, cluster: {server: "${server}", certificate-authority-data: ${ca}}}]
users: [{name: admin, user: {client-certificate-data: ${certificate}, client-key-data: ${key}}}]
`;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
