import { fieldPath } from '../../../crd/field-path.ts';
import { logSections } from '../../facts/log-sections.ts';
import type { Change } from '../../../contract/failure.ts';
import type { ContainerPlace, RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';

/** A line such as `export NAME=value`, as programs propose it. */
const EXPORT = /^\s{0,12}(?:\$ )?export ([A-Z][A-Z\d_]{1,60})=["']?([\w./:+@-]{1,120})["']?\s*$/gm;
/** A line that only sets a variable, as a program shows it behind these words. */
const SHOWN = /set the environment variable:?\s{1,4}([A-Z][A-Z\d_]{1,60})=["']?([\w./:+@-]{1,120})["']?\s*$/gim;
const MAX_SEARCHED = 20_000;

/** Sets the variables that a program proposes as shell lines after its error. Existing ones get the value, the others are added. */
export function exportedVariables(input: RuleInput): { names: string[]; correction: Correction } | undefined {
  const place = input.place();
  const env = place?.container?.env ?? [];
  const found = new Map(
    logSections(input.subject).flatMap(({ text }) =>
      [EXPORT, SHOWN].flatMap((pattern) =>
        [...text.slice(0, MAX_SEARCHED).matchAll(pattern)].map(([, name = '', value = '']) => [name, value] as const),
      ),
    ),
  );
  const wanted = [...found].filter(([name, value]) => !env.some((one) => one.name === name && (one.value === value || one.valueFrom)));
  if (!place?.container || wanted.length === 0 || wanted.length > 4) return undefined;
  const names = wanted.map(([name]) => name);
  const isLicence = names.some((name) => /LICEN[CS]E|EULA|ACCEPT/.test(name));
  return {
    names,
    correction: {
      title: `Set ${wanted.map(([name, value]) => code(`${name}=${value}`)).join(' and ')}`,
      changes: withVariables(place, wanted),
      ...(isLicence
        ? { confidence: 'guess', explanation: 'This accepts the licence of the program. Read it first.' }
        : { confidence: 'likely', explanation: 'The program proposes it in the message with which it ends.' }),
      mirrorable: true,
    },
  };
}

/** The changes that set these variables: new values for those that exist, new entries for the others. */
function withVariables(place: ContainerPlace, values: readonly (readonly [name: string, value: string])[]): Change[] {
  const list = place.container?.env;
  const path = fieldPath(place.path, 'env');
  const why = 'the program says so';
  const indexOf = (name: string): number => list?.findIndex((one) => one.name === name) ?? -1;
  const set = values
    .filter(([name]) => indexOf(name) >= 0)
    .map(([name, value]) => change(place, fieldPath(path, indexOf(name), 'value'), value, why));
  const entries = values.filter(([name]) => indexOf(name) < 0).map(([name, value]) => ({ name, value }));
  if (!list) return [change(place, path, entries, why)];
  return [...set, ...entries.map((entry, index) => change(place, fieldPath(path, list.length + index), entry, why))];
}
