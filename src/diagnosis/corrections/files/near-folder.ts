import type { ContainerPlace, RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { writtenInstead } from '../replace-text.ts';
import { isSameMeaning } from '../synonyms.ts';
import { nearest, nearestName } from '../similar-names.ts';
import { mountedAt } from './other-folder.ts';

/** For a missing folder: uses the path of the only volume in the same parent folder whose name is similar, longer or shorter. */
export function nearFolder(input: RuleInput, folder: string): Correction[] {
  const split = (path: string): [parent: string, last: string] => [
    path.slice(0, path.lastIndexOf('/')),
    path.slice(path.lastIndexOf('/') + 1),
  ];
  const [parent, last] = split(folder.replace(/\/$/, ''));
  const mounts = (input.place()?.container?.volumeMounts ?? []).map(({ mountPath }) => mountPath.replace(/\/$/, ''));
  const found = mounts.filter((mount) => {
    const [own, name] = split(mount);
    return (
      own === parent &&
      (isSameMeaning(last, name) ||
        (last.length > 2 && (name.startsWith(last) || last.startsWith(name) || nearestName(last, [name]).length > 0)))
    );
  });
  const [only, ...more] = found;
  const from = folder.replace(/\/$/, '');
  if (only === undefined || more.length > 0 || only === from) return [];
  return writtenInstead(input, { from, to: only }, { why: 'a volume is mounted there', explanation: `Nothing is at ${code(folder)}.` });
}

/** For a path below the working directory whose first folder is nearly called like the only mount: mounts the volume under that name. */
export function nearMount(place: ContainerPlace, file: string): Correction[] {
  const first = file.replace(/^(?:\.\/)+/, '').split('/', 1)[0] ?? '';
  const mounts = (place.container?.volumeMounts ?? []).map(({ mountPath, subPath }, index) => ({
    index,
    subPath,
    path: mountPath.replace(/\/$/, ''),
    last: mountPath.replace(/\/$/, '').split('/').at(-1) ?? '',
  }));
  if (!file.includes('/') || first.length < 3 || mounts.some(({ last }) => last === first)) return [];
  const [only, ...more] = mounts.filter(({ subPath, last }) => !subPath && last.length > 2 && nearest(first, [last]).length > 0);
  if (!only || more.length > 0) return [];
  const to = `${only.path.slice(0, only.path.lastIndexOf('/'))}/${first}`;
  const [why, explanation] = [`the program looks for ${code(file)}`, `A relative path begins in the working directory of the program.`];
  return [mountedAt(place, { index: only.index, to }, { why, explanation })];
}

const OUTLIVES = 'What lies in a volume is there when the container starts again.';

/** For a command that creates a folder that already exists: `mkdir -p`, which does not fail then. */
export function makeIfMissing(input: RuleInput, folder: string): Correction[] {
  return writtenInstead(
    input,
    { from: `mkdir ${folder}`, to: `mkdir -p ${folder}` },
    { why: '`-p` makes it only where it is missing', explanation: OUTLIVES },
  );
}

/** Makes a link anew where the one of the last start is still there. */
export function linkAnew(input: RuleInput): Correction[] {
  return writtenInstead(
    input,
    { from: 'ln -s ', to: 'ln -sfn ' },
    { why: '`-f` replaces a link that is there, and `-n` does not follow it', explanation: OUTLIVES },
  );
}
