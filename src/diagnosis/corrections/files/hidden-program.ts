import { fieldPath } from '../../../crd/field-path.ts';
import type { ContainerPlace, RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';
import { textsOf } from '../container-texts.ts';
import { isBelow } from './mounted-files.ts';
import { missingFile } from './missing-file.ts';
import { besideProgram } from './mount-one-file.ts';
import { mountedAt } from './other-folder.ts';

/** A volume that hides files of the image, the folder at which it is mounted, and where it may belong instead. */
interface Hidden {
  volume: string;
  folder: string;
  corrections: Correction[];
}

/**
 * For a program's own file below a volume: the volume hides it. A path that the container names below that folder says where the volume
 * belongs, or else the volume's name does.
 */
export function hiddenProgram(input: RuleInput, file: string): Hidden | undefined {
  const found = coveringMount(input.place(), file);
  if (!found) return undefined;
  const { place, index, mount, volume } = found;
  const folder = mount.mountPath.replace(/\/$/, '');
  const why = `mounted at ${code(folder)} it hides the program`;
  const named = namedBelow(place, folder, file);
  const atNamed = named
    ? [mountedAt(place, { index, to: named }, { why, explanation: `The container names ${code(named)}.`, confidence: 'likely' })]
    : [];
  if (volume.configMap || volume.secret) return ofSettings(input, file, { volume: mount.name, folder, corrections: atNamed });
  if (!volume.emptyDir && !volume.persistentVolumeClaim) return undefined;
  const swapped = swappedVolumes(place, index, file);
  const known = swapped ? [swapped] : atNamed;
  if (known.length > 0) return { volume: mount.name, folder, corrections: known };
  const to = `${folder}/${mount.name.replace(/^.*-(?=[a-z]{3,})/, '')}`;
  const explanation = 'The folder is guessed from the name of the volume: use the one that the program writes to.';
  return { volume: mount.name, folder, corrections: [mountedAt(place, { index, to }, { why, explanation, confidence: 'guess' })] };
}

/** The mount of a whole volume above a file, unless an init container may have to fill it. */
function coveringMount(place: ContainerPlace | undefined, file: string) {
  const index = place?.container?.volumeMounts?.findIndex(({ mountPath, subPath }) => !subPath && isBelow(file, mountPath)) ?? -1;
  const mount = place?.container?.volumeMounts?.[index];
  const volume = place?.spec.volumes?.find(({ name }) => name === mount?.name);
  const isFilled = (place?.spec.initContainers ?? []).some(({ volumeMounts = [] }) =>
    volumeMounts.some(({ name }) => name === mount?.name),
  );
  return place && mount && volume && !isFilled ? { place, index, mount, volume } : undefined;
}

/** A volume with settings hides a program only if nothing in it is meant by the program's name. */
function ofSettings(input: RuleInput, file: string, atNamed: Hidden): Hidden | undefined {
  const [brought] = missingFile(input, file);
  if (brought && (brought.confidence !== 'guess' || atNamed.corrections.length === 0)) return undefined;
  const beside = besideProgram(input, file);
  const others = beside?.corrections ?? (brought ? [brought] : []);
  return beside || atNamed.corrections.length > 0 ? { ...atNamed, ...beside, corrections: [...atNamed.corrections, ...others] } : undefined;
}

/** The only folder below `folder` that the container names besides the one of the program's own file. */
function namedBelow({ container }: ContainerPlace, folder: string, file: string): string | undefined {
  const own = /^[^/]*/.exec(file.slice(folder.length + 1))?.[0] ?? '';
  const named = textsOf(container).flatMap((text) => text.match(/(?<![\w.])\/[\w./-]{1,200}/g) ?? []);
  const below = named
    .map((path) => path.replace(/\/$/, ''))
    .filter((path) => path.startsWith(`${folder}/`) && path.slice(folder.length + 1).split('/', 1)[0] !== own && !/\.\w{1,6}$/.test(path));
  const [only, ...more] = new Set(below);
  return more.length > 0 ? undefined : only;
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
