import type { Search } from '../components/address.ts';

// The state in the address of the screen, and the API request for it. Works without a browser.

export const VIEWS = ['workloads', 'network', 'roles'] as const;
export type View = (typeof VIEWS)[number];

/** What the address selects. Ids are those of the API: `<Kind>/<namespace>/<name>`. */
export interface Wanted {
  view: View;
  namespace: string | undefined;
  /** The workload that the graph is limited to. */
  workload: string | undefined;
  /** The role of the access graph. */
  role: string | undefined;
  /** The node whose panel is open. */
  node: string | undefined;
  isNear: boolean;
  isWhole: boolean;
  /** The form of presentation; undefined until a person chooses. */
  as: 'graph' | 'list' | undefined;
  expanded: string[];
  folded: string[];
  typed: string | undefined;
}

/** Reads an address. Ids of namespaces other than the top bar's are dropped. */
export function wantedOf(search: Search): Wanted {
  const { graph, namespace: scope, workload, role, node, near, all, as, expand, fold, q } = search;
  const namespace = scope || undefined;
  const isHere = (id: string | undefined): id is string => {
    const place = idParts(id)?.namespace;
    return place !== undefined && (namespace === undefined || place === namespace || place === 'cluster-wide');
  };
  return {
    view: VIEWS.find((view) => view === graph) ?? 'workloads',
    namespace,
    workload: isHere(workload) ? workload : undefined,
    role: isHere(role) ? role : undefined,
    node: idParts(node) ? node : undefined,
    isNear: near === '1',
    isWhole: all === '1',
    as: as === 'list' || as === 'graph' ? as : undefined,
    expanded: listIn(expand),
    folded: listIn(fold),
    typed: q || undefined,
  };
}

/** A comma separates ids: names of objects and labels contain none. */
const listIn = (text = ''): string[] => text.split(',').filter(Boolean);

/** The parts of a node's id; the name may contain slashes. Undefined for an invalid id. */
export function idParts(id: string | undefined): { kind: string; namespace: string; name: string } | undefined {
  const [, kind, namespace, name] = /^([^/]+)\/([^/]+)\/(.+)$/s.exec(id ?? '') ?? [];
  return kind && namespace && name ? { kind, namespace, name } : undefined;
}

/** The API path of the graph; undefined while something must be chosen first. */
export function pathOf({ view, namespace, workload, role, expanded }: Wanted): string | undefined {
  const query = expanded.length > 0 ? `?${new URLSearchParams({ expand: expanded.join(',') }).toString()}` : '';
  const path = view === 'roles' ? rolePath(role) : workloadPath(workload, namespace);
  return path && `/api/diagram/${path}${query}`;
}

function rolePath(role: string | undefined): string | undefined {
  const parts = idParts(role);
  if (!parts) return undefined;
  return parts.kind === 'ClusterRole'
    ? `clusterrole/${encodeURIComponent(parts.name)}`
    : `role/${encodeURIComponent(parts.namespace)}/${encodeURIComponent(parts.name)}`;
}

function workloadPath(workload: string | undefined, namespace: string | undefined): string | undefined {
  const parts = idParts(workload);
  if (parts) return `workload/${[parts.namespace, parts.kind, parts.name].map(encodeURIComponent).join('/')}`;
  return namespace && `namespace/${encodeURIComponent(namespace)}`;
}
