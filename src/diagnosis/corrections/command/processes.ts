import { fieldPath } from '../../../crd/field-path.ts';
import type { Container } from '../../../crd/kubernetes.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { type RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';

/** For a process that the container cannot see: names the container of the pod that runs it, and shares the pod's processes. */
export function sharedProcesses(input: RuleInput, process: string): { of: string; corrections: Correction[] } | undefined {
  const place = input.place();
  if (!place?.container || process === '' || place.spec.shareProcessNamespace === true || place.spec.hostPID === true) return undefined;
  const beside = (place.spec.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always');
  const other = [...beside, ...place.spec.containers].find((one) => one.name !== place.container?.name && isRunBy(one, process));
  if (!other) return undefined;
  return {
    of: other.name,
    corrections: [
      {
        title: 'Share the processes of the pod',
        changes: [
          change(
            place,
            fieldPath(place.specPath, 'shareProcessNamespace'),
            true,
            `container ${code(other.name)} runs ${code(process)}, and a container sees only its own processes`,
          ),
        ],
        confidence: 'guess',
        explanation:
          'All containers of the pod then see, and may end, the processes of the others. The first process of each is no longer number 1.',
        mirrorable: true,
      },
    ],
  };
}

/** Whether a container starts a program of this name or uses its image. */
function isRunBy({ command = [], args = [], image = '', name }: Container, process: string): boolean {
  const base = image.replace(/@.*$/, '').replace(/:[^/:]*$/, '');
  const words = [...command, ...args]
    .join(' ')
    .slice(0, 20_000)
    .split(/[^\w.-]+/);
  return [base.slice(base.lastIndexOf('/') + 1), name, ...words].includes(process);
}
