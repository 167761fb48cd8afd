import type { ContainerStatus, Pod } from '../../crd/kubernetes.ts';
import { counted, type Detector, type DetectorResult } from './detector.ts';
import { podsOfServer, type Subject, type View } from './view.ts';

const LEAST = 5;
const DAY_MS = 24 * 60 * 60 * 1000;

interface Restarting {
  pod: Pod;
  status: ContainerStatus;
}

/** Containers that restart often, but are never down long enough to count as failing. */
export const frequentRestarts: Detector = {
  id: 'frequent-restarts',
  title: 'Containers keep restarting',
  category: 'reliability',
  severity: 'medium',
  requires: ['Pod', 'Deployment', 'StatefulSet', 'DaemonSet'],
  why: 'Between restarts the pod looks healthy, so nobody is alerted. Each restart drops the work in progress, and the cause tends to get worse.',
  run(view, now) {
    const byObject = new Map<string, { kind: string; name: string; found: Restarting[] }>();
    for (const pod of view.pods) {
      const status = worstOf(pod, now);
      if (!status) continue;
      const { kind, name } = serverOf(view, pod) ?? { kind: 'Pod', name: pod.metadata.name ?? '' };
      const entry = byObject.get(`${kind}/${name}`) ?? { kind, name, found: [] };
      entry.found.push({ pod, status });
      byObject.set(`${kind}/${name}`, entry);
    }
    return [...byObject.values()].flatMap(({ kind, name, found }) => resultOf(kind, name, found, now));
  },
};

/** The container with the most restarts, if it restarted often and recently. */
function worstOf({ status }: Pod, now: Date): ContainerStatus | undefined {
  const all = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  const [worst] = all.toSorted((one, other) => other.restartCount - one.restartCount);
  const lastAt = Date.parse(worst?.lastState?.terminated?.finishedAt ?? '');
  return worst && worst.restartCount >= LEAST && now.getTime() - lastAt < DAY_MS ? worst : undefined;
}

function serverOf(view: View, pod: Pod): Subject | undefined {
  return pod.metadata.ownerReferences?.length ? view.servers.find((server) => podsOfServer(view, server).includes(pod)) : undefined;
}

function resultOf(kind: string, name: string, found: Restarting[], now: Date): DetectorResult[] {
  const [worst] = found.toSorted((one, other) => other.status.restartCount - one.status.restartCount);
  if (!worst) return [];
  const { pod, status } = worst;
  const { exitCode = null, reason = null, finishedAt = null } = status.lastState?.terminated ?? {};
  const days = Math.max(1, (now.getTime() - Date.parse(pod.metadata.creationTimestamp ?? '')) / DAY_MS);
  // Rounded down to a power of two, so that one more restart does not change the advice.
  const atLeast = 2 ** Math.floor(Math.log2(status.restartCount));
  const last = exitCode === null ? '' : `, last with exit code ${exitCode}${reason ? ` (${reason})` : ''}`;
  return [
    {
      kind,
      name,
      summary: `Container ${status.name} of ${kind} ${name} has restarted at least ${counted(atLeast, 'time')} in one pod${last}.`,
      evidence: {
        container: status.name,
        restarts: status.restartCount,
        per_day: Math.round((10 * status.restartCount) / days) / 10,
        pods: found.length,
        worst_pod: pod.metadata.name,
        last_exit_code: exitCode,
        last_reason: reason,
        last_finished_at: finishedAt,
        node: pod.spec.nodeName ?? null,
      },
      change:
        reason === 'OOMKilled'
          ? 'It runs out of memory: raise the limit, or find out what uses the memory. `kubectl logs --previous` shows its last lines.'
          : 'Read the last lines before the restart: `kubectl logs --previous`. Exit code 137 or 143 can mean that a liveness probe is too strict.',
      labels: pod.metadata.labels ?? {},
      images: [status.image],
    },
  ];
}
