import type { ContainerPlace, RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { textsOf } from '../container-texts.ts';
import { givenIn, rewritten } from '../given-values.ts';
import { isBelow, mountOf } from './mounted-files.ts';

/** The path of a database file. */
const DATABASE = /^\/(?:[\w.@-]{1,80}\/){1,8}[\w.@-]{1,80}\.(?:sqlite3?|db3?|bolt|mdb)$/;

/**
 * For a folder that the program cannot create or a database that it cannot open: if a setting puts it outside all volumes, and no setting uses
 * the container's only claim, the path is moved into the claim. With `isAnyVolume` the only empty volume counts too. `file` is the path in the log.
 * If it is empty, the only setting with a database file counts.
 */
export function inUnusedMount(
  input: RuleInput,
  file: string,
  isAnyVolume = false,
): { name: string; corrections: Correction[] } | undefined {
  const place = input.place();
  const given = place ? givenIn(place) : [];
  const named = given.filter(({ value }) => (file === '' ? DATABASE.test(value) : value === file || isBelow(file, value)));
  const [only, ...more] = named;
  if (!place || !only || more.length > 0 || mountOf(place, only.value)) return undefined;
  const folder = claimOfNobody(place, isAnyVolume);
  if (folder === undefined) return undefined;
  const name = only.value.slice(only.value.lastIndexOf('/') + 1);
  const to = /\.\w{1,8}$/.test(name) ? `${folder}/${name}` : folder;
  return {
    name: only.name,
    corrections: [
      {
        title: `Set ${code(only.name)} to ${code(to)}`,
        changes: [rewritten(place, only, to, `a volume is mounted at ${code(folder)}, and nothing in the container names that`)],
        confidence: 'likely',
        explanation: `${code(only.value)} lies in no volume.`,
        mirrorable: true,
      },
    ],
  };
}

/** The only setting with the path of a database file, if it lies in no volume. Where a claim is mounted, the database may belong there. */
export function unmountedDatabase(place: ContainerPlace | undefined): { name: string; value: string } | undefined {
  const [only, ...more] = place ? givenIn(place).filter(({ value }) => DATABASE.test(value)) : [];
  const hasClaim = place?.spec.volumes?.some(({ persistentVolumeClaim }) => persistentVolumeClaim) === true;
  return place && only && more.length === 0 && !hasClaim && !mountOf(place, only.value) ? only : undefined;
}

/** Settings for the folder in which a program keeps its data: `--dir` of Redis, `--data-dir`, `STORAGE_PATH`. */
const DATA_FOLDER = /^-{1,2}(?:dir|D)$|(?:^|[-_.])(?:data|storage|state|work|spool)[-_.]?(?:dir|directory|path|home)$/i;

/** The folder of the only setting for the data of the program, if it lies in no volume; empty otherwise. */
export function unmountedFolder(place: ContainerPlace | undefined): string {
  const found = (place ? givenIn(place) : []).filter(
    ({ name, value }) => DATA_FOLDER.test(name) && /^(?:\/[\w.@-]{1,80}){1,8}\/?$/.test(value),
  );
  const [only, ...more] = found;
  return only && more.length === 0 && !mountOf(place, only.value) ? only.value : '';
}

/** The mount path of the container's only writable claim or only volume, if no setting, argument or command contains that path. */
function claimOfNobody({ container, spec }: ContainerPlace, isAnyVolume: boolean): string | undefined {
  const mounts = (container?.volumeMounts ?? []).filter(
    ({ name, readOnly, subPath }) =>
      !readOnly &&
      !subPath &&
      spec.volumes?.some((volume) => volume.name === name && (volume.persistentVolumeClaim || (isAnyVolume && volume.emptyDir))),
  );
  const claims = mounts.filter(({ name }) => spec.volumes?.some((volume) => volume.name === name && volume.persistentVolumeClaim));
  const [mount, ...more] = claims.length > 0 ? claims : mounts;
  const folder = mount?.mountPath.replace(/\/$/, '');
  return folder === undefined || more.length > 0 || textsOf(container).some((text) => text.includes(folder)) ? undefined : folder;
}
