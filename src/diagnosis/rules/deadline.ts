import { fieldPath } from '../../crd/field-path.ts';
import type { Fact } from '../facts/facts.ts';
import { code } from '../rendering/quote.ts';
import { asSidecar, helperIn } from '../corrections/command/container-order.ts';
import type { Correction } from '../corrections/correction.ts';
import { logs } from '../rendering/commands.ts';
import { change } from '../corrections/change.ts';
import { factOf, type ContainerPlace, type RuleInput, who } from '../facts/input.ts';
import { type DiagnosisRule } from './rule.ts';

/** Kinds of facts that explain why nothing ran. */
const BEFORE_RUNNING = [
  'pull',
  'image-name',
  'never-pull',
  'pull-secret',
  'missing',
  'run-as-root',
  'create',
  'start',
  'unschedulable',
  'mount',
  'sandbox',
] as const satisfies readonly Fact['kind'][];

/** A pod or Job that ran longer than `activeDeadlineSeconds` allows. */
export const deadline: DiagnosisRule = {
  id: 'deadline',
  reasons: ['DeadlineExceeded'],
  answer(input) {
    const fact = factOf(input, 'deadline');
    if (!fact && input.subject.reason !== 'DeadlineExceeded') return undefined;
    // The deadline passed before anything ran. The cause is whatever kept it from running.
    if (!hasRun(input) && BEFORE_RUNNING.some((kind) => factOf(input, kind))) return undefined;
    const set = deadlineOf(input);
    const said = set ? ` ${set.seconds}` : '';
    return {
      summary: `${whatEnded(input, set)} was ended because it ran longer than its deadline${set ? ` of ${code(`${set.seconds} s`)}` : ''}.`,
      culprit: `activeDeadlineSeconds${said}`,
      evidence: fact ? [fact.evidence] : [],
      advice: [
        'Its log shows whether it worked all the time or waited for something. Raise `activeDeadlineSeconds`, or repair what it waits for.',
      ],
      commands: logs(input.subject),
      corrections: set ? [...neverEnding(input), later(input, set)] : [],
      noCorrection: { why: 'The deadline is not in this manifest.', whereToLook: '`activeDeadlineSeconds` of the pod and of its Job' },
    };
  },
};

/** The pod or Job that the deadline ended. A Job whose pod template has the deadline goes on with the next pod. */
function whatEnded(input: RuleInput, set: Deadline | undefined): string {
  const isOfPods = input.subject.resource_kind === 'Job' && set !== undefined && set.path !== 'spec.activeDeadlineSeconds';
  return isOfPods ? 'Each of them' : who(input, null);
}

/** Summarises what kept a pod or Job from running until its deadline passed. The deadline comes first in the sentence. */
export function afterDeadline(input: RuleInput, summary: string): string {
  if (input.subject.reason !== 'DeadlineExceeded') return summary;
  return `${who(input, null)} reached its deadline before it could run. ${summary}`;
}

interface Deadline {
  place: ContainerPlace;
  path: string;
  seconds: number;
}

/** The deadline in the manifest: that of the Job, or that of its pod. */
function deadlineOf(input: RuleInput): Deadline | undefined {
  const place = input.place();
  if (!place) return undefined;
  const paths = ['spec.activeDeadlineSeconds', fieldPath(place.specPath, 'activeDeadlineSeconds')];
  const found = paths.map((path) => ({ place, path, seconds: change(place, path, null, '').from }));
  return found.find((set): set is Deadline => typeof set.seconds === 'number');
}

/**
 * In a Job with several containers, turns the one that keeps the Job from completing into a sidecar: the only one that has not exited with
 * 0, or the one that looks like a server.
 */
function neverEnding(input: RuleInput): Correction[] {
  const place = input.place(null);
  const isJob =
    input.subject.resource_kind === 'Job' || input.subject.workload?.kind === 'Job' || input.subject.workload?.kind === 'CronJob';
  if (!place || !isJob) return [];
  const { statuses } = input.subject;
  const isOver = statuses.filter(({ kind, exit_code }) => kind === 'app' && exit_code === 0).map(({ name }) => name);
  const left = place.spec.containers.filter(({ name }) => !isOver.includes(name));
  const name = isOver.length > 0 && left.length === 1 ? left[0]?.name : helperIn(place);
  return name === undefined ? [] : asSidecar(place, name);
}

function later(input: RuleInput, { place, path, seconds }: Deadline): Correction {
  const isServer = (place.spec.restartPolicy ?? 'Always') === 'Always' && input.subject.workload?.kind !== 'Job';
  const longer = Math.max(seconds * 4, 600);
  const why = isServer ? 'a server should not end' : `${seconds} s were not enough`;
  return {
    title: isServer ? 'Remove the deadline' : `Set the deadline to ${longer} seconds`,
    changes: [change(place, path, isServer ? null : longer, why)],
    // In a Job with several containers, one that never exits may block the Job although the work is done. A container that never ran was
    // not slow, and without a log nobody knows whether one that ran was.
    confidence: !hasRun(input) || (!isServer && (place.spec.containers.length > 1 || !hasWorked(input))) ? 'guess' : 'likely',
    explanation: 'A mirror has its own deadline.',
    mirrorable: false,
  };
}

/** Whether the log has lines of work until the end, and not of waiting. */
function hasWorked({ subject }: RuleInput): boolean {
  const lines = subject.logs.trim().split('\n').filter(Boolean);
  return lines.length > 1 && !/\b(?:waiting|retry|refused|timed? ?out|connecting)/i.test(lines.slice(-3).join(' '));
}

/** Whether there is a sign that one of its containers ran. */
function hasRun({ subject }: RuleInput): boolean {
  const hasBegun = subject.statuses.some(({ state, started_at, last_state }) => state === 'running' || started_at || last_state);
  return hasBegun || subject.logs.trim() !== '' || subject.events.some(({ reason }) => reason === 'Started');
}
