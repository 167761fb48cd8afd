import { fieldPath } from '../../../crd/field-path.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { type ContainerPlace } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';

/** The user number that images commonly use. */
const ORDINARY_USER = 1000;

/** For a program that refuses to run as root: an ordinary user, set where root is set, otherwise on the container. */
export function asOrdinaryUser(place: ContainerPlace | undefined): Correction[] {
  if (!place?.container) return [];
  const own = place.container.securityContext?.runAsUser;
  const ofPod = place.spec.securityContext?.runAsUser;
  if ((own ?? ofPod ?? 0) !== 0) return [];
  const base = own === undefined && ofPod === 0 ? place.specPath : place.path;
  return [
    {
      title: `Run as user ${ORDINARY_USER}`,
      changes: [change(place, fieldPath(base, 'securityContext', 'runAsUser'), ORDINARY_USER, 'the program refuses to run as root')],
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
  const user = place.container.securityContext?.runAsUser ?? place.spec.securityContext?.runAsUser;
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
