import type { Kind, Registry } from '../kinds/kinds.ts';
import { apiVersionOf } from '../kinds/kinds.ts';
import type { Loose } from '../store/object.ts';

const byVersion = (kinds: Kind[]) => {
  const groups = new Map<string, Map<string, Kind[]>>();
  for (const kind of kinds) {
    const versions = groups.get(kind.group) ?? new Map<string, Kind[]>();
    groups.set(kind.group, versions);
    versions.set(kind.version, [...(versions.get(kind.version) ?? []), kind]);
  }
  return groups;
};

const SUBRESOURCES = (kind: Kind): { name: string; kind: string; group?: string; version?: string; verbs: string[] }[] => [
  ...(kind.hasStatus ? [{ name: 'status', kind: kind.kind, verbs: ['get', 'patch', 'update'] }] : []),
  ...(kind.hasScale ? [{ name: 'scale', kind: 'Scale', group: 'autoscaling', version: 'v1', verbs: ['get', 'patch', 'update'] }] : []),
  ...(kind.plural === 'namespaces' ? [{ name: 'finalize', kind: 'Namespace', verbs: ['update'] }] : []),
  ...(kind.plural === 'pods'
    ? [
        { name: 'binding', kind: 'Binding', verbs: ['create'] },
        { name: 'eviction', kind: 'Eviction', group: 'policy', version: 'v1', verbs: ['create'] },
        { name: 'log', kind: 'Pod', verbs: ['get'] },
      ]
    : []),
];

/** `/apis` and `/api` in their aggregated form (`APIGroupDiscoveryList`), which kubectl requests first. */
export function aggregated(registry: Registry, isCore: boolean): Loose {
  const items = [...byVersion(registry.all().filter((kind) => (kind.group === '') === isCore))].map(([name, versions]) => ({
    metadata: { ...(name && { name }), creationTimestamp: null },
    versions: [...versions].map(([version, kinds]) => ({ version, freshness: 'Current', resources: kinds.map(aggregatedResource) })),
  }));
  return { kind: 'APIGroupDiscoveryList', apiVersion: 'apidiscovery.k8s.io/v2', metadata: {}, items };
}

function aggregatedResource(kind: Kind): Loose {
  const subresources = SUBRESOURCES(kind).map((sub) => ({
    subresource: sub.name,
    responseKind: {
      group: sub.group ?? (kind.isCustom ? kind.group : ''),
      version: sub.version ?? (kind.isCustom ? kind.version : ''),
      kind: sub.kind,
    },
    verbs: sub.verbs,
  }));
  return {
    resource: kind.plural,
    // Empty if it equals the group and version of the list, as for the real server's builtin kinds.
    responseKind: kind.isCustom
      ? { group: kind.group, version: kind.version, kind: kind.kind }
      : { group: '', version: '', kind: kind.kind },
    scope: kind.namespaced ? 'Namespaced' : 'Cluster',
    singularResource: kind.singular,
    verbs: kind.verbs,
    ...(kind.shortNames.length && { shortNames: kind.shortNames }),
    ...(kind.categories.length && { categories: kind.categories }),
    ...(subresources.length && { subresources }),
  };
}

/** `/apis/GROUP`; undefined if no kind of the group is served. */
export function groupDocument(registry: Registry, group: string): Loose | undefined {
  const versions = byVersion(registry.all()).get(group);
  if (!versions || group === '') return undefined;
  const listed = [...versions.keys()].map((version) => ({ groupVersion: `${group}/${version}`, version }));
  return { kind: 'APIGroup', apiVersion: 'v1', name: group, versions: listed, preferredVersion: listed[0] };
}

/** `/apis` in its older form. */
export function groupList(registry: Registry): Loose {
  const names = [...byVersion(registry.all()).keys()].filter(Boolean);
  const groups = names.map((name) => {
    const { kind: _kind, apiVersion: _version, ...group } = groupDocument(registry, name);
    return group;
  });
  return { kind: 'APIGroupList', apiVersion: 'v1', groups };
}

/** `/api/v1` or `/apis/GROUP/VERSION`; undefined when it is not served. */
export function resourceList(registry: Registry, group: string, version: string): Loose | undefined {
  const kinds = registry.all().filter((kind) => kind.group === group && kind.version === version);
  if (kinds.length === 0) return undefined;
  const resources = kinds.flatMap((kind) => [
    {
      name: kind.plural,
      singularName: kind.singular,
      namespaced: kind.namespaced,
      kind: kind.kind,
      verbs: kind.verbs,
      ...(kind.shortNames.length && { shortNames: kind.shortNames }),
      ...(kind.categories.length && { categories: kind.categories }),
    },
    ...SUBRESOURCES(kind).map((sub) => ({ ...sub, name: `${kind.plural}/${sub.name}`, singularName: '', namespaced: kind.namespaced })),
  ]);
  // The list of the core group has no apiVersion, as with the real server.
  return { kind: 'APIResourceList', ...(group && { apiVersion: 'v1' }), groupVersion: apiVersionOf({ group, version }), resources };
}
