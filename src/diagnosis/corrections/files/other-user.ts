import { groupOfImage, userOfImage } from '../images/user-of-image.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { type ContainerPlace, userOf } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';

/** The user number that images commonly use. */
const ORDINARY_USER = 1000;

/** The user to whom the pod gives its files: in an init container, or by the group of its volumes, or that of a well-known image. */
function ownerOfFiles({ container, spec }: ContainerPlace): number {
  const given = (spec.initContainers ?? []).flatMap(
    ({ command = [], args = [] }) => /\bchown (?:-\w{1,4} )?(\d{1,7})/.exec([...command, ...args].join(' ').slice(0, 4000))?.[1] ?? [],
  );
  const group = spec.securityContext?.fsGroup;
  return [Number(given[0] ?? 0), group ?? 0, groupOfImage(container?.image) ?? 0].find((user) => user > 0) ?? ORDINARY_USER;
}

/** For a program that refuses to run as root: an ordinary user, set where root is set, otherwise on the container. */
export function asOrdinaryUser(place: ContainerPlace | undefined): Correction[] {
  if (!place?.container) return [];
  const own = place.container.securityContext?.runAsUser;
  const ofPod = place.spec.securityContext?.runAsUser;
  if ((own ?? ofPod ?? 0) !== 0) return [];
  // Init containers that take root from the pod prepare its folders with it.
  const isShared = (place.spec.initContainers ?? []).some(({ securityContext }) => securityContext?.runAsUser === undefined);
  const base = own === undefined && ofPod === 0 && !isShared ? place.specPath : place.path;
  const user = ownerOfFiles(place);
  return [
    {
      title: `Run as user ${user}`,
      changes: [change(place, fieldPath(base, 'securityContext', 'runAsUser'), user, 'the program refuses to run as root')],
      confidence: 'likely',
      explanation: 'The program then needs folders that this user may write to. A mirror shows whether it has them.',
      mirrorable: true,
    },
  ];
}

/** For a program that runs only as root: removes the user that the pod sets. This grants a right that the pod did not have. */
export function asRoot(place: ContainerPlace | undefined): Correction[] {
  if (!place?.container) return [];
  const found = [
    { path: place.path, security: place.container.securityContext },
    { path: place.specPath, security: place.spec.securityContext },
  ].filter(({ security }) => security?.runAsUser !== undefined || security?.runAsNonRoot === true);
  const user = userOf(place);
  if (found.length === 0 || user === 0) return [];
  const changes = found.flatMap(({ path, security }) =>
    (['runAsUser', 'runAsNonRoot'] as const).flatMap((field) =>
      security?.[field] === undefined || security[field] === false
        ? []
        : [change(place, fieldPath(path, 'securityContext', field), null, 'the program only runs as root')],
    ),
  );
  return [
    {
      title: 'Run as the user of the image',
      changes,
      confidence: 'guess',
      explanation: `The pod says ${user === undefined ? '`runAsNonRoot`' : `user ${code(user)}`}. Decide first whether this program may be root.`,
      mirrorable: false,
    },
  ];
}

/** For a program that asks for the name of its user, which the image does not know: the user of the image, or else no other one than that. */
export function knownUser(place: ContainerPlace | undefined): Correction[] {
  const own = place?.container?.securityContext?.runAsUser;
  const user = own ?? place?.spec.securityContext?.runAsUser;
  const known = userOfImage(place?.container?.image);
  if (!place || user === undefined || user === null || user === 0 || user === known) return [];
  const path = fieldPath(own === undefined || own === null ? place.specPath : place.path, 'securityContext', 'runAsUser');
  return [
    {
      title: known === undefined ? 'Run as the user of the image' : `Run as user ${known}`,
      changes: [change(place, path, known ?? null, `the image has no user ${user}`)],
      confidence: known === undefined ? 'guess' : 'likely',
      explanation: 'The program asks for the name of its user, which stands in `/etc/passwd` of the image.',
      mirrorable: true,
    },
  ];
}
