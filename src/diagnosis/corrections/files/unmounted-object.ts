import { fieldPath } from '../../../crd/field-path.ts';
import type { ContainerPlace, RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { appended } from '../change.ts';
import type { Correction } from '../correction.ts';

/** For a file that no volume has: the one ConfigMap or Secret of the namespace with such a key whose name shares a word with the file's folder. */
export function unmountedObject({ subject }: RuleInput, place: ContainerPlace, file: string): Correction[] {
  const [folder, key] = [file.slice(0, file.lastIndexOf('/')), file.slice(file.lastIndexOf('/') + 1)];
  const mounts = place.container?.volumeMounts ?? [];
  if (folder === '' || mounts.some(({ mountPath }) => folder === mountPath.replace(/\/$/, ''))) return [];
  const words = folder
    .toLowerCase()
    .split(/[^a-z\d]+/)
    .filter((word) => word.length > 2);
  const isNear = (name: string) => name.split(/[^a-z\d]+/).some((word) => words.includes(word));
  const { configMaps = [], secrets = [] } = subject.surroundings ?? {};
  const used = JSON.stringify(place.spec.volumes ?? []);
  const found = [
    ...configMaps.map(({ name, keys }) => ({ what: 'ConfigMap', name, keys, source: { configMap: { name } } })),
    ...secrets.map(({ name, keys }) => ({ what: 'Secret', name, keys, source: { secret: { secretName: name } } })),
  ].filter(({ name, keys }) => keys.includes(key) && isNear(name) && !used.includes(`"${name}"`));
  const [only, ...more] = found;
  if (!only || more.length > 0) return [];
  const why = `${only.what} ${code(only.name)} has the key ${code(key)}`;
  return [
    {
      title: `Mount ${only.what} ${code(only.name)} at ${code(folder)}`,
      changes: [
        appended(place, fieldPath(place.specPath, 'volumes'), place.spec.volumes, { name: only.name.slice(0, 63), ...only.source }, why),
        appended(
          place,
          fieldPath(place.path, 'volumeMounts'),
          mounts.length > 0 ? mounts : undefined,
          { name: only.name.slice(0, 63), mountPath: folder },
          `the program reads ${code(file)}`,
        ),
      ],
      confidence: 'likely',
      explanation: `${why}, and nothing mounts it. Other files of ${code(folder)} in the image are hidden then.`,
      mirrorable: only.what !== 'Secret',
    },
  ];
}
