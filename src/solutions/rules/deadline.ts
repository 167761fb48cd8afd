import { fieldPath } from '../fix/apply.ts';
import { code } from '../quote.ts';
import type { RuleCorrection } from './answer.ts';
import { logs } from './commands.ts';
import { change, factOf, type Rule, who } from './rule.ts';

/** A pod or Job that ran longer than `activeDeadlineSeconds` allows. */
export const deadline: Rule = {
  id: 'deadline',
  reasons: ['DeadlineExceeded'],
  answer(scene) {
    const fact = factOf(scene, 'deadline');
    if (!fact && scene.subject.reason !== 'DeadlineExceeded') return undefined;
    const place = scene.place();
    const ofJob = place && 'activeDeadlineSeconds' in (place.object as object as { spec: object }).spec && place.specPath !== 'spec';
    const path = place && (ofJob ? 'spec.activeDeadlineSeconds' : fieldPath(place.specPath, 'activeDeadlineSeconds'));
    const current = place && path ? change(place, path, null, '').from : null;
    const seconds = typeof current === 'number' ? current : null;
    const isServer = (place?.spec.restartPolicy ?? 'Always') === 'Always' && scene.subject.workload?.kind !== 'Job';
    const longer = seconds === null ? 0 : Math.max(seconds * 4, 600);
    const corrections: RuleCorrection[] =
      place && path && seconds !== null
        ? [
            {
              title: isServer ? 'Remove the deadline' : `Allow it ${longer} seconds`,
              changes: [
                change(place, path, isServer ? null : longer, isServer ? 'a server is not meant to end' : `${seconds} s were not enough`),
              ],
              confidence: 'likely',
              explanation: 'A mirror has a deadline of its own and cannot prove this.',
              mirrorable: false,
            },
          ]
        : [];
    return {
      summary: `${who(scene, null)} was ended because it ran longer than its deadline${seconds === null ? '' : ` of ${code(`${seconds} s`)}`}.`,
      culprit: `activeDeadlineSeconds${seconds === null ? '' : ` ${seconds}`}`,
      evidence: fact ? [fact.evidence] : [],
      advice: [
        'See in its log whether it worked all the time or waited for something; then raise `activeDeadlineSeconds`, or cure what it waits for.',
      ],
      commands: logs(scene.subject),
      corrections,
      noCure: { why: 'The deadline is not in this manifest.', whereToLook: '`activeDeadlineSeconds` of the pod and of its Job' },
    };
  },
};
