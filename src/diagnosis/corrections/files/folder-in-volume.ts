import { fieldPath } from '../../../crd/field-path.ts';
import type { Change } from '../../../contract/failure.ts';
import type { ContainerPlace, RuleInput } from '../../facts/input.ts';
import { foundInLogs } from '../../facts/log-sections.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { change } from '../change.ts';
import { withVariable } from '../settings/set-variable.ts';

/** What initdb of PostgreSQL says if its data folder belongs to another user. */
const INITDB = /could not change permissions of directory ["'](\/[^"']{1,200})["']/;

/**
 * The data folder of PostgreSQL below the volume, not the volume itself: the folder where a volume is mounted belongs to root, and only the owner of a folder
 * may change its mode (chmod(2), EPERM). Source: documentation of the image `postgres`, "PGDATA".
 */
export function folderInVolume(input: RuleInput, file: string): Correction[] {
  const place = input.place();
  const folder = foundInLogs(input.subject, INITDB).replace(/\/$/, '');
  const mount = place?.container?.volumeMounts?.find(({ mountPath }) => mountPath.replace(/\/$/, '') === folder);
  const isGiven = place?.container?.env?.some(({ name, valueFrom }) => name === 'PGDATA' && valueFrom) === true;
  if (!place || !mount || folder !== file.replace(/\/$/, '') || isGiven) return [];
  const group = ownGroup(place);
  return [
    {
      title: `Keep the data in ${code(`${folder}/pgdata`)}`,
      changes: [withVariable(place, 'PGDATA', `${folder}/pgdata`, 'the program owns a folder that it makes itself'), ...group],
      confidence: place.spec.securityContext?.fsGroup !== undefined || group.length > 0 ? 'likely' : 'guess',
      explanation:
        'The folder where the volume is mounted belongs to root: a group may write there, and only the owner may change its mode.',
      mirrorable: true,
    },
  ];
}

/** The group without which the program may not even make its own folder in the volume; none where the pod has one, or names no user. */
function ownGroup(place: ContainerPlace): Change[] {
  const security = place.spec.securityContext;
  const user = place.container?.securityContext?.runAsUser ?? security?.runAsUser;
  if (security?.fsGroup !== undefined || !user) return [];
  return [change(place, fieldPath(place.specPath, 'securityContext', 'fsGroup'), user, 'the program may then make it')];
}
