import type { ShownAfter } from '../contract/failure.ts';
import type { MirrorPodStatus } from '../crd/mirrorpod.ts';

/**
 * The reasons of all events that Podmend writes, with what each means; the README lists the same. Those of `TOLD_OF_SOURCE` are
 * written about the source pod too.
 */
export const EVENT_REASONS = {
  MirrorCreated: 'The mirror pod was created',
  MirrorFixed: 'The verdict: the correction cures the failure',
  MirrorStillFailing: 'The verdict: the mirror fails too',
  MirrorInconclusive: 'The verdict: it cannot be told',
  MirrorWaiting: 'A limit, a quota or an outage keeps the mirror from being made',
  MirrorStalled: 'The source does not exist',
  MirrorRejected: 'The mirror is refused, and the note says which fields are wrong',
  MirrorTemplateChanged: 'The template was changed after the mirror was made; what ran was the earlier one',
  MirrorShortened: 'The end was moved to an earlier time',
  MirrorExpired: 'The time is over, and the mirror pod is removed',
} as const;
export type EventReason = keyof typeof EVENT_REASONS;

const TOLD_OF_SOURCE: ReadonlySet<EventReason> = new Set(['MirrorCreated', 'MirrorFixed', 'MirrorStillFailing', 'MirrorInconclusive']);

/** Something that became so between two statuses, for an event. `action` is what Podmend did. */
export interface News {
  reason: EventReason;
  type: 'Normal' | 'Warning';
  action: string;
  note: string;
  /** Also for the source pod. */
  ofSource: boolean;
}

/** What is new in `after`; a status that did not change has no news. */
export function newsOf(before: MirrorPodStatus, after: MirrorPodStatus, shown?: ShownAfter): News[] {
  return [...creation(before, after), ...standstill(before, after), ...verdict(before, after, shown), ...ending(before, after)];
}

// A type, an action and a note belong to a reason: an object for them would only be taken apart again.
// oxlint-disable-next-line max-params
const news = (reason: EventReason, type: News['type'], action: string, note: string): News => ({
  reason,
  type,
  action,
  note,
  ofSource: TOLD_OF_SOURCE.has(reason),
});

function creation(before: MirrorPodStatus, { podName, correction, expirationTime }: MirrorPodStatus): News[] {
  if (!podName || before.podName) return [];
  const count = correction?.changes?.length ?? 0;
  const changes = count === 1 ? '1 change' : `${count} changes`;
  const note = `Mirror pod ${podName} tries the correction (${correction?.origin ?? 'Given'}, ${changes}) until ${expirationTime}.`;
  return [news('MirrorCreated', 'Normal', 'CreatePod', note)];
}

const HALTS: Record<string, EventReason> = { SourceGone: 'MirrorStalled', TemplateChanged: 'MirrorTemplateChanged' };
const WAITS: ReadonlySet<string> = new Set(['LimitReached', 'QuotaExceeded', 'Retrying']);

/** Why it does not go on: the Ready condition says so, and it is news when it said something else before. */
function standstill(before: MirrorPodStatus, after: MirrorPodStatus): News[] {
  const [had, has] = [conditionOf(before, 'Ready'), conditionOf(after, 'Ready')];
  if (!has || has.status === 'True' || (had?.reason === has.reason && had.message === has.message)) return [];
  const halt = HALTS[has.reason];
  if (halt) return [news(halt, 'Warning', 'Wait', has.message)];
  if (WAITS.has(has.reason)) return [news('MirrorWaiting', 'Normal', 'Wait', has.message)];
  return after.phase === 'Rejected' ? [news('MirrorRejected', 'Warning', 'Validate', `${has.reason}: ${has.message}`)] : [];
}

const VERDICTS = { Fixed: 'MirrorFixed', StillFailing: 'MirrorStillFailing', Inconclusive: 'MirrorInconclusive' } as const;

function verdict(before: MirrorPodStatus, after: MirrorPodStatus, shown: ShownAfter | undefined): News[] {
  if (!after.verdict || before.verdict) return [];
  const message = conditionOf(after, 'Fixed')?.message ?? '';
  const figures = shown ? ` Ready for ${shown.ready_seconds} s, ${shown.restarts} ${shown.restarts === 1 ? 'restart' : 'restarts'}.` : '';
  return [news(VERDICTS[after.verdict], after.verdict === 'Fixed' ? 'Normal' : 'Warning', 'Judge', message + figures)];
}

function ending(before: MirrorPodStatus, { phase, expirationTime, podName, verdict: judged }: MirrorPodStatus): News[] {
  if (phase === 'Expired') {
    if (before.phase === 'Expired') return [];
    const what = podName ? 'the mirror pod is removed' : 'no mirror pod was made';
    return [news('MirrorExpired', 'Normal', 'DeletePod', `The time is over: ${what}${judged ? `, and the verdict is ${judged}` : ''}.`)];
  }
  const [was, is] = [before.expirationTime, expirationTime].map((instant) => Date.parse(instant ?? ''));
  const isEarlier = was !== undefined && is !== undefined && is < was;
  return isEarlier ? [news('MirrorShortened', 'Normal', 'Shorten', `The mirror now ends at ${expirationTime}.`)] : [];
}

const conditionOf = ({ conditions = [] }: MirrorPodStatus, type: string) => conditions.find((one) => one.type === type);
