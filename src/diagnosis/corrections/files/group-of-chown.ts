import { commandWords } from '../container-texts.ts';
import { change } from '../change.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { type ContainerPlace, userOf } from '../../facts/input.ts';

/** A command that does nothing but change owners, in a shell or without one. */
const CHOWN = /^(?:(?:\S*\/)?(?:sh|bash|ash) -\w*c )?(?:exec )?chown(?: -\w+)* (\d{1,10})(?::(\d{1,10}))?((?: \/[\w./-]+)+) ?;?$/;

/**
 * For an init container that changes the owner of volumes, and may not, since its user is not root: `fsGroup` does this in its place
 * (Kubernetes, "Configure a Security Context"). Only for volumes that take it.
 */
export function groupInPlaceOfChown(place: ContainerPlace): Correction[] {
  const { spec, specPath, container } = place;
  const list = fieldPath(specPath, 'initContainers');
  const user = userOf(place) ?? 0;
  const group = groupGiven(place);
  if (!container || !place.path.startsWith(list) || user === 0 || group === 0 || spec.securityContext?.fsGroup !== undefined) return [];
  const isOnly = spec.initContainers?.length === 1;
  const why = `${code(container.name)} only changes the owner, and its user ${code(user)} may not`;
  return [
    {
      title: `Let kubelet give the volume to group ${code(group)}, without ${code(container.name)}`,
      changes: [
        change(place, isOnly ? list : place.path, null, why),
        change(place, fieldPath(specPath, 'securityContext', 'fsGroup'), group, 'kubelet then lets that group write into the volume'),
      ],
      confidence: 'likely',
      explanation: 'Only root may change the owner of files, and the pod runs as an ordinary user.',
      mirrorable: true,
    },
  ];
}

/** The group, or else the user, to whom the command gives nothing but volumes that take `fsGroup`; 0 for any other command. */
function groupGiven({ container, spec }: ContainerPlace): number {
  const [, user, group, paths = ''] = CHOWN.exec(commandWords(container).join(' ')) ?? [];
  const whole = (path: string): string => path.replace(/\/$/, '');
  const takesGroup = (path: string): boolean => {
    const mount = container?.volumeMounts?.find(({ mountPath }) => whole(mountPath) === whole(path));
    const volume = spec.volumes?.find(({ name }) => name === mount?.name);
    return volume?.persistentVolumeClaim !== undefined || volume?.emptyDir !== undefined;
  };
  return paths.trim().split(' ').every(takesGroup) ? Number(group ?? user) : 0;
}
