import { fieldPath } from '../../../crd/field-path.ts';
import { code } from '../../rendering/quote.ts';
import { change, appended } from '../change.ts';
import { type ContainerPlace, userOf } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { emptyVolume } from './writable-folder.ts';

/** Folders that programs look for in the home folder: `/.cache` if the user has no home, `/root/.cache` if the user is not root. */
const AT_HOME = /^(?:\/\.[a-z][\w-]{1,40}|\/root\/\.(?:cache|npm|config|yarn|gradle|m2|nuget|dotnet|ivy2|matplotlib|composer))(?=\/|$)/;

/**
 * For a program that wants to create a folder in its home, but whose user has no home: sets `HOME` to a folder in which all users may write. If
 * the root file system is read-only, this is an empty volume of the container.
 */
export function writableHome(place: ContainerPlace | undefined, path: string): Correction[] {
  const folder = AT_HOME.exec(path)?.[0];
  if (!place?.container || folder === undefined || !isFromHome(place, folder)) return [];
  const home = folder.slice(0, folder.lastIndexOf('/'));
  const mounts = place.container.volumeMounts?.map(({ mountPath }) => mountPath.replace(/\/$/, '')) ?? [];
  if (mounts.some((at) => at === (home || '/') || at === path || path.startsWith(`${at}/`))) return [];
  // The program would not find files that a volume provides in this home (`/root/.ssh`) if its home were another folder.
  if (mounts.some((at) => at.startsWith(`${home}/.`))) return [emptyVolume(place, folder, 'likely')];
  const env = place.container.env ?? [];
  const own = env.findIndex(({ name }) => name === 'HOME');
  const to = freeFolder(place);
  if (to === undefined) return [];
  const why = `the user of the container cannot write ${code(folder)}`;
  return [
    {
      title: `Set ${code('HOME')} to ${code(to)}`,
      changes: [
        own < 0
          ? appended(place, fieldPath(place.path, 'env'), place.container.env, { name: 'HOME', value: to }, why)
          : change(place, fieldPath(place.path, 'env', own, 'value'), to, why),
      ],
      confidence: 'likely',
      explanation: `The user has no home of its own, and the program looks for ${code(folder.slice(folder.lastIndexOf('/') + 1))} in it. What it keeps there is lost with the container.`,
      mirrorable: true,
    },
  ];
}

/** Whether the program looks for the folder in its home: no other variable names the folder, and `HOME`, if it is set, is its parent. */
function isFromHome(place: ContainerPlace, folder: string): boolean {
  if (userOf(place) === 0) return false;
  return (place.container?.env ?? []).every(({ name, value, valueFrom }) =>
    name === 'HOME' ? !valueFrom && folder.startsWith(`${(value ?? '').replace(/\/$/, '')}/.`) : !value?.startsWith(folder),
  );
}

/** `/tmp`, or an empty volume of the container if the root file system is read-only. */
function freeFolder({ container, spec }: ContainerPlace): string | undefined {
  const mounts = (container?.volumeMounts ?? []).filter(({ readOnly }) => readOnly !== true);
  const empty = mounts.filter(({ name }) => spec.volumes?.find((volume) => volume.name === name)?.emptyDir);
  const isTmp = (mountPath: string): boolean => mountPath.replace(/\/$/, '') === '/tmp';
  const isReadOnlyTmp = container?.volumeMounts?.some(({ mountPath, readOnly }) => isTmp(mountPath) && readOnly === true);
  if (empty.some(({ mountPath }) => isTmp(mountPath))) return '/tmp';
  if (container?.securityContext?.readOnlyRootFilesystem !== true && !isReadOnlyTmp) return '/tmp';
  return empty[0]?.mountPath;
}
