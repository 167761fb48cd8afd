import { globMatches } from '../../crd/glob.ts';
import { type LabelSelector, selects } from '../../crd/selector.ts';
import type { Subject } from '../../crd/suppression-subject.ts';
import type { Suppression, SuppressionMatch } from '../../crd/suppression.ts';

/** Whether a Suppression has an effect, and if not, why. */
export interface Effect {
  active: boolean;
  reason: 'InEffect' | 'Suspended' | 'Expired' | 'InvalidMatch' | 'InvalidTime' | 'TenantRule';
  /** A stable sentence. */
  message: string;
}

/** The reach of Suppressions: those of the operator's namespace apply everywhere, those of tenants only in their own namespace. */
export interface TenantRules {
  operatorNamespace: string;
  /** Whether a tenant may hide findings of severity high and critical: the setting `tenant_suppressions_hide_high`. */
  tenantsHideHigh: boolean;
}

/** Severities that a Suppression outside the operator's namespace cannot hide. */
const GRAVE = ['critical', 'high'];
const LISTS = ['namespaces', 'pods', 'failureReasons', 'checks', 'images'] as const;

/** The Suppression that hides the subject at `now`, or undefined. Nothing else decides what is suppressed. */
export function findSuppression(
  subject: Subject,
  suppressions: readonly Suppression[],
  now: Date,
  rules: TenantRules,
): Suppression | undefined {
  return suppressionsOf(subject, suppressions, now, rules)[0];
}

/**
 * Every Suppression that would hide the subject at `now`. The first one is named for it. Those of the operator's namespace come first, then
 * those that last longest, then by name, so that the answer stays the same.
 */
export function suppressionsOf(subject: Subject, suppressions: readonly Suppression[], now: Date, rules: TenantRules): Suppression[] {
  const { operatorNamespace } = rules;
  const found: Suppression[] = [];
  for (const one of suppressions)
    if (reaches(one, subject, rules) && matches(one.spec.match, subject) && effectOf(one, now, operatorNamespace).active) found.push(one);
  return found.length < 2 ? found : found.sort((one, other) => order(one, other, operatorNamespace));
}

/** Whether it has an effect at `now`. Repeats checks of the schema, because an object may be older than the schema. */
export function effectOf({ metadata, spec }: Suppression, now: Date, operatorNamespace: string): Effect {
  const invalid = whatIsWrong(spec.match);
  if (invalid) return { active: false, reason: 'InvalidMatch', message: invalid };
  if (spec.match.namespaces && metadata.namespace !== operatorNamespace)
    return { active: false, reason: 'TenantRule', message: "Only a Suppression in Podmend's own namespace may name namespaces." };
  const until = expiresAt(spec.expirationTime);
  if (Number.isNaN(until)) return { active: false, reason: 'InvalidTime', message: 'Its expirationTime is not an instant.' };
  if (spec.suspend) return { active: false, reason: 'Suspended', message: 'It is suspended.' };
  if (until <= now.getTime()) return { active: false, reason: 'Expired', message: 'Its expiration time has passed.' };
  return { active: true, reason: 'InEffect', message: 'It hides what it matches.' };
}

/** Whether it gets an effect only if its author changes it. */
export function isStalled({ reason }: Effect): boolean {
  return reason === 'InvalidMatch' || reason === 'InvalidTime' || reason === 'TenantRule';
}

/** Milliseconds since the epoch. Infinity without an expiration, NaN when the text is not a time. */
export function expiresAt(expirationTime: string | undefined): number {
  return expirationTime === undefined ? Infinity : Date.parse(expirationTime);
}

function whatIsWrong(match: SuppressionMatch): string | undefined {
  const { labelSelector } = match;
  const given = LISTS.filter((list) => match[list] !== undefined);
  if (given.length === 0 && !labelSelector) return 'It names nothing to match.';
  const empty = given.find((list) => match[list]?.length === 0);
  if (empty) return `Its list ${empty} is empty.`;
  const greedy = given.find((list) => match[list]?.some((entry) => /^\**$/.test(entry)));
  if (greedy) return `An entry of ${greedy} is only *, which would hide everything.`;
  return labelSelector && isEmptySelector(labelSelector) ? 'Its labelSelector is empty, which would match every pod.' : undefined;
}

function isEmptySelector({ matchLabels = {}, matchExpressions = [] }: LabelSelector): boolean {
  return matchExpressions.length === 0 && Object.keys(matchLabels).length === 0;
}

/**
 * A Suppression outside the operator's namespace applies only to its own namespace, and not to high and critical findings unless a setting
 * allows it.
 */
function reaches(
  { metadata }: Suppression,
  { namespace, severity }: Subject,
  { operatorNamespace, tenantsHideHigh }: TenantRules,
): boolean {
  if (metadata.namespace === operatorNamespace) return true;
  return metadata.namespace === namespace && (tenantsHideHigh || !GRAVE.includes(severity ?? ''));
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

function order(one: Suppression, other: Suppression, operatorNamespace: string): number {
  const [mine, theirs] = [rankOf(one, operatorNamespace), rankOf(other, operatorNamespace)];
  if (mine.foreign !== theirs.foreign) return mine.foreign ? 1 : -1;
  if (mine.until !== theirs.until) return mine.until > theirs.until ? -1 : 1;
  return mine.name < theirs.name ? -1 : 1;
}

function rankOf({ metadata, spec }: Suppression, operatorNamespace: string) {
  return { foreign: metadata.namespace !== operatorNamespace, until: expiresAt(spec.expirationTime), name: metadata.name ?? '' };
}

/** A sentence that says why the first one, in the order of `suppressionsOf`, is named. Empty if there is none. */
export function whyFirst([first, second]: readonly Suppression[], operatorNamespace: string): string {
  if (!first) return '';
  if (!second) return 'It is the only one that matches.';
  const [mine, theirs] = [rankOf(first, operatorNamespace), rankOf(second, operatorNamespace)];
  if (mine.foreign !== theirs.foreign) return "It is in Podmend's own namespace, which comes before others.";
  return mine.until === theirs.until ? 'Of those that last as long, its name comes first.' : 'It lasts longest.';
}
