import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { connect } from '../kube/connect.ts';
import { createLog } from '../log.ts';
import { startSandbox } from '../sandbox/sandbox.ts';
import { runAgent } from './agent.ts';
import { applyManifests, installKinds } from './install.ts';
import type { Service } from './mode.ts';
import { startOperator } from './operator.ts';
import { writeKubeconfig } from './sandbox.ts';

const SHOP = new URL('shop.yaml', import.meta.url);
/** A visitor does not wait two minutes to see that a pod is pending. */
const DEMO_GRACES = { pendingSeconds: 3, unreadySeconds: 5, recoverySeconds: 20 };

/** `podmend demo`: sandbox, operator, agent and a shop of workloads in one process. */
export const runDemo: Service = async ({ config: given, env }) => {
  const undo: (() => Promise<unknown>)[] = [];
  const stop = async () => {
    for (const step of undo.reverse()) await step();
  };
  try {
    const sandbox = await startSandbox();
    undo.push(sandbox.close);
    const kubeconfig = await writeKubeconfig(sandbox.kubeconfig);
    undo.push(kubeconfig.remove);
    const config = await demoConfig(given, env, { kubeconfig: kubeconfig.path, nodeName: sandbox.nodeName });
    if (!env['DATA_DIR']) undo.push(() => rm(config.dataDir, { recursive: true, force: true }));
    // The screen is for the visitor; the usual lines come with LOG_LEVEL=info.
    const log = createLog({ level: env['LOG_LEVEL'] ? config.logLevel : 'warn' });

    const client = connect(config);
    await installKinds(client);
    await applyManifests(client, `{apiVersion: v1, kind: Namespace, metadata: {name: ${config.podNamespace}}}`);
    await applyManifests(client, await readFile(SHOP, 'utf8'));
    client.close();

    const operator = await startOperator(config, log);
    undo.push(operator.stop);
    const agent = await runAgent({ config: { ...config, backendUrl: operator.url }, log });
    undo.push(agent.stop);
    process.stdout.write(welcome(operator.url, kubeconfig.path));
  } catch (error) {
    await stop();
    throw error;
  }
  return { stop };
};

async function demoConfig(given: Config, env: NodeJS.ProcessEnv, cluster: { kubeconfig: string; nodeName: string }): Promise<Config> {
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
Podmend's demo: a shop whose pods fail in eleven ways, on a cluster that is only pretended.

address: ${url}
kubeconfig: ${kubeconfig}

Five things to try in another shell:

  export KUBECONFIG=${kubeconfig}; kubectl get pods -A
  curl -c jar -H 'content-type: application/json' -d '{"username": "admin", "password": "correct horse"}' ${url}/api/auth/signup
  curl -b jar '${url}/api/pods/failed?limit=1'
  curl -b jar -X POST ${url}/api/mirror/preview/1
  curl -b jar -X POST ${url}/api/mirror/deploy/1 && sleep 20 && kubectl get mirrorpods -A

${url}/docs describes every endpoint. Ctrl-C ends it all.
`;
}
