import { fieldPath } from '../../../crd/field-path.ts';
import type { Container, VolumeMount } from '../../../crd/kubernetes.ts';
import { code } from '../../rendering/quote.ts';
import { appended, change } from '../change.ts';
import { type ContainerPlace, type RuleInput } from '../../facts/input.ts';
import { logSections } from '../../facts/log-sections.ts';
import { textsOf } from '../container-texts.ts';
import type { Correction } from '../correction.ts';
import { givenIn } from '../given-values.ts';
import { nearest } from '../similar-names.ts';
import { isBelow } from './mounted-files.ts';
import { mountedAt } from './other-folder.ts';
import { isKept } from './writable-folder.ts';

const MAX_TEXT = 20_000;
/** Folders with many uses. A volume that another container mounts there says nothing about a file. */
const COMMON = /^\/(?:tmp|run|var\/run|var\/tmp|dev\/shm|var\/lib|var\/log|opt|mnt|srv)?\/?$/;

/** For a file that another container of the pod writes to a volume: mounts the same volume where this container looks for the file. */
export function writtenElsewhere(place: ContainerPlace, file: string): Correction[] {
  const others = [...(place.spec.initContainers ?? []), ...place.spec.containers].filter(({ name }) => name !== place.container?.name);
  for (const other of others)
    for (const theirs of other.volumeMounts ?? []) {
      const root = isForFiles(place, theirs) ? rootOf(other, theirs, file) : undefined;
      const made = root === undefined ? [] : sharedAt(place, { theirs, root, file });
      if (made.length > 0) return made;
    }
  return [];
}

/**
 * For a file in a volume that an init container should fill, and which it has mounted elsewhere: the init container says or is told that it writes such
 * a file to another folder, on which it has no volume.
 */
export function writtenBesideVolume({ subject }: RuleInput, place: ContainerPlace, file: string): Correction[] {
  const mount = place.container?.volumeMounts?.find(({ mountPath, subPath }) => !subPath && isBelow(file, mountPath));
  const rest = mount ? file.slice(mount.mountPath.replace(/\/$/, '').length) : '';
  for (const [at, init] of (place.spec.initContainers ?? []).entries()) {
    const mounts = init.volumeMounts ?? [];
    const index = mounts.findIndex(({ name }) => name === mount?.name);
    const theirs = mounts[index];
    if (!mount || !theirs || !isForFiles(place, mount)) continue;
    const log = logSections({ ...subject, container: init.name })[0]?.text ?? '';
    const said = [log, ...textsOf(init)].flatMap((text) => text.slice(0, MAX_TEXT).match(/(?<![\w.$}-])\/[\w./-]{2,200}/g) ?? []);
    const isOutside = (path: string): boolean => !mounts.some(({ mountPath }) => path === mountPath || isBelow(path, mountPath));
    const folders = said.flatMap((path) => (path.endsWith(rest) && isOutside(path) ? [path.slice(0, -rest.length)] : []));
    const [to, ...more] = [...new Set(folders)];
    if (to === undefined || to === '' || more.length > 0) continue;
    const why = `container ${code(init.name)} writes ${code(rest.slice(1))} there`;
    const path = fieldPath(place.specPath, 'initContainers', at, 'volumeMounts', index, 'mountPath');
    return [
      {
        title: `Mount the volume ${code(theirs.name)} at ${code(to)} in ${code(init.name)}`,
        changes: [change(place, path, to, why)],
        confidence: 'likely',
        explanation: `The init container has the volume at ${code(theirs.mountPath)}, and writes beside it.`,
        mirrorable: true,
      },
    ];
  }
  return [];
}

/** For a file below the only folder where another container mounts a volume that this one does not. */
export function besideMounted(place: ContainerPlace, file: string): Correction[] {
  const own = place.container?.volumeMounts ?? [];
  const others = [...(place.spec.initContainers ?? []), ...place.spec.containers].filter(({ name }) => name !== place.container?.name);
  const found = others
    .flatMap(({ volumeMounts = [] }) => volumeMounts)
    .filter((theirs) => isForFiles(place, theirs) && isBelow(file, theirs.mountPath) && !COMMON.test(theirs.mountPath))
    .filter((theirs) => !own.some(({ name, mountPath }) => name === theirs.name || isBelow(file, mountPath)));
  const [only, ...more] = [...new Map(found.map((theirs) => [`${theirs.name} ${theirs.mountPath}`, theirs])).values()];
  return only && more.length === 0
    ? [{ ...sharedVolume(place, only.name, { root: only.mountPath, why: 'another container has the volume there' }), confidence: 'guess' }]
    : [];
}

/**
 * For a missing folder, or the folder of a missing file: moves the container's only volume there. The volume must be mounted at a folder with the
 * same name or a similar path, or settings must name the missing folder and not the folder where the volume is mounted.
 */
