import type { FailureDetail, FailureReport } from '../contract/failure.ts';
import type { CoreEvent, Pod } from '../crd/kubernetes.ts';
import { MIRROR_LABEL, type MirrorPod } from '../crd/mirrorpod.ts';
import type { ResourceQuota } from '../crd/quota.ts';
import { isEmptySelector, type LabelSelector } from '../crd/selector.ts';
import type { FailureRepository } from '../db/failures.ts';
import { detectFailure } from '../failures/detect/detect.ts';
import { containerEvidence, eventEvidence } from '../failures/detect/evidence.ts';
import type { KubeClient } from '../kube/client.ts';
import { KubeError } from '../kube/errors.ts';
import { KINDS } from '../kube/kinds.ts';
import { maskText } from '../redact/text.ts';
import { PRIORITY_CLASS } from './policy/isolated-pod.ts';
import type { NetworkPolicy } from './policy/network.ts';
import type { Neighbours, Source } from './policy/source.ts';

/** The other objects of the namespace on which a mirror depends. */
export async function readNeighbours(client: Pick<KubeClient, 'read' | 'list'>, namespace: string): Promise<Neighbours> {
  const [policies, claims, quotas, budgets, priorityClass] = await Promise.all([
    // The policies of other mirrors select only their own pods.
    client.list(KINDS.networkPolicy, { namespace, labelSelector: `!${MIRROR_LABEL}` }),
    client.list(KINDS.persistentVolumeClaim, { namespace }),
    client.list(KINDS.resourceQuota, { namespace }),
    client.list(KINDS.podDisruptionBudget, { namespace }).catch(noneIfForbidden),
    client.read(KINDS.priorityClass, undefined, PRIORITY_CLASS).catch(noneIfForbidden),
  ]);
  const modesOf = (claim: object): string[] => (claim as { spec?: { accessModes?: string[] } }).spec?.accessModes ?? [];
  const isShared = (claim: object): boolean => {
    const modes = modesOf(claim);
    return modes.includes('ReadWriteMany') || (modes.length > 0 && modes.every((mode) => mode === 'ReadOnlyMany'));
  };
  return {
    policies: policies as NetworkPolicy[],
    unsharedClaims: claims.filter((claim) => !isShared(claim)).map(({ metadata }) => metadata.name ?? ''),
    quotas: quotas as ResourceQuota[],
    openBudgets: (budgets ?? []).filter(countsEveryPod).map(({ metadata }) => metadata.name ?? ''),
    hasPriorityClass: priorityClass !== undefined,
  };
}

/** In a PodDisruptionBudget an empty selector selects every pod, and a missing selector selects none. */
function countsEveryPod(budget: object): boolean {
  const { selector } = (budget as { spec?: { selector?: LabelSelector } }).spec ?? {};
  return selector !== undefined && isEmptySelector(selector);
}

/** Some installations may not read cluster-scoped objects or budgets. Podmend then treats them as absent. */
function noneIfForbidden(error: unknown): undefined {
  if (error instanceof KubeError && error.code === 403) return undefined;
  throw error;
}

/** The failure record that a mirror tests. `mismatch`: the mirror names a record that does not exist or is about another pod. */
export interface RecordMatch {
  record?: FailureDetail;
  mismatch?: true;
}

/** The record that the mirror names. If it names none, the open record with the source's uid, or else the newest open record with its name. */
export async function recordFor(
  { metadata, spec }: MirrorPod,
  failures: Pick<FailureRepository, 'detail' | 'openByPod' | 'hasPod'>,
  podUid?: string,
): Promise<RecordMatch> {
  const namespace = metadata.namespace ?? '';
  if (spec.failureId === undefined) {
    const open = await failures.openByPod(namespace, spec.source.name);
    const record = open.find(({ pod_uid }) => podUid !== undefined && pod_uid === podUid) ?? open[0];
    return record ? { record } : {};
  }
  const record = await failures.detail(spec.failureId);
  const { name } = spec.source;
  if (record?.namespace !== namespace) return { mismatch: true };
  // The record may also be about an earlier pod of a Job.
  if (record.pod_name !== name && !(await failures.hasPod(record.id, namespace, name))) return { mismatch: true };
  return { record };
}

/** A report made from the live pod, for a source that no agent reported. */
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

/** Events about the pod of that name, unsorted. */
export function eventsAbout(client: Pick<KubeClient, 'list'>, namespace: string, name: string): Promise<CoreEvent[]> {
  return client.list(KINDS.event, { namespace, fieldSelector: `involvedObject.kind=Pod,involvedObject.name=${name}` });
}

const LOG_LINES = 100;
/** Logs are limited by bytes, because a limit of lines would not limit the memory. */
const LOG_BYTES = 256 * 1024;

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
