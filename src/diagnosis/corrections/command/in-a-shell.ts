import { fieldPath } from '../../../crd/field-path.ts';
import type { ContainerPlace } from '../../facts/input.ts';
import { code, shellText, shellWord } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { isShell } from '../container-texts.ts';
import type { Correction } from '../correction.ts';
import type { Meaning } from '../meaning.ts';

/** A command whose output a shell would put in its place. `$(NAME)` is a reference of Kubernetes instead. */
const SUBSTITUTION = /\$\((?!\w{1,80}\))[^()\n]{1,200}\)|`[^`\n]{1,200}`/;
/** Programs whose images have a shell, except for the few that are built without one. */
const HAS_SHELL = /^(?:python|node|ruby|php|perl|java)[\d.]*$/;

/** For a word of the container with a command in it, which the program got as it is: starts the program by a shell. */
export function inAShell(place: ContainerPlace, line: string): Meaning | undefined {
  const { command = [], args = [] } = place.container ?? {};
  const words = [...command, ...args];
  const script = isShell(command[0] ?? '') ? words.indexOf('-c') + 1 : 0;
  const word = words.find((one, index) => (script === 0 || index !== script) && line.includes(SUBSTITUTION.exec(one)?.[0] ?? '\n'));
  const written = SUBSTITUTION.exec(word ?? '')?.[0];
  if (written === undefined) return undefined;
  return {
    because: `nothing ran ${code(written)}: no shell starts this program`,
    culprit: word ?? written,
    advice: ['Only a shell runs a command inside a word. Start the program with `sh -c`, or write the value itself.'],
    corrections: command.length > 0 ? [startedByShell(place, words, written)] : [],
    whereToLook: "the container's `command` and `args`",
  };
}

function startedByShell(place: ContainerPlace, words: string[], written: string): Correction {
  const [program = ''] = words;
  const isQuoted = (word: string): boolean => SUBSTITUTION.test(word) && !/["\\]/.test(word.replace(SUBSTITUTION, ''));
  const quoted = (word: string): string => {
    if (isQuoted(word)) return `"${word}"`;
    return shellWord(word) === word ? word : shellText(word);
  };
  const why = `a shell runs ${code(written)} first`;
  return {
    title: 'Start the program by a shell',
    changes: [
      change(place, fieldPath(place.path, 'command'), ['sh', '-c', `exec ${words.map(quoted).join(' ')}`], why),
      ...(place.container?.args ? [change(place, fieldPath(place.path, 'args'), null, 'they are now in the command of the shell')] : []),
    ],
    confidence: isShell(program) || HAS_SHELL.test(program.slice(program.lastIndexOf('/') + 1)) ? 'likely' : 'guess',
    explanation: `The program gets ${code(written)} as it is.`,
    mirrorable: true,
  };
}
