import type { ShownAfter } from '../../contract/failure.ts';
import type { MirrorPodStatus } from '../../crd/mirrorpod.ts';

/** The reasons of all events that Podmend writes, with their meanings. crds/README.md repeats them. */
export const EVENT_REASONS = {
  MirrorCreated: 'The mirror pod was created',
  MirrorFixed: 'The verdict is Fixed: the correction fixes the failure',
  MirrorStillFailing: 'The verdict is StillFailing: the mirror fails too',
  MirrorInconclusive: 'The verdict is Inconclusive: Podmend cannot tell',
  MirrorRegressed: 'The verdict was Fixed, but the mirror failed afterwards',
  MirrorRecovered: 'The verdict was StillFailing, but the mirror then stayed Ready for a new observation window',
  MirrorWaiting: 'A limit, a quota or an outage delays the mirror',
  MirrorStalled: 'The source does not exist',
  MirrorRejected: 'Podmend refuses the mirror; the note names the fields',
  MirrorTemplateChanged: 'The template was changed after the mirror was created; the mirror runs the earlier template',
  MirrorShortened: 'The mirror now ends at an earlier time',
  MirrorExpired: 'The time is over, and Podmend deletes the mirror pod',
} as const;
export type EventReason = keyof typeof EVENT_REASONS;

/** Events with these reasons are also written about the source pod. */
const ABOUT_SOURCE: ReadonlySet<EventReason> = new Set([
  'MirrorCreated',
  'MirrorFixed',
  'MirrorStillFailing',
  'MirrorInconclusive',
  'MirrorRegressed',
  'MirrorRecovered',
]);

/** An event about a mirror. `action` is what Podmend did. */
export interface MirrorEvent {
  reason: EventReason;
  type: 'Normal' | 'Warning';
  action: string;
  note: string;
  /** Whether the event is also written about the source pod. */
  ofSource: boolean;
}

/** The events to write when the status changes from `before` to `after`. */
export function eventsBetween(before: MirrorPodStatus, after: MirrorPodStatus, shown?: ShownAfter): MirrorEvent[] {
  return [...creation(before, after), ...standstill(before, after), ...verdict(before, after, shown), ...ending(before, after)];
}

// Every call sets all four values, so an options object would only repeat their names.
// oxlint-disable-next-line max-params
const event = (reason: EventReason, type: MirrorEvent['type'], action: string, note: string): MirrorEvent => ({
  reason,
  type,
  action,
  note,
  ofSource: ABOUT_SOURCE.has(reason),
});

function creation(before: MirrorPodStatus, { podName, correction, expirationTime }: MirrorPodStatus): MirrorEvent[] {
  if (!podName || before.podName) return [];
  const count = correction?.changes?.length ?? 0;
  const changes = count === 1 ? '1 change' : `${count} changes`;
  const note = `Mirror pod ${podName} tries the correction (${correction?.origin ?? 'Given'}, ${changes}) until ${expirationTime}.`;
  return [event('MirrorCreated', 'Normal', 'CreatePod', note)];
}

const HALTS: Record<string, EventReason> = { SourceGone: 'MirrorStalled', TemplateChanged: 'MirrorTemplateChanged' };
const WAITS: ReadonlySet<string> = new Set(['LimitReached', 'QuotaExceeded', 'Retrying']);

/** An event with the reason why the mirror does not proceed, if the Ready condition has changed. */
function standstill(before: MirrorPodStatus, after: MirrorPodStatus): MirrorEvent[] {
  const [had, has] = [conditionOf(before, 'Ready'), conditionOf(after, 'Ready')];
  if (!has || has.status === 'True' || (had?.reason === has.reason && had.message === has.message)) return [];
  const halt = HALTS[has.reason];
  if (halt) return [event(halt, 'Warning', 'Wait', has.message)];
  if (WAITS.has(has.reason)) return [event('MirrorWaiting', 'Normal', 'Wait', has.message)];
  return after.phase === 'Rejected' ? [event('MirrorRejected', 'Warning', 'Validate', `${has.reason}: ${has.message}`)] : [];
}

const REVISIONS: Record<string, EventReason> = { Regressed: 'MirrorRegressed', Recovered: 'MirrorRecovered' };
const VERDICTS = { Fixed: 'MirrorFixed', StillFailing: 'MirrorStillFailing', Inconclusive: 'MirrorInconclusive' } as const;

function verdict(before: MirrorPodStatus, after: MirrorPodStatus, shown: ShownAfter | undefined): MirrorEvent[] {
  const hasRevision = (after.revisions?.length ?? 0) > (before.revisions?.length ?? 0);
  if (!after.verdict || (before.verdict && !hasRevision)) return [];
  const message = conditionOf(after, 'Fixed')?.message ?? '';
  const figures = shown ? ` Ready for ${shown.ready_seconds} s, ${shown.restarts} ${shown.restarts === 1 ? 'restart' : 'restarts'}.` : '';
  const reason = conditionOf(after, 'Fixed')?.reason ?? '';
  const type = after.verdict === 'Fixed' ? 'Normal' : 'Warning';
  return [event((hasRevision ? REVISIONS[reason] : undefined) ?? VERDICTS[after.verdict], type, 'Judge', message + figures)];
}

function ending(before: MirrorPodStatus, { phase, expirationTime, podName, verdict: judged }: MirrorPodStatus): MirrorEvent[] {
  if (phase === 'Expired') {
    if (before.phase === 'Expired') return [];
    const what = podName ? 'the mirror pod is removed' : 'no mirror pod was made';
    return [event('MirrorExpired', 'Normal', 'DeletePod', `The time is over: ${what}${judged ? `, and the verdict is ${judged}` : ''}.`)];
  }
  const [was, is] = [before.expirationTime, expirationTime].map((instant) => Date.parse(instant ?? ''));
  const isEarlier = was !== undefined && is !== undefined && is < was;
  return isEarlier ? [event('MirrorShortened', 'Normal', 'Shorten', `The mirror now ends at ${expirationTime}.`)] : [];
}

const conditionOf = ({ conditions = [] }: MirrorPodStatus, type: string) => conditions.find((one) => one.type === type);
