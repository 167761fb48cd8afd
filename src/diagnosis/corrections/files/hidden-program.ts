import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { isBelow } from './mounted-files.ts';
import { mountedAt } from './other-folder.ts';

/** For a program's own file below a volume for data: the volume hides it. The volume's name says where below that folder it may belong. */
export function hiddenProgram(input: RuleInput, file: string): { volume: string; folder: string; corrections: Correction[] } | undefined {
  const place = input.place();
  const index = place?.container?.volumeMounts?.findIndex(({ mountPath, subPath }) => !subPath && isBelow(file, mountPath)) ?? -1;
  const mount = place?.container?.volumeMounts?.[index];
  const volume = place?.spec.volumes?.find(({ name }) => name === mount?.name);
  // An init container may have to fill it.
  const isFilled = [...(place?.spec.initContainers ?? [])].some(({ volumeMounts = [] }) =>
    volumeMounts.some(({ name }) => name === mount?.name),
  );
  if (!place || !mount || isFilled || (!volume?.emptyDir && !volume?.persistentVolumeClaim)) return undefined;
  const folder = mount.mountPath.replace(/\/$/, '');
  const to = `${folder}/${mount.name.replace(/^.*-(?=[a-z]{3,})/, '')}`;
  return {
    volume: mount.name,
    folder,
    corrections: [
      mountedAt(
        place,
        { index, to },
        {
          why: `mounted at ${code(folder)} it hides the program`,
          explanation: 'The folder is guessed from the name of the volume: use the one that the program writes to.',
          confidence: 'guess',
        },
      ),
    ],
  };
}
