import type { Container, ContainerState, ContainerStatus, Pod } from './kubernetes.ts';

type Kind = 'init' | 'sidecar' | 'app';

/** The containers of a pod in the order they start: init containers and sidecars as listed, then the others. */
export function containersOf(pod: Pod): { spec: Container; kind: Kind; status: ContainerStatus | undefined }[] {
  const statuses = [...(pod.status?.initContainerStatuses ?? []), ...(pod.status?.containerStatuses ?? [])];
  const of = (spec: Container, kind: Kind) => ({ spec, kind, status: statuses.find(({ name }) => name === spec.name) });
  return [
    ...(pod.spec.initContainers ?? []).map((spec) => of(spec, spec.restartPolicy === 'Always' ? 'sidecar' : 'init')),
    ...pod.spec.containers.map((spec) => of(spec, 'app')),
  ];
}

/** Images that containers of this pod have really run: not those that are still to be pulled, or whose process never started. */
export function ranImages(pod: Pod): string[] {
  return containersOf(pod).flatMap(({ spec, status }) => (spec.image && status && hasRun(status) ? [spec.image] : []));
}

const IMAGE_WAITS = /Image|^RegistryUnavailable$|^SignatureValidationFailed$/;

/** A status without states, as some projections keep it, is judged by its image alone. */
function hasRun({ imageID, state, lastState }: Pick<ContainerStatus, 'imageID' | 'state' | 'lastState'>): boolean {
  // While it waits for an image, an earlier run was of the image before.
  if (!imageID || IMAGE_WAITS.test(state?.waiting?.reason ?? '')) return false;
  return (!state && !lastState) || hasStarted(state) || hasStarted(lastState);
}

/** A process that could not be started has begun in 1970. */
const hasStarted = ({ running, terminated }: ContainerState = {}): boolean =>
  running !== undefined || Date.parse(terminated?.startedAt ?? '') > 0;
