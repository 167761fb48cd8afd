import type { KubeObject } from '../../src/crd/kubernetes.ts';
import type { KubeClient } from '../../src/kube/client.ts';
import { type Kind, KINDS } from '../../src/kube/kinds.ts';

const KINDS_OF_RBAC: Kind[] = [KINDS.clusterRole, KINDS.role, KINDS.clusterRoleBinding, KINDS.roleBinding];
const SHIPPED = 'kubernetes.io/bootstrapping';

/** The built-in roles and bindings of a cluster, sorted, with only the fields that decide about rights. */
export async function readShipped(client: KubeClient): Promise<KubeObject[]> {
  const lists = await Promise.all(
    KINDS_OF_RBAC.map(async (kind) => {
      const objects = await client.list<KubeObject>(kind);
      return objects
        .filter(({ metadata }) => metadata.labels?.[SHIPPED] === 'rbac-defaults')
        .map((object) => lean(kind, object))
        .toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1));
    }),
  );
  return lists.flat();
}

function lean({ kind, apiVersion }: Kind, object: KubeObject): KubeObject {
  const { metadata, rules, aggregationRule, roleRef, subjects } = object as KubeObject & Record<string, unknown>;
  const { name = '', namespace, labels } = metadata;
  const place = { name, ...(namespace ? { namespace } : {}), ...(labels ? { labels } : {}) };
  const isRole = kind === 'ClusterRole' || kind === 'Role';
  return {
    apiVersion,
    kind,
    metadata: place,
    ...(isRole ? { rules: rules ?? [], ...(aggregationRule ? { aggregationRule } : {}) } : { roleRef, subjects: subjects ?? [] }),
  } as KubeObject;
}

const keyOf = ({ metadata }: KubeObject): string => `${metadata.namespace ?? ''}/${metadata.name}`;
