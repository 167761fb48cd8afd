import type { Finding, FindingReport, ResourceFindings } from '../contract/finding.ts';
import { DatabaseUnavailable } from '../db/errors.ts';
import type { SuppressibleRows } from '../db/suppressible.ts';
import type { FindingRepository } from '../db/findings.ts';
import { type FindingRow, readyFinding, type ReadyFinding, type ReplacedResource, type StoredFinding } from '../db/finding-reports.ts';
import { storableText } from '../db/json.ts';
import type { Hub } from '../events.ts';
import { recheckRecords } from '../suppressions/recheck.ts';
import { batcher } from '../async/batcher.ts';
import { type Subject, subjectOfFinding } from '../crd/suppression-subject.ts';

/** The number of findings that one statement marks as stale, small enough that nothing waits long for it. */
const CHUNK = 1000;
/**
 * The maximum number of rows per statement, which keeps it within the statement timeout. The findings of one resource stay together, even
 * if there are more.
 */
const MAX_ROWS = 500;
const MAX_CHARACTERS = 1024 * 1024;

export interface FindingIntakeDeps {
  findings: Pick<FindingRepository, 'store' | 'stale' | 'staleOf' | 'beginPass' | 'endPasses'>;
  hub: Pick<Hub, 'publish'>;
  /** The cluster of all findings: the scanner scans only this one. */
  cluster: string;
  /** The name of the Suppression that hides the subject now. */
  suppressionOf(subject: Subject, now: Date): string | undefined;
  findingSuppressions: Pick<SuppressibleRows, 'set'>;
}

/** A resource and the scanner that scanned it; an unnamed scanner has the empty name. */
export type Place = Omit<ReplacedResource, 'cluster'>;
export type Resource = Omit<Place, 'source'>;

export type FindingIntake = ReturnType<typeof findingIntake>;

/**
 * Takes findings in: checks for Suppressions, stores, and sends `security_finding` for new and `finding_deleted` for resolved ones. Reports
 * that arrive together are stored together. Throws DatabaseUnavailable.
 */
