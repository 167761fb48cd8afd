import { containersOf } from '../../crd/containers.ts';
import { isHelperName } from '../../crd/helper.ts';
import type { Failure, Look } from './view.ts';

/** A helper that watches for the end of the others ends within seconds. */
const ENDS_SECONDS = 10;

/**
 * The helper that keeps the pod of a Job from completing (family unready): all other containers have done their work, and a proxy or an agent beside them
 * runs on. kubectl shows such a pod as NotReady. Sidecars among the init containers are ended by the kubelet and do not count (Kubernetes, "Sidecar
 * Containers": Sidecar containers and Jobs).
 */
export function leftRunning({ pod, past, graces }: Look): Failure | undefined {
  const isOfJob = pod.metadata.ownerReferences?.some(({ kind, controller }) => controller === true && kind === 'Job') === true;
  const apps = containersOf(pod).flatMap(({ kind, status }) => (kind === 'app' && status ? [status] : []));
  const running = apps.filter(({ state }) => state?.running);
  const ended = apps.flatMap(({ name, state }) => (state?.terminated ? [{ name, ...state.terminated }] : []));
  const [helper] = running;
  if (!isOfJob || !helper || ended.length === 0 || running.length + ended.length < pod.spec.containers.length) return undefined;
  if (!running.every(({ name }) => isHelperName(name)) || ended.some(({ exitCode }) => exitCode !== 0)) return undefined;
  const last = ended
    .map(({ finishedAt }) => finishedAt ?? '')
    .toSorted()
    .at(-1);
  if (!past(last, Math.max(ENDS_SECONDS, graces.pendingSeconds))) return undefined;
  const done = ended.map(({ name }) => name).join(', ');
  return {
    reason: 'NotReady',
    family: 'unready',
    message: `container ${done} has completed, and container ${helper.name} runs on: the Job does not complete`,
    container: helper.name,
  };
}
