import type { NodeWatch } from './node-watch.ts';
import type { OpenPod } from './pod-watch.ts';
import type { Reporter } from './send-reports.ts';

export interface HeartbeatDeps {
  watch: Pick<NodeWatch, 'synced' | 'failing' | 'unsettled' | 'pods' | 'again' | 'idle'>;
  reporter: Pick<Reporter, 'heartbeat'>;
  /** If unset, one heartbeat is sent for each node that pods run on. */
  nodeName?: string | undefined;
  /** Pods in these namespaces are not counted. */
  hiddenNamespaces: readonly string[];
  version: string;
  everyMs: number;
  now: () => Date;
}

/** The milliseconds between heartbeats: a third of the time after which the operator watches a node itself, so that two may be lost. */
export function heartbeatIntervalMs(agentSilentSeconds: number): number {
  return (agentSilentSeconds * 1000) / 3;
}

/** Sends the operator a heartbeat of a node at each interval, with the pods that fail. The returned function stops it. */
export function startHeartbeats({ watch, reporter, nodeName, hiddenNamespaces, version, everyMs, now }: HeartbeatDeps): () => void {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const send = async () => {
    // Take the time before the pods are examined. A failure that is reported later is then newer than the heartbeat and stays open.
    const observed_at = now().toISOString();
    await watch.idle();
    const [failing, unsettled, pods] = [watch.failing(), watch.unsettled(), watch.pods()];
    const nodes = nodeName ? [nodeName] : [...new Set(pods.flatMap(({ spec }) => spec.nodeName ?? []))];
    for (const node of nodes) {
      const isCounted = ({ metadata, spec }: (typeof pods)[number]): boolean =>
        spec.nodeName === node && !hiddenNamespaces.includes(metadata.namespace ?? '');
      const count = pods.filter(isCounted).length;
      const open = { failing: podsOn(node, failing), unsettled: podsOn(node, unsettled) };
      watch.again((await reporter.heartbeat(node, { version, pods: count, ...open, observed_at })) ?? []);
    }
  };
  const repeat = async () => {
    if (watch.synced) await send();
    if (!isStopped) timer = setTimeout(() => void repeat(), everyMs);
  };
  void repeat();
  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

function podsOn(node: string, pods: OpenPod[]) {
  return pods.filter((pod) => pod.node === node).map(({ node: _node, ...pod }) => pod);
}
