import type { FailureDetail, FailureReport } from '../contract/failure.ts';
import type { CoreEvent, Pod } from '../crd/kubernetes.ts';
import type { MirrorPod } from '../crd/mirrorpod.ts';
import type { FailureRepository } from '../db/failures.ts';
import { detectFailure } from '../failures/detect.ts';
import { containerEvidence, eventEvidence } from '../failures/evidence.ts';
import type { KubeClient } from '../kube/connect.ts';
import { KubeError } from '../kube/errors.ts';
import { KINDS } from '../kube/kinds.ts';
import type { Source } from '../mirrors/source.ts';
import { maskText } from '../redact/text.ts';

const LOG_LINES = 100;
/** A line may be of any length, so a number of lines bounds nothing. */
const LOG_BYTES = 256 * 1024;

/**
 * The failure record that a mirror tests: the one it names, or the open one of its source, by the pod's uid where there is a pod
 * (`podUid`) and a record of it, else the newest of that name. `mismatch` when the named one does not exist or is about another pod.
 */
export async function recordFor(
  { metadata, spec }: MirrorPod,
  failures: Pick<FailureRepository, 'detail' | 'openByPod'>,
  podUid?: string,
): Promise<{ record?: FailureDetail; mismatch?: true }> {
  const namespace = metadata.namespace ?? '';
  if (spec.failureId === undefined) {
    const open = await failures.openByPod(namespace, spec.source.name);
    const record = open.find(({ pod_uid }) => podUid !== undefined && pod_uid === podUid) ?? open[0];
    return record ? { record } : {};
  }
  const record = await failures.detail(spec.failureId);
  if (record?.namespace !== namespace || record.pod_name !== spec.source.name) return { mismatch: true };
  return { record };
}

/** What the live pod itself tells about its failure, for sources that nobody reported. */
export async function evidenceOf(client: Pick<KubeClient, 'list' | 'logs'>, source: Source, now: Date): Promise<FailureReport> {
  const { name, namespace, pod, owner } = source;
  const report = { pod_name: name, namespace, ...(owner?.kind ? { workload: { kind: owner.kind, name: owner.metadata.name ?? '' } } : {}) };
  if (!pod) return report;
  const events = await eventsAbout(client, namespace, name);
  const failure = detectFailure({ pod, events, now, graces: { pendingSeconds: 0, unreadySeconds: 0 } });
  const statuses = containerEvidence(pod);
  const container = failure?.container;
  return {
    ...report,
    failure_reason: failure?.reason ?? null,
    failure_message: failure?.message ?? null,
    container: container ?? null,
    container_statuses: statuses,
    events: eventEvidence(events),
    logs: container ? await logsOf(client, pod, container) : '',
  };
}

/** Events about the pod of that name, in no particular order. */
export function eventsAbout(client: Pick<KubeClient, 'list'>, namespace: string, name: string): Promise<CoreEvent[]> {
  return client.list(KINDS.event, { namespace, fieldSelector: `involvedObject.kind=Pod,involvedObject.name=${name}` });
}

async function logsOf(client: Pick<KubeClient, 'logs'>, { metadata }: Pod, container: string): Promise<string> {
  const sections = [false, true].map(async (previous) => {
    try {
      const text = await client.logs(metadata.namespace ?? '', metadata.name ?? '', {
        container,
        tailLines: LOG_LINES,
        previous,
        limitBytes: LOG_BYTES,
      });
      return text.startsWith('unable to retrieve container logs')
        ? ''
        : `==> ${container} (${previous ? 'previous' : 'current'}) <==\n${text}`;
    } catch (error) {
      // A container that never ran has no log.
      if (error instanceof KubeError) return '';
      throw error;
    }
  });
  return maskText((await Promise.all(sections)).filter(Boolean).join('\n'));
}
