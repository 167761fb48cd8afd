import { fieldPath } from '../../../crd/field-path.ts';
import type { ContainerPlace, RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';
import { nearest } from '../similar-names.ts';
import { keysOf } from './mounted-files.ts';

/**
 * For a file that a mount brings by `subPath`, under a key that its object does not have: the key that differs in its letters' case, or a near one.
 * The kubelet makes an empty folder in place of such a file (Kubernetes, "Volumes": Using subPath).
 */
export function otherSubPath(input: RuleInput, place: ContainerPlace, file: string): Correction[] {
  const mounts = place.container?.volumeMounts ?? [];
  const index = mounts.findIndex(({ mountPath, subPath }) => subPath !== undefined && mountPath === file);
  const { name, subPath = '' } = mounts[index] ?? {};
  const volume = place.spec.volumes?.find((one) => one.name === name);
  const keys = volume ? keysOf(input, volume) : [];
  const same = keys.filter((key) => key.toLowerCase() === subPath.toLowerCase());
  const [only, ...more] = same.length > 0 ? same : nearest(subPath, keys);
  if (subPath === '' || keys.includes(subPath) || only === undefined || more.length > 0) return [];
  return [
    {
      title: `Use the key ${code(only)}`,
      changes: [change(place, fieldPath(place.path, 'volumeMounts', index, 'subPath'), only, `there is no key ${code(subPath)}`)],
      confidence: 'likely',
      explanation: `Without the key, an empty folder is mounted at ${code(file)}.`,
      mirrorable: true,
    },
  ];
}
