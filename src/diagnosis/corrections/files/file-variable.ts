import { fieldPath } from '../../../crd/field-path.ts';
import type { Container } from '../../../crd/kubernetes.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { type RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { nearestName } from '../similar-names.ts';

/** A file with variables: the volume that it is in, who writes it, and the names that the writer's command sets. */
interface VariablesFile {
  path: string;
  volume: string;
  /** Undefined when no container mounts the volume beside the one that reads the file. */
  writer: string | undefined;
  keys: string[];
}

/** A variable that comes from a file (`fileKeyRef`), found by its key or, without one, the first. */
export function fileVariable(input: RuleInput, key: string | null): (VariablesFile & { name: string }) | undefined {
  const { file, name } = found(input, key) ?? {};
  return file && name !== undefined ? { ...file, name } : undefined;
}

/** Names the key that the file has and that the wanted one resembles. */
export function otherKey(input: RuleInput, wanted: string): Correction[] {
  const { file, index } = found(input, wanted) ?? {};
  const place = input.place();
  const [near, ...more] = file ? nearestName(wanted, file.keys) : [];
  if (!place || !file || near === undefined || index === undefined) return [];
  return [
    {
      title: `Take ${code(near)} of the file`,
      changes: [
        change(
          place,
          fieldPath(place.path, 'env', index, 'valueFrom', 'fileKeyRef', 'key'),
          near,
          `${file.writer ? `container ${code(file.writer)} writes` : 'the file has'} ${code(near)} and not ${code(wanted)}`,
        ),
      ],
      confidence: more.length === 0 ? 'likely' : 'guess',
      explanation: `The variable then has the same name in the container.`,
      mirrorable: true,
    },
  ];
}

function found(input: RuleInput, key: string | null): { file: VariablesFile; name: string; index: number } | undefined {
  const place = input.place();
  const env = place?.container?.env ?? [];
  const index = env.findIndex(({ valueFrom }) => valueFrom?.fileKeyRef && (key === null || valueFrom.fileKeyRef.key === key));
  const from = env[index]?.valueFrom?.fileKeyRef;
  if (!place || !from) return undefined;
  const others = [...(place.spec.initContainers ?? []), ...place.spec.containers].filter(({ name }) => name !== place.container?.name);
  const writers = others.filter(({ volumeMounts }) => volumeMounts?.some(({ name }) => name === from.volumeName));
  const writer = writers.find((one) => wordsOf(one).includes(from.path)) ?? writers[0];
  const file = { path: from.path, volume: from.volumeName, writer: writer?.name, keys: writer ? setIn(wordsOf(writer)) : [] };
  return { file, name: env[index]?.name ?? '', index };
}

const wordsOf = ({ command = [], args = [] }: Container): string => [...command, ...args].join(' ').slice(0, 20_000);

/** The names that a script writes with `=` behind them. What stands behind `n` may follow an escaped line break. */
function setIn(script: string): string[] {
  const names = [...script.replaceAll(/\\+n/g, '\n').matchAll(/(?<![\w$-])([A-Za-z_]\w{0,100})=/g)].map(([, name]) => name as string);
  return [...new Set(names)];
}
