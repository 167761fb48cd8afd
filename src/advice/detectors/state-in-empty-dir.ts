import { about, type Detector, named } from './detector.ts';
import type { Server } from './objects.ts';

/** StatefulSets whose pods lose their state when they are replaced. */
export const stateInEmptyDir: Detector = {
  id: 'state-in-empty-dir',
  title: 'A StatefulSet keeps its data in an emptyDir',
  category: 'storage',
  severity: 'high',
  requires: ['StatefulSet'],
  why: 'An emptyDir is deleted with its pod: each update, each drain and each eviction deletes its data. A StatefulSet usually means that the data should be kept.',
  run: ({ servers }) =>
    servers.flatMap((subject) => {
      if (subject.kind !== 'StatefulSet' || ((subject.object as Server).spec.volumeClaimTemplates ?? []).length > 0) return [];
      const { volumes = [], containers } = subject.spec;
      if (volumes.some(({ persistentVolumeClaim, csi, ephemeral }) => persistentVolumeClaim ?? csi ?? ephemeral)) return [];
      const kept = volumes.flatMap(({ name, emptyDir }) => {
        const mounts = containers.flatMap(({ volumeMounts = [] }) => volumeMounts.filter((mount) => mount.name === name));
        const [path] = mounts
          .map(({ mountPath }) => mountPath)
          .filter((one) => !/^\/(tmp|run|var\/(run|cache|tmp)|dev\/shm|cache)(\/|$)/.test(one));
        return emptyDir && emptyDir.medium !== 'Memory' && path ? [{ volume: name, path }] : [];
      });
      if (kept.length === 0) return [];
      return about(subject, {
        summary: `StatefulSet ${subject.name} has no volumeClaimTemplates, and keeps ${named(kept.map(({ path }) => path))} in an emptyDir.`,
        evidence: { volumes: kept, replicas: subject.replicas ?? null },
        change: 'Store the data in a volume from `volumeClaimTemplates`, or use a Deployment if no data must be kept.',
      });
    }),
};
