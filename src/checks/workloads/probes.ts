import type { Check, Subject, Violation } from '../check.ts';
import { owner, placesOf } from '../containers.ts';

/** Kinds whose pods serve until they are replaced. */
export const SERVERS = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'ReplicaSet', 'ReplicationController']);
const REFERENCES = ['https://kubernetes.io/docs/concepts/configuration/liveness-readiness-startup-probes/'];

export const readinessProbe: Check = {
  id: 'readiness-probe',
  title: 'No readiness probe',
  severity: 'low',
  rationale: 'Without the probe a pod gets requests as soon as its process starts, and goes on getting them when it cannot answer.',
  remediation: 'Add a `readinessProbe` that asks what the container serves.',
  references: REFERENCES,
  frameworks: { mitre: ['T1499'] },
  run: (subject) => withoutProbe(subject, 'readinessProbe'),
};

export const livenessProbe: Check = {
  id: 'liveness-probe',
  title: 'No liveness probe',
  severity: 'info',
  rationale: 'A process that hangs is not restarted unless a probe notices. A program that ends itself when it cannot go on needs none.',
  remediation: 'Add a `livenessProbe` if the program can hang; ask only what a restart would cure.',
  references: REFERENCES,
  frameworks: { mitre: ['T1499'] },
  run: (subject) => withoutProbe(subject, 'livenessProbe'),
};

/** The app containers that serve a port but lack the probe. */
function withoutProbe({ kind, template }: Subject, field: 'readinessProbe' | 'livenessProbe'): Violation[] {
  if (!SERVERS.has(kind)) return [];
  return placesOf(template)
    .filter(({ path, container }) => path.startsWith('spec.containers') && Array.isArray(container.ports) && container.ports.length > 0)
    .filter(({ container }) => !container[field])
    .map((place) => ({
      ...owner(place),
      path: `${place.path}.${field}`,
      problem: `serves a port and has no ${field === 'readinessProbe' ? 'readiness' : 'liveness'} probe`,
      cures: [],
    }));
}
