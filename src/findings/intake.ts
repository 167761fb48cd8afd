import type { Finding, FindingReport, ResourceFindings } from '../contract/finding.ts';
import { DatabaseUnavailable } from '../db/errors.ts';
import type { HidingRows } from '../db/hiding.ts';
import type { FindingRepository } from '../db/findings.ts';
import { type FindingRow, readyFinding, type ReadyFinding, type ReplacedResource, type StoredFinding } from '../db/finding-reports.ts';
import { storableText } from '../db/json.ts';
import type { Hub } from '../events.ts';
import { batcher } from '../failures/batch.ts';
import { type Subject, subjectOfFinding } from '../failures/suppress.ts';

/** Findings marked stale by one statement, so that nobody waits for a clearing. */
const CHUNK = 1000;
/** What a statement stores: more of it would take longer than a statement may. One resource may have as many, and be larger. */
const MAX_ROWS = 500;
const MAX_CHARACTERS = 1024 * 1024;

export interface FindingIntakeDeps {
  findings: Pick<FindingRepository, 'store' | 'stale' | 'staleOf'>;
  hub: Pick<Hub, 'publish'>;
  /** Of every finding: a scanner looks at one cluster, this one. */
  cluster: string;
  /** The name of the Suppression that hides the subject now. */
  suppressionOf(subject: Subject, now: Date): string | undefined;
  hiding: Pick<HidingRows, 'set'>;
}

export type Resource = Omit<ReplacedResource, 'cluster'>;

export type FindingIntake = ReturnType<typeof findingIntake>;

/**
 * The way of findings in: suppressed? → store → `security_finding` for what is news, `finding_deleted` for what is gone. What comes together
 * is stored together. Throws DatabaseUnavailable.
 */
export function findingIntake({ findings, hub, cluster, suppressionOf, hiding }: FindingIntakeDeps) {
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

  /** Two drafts may hold one finding (its report, and all of its resource): the later one is what is so. */
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
    gone.push(...(await holdAgain(stored, latest)));
    for (const { finding, isNews } of stored)
      if (isNews && finding.suppressed_by === null) hub.publish({ type: 'security_finding', data: finding });
    for (const finding of gone) hub.publish({ type: 'finding_deleted', data: finding });
    return placed.map((some) => some.map((place) => stored[place] as StoredFinding));
  };

  /**
   * A Suppression that came or went while findings were on their way was applied to those that there were, not to these: now that they are
   * stored, they are looked at again. Answers those that were shown before.
   */
  const holdAgain = async (stored: StoredFinding[], now: Date): Promise<Finding[]> => {
    const gone: Finding[] = [];
    const changes = stored.flatMap(({ finding, isNews }) => {
      const { id, severity, status, suppressed_by } = finding;
      const name = suppressionOf(subjectOfFinding(finding), now) ?? null;
      if (name === suppressed_by) return [];
      finding.suppressed_by = name;
      if (suppressed_by === null && !isNews && status !== 'dismissed') gone.push(finding);
      return [{ id, severity, suppressed_by, name }];
    });
    await hiding.set(changes);
    return gone;
  };

  const readyOf = (names: Resource, found: ResourceFindings['findings'][number], now: Date): ReadyFinding => {
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
    async report({ resource_type, resource_name, namespace, ...found }: FindingReport, now: Date): Promise<Finding> {
      const ready = readyOf(named({ resource_type, resource_name, namespace }), found, now);
      const [stored] = await batch.add(`finding\n${keyOf(ready.row)}`, { findings: [ready], replaces: undefined, now });
      if (!stored) throw new Error('a stored finding was not answered');
      return stored.finding;
    },

    /** All findings of a resource at once: what it had besides is resolved. Of two with one identity the later one counts. */
    async replace(resource: Resource, { findings: found }: ResourceFindings, now: Date): Promise<Finding[]> {
      const names = named(resource);
      const ready = found.map((one) => readyOf(names, one, now));
      const replaces = { cluster, ...names };
      const stored = await batch.add(`resource\n${Object.values(replaces).join('\n')}`, { findings: ready, replaces, now });
      return [...new Set(stored.map(({ finding }) => finding))];
    },

    /** The resource is gone: its findings are hidden, and resolved unless they are reported again within ten minutes. */
    async remove(resource: Resource, now: Date): Promise<number> {
      const gone = await findings.staleOf({ cluster, ...named(resource) }, now);
      for (const finding of gone) hub.publish({ type: 'finding_deleted', data: finding });
      return gone.length;
    },

    /** The same for every finding: a scan begins anew. */
    async clear(now: Date): Promise<number> {
      for (let total = 0; ;) {
        const cleared = await findings.stale(cluster, now, CHUNK);
        total += cleared;
        if (cleared < CHUNK) return total;
      }
    },
  };
}

interface Draft {
  findings: ReadyFinding[];
  replaces: ReplacedResource | undefined;
  now: Date;
}

/** What is stored by one statement each: of drafts as many as fit, at least one. */
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

function named({ resource_type, namespace, resource_name }: Resource): Resource {
  return { resource_type: storableText(resource_type), namespace: storableText(namespace), resource_name: storableText(resource_name) };
}

function keyOf({ namespace, resource_type, resource_name, check_name, item }: FindingRow): string {
  return [namespace, resource_type, resource_name, check_name, item].join('\n');
}

/** What tells findings of one check on one resource apart: a key, else the container. */
function itemOf({ key, container }: Record<string, unknown>): string {
  const item = typeof key === 'string' && key ? key : container;
  return typeof item === 'string' ? storableText(item).slice(0, 512) : '';
}
