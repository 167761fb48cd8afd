import type { Volume } from '../../crd/kubernetes.ts';
import { nameSet } from '../../crd/name-set.ts';
import type { PodSecurityCheck } from '../check.ts';
import { indexed } from '../containers.ts';
import { STANDARD } from './standard.ts';

/** Volume types that need nothing from a node. */
export const PLAIN_VOLUMES = nameSet('configMap csi downwardAPI emptyDir ephemeral image persistentVolumeClaim projected secret');

export const volumeTypes: PodSecurityCheck = {
  id: 'volume-types',
  title: 'Volume of a type that restricted forbids',
  severity: 'low',
  rationale: 'A volume that names a disk or a server goes past what the cluster offers, with the rights of the node.',
  remediation: 'Offer the storage as a PersistentVolume, and use a PersistentVolumeClaim.',
  references: [STANDARD],
  frameworks: { pod_security: 'restricted', nsa: ['Pod security enforcement'], cis: ['5.7.3'], mitre: ['T1611'] },
  control: { level: 'restricted', since: 0, replaces: 'host-path' },
  run: ({ template: { spec } }) =>
    indexed(spec.volumes).flatMap(([volume, index]) => {
      const types = typesOf(volume);
      if (types.some((type) => PLAIN_VOLUMES.has(type))) return [];
      return types.map((type) => ({
        path: `spec.volumes[${index}].${type}`,
        about: `Volume ${volume.name}`,
        problem: `is of type ${type}`,
        cures: [],
      }));
    }),
};

/** The types of a volume. A volume without any is an emptyDir. */
const typesOf = (volume: Volume): string[] =>
  Object.keys(volume).filter((key) => key !== 'name' && volume[key] !== null && volume[key] !== undefined);
