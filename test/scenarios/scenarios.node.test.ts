import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname } from 'node:path';
import { promisify } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { runWhy } from '../../src/modes/why.ts';
import { findKubectl, type Kubectl, kubectlFor } from '../support/cluster/kubectl.ts';
import { scenario, scenarioNames } from '../support/expected/scenarios.ts';
import { spoken } from '../support/processes/command.ts';
import { longOr } from '../support/runner/long.ts';
import { until } from '../support/runner/wait.ts';
import { endScenario, runScenario } from '../support/worlds/scenarios.ts';

/**
 * The first correction, applied with kubectl to what fails on a real node. A few in CI; in `npm run soak` every scenario that has a cure, and the
 * share that it cures.
 */
const test = suite('scenarios on a real node');
const kubeconfig = process.env['TEST_KUBECONFIG'] ?? '';
const CURED = { timeoutMs: 150_000, everyMs: 1000 };
/** How long a workload must be well in a row. A crash loop looks well for a moment. */
const STEADY_LOOKS = 8;
/** Of all that are applied, at least these cure. */
const LEAST_CURED = 0.9;
let kubectl: Kubectl;
let binary: string;

test.before(async () => {
  const found = await findKubectl();
  if ('missing' in found) throw new Error(found.missing);
  binary = found.path;
  kubectl = await kubectlFor(binary, readFileSync(kubeconfig, 'utf8'));
});
test.after(() => kubectl?.close());

type Live = KubeObject & {
  spec?: { replicas?: number; completions?: number };
  status?: { phase?: string; conditions?: { type: string; status: string }[] } & Record<string, number | undefined | object | string>;
};

/** Whether everything that the scenario made works: no pod but a ready or a completed one, and no controller that lacks pods. */
async function isWell(namespace: string): Promise<boolean> {
  const { stdout } = await kubectl(['get', 'pods,deployments,statefulsets,daemonsets,replicasets,jobs', '-n', namespace, '-o', 'json']);
  const { items } = JSON.parse(stdout) as { items: Live[] };
  const living = items.filter(({ metadata }) => !metadata.deletionTimestamp);
  return living.length > 0 && living.every(isObjectWell);
}

function isObjectWell({ kind, spec, status = {} }: Live): boolean {
  if (kind === 'Pod')
    return status.phase === 'Succeeded' || status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;
  if (kind === 'Job') return Number(status['succeeded'] ?? 0) >= (spec?.completions ?? 1) || Number(status['ready'] ?? 0) > 0;
  if (kind === 'DaemonSet') return status['numberReady'] === status['desiredNumberScheduled'];
  return Number(status['readyReplicas'] ?? 0) >= (spec?.replicas ?? 1);
}

/** Why the scenario is not cured; empty when it is. */
async function attempt(name: string): Promise<string> {
  const namespace = `cure-${name}`;
  try {
    await runScenario(kubectl, name, namespace);
    const { stdout, stderr } = await spoken(runWhy, [
      ...['--all', '-n', namespace, '-o', 'patch', '--secret-names', '--show-secrets'],
      ...['--kubeconfig', kubeconfig],
    ]);
    const commands = stdout.split('\n').filter((line) => line.startsWith('kubectl '));
    if (commands.length === 0) return `nothing to apply: ${stdout}${stderr}`;
    const env = { KUBECONFIG: kubeconfig, HOME: tmpdir(), PATH: `${dirname(binary)}${delimiter}${process.env['PATH']}` };
    await promisify(execFile)('sh', ['-ec', stdout], { env });
    let steady = 0;
    const isSteady = async () => (steady = (await isWell(namespace)) ? steady + 1 : 0) >= STEADY_LOOKS;
    await until(isSteady, { ...CURED, what: `${name} to be well after ${stdout}` });
    return '';
  } catch (error) {
    return (error as Error).message;
  } finally {
    await endScenario(kubectl, scenario(name, namespace), namespace);
  }
}

const curable = scenarioNames.filter((name) => Array.isArray(scenario(name).truth.cure));
const tried = longOr(curable, ['config-key-separator', 'selector-value-typo']);

test(`the first correction cures ${tried.length} workloads`, async () => {
  const left = [...tried];
  const failed: string[] = [];
  const one = async (): Promise<void> => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      const why = await attempt(name);
      if (why) failed.push(`${name}: ${why.slice(0, 600)}`);
    }
  };
  await Promise.all(Array.from({ length: longOr(8, 2) }, one));
  const share = (tried.length - failed.length) / tried.length;
  process.stdout.write(`${tried.length - failed.length} of ${tried.length} cured\n${failed.join('\n')}\n`);
  assert.ok(share >= longOr(LEAST_CURED, 1), `${failed.length} not cured`);
});

test.run();
