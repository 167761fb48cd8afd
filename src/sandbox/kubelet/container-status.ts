import type { Loose } from '../store/object.ts';
import type { Image } from './images.ts';
import type { Run } from './run.ts';

/** The input of a container's entry in its pod's status. */
export interface ContainerView {
  spec: Loose;
  state: Loose;
  lastState: Loose;
  isReady: boolean;
  isStarted: boolean;
  restartCount: number;
  /** Its newest run. */
  current: Run | undefined;
}

/** The entry as a kubelet writes it. */
export function containerStatus(view: ContainerView, { image, uid }: { image: Image | undefined; uid: number }): Loose {
  const { spec, current } = view;
  const mounts = (spec.volumeMounts ?? []).map(({ name, mountPath, readOnly }: Loose) => ({
    mountPath,
    name,
    ...(readOnly && { readOnly, recursiveReadOnly: 'Disabled' }),
  }));
  return {
    ...(current && { containerID: `containerd://${current.id}` }),
    image: current && image ? image.name : spec.image,
    imageID: current && image ? `${image.name.replace(/:[^/]*$/, '')}@${image.digest}` : '',
    lastState: view.lastState,
    name: spec.name,
    ready: view.isReady,
    ...(current && { resources: spec.resources ?? {} }),
    restartCount: view.restartCount,
    started: view.isStarted,
    state: view.state,
    ...(current && { user: { linux: { gid: 0, supplementalGroups: [0], uid } } }),
    ...(mounts.length && { volumeMounts: mounts }),
  };
}
