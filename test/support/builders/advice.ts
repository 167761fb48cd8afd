import type { DetectorResult } from '../../../src/advice/detectors/detector.ts';
import { DETECTORS } from '../../../src/advice/detectors/list.ts';
import { type Objects, viewOf } from '../../../src/advice/detectors/view.ts';
import type { AdviceRow } from '../../../src/db/advice.ts';
import { loadManifests } from '../../../src/crd/manifest.ts';
import type { KubeObject } from '../../../src/crd/kubernetes.ts';

/** The advice of a detector about YAML documents of objects in namespace `shop`, at a given time. */
export function advised(id: string, manifests: string, now: Date): DetectorResult[] {
  const objects: Record<string, KubeObject[]> = {};
  for (const object of loadManifests(manifests) as KubeObject[]) (objects[object.kind ?? ''] ??= []).push(object);
  const detector = DETECTORS.find((one) => one.id === id);
  if (!detector) throw new Error(`there is no detector ${id}`);
  return detector.run(viewOf('shop', objects as { [K in keyof Objects]?: Objects[K][] }), now);
}

/** A piece of advice on Deployment `web` of namespace `shop`, as a pass stores it. */
export function anAdviceRow(over: Partial<AdviceRow> = {}): AdviceRow {
  return {
    detector_id: 'limit-far-above-request',
    severity: 'medium',
    category: 'resources',
    title: 'Containers ask for no CPU or memory',
    summary: '1 container of Deployment web without requests.',
    resource_kind: 'Deployment',
    resource_name: 'web',
    evidence: { containers: ['app'] },
    recommended_change: 'Ask for what it uses.',
    suppressed_by: null,
    labels: { app: 'web' },
    images: ['web:1'],
    ...over,
  };
}
