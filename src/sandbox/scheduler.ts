import type { Api } from './api/api.ts';
import { controllerLoop } from './controllers/loop.ts';
import type { Loose, Stored } from './store/object.ts';
import { keyOf, timeText } from './store/object.ts';
import { unitsOf } from './store/quantity.ts';
import { recorder } from './controllers/recorder.ts';
import { matchesSelector, meetsAll } from './store/selectors.ts';

/** Why a node does not fit; `isFinal` if removing pods would not help. */
interface Misfit {
  reason: string;
  isFinal: boolean;
}

/** How often the scheduler retries pods that it could not place. */
const RETRY_MS = 60_000;

const isLive = (pod: Stored): boolean => !['Succeeded', 'Failed'].includes(pod.status?.phase);

/** The requests of a pod, in whole units: the sum of its containers, or its largest init container. */
function requestsOf(pod: Stored): Record<string, number> {
  const sum: Record<string, number> = {};
  for (const container of pod.spec.containers as Loose[])
    for (const [name, value] of Object.entries((container.resources?.requests ?? {}) as Record<string, string>))
      sum[name] = (sum[name] ?? 0) + unitsOf(name, value);
  for (const container of (pod.spec.initContainers ?? []) as Loose[])
    for (const [name, value] of Object.entries((container.resources?.requests ?? {}) as Record<string, string>))
      sum[name] = Math.max(sum[name] ?? 0, unitsOf(name, value));
  return { ...sum, pods: 1 };
}

function matchesAffinity(pod: Stored, node: Stored): boolean {
  const labels = node.metadata.labels ?? {};
  const wanted = Object.entries((pod.spec.nodeSelector ?? {}) as Record<string, string>);
  if (!wanted.every(([key, value]) => labels[key] === value)) return false;
  const terms = pod.spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms as Loose[] | undefined;
  if (!terms) return true;
  const fields = { 'metadata.name': node.metadata.name };
  return terms.some((term) => meetsAll(labels, term.matchExpressions) && meetsAll(fields, term.matchFields));
}

function untolerated(pod: Stored, node: Stored): Loose | undefined {
  const taints = [
    ...(node.spec?.taints ?? []),
    ...(node.spec?.unschedulable ? [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }] : []),
  ] as Loose[];
  const tolerates = (t: Loose, taint: Loose) =>
    (!t.effect || t.effect === taint.effect) &&
    (!t.key || t.key === taint.key) &&
    (t.operator === 'Exists' || (t.value ?? '') === (taint.value ?? ''));
  return taints.find(
    (taint) => taint.effect !== 'PreferNoSchedule' && !(pod.spec.tolerations ?? []).some((t: Loose) => tolerates(t, taint)),
  );
}

const hostPorts = (pod: Stored): string[] =>
  pod.spec.containers.flatMap((c: Loose) =>
    (c.ports ?? []).filter((p: Loose) => p.hostPort).map((p: Loose) => `${p.protocol}/${p.hostPort}`),
  );

function lacking(pod: Stored, node: Stored, others: Stored[]): Misfit[] {
  const allocatable = (node.status?.allocatable ?? {}) as Record<string, string>;
  const used = (name: string) => others.reduce((sum, other) => sum + (requestsOf(other)[name] ?? 0), 0);
  return Object.entries(requestsOf(pod))
    .filter(([name, asked]) => asked > 0 && asked + used(name) > unitsOf(name, allocatable[name]))
    .map(([name, asked]) => ({
      reason: name === 'pods' ? 'Too many pods' : `Insufficient ${name}`,
      isFinal: asked > unitsOf(name, allocatable[name]),
    }));
}

/** The pods on the node that the required affinity, or anti-affinity, of the pod selects. */
function neighbours(pod: Stored, others: Stored[], kind: 'podAffinity' | 'podAntiAffinity'): { isAsked: boolean; isMet: boolean } {
  const terms = (pod.spec.affinity?.[kind]?.requiredDuringSchedulingIgnoredDuringExecution ?? []) as Loose[];
  const matches = (term: Loose, other: Stored) =>
    (term.namespaces ?? [pod.metadata.namespace]).includes(other.metadata.namespace) &&
    matchesSelector(term.labelSelector, other.metadata.labels);
  const found = terms.map((term) => others.some((other) => matches(term, other)) || (kind === 'podAffinity' && matches(term, pod)));
  return { isAsked: terms.length > 0, isMet: kind === 'podAffinity' ? found.every(Boolean) : !found.some(Boolean) };
}

/** Why the pod cannot run on the node, from the first of the scheduler's filters that refuses. */
function misfits(pod: Stored, node: Stored, others: Stored[]): Misfit[] {
  if (node.spec?.unschedulable && untolerated(pod, node)?.key === 'node.kubernetes.io/unschedulable')
    return [{ reason: 'node(s) were unschedulable', isFinal: true }];
  const taint = untolerated(pod, node);
  if (taint) return [{ reason: `node(s) had untolerated taint(s)`, isFinal: true }];
  if (!matchesAffinity(pod, node)) return [{ reason: "node(s) didn't match Pod's node affinity/selector", isFinal: true }];
  const taken = new Set(others.flatMap(hostPorts));
  if (hostPorts(pod).some((port) => taken.has(port)))
    return [{ reason: "node(s) didn't have free ports for the requested pod ports", isFinal: false }];
  const short = lacking(pod, node, others);
  if (short.length) return short;
  if (!neighbours(pod, others, 'podAffinity').isMet) return [{ reason: "node(s) didn't match pod affinity rules", isFinal: true }];
  if (!neighbours(pod, others, 'podAntiAffinity').isMet)
    return [{ reason: "node(s) didn't match pod anti-affinity rules", isFinal: false }];
  return [];
}

