import type { ContainerPlace, RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { givenIn, rewritten } from '../given-values.ts';
import { withOption } from '../settings/set-option.ts';
import { mountOf } from './mounted-files.ts';

/** Programs that write their number into a file, and the option that writes none. Source: Rails, "bin/rails server"; Play, "Production configuration". */
const WRITERS: readonly (readonly [file: RegExp, command: RegExp, option: string])[] = [
  [/\/server\.pid$/, /\brails\b/, '--pid'],
  [/\/RUNNING_PID$/, /^/, '-Dpidfile.path'],
];

/** For a file with the number of a process: the option of the program to write none. In a volume the file outlives the container. */
export function withoutPidFile(input: RuleInput, file: string): Correction[] {
  const place = input.place();
  const { command = [], args = [] } = place?.container ?? {};
  const words = [...command, ...args].join(' ');
  const inOptions = place && file !== '' ? withoutFileIn(place, file) : [];
  if (inOptions.length > 0) return inOptions;
  const given = WRITERS.find(([, , one]) => file !== '' && words.includes(`${one}=${file}`));
  const [, , option] = given ?? WRITERS.find(([pattern, program]) => pattern.test(file) && program.test(words)) ?? [];
  if (!place || option === undefined || (!given && words.includes(option))) return [];
  const mount = mountOf(place, file);
  return [
    {
      title: `Start it with ${code(`${option}=/dev/null`)}`,
      changes: [withOption(place, option, '/dev/null', 'in a container nobody needs the file')],
      // A program that runs twice in one folder has the same message.
      confidence: mount ? 'guess' : 'likely',
      explanation: mount
        ? `${code(file)} lies in volume ${code(mount.name)}, which outlives a container that was killed.`
        : `The program writes ${code(file)} for scripts that would end it, and a pod has none.`,
      mirrorable: true,
    },
  ];
}

/** The same where a variable with options names the file: `JAVA_OPTS`. */
function withoutFileIn(place: ContainerPlace, file: string): Correction[] {
  const changes = WRITERS.flatMap(([, , option]) =>
    givenIn(place)
      .filter(({ path, value }) => path.endsWith('.value') && value.split(/\s+/).includes(`${option}=${file}`))
      .map((one) =>
        rewritten(
          place,
          one,
          one.value.replace(`${option}=${file}`, () => `${option}=/dev/null`),
          'in a container nobody needs the file',
        ),
      ),
  );
  if (changes.length !== 1) return [];
  return [
    {
      title: `Write no ${code(file)}`,
      changes,
      confidence: 'likely',
      explanation: `${code(file)} outlives a container that was killed, and then the program does not start.`,
      mirrorable: true,
    },
  ];
}
