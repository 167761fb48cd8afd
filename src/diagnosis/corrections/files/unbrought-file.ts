import type { RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { givenIn } from '../given-values.ts';
import { missingFile } from './missing-file.ts';
import { keysOf, mountedFiles, mountOf, volumeAt } from './mounted-files.ts';

const FILE = /^(?:\/[\w.@-]{1,80}){2,12}$/;

/** Whether a setting may name a folder: what is called a path is a file if it has an extension. */
const mayBeFolder = (name: string, value: string): boolean =>
  /DIR|FOLDER/i.test(name) || (/PATH$/i.test(name) && !/\.[a-z]\w{1,5}$/i.test(value));

/**
 * For a log that says only that something is missing: the only setting that names a file in the folder of a mounted ConfigMap or Secret that has
 * no such key.
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
  const [only, ...more] = found;
  if (!only || more.length > 0) return undefined;
  const corrections = missingFile(input, only.value);
  return corrections.length > 0 ? { name: only.name, file: only.value, corrections } : undefined;
}
