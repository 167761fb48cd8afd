import type { Change } from '../../../contract/failure.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import { isHelperName } from '../../../crd/helper.ts';
import type { Container } from '../../../crd/kubernetes.ts';
import { generatedVolumes, withoutMounts } from '../../../crd/strip-template.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { type ContainerPlace } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';

/** Fields that only a container that runs beside the others has. */
const OF_SERVERS = ['livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle'] as const;

/** Moves a container that does its work and exits to the init containers. It then runs once, before the others. */
export function asInitContainer(place: ContainerPlace, name: string): Correction[] {
  const found = place.spec.containers.find((one) => one.name === name);
  if (!found || place.spec.containers.length < 2 || OF_SERVERS.some((field) => found[field])) return [];
  return [
    {
      title: `Run ${code(name)} before the others`,
      changes: moved(place, found, `${code(name)} does its work and ends`),
      confidence: 'guess',
      explanation: 'An init container runs once, before the others. Do this only if its work comes before theirs.',
      mirrorable: true,
    },
  ];
}

/**
 * Turns a container that runs beside the others into a sidecar. It starts before the init container `before` (or after all of them), and
 * stops with the containers that do the work.
 */
export function asSidecar(place: ContainerPlace, name: string, before?: string): Correction[] {
  const found = place.spec.containers.find((one) => one.name === name);
  if (!found || place.spec.containers.length < 2) return [];
  const why = before === undefined ? `${code(name)} never ends by itself` : `${code(before)} needs ${code(name)}`;
  return [
    {
      title: `Make ${code(name)} a sidecar`,
      changes: moved(place, { ...found, restartPolicy: 'Always' }, why, before),
      confidence: 'guess',
      explanation:
        'An init container with `restartPolicy: Always` starts before the next ones, runs beside them, and is ended when their work is done.',
      mirrorable: true,
    },
  ];
}

/** Moves a container from `containers` to the init containers. */
function moved(place: ContainerPlace, container: Container, why: string, before?: string): Change[] {
  const { spec, specPath } = place;
  const rest = spec.containers.filter(({ name }) => name !== container.name);
  // Admission adds the mount of the token to each container. The template of a workload has no such volume.
  const to = withoutMounts(container, generatedVolumes(spec));
  const inits = spec.initContainers ?? [];
  const index = before === undefined ? -1 : inits.findIndex(({ name }) => name === before);
  const at = index < 0 ? inits.length : index;
  return [
    change(place, fieldPath(specPath, 'containers'), rest, why),
    change(place, fieldPath(specPath, 'initContainers'), [...inits.slice(0, at), to, ...inits.slice(at)], why),
  ];
}

/** The one container that looks like a helper of the container that does the work; undefined if none or several do. */
export function helperIn({ spec }: ContainerPlace): string | undefined {
  const isServer = (one: Container) => Boolean(one.ports?.length) || OF_SERVERS.some((field) => one[field]);
  for (const looks of [(one: Container) => isHelperName(one.name), isServer]) {
    const [only, ...more] = spec.containers.filter(looks);
    if (only && more.length === 0) return only.name;
  }
  return undefined;
}
