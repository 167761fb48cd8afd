import type { Detector, Found } from '../advice/detector.ts';
import { DETECTORS } from '../advice/list.ts';
import { type KindName, viewOf, type View } from '../advice/view.ts';
import type { Advice } from '../contract/advice.ts';
import type { AdvicePass, AdviceRepository, AdviceRow } from '../db/advice.ts';
import type { HidingRows } from '../db/hiding.ts';
import type { Hub } from '../events.ts';
import type { Subject } from '../failures/suppress.ts';
import type { KubeClient } from '../kube/connect.ts';
import type { Logger } from '../log.ts';
import { oneLine } from '../solutions/quote.ts';
import { inventoryOf } from './inventory.ts';

export interface AdviceDeps {
  client: Pick<KubeClient, 'page'>;
  advice: Pick<AdviceRepository, 'store'>;
  hiding: Pick<HidingRows, 'set'>;
  cluster: string;
  /** The name of the Suppression that hides the subject now. */
  suppressionOf(subject: Subject, now: Date): string | undefined;
  hub: Pick<Hub, 'publish'>;
  now(): Date;
  log: Logger;
}

const MAX_SUMMARY = 1000;
/** Kept by whoever runs the cluster: nobody who reads the advice could follow it. */
const SYSTEM = /^kube-/;

/**
 * Looks at a namespace with every detector that can decide there, stores what they advise, and tells the sockets what is not as it was.
 * What a Suppression hides is stored and not told. Throws ClusterUnavailable, DatabaseUnavailable.
 */
export function adviser({ client, advice, hiding, cluster, suppressionOf, hub, now, log }: AdviceDeps) {
  const draft = (view: View, { id, severity, category, title }: Detector, found: Found): AdviceRow => {
    const { kind, name, summary, evidence, change, labels = {}, images = [] } = found;
    const row = {
      ...{ detector_id: id, severity, category, title, summary: oneLine(summary, MAX_SUMMARY) },
      ...{ resource_kind: kind, resource_name: name, evidence, recommended_change: change, labels, images },
    };
    return { ...row, suppressed_by: suppressionOf(subjectOfAdvice({ ...row, namespace: view.namespace }), now()) ?? null };
  };
  const run = (view: View, detector: Detector): AdviceRow[] | undefined => {
    try {
      return detector.run(view, now()).map((found) => draft(view, detector, found));
    } catch (error) {
      // An object of a form that nobody thought of must not keep the others from deciding.
      log.error({ err: error, detector: detector.id, namespace: view.namespace }, 'a detector failed');
      return undefined;
    }
  };
  const observe = async (namespace: string): Promise<AdvicePass> => {
    if (SYSTEM.test(namespace)) return { cluster, namespace, detectors: DETECTORS.map(({ id }) => id), rows: [], unreadable: [] };
    const { objects, unreadable } = await inventoryOf(client, namespace);
    const view = viewOf(namespace, objects);
    const able = DETECTORS.filter(({ requires }) => !requires.some((kind: KindName) => unreadable.includes(kind)));
    const results = able.flatMap((detector) => {
      const rows = run(view, detector);
      return rows ? [{ id: detector.id, rows }] : [];
    });
    const rows = results.flatMap((result) => uniqueOf(result.rows));
    return { cluster, namespace, detectors: results.map(({ id }) => id), rows, unreadable };
  };
  /** A Suppression that came or went while the namespace was looked at did not find what is stored now. */
  const holdAgain = async (changed: Advice[], rows: AdviceRow[]): Promise<void> => {
    const subjects = new Map(rows.map((row) => [keyOf(row), row]));
    const changes = changed.flatMap((one) => {
      const row = subjects.get(keyOf(one));
      const name = row ? (suppressionOf(subjectOfAdvice({ ...row, namespace: one.namespace }), now()) ?? null) : one.suppressed_by;
      const { id, severity, suppressed_by } = one;
      if (name === suppressed_by) return [];
      one.suppressed_by = name;
      return [{ id, severity, suppressed_by, name }];
    });
    await hiding.set(changes);
  };

  return async (namespace: string): Promise<void> => {
    const pass = await observe(namespace);
    const changed = await advice.store(pass, now());
    await holdAgain(changed, pass.rows);
    for (const one of changed)
      if (one.suppressed_by === null && one.status !== 'ignored') hub.publish({ type: 'advice_finding', data: one });
  };
}

/** A piece of advice as Suppressions see it: `checks` are detectors. */
function subjectOfAdvice(
  row: Pick<AdviceRow, 'detector_id' | 'severity' | 'resource_kind' | 'resource_name' | 'labels' | 'images'> & { namespace: string },
): Subject {
  const { namespace, detector_id, severity, resource_kind, resource_name, labels, images } = row;
  return { namespace, check: detector_id, severity, pod_name: resource_kind === 'Pod' ? resource_name : null, labels, images };
}

function keyOf({ detector_id, resource_kind, resource_name }: Pick<Advice, 'detector_id' | 'resource_kind' | 'resource_name'>): string {
  return `${detector_id}\n${resource_kind}\n${resource_name}`;
}

/** Of two on one object the first: a detector says one thing about each. */
function uniqueOf(rows: AdviceRow[]): AdviceRow[] {
  return [...new Map(rows.toReversed().map((row) => [keyOf(row), row])).values()];
}
