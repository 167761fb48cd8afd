import type { ContainerPlace, RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { type Given, givenIn } from '../given-values.ts';
import { textsOf } from '../container-texts.ts';
import { missingFile } from './missing-file.ts';
import { keysOf, mountedFiles, mountOf, sameName, volumeAt } from './mounted-files.ts';

const FILE = /^(?:\/[\w.@-]{1,80}){2,12}$/;

/** Whether a setting may name a folder: what is called a path is a file if it has an extension. */
const mayBeFolder = (name: string, value: string): boolean =>
  /DIR|FOLDER/i.test(name) || (/PATH$/i.test(name) && !/\.[a-z]\w{1,5}$/i.test(value));

/**
 * For a log that says only that something is missing: the only setting that names a file in the folder of a mounted ConfigMap or Secret that has
 * no such key, or a file that is mounted in another folder.
 */
export function unbroughtFile(input: RuleInput): { name: string; file: string; corrections: Correction[] } | undefined {
  const place = input.place();
  if (!place) return undefined;
  const files = mountedFiles(input, place);
  const found = givenIn(place).filter(({ name, value }) => {
    const volume = FILE.test(value) && !mayBeFolder(name, value) ? volumeAt(place, value)?.volume : undefined;
    return (
      volume !== undefined &&
      keysOf(input, volume).length > 0 &&
      mountOf(place, value)?.subPath === undefined &&
      !files.some((file) => file === value || file.startsWith(`${value}/`))
    );
  });
  const elsewhere = found.length > 0 ? [] : mountedElsewhere(place, files);
  const [only, ...more] = [...found, ...elsewhere];
  if (!only || more.length > 0) return undefined;
  const corrections = missingFile(input, only.value);
  return corrections.length > 0 ? { name: only.name, file: only.value, corrections } : undefined;
}

/** Settings with a file outside of all mounts, where a mounted file in a folder that no text of the container names has the same name. */
function mountedElsewhere(place: ContainerPlace, files: readonly string[]): Given[] {
  const texts = textsOf(place.container);
  const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/'));
  return givenIn(place).filter(
    ({ value }) =>
      FILE.test(value) &&
      value.slice(value.lastIndexOf('/')).includes('.') &&
      mountOf(place, value) === undefined &&
      sameName(files, value).some((file) => !texts.some((text) => text.includes(folderOf(file)))),
  );
}
