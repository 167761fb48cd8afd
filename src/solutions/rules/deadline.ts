import { fieldPath } from '../fix/apply.ts';
import { code } from '../quote.ts';
import type { RuleCorrection } from './answer.ts';
import { logs } from './commands.ts';
import { change, factOf, type Place, type Rule, type Scene, who } from './rule.ts';

/** A pod or Job that ran longer than `activeDeadlineSeconds` allows. */
export const deadline: Rule = {
  id: 'deadline',
  reasons: ['DeadlineExceeded'],
  answer(scene) {
    const fact = factOf(scene, 'deadline');
    if (!fact && scene.subject.reason !== 'DeadlineExceeded') return undefined;
    const set = deadlineOf(scene);
    const said = set ? ` ${set.seconds}` : '';
    return {
      summary: `${who(scene, null)} was ended because it ran longer than its deadline${set ? ` of ${code(`${set.seconds} s`)}` : ''}.`,
      culprit: `activeDeadlineSeconds${said}`,
      evidence: fact ? [fact.evidence] : [],
      advice: [
        'See in its log whether it worked all the time or waited for something; then raise `activeDeadlineSeconds`, or cure what it waits for.',
      ],
      commands: logs(scene.subject),
      corrections: set ? [later(scene, set)] : [],
      noCure: { why: 'The deadline is not in this manifest.', whereToLook: '`activeDeadlineSeconds` of the pod and of its Job' },
    };
  },
};

interface Deadline {
  place: Place;
  path: string;
  seconds: number;
}

/** The deadline that the manifest sets: a Job's own, or its pod's. */
function deadlineOf(scene: Scene): Deadline | undefined {
  const place = scene.place();
  if (!place) return undefined;
  const paths = ['spec.activeDeadlineSeconds', fieldPath(place.specPath, 'activeDeadlineSeconds')];
  const found = paths.map((path) => ({ place, path, seconds: change(place, path, null, '').from }));
  return found.find((set): set is Deadline => typeof set.seconds === 'number');
}

function later(scene: Scene, { place, path, seconds }: Deadline): RuleCorrection {
  const isServer = (place.spec.restartPolicy ?? 'Always') === 'Always' && scene.subject.workload?.kind !== 'Job';
  const longer = Math.max(seconds * 4, 600);
  const why = isServer ? 'a server is not meant to end' : `${seconds} s were not enough`;
  return {
    title: isServer ? 'Remove the deadline' : `Allow it ${longer} seconds`,
    changes: [change(place, path, isServer ? null : longer, why)],
    confidence: 'likely',
    explanation: 'A mirror has a deadline of its own.',
    mirrorable: false,
  };
}