/** `1 Insufficient cpu, 2 node(s) …`, sorted as the real message. */
const counted = (reasons: string[]): string =>
  [...new Set(reasons)]
    .map((reason) => `${reasons.filter((r) => r === reason).length} ${reason}`)
    .sort()
    .join(', ');

/** Binds pods to nodes that fit, or says why none does, in the words of the real scheduler. */
export function startScheduler(api: Api): () => void {
  const { registry, store, clock } = api;
  const pods = registry.builtin('pods');
  const nodes = registry.builtin('nodes');
  const claims = registry.builtin('persistentvolumeclaims');
  const record = recorder(api, 'default-scheduler', { isSeries: true });

  function claimTrouble(pod: Stored): string | undefined {
    for (const volume of (pod.spec.volumes ?? []) as Loose[]) {
      const name = volume.persistentVolumeClaim?.claimName;
      if (!name) continue;
      const claim = store.get(claims.storage, `${pod.metadata.namespace}/${name}`);
      if (!claim) return `persistentvolumeclaim "${name}" not found. not found`;
      if (claim.status?.phase !== 'Bound') return 'pod has unbound immediate PersistentVolumeClaims. not found';
    }
    return undefined;
  }

  function refuse(pod: Stored, message: string): void {
    const condition = {
      lastProbeTime: null,
      lastTransitionTime: timeText(clock.now()),
      message,
      observedGeneration: pod.metadata.generation,
      reason: 'Unschedulable',
      status: 'False',
      type: 'PodScheduled',
    };
    record({ object: pod, type: 'Warning', reason: 'FailedScheduling', message, action: 'Scheduling' });
    api.change(pods, pod, 'status', (copy) => {
      const others = (copy.status.conditions ?? []) as Loose[];
      const before = others.find((c) => c.type === 'PodScheduled');
      if (before?.status === 'False') condition.lastTransitionTime = before.lastTransitionTime;
      copy.status.conditions = [...others.filter((c) => c.type !== 'PodScheduled'), condition];
    });
    loop.enqueue(keyOf(pod), RETRY_MS);
  }

  function bind(pod: Stored, node: Stored): void {
    record({
      object: pod,
      reason: 'Scheduled',
      message: `Successfully assigned ${keyOf(pod)} to ${node.metadata.name}`,
      action: 'Binding',
    });
    api.change(pods, pod, 'status', (copy) => {
      copy.spec.nodeName = node.metadata.name;
      const condition = {
        lastProbeTime: null,
        lastTransitionTime: timeText(clock.now()),
        observedGeneration: pod.metadata.generation,
        status: 'True',
        type: 'PodScheduled',
      };
      copy.status.conditions = [...(copy.status.conditions ?? []).filter((c: Loose) => c.type !== 'PodScheduled'), condition];
    });
  }

  function schedule(pod: Stored): void {
    const all = store.list(nodes.storage);
    const none = `0/${all.length} nodes are available:`;
    const trouble = claimTrouble(pod);
    if (trouble) return refuse(pod, `${none} ${trouble}`);
    const live = store.list(pods.storage).filter((p) => isLive(p) && p.metadata.uid !== pod.metadata.uid);
    const judged = all.map((node) => ({
      node,
      misfits: misfits(
        pod,
        node,
        live.filter((p) => p.spec.nodeName === node.metadata.name),
      ),
    }));
    const fitting = judged.find((j) => j.misfits.length === 0);
    if (fitting) return bind(pod, fitting.node);
    const reasons = judged.flatMap((j) => j.misfits.map((m) => m.reason));
    const isHopeless = judged.every((j) => j.misfits.some((m) => m.isFinal));
    const help = isHopeless ? 'Preemption is not helpful for scheduling' : 'No preemption victims found for incoming pod';
    refuse(pod, `${none} ${counted(reasons)}. no new claims to deallocate, preemption: ${none} ${judged.length} ${help}.`);
  }

  const waiting = () => store.list(pods.storage).filter((pod) => !pod.spec.nodeName);
  const loop = controllerLoop(
    api,
    ({ type, storage, object }) => {
      if (storage === pods.storage && type === 'ADDED') return object.spec.nodeName ? [] : [keyOf(object)];
      // Room, a node or a claim may be available now, so every waiting pod is tried again.
      const hasEnded = storage === pods.storage && (type === 'DELETED' || !isLive(object) || !object.spec.nodeName);
      if (storage === pods.storage && type === 'MODIFIED' && !object.spec.nodeName) return gateChanged(object) ? [keyOf(object)] : [];
      return hasEnded || storage === nodes.storage || storage === claims.storage ? waiting().map(keyOf) : [];
    },
    (key) => {
      const pod = store.get(pods.storage, key);
      if (!pod || pod.spec.nodeName || pod.spec.schedulingGates?.length || pod.metadata.deletionTimestamp) return;
      if (pod.spec.schedulerName === 'default-scheduler') schedule(pod);
    },
  );
  return () => loop.stop();
}

/** A pod whose scheduling gate was removed. */
const gateChanged = (pod: Stored): boolean =>
  !pod.spec.schedulingGates?.length && pod.status?.conditions?.some((c: Loose) => c.reason === 'SchedulingGated');
