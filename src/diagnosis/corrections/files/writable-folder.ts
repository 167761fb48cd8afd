import { asGuess } from '../combine.ts';
import { commandWords, textsOf } from '../container-texts.ts';
import { mountedAt } from './other-folder.ts';
import { groupOfImage } from '../images/user-of-image.ts';
import { groupInPlaceOfChown } from './group-of-chown.ts';
import { mountOf, objectsOf } from './mounted-files.ts';
import { appended, change } from '../change.ts';
import type { Change } from '../../../contract/failure.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import type { VolumeMount } from '../../../crd/kubernetes.ts';
import { code } from '../../rendering/quote.ts';
import type { ClaimAround } from '../../case.ts';
import type { Correction } from '../correction.ts';
import { type ContainerPlace, userOf } from '../../facts/input.ts';

/** System folders. The image needs their content, and an empty volume would hide it. */
const SYSTEM = /^\/(?:bin|boot|dev|etc|lib|lib64|proc|root|sbin|sys|usr)?(?:\/(?:bin|sbin|lib|lib64|local|share|ssl|ld\.so\S*))*\/?$/;
/** Folders in which images keep the program itself. An empty volume would hide it. */
const PROGRAM =
  /^\/(?:app|application|code|srv|workspace|opt\/[^/]+|usr\/(?:src|share|lib|libexec)\/[^/]+|home\/[^/]+|var\/www(?:\/html)?)\/?$/;

/**
 * Lets the container write at `path`. If a volume is mounted there, its group or owner is changed; otherwise an empty volume is mounted at the
 * folder. `claims` are the PersistentVolumeClaims of the namespace.
 */
export function writableFolder(
  place: ContainerPlace | undefined,
  path: string,
  isFolder: boolean,
  claims: readonly ClaimAround[] = [],
): Correction[] {
  if (!place?.container || !path.startsWith('/')) return [];
  const mount = mountOf(place, path);
  const mode = mount && modeOfSource(place, mount);
  // The kubelet mounts these volumes read-only, so the program must have tried to read.
  if (mount && mode !== undefined)
    return (mode & OTHERS_READ) === 0 && !place.spec.securityContext?.fsGroup ? readableByGroup(place, mount) : [];
  if (mount?.readOnly) return [writableMount(place, mount)];
  const byGroup = mount ? groupInPlaceOfChown(place) : [];
  if (byGroup.length > 0) return byGroup;
  if (mount) return readOnlySource(place, mount) ? writableSource(place, mount) : writableVolume(place, mount, claims);
  const moved = mountedElsewhere(place, path);
  return moved.length > 0 ? moved : emptyFolder(place, path, isFolder);
}

/** The only writable volume whose mount has the same last name (`/data/badger` for `/badger`), and which nothing in the container names. */
function mountedElsewhere(place: ContainerPlace, path: string): Correction[] {
  const folder = path.replace(/(?<=.)\/$/, '');
  const last = folder.slice(folder.lastIndexOf('/') + 1);
  const mounts = (place.container?.volumeMounts ?? []).map((mount, index) => ({ ...mount, index }));
  const [only, ...more] = mounts.filter(
    (mount) =>
      !mount.subPath &&
      !mount.readOnly &&
      modeOfSource(place, mount) === undefined &&
      mount.mountPath.replace(/\/$/, '').endsWith(`/${last}`),
  );
  if (last.length < 3 || !only || more.length > 0 || textsOf(place.container).some((text) => text.includes(only.mountPath))) return [];
  const [why, explanation] = [`the program writes at ${code(folder)}`, `Nothing of the container names ${code(only.mountPath)}.`];
  return [mountedAt(place, { index: only.index, to: folder }, { why, explanation })];
}

/** The mode bit that lets all users read a file. */
const OTHERS_READ = 0o004;

/** The mode of the files in a volume from a Secret or ConfigMap; undefined for other volumes. */
function modeOfSource(place: ContainerPlace, { name, mountPath }: VolumeMount): number | undefined {
  const source = objectsOf(place.spec.volumes?.find((one) => one.name === name));
  return source && mountPath ? ((source as { defaultMode?: number }).defaultMode ?? 0o644) : undefined;
}

/** For files that only root may read: `fsGroup` lets the pod's group read them too (Kubernetes, "Configure a Security Context"). */
function readableByGroup(place: ContainerPlace, { name }: VolumeMount): Correction[] {
  const group = groupOf(place) ?? userOf(place);
  if (!group) return [];
  return [
    {
      title: `Let group ${code(group)} read volume ${code(name)}`,
      changes: [
        change(
          place,
          fieldPath(place.specPath, 'securityContext', 'fsGroup'),
          group,
          'kubelet then gives the files to that group and lets it read them',
        ),
      ],
      confidence: 'likely',
      explanation: `The files of ${code(name)} belong to root, and its mode lets nobody else read them.`,
      mirrorable: true,
    },
  ];
}

