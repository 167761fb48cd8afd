import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { writtenInstead } from '../replace-text.ts';
import { nearestName } from '../similar-names.ts';

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
    return own === parent && last.length > 2 && (name.startsWith(last) || last.startsWith(name) || nearestName(last, [name]).length > 0);
  });
  const [only, ...more] = found;
  if (only === undefined || more.length > 0 || only === folder) return [];
  return writtenInstead(
    input,
    { from: folder, to: only },
    { why: 'a volume is mounted there', explanation: `Nothing is at ${code(folder)}.` },
  );
}

/** For a command that creates a folder that already exists: `mkdir -p`, which does not fail then. */
export function makeIfMissing(input: RuleInput, folder: string): Correction[] {
  const explanation = 'What lies in a volume is there when the container starts again.';
  return writtenInstead(
    input,
    { from: `mkdir ${folder}`, to: `mkdir -p ${folder}` },
    { why: '`-p` makes it only where it is missing', explanation },
  );
}
