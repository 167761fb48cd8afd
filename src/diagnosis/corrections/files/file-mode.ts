import { mountOf } from './mounted-files.ts';
import { fieldPath, valueAt } from '../../../crd/field-path.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { type ContainerPlace, userOf } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';

/** Mode 0400: only the owner of the file reads it. */
const OWNER_ONLY = 0o400;

/** Mode 0644, which Kubernetes gives the files of a volume by default: only the owner may write. */
const OWNER_WRITES = 0o644;

/** For a file that others may write: sets the mode of the volume's files to 0644. */
export function onlyOwnerWrites(place: ContainerPlace | undefined, file: string): Correction[] {
  const found = place && sourceOf(place, file);
  if (!place || !found) return [];
  return [
    {
      title: 'Let only the owner write the files of the volume',
      changes: [
        change(
          place,
          fieldPath(found.path, 'defaultMode'),
          OWNER_WRITES,
          'files of a volume have mode 0644 by default; JSON writes it as 420',
        ),
      ],
      confidence: 'likely',
      explanation: `${code(file)} comes from volume ${code(found.volume)}, whose mode lets others write.`,
      mirrorable: true,
    },
  ];
}

/** The mode that the files of a volume have, in words. `path` is that of the volume's source. */
function modeGiven({ object }: ContainerPlace, path: string): string {
  const mode = valueAt(object, `${path}.defaultMode`);
  return typeof mode === 'number' && mode !== OWNER_WRITES
    ? `the volume gives them mode 0${mode.toString(8)}`
    : 'files of a volume have mode 0644 by default';
}

/** For a file that others may read: sets the mode of the volume's files to 0400. */
export function ownerOnly(place: ContainerPlace | undefined, file: string | undefined): Correction[] {
  const found = place && file !== undefined ? sourceOf(place, file) : undefined;
  if (!place || !found) return [];
  const user = userOf(place) ?? 0;
  return [
    {
      title: 'Let only the owner read the files of the volume',
      changes: [
        change(place, fieldPath(found.path, 'defaultMode'), OWNER_ONLY, `${modeGiven(place, found.path)}; JSON writes 0400 as 256`),
      ],
      // The files belong to root.
      confidence: user === 0 ? 'likely' : 'guess',
      explanation: `${code(file ?? '')} comes from volume ${code(found.volume)}, whose files belong to root.`,
      mirrorable: true,
    },
  ];
}

/** The volume that provides a file, and the path of its source if keys become files. */
function sourceOf(place: ContainerPlace, file: string): { volume: string; path: string } | undefined {
  const { spec, specPath } = place;
  const mount = mountOf(place, file);
  const index = spec.volumes?.findIndex(({ name }) => name === mount?.name) ?? -1;
  const volume = spec.volumes?.[index];
  const source = (['secret', 'configMap', 'projected'] as const).find((one) => volume?.[one]);
  return volume && source ? { volume: volume.name, path: fieldPath(specPath, 'volumes', index, source) } : undefined;
}

/** For a program that gains rights through `sudo` or a set-user-ID bit, which the container forbids. */
export function escalation(place: ContainerPlace | undefined): Correction[] {
  if (!place || place.container?.securityContext?.allowPrivilegeEscalation !== false) return [];
  return [
    {
      title: 'Allow privilege escalation',
      changes: [
        change(place, fieldPath(place.path, 'securityContext', 'allowPrivilegeEscalation'), null, 'the program gains rights while it runs'),
      ],
      confidence: 'guess',
      explanation: 'It is better to start the program as the user that it needs.',
      mirrorable: false,
    },
  ];
}
