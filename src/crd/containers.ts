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

/** The images that containers of this pod have really run, without images that are still to be pulled or whose process never started. */
export function ranImages(pod: Pod): string[] {
  return containersOf(pod).flatMap(({ spec, status }) => (spec.image && status && hasRun(status) ? [spec.image] : []));
}

const IMAGE_WAITS = /Image|^RegistryUnavailable$|^SignatureValidationFailed$/;

/** Some projections keep a status without states. Then the image alone decides. */
function hasRun({ imageID, state, lastState }: Pick<ContainerStatus, 'imageID' | 'state' | 'lastState'>): boolean {
  // While a container waits for an image, its earlier run was of the previous image.
  if (!imageID || IMAGE_WAITS.test(state?.waiting?.reason ?? '')) return false;
  return (!state && !lastState) || hasStarted(state) || hasStarted(lastState);
}

/** If a process could not be started, its start time is in 1970. */
const hasStarted = ({ running, terminated }: ContainerState = {}): boolean =>
  running !== undefined || Date.parse(terminated?.startedAt ?? '') > 0;
