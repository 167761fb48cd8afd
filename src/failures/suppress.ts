import type { LabelSelector, Suppression, SuppressionMatch } from '../crd/suppression.ts';
import { selects } from '../mirrors/network.ts';

/** What may be hidden: a failure (with `failure_reason`) or a finding (with `check` and `severity`). Absent fields match nothing. */
export interface Subject {
  namespace: string;
  pod_name?: string | null;
  labels?: Record<string, string> | null;
  failure_reason?: string | null;
  check?: string | null;
  /** Of the failing container, or of the finding. */
  images?: readonly string[] | null;
  severity?: string | null;
}

/** Whether a Suppression has an effect, and why not. */
export interface Effect {
  active: boolean;
  reason: 'InEffect' | 'Suspended' | 'Expired' | 'InvalidMatch';
  /** A stable sentence. */
  message: string;
}

/** Severities that a Suppression outside the operator's namespace cannot hide. */
const GRAVE = ['critical', 'high'];
const LISTS = ['namespaces', 'pods', 'failureReasons', 'checks', 'images'] as const;

/**
 * The one decision about what is hidden (DESIGN section 3, "Suppression"): the Suppression that hides the subject at `now`, or
 * undefined. When several do: the operator's namespace before others, then what lasts longest, then the name, so that the answer
 * does not flutter.
 */
export function findSuppression(
  subject: Subject,
  suppressions: readonly Suppression[],
  now: Date,
  operatorNamespace: string,
): Suppression | undefined {
  let best: Suppression | undefined;
  for (const one of suppressions) {
    if (!reaches(one, subject, operatorNamespace) || !matches(one.spec.match, subject)) continue;
    if (!effectOf(one, now, operatorNamespace).active) continue;
    if (!best || comesFirst(one, best, operatorNamespace)) best = one;
  }
  return best;
}

/** Whether it has an effect at `now`. What the schema refuses is looked at again: an older object may hold it. */
export function effectOf({ metadata, spec }: Suppression, now: Date, operatorNamespace: string): Effect {
  const invalid = whatIsWrong(spec.match, metadata.namespace === operatorNamespace);
  if (invalid) return { active: false, reason: 'InvalidMatch', message: invalid };
  if (spec.suspend) return { active: false, reason: 'Suspended', message: 'It is suspended.' };
  if (expiresAt(spec.expirationTime) <= now.getTime())
    return { active: false, reason: 'Expired', message: 'Its expiration time has passed.' };
  return { active: true, reason: 'InEffect', message: 'It hides what it matches.' };
}

/** Milliseconds since the epoch; without an expiration, Infinity. */
export function expiresAt(expirationTime: string | undefined): number {
  return expirationTime === undefined ? Infinity : Date.parse(expirationTime);
}

/**
 * Whether text is what a glob says: `*` is any text, slashes included, everything else itself. Time grows with the length of the
 * text, never exponentially, whatever somebody writes.
 */
export function globMatches(glob: string, text: string): boolean {
  const [first = '', ...parts] = glob.split('*');
  const last = parts.pop();
  if (last === undefined) return glob === text;
  if (text.length < first.length + last.length || !text.startsWith(first) || !text.endsWith(last)) return false;
  let from = first.length;
  for (const part of parts) {
    const at = text.indexOf(part, from);
    if (at < 0) return false;
    from = at + part.length;
  }
  return from <= text.length - last.length;
}

function whatIsWrong(match: SuppressionMatch, isOperators: boolean): string | undefined {
  const { labelSelector } = match;
  const given = LISTS.filter((list) => match[list] !== undefined);
  if (given.length === 0 && !labelSelector) return 'It names nothing to match.';
  const empty = given.find((list) => match[list]?.length === 0);
  if (empty) return `Its list ${empty} is empty.`;
  const greedy = given.find((list) => match[list]?.some((entry) => /^\**$/.test(entry)));
  if (greedy) return `An entry of ${greedy} is only *, which would hide everything.`;
  if (labelSelector && isEmptySelector(labelSelector)) return 'Its labelSelector is empty, which would match every pod.';
  return match.namespaces && !isOperators ? "Only a Suppression in Podmend's own namespace may name namespaces." : undefined;
}

function isEmptySelector({ matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean {
  return matchExpressions.length === 0 && Object.keys(matchLabels).length === 0;
}

/** Tenancy: one's own namespace only, and nothing grave there, unless it lies in the operator's namespace. */
function reaches({ metadata }: Suppression, { namespace, severity }: Subject, operatorNamespace: string): boolean {
  if (metadata.namespace === operatorNamespace) return true;
  return metadata.namespace === namespace && !GRAVE.includes(severity ?? '');
}

function matches({ namespaces, pods, labelSelector, failureReasons, checks, images }: SuppressionMatch, subject: Subject): boolean {
  return (
    anyGlob(namespaces, [subject.namespace]) &&
    anyGlob(pods, [subject.pod_name]) &&
    anyGlob(failureReasons, [subject.failure_reason]) &&
    anyGlob(checks, [subject.check]) &&
    anyGlob(images, subject.images ?? []) &&
    (!labelSelector || selects(labelSelector, subject.labels ?? {}))
  );
}

function anyGlob(globs: readonly string[] | undefined, texts: readonly (string | null | undefined)[]): boolean {
  return !globs || texts.some((text) => typeof text === 'string' && globs.some((glob) => globMatches(glob, text)));
}

function comesFirst(one: Suppression, other: Suppression, operatorNamespace: string): boolean {
  const rank = ({ metadata, spec }: Suppression) => ({
    foreign: metadata.namespace === operatorNamespace ? 0 : 1,
    until: expiresAt(spec.expirationTime),
    name: metadata.name ?? '',
  });
  const [mine, theirs] = [rank(one), rank(other)];
  if (mine.foreign !== theirs.foreign) return mine.foreign < theirs.foreign;
  return mine.until === theirs.until ? mine.name < theirs.name : mine.until > theirs.until;
}