/** The position and field of a mounted volume whose source (a claim, a share) is `readOnly` in the manifest. Undefined if it is writable. */
function readOnlySource(place: ContainerPlace, { name }: VolumeMount): { index: number; source: string } | undefined {
  const index = place.spec.volumes?.findIndex((volume) => volume.name === name) ?? -1;
  const sources = Object.entries(place.spec.volumes?.[index] ?? {}) as [string, { readOnly?: boolean } | string | undefined][];
  const source = sources.find(([, one]) => typeof one === 'object' && one?.readOnly === true)?.[0];
  return source === undefined ? undefined : { index, source };
}

/** The volume that is mounted at the path, if it is read-only there: its source is, or only this mount. */
export function readOnlyVolume(place: ContainerPlace | undefined, path: string): { name: string; isSource: boolean } | undefined {
  const mount = mountOf(place, path);
  const isSource = place !== undefined && mount !== undefined && readOnlySource(place, mount) !== undefined;
  return mount && (isSource || mount.readOnly === true) ? { name: mount.name, isSource } : undefined;
}

function writableSource(place: ContainerPlace, mount: VolumeMount): Correction[] {
  const found = readOnlySource(place, mount);
  if (!found) return [];
  const path = fieldPath(place.specPath, 'volumes', found.index, found.source, 'readOnly');
  return [
    {
      title: `Use volume ${code(mount.name)} for writing`,
      changes: [change(place, path, null, `the program writes at ${code(mount.mountPath)}, and the mount itself allows it`)],
      confidence: 'likely',
      explanation: 'The volume is read-only for the whole pod.',
      mirrorable: false,
    },
  ];
}

/** What the kernel shows as files: devices and its own state. */
const OF_KERNEL = /^\/(?:dev(?!\/shm)|proc|sys)\//;

function emptyFolder(place: ContainerPlace, path: string, isFolder: boolean): Correction[] {
  if (OF_KERNEL.test(path)) return [];
  const itself = path.replace(/(?<=.)\/$/, '');
  const above = path.slice(0, path.lastIndexOf('/')) || '/';
  // A plain `mkdir` fails if the folder already exists. Then the volume goes to the parent folder, unless the image needs its content.
  const isOnce = isFolder && isMadeOnce(place, itself);
  // A program that creates one of its working folders also creates others beside it.
  const isWork = isFolder && OF_WORK.test(above);
  const isTemporary = isFolder && TEMPORARY.test(above);
  const folder = isFolder && !isWork && !isTemporary && (!isOnce || isKept(above)) ? itself : above;
  // A path without a file extension is more likely a folder than a file.
  if (!isFolder && isKept(folder) && !isKept(itself) && !/\.[^/]*$/.test(itself) && !/\/s?bin\/?$/.test(folder))
    return [emptyVolume(place, itself, WORK.test(itself) ? 'likely' : 'guess')];
  return isKept(folder) ? [] : [emptyVolume(place, folder, isOnce && !isWork ? 'guess' : 'likely', alsoWritten(place, folder))];
}

/** Folders that a program writes to next, if the root file system is read-only: nginx writes its PID file to `/var/run`. */
const WRITTEN_NEXT: Record<string, string> = { '/var/cache/nginx': '/var/run' };

function alsoWritten({ container }: ContainerPlace, folder: string): string[] {
  const next = WRITTEN_NEXT[folder];
  const isThere = container?.volumeMounts?.some(({ mountPath }) => next?.endsWith(mountPath.replace(/\/$/, '')));
  return next !== undefined && !isThere && container?.securityContext?.readOnlyRootFilesystem === true ? [next] : [];
}

/** Folders for temporary files. A program that creates one folder there also creates others beside it. */
const TEMPORARY = /^\/(?:var\/)?tmp$/;

/** A program's own folder for its cache, logs, sockets or temporary files. */
const OF_WORK = /^\/(?:var\/(?:cache|log|run|spool|tmp)|run|tmp)\/[^/]+$/;

/** Whether the command creates the folder with `mkdir` without `-p`, which fails if the folder already exists. */
function isMadeOnce({ container }: ContainerPlace, folder: string): boolean {
  const text = commandWords(container).join(' ').slice(0, 20_000);
  const at = text.indexOf(folder);
  const words = at < 0 ? '' : text.slice(Math.max(0, at - 60), at);
  return /\bmkdir (?!.*-(?:\w*p\b|-parents))[^;&|\n]*$/.test(words);
}

