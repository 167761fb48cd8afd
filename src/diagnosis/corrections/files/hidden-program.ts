import { fieldPath } from '../../../crd/field-path.ts';
import type { ContainerPlace, RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';
import { isBelow } from './mounted-files.ts';
import { mountedAt } from './other-folder.ts';

/** For a program's own file below a volume for data: the volume hides it. The volume's name says where below that folder it may belong. */
export function hiddenProgram(input: RuleInput, file: string): { volume: string; folder: string; corrections: Correction[] } | undefined {
  const place = input.place();
  const index = place?.container?.volumeMounts?.findIndex(({ mountPath, subPath }) => !subPath && isBelow(file, mountPath)) ?? -1;
  const mount = place?.container?.volumeMounts?.[index];
  const volume = place?.spec.volumes?.find(({ name }) => name === mount?.name);
  // An init container may have to fill it.
  const isFilled = [...(place?.spec.initContainers ?? [])].some(({ volumeMounts = [] }) =>
    volumeMounts.some(({ name }) => name === mount?.name),
  );
  if (!place || !mount || isFilled || (!volume?.emptyDir && !volume?.persistentVolumeClaim)) return undefined;
  const folder = mount.mountPath.replace(/\/$/, '');
  const swapped = swappedVolumes(place, index, file);
  if (swapped) return { volume: mount.name, folder, corrections: [swapped] };
  const to = `${folder}/${mount.name.replace(/^.*-(?=[a-z]{3,})/, '')}`;
  return {
    volume: mount.name,
    folder,
    corrections: [
      mountedAt(
        place,
        { index, to },
        {
          why: `mounted at ${code(folder)} it hides the program`,
          explanation: 'The folder is guessed from the name of the volume: use the one that the program writes to.',
          confidence: 'guess',
        },
      ),
    ],
  };
}

/** Mounts the only empty volume that an init container fills with the file, and that the container does not mount, in place of its own. */
function filledInstead(
  place: ContainerPlace,
  { index, rest, isFilled }: { index: number; rest: string; isFilled(name: string): boolean },
): Correction | undefined {
  const mounts = place.container?.volumeMounts ?? [];
  const isMounted = (volume: string): boolean => mounts.some(({ name }) => name === volume);
  const [only, ...more] = (place.spec.volumes ?? []).filter(({ name, emptyDir }) => emptyDir && !isMounted(name) && isFilled(name));
  if (!only || more.length > 0) return undefined;
  return {
    title: `Mount the volume ${code(only.name)} there`,
    changes: [
      change(
        place,
        fieldPath(place.path, 'volumeMounts', index, 'name'),
        only.name,
        `an init container writes ${code(rest.slice(1))} to it`,
      ),
    ],
    confidence: 'likely',
    explanation: `Nothing writes to ${code(mounts[index]?.name ?? '')}.`,
    mirrorable: true,
  };
}

/** Lets the two mounts change places where an init container fills the other volume with the file, by the path in its command. */
function swappedVolumes(place: ContainerPlace, index: number, file: string): Correction | undefined {
  const mounts = place.container?.volumeMounts ?? [];
  const own = mounts[index];
  const inits = place.spec.initContainers ?? [];
  const rest = own ? file.slice(own.mountPath.replace(/\/$/, '').length) : '';
  const isFilled = (name: string): boolean =>
    inits.some(({ volumeMounts = [], command = [], args = [] }) => {
      const text = [...command, ...args].join(' ').slice(0, 20_000);
      return volumeMounts.some((theirs) => theirs.name === name && text.includes(`${theirs.mountPath.replace(/\/$/, '')}${rest}`));
    });
  const others = mounts.flatMap((mount, at) => (at !== index && !mount.subPath && isFilled(mount.name) ? [{ name: mount.name, at }] : []));
  const [other, ...more] = others;
  if (own && others.length === 0) return filledInstead(place, { index, rest, isFilled });
  if (!own || !other || more.length > 0) return undefined;
  const path = (at: number): string => fieldPath(place.path, 'volumeMounts', at, 'name');
  return {
    title: `Let ${code(own.name)} and ${code(other.name)} change places`,
    changes: [
      change(place, path(index), other.name, `an init container writes ${code(rest.slice(1))} to it`),
      change(place, path(other.at), own.name, 'the two volumes change places'),
    ],
    confidence: 'likely',
    explanation: `${code(file)} is in volume ${code(other.name)}, which is mounted elsewhere.`,
    mirrorable: true,
  };
}