export function findingIntake({ findings, hub, cluster, suppressionOf, findingSuppressions }: FindingIntakeDeps) {
  const batch = batcher<Draft, StoredFinding[]>({
    async run(drafts) {
      const results: StoredFinding[][] = [];
      for (const some of portionsOf(drafts)) results.push(...(await store(some)));
      return results;
    },
    size: 64,
    lanes: 2,
    isOutage: (error) => error instanceof DatabaseUnavailable,
  });

  /** Two drafts may contain the same finding (reported alone and with its resource); the later one wins. */
  const store = async (drafts: Draft[]): Promise<StoredFinding[][]> => {
    const places = new Map<string, number>();
    const ready: ReadyFinding[] = [];
    const placed = drafts.map(({ findings: some }) =>
      some.map((finding) => {
        const key = keyOf(finding.row);
        const place = places.get(key) ?? ready.length;
        places.set(key, place);
        ready[place] = finding;
        return place;
      }),
    );
    const replaced = drafts.flatMap((draft) => (draft.replaces ? [draft.replaces] : []));
    const latest = drafts.reduce((late, { now }) => (now > late ? now : late), new Date(0));
    const { stored, gone } = await findings.store(ready, replaced, latest);
    gone.push(...(await suppressAgain(stored, latest)));
    for (const { finding, isNews } of stored)
      if (isNews && finding.suppressed_by === null) hub.publish({ type: 'security_finding', data: finding });
    for (const finding of gone) hub.publish({ type: 'finding_deleted', data: finding });
    return placed.map((some) => some.map((place) => stored[place] as StoredFinding));
  };

  /** Stores which Suppression hides each stored finding. Returns those that were visible before. */
  const suppressAgain = async (stored: StoredFinding[], now: Date): Promise<Finding[]> => {
    const gone: Finding[] = [];
    const isNews = new Map(stored.map((one) => [one.finding, one.isNews]));
    const nameFor = (finding: Finding) => suppressionOf(subjectOfFinding(finding), now) ?? null;
    for (const { record, name } of await recheckRecords([...isNews.keys()], nameFor, findingSuppressions)) {
      if (record.suppressed_by === null && !isNews.get(record) && record.status !== 'dismissed') gone.push(record);
      record.suppressed_by = name;
    }
    return gone;
  };

  const readyOf = (names: Place, found: ResourceFindings['findings'][number], now: Date): ReadyFinding => {
    const details = found.details ?? {};
    const row = {
      cluster,
      ...names,
      check_name: storableText(found.check_name),
      item: itemOf(details),
      severity: found.severity,
      message: found.message ?? '',
      remediation: found.remediation ?? '',
      details,
      now: now.toISOString(),
    };
    return readyFinding({ ...row, suppressed_by: suppressionOf(subjectOfFinding(row), now) ?? null });
  };

  return {
    /** How many reports wait to be stored. */
    waiting: batch.waiting,

    /** One finding, new or again. */
    async report({ resource_type, resource_name, namespace, source = '', ...found }: FindingReport, now: Date): Promise<Finding> {
      const ready = readyOf(named({ resource_type, resource_name, namespace, source }), found, now);
      const [stored] = await batch.add(`finding\n${keyOf(ready.row)}`, { findings: [ready], replaces: undefined, now });
      if (!stored) throw new Error('a stored finding was not answered');
      return stored.finding;
    },

    /**
     * Replaces everything that a scanner found on a resource; its other findings are resolved. Of two findings with the same identity the
     * later one wins.
     */
    async replace(resource: Resource, { findings: found, source = '' }: ResourceFindings, now: Date): Promise<Finding[]> {
      const names = named({ ...resource, source });
      const ready = found.map((one) => readyOf(names, one, now));
      const replaces = { cluster, ...names };
      const stored = await batch.add(`resource\n${Object.values(replaces).join('\n')}`, { findings: ready, replaces, now });
      return [...new Set(stored.map(({ finding }) => finding))];
    },

    /**
     * Called when the resource was deleted. The scanner's findings on it are hidden, and are resolved unless they are reported again within
     * ten minutes.
     */
    async remove(resource: Place, now: Date): Promise<number> {
      const gone = await findings.staleOf({ cluster, ...named(resource) }, now);
      for (const finding of gone) hub.publish({ type: 'finding_deleted', data: finding });
      return gone.length;
    },

    /** Does the same for all findings of a scanner that starts a new scan. */
    async clear(source: string, now: Date): Promise<number> {
      await findings.beginPass({ cluster, source: storableText(source) }, now);
      for (let total = 0; ;) {
        const cleared = await findings.stale({ cluster, source: storableText(source) }, now, CHUNK);
        total += cleared;
        if (cleared < CHUNK) return total;
      }
    },

    /** Ends a complete pass: findings that appear from now on are news. */
    settle: (now: Date): Promise<void> => findings.endPasses(cluster, now),
  };
}

interface Draft {
  findings: ReadyFinding[];
  replaces: ReplacedResource | undefined;
  now: Date;
}

/** Splits drafts into portions for one statement each: as many as fit, at least one. */
function portionsOf(drafts: Draft[]): Draft[][] {
  const portions: Draft[][] = [];
  let [rows, characters] = [Infinity, 0];
  for (const draft of drafts) {
    const size = draft.findings.reduce((sum, { text, details }) => sum + text.length + details.length, 0);
    rows += draft.findings.length;
    characters += size;
    if (rows > MAX_ROWS || characters > MAX_CHARACTERS) {
      portions.push([]);
      [rows, characters] = [draft.findings.length, size];
    }
    portions.at(-1)?.push(draft);
  }
  return portions;
}

function named({ resource_type, namespace, resource_name, source }: Place): Place {
  const names = { resource_type, namespace, resource_name, source };
  return Object.fromEntries(Object.entries(names).map(([field, text]) => [field, storableText(text)])) as unknown as Place;
}

function keyOf({ namespace, resource_type, resource_name, check_name, item }: FindingRow): string {
  return [namespace, resource_type, resource_name, check_name, item].join('\n');
}

/** Distinguishes findings of one check on one resource: a key, else the container. */
function itemOf({ key, container }: Record<string, unknown>): string {
  const item = typeof key === 'string' && key ? key : container;
  return typeof item === 'string' ? storableText(item).slice(0, 512) : '';
}
