import { nearest } from './nearest.ts';
import { code } from '../rendering/quote.ts';
import type { Correction } from './correction.ts';
import { fieldPath } from '../../crd/field-path.ts';
import type { Volume, VolumeMount } from '../../crd/kubernetes.ts';
import { change, type ContainerPlace, type RuleInput } from '../rules/rule.ts';
import { replaceText } from './environment.ts';
import { appended } from './writable-folder.ts';

const TOKEN_FOLDER = '/var/run/secrets/kubernetes.io/serviceaccount';

/** The token that the pod asks not to mount. It is a right that the pod did not have. */
function mountToken(place: ContainerPlace): Correction[] {
  if (place.spec.automountServiceAccountToken !== false) return [];
  return [
    {
      title: 'Mount the token of the service account',
      changes: [change(place, fieldPath(place.specPath, 'automountServiceAccountToken'), true, 'the program reads the token')],
      confidence: 'likely',
      explanation: 'The pod says that it wants no token. With it the program may do what the service account may.',
      mirrorable: false,
    },
  ];
}

/** For a file that does not exist: a file with a similar path in a mounted ConfigMap or Secret. */
export function missingFile(input: RuleInput, file: string): Correction[] {
  const place = input.place();
  if (!place || !file.startsWith('/')) return [];
  if (file.startsWith(TOKEN_FOLDER)) return mountToken(place);
  const moved = otherMountPath(input, place, file);
  if (moved.length > 0) return moved;
  const elsewhere = [...otherItemPath(place, file), ...writtenElsewhere(place, file)];
  if (elsewhere.length > 0) return elsewhere;
  const unmounted = mountedNowhere(input, place, file);
  if (unmounted.length > 0) return unmounted;
  return nearest(file, mountedFiles(input, place))
    .slice(0, 2)
    .flatMap((guess): Correction[] => {
      const changes = replaceText(input, file, guess, `a volume contains ${code(guess)}`);
      if (changes.length === 0) return underName(input, place, { file, guess });
      return [
        {
          title: `Use ${code(guess)}`,
          changes,
          confidence: 'likely',
          explanation: `${code(file)} looks like a typo of it.`,
          mirrorable: true,
        },
      ];
    });
}

/** For a file that a volume has, mounted at another folder than the program reads. */
function otherMountPath(input: RuleInput, place: ContainerPlace, file: string): Correction[] {
  const folder = file.slice(0, file.lastIndexOf('/'));
  const name = file.slice(folder.length + 1);
  const mounts = place.container?.volumeMounts ?? [];
  const index = mounts.findIndex((mount) => !mount.subPath && mountedFiles(input, place, mount).some((path) => path.endsWith(`/${name}`)));
  const mount = mounts[index];
  if (!mount || folder === '' || mount.mountPath === folder || mounts.some(({ mountPath }) => mountPath === folder)) return [];
  return [
    {
      title: `Mount the volume at ${code(folder)}`,
      changes: [
        change(
          place,
          fieldPath(place.path, 'volumeMounts', index, 'mountPath'),
          folder,
          `it has ${code(name)}, which the program reads there`,
        ),
      ],
      confidence: 'likely',
      explanation: `Volume ${code(mount.name)} is mounted at ${code(mount.mountPath)}.`,
      mirrorable: true,
    },
  ];
}

/** A file that nothing in the manifest names by its path: the key comes under the name that the program reads. */
function underName(input: RuleInput, place: ContainerPlace, { file, guess }: { file: string; guess: string }): Correction[] {
  const mount = place.container?.volumeMounts?.find((one) => !one.subPath && mountedFiles(input, place, one).includes(guess));
  const index = place.spec.volumes?.findIndex(({ name }) => name === mount?.name) ?? -1;
  const volume = place.spec.volumes?.[index];
  const folder = `${mount?.mountPath.replace(/\/$/, '')}/`;
  if (!mount || !volume || !file.startsWith(folder)) return [];
  const [wanted, there] = [file.slice(folder.length), guess.slice(folder.length)];
  const field = volume.configMap ? 'configMap' : 'secret';
  const items = volume[field]?.items ?? keysOf(input, volume).map((key) => ({ key, path: key }));
  return [
    {
      title: `Mount ${code(there)} as ${code(wanted)}`,
      changes: [
        change(
          place,
          fieldPath(place.specPath, 'volumes', index, field, 'items'),
          items.map((item) => (item.path === there ? { ...item, path: wanted } : item)),
          `the program reads ${code(file)}`,
        ),
      ],
      // Another number is another file.
      confidence: withoutDigits(there) === withoutDigits(wanted) ? 'guess' : 'likely',
      explanation: `${code(wanted)} looks like another name of ${code(there)}.`,
      mirrorable: true,
    },
  ];
}

