import type { GraphNode, NodeStatus } from '../contract/graph.ts';
import { GROUP } from '../crd/mirrorpod.ts';
import { selects } from '../crd/selector.ts';
import { type Canvas, canvas, nodeId } from './canvas.ts';
import { type Item, placeOf, type Reference } from './item.ts';

/** The objects of one namespace, all read at the same time. */
export interface NamespaceView {
  namespace: string;
  /** Objects of the namespace, and cluster-scoped ones. The latter are drawn only if an object of the namespace names them. */
  items: readonly Item[];
  /** The kinds that were read. An object of such a kind that is not among the items is missing; about other kinds nothing is known. */
  known: ReadonlySet<string>;
  /** Names and key names of the Secrets, where they may be read. */
  secrets?: readonly { name: string; keys: readonly string[] }[] | undefined;
  /** Open failure records by the name of their pod. */
  records?: ReadonlyMap<string, { id: number; reason: string }> | undefined;
}

/** Every node and edge of a namespace. Failures propagate upwards: the owners and Services of a failing pod show its failure. */
export function drawNamespace(view: NamespaceView): Canvas {
  const { items, namespace } = view;
  const drawn = canvas();
  const own = items.filter((item) => item.namespace === namespace);
  const objects = new Map(items.map((item) => [nodeId(item), item]));
  for (const item of own) drawn.draw(nodeOf(item, view));
  const find = ends(view, objects);
  for (const item of own) {
    connectOwners(item, drawn, objects, view);
    connectReferences(item, drawn, find);
  }
  connectSelected(own, drawn);
  // Volumes name a class, which is drawn too.
  for (const { id } of drawn.nodes()) {
    const item = objects.get(id);
    if (item && item.namespace !== namespace) connectReferences(item, drawn, find);
  }
  raiseHealth(drawn);
  return drawn;
}

function nodeOf(item: Item, { records }: Pick<NamespaceView, 'records'>): Omit<GraphNode, 'id'> {
  const { kind, namespace, name, labels, metadata } = item;
  const record = kind === 'Pod' ? records?.get(name) : undefined;
  const { status, reason } =
    record && item.health.status !== 'healthy' ? { status: 'failing' as const, reason: record.reason } : item.health;
  const application = applicationOf(labels);
  return {
    kind,
    name,
    namespace,
    status,
    metadata: {
      ...metadata,
      ...(application ? { application } : {}),
      ...(reason ? { reason } : {}),
      ...(record ? { failure_id: record.id } : {}),
    },
  };
}

/** The application that the labels of an object name. */
function applicationOf(labels: Record<string, string>): string | undefined {
  return labels['app.kubernetes.io/name'] || labels['app'] || labels['k8s-app'] || undefined;
}

interface End {
  place: Omit<GraphNode, 'id'>;
  /** The object, if it is known. */
  item: Item | undefined;
}

type FindEnd = (reference: Pick<Reference, 'kind' | 'name'>) => End;

/** Finds the object that a reference names: it exists, is missing, or is of a kind about which nothing is known. */
function ends(view: NamespaceView, objects: ReadonlyMap<string, Item>): FindEnd {
  const secrets = view.secrets && new Set(view.secrets.map(({ name }) => name));
  const statusOf = (kind: string, name: string): NodeStatus => {
    if (kind === 'Secret') return secrets ? (secrets.has(name) ? 'healthy' : 'missing') : 'unknown';
    return view.known.has(kind) ? 'missing' : 'unknown';
  };
  return ({ kind, name }) => {
    const place = { kind, name, namespace: placeOf(kind, view.namespace) };
    const item = objects.get(nodeId(place));
    return { item, place: item ? nodeOf(item, view) : { ...place, status: statusOf(kind, name) } };
  };
}

/** An owner counts only if it has the uid in the reference. A later object with the same name owns nothing. */
function connectOwners(item: Item, drawn: Canvas, objects: ReadonlyMap<string, Item>, view: NamespaceView): void {
  for (const reference of item.owners) {
    const { name, uid, apiVersion } = reference;
    const kind = ownerKind(reference, view.known);
    const place = { kind, name, namespace: placeOf(kind, view.namespace) };
    const owner = objects.get(nodeId(place));
    if (owner && owner.uid !== uid) continue;
    const status = view.known.has(kind) ? 'missing' : 'unknown';
    const node = drawn.draw(owner ? nodeOf(owner, view) : { ...place, status, metadata: { api_version: apiVersion } });
    drawn.connect(node.id, 'owns', nodeId(item));
  }
}

