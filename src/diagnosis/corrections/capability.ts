import { fieldPath } from '../../crd/field-path.ts';
import { code } from '../rendering/quote.ts';
import { change, type RuleInput } from '../rules/rule.ts';
import type { Correction } from './correction.ts';
import { appended } from './writable-folder.ts';

/** What the kernel asks for, by the words of those who need it. */
const NEEDED: readonly [capability: string, words: RegExp][] = [
  ['CHOWN', /\bchown\b|changing ownership|change owner/i],
  ['FOWNER', /\bchmod\b|changing permissions/i],
  ['SETGID', /\bsetgid\b|setgroups|initgroups/i],
  ['SETUID', /\bsetuid\b|\bsu-exec\b|\bgosu\b|switch(?:ing)? user/i],
  ['NET_RAW', /\bping\b|raw socket/i],
  ['MKNOD', /\bmknod\b/i],
];

/** A capability that the container drops and that its log asks for. It had the right before somebody dropped it. */
export function droppedCapability(input: RuleInput, line: string): Correction[] {
  const place = input.place();
  const { drop = [], add = [] } = (place?.container?.securityContext?.capabilities ?? {}) as { drop?: string[]; add?: string[] };
  const capability = /not permitted|EPERM/i.test(line) ? NEEDED.find(([, words]) => words.test(line))?.[0] : undefined;
  const isDropped = capability !== undefined && drop.some((one) => one === 'ALL' || one.replace(/^CAP_/, '') === capability);
  if (!place || !isDropped || add.includes(capability)) return [];
  const path = fieldPath(place.path, 'securityContext', 'capabilities', 'add');
  const made =
    add.length > 0
      ? appended(place, path, add, capability, 'the program needs it')
      : change(place, path, [capability], 'the program needs it');
  return [
    {
      title: `Add the capability ${code(capability)}`,
      changes: [made],
      confidence: 'likely',
      explanation: 'The container drops it. Add nothing else back.',
      mirrorable: false,
    },
  ];
}
