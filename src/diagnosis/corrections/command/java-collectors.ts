import { fieldPath } from '../../../crd/field-path.ts';
import type { ContainerPlace } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';

/** An option that chooses a garbage collector. Source: Oracle, "The java Command": Advanced Garbage Collection Options. */
const COLLECTOR = /^-XX:\+Use\w{1,40}GC$/;

/** For a JVM that is given two garbage collectors: it keeps the one of the command line, or else the last one. */
export function oneCollector(place: ContainerPlace | undefined): { options: string[]; corrections: Correction[] } {
  const env = place?.container?.env ?? [];
  const inVariables = env.flatMap(({ name, value }, index) => {
    const words = typeof value === 'string' ? value.split(/\s+/) : [];
    return words.filter((word) => COLLECTOR.test(word)).map((word) => ({ word, name, words, index }));
  });
  const inWords = [...(place?.container?.command ?? []), ...(place?.container?.args ?? [])].filter((word) => COLLECTOR.test(word));
  const options = [...new Set([...inVariables.map(({ word }) => word), ...inWords])];
  const kept = inWords.at(-1) ?? inVariables.at(-1)?.word;
  const other = inVariables.find(({ word }) => word !== kept);
  if (!place || !other || options.length !== 2) return { options, corrections: [] };
  const rest = other.words.filter((word) => word !== '' && word !== other.word);
  const path = fieldPath(place.path, 'env', other.index);
  const why = `the JVM is given ${code(kept ?? '')} too`;
  return {
    options,
    corrections: [
      {
        title: `Remove ${code(other.word)} from ${code(other.name)}`,
        changes: [rest.length > 0 ? change(place, fieldPath(path, 'value'), rest.join(' '), why) : change(place, path, null, why)],
        confidence: 'likely',
        explanation: 'A JVM has one garbage collector. Remove the other one if this one is meant.',
        mirrorable: true,
      },
    ],
  };
}
