import type { SuppressionBody, SuppressionMatchBody, SuppressionRecord } from '../../contract/suppression.ts';

const DAY_SECONDS = 24 * 3600;
/** A Suppression that ends within this time is marked. */
const SOON_MS = 3 * DAY_SECONDS * 1000;

/** The typed content of the form. Lists are one line with commas or blanks. */
export interface Draft {
  reason: string;
  ticket: string;
  /** Days; empty for no end. */
  days: string;
  namespaces: string;
  pods: string;
  failure_reasons: string;
  images: string;
  checks: string;
}
export const EMPTY: Draft = { reason: '', ticket: '', days: '7', namespaces: '', pods: '', failure_reasons: '', images: '', checks: '' };

export const FIELDS = ['namespaces', 'pods', 'failure_reasons', 'images', 'checks'] as const;

/** The request body for the API, which validates it. */
export function bodyOf(draft: Draft): SuppressionBody {
  const lists = FIELDS.map((field) => [field, [...new Set(draft[field].split(/[\s,]+/).filter(Boolean))]] as const);
  const match: SuppressionMatchBody = Object.fromEntries(lists.filter(([, entries]) => entries.length > 0));
  const ticket = draft.ticket.trim();
  return {
    reason: draft.reason.trim(),
    ...(ticket && { ticket }),
    ...(draft.days && { ttl_seconds: Number(draft.days) * DAY_SECONDS }),
    match,
  };
}

/** The same Suppression with another end: `days` from now, or from its end if that is later; null for no end. */
export function extended(one: SuppressionRecord, days: number | null, now: Date): SuppressionBody {
  const from = Math.max(now.getTime(), one.expires_at === null ? 0 : Date.parse(one.expires_at));
  return renewed({ ...one, expires_at: days === null ? null : new Date(from + days * DAY_SECONDS * 1000).toISOString() });
}

/** The request body that creates the same Suppression again. */
export function renewed({ reason, owner, ticket, match, expires_at }: SuppressionRecord): SuppressionBody {
  return {
    reason,
    ...(owner !== null && { owner }),
    ...(ticket !== null && { ticket }),
    ...(expires_at !== null && { expires_at }),
    match,
  };
}

const WORDS = {
  namespaces: 'namespaces',
  pods: 'pods',
  failure_reasons: 'reasons',
  images: 'images',
  checks: 'checks',
} as const;

/** The match as facts: `namespaces shop, bank`. */
export function matchFacts(match: SuppressionMatchBody): string[] {
  const lists = FIELDS.flatMap((field) => (match[field] ? [`${WORDS[field]} ${match[field].join(', ')}`] : []));
  const { match_labels: labels = {}, match_expressions: expressions = [] } = match.label_selector ?? {};
  const selected = [
    ...Object.entries(labels).map(([key, value]) => `${key}=${value}`),
    ...expressions.map(({ key, operator, values = [] }) => `${key} ${operator} ${values.join(', ')}`.trim()),
  ];
  return selected.length > 0 ? [...lists, `labels ${selected.join(', ')}`] : lists;
}

/** Kinds of entries with their own lists. */
export type EntryKind = 'namespace' | 'pod' | 'registry';

/** The list of exclusions that a Suppression belongs to; undefined if none. */
export function entryKindOf(match: SuppressionMatchBody): EntryKind | undefined {
  const keys = Object.keys(match).sort().join();
  if (keys === 'namespaces') return 'namespace';
  if (keys === 'pods') return 'pod';
  return keys === 'checks,images' && match.checks?.join() === 'untrusted-registry' ? 'registry' : undefined;
}

/** The filter values of the list. */
export const SHOWN = ['all', 'active', 'unused', 'expiring', 'ended'] as const;
export type Shown = (typeof SHOWN)[number];

export function isUnused({ matched_failures: failures, matched_findings: findings, last_matched_at: last }: SuppressionRecord): boolean {
  return failures === 0 && findings === 0 && last === null;
}

export function isExpiring({ active, expires_at: until }: SuppressionRecord, now: Date): boolean {
  return active && until !== null && Date.parse(until) - now.getTime() < SOON_MS;
}

/** The Suppressions that a choice shows. */
export function shownOf(all: readonly SuppressionRecord[], shown: Shown, now: Date): SuppressionRecord[] {
  const is: Record<Shown, (one: SuppressionRecord) => boolean> = {
    all: () => true,
    active: ({ active }) => active,
    unused: (one) => one.active && isUnused(one),
    expiring: (one) => isExpiring(one, now),
    ended: ({ active }) => !active,
  };
  return all.filter(is[shown]);
}

/** Why one has no effect. */
export const WHY_NOT: Record<string, string> = {
  Suspended: 'Suspended',
  Expired: 'Expired',
  InvalidMatch: 'Its match is not valid',
  InvalidTime: 'Its end is not valid',
  TenantRule: 'Hides only what is not severe',
};
