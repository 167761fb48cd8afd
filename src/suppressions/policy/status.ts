import { instant, setCondition } from '../../crd/condition.ts';
import type { Condition } from '../../crd/kubernetes.ts';
import type { Suppression, SuppressionStatus } from '../../crd/suppression.ts';
import { type Effect, isStalled } from './match.ts';

const HOUR_MS = 3600_000;
const UNUSED_MS = 7 * 24 * HOUR_MS;

const APPLIED = { reason: 'Applied', message: 'It is read and applied.' };
const UNUSED = { reason: 'NothingMatched', message: 'It has matched nothing for 7 days.' };
const USED = { reason: 'InUse', message: 'It matched something within 7 days, or is younger than that.' };

/** How many records of each kind a Suppression hides; advice counts as findings. */
export type MatchCounts = Record<'failures' | 'findings', number>;

export interface SuppressionView {
  suppression: Suppression;
  effect: Effect;
  /** What it hides, as last counted. */
  matched: MatchCounts;
  now: Date;
}

/** The status that a Suppression should have. Conditions that do not change keep their times. */
export function decideSuppression(view: SuppressionView): SuppressionStatus {
  const { metadata, status } = view.suppression;
  return {
    ...status,
    observedGeneration: metadata.generation ?? 1,
    matchedFailures: view.matched.failures,
    matchedFindings: view.matched.findings,
    // Rounded to the hour, because otherwise a busy Suppression would write its status all the time.
    ...(hidesSome(view) ? { lastMatchedTime: instant(new Date(Math.floor(view.now.getTime() / HOUR_MS) * HOUR_MS)) } : {}),
    conditions: conditionsOf(view),
  };
}

function conditionsOf(view: SuppressionView): Condition[] {
  const { effect, now } = view;
  const { metadata, status } = view.suppression;
  const { active, reason, message } = effect;
  const isInvalid = isStalled(effect);
  const stated = [
    { type: 'Ready', holds: !isInvalid, why: isInvalid ? { reason, message } : APPLIED },
    { type: 'Active', holds: active, why: { reason, message } },
  ];
  if (isInvalid) stated.push({ type: 'Stalled', holds: true, why: { reason, message } });
  if (active) stated.push({ type: 'Unused', holds: isUnused(view), why: isUnused(view) ? UNUSED : USED });
  const before = (status?.conditions ?? []).filter(({ type }) => stated.some((one) => one.type === type));
  return stated.reduce(
    (list, { type, holds, why }) => setCondition(list, { type, status: holds ? 'True' : 'False', ...why }, now, metadata.generation),
    before,
  );
}

function hidesSome({ matched }: SuppressionView): boolean {
  return matched.failures + matched.findings > 0;
}

function isUnused(view: SuppressionView): boolean {
  const { suppression, now } = view;
  const since = suppression.status?.lastMatchedTime ?? suppression.metadata.creationTimestamp;
  return !hidesSome(view) && since !== undefined && now.getTime() - Date.parse(since) > UNUSED_MS;
}
