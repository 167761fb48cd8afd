import { fieldPath } from '../../../crd/field-path.ts';
import type { ContainerPlace } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';

/** Options of the JVM: properties, and those that begin with `-X`. */
const OF_JVM = /^-(?:D[A-Za-z][\w.-]*(?:=|$)|X[A-Za-z:])/;

/**
 * For options of the JVM that stand behind `-jar` and its file, where they go to the program: before it. Source: Oracle, "The java Command":
 * java [options] -jar jarfile [args].
 */
export function optionsBeforeJar(place: ContainerPlace | undefined): { options: string[]; correction: Correction } | undefined {
  for (const list of ['args', 'command'] as const) {
    const words = place?.container?.[list] ?? [];
    const jar = words.indexOf('-jar');
    const late = jar < 0 ? [] : words.slice(jar + 2).filter((word) => OF_JVM.test(word));
    if (!place || late.length === 0) continue;
    const rest = words.slice(jar).filter((word) => !late.includes(word));
    return {
      options: late,
      correction: {
        title: `Write ${code(late.join(' '), 120)} before \`-jar\``,
        changes: [
          change(
            place,
            fieldPath(place.path, list),
            [...words.slice(0, jar), ...late, ...rest],
            'what follows the jar goes to the program',
          ),
        ],
        confidence: 'likely',
        explanation: 'Java takes its own options only before `-jar`.',
        mirrorable: true,
      },
    };
  }
  return undefined;
}
