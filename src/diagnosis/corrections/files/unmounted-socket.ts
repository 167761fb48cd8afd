import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { givenIn, rewritten } from '../given-values.ts';
import { mountOf } from './mounted-files.ts';

const SOCKET = /^(unix:(?:\/\/)?)?(\/(?:[\w.@+-]{1,80}\/){0,8})([\w.@+-]{1,80}\.sock)$/;

/** The one option or variable with a socket in a folder that no volume brings. Its correction: the volume that is made for it, mounted elsewhere. */
export function unmountedSocket(input: RuleInput): { name: string; socket: string; corrections: Correction[] } | undefined {
  const place = input.place();
  const given = place ? givenIn(place) : [];
  const found = given.flatMap((one) => {
    const [, scheme = '', folder = '', file = ''] = SOCKET.exec(one.value) ?? [];
    // What the kubelet opens is a path of the node.
    return file !== '' && !/kubelet|host|registration/i.test(one.name) ? [{ ...one, scheme, folder, file }] : [];
  });
  const [only, ...more] = found;
  if (!place || !only || more.length > 0 || mountOf(place, only.folder + only.file)) return undefined;
  const { name, value, scheme, folder, file } = only;
  const last = folder.split('/').findLast(Boolean) ?? '';
  const fitting = (place.container?.volumeMounts ?? []).filter(
    ({ mountPath, name: volume, subPath }) =>
      !subPath && ((last !== '' && mountPath.replace(/\/$/, '').endsWith(`/${last}`)) || /sock/i.test(volume)),
  );
  const [mount, ...others] = fitting;
  if (!mount || others.length > 0) return { name, socket: value, corrections: [] };
  const to = `${scheme}${withoutSlash(mount.mountPath)}/${file}`;
  return {
    name,
    socket: value,
    corrections: [
      {
        title: `Set ${code(name)} to ${code(to)}`,
        changes: [
          rewritten(
            place,
            only,
            to,
            `volume ${code(mount.name)} is mounted at ${code(mount.mountPath)}, and nothing is at ${code(folder)}`,
          ),
        ],
        confidence: 'likely',
        explanation: `No volume brings ${code(folder)} into this container.`,
        mirrorable: true,
      },
    ],
  };
}

const withoutSlash = (folder: string): string => folder.replace(/\/$/, '');
