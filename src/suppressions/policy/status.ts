import { WRITTEN, WRITTEN_LINE } from '../../contract/fields.ts';
import { instant, setCondition } from '../../crd/condition.ts';
import type { Condition } from '../../crd/kubernetes.ts';
import type { Suppression, SuppressionStatus } from '../../crd/suppression.ts';
import { type Effect, isStalled } from './match.ts';

const HOUR_MS = 3600_000;
const UNUSED_MS = 7 * 24 * HOUR_MS;

const APPLIED = { reason: 'Applied', message: 'It is read and applied.' };
const UNUSED = { reason: 'NothingMatched', message: 'It has matched nothing for 7 days.' };
/** The schema refuses such a text. This says so of an object that is older than the schema. */
const UNWRITTEN = {
  reason: 'InvalidText',
  message: 'Its reason, owner or ticket holds control characters, or such as turn the direction of text.',
};
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
  const { metadata, spec, status } = view.suppression;
  const { active, reason, message } = effect;
  const wrong = isStalled(effect) ? { reason, message } : isWritten(spec) ? undefined : UNWRITTEN;
  const stated = [
    { type: 'Ready', holds: !wrong, why: wrong ?? APPLIED },
    { type: 'Active', holds: active, why: { reason, message } },
  ];
  if (wrong) stated.push({ type: 'Stalled', holds: true, why: wrong });
  if (active) stated.push({ type: 'Unused', holds: isUnused(view), why: isUnused(view) ? UNUSED : USED });
  const before = (status?.conditions ?? []).filter(({ type }) => stated.some((one) => one.type === type));
  return stated.reduce(
    (list, { type, holds, why }) => setCondition(list, { type, status: holds ? 'True' : 'False', ...why }, now, metadata.generation),
    before,
  );
}

const [IS_WRITTEN, IS_LINE] = [new RegExp(WRITTEN, 'u'), new RegExp(WRITTEN_LINE, 'u')];

function isWritten({ reason, owner = '', ticket = '' }: Suppression['spec']): boolean {
  return IS_WRITTEN.test(reason) && IS_LINE.test(owner) && IS_LINE.test(ticket);
}

function hidesSome({ matched }: SuppressionView): boolean {
  return matched.failures + matched.findings > 0;
}

function isUnused(view: SuppressionView): boolean {
  const { suppression, now } = view;
  const since = suppression.status?.lastMatchedTime ?? suppression.metadata.creationTimestamp;
  return !hidesSome(view) && since !== undefined && now.getTime() - Date.parse(since) > UNUSED_MS;
}
