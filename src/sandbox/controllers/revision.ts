import type { Api } from '../api/api.ts';
import type { Stored } from '../store/object.ts';
import { controllerReference, templateHash } from './pods.ts';
import { margins, roomFor } from './rollout.ts';

const HASH = 'pod-template-hash';
const PREFIX = 'deployment.kubernetes.io/';
const REVISION = `${PREFIX}revision`;
const HISTORY = `${PREFIX}revision-history`;
/** Annotations of a Deployment that its ReplicaSets do not get. */
const NOT_COPIED = ['kubectl.kubernetes.io/last-applied-configuration', REVISION, HISTORY];

const revisionOf = (set: Stored): number => Number(set.metadata.annotations?.[REVISION] ?? 0);

/** The size of its Deployment, in annotations of a ReplicaSet. */
export function sizeAnnotations(deployment: Stored): Record<string, string> {
  const { replicas } = deployment.spec;
  return { [`${PREFIX}desired-replicas`]: String(replicas), [`${PREFIX}max-replicas`]: String(replicas + margins(deployment).surge) };
}

function createSet(api: Api, deployment: Stored, { hash, revision, old }: { hash: string; revision: string; old: Stored[] }): Stored {
  const { metadata: own, spec } = deployment;
  const { template, selector } = spec;
  const labels = { ...template.metadata?.labels, [HASH]: hash };
  const copied = Object.entries(own.annotations ?? {}).filter(([key]) => !NOT_COPIED.includes(key));
  const metadata = {
    name: `${own.name}-${hash}`,
    labels,
    annotations: { ...Object.fromEntries(copied), ...sizeAnnotations(deployment), [REVISION]: revision },
    ownerReferences: [controllerReference(deployment)],
  };
  const wanted = {
    replicas: spec.strategy.type === 'Recreate' ? 0 : roomFor(deployment, 0, old),
    selector: { ...selector, matchLabels: { ...selector.matchLabels, [HASH]: hash } },
    template: { ...template, metadata: { ...template.metadata, labels } },
  };
  return api.create(api.registry.builtin('replicasets'), own.namespace, { metadata, spec: wanted }, { isInternal: true });
}

/** The ReplicaSet for a Deployment's present template, with the newest revision: new, or one of an earlier revision. */
export function currentSet(api: Api, deployment: Stored, existing: Stored[]): { set: Stored; isNew: boolean } {
  const hash = templateHash(deployment.spec.template);
  const found = existing.find((set) => set.metadata.labels?.[HASH] === hash);
  const old = existing.filter((set) => set !== found);
  const newest = Math.max(0, ...old.map(revisionOf)) + 1;
  const revision = String(found ? Math.max(newest, revisionOf(found)) : newest);
  const brought =
    found &&
    api.change(api.registry.builtin('replicasets'), found, '', ({ metadata }) => {
      const annotations = (metadata.annotations ??= {});
      const former = annotations[REVISION];
      if (former === revision) return;
      annotations[REVISION] = revision;
      annotations[HISTORY] = [annotations[HISTORY], former].filter(Boolean).join(',');
    });
  const set = brought ?? createSet(api, deployment, { hash, revision, old });
  api.change(api.registry.builtin('deployments'), deployment, '', (copy) => {
    copy.metadata.annotations = { ...copy.metadata.annotations, [REVISION]: revision };
  });
  return { set, isNew: !brought };
}
