import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { findKubectl, kubectlFor } from '../support/cluster/kubectl.ts';
import { scenario, scenarioNames } from '../support/expected/scenarios.ts';
import { endScenario, recordScenario, runScenario } from '../support/worlds/scenarios.ts';

// TEST_KUBECONFIG=… node test/scenarios/record.ts [NAME…]: runs scenarios (all, or the named ones) on a real node and records what it
// shows.

/** Two cores start about this many pods at once. With more, delays look like failures. */
const PARALLEL = 12;

const kubeconfig = process.env['TEST_KUBECONFIG'] ?? '';
const found = await findKubectl();
if (!kubeconfig || 'missing' in found)
  throw new Error('set TEST_KUBECONFIG to the kubeconfig of a disposable cluster with busybox:1.35 and web:1');
const kubectl = await kubectlFor(found.path, readFileSync(kubeconfig, 'utf8'));
const left = process.argv.length > 2 ? process.argv.slice(2) : [...scenarioNames];
let failed = 0;

async function record(name: string): Promise<void> {
  const namespace = `scenario-${name}`;
  try {
    await runScenario(kubectl, name, namespace);
    const file = fileURLToPath(new URL(`recordings/${name}.json`, import.meta.url));
    await recordScenario(kubeconfig, { name, namespace }, file);
    process.stdout.write(`${name}\n`);
  } catch (error) {
    failed += 1;
    process.stderr.write(`${name}: ${(error as Error).message}\n`);
  } finally {
    await endScenario(kubectl, scenario(name, namespace), namespace);
  }
}

await Promise.all(
  Array.from({ length: PARALLEL }, async () => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) await record(name);
  }),
);
await kubectl.close();
process.exitCode = failed > 0 ? 1 : 0;