export function movedMount(place: ContainerPlace, missing: string): Correction[] {
  const path = missing.replace(/\/$/, '');
  // A name with an ending is that of a file.
  const isFile = /\.[a-z]\w{1,7}$/i.test(path);
  const parent = path.slice(0, path.lastIndexOf('/'));
  // A setting that names it wants the whole volume there.
  const isNamed = givenIn(place).some(({ value }) => value.replace(/\/$/, '') === path);
  const folders = isFile ? [parent] : isNamed ? [path, parent] : [parent, path];
  return folders.flatMap((folder) => movedTo(place, folder)).slice(0, 1);
}

function movedTo(place: ContainerPlace, folder: string): Correction[] {
  const nameOf = (path: string) => path.replace(/\/$/, '').slice(path.replace(/\/$/, '').lastIndexOf('/') + 1);
  const mounts = place.container?.volumeMounts ?? [];
  const index = mounts.findIndex((one) => isForFiles(place, one));
  const mount = mounts[index];
  if (!mount || mounts.filter((one) => isForFiles(place, one)).length > 1 || isBelow(`${folder}/`, mount.mountPath)) return [];
  if (mounts.some(({ mountPath }) => mountPath.replace(/\/$/, '') === folder)) return [];
  if (nameOf(folder) === '' || isKept(folder) || COMMON.test(folder)) return [];
  const texts = givenIn(place).map(({ value }) => value.replace(/\/$/, ''));
  const isUnused = !texts.some((text) => text === mount.mountPath || isBelow(text, mount.mountPath));
  const isNamed = isUnused && texts.some((text) => text === folder || isBelow(text, folder));
  const isNear = isUnused && nearest(folder, [mount.mountPath]).length > 0;
  if (!isNamed && !isNear && nameOf(folder) !== nameOf(mount.mountPath)) return [];
  return [
    mountedAt(
      place,
      { index, to: folder },
      {
        why: 'the program looks for the folder there',
        explanation: `Volume ${code(mount.name)} is mounted at ${code(mount.mountPath)}.`,
        confidence: isNamed || isNear ? 'likely' : 'guess',
      },
    ),
  ];
}

/** Whether programs can write to the volume: it does not come from a ConfigMap or Secret, and it is mounted as a whole. */
function isForFiles({ spec }: ContainerPlace, { name, subPath, subPathExpr }: VolumeMount): boolean {
  const volume = spec.volumes?.find((one) => one.name === name);
  return Boolean(volume && !subPath && !subPathExpr && !volume.configMap && !volume.secret && !volume.projected && !volume.downwardAPI);
}

/** The folder where the volume must be mounted so that the other container's file appears where this one looks for it. */
function rootOf({ command = [], args = [] }: Container, { mountPath }: VolumeMount, file: string): string | undefined {
  const text = [...command, ...args].join(' ').slice(0, MAX_TEXT);
  const base = `${mountPath.replace(/\/$/, '')}/`;
  for (let at = text.indexOf(base); at >= 0; at = text.indexOf(base, at + base.length)) {
    if (/[\w.-]/.test(text[at - 1] ?? ' ')) continue;
    const inside = /^[\w@+%~.-]{1,120}(?:\/[\w@+%~.-]{1,120}){0,8}/.exec(text.slice(at + base.length, at + base.length + 400))?.[0];
    const rest = inside?.replace(/[.,;]+$/, '');
    if (rest && file.endsWith(`/${rest}`)) return file.slice(0, -rest.length - 1);
  }
  return undefined;
}

function sharedAt(place: ContainerPlace, { theirs, root, file }: { theirs: VolumeMount; root: string; file: string }): Correction[] {
  const mounts = place.container?.volumeMounts ?? [];
  const isTheirs = root === theirs.mountPath.replace(/\/$/, '');
  const isFree = root !== '' && (isTheirs || !isKept(root)) && !mounts.some(({ mountPath }) => mountPath.replace(/\/$/, '') === root);
  if (!isFree) return [];
  const index = mounts.findIndex(({ name }) => name === theirs.name);
  const why = `another container writes ${code(file.slice(root.length + 1))} into the volume`;
  if (index < 0) return [sharedVolume(place, theirs.name, { root, why })];
  if (mounts[index]?.subPath) return [];
  return [
    mountedAt(
      place,
      { index, to: root },
      { why, explanation: `Volume ${code(theirs.name)} is mounted at ${code(mounts[index]?.mountPath ?? '')}.` },
    ),
  ];
}

/** Mounts another container's volume in this container too. */
function sharedVolume(place: ContainerPlace, name: string, { root, why }: { root: string; why: string }): Correction {
  return {
    title: `Mount volume ${code(name)} at ${code(root)}`,
    changes: [appended(place, fieldPath(place.path, 'volumeMounts'), place.container?.volumeMounts, { name, mountPath: root }, why)],
    confidence: 'likely',
    explanation: 'Containers share files only in a volume that both of them mount.',
    mirrorable: true,
  };
}
