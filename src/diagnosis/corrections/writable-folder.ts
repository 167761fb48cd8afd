import type { Change } from '../../contract/failure.ts';
import { fieldPath } from '../../crd/field-path.ts';
import { code } from '../rendering/quote.ts';
import type { Correction } from './correction.ts';
import { change, type ContainerPlace } from '../rules/rule.ts';

/** Folders whose content the image needs: an empty volume would hide it. */
const SYSTEM = /^\/(?:bin|boot|dev|etc|lib|lib64|proc|root|sbin|sys|usr)?(?:\/(?:bin|sbin|lib|lib64|local|share|ssl|ld\.so\S*))*\/?$/;
/** Folders where images keep the program itself: an empty volume would hide it. */
const PROGRAM =
  /^\/(?:app|application|code|srv|workspace|opt\/[^/]+|usr\/(?:src|share|lib|libexec)\/[^/]+|home\/[^/]+|var\/www(?:\/html)?)\/?$/;

/** Lets the container write at `path`: through the group of an existing volume, else with an empty volume at the folder. */
export function writableFolder(place: ContainerPlace | undefined, path: string, isFolder: boolean): Correction[] {
  if (!place?.container || !path.startsWith('/')) return [];
  const mount = place.container.volumeMounts?.find(
    ({ mountPath }) => path === mountPath || path.startsWith(`${mountPath.replace(/\/$/, '')}/`),
  );
  if (mount) return mount.readOnly ? [writableMount(place, mount.name)] : groupOfVolume(place, mount.mountPath);
  const folder = isFolder ? path.replace(/(?<=.)\/$/, '') : path.slice(0, path.lastIndexOf('/')) || '/';
  return SYSTEM.test(folder) || PROGRAM.test(folder) ? [] : [emptyVolume(place, folder)];
}

function emptyVolume(place: ContainerPlace, folder: string): Correction {
  const name = freeName(
    place,
    `writable-${folder
      .slice(1)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]+/g, '-')}`,
  );
  return {
    title: `Mount an empty volume at ${code(folder)}`,
    changes: [
      appended(place, fieldPath(place.specPath, 'volumes'), place.spec.volumes, { name, emptyDir: {} }, 'it lives as long as the pod'),
      appended(
        place,
        fieldPath(place.path, 'volumeMounts'),
        place.container?.volumeMounts,
        { name, mountPath: folder },
        'every user of the pod may write into an `emptyDir`',
      ),
    ],
    confidence: 'likely',
    explanation: 'What is written there is lost with the pod. Data that must stay needs a PersistentVolumeClaim.',
    mirrorable: true,
  };
}

function groupOfVolume(place: ContainerPlace, mountPath: string): Correction[] {
  const mount = place.container?.volumeMounts?.find((one) => one.mountPath === mountPath);
  // kubelet never changes the group of a folder of the node.
  if (place.spec.volumes?.find(({ name }) => name === mount?.name)?.hostPath) return [];
  const security = place.spec.securityContext;
  if (security?.fsGroup !== undefined) return [];
  const group =
    place.container?.securityContext?.runAsGroup ??
    security?.runAsGroup ??
    place.container?.securityContext?.runAsUser ??
    security?.runAsUser;
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
      confidence: 'likely',
      explanation: 'A new volume belongs to root; `fsGroup` makes it writable for the group.',
      mirrorable: true,
    },
  ];
}

function writableMount(place: ContainerPlace, name: string): Correction {
  const index = place.container?.volumeMounts?.findIndex((mount) => mount.name === name) ?? 0;
  return {
    title: `Mount volume ${code(name)} for writing`,
    changes: [change(place, fieldPath(place.path, 'volumeMounts', index, 'readOnly'), null, 'the program writes there')],
    confidence: 'guess',
    explanation: 'The mount is read-only.',
    mirrorable: false,
  };
}

/** The change that appends an entry to a list, or creates the list. */
export function appended(
  place: ContainerPlace,
  path: string,
  list: readonly unknown[] | null | undefined,
  entry: unknown,
  why: string,
): Change {
  return list ? change(place, fieldPath(path, list.length), entry, why) : change(place, path, [entry], why);
}

function freeName(place: ContainerPlace, wanted: string): string {
  const base = wanted.slice(0, 50).replace(/-+$/, '');
  const taken = new Set(place.spec.volumes?.map(({ name }) => name));
  let name = base;
  for (let number = 2; taken.has(name); number++) name = `${base}-${number}`;
  return name;
}
