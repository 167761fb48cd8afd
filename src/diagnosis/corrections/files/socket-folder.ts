import type { ContainerPlace } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { textsOf } from '../container-texts.ts';
import type { Correction } from '../correction.ts';
import { nearest } from '../similar-names.ts';
import { mountOf } from './mounted-files.ts';
import { mountedAt } from './other-folder.ts';
import { emptyVolume, isKept } from './writable-folder.ts';

const folderOf = (path: string): string => path.replace(/\/$/, '').slice(0, path.replace(/\/$/, '').lastIndexOf('/'));

/**
 * For a socket that a program cannot make because its folder is missing: the only empty volume at a similar path that no text of the container names
 * moves there; without one, a new empty volume is mounted there.
 */
export function socketFolder(place: ContainerPlace | undefined, socket: string): Correction[] {
  const folder = folderOf(socket);
  if (!place?.container || folder === '' || mountOf(place, socket)) return [];
  const texts = textsOf(place.container);
  const similar = (place.container.volumeMounts ?? []).flatMap(({ name, mountPath, subPath }, index) => {
    const isEmpty = place.spec.volumes?.some((volume) => volume.name === name && volume.emptyDir) === true;
    const isNear = folderOf(mountPath) === folderOf(folder) || nearest(folder, [mountPath]).length > 0;
    return isEmpty && !subPath && isNear && !texts.some((text) => text.includes(mountPath)) ? [{ name, mountPath, index }] : [];
  });
  const [only, ...more] = similar;
  if (only && more.length === 0) {
    const explanation = `Volume ${code(only.name)} is mounted at ${code(only.mountPath)}, and nothing of the container names that.`;
    return [mountedAt(place, { index: only.index, to: folder }, { why: `the program makes its socket in ${code(folder)}`, explanation })];
  }
  return isKept(folder) ? [] : [emptyVolume(place, folder, 'likely')];
}
