import type { ContainerPlace, RuleInput } from '../../facts/input.ts';
import { change } from '../change.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import { existing } from '../../facts/references.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { nearestName } from '../similar-names.ts';
import { textsOf } from '../container-texts.ts';
import { mountedAt } from './other-folder.ts';

/** For a volume that is mounted where a file should be: mounts only that file. Checks for its key if the keys are known. */
export function oneFile(input: RuleInput, file: string): Correction[] {
  const place = input.place();
  const index = place?.container?.volumeMounts?.findIndex(({ mountPath, subPath }) => mountPath === file && !subPath) ?? -1;
  if (!place || index < 0 || file === '') return [];
  const name = place.container?.volumeMounts?.[index]?.name ?? '';
  const keys = keysOf(input, place, name);
  const wanted = file.slice(file.lastIndexOf('/') + 1);
  const key = !keys || keys.includes(wanted) ? wanted : (nearestName(wanted, keys)[0] ?? (keys.length === 1 ? keys[0] : undefined));
  if (key === undefined) return [];
  return [
    {
      title: `Mount only the file ${code(key)}`,
      changes: [
        change(place, fieldPath(place.path, 'volumeMounts', index, 'subPath'), key, 'a volume is a folder and cannot replace a file'),
      ],
      confidence: keys ? 'likely' : 'guess',
      explanation: `${code(file)} is then the key ${code(key)} of volume ${code(name)}.`,
      mirrorable: true,
    },
  ];
}

/** Folders with the programs of the image, where programs are found by their name. */
const PROGRAMS = /^\/(?:usr\/)?s?bin\/?$/;
/** The folder for programs that the image does not bring (Filesystem Hierarchy Standard 3.0, section 4.9). */
const OWN_PROGRAMS = '/usr/local/bin';

function isNamedBelow({ container }: ContainerPlace, folder: string): boolean {
  return textsOf(container).some((text) => text.includes(`${folder}/`));
}

/** For a volume that hides the folder of the program: mounts its only key as one file in that folder. */
export function besideProgram(
  input: RuleInput,
  program: string,
): { volume: string; folder: string; corrections: Correction[] } | undefined {
  const place = input.place();
  const index =
    place?.container?.volumeMounts?.findIndex(
      ({ mountPath, subPath }) =>
        !subPath &&
        mountPath !== '/' &&
        (program.includes('/') ? program.startsWith(`${mountPath.replace(/\/$/, '')}/`) : PROGRAMS.test(mountPath)),
    ) ?? -1;
  const mount = place?.container?.volumeMounts?.[index];
  if (!place || !mount) return undefined;
  const folder = mount.mountPath.replace(/\/$/, '');
  const keys = keysOf(input, place, mount.name) ?? [];
  const [key] = keys;
  // The program may be meant to come from the volume.
  const name = program.slice(folder.length + 1);
  if (keys.includes(name) || nearestName(name, keys).length > 0) return undefined;
  const path = fieldPath(place.path, 'volumeMounts', index);
  const why = `mounted at ${code(folder)} it hides what the image has there`;
  const only: Correction[] =
    keys.length === 1 && key !== undefined
      ? [
          {
            title: `Mount only the file ${code(key)}`,
            changes: [change(place, `${path}.mountPath`, `${folder}/${key}`, why), change(place, `${path}.subPath`, key, why)],
            confidence: 'likely',
            explanation: "The image's own files are then there again, and the file is beside them.",
            mirrorable: true,
          },
        ]
      : PROGRAMS.test(mount.mountPath)
        ? [
            mountedAt(
              place,
              { index, to: OWN_PROGRAMS },
              {
                why,
                explanation: `In most images ${code(OWN_PROGRAMS)} is empty, and programs there are found by their name.`,
                // Whatever names its programs by their path must change with it.
                confidence: isNamedBelow(place, folder) ? 'guess' : 'likely',
              },
            ),
          ]
        : [];
  return { volume: mount.name, folder, corrections: only };
}

/** The file names that a ConfigMap or Secret brings into its volume; undefined when they are not known. */
function keysOf({ subject }: RuleInput, { spec }: ContainerPlace, volumeName: string): string[] | undefined {
  const volume = spec.volumes?.find(({ name }) => name === volumeName);
  const source = volume?.configMap ?? volume?.secret;
  if (source?.items) return source.items.map(({ path }) => path);
  const [what, name] = volume?.secret ? (['Secret', volume.secret.secretName] as const) : (['ConfigMap', volume?.configMap?.name] as const);
  const keys = existing(subject.surroundings ?? {}, what)?.find((one) => one.name === name)?.keys;
  return keys && keys.length > 0 ? keys : undefined;
}
