import { nearest } from './nearest.ts';
import { code } from '../rendering/quote.ts';
import type { Correction } from './correction.ts';
import { fieldPath } from '../../crd/field-path.ts';
import type { VolumeMount } from '../../crd/kubernetes.ts';
import { change, type ContainerPlace, type RuleInput } from '../rules/rule.ts';
import { replaceText } from './environment.ts';

/** For a file that does not exist: a file with a similar path in a mounted ConfigMap or Secret. */
export function missingFile(input: RuleInput, file: string): Correction[] {
  const place = input.place();
  if (!place || !file.startsWith('/')) return [];
  const moved = otherMountPath(input, place, file);
  if (moved.length > 0) return moved;
  return nearest(file, mountedFiles(input, place))
    .slice(0, 2)
    .flatMap((guess): Correction[] => {
      const changes = replaceText(input, file, guess, `a volume contains ${code(guess)}`);
      if (changes.length === 0) return [];
      return [
        {
          title: `Use ${code(guess)}`,
          changes,
          confidence: 'likely',
          explanation: `${code(file)} looks like a typo of it.`,
          mirrorable: true,
        },
      ];
    });
}

/** For a file that a volume has, mounted at another folder than the program reads. */
function otherMountPath(input: RuleInput, place: ContainerPlace, file: string): Correction[] {
  const folder = file.slice(0, file.lastIndexOf('/'));
  const name = file.slice(folder.length + 1);
  const mounts = place.container?.volumeMounts ?? [];
  const index = mounts.findIndex((mount) => !mount.subPath && mountedFiles(input, place, mount).some((path) => path.endsWith(`/${name}`)));
  const mount = mounts[index];
  if (!mount || folder === '' || mount.mountPath === folder || mounts.some(({ mountPath }) => mountPath === folder)) return [];
  return [
    {
      title: `Mount the volume at ${code(folder)}`,
      changes: [
        change(
          place,
          fieldPath(place.path, 'volumeMounts', index, 'mountPath'),
          folder,
          `it has ${code(name)}, which the program reads there`,
        ),
      ],
      confidence: 'likely',
      explanation: `Volume ${code(mount.name)} is mounted at ${code(mount.mountPath)}.`,
      mirrorable: true,
    },
  ];
}

/** The paths of the files that ConfigMaps and Secrets bring into the container, as far as their keys are known. */
function mountedFiles(input: RuleInput, place: ContainerPlace, only?: VolumeMount): string[] {
  const mounts = only ? [only] : (place.container?.volumeMounts ?? []);
  return mounts.flatMap((mount) => {
    const volume = place.spec.volumes?.find(({ name }) => name === mount.name);
    const source = volume?.configMap ?? volume?.secret;
    if (!source) return [];
    if (mount.subPath) return [mount.mountPath];
    const keys = input.subject.surroundings?.configMaps?.find(({ name }) => name === volume?.configMap?.name)?.keys ?? [];
    return (source.items?.map((item) => item.path) ?? keys).map((path) => `${mount.mountPath.replace(/\/$/, '')}/${path}`);
  });
}
