import type { ContainerPlace } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { startedIn } from './other-folder.ts';

/** For a program that makes a folder in its working directory, which is read-only: starts it where a volume may be written, `/tmp` first. */
export function inWritableFolder(place: ContainerPlace | undefined, line: string): Correction[] {
  const name =
    /\b(?:mkdir|create|creating|open|write)[: ]{1,2}['"`]?([\w.-]{2,80}(?:\/[\w.-]{1,80}){0,4})['"`]?: (?:read-only|Read-only|EROFS)/.exec(
      line,
    )?.[1];
  const folders = (place?.container?.volumeMounts ?? []).flatMap(({ name: volume, mountPath, readOnly, subPath }) => {
    const found = place?.spec.volumes?.find((one) => one.name === volume);
    return !readOnly && !subPath && (found?.emptyDir || found?.persistentVolumeClaim) ? [mountPath] : [];
  });
  const folder = folders.find((one) => /^\/tmp\/?$/.test(one)) ?? (folders.length === 1 ? folders[0] : undefined);
  if (!place || name === undefined || folder === undefined) return [];
  return [
    startedIn(place, folder, {
      why: `the program makes ${code(name)} in its working directory`,
      explanation:
        'The root file system is read-only, and this folder is a volume. If the program has an option for the folder, that is better.',
      // Relative paths of files that it reads change too.
      confidence: 'guess',
    }),
  ];
}
