import { fieldPath } from '../../crd/field-path.ts';
import { code } from '../rendering/quote.ts';
import type { Correction } from '../corrections/correction.ts';
import { logs } from './commands.ts';
import { change, factOf, type ContainerPlace, type DiagnosisRule, type RuleInput, who } from './rule.ts';

/** A pod or Job that ran longer than `activeDeadlineSeconds` allows. */
export const deadline: DiagnosisRule = {
  id: 'deadline',
  reasons: ['DeadlineExceeded'],
  answer(input) {
    const fact = factOf(input, 'deadline');
    if (!fact && input.subject.reason !== 'DeadlineExceeded') return undefined;
    const set = deadlineOf(input);
    const said = set ? ` ${set.seconds}` : '';
    return {
      summary: `${who(input, null)} was ended because it ran longer than its deadline${set ? ` of ${code(`${set.seconds} s`)}` : ''}.`,
      culprit: `activeDeadlineSeconds${said}`,
      evidence: fact ? [fact.evidence] : [],
      advice: [
        'Its log shows whether it worked all the time or waited for something. Raise `activeDeadlineSeconds`, or repair what it waits for.',
      ],
      commands: logs(input.subject),
      corrections: set ? [later(input, set)] : [],
      noCorrection: { why: 'The deadline is not in this manifest.', whereToLook: '`activeDeadlineSeconds` of the pod and of its Job' },
    };
  },
};

interface Deadline {
  place: ContainerPlace;
  path: string;
  seconds: number;
}

/** The deadline that the manifest sets: a Job's own, or its pod's. */
function deadlineOf(input: RuleInput): Deadline | undefined {
  const place = input.place();
  if (!place) return undefined;
  const paths = ['spec.activeDeadlineSeconds', fieldPath(place.specPath, 'activeDeadlineSeconds')];
  const found = paths.map((path) => ({ place, path, seconds: change(place, path, null, '').from }));
  return found.find((set): set is Deadline => typeof set.seconds === 'number');
}

function later(input: RuleInput, { place, path, seconds }: Deadline): Correction {
  const isServer = (place.spec.restartPolicy ?? 'Always') === 'Always' && input.subject.workload?.kind !== 'Job';
  const longer = Math.max(seconds * 4, 600);
  const why = isServer ? 'a server should not end' : `${seconds} s were not enough`;
  return {
    title: isServer ? 'Remove the deadline' : `Set the deadline to ${longer} seconds`,
    changes: [change(place, path, isServer ? null : longer, why)],
    // With several containers one that never ends may hold up a Job whose work is done.
    confidence: place.spec.containers.length > 1 && !isServer ? 'guess' : 'likely',
    explanation: 'A mirror has its own deadline.',
    mirrorable: false,
  };
}