/** Usual names of folders that programs write to. */
const WORK = /(?:^|[/_.-])(?:cache|te?mp|logs?|data|run|state|spool|uploads?|work|sessions?|storage|var|out(?:put)?|locks?|pids?)$/i;

/** Whether an empty volume at the folder would hide files that the image needs. */
export const isKept = (folder: string): boolean => SYSTEM.test(folder) || PROGRAM.test(folder);

/** Mounts an empty volume at the folder, and one at each of the folders `also`. */
export function emptyVolume(place: ContainerPlace, folder: string, confidence: Correction['confidence'], also: string[] = []): Correction {
  const entries = [folder, ...also].map((mountPath) => ({ name: freeName(place, `writable-${nameOf(mountPath)}`), mountPath }));
  const all = (list: readonly unknown[] | null | undefined, path: string, made: unknown[], why: string): Change[] =>
    list ? made.map((entry, index) => change(place, fieldPath(path, list.length + index), entry, why)) : [change(place, path, made, why)];
  const volumes = entries.map(({ name }) => ({ name, emptyDir: {} }));
  return {
    title: `Mount an empty volume at ${[folder, ...also].map((one) => code(one)).join(' and ')}`,
    changes: [
      ...all(place.spec.volumes, fieldPath(place.specPath, 'volumes'), volumes, 'programs can write to an `emptyDir`'),
      ...all(place.container?.volumeMounts, fieldPath(place.path, 'volumeMounts'), entries, 'every user of the pod can write into it'),
    ],
    confidence,
    explanation: 'What is written there is lost with the pod. Data that must stay needs a PersistentVolumeClaim.',
    mirrorable: true,
  };
}

const nameOf = (folder: string): string =>
  folder
    .slice(1)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-');

/** Kinds of storage whose files the kubelet gives to no group (Kubernetes, "Configure a Security Context"). */
const UNOWNED = new Set(['hostPath', 'nfs']);

/** A volume that somebody created by hand may be a folder on a node or on an NFS server. `fsGroup` does nothing for such a volume. */
function writableVolume(place: ContainerPlace, mount: VolumeMount, claims: readonly ClaimAround[]): Correction[] {
  const claim = place.spec.volumes?.find(({ name }) => name === mount.name)?.persistentVolumeClaim?.claimName;
  const corrections = groupOfVolume(place, mount.mountPath);
  if (!claims.some(({ name, storageClass, source = '' }) => name === claim && (storageClass === '' || UNOWNED.has(source))))
    return corrections;
  const owned = ownedFirst(place, mount);
  return [...owned, ...corrections.flatMap((one): Correction[] => (one.title === owned[0]?.title ? [] : [asGuess(one)]))];
}

function groupOfVolume(place: ContainerPlace, mountPath: string): Correction[] {
  const mount = place.container?.volumeMounts?.find((one) => one.mountPath === mountPath);
  const volume = place.spec.volumes?.find(({ name }) => name === mount?.name);
  const security = place.spec.securityContext;
  // The kubelet never changes the group of a hostPath folder, and not every storage driver lets it change the group of a claim.
  if (volume?.hostPath || (security?.fsGroup !== undefined && volume?.persistentVolumeClaim)) return mount ? ownedFirst(place, mount) : [];
  if (security?.fsGroup !== undefined) return [];
  const group = groupOf(place) ?? userOf(place) ?? groupOfImage(place.container?.image);
  if (!group) return [];
  return [
    {
      title: `Give the volume to group ${code(group)}`,
      changes: [
        change(
          place,
          fieldPath(place.specPath, 'securityContext', 'fsGroup'),
          group,
          `kubelet then lets that group write at ${code(mountPath)}`,
        ),
      ],
      ...sureOfGroup(place, mountPath, volume?.name),
      mirrorable: true,
    },
  ];
}

/** How sure it is that the group can write there. It has no rights on files that root creates in the volume later. */
function sureOfGroup(place: ContainerPlace, mountPath: string, volume: string | undefined): Pick<Correction, 'confidence' | 'explanation'> {
  // Most images let nobody else into the home of root.
  if (/^\/root\/./.test(mountPath) && (userOf(place) ?? 0) !== 0)
    return {
      confidence: 'guess',
      explanation: 'It helps only if the image lets this user into `/root`. Better: mount the volume elsewhere, and tell the program so.',
    };
  return {
    confidence: isFilledByRoot(place, volume) ? 'guess' : 'likely',
    explanation: 'A new volume belongs to root; `fsGroup` makes it writable for the group.',
  };
}