const withoutDigits = (name: string): string => name.replaceAll(/\d+/g, '');

/** A key that `items` puts under another path of the same volume. */
function otherItemPath(place: ContainerPlace, file: string): Correction[] {
  for (const mount of place.container?.volumeMounts ?? []) {
    const folder = `${mount.mountPath.replace(/\/$/, '')}/`;
    const at = place.spec.volumes?.findIndex(({ name }) => name === mount.name) ?? -1;
    const volume = place.spec.volumes?.[at];
    const field = volume?.configMap ? 'configMap' : 'secret';
    const wanted = file.slice(folder.length);
    const index =
      volume?.[field]?.items?.findIndex(({ key, path }) => path !== wanted && (key === wanted || path.endsWith(`/${wanted}`))) ?? -1;
    if (mount.subPath || !file.startsWith(folder) || index < 0) continue;
    const path = fieldPath(place.specPath, 'volumes', at, field, 'items', index, 'path');
    return [
      {
        title: `Put the key at ${code(wanted)}`,
        changes: [change(place, path, wanted, `the program reads ${code(file)}`)],
        confidence: 'likely',
        explanation: `Volume ${code(mount.name)} has the key under another path.`,
        mirrorable: true,
      },
    ];
  }
  return [];
}

/** Another container of the pod writes the file to a volume that this one mounts at another folder. */
function writtenElsewhere(place: ContainerPlace, file: string): Correction[] {
  const folder = file.slice(0, file.lastIndexOf('/'));
  const mounts = place.container?.volumeMounts ?? [];
  const others = [...(place.spec.initContainers ?? []), ...place.spec.containers].filter(({ name }) => name !== place.container?.name);
  for (const { volumeMounts = [], command = [], args = [] } of others) {
    const theirs = volumeMounts.find(({ mountPath }) => mountPath === folder);
    const index = mounts.findIndex(({ name, mountPath }) => name === theirs?.name && mountPath !== folder);
    if (!theirs || index < 0 || ![...command, ...args].join(' ').includes(file)) continue;
    return [
      {
        title: `Mount the volume at ${code(folder)}`,
        changes: [
          change(
            place,
            fieldPath(place.path, 'volumeMounts', index, 'mountPath'),
            folder,
            'the container that writes the file has it there',
          ),
        ],
        confidence: 'likely',
        explanation: `Volume ${code(theirs.name)} is mounted at ${code(mounts[index]?.mountPath ?? '')}.`,
        mirrorable: true,
      },
    ];
  }
  return [];
}

/** A volume of the pod that has the file and that this container does not mount. */
function mountedNowhere(input: RuleInput, place: ContainerPlace, file: string): Correction[] {
  const mounts = place.container?.volumeMounts ?? [];
  const name = file.slice(file.lastIndexOf('/') + 1);
  const folder = file.slice(0, file.lastIndexOf('/'));
  const volume = place.spec.volumes?.find((one) => !mounts.some((mount) => mount.name === one.name) && keysOf(input, one).includes(name));
  if (!volume || folder === '' || mounts.some(({ mountPath }) => mountPath.replace(/\/$/, '') === folder)) return [];
  return [
    {
      title: `Mount volume ${code(volume.name)} at ${code(folder)}`,
      changes: [
        appended(
          place,
          fieldPath(place.path, 'volumeMounts'),
          place.container?.volumeMounts,
          { name: volume.name, mountPath: folder },
          `the volume has ${code(name)}, and the container does not mount it`,
        ),
      ],
      confidence: 'likely',
      explanation: 'The pod has the volume. Other files of this folder in the image are hidden then.',
      mirrorable: true,
    },
  ];
}

/** The files of a volume that ConfigMap or Secret make, as far as their keys are known. */
function keysOf({ subject }: RuleInput, { configMap, secret }: Volume): string[] {
  const { configMaps, secrets } = subject.surroundings ?? {};
  const keys = configMap
    ? configMaps?.find(({ name }) => name === configMap.name)?.keys
    : secrets?.find(({ name }) => name === secret?.secretName)?.keys;
  return (configMap ?? secret)?.items?.map((item) => item.path) ?? keys ?? [];
}

/** The paths of the files that ConfigMaps and Secrets bring into the container, as far as their keys are known. */
function mountedFiles(input: RuleInput, place: ContainerPlace, only?: VolumeMount): string[] {
  const mounts = only ? [only] : (place.container?.volumeMounts ?? []);
  return mounts.flatMap((mount) => {
    const volume = place.spec.volumes?.find(({ name }) => name === mount.name);
    if (!volume?.configMap && !volume?.secret) return [];
    if (mount.subPath) return [mount.mountPath];
    return keysOf(input, volume).map((path) => `${mount.mountPath.replace(/\/$/, '')}/${path}`);
  });
}
