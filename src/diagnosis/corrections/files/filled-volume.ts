import { commandWords } from '../container-texts.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import type { Container, VolumeMount } from '../../../crd/kubernetes.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { type ContainerPlace, userOf } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { isBelow } from './mounted-files.ts';

/** An init container that writes to a volume of the failing container. `path` is its path in the manifest. */
interface Filler {
  container: Container;
  path: string;
  /** The path of the file in the init container. */
  file: string;
}

/**
 * For a file in an `emptyDir` that the program may not use, because an init container created it for a different user. If the init container
 * uses `chown`, the program's user becomes the owner. If it creates the file as root, it runs as the program's user instead.
 */
export function ownerOfFilled(place: ContainerPlace | undefined, file: string): Correction[] {
  const user = place && userOf(place);
  if (!place?.container || !user) return [];
  const volumes = (place.container.volumeMounts ?? []).map(({ mountPath }) => `${mountPath.replace(/\/$/, '')}/${file}`);
  // Of a name without a folder, only its init container shows in which volume it is.
  const paths = file.startsWith('/') ? [file] : file === '' ? [] : volumes;
  for (const filler of paths.flatMap((path) => fillersOf(place, path))) {
    const made = givenAway(place, filler, user) ?? madeByRoot(place, filler, user);
    if (made) return [made];
  }
  return [];
}

function fillersOf(place: ContainerPlace, file: string): Filler[] {
  const isIn = ({ mountPath, subPath }: VolumeMount) => !subPath && (file === mountPath || isBelow(file, mountPath));
  const own = place.container?.volumeMounts?.find(isIn);
  const isEmpty = place.spec.volumes?.some(({ name, emptyDir }) => name === own?.name && emptyDir !== undefined);
  if (!own || !isEmpty) return [];
  const inits = place.spec.initContainers ?? [];
  const before = inits.findIndex(({ name }) => name === place.container?.name);
  return inits.slice(0, before < 0 ? inits.length : before).flatMap((container, index) => {
    const mount = container.volumeMounts?.find(({ name, subPath }) => name === own.name && !subPath);
    const path = fieldPath(place.specPath, 'initContainers', index);
    return mount
      ? [{ container, path, file: `${mount.mountPath.replace(/\/$/, '')}${file.slice(own.mountPath.replace(/\/$/, '').length)}` }]
      : [];
  });
}

const GIVES = /(\bchown(?: -{1,2}[\w-]{1,20}){0,3} )(\d{1,9})(:(\d{1,9}))?(?= )/;

/** Corrects the owner in the `chown` of an init container: `chown 82:82`, but the program runs as user 1000. */
function givenAway(place: ContainerPlace, { container, path }: Filler, user: number): Correction | undefined {
  for (const list of ['command', 'args'] as const)
    for (const [index, word] of (container[list] ?? []).entries()) {
      const [, , owner, , group] = GIVES.exec(word) ?? [];
      if (owner === undefined || Number(owner) === user) continue;
      const own = place.container?.securityContext?.runAsGroup ?? place.spec.securityContext?.runAsGroup ?? user;
      const to = word.replace(GIVES, `$1${user}${group === undefined ? '' : `:${own}`}`);
      return {
        title: `Let ${code(container.name)} give the folder to user ${code(user)}`,
        changes: [change(place, fieldPath(path, list, index), to, `the program runs as user ${code(user)}, not ${code(owner)}`)],
        confidence: 'likely',
        explanation: `${code(container.name)} gives it to user ${code(owner)}.`,
        mirrorable: true,
      };
    }
  return undefined;
}

/** Runs an init container that creates the file as root as the program's user, unless it also runs commands that need root. */
function madeByRoot(place: ContainerPlace, { container, path, file }: Filler, user: number): Correction | undefined {
  const text = commandWords(container).join('\n').slice(0, 20_000);
  const isRoot = (userOf({ container, spec: place.spec }) ?? 0) === 0;
  const name = file.slice(file.lastIndexOf('/') + 1);
  if (!isRoot || name === '' || !text.includes(name) || /\b(?:chown|chgrp|mount|apk|apt|apt-get|yum|sysctl)\b/.test(text)) return undefined;
  return {
    title: `Run ${code(container.name)} as user ${code(user)}`,
    changes: [change(place, fieldPath(path, 'securityContext', 'runAsUser'), user, `the program reads ${code(name)} as this user`)],
    confidence: 'likely',
    explanation: `${code(container.name)} makes ${code(name)} as root.`,
    mirrorable: true,
  };
}
