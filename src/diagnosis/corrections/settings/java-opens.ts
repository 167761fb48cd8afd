import { fieldPath } from '../../../crd/field-path.ts';
import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { appended, change } from '../change.ts';
import type { Correction } from '../correction.ts';

/** What Java logs when code reaches into a package that its module no longer opens since version 17 (JEP 403). */
const CLOSED = /\bmodule ([\w.]{3,60}) does not "opens ([\w.]{3,80})" to (?:unnamed module|module ([\w.]{2,80}))/;
/** Variables whose options Java or its usual start scripts read. */
const VARIABLES = ['JAVA_TOOL_OPTIONS', 'JDK_JAVA_OPTIONS', 'JAVA_OPTS', 'JAVA_OPTIONS', '_JAVA_OPTIONS'];

/** Adds the option that opens the package to the library. */
export function opensModule(input: RuleInput, line: string): Correction[] {
  const place = input.place();
  const [, module, name, to = 'ALL-UNNAMED'] = CLOSED.exec(line) ?? [];
  if (!place?.container || module === undefined || name === undefined) return [];
  const option = `--add-opens=${module}/${name}=${to}`;
  const { env } = place.container;
  const index = env?.findIndex((one) => VARIABLES.includes(one.name) && typeof one.value === 'string') ?? -1;
  const own = env?.[index]?.value ?? '';
  if (own.includes(option)) return [];
  const why = 'since Java 17 modules are closed to others';
  return [
    {
      title: `Start Java with ${code(option)}`,
      changes: [
        index >= 0
          ? change(place, fieldPath(place.path, 'env', index, 'value'), `${own} ${option}`.trim(), why)
          : appended(place, fieldPath(place.path, 'env'), env, { name: 'JDK_JAVA_OPTIONS', value: option }, why),
      ],
      confidence: 'likely',
      explanation: 'The program then starts as it did with Java 8. A newer version of the library may not need it.',
      mirrorable: true,
    },
  ];
}