const groupOf = ({ container, spec }: ContainerPlace): number | undefined =>
  container?.securityContext?.runAsGroup ?? spec.securityContext?.runAsGroup;

function isFilledByRoot({ spec }: ContainerPlace, volume: string | undefined): boolean {
  return (spec.initContainers ?? []).some(
    ({ securityContext, volumeMounts }) =>
      (securityContext?.runAsUser ?? spec.securityContext?.runAsUser ?? 0) === 0 && volumeMounts?.some(({ name }) => name === volume),
  );
}

/** Adds an init container that gives the folder to the program's user. It runs as root, which nothing in the pod may have done before. */
function ownedFirst(place: ContainerPlace, { name, mountPath }: VolumeMount): Correction[] {
  const user = userOf(place);
  const list = place.spec.initContainers;
  if (!user || place.path.startsWith(fieldPath(place.specPath, 'initContainers')) || list?.some((one) => one.name === 'own-folder'))
    return [];
  const group = groupOf(place) ?? user;
  const init = {
    name: 'own-folder',
    image: place.container?.image,
    command: ['chown', '-R', `${user}:${group}`, mountPath],
    securityContext: { runAsUser: 0, runAsNonRoot: false },
    volumeMounts: [{ name, mountPath }],
  };
  return [
    {
      title: `Change the owner of ${code(mountPath)} to user ${code(user)} before the program starts`,
      changes: [
        appended(
          place,
          fieldPath(place.specPath, 'initContainers'),
          list,
          init,
          `the folder belongs to another user, and ${code('fsGroup')} does not change it`,
        ),
      ],
      confidence: 'guess',
      explanation: 'The init container runs as root, with a `chown` that the image must have. Decide first whether the pod may do that.',
      mirrorable: false,
    },
  ];
}

/** Advice for a program that may not read or write at a path: one or two sentences, in Markdown. */
export function whereToWrite(place: ContainerPlace | undefined, path: string): string {
  const mount = mountOf(place, path);
  const volume = place?.spec.volumes?.find(({ name }) => name === mount?.name);
  const user = place && userOf(place);
  const owner = user ? `\`chown ${user}\`` : '`chown`';
  if (volume?.hostPath)
    return `Change the owner of ${code(volume.hostPath.path ?? '')} on the node (${owner}), or in an init container that runs as root. \`fsGroup\` does nothing for a folder of the node.`;
  if (volume?.persistentVolumeClaim && place?.spec.securityContext?.fsGroup !== undefined)
    return `The pod has \`fsGroup\` already: the storage does not take it, or files of another owner are there. Change their owner (${owner}) in an init container that runs as root.`;
  if (objectsOf(volume))
    return 'Files of a Secret or ConfigMap belong to root: `fsGroup` gives them to a group of the program, `defaultMode` sets their mode. Nobody can write there.';
  if (mount || !place)
    return 'Let the program write where its user may write: an `emptyDir`, a volume with `fsGroup`, or a folder that belongs to this user in the image.';
  return 'No volume is mounted there, so the path belongs to the image. If the program writes there, mount an `emptyDir`; if it reads what the image has, give the file to its user in the image, or run as the user that the image was built for.';
}

function writableMount(place: ContainerPlace, mount: VolumeMount): Correction {
  const { name } = mount;
  const index = place.container?.volumeMounts?.indexOf(mount) ?? 0;
  const volume = place.spec.volumes?.find((one) => one.name === name);
  const [ofSource] = writableSource(place, mount);
  return {
    title: `Mount volume ${code(name)} for writing`,
    changes: [
      change(place, fieldPath(place.path, 'volumeMounts', index, 'readOnly'), null, 'the program writes there'),
      ...(ofSource?.changes ?? []),
    ],
    // The files of a ConfigMap or Secret stay read-only. A shared folder of the node may be read-only on purpose.
    confidence: volume?.emptyDir || volume?.persistentVolumeClaim || volume?.ephemeral ? 'likely' : 'guess',
    explanation: 'The mount is read-only.',
    mirrorable: false,
  };
}

function freeName(place: ContainerPlace, wanted: string): string {
  const base = wanted.slice(0, 50).replace(/-+$/, '');
  const taken = new Set(place.spec.volumes?.map(({ name }) => name));
  let name = base;
  for (let number = 2; taken.has(name); number++) name = `${base}-${number}`;
  return name;
}
