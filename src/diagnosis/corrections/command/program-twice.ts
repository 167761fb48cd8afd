import { fieldPath } from '../../../crd/field-path.ts';
import { parseImage } from '../../../crd/image.ts';
import type { ContainerPlace, RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';
import { foundInLogs } from '../../facts/log-sections.ts';

/** What programs say of a word that is none of their commands. */
const UNKNOWN_COMMAND =
  /invalid choice|unknown (?:sub)?command|unrecogni[sz]ed (?:sub)?command|is not an? (?:\w{1,20} )?command|no such command|unexpected argument|too many arguments|invalid command/i;

/**
 * For arguments that begin with the name of the program, which the image starts already: `args: [aws, s3, ls]` in the image of `aws`. The program
 * names itself in its message, or the image is called like it.
 */
export function withoutProgram(input: RuleInput, line: string): Correction[] {
  const place = input.place();
  const { command = [], args = [], image = '' } = place?.container ?? {};
  const [first = '', ...rest] = args;
  if (!place || command.length > 0 || rest.length === 0 || !/^[a-z][\w-]{1,30}$/.test(first) || !UNKNOWN_COMMAND.test(line)) return [];
  const name = parseImage(image).repository.split('/').at(-1) ?? '';
  const saysIt = foundInLogs(input.subject, new RegExp(`(^${first}: |[Uu]sage: ${first}\\b|for ['"\`]${first}['"\`])`, 'm')) !== '';
  if (!saysIt && name !== first && name !== `${first}-cli`) return [];
  return [
    {
      title: `Leave out ${code(first)}`,
      changes: [change(place, fieldPath(place.path, 'args'), rest, 'the image starts this program itself')],
      confidence: 'likely',
      explanation: `The program takes ${code(first)} for one of its commands.`,
      mirrorable: true,
    },
  ];
}

/** For options of Deno that stand behind the script, which gets them then: before it. Source: Deno, "Security and permissions". */
export function optionsBeforeScript(input: RuleInput, line: string): Correction[] {
  const place = input.place();
  const list = (place?.container?.args?.length ?? 0) > 0 ? 'args' : 'command';
  const words = place?.container?.[list] ?? [];
  const script = words.findIndex((word) => /\.(?:[cm]?[jt]sx?)$/.test(word) && !word.startsWith('-'));
  const late = words.slice(script + 1).filter((word) => /^--(?:allow|deny|unstable)[\w-]*(?:=|$)/.test(word));
  if (!place || script < 0 || !/\bRequires (?:net|read|write|env|run|sys|ffi) access\b/.test(line)) return [];
  if (late.length === 0) return rightOfDeno(place, { list, words, script }, line);
  const rest = words.slice(script + 1).filter((word) => !late.includes(word));
  return [
    {
      title: `Write ${code(late.join(' '))} before the script`,
      changes: [
        change(
          place,
          fieldPath(place.path, list),
          [...words.slice(0, script), ...late, words[script] ?? '', ...rest],
          'what follows the script goes to the script',
        ),
      ],
      confidence: 'likely',
      explanation: 'Deno takes its own options only before the script.',
      mirrorable: true,
    },
  ];
}

/** The right that Deno asks for, before the script. */
function rightOfDeno(
  place: ContainerPlace,
  { list, words, script }: { list: 'args' | 'command'; words: readonly string[]; script: number },
  line: string,
): Correction[] {
  const option = /run again with the (--allow-[a-z]{2,10}) flag/.exec(line)?.[1];
  if (option === undefined || words.some((word) => word === '-A' || word.startsWith(option))) return [];
  return [
    {
      title: `Add ${code(option)}`,
      changes: [
        change(
          place,
          fieldPath(place.path, list),
          [...words.slice(0, script), option, ...words.slice(script)],
          'the program asks for this right',
        ),
      ],
      confidence: 'guess',
      explanation: 'With a list behind `=` the right is given for some names only.',
      mirrorable: true,
    },
  ];
}
