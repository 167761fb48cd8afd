import type { Pod } from '../../crd/kubernetes.ts';
import type { PastFailure } from '../../contract/failure-history.ts';
import { about, counted, type Detector, type DetectorResult, named } from './detector.ts';
import { atLeast, DAY_MS, distinct, HOUR_MS, oddsOf, onsetsOf, type Past, pastOf, shownTimes } from './past.ts';
import { podsOfServer, type View } from './view.ts';

const LOOK_BACK_MS = 7 * DAY_MS;
/** After this time without a failure, the trouble is over. */
const OVER_MS = 2 * DAY_MS;
const QUIET_MS = HOUR_MS;
const MOST_CHANCE = 0.001;
const LEAST_WORKLOADS = 3;

/** A workload all of whose failures were on one node. */
interface OnNode extends Past {
  node: string;
  onsets: Date[];
  /** How many of the pods that ran at an onset were on the node, and how many elsewhere. */
  placed: (at: Date) => { here: number; elsewhere: number };
}

/**
 * Workloads that fail on one node only. If failures had nothing to do with nodes, each would be on this node with the share of the pods
 * that ran there. Any node could have been the one, so the chance counts once for each node.
 */
export const failsOnOneNode: Detector = {
  id: 'fails-on-one-node',
  title: 'Pods fail on one node and run on others',
  category: 'scheduling',
  severity: 'medium',
  requires: ['Pod', 'Deployment', 'StatefulSet', 'DaemonSet'],
  historyDays: 1,
  why: 'Pods that fail on one node and run on others most likely fail because of that node: its disk, memory, network, kernel or container runtime. New pods are still scheduled there until somebody cordons the node.',
  run(view, now) {
    const failing = pastOf(view, view.servers, { days: 1, now }).flatMap((past) => onNodeOf(view, past, now) ?? []);
    const here = new Set(view.pods.flatMap(({ spec }) => spec.nodeName ?? []));
    const onOne = failing.filter((one): one is OnNode => 'placed' in one);
    const only = onOne.filter(({ node }) => here.has(node));
    const isAlone = (node: string) => onOne.length === failing.length && onOne.every((one) => one.node === node);
    const nodes = distinct(only.map(({ node }) => node));
    const whole = nodes.flatMap((node) => (isAlone(node) ? (nodeResult(view, node, only, { nodes: here.size, now }) ?? []) : []));
    return whole.length > 0 ? whole : only.flatMap((one) => workloadResult(view, one, now) ?? []);
  },
};

/** Undefined for a workload without recent failures on nodes; the workload alone if it failed on several nodes. */
function onNodeOf(view: View, { subject, failures, ...past }: Past, now: Date): OnNode | Past | undefined {
  const since = new Date(Math.max(past.since.getTime(), now.getTime() - LOOK_BACK_MS));
  const lately = failures.filter((one) => one.node !== null && one.last_at >= since);
  const onsets = onsetsOf(lately, { since, now, quietMs: QUIET_MS });
  const [node, ...others] = distinct(lately.flatMap((one) => one.node ?? []));
  if (node === undefined || onsets.length === 0) return undefined;
  if (others.length > 0) return { subject, since, failures: lately };
  const running = podsOfServer(view, subject);
  const placed = (at: Date) => {
    const then = running.filter((pod) => startedAt(pod) <= at.getTime());
    const here = then.filter(({ spec }) => spec.nodeName === node).length;
    return { here: Math.max(1, here), elsewhere: then.filter(({ spec }) => spec.nodeName && spec.nodeName !== node).length };
  };
  return { subject, since, failures: lately, node, onsets, placed };
}

function startedAt({ status, metadata }: Pod): number {
  const at = Date.parse(status?.startTime ?? metadata.creationTimestamp ?? '');
  return Number.isNaN(at) ? Infinity : at;
}

