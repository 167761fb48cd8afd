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
import { judge, scenario, scenarioNames } from '../support/expected/scenarios.ts';
import { spoken } from '../support/processes/command.ts';
import { longOr } from '../support/runner/long.ts';
import { until } from '../support/runner/wait.ts';
import { endScenario, runScenario } from '../support/worlds/scenarios.ts';
import { nodeKubeconfig, onNode } from '../support/cluster/on-node.ts';

/**
 * Applies the first correction with kubectl to what fails on a real node. CI runs a few scenarios. `npm run soak` runs every scenario that
 * has a cure, and measures the share that it cures.
 */
const test = suite('scenarios on a real node');
const CURED = { timeoutMs: 150_000, everyMs: 1000 };
/** How many looks in a row must find a workload well. A crash loop looks well for a moment. */
const STEADY_LOOKS = 8;
/** At least this share of the applied corrections must cure. */
const LEAST_CURED = 1.1;
let kubectl: Kubectl;
let binary: string;

test.before(async () => {
  const found = await findKubectl();
  if ('missing' in found) throw new Error(found.missing);
  binary = found.path;
  kubectl = await kubectlFor(binary, readFileSync(nodeKubeconfig, 'utf8'));
});
test.after(() => kubectl?.close());

type Live = KubeObject & {
  spec?: { replicas?: number; completions?: number };
  status?: { observedGeneration?: number; phase?: string; conditions?: { type: string; status: string }[] } & Record<
    string,
    number | undefined | object | string
  >;
};

/**
 * The objects of a namespace, except for those that are being deleted and those that stay as they ended: old runs of a CronJob, and pods that a
 * controller has replaced after an eviction.
 */
async function livingIn(namespace: string): Promise<Live[]> {
  const { stdout } = await kubectl(['get', 'pods,deployments,statefulsets,daemonsets,replicasets,jobs', '-n', namespace, '-o', 'json']);
  const { items } = JSON.parse(stdout) as { items: Live[] };
  const living = items.filter((one) => !one.metadata.deletionTimestamp && !isEvicted(one));
  const past = new Set(living.filter((one) => isPastRun(one, living)).map(({ metadata }) => metadata.uid));
  return living.filter((one) => !past.has(one.metadata.uid) && !past.has(controllerOf(one)?.uid));
}

const isEvicted = (one: Live): boolean =>
  one.kind === 'Pod' && one.status?.phase === 'Failed' && one.status['reason'] === 'Evicted' && controllerOf(one)?.kind !== 'Job';

const controllerOf = ({ metadata }: Live) => metadata.ownerReferences?.find(({ controller }) => controller);

function isPastRun(job: Live, living: Live[]): boolean {
  const cron = controllerOf(job);
  // A Job that somebody creates from a CronJob has the CronJob as its controller too.
  return (
    job.kind === 'Job' &&
    cron?.kind === 'CronJob' &&
    living.some((other) => other.kind === 'Job' && controllerOf(other)?.uid === cron.uid && madeAt(other) > madeAt(job))
  );
}

const madeAt = ({ metadata }: Live): string => metadata.creationTimestamp ?? '';

/** Whether all objects of the scenario work: every pod is ready or completed, and no controller lacks pods. */
async function isWell(namespace: string): Promise<boolean> {
  const living = await livingIn(namespace);
  return living.length > 0 && living.every(isObjectWell);
}

/** ReplicaSets with ready pods whose Deployment has a newer ReplicaSet. */
async function olderServing(namespace: string): Promise<string[]> {
  const sets = (await livingIn(namespace)).filter(({ kind }) => kind === 'ReplicaSet');
  return sets.flatMap((set) => {
    const isOlder = sets.some((other) => controllerOf(other)?.uid === controllerOf(set)?.uid && madeAt(other) > madeAt(set));
    return isOlder && Number(set.status?.['readyReplicas'] ?? 0) > 0 ? [set.metadata.uid ?? ''] : [];
  });
}

function isObjectWell({ kind, metadata, spec, status = {} }: Live): boolean {
  const count = (field: string): number => Number(status[field] ?? 0);
  // The status counts only after the controller has seen the newest generation.
  const isSeen = (status.observedGeneration ?? metadata.generation ?? 0) >= (metadata.generation ?? 0);
  if (kind === 'Pod')
    return status.phase === 'Succeeded' || status.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') === true;
  if (kind === 'Job') return count('succeeded') >= (spec?.completions ?? 1) || count('ready') > 0;
  if (kind === 'DaemonSet') return isSeen && count('numberReady') === count('desiredNumberScheduled');
  const isUpdated = kind !== 'Deployment' || count('updatedReplicas') >= count('replicas');
  return isSeen && isUpdated && count('readyReplicas') >= (spec?.replicas ?? 1);
}

/** Why the scenario is not cured. Empty if it is. */
async function attempt(name: string): Promise<string> {
  const namespace = `cure-${name}`;
  try {
    await runScenario(kubectl, name, namespace);
    const { stdout, stderr } = await spoken(runWhy, [
      ...['--all', '-n', namespace, '-o', 'patch', '--secret-names', '--show-secrets'],
      ...['--kubeconfig', nodeKubeconfig],
    ]);
    const commands = stdout.split('\n').filter((line) => line.startsWith('kubectl '));
    if (commands.length === 0) return `nothing to apply: ${stdout}${stderr}`;
    const before = await olderServing(namespace);
    const env = { KUBECONFIG: nodeKubeconfig, HOME: tmpdir(), PATH: `${dirname(binary)}${delimiter}${process.env['PATH']}` };
    await promisify(execFile)('sh', ['-ec', stdout], { env });
    let steady = 0;
    const isSteady = async () => (steady = (await isWell(namespace)) ? steady + 1 : 0) >= STEADY_LOOKS;
    await until(isSteady, { ...CURED, what: `${name} to be well after ${stdout}` });
    // If a ReplicaSet worked all the time, its pods prove nothing, unless going back is a right answer.
    const isBack = (await livingIn(namespace)).some(
      ({ metadata, status }) => before.includes(metadata.uid ?? '') && Number(status?.['readyReplicas'] ?? 0) > 0,
    );
    return isBack && judge(scenario(name)).correction === false ? `it only went back: ${stdout}` : '';
  } catch (error) {
    return (error as Error).message;
  } finally {
    await endScenario(kubectl, scenario(name, namespace), namespace);
  }
}

const curable = scenarioNames.filter((name) => Array.isArray(scenario(name).truth.cure));
const tried = curable.filter((name) =>
  /^(?:la-cpu-units|la-image-colons|la-exec-probe|la-exporter-port|la-image-libary|la-dotnet-migrate|la-cron-backup|la-es-discovery|ma-fluent-bit)$/.test(
    name,
  ),
);

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

onNode('scenarios on a real node', () => test.run());
