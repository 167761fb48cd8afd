import type { FailureRecord, FailureStatus } from '../../contract/failure.ts';
import type { Incident } from '../../contract/incident.ts';
import { ask, askPage } from '../live/request.ts';

/** Parallel calls: few enough that selecting a hundred incidents does not delay others. */
const AT_ONCE = 4;
const PAGE = 500;

/** A record of an incident and its status before a change. */
interface Before {
  id: number;
  status: FailureStatus;
}

/** The result of a change: how many incidents, the first error, and how to undo it. */
export interface Outcome {
  changed: number;
  failed: number;
  error: Error | null;
  undo(): Promise<void>;
}

/** Sets the status of incidents. Those that the server refuses keep theirs. */
export async function setStatus(incidents: readonly Incident[], status: FailureStatus): Promise<Outcome> {
  const before: Before[][] = [];
  const outcome = await forEach(incidents, async (incident) => {
    const records = await recordsOf(incident, status);
    for (const { id } of records) await setOne(id, status);
    before.push(records);
  });
  return {
    ...outcome,
    undo: async () => {
      const { error } = await forEach(before.flat(), async (record) => void (await setOne(record.id, record.status)));
      if (error) throw error;
    },
  };
}

/** Assigns each incident to a user; null: to nobody. */
export async function assignAll(incidents: readonly Incident[], username: string | null): Promise<Outcome> {
  const before: Incident[] = [];
  const outcome = await forEach(incidents, async (incident) => {
    await assignOne(incident.id, username);
    before.push(incident);
  });
  return {
    ...outcome,
    undo: async () => {
      const { error } = await forEach(before, ({ id, assignee }) => assignOne(id, assignee));
      if (error) throw error;
    },
  };
}

const assignOne = (id: number, username: string | null): Promise<void> =>
  ask(`/api/incidents/${id}/assignee`, { method: 'PUT', body: { username } });

/** Runs `change` for all entries, several at a time, and continues after errors. */
export async function forEach<T>(all: readonly T[], change: (one: T) => Promise<void>): Promise<Omit<Outcome, 'undo'>> {
  const left = [...all];
  const errors: Error[] = [];
  const work = async (): Promise<void> => {
    for (let one = left.shift(); one !== undefined; one = left.shift()) {
      try {
        await change(one);
      } catch (error) {
        errors.push(error as Error);
      }
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return { changed: all.length - errors.length, failed: errors.length, error: errors[0] ?? null };
}

const setOne = (id: number, status: FailureStatus): Promise<unknown> => ask(`/api/pods/${id}/status`, { method: 'PUT', body: { status } });

/**
 * The records that a change must name, with their status. Ignoring one record ignores the whole incident, and one investigated record makes
 * the incident investigated; other statuses must be set on every record.
 */
async function recordsOf({ id, failure_id, list, namespace, pods, status }: Incident, wanted: FailureStatus): Promise<Before[]> {
  if (pods <= 1 || wanted === 'ignored' || wanted === 'investigating') return [{ id: failure_id, status }];
  const path = { active: 'failed', ignored: 'ignored', suppressed: 'suppressed', resolved: 'history' }[list];
  const found: Before[] = [];
  let next: string | null = `/api/pods/${path}?${new URLSearchParams({ namespace, limit: String(PAGE) }).toString()}`;
  while (next !== null) {
    const page: { body: FailureRecord[]; next: string | null } = await askPage<FailureRecord[]>(next);
    found.push(...page.body.filter((record) => record.incident_id === id).map((record) => ({ id: record.id, status: record.status })));
    next = page.next;
  }
  return found;
}
