import { createHash } from 'node:crypto';
import type { SuppressionMatch } from '../../crd/suppression.ts';

/** Lists of the API whose entries are Suppressions of a fixed form in the operator's namespace. The API makes one Suppression an entry. */
export const ENTRY_KINDS = ['namespace', 'pod', 'registry'] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** The check that a trusted registry suppresses. */
const REGISTRY_CHECK = 'untrusted-registry';
const REGISTRY_END = '/*';

interface Shape {
  /** The field of `spec.match` that holds the entries. */
  field: 'namespaces' | 'pods' | 'images';
  /** The other fields of the match, always the same. */
  beside: SuppressionMatch;
  /** What follows an entry in the field. */
  end: string;
  reason: string;
}

const SHAPES: Record<EntryKind, Shape> = {
  namespace: { field: 'namespaces', beside: {}, end: '', reason: 'Excluded namespace, set through the API' },
  pod: { field: 'pods', beside: {}, end: '', reason: 'Excluded pod, set through the API' },
  registry: {
    field: 'images',
    beside: { checks: [REGISTRY_CHECK] },
    end: REGISTRY_END,
    reason: 'Trusted registry, set through the API',
  },
};

/** The match and the reason of the Suppression for one entry. */
export function suppressionOfEntry(kind: EntryKind, entry: string): { match: SuppressionMatch; reason: string } {
  const { field, beside, end, reason } = SHAPES[kind];
  return { match: { ...beside, [field]: [entry + end] }, reason };
}

/** The entries of this kind in the match. Empty when the match also uses other fields. */
export function entriesOf(kind: EntryKind, match: SuppressionMatch): string[] {
  const { field, beside, end } = SHAPES[kind];
  const { [field]: items = [], ...rest } = match;
  if (JSON.stringify(rest) !== JSON.stringify(beside)) return [];
  return items.filter((item) => item.length > end.length && item.endsWith(end)).map((item) => item.slice(0, item.length - end.length));
}

/** The match without one of its entries: the same match when it has no such entry, undefined when nothing would be left. */
export function withoutEntry(kind: EntryKind, match: SuppressionMatch, entry: string): SuppressionMatch | undefined {
  const { field, end } = SHAPES[kind];
  if (!entriesOf(kind, match).includes(entry)) return match;
  const rest = (match[field] ?? []).filter((item) => item !== entry + end);
  return rest.length > 0 ? { ...match, [field]: rest } : undefined;
}

/**
 * `api-<kind of entry>-<first 10 hex digits of the entry's SHA-256>`: the same entry gives the same object, whoever writes it. The name of
 * a Suppression that is not an entry comes from its whole match, in any order.
 */
export function nameOf(match: SuppressionMatch): string {
  for (const kind of ENTRY_KINDS) {
    const entries = entriesOf(kind, match);
    const whole = entries.length === 1 && match[SHAPES[kind].field]?.length === 1;
    if (whole) return `api-${kind}-${digest(entries[0] ?? '')}`;
  }
  return `api-suppression-${digest(JSON.stringify(ordered(match)))}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 10);
}

/** The value with keys and lists in a fixed order. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => JSON.stringify(ordered(item))).sort();
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, item]) => [key, ordered(item)]);
}