/** A kind of another API group may have the name of a known kind, such as Knative's Service. The API group tells them apart. */
function ownerKind({ apiVersion, kind }: { apiVersion: string; kind: string }, known: ReadonlySet<string>): string {
  const [group = ''] = apiVersion.includes('/') ? apiVersion.split('/') : [''];
  const isOurs = !group.includes('.') || group.endsWith('.k8s.io') || group === GROUP;
  return isOurs || !known.has(kind) ? kind : `${kind}.${group}`;
}

function connectReferences(item: Item, drawn: Canvas, find: FindEnd): void {
  const id = nodeId(item);
  for (const reference of item.references) {
    const { place, item: named } = find(reference);
    // A missing optional object is not a fault.
    if (reference.optional && place.status === 'missing') continue;
    if (reference.port !== undefined && named?.ports && !named.ports.includes(reference.port)) {
      connectMissingPart(drawn, item, reference, { kind: 'ServicePort', part: String(reference.port) });
      continue;
    }
    const end = drawn.draw(place).id;
    if (reference.reversed) drawn.connect(end, reference.relation, id);
    else drawn.connect(id, reference.relation, end);
    for (const key of reference.keys ?? [])
      if (named?.keys && !named.keys.includes(key)) connectMissingPart(drawn, item, reference, { kind: 'ConfigMapKey', part: key });
  }
}

/** A port or key that the named object does not have gets a node of its own. */
function connectMissingPart(drawn: Canvas, item: Item, reference: Reference, { kind, part }: { kind: string; part: string }): void {
  const node = drawn.draw({ kind, name: `${reference.name}:${part}`, namespace: item.namespace, status: 'missing' });
  drawn.connect(nodeId(item), reference.relation, node.id);
}

/** The state of a Service is that of the pods that it selects. */
function connectSelected(own: readonly Item[], drawn: Canvas): void {
  const pods = own.filter(({ kind }) => kind === 'Pod');
  for (const item of own) {
    if (!item.selects) continue;
    const { relation, selector } = item.selects;
    const id = nodeId(item);
    const selected = pods.filter(({ labels }) => selects(selector, labels)).map(nodeId);
    for (const pod of selected) drawn.connect(id, relation, pod);
    const node = drawn.node(id);
    if (item.kind !== 'Service' || !node) continue;
    if (selected.length === 0) fail(node, 'selects no pod');
    else if (!selected.some((pod) => answers(drawn.node(pod)))) fail(node, 'no ready pod');
  }
}

function answers(pod: GraphNode | undefined): boolean {
  return pod?.status === 'healthy' && pod.metadata?.['phase'] !== 'Succeeded';
}

/** Kinds that do not work if one of the objects they name is missing. */
const BROKEN_BY = new Set(['Ingress', 'HorizontalPodAutoscaler']);

function raiseHealth(drawn: Canvas): void {
  const above = new Map<string, string[]>();
  for (const { source, kind, target } of drawn.edges()) {
    const [from, to] = [drawn.node(source), drawn.node(target)];
    if (kind === 'owns') above.set(target, [...(above.get(target) ?? []), source]);
    if (from && to?.status === 'missing' && BROKEN_BY.has(from.kind)) fail(from, `${to.kind} ${to.name} is missing`);
  }
  raiseToOwners(drawn, above);
}

/** Each owner of a failing pod, directly or through other owners, fails with the reason of the first failing pod. */
function raiseToOwners(drawn: Canvas, above: ReadonlyMap<string, string[]>): void {
  for (const pod of drawn.nodes()) {
    if (pod.kind !== 'Pod' || pod.status !== 'failing') continue;
    const { reason } = pod.metadata ?? {};
    const seen = new Set<string>();
    const waiting = [...(above.get(pod.id) ?? [])];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      if (seen.has(id)) continue;
      seen.add(id);
      const owner = drawn.node(id);
      if (owner && owner.status !== 'missing') fail(owner, typeof reason === 'string' ? reason : 'failing');
      waiting.push(...(above.get(id) ?? []));
    }
  }
}

function fail(node: GraphNode, reason: string): void {
  if (node.status === 'failing') return;
  node.status = 'failing';
  node.metadata = { ...node.metadata, reason };
}
