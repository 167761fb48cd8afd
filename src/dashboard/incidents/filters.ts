import type { FailureStatus } from '../../contract/failure.ts';
import type { IncidentListName, IncidentQuery, IncidentSort } from '../../contract/incident.ts';
import type { Search } from '../components/address.ts';

/** The compiler checks these against the contract, of which the dashboard loads only types. */
export const LIST_NAMES: Record<IncidentListName, string> = {
  active: 'Active',
  ignored: 'Dismissed',
  suppressed: 'Suppressed',
  resolved: 'Resolved',
};
export const SORT_NAMES: Record<IncidentSort, Record<'asc' | 'desc', string>> = {
  first_seen: { desc: 'Newest first', asc: 'Oldest first' },
  last_seen: { desc: 'Seen last first', asc: 'Seen first first' },
  restarts: { desc: 'Most restarts first', asc: 'Fewest restarts first' },
  pods: { desc: 'Most pods first', asc: 'Fewest pods first' },
  name: { desc: 'Workloads Z to A', asc: 'Workloads A to Z' },
};
export const VERDICT_NAMES: Record<NonNullable<IncidentQuery['verdict']>, string> = {
  Fixed: 'Fixed',
  StillFailing: 'Still failing',
  Inconclusive: 'Inconclusive',
  none: 'Not tried',
};
export const ACTIVE_STATUS_NAMES: Partial<Record<FailureStatus, string>> = { new: 'New', investigating: 'Investigating' };

export const ASSIGNEE_NAMES = { me: 'Assigned to me', none: 'Unassigned' };
/** One page fills a large screen; more are loaded on scrolling. */
export const PAGE_SIZE = 200;
/** The longest user name. */
const MOST_NAME = 128;

/** The list that an address selects. */
export interface Filters {
  list: IncidentListName;
  sort: IncidentSort;
  order: 'asc' | 'desc';
  q: string;
  reason?: string | undefined;
  status?: 'new' | 'investigating' | undefined;
  verdict?: NonNullable<IncidentQuery['verdict']> | undefined;
  /** `me`, `none` or a name. */
  assignee?: string | undefined;
}

const own = <T extends object>(table: T, key: string | undefined): (keyof T & string) | undefined =>
  key !== undefined && Object.hasOwn(table, key) ? (key as keyof T & string) : undefined;

/** Names are sorted from A on, numbers and times from the largest or newest. */
export const usualOrder = (sort: IncidentSort): 'asc' | 'desc' => (sort === 'name' ? 'asc' : 'desc');

/** Reads the search part of an address; invalid values are ignored. `failed` and `history` are names from earlier versions. */
export function filtersOf({ list, sort, order, q = '', reason, status, verdict, assignee }: Search): Filters {
  const earlier: Search = { failed: 'active', history: 'resolved' };
  const shownList = own(LIST_NAMES, (list && earlier[list]) ?? list) ?? 'active';
  const shownSort = own(SORT_NAMES, sort) ?? 'first_seen';
  return {
    list: shownList,
    sort: shownSort,
    order: order === 'asc' || order === 'desc' ? order : usualOrder(shownSort),
    q: q.trim().slice(0, 200),
    reason: reason || undefined,
    status: shownList === 'active' && (status === 'new' || status === 'investigating') ? status : undefined,
    verdict: own(VERDICT_NAMES, verdict),
    assignee: assignee?.slice(0, MOST_NAME) || undefined,
  };
}

/** The API path of the list, with `limit` entries per page. */
export function questionOf({ q, ...filters }: Filters, namespace: string | undefined, limit: number): string {
  const asked = new URLSearchParams({ limit: String(limit) });
  for (const [name, value] of Object.entries({ ...filters, q, namespace })) if (value) asked.set(name, value);
  return `/api/incidents?${asked.toString()}`;
}

/** Whether anything but the list's name restricts it. */
export function isFiltered({ q, reason, status, verdict, assignee }: Filters): boolean {
  return [q, reason, status, verdict, assignee].some(Boolean);
}
