import { about, counted, type Detector, named } from './detector.ts';
import { SERVERS } from './view.ts';

/** Pods that mount the file system of their node. */
export const hostPath: Detector = {
  id: 'host-path',
  title: 'Pods use folders of their node',
  category: 'security',
  severity: 'medium',
  requires: [...SERVERS, 'CronJob'],
  why: 'Data in a folder of a node stays there when the pod moves, and is lost with the node. A pod that may write there can change the node itself.',
  run: ({ workloads }) =>
    workloads.flatMap((subject) => {
      const { volumes = [], containers, initContainers = [] } = subject.spec;
      const mounts = [...initContainers, ...containers].flatMap(({ volumeMounts = [] }) => volumeMounts);
      const folders = volumes.flatMap(({ name, hostPath: folder }) => {
        if (!folder) return [];
        const isWritten = mounts.some((mount) => mount.name === name && mount.readOnly !== true);
        return [{ path: folder.path, volume: name, writable: isWritten }];
      });
      if (folders.length === 0) return [];
      const writable = folders.filter((one) => one.writable).length;
      return about(subject, {
        summary: `${subject.kind} ${subject.name} mounts ${counted(folders.length, 'folder')} of its node (${named(folders.map(({ path }) => path))}), ${writable} of them to write to.`,
        evidence: { folders, writable },
        change:
          'Keep data in a PersistentVolumeClaim, what is passing in an `emptyDir`. What really must look at the node (agents of monitoring) mounts read-only: `readOnly: true`.',
      });
    }),
};
