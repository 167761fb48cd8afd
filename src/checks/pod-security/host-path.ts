import type { PodSecurityCheck } from '../check.ts';
import { indexed } from '../containers.ts';
import { STANDARD } from './standard.ts';

export const hostPath: PodSecurityCheck = {
  id: 'host-path',
  title: "Volume from the node's file system",
  severity: 'high',
  rationale:
    "Files of the node outlive the pod and are other pods' and the kubelet's too. Write access to the wrong folder is control of the node; read access can be the credentials of all pods on it.",
  remediation: 'Use a PersistentVolumeClaim for data, `emptyDir` for scratch space, and a ConfigMap or Secret for files to read.',
  references: [STANDARD, 'https://kubernetes.io/docs/concepts/storage/volumes/#hostpath'],
  frameworks: { pod_security: 'baseline', nsa: ['Pod security enforcement'], cis: ['5.2.12'], mitre: ['T1611'] },
  control: { level: 'baseline', since: 0 },
  run: ({ template: { spec } }) =>
    indexed(spec.volumes)
      .filter(([volume]) => Boolean(volume.hostPath))
      .map(([volume, index]) => ({
        path: `spec.volumes[${index}].hostPath`,
        about: `Volume ${volume.name}`,
        problem: `is ${volume.hostPath?.path ?? 'a folder'} of the node`,
        cures: [],
      })),
};
