import { Refusal } from '../../contract/refusal.ts';
import type { SuppressionBody } from '../../contract/suppression.ts';
import { instant } from '../../crd/condition.ts';
import type { SuppressionMatch, SuppressionSpec } from '../../crd/suppression.ts';
import { matchOf } from './suppression-record.ts';

export interface DraftRules {
  operatorNamespace: string;
  hiddenNamespaces: readonly string[];
  now: Date;
}

/**
 * The spec of a Suppression that `owner` requests over the API. The schema of the kind refuses most mistakes; this function refuses the
 * others. Throws Refusal that names the field.
 */
export function draftSpec(body: SuppressionBody, owner: string, rules: DraftRules): SuppressionSpec {
  const { namespace, reason, ticket } = body;
  if (namespace !== undefined && namespace !== rules.operatorNamespace)
    throw invalid(
      `namespace must be ${rules.operatorNamespace}: name others in match.namespaces, or apply a Suppression of their own there with kubectl`,
    );
  const expirationTime = expiration(body, rules.now);
  const match = matchOf(body.match);
  checkMatch(match, rules.hiddenNamespaces);
  return {
    reason,
    owner: body.owner ?? owner,
    ...(ticket === undefined ? {} : { ticket }),
    ...(expirationTime === undefined ? {} : { expirationTime }),
    match,
  };
}

function invalid(message: string): Refusal {
  return new Refusal('invalid', message);
}

/** A time as RFC 3339 writes it. */
const INSTANT = /^(\d{4}-\d\d-\d\d)[Tt]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/;

function expiration({ expires_at: given, ttl_seconds: seconds }: SuppressionBody, now: Date): string | undefined {
  if (given === undefined) return seconds === undefined ? undefined : instant(new Date(now.getTime() + seconds * 1000));
  if (seconds !== undefined) throw invalid('expires_at and ttl_seconds exclude each other');
  const [, day = ''] = INSTANT.exec(given) ?? [];
  const at = new Date(given.toUpperCase());
  // `Date` reads 30 February as 2 March.
  const isDay = day !== '' && !Number.isNaN(Date.parse(day)) && new Date(day).toISOString().startsWith(day);
  if (!isDay || Number.isNaN(at.getTime())) throw invalid('expires_at must be an instant like 2027-01-31T00:00:00Z');
  if (at.getTime() <= now.getTime()) throw invalid('expires_at must be in the future');
  return instant(at);
}

/**
 * The rules of the schema that people break most often, with the field names of the API; and hidden namespaces, which the schema does not
 * know.
 */
function checkMatch(match: SuppressionMatch, hidden: readonly string[]): void {
  const { labelSelector } = match;
  if (Object.keys(match).length === 0)
    throw invalid('match must name at least one of namespaces, pods, label_selector, failure_reasons, checks, images');
  const lists = {
    namespaces: match.namespaces,
    pods: match.pods,
    failure_reasons: match.failureReasons,
    checks: match.checks,
    images: match.images,
  };
  for (const [field, entries = []] of Object.entries(lists)) {
    const greedy = entries.findIndex((entry) => /^\*+$/.test(entry));
    if (greedy >= 0)
      throw invalid(`match.${field}[${greedy}] must not be only *, which would hide everything; leave the field out instead`);
  }
  const isEmpty =
    labelSelector && ![labelSelector.matchLabels ?? {}, labelSelector.matchExpressions ?? []].some((one) => Object.keys(one).length > 0);
  if (isEmpty) throw invalid('match.label_selector must name a label; leave it out to match whatever labels');
  const secret = match.namespaces?.findIndex((one) => hidden.includes(one)) ?? -1;
  if (secret >= 0) throw invalid(`match.namespaces[${secret}] must not be a hidden namespace`);
}
