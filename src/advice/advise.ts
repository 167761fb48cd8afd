import type { Detector, DetectorResult } from './detectors/detector.ts';
import { DETECTORS } from './detectors/list.ts';
import { type KindName, viewOf, type View } from './detectors/view.ts';
import type { Advice } from '../contract/advice.ts';
import type { AdvicePass, AdviceRepository, AdviceRow } from '../db/advice.ts';
import type { SuppressibleRows } from '../db/suppressible.ts';
import type { Hub } from '../events.ts';
import type { Subject } from '../crd/suppression-subject.ts';
import type { KubeClient } from '../kube/connect.ts';
import type { Logger } from '../log.ts';
import { oneLine } from '../diagnosis/rendering/quote.ts';
import { recheckRecords } from '../suppressions/recheck.ts';
import { inventoryOf } from './inventory.ts';

export interface AdviceDeps {
  client: Pick<KubeClient, 'page'>;
  advice: Pick<AdviceRepository, 'store'>;
  adviceSuppressions: Pick<SuppressibleRows, 'set'>;
  cluster: string;
  /** The name of the Suppression that hides the subject now. */
  suppressionOf(subject: Subject, now: Date): string | undefined;
  hub: Pick<Hub, 'publish'>;
  now(): Date;
  log: Logger;
}

const MAX_SUMMARY = 1000;
/** Namespaces of the cluster itself: readers of the advice could not follow it there. */
const SYSTEM = /^kube-/;

/**
 * Runs every detector that can decide about a namespace, stores the advice, and sends `advice_finding` for what changed. Suppressed advice is
 * stored and not sent. Throws ClusterUnavailable, DatabaseUnavailable.
 */
export function adviser({ client, advice, adviceSuppressions, cluster, suppressionOf, hub, now, log }: AdviceDeps) {
  const draft = (view: View, { id, severity, category, title }: Detector, found: DetectorResult): AdviceRow => {
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
      // An object of an unexpected form must not stop the other detectors.
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
  /** Stores which Suppression hides each piece of advice now that it is stored. */
  const suppressAgain = async (changed: Advice[], rows: AdviceRow[]): Promise<void> => {
    const subjects = new Map(rows.map((row) => [keyOf(row), row]));
    const nameFor = (one: Advice) => {
      const row = subjects.get(keyOf(one));
      return row ? (suppressionOf(subjectOfAdvice({ ...row, namespace: one.namespace }), now()) ?? null) : one.suppressed_by;
    };
    for (const { record, name } of await recheckRecords(changed, nameFor, adviceSuppressions)) record.suppressed_by = name;
  };

  return async (namespace: string): Promise<void> => {
    const pass = await observe(namespace);
    const changed = await advice.store(pass, now());
    await suppressAgain(changed, pass.rows);
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

/** The first of several about one object: a detector says one thing about each. */
function uniqueOf(rows: AdviceRow[]): AdviceRow[] {
  return [...new Map(rows.toReversed().map((row) => [keyOf(row), row])).values()];
}
