import type { ContainerPlace } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { commandWords } from '../container-texts.ts';
import { withOption } from '../settings/set-option.ts';
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
  if (!place || folder === undefined) return [];
  if (line.includes('celerybeat-schedule')) return scheduleIn(place, folder);
  if (name === undefined) return [];
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

/** Celery's `beat` keeps its schedule in the working directory if no option says where (Celery, "Periodic Tasks"). */
function scheduleIn(place: ContainerPlace, folder: string): Correction[] {
  const words = commandWords(place.container);
  if (!words.includes('beat') || words.some((word) => /^(?:-s|--schedule)\b/.test(word))) return [];
  const file = `${folder.replace(/\/$/, '')}/celerybeat-schedule`;
  return [
    {
      title: `Keep the schedule in ${code(file)}`,
      changes: [withOption(place, '--schedule', file, `the container may write to ${code(folder)}`)],
      confidence: 'likely',
      explanation: 'Celery keeps there when its tasks ran last. Without the file all tasks count from the start.',
      mirrorable: true,
    },
  ];
}
