import type { KubeObject } from '../../../src/crd/kubernetes.ts';
import { loadManifests } from '../../../src/crd/manifest.ts';
import type { Canvas } from '../../../src/graphs/canvas.ts';
import type { Item } from '../../../src/graphs/item.ts';
import { CLUSTER_PROJECTIONS, PROJECTIONS, type Projection } from '../../../src/graphs/project/list.ts';
import { drawNamespace, type NamespaceView } from '../../../src/graphs/namespace.ts';

const ALL: Record<string, Projection> = { ...PROJECTIONS, ...CLUSTER_PROJECTIONS };
export const MOMENT = { now: new Date('2026-01-01T00:10:00Z'), graces: { pendingSeconds: 120, unreadySeconds: 60 } };

/** The items of YAML documents. An object without a uid has `<Kind>-<name>` as its uid. */
export function itemsOf(yaml: string): Item[] {
  return (loadManifests(yaml) as KubeObject[]).flatMap((object) => {
    object.metadata.uid ??= `${object.kind}-${object.metadata.name}`;
    return ALL[object.kind ?? '']?.(object, MOMENT) ?? [];
  });
}

/** The graph of namespace `shop` with the objects of these documents. All kinds may be read. */
export function drawn(yaml: string, more: Partial<NamespaceView> = {}): Canvas {
  return drawNamespace({ namespace: 'shop', items: itemsOf(yaml), known: new Set(Object.keys(ALL)), ...more });
}

/** A ready pod in `shop`. `spec` and `metadata` are flow YAML to add. */
export function podYaml(name: string, { spec = '', metadata = '' }: { spec?: string; metadata?: string } = {}): string {
  return `
kind: Pod
metadata: {name: ${name}, namespace: shop, labels: {app: web}${metadata && `, ${metadata}`}}
spec: {containers: [{name: app, image: web}]${spec && `, ${spec}`}}
status: {phase: Running, conditions: [{type: Ready, status: 'True'}]}
`;
}
