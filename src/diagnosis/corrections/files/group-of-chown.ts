import { commandWords } from '../container-texts.ts';
import { change } from '../change.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import type { ContainerPlace } from '../../facts/input.ts';

/** A command that does nothing but change owners, in a shell or without one. */
const CHOWN = /^(?:(?:\S*\/)?(?:sh|bash|ash) -\w*c )?(?:exec )?chown(?: -\w+)* (\d{1,10})(?::(\d{1,10}))?((?: \/[\w./-]+)+) ?;?$/;

/**
 * For an init container that changes the owner of volumes, and may not, since its user is not root: `fsGroup` does this in its place
 * (Kubernetes, "Configure a Security Context"). Only for volumes that take it.
 */
export function groupInPlaceOfChown(place: ContainerPlace): Correction[] {
  const { spec, specPath, container } = place;
  const index = spec.initContainers?.findIndex((one) => one === container || one.name === container?.name) ?? -1;
  const isInit = place.path.startsWith(fieldPath(specPath, 'initContainers'));
  const user = container?.securityContext?.runAsUser ?? spec.securityContext?.runAsUser ?? 0;
  const [, owner, ofGroup, paths = ''] = CHOWN.exec(commandWords(container).join(' ')) ?? [];
  const group = Number(ofGroup ?? owner ?? 0);
  if (!container || !isInit || index < 0 || user === 0 || group === 0 || spec.securityContext?.fsGroup !== undefined) return [];
  const volumes = paths
    .trim()
    .split(' ')
    .map((path) => container.volumeMounts?.find(({ mountPath }) => mountPath.replace(/\/$/, '') === path.replace(/\/$/, ''))?.name)
    .map((name) => spec.volumes?.find((volume) => volume.name === name));
  if (!volumes.every((volume) => volume?.persistentVolumeClaim !== undefined || volume?.emptyDir !== undefined)) return [];
  const isOnly = spec.initContainers?.length === 1;
  const list = fieldPath(specPath, 'initContainers');
  return [
    {
      title: `Let kubelet give the volume to group ${code(group)}, without ${code(container.name)}`,
      changes: [
        change(
          place,
          isOnly ? list : fieldPath(list, index),
          null,
          `${code(container.name)} only changes the owner, and its user ${code(user)} may not`,
        ),
        change(place, fieldPath(specPath, 'securityContext', 'fsGroup'), group, 'kubelet then lets that group write into the volume'),
      ],
      confidence: 'likely',
      explanation: 'Only root may change the owner of files, and the pod runs as an ordinary user.',
      mirrorable: true,
    },
  ];
}