function shareOf({ here, elsewhere }: { here: number; elsewhere: number }): number {
  return here / (here + elsewhere);
}

function isOver(onsets: Date[], now: Date): boolean {
  return now.getTime() - Math.max(...onsets.map((at) => at.getTime())) > OVER_MS;
}

function workloadResult(view: View, one: OnNode, now: Date): DetectorResult | undefined {
  const { subject, node, onsets, failures, placed } = one;
  const { kind, name } = subject;
  const nodes = new Set([node, ...podsOfServer(view, subject).flatMap(({ spec }) => spec.nodeName ?? [])]).size;
  const chance = onsets.reduce((product, at) => product * shareOf(placed(at)), nodes);
  if (chance >= MOST_CHANCE || !isOfMorePods(kind, failures) || isOver(onsets, now)) return undefined;
  return about(subject, {
    summary: `${kind} ${name} has failed at least ${atLeast(onsets.length)} times on node ${node}, and nowhere else.`,
    evidence: {
      node,
      times: shownTimes(onsets),
      pods: distinct(failures.map(({ pod_name }) => pod_name)).slice(0, 10),
      pods_elsewhere: placed(onsets.at(-1) ?? now).elsewhere,
      by_chance: oddsOf(chance),
      reasons: distinct(failures.map(({ reason }) => reason)),
    },
    change: cordon(node, `the pods of ${kind} ${name}`),
  });
}

/**
 * One failing pod says little about the node: the problem may be its own, or, in a StatefulSet, the first pod may do special work. Pods
 * of a DaemonSet differ only in their node, so one is enough.
 */
function isOfMorePods(kind: string, failures: PastFailure[]): boolean {
  if (kind === 'DaemonSet') return true;
  return new Set(failures.map(({ pod, pod_name }) => (kind === 'StatefulSet' ? pod_name : pod))).size > 1;
}

/** Whether the workloads that fail in the namespace are all on this node. By chance, that would be rare. */
function nodeResult(view: View, node: string, all: OnNode[], { nodes, now }: { nodes: number; now: Date }): DetectorResult | undefined {
  const failing = all.filter((one) => one.node === node);
  const events = onsetsOf(
    failing.flatMap(({ failures }) => failures),
    { since: new Date(now.getTime() - LOOK_BACK_MS), now, quietMs: QUIET_MS },
  );
  const first = events[0]?.getTime() ?? 0;
  const ran = view.servers
    .map((server) => podsOfServer(view, server).filter((pod) => startedAt(pod) <= first))
    .filter(({ length }) => length > 0);
  const there = Math.max(failing.length, ran.filter((pods) => pods.some(({ spec }) => spec.nodeName === node)).length);
  const count = Math.max(there, ran.length);
  const chance = failing.reduce((product, one, index) => {
    return (product * (there - index) * shareOf(one.placed(one.onsets[0] ?? now))) / (count - index);
  }, nodes);
  // Once is a node that began anew.
  if (failing.length < LEAST_WORKLOADS || events.length < 2 || chance >= MOST_CHANCE || isOver(events, now)) return undefined;
  const names = failing.map(({ subject }) => subject.name).toSorted();
  return {
    kind: 'Node',
    name: node,
    summary: `${counted(names.length, 'workload')} of this namespace fail on node ${node}, and nowhere else: ${named(names)}.`,
    evidence: {
      node,
      times: shownTimes(events),
      workloads: names.slice(0, 10),
      workloads_elsewhere: count - there,
      by_chance: oddsOf(chance),
      reasons: distinct(failing.flatMap(({ failures }) => failures.map(({ reason }) => reason))),
    },
    change: cordon(node, 'their pods'),
  };
}

function cordon(node: string, pods: string): string {
  return `Cordon node ${node} until you have found the cause: \`kubectl cordon ${node}\`. Then delete ${pods} there, so that they start on other nodes. \`kubectl describe node ${node}\` shows its pressure, its taints and its events.`;
}
