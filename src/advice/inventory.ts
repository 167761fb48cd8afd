import type { KindName, Objects } from './detectors/view.ts';
import type { KubeObject, Pod } from '../crd/kubernetes.ts';
import { projectPod } from '../kube/project-pod.ts';
import type { KubeClient, Page } from '../kube/connect.ts';
import { isKubeError } from '../kube/errors.ts';
import { type Kind, KINDS } from '../kube/kinds.ts';

/** The kinds that detectors look at, as the API server names them. */
export const ADVICE_KINDS: Record<KindName, Kind> = {
  Deployment: KINDS.deployment,
  StatefulSet: KINDS.statefulSet,
  DaemonSet: KINDS.daemonSet,
  Job: KINDS.job,
  CronJob: KINDS.cronJob,
  Pod: KINDS.pod,
  Service: KINDS.service,
  PodDisruptionBudget: KINDS.podDisruptionBudget,
  HorizontalPodAutoscaler: KINDS.horizontalPodAutoscaler,
  ResourceQuota: KINDS.resourceQuota,
  PersistentVolumeClaim: KINDS.persistentVolumeClaim,
};
const NAMES = Object.keys(ADVICE_KINDS) as KindName[];
const PAGE_SIZE = 250;

export interface Inventory {
  objects: { [K in KindName]?: Objects[K][] };
  /** Kinds that may not be read here. */
  unreadable: KindName[];
}

/** Lists all that detectors look at in a namespace, one kind after the other: nobody waits for it. Throws ClusterUnavailable. */
export async function inventoryOf(client: Pick<KubeClient, 'page'>, namespace: string): Promise<Inventory> {
  const objects: Record<string, KubeObject[]> = {};
  const unreadable: KindName[] = [];
  for (const name of NAMES) {
    const found = await allOf(client, name, namespace);
    if (found) objects[name] = found;
    else unreadable.push(name);
  }
  return { objects: objects as Inventory['objects'], unreadable };
}

/** Reads page by page and keeps only what detectors look at. undefined when the kind may not be read. */
async function allOf(client: Pick<KubeClient, 'page'>, name: KindName, namespace: string): Promise<KubeObject[] | undefined> {
  const all: KubeObject[] = [];
  try {
    for (let token: string | undefined = ''; token !== undefined;) {
      const page: Page<KubeObject> = await client.page(
        ADVICE_KINDS[name],
        { namespace },
        { limit: PAGE_SIZE, continue: token || undefined },
      );
      for (const item of page.items) all.push(name === 'Pod' ? projectPod(item as Pod) : item);
      token = page.continueToken;
    }
    return all;
  } catch (error) {
    if (isKubeError(error, 403)) return undefined;
    throw error;
  }
}
