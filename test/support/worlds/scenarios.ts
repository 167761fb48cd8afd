import { writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { KubeObject } from '../../../src/crd/kubernetes.ts';
import { connect } from '../../../src/kube/client.ts';
import { readLive } from '../../../src/modes/offline/read-cluster.ts';
import type { Kubectl } from '../cluster/kubectl.ts';
import { type Scenario, scenario } from '../expected/scenarios.ts';
import { until } from '../runner/wait.ts';

const PATIENCE = { timeoutMs: 300_000, everyMs: 1500 };
/** A container in back-off runs only briefly between restarts. The others only need to settle. */
const SETTLE_SECONDS = { crashing: 6, other: 3 };

/** Kinds without a namespace that scenarios create. */
const CLUSTER_WIDE = [
  'PersistentVolume',
  'ValidatingAdmissionPolicy',
  'ValidatingAdmissionPolicyBinding',
  'ValidatingWebhookConfiguration',
];
/** The longest time until an API server uses a new admission policy or webhook. */
const GUARD_MS = 4000;
const isGuard = ({ kind }: KubeObject): boolean => kind?.startsWith('Validating') === true;

/** Runs a scenario in its own namespace until its failure shows, or for as long as the scenario says. Resolves to the scenario. */
export async function runScenario(kubectl: Kubectl, name: string, namespace: string): Promise<Scenario> {
  const found = scenario(name, namespace);
  const { truth, objects, steps } = found;
  const labels = Object.entries(truth.namespace ?? {}).map(([key, value]) => `${key}=${value}`);
  await ask(kubectl, ['create', 'namespace', namespace]);
  if (labels.length > 0) await ask(kubectl, ['label', 'namespace', namespace, ...labels]);
  const guards = objects.filter(isGuard);
  if (guards.length > 0) {
    await ask(kubectl, ['apply', '-f', '-'], listOf(guards));
    await sleep(GUARD_MS);
  }
  // The service account of the namespace may not exist yet.
  const apply = (items: KubeObject[]): Promise<string> => ask(kubectl, ['apply', '-n', namespace, '-f', '-'], listOf(items));
  await until(() => apply(objects), { ...PATIENCE, what: `${name} to be accepted` });
  for (const step of steps) {
    await until(() => says(kubectl, namespace, step.until), { ...PATIENCE, what: `${name}: ${step.until}` });
    if (step.delete) await ask(kubectl, ['delete', '-n', namespace, ...step.delete]);
    if (step.objects.length > 0) await apply(step.objects);
  }
  if (truth.until) await until(() => says(kubectl, namespace, truth.until ?? ''), { ...PATIENCE, what: `${name}: ${truth.until}` });
  const settle = /BackOff/.test(truth.until ?? '') ? SETTLE_SECONDS.crashing : SETTLE_SECONDS.other;
  await sleep((truth.after ?? settle) * 1000);
  return found;
}

function listOf(items: KubeObject[]): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'List', items });
}

/** Deletes what a scenario created, without waiting. */
export async function endScenario(kubectl: Kubectl, { objects }: Scenario, namespace: string): Promise<void> {
  await kubectl(['delete', 'namespace', namespace, '--wait=false']);
  for (const { kind, metadata } of objects)
    if (kind && CLUSTER_WIDE.includes(kind)) await kubectl(['delete', kind, metadata.name ?? '', '--wait=false']);
}

/** Whether the cluster's output about the namespace matches the pattern. */
async function says(kubectl: Kubectl, namespace: string, pattern: string): Promise<boolean> {
  const kinds = 'pods,events,jobs,replicasets,deployments,statefulsets,daemonsets';
  const text = await ask(kubectl, ['get', kinds, '-n', namespace, '-o', 'json']);
  return new RegExp(pattern, 's').test(JSON.stringify(JSON.parse(text)));
}

/** Writes what `podmend why --all --secret-names` reads of the namespace to a file. Nothing else of the cluster is in it. */
export async function recordScenario(kubeconfig: string, { name, namespace }: { name: string; namespace: string }, file: string) {
  const client = connect({ kubeconfig, silenceMs: 60_000 });
  try {
    const { recording } = await readLive(client, { namespace, name: undefined, secretNames: true });
    const isOwn = ({ kind, metadata }: KubeObject): boolean => kind !== 'Pod' || (metadata.namespace ?? namespace) === namespace;
    const text = JSON.stringify({ objects: recording.objects.filter(isOwn), logs: recording.logs, takenAt: recording.takenAt });
    writeFileSync(file, `${text.replaceAll(namespace, `s-${name}`)}\n`);
  } finally {
    client.close();
  }
}

async function ask(kubectl: Kubectl, args: string[], input?: string): Promise<string> {
  const { code, stdout, stderr } = await kubectl(args, input);
  if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr}`);
  return stdout;
}
