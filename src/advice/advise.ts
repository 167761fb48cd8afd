import type { DetectorResult, DetectorTexts } from './detectors/detector.ts';
import { CLUSTER_DETECTORS, DETECTORS, RETIRED } from './detectors/list.ts';
import { templateImages } from './detectors/past.ts';
import { viewOf, type View } from './detectors/view.ts';
import type { Advice } from '../contract/advice.ts';
import type { FailureHistory } from '../contract/failure-history.ts';
import { CLUSTER_WIDE } from '../contract/finding.ts';
import type { AdvicePass, AdviceRepository, AdviceRow } from '../db/advice.ts';
import type { FailureHistoryRepository } from '../db/failure-history.ts';
import type { SuppressibleRows } from '../db/suppressible.ts';
import type { Hub } from '../events.ts';
import type { Subject } from '../crd/suppression-subject.ts';
import type { KubeClient } from '../kube/client.ts';
import type { Logger } from '../log.ts';
import { oneLine } from '../diagnosis/rendering/quote.ts';
import { recheckRecords } from '../suppressions/recheck.ts';
import { inventories } from './read-objects.ts';
import { observer } from './observed/observer.ts';

export interface AdviceDeps {
  client: Pick<KubeClient, 'page'>;
  advice: Pick<AdviceRepository, 'store'>;
  adviceSuppressions: Pick<SuppressibleRows, 'set'>;
  failureHistory: Pick<FailureHistoryRepository, 'noteImages' | 'read'>;
  cluster: string;
  /** Nothing is said of servers in these that the API server calls: certificates name them. Default: none. */
  hiddenNamespaces?: readonly string[];
  /** Whether Podmend may read the metadata of Secrets (`READ_SECRET_NAMES`). */
  readSecretNames: boolean;
  /** The name of the Suppression that hides the subject now. */
  suppressionOf(subject: Subject, now: Date): string | undefined;
  hub: Pick<Hub, 'publish'>;
  now(): Date;
  log: Logger;
}

const MAX_SUMMARY = 1000;
/** Namespaces of the cluster's own components. Readers could not follow advice there. */
const SYSTEM = /^kube-/;

/** A detector, with what it looks at. */
interface Looking extends DetectorTexts {
  requires: readonly string[];
  look(now: Date): DetectorResult[];
}

/**
 * Runs every detector that can decide about a namespace, or about cluster-wide objects. Stores the advice, and sends `advice_finding` for
 * each change. Suppressed advice is stored but not sent. Throws ClusterUnavailable, DatabaseUnavailable.
 */
export function adviser({
  client,
  advice,
  adviceSuppressions,
  failureHistory,
  cluster,
  hiddenNamespaces = [],
  readSecretNames,
  suppressionOf,
  hub,
  now,
  log,
}: AdviceDeps) {
  const inventory = inventories({ client, now, readSecretNames });
  const observe = observer();
  const draft = (namespace: string, { id, severity, category, title }: DetectorTexts, found: DetectorResult): AdviceRow => {
    const { kind, name, summary, evidence, change, labels = {}, images = [] } = found;
    const row = {
      ...{ detector_id: id, severity, category, title, summary: oneLine(summary, MAX_SUMMARY) },
      ...{ resource_kind: kind, resource_name: name, evidence, recommended_change: change, labels, images },
    };
    return { ...row, suppressed_by: suppressionOf(subjectOfAdvice({ ...row, namespace }), now()) ?? null };
  };
  const run = (namespace: string, detector: Looking): AdviceRow[] | undefined => {
    try {
      return detector.look(now()).map((found) => draft(namespace, detector, found));
    } catch (error) {
      // An object of an unexpected shape must not stop the other detectors.
      log.error({ err: error, detector: detector.id, namespace }, 'a detector failed');
      return undefined;
    }
  };
  /** Namespaces that this process has watched for changes since it recorded their images. */
  const watched = new Set<string>();
  const historyOf = async ({ namespace, workloads }: View): Promise<FailureHistory> => {
    const lasting = workloads.filter(({ kind }) => kind !== 'Job');
    const images = lasting.map((subject) => ({ kind: subject.kind, name: subject.name, images: templateImages(subject) }));
    await failureHistory.noteImages({ cluster, namespace, workloads: images, isWatched: watched.has(namespace) }, now());
    watched.add(namespace);
    return failureHistory.read({ cluster, namespace }, now());
  };
  /**
   * A kind that the cluster does not have counts as empty, so its advice is resolved. Advice about a kind that Podmend may not read stays.
   */
  const passOf = (namespace: string, detectors: Looking[], missing: { unreadable: string[] }): AdvicePass => {
    const able = detectors.filter(({ requires }) => !requires.some((kind) => missing.unreadable.includes(kind)));
    const results = able.flatMap((detector) => {
      const rows = run(namespace, detector);
      return rows ? [{ id: detector.id, rows }] : [];
    });
    const rows = results.flatMap((result) => uniqueOf(result.rows));
    return { cluster, namespace, detectors: [...results.map(({ id }) => id), ...RETIRED], rows, unreadable: missing.unreadable };
  };
  const observeNamespace = async (namespace: string): Promise<AdvicePass> => {
    const all = DETECTORS.map(({ id }) => id);
    if (SYSTEM.test(namespace)) return { cluster, namespace, detectors: [...all, ...RETIRED], rows: [], unreadable: [] };
    const { objects, ...missing } = await inventory.ofNamespace(namespace);
    const here = viewOf(namespace, objects);
    const view = { ...here, history: await historyOf(here), observed: observe(here, objects, now()) };
    return passOf(
      namespace,
      DETECTORS.map((detector) => ({ ...detector, look: (at) => detector.run(view, at) })),
      missing,
    );
  };
  const observeCluster = async (): Promise<AdvicePass> => {
    const { bundles: all, ...missing } = await inventory.ofCluster();
    const bundles = all.filter(({ server }) => server === null || !hiddenNamespaces.includes(server));
    return passOf(
      CLUSTER_WIDE,
      CLUSTER_DETECTORS.map((detector) => ({ ...detector, look: (at) => detector.run({ bundles }, at) })),
      missing,
    );
  };
  /** Stores which Suppression hides each piece of advice, now that it is stored. */
  const suppressAgain = async (changed: Advice[], rows: AdviceRow[]): Promise<void> => {
    const subjects = new Map(rows.map((row) => [keyOf(row), row]));
    const nameFor = (one: Advice) => {
      const row = subjects.get(keyOf(one));
      return row ? (suppressionOf(subjectOfAdvice({ ...row, namespace: one.namespace }), now()) ?? null) : one.suppressed_by;
    };
    for (const { record, name } of await recheckRecords(changed, nameFor, adviceSuppressions)) record.suppressed_by = name;
  };

  const settle = async (pass: AdvicePass): Promise<void> => {
    const changed = await advice.store(pass, now());
    await suppressAgain(changed, pass.rows);
    for (const one of changed)
      if (one.suppressed_by === null && one.status !== 'ignored') hub.publish({ type: 'advice_finding', data: one });
  };
  return {
    namespace: async (name: string): Promise<void> => settle(await observeNamespace(name)),
    /** Cluster-wide objects; their advice has the namespace `cluster-wide`. */
    cluster: async (): Promise<void> => settle(await observeCluster()),
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

/** The first result about each object, because a detector says one thing about each. */
function uniqueOf(rows: AdviceRow[]): AdviceRow[] {
  return [...new Map(rows.toReversed().map((row) => [keyOf(row), row])).values()];
}
