import { about, type Detector } from './detector.ts';

const SINGLE = ['ReadWriteOnce', 'ReadWriteOncePod'];

/** Replicas on several nodes that share a volume which only one node can mount. */
export const sharedSingleWriterClaim: Detector = {
  id: 'shared-single-writer-claim',
  title: 'Replicas share a disk that only one node may use',
  category: 'storage',
  severity: 'high',
  requires: ['Deployment', 'PersistentVolumeClaim'],
  why: 'All replicas must run on the one node that has the disk; on other nodes they wait forever (`Multi-Attach error`). A rollout hangs as soon as its new pod lands on another node.',
  run: ({ servers, claims }) =>
    servers.flatMap((subject) => {
      if (subject.kind !== 'Deployment' || (subject.replicas ?? 1) < 2) return [];
      const shared = (subject.spec.volumes ?? []).flatMap(({ persistentVolumeClaim: used }) => {
        const modes = claims.find(({ metadata }) => metadata.name === used?.claimName)?.spec?.accessModes ?? [];
        return used && modes.length > 0 && modes.every((mode) => SINGLE.includes(mode))
          ? [{ claim: used.claimName, access_modes: modes }]
          : [];
      });
      const [first] = shared;
      if (!first) return [];
      return about(subject, {
        summary: `${subject.replicas} replicas of Deployment ${subject.name} share claim ${first.claim}, which is ${first.access_modes.join(' and ')}.`,
        evidence: { replicas: subject.replicas, claims: shared },
        change:
          'Use a StatefulSet with `volumeClaimTemplates` (a disk for each replica), a PersistentVolumeClaim with `ReadWriteMany`, or one replica with `strategy: {type: Recreate}`.',
      });
    }),
};
