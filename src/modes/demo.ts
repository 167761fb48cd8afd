import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { connect } from '../kube/client.ts';
import { createLog } from '../log.ts';
import { startSandbox } from '../sandbox/sandbox.ts';
import { runAgent } from './agent.ts';
import { applyManifests, installKinds } from './install.ts';
import type { Service } from './mode.ts';
import { startOperator } from './operator.ts';
import { writeKubeconfig } from './sandbox.ts';
import { runScanner } from './scanner.ts';

const SHOP = new URL('shop.yaml', import.meta.url);
/** Shorter grace periods, so that a demo shows pending pods without a wait of two minutes. */
const DEMO_GRACES = { pendingSeconds: 3, unreadySeconds: 5, recoverySeconds: 20 };

/** `podmend demo`: sandbox, operator, agent, scanner and a shop of workloads in one process. */
export const runDemo: Service = async ({ config: given, env }) => {
  await requireFree(given);
  await using begun = new AsyncDisposableStack();
  const sandbox = begun.adopt(await startSandbox(), ({ close }) => close());
  const kubeconfig = begun.adopt(await writeKubeconfig(sandbox.kubeconfig), ({ remove }) => remove());
  const config = await demoConfig(given, env, { kubeconfig: kubeconfig.path, nodeName: sandbox.nodeName });
  if (!env['DATA_DIR']) begun.defer(() => rm(config.dataDir, { recursive: true, force: true }));
  // The demo prints its own messages; with LOG_LEVEL=info the log is printed too.
  const log = createLog({ level: env['LOG_LEVEL'] ? config.logLevel : 'warn' });
  await fillShop(config);

  const operator = begun.adopt(await startOperator(config, log), ({ stop }) => stop());
  begun.adopt(await runAgent({ config: { ...config, backendUrl: operator.url }, log }), ({ stop }) => stop());
  begun.adopt(await runScanner({ config: { ...config, backendUrl: operator.url }, log }), ({ stop }) => stop());
  process.stdout.write(welcome(operator.url, kubeconfig.path));
  const running = begun.move();
  return { stop: () => running.disposeAsync() };
};

/** Throws what `listen` throws if the address is taken, before the seconds that a demo needs to begin. */
async function requireFree({ host, port }: Config): Promise<void> {
  const server = createServer().listen(port, host);
  await once(server, 'listening');
  server.close();
  await once(server, 'close');
}

async function fillShop(config: Config): Promise<void> {
  const client = connect(config);
  await installKinds(client);
  await applyManifests(client, `{apiVersion: v1, kind: Namespace, metadata: {name: ${config.podNamespace}}}`);
  await applyManifests(client, await readFile(SHOP, 'utf8'));
  client.close();
}

/** The configuration of the demo: what the environment does not set is short-lived and quick. */
export async function demoConfig(
  given: Config,
  env: NodeJS.ProcessEnv,
  cluster: { kubeconfig: string; nodeName: string },
): Promise<Config> {
  const own = (name: string, value: number, short: number) => (env[name] ? value : short);
  const { pendingSeconds, unreadySeconds, recoverySeconds } = given.graces;
  return {
    ...given,
    ...cluster,
    dataDir: env['DATA_DIR'] ? given.dataDir : await mkdtemp(join(tmpdir(), 'podmend-data-')),
    serviceTokens: given.serviceTokens.length > 0 ? given.serviceTokens : [randomBytes(24).toString('base64url')],
    graces: {
      pendingSeconds: own('PENDING_GRACE_SECONDS', pendingSeconds, DEMO_GRACES.pendingSeconds),
      unreadySeconds: own('UNREADY_GRACE_SECONDS', unreadySeconds, DEMO_GRACES.unreadySeconds),
      recoverySeconds: own('RECOVERY_SECONDS', recoverySeconds, DEMO_GRACES.recoverySeconds),
    },
  };
}

function welcome(url: string, kubeconfig: string): string {
  return `
The Podmend demo: a shop whose pods fail in eleven ways, on a simulated cluster.

address: ${url}
kubeconfig: ${kubeconfig}

Open the address in a browser, and sign up. That is enough: the browser needs nothing else.

Five things to try in another shell. Without kubectl, leave its lines out; after a signup in the browser, put login for signup:

  export KUBECONFIG=${kubeconfig}; kubectl get pods -A
  curl -c jar -H 'content-type: application/json' -d '{"username": "admin", "password": "correct horse"}' ${url}/api/auth/signup
  curl -b jar '${url}/api/pods/failed?limit=1'
  curl -b jar -X POST ${url}/api/mirror/preview/1
  curl -b jar -X POST ${url}/api/mirror/deploy/1; kubectl wait -A --all --for=condition=Ready mirrorpods --timeout=3m; kubectl get mirrorpods -A

${url}/docs describes every endpoint. Ctrl-C ends the demo.
`;
}
