import { about, type Detector, named, yaml } from './detector.ts';
import { SERVERS, servicesOf } from './view.ts';

/** Pods without probes: nothing notices when they stop responding. */
export const noProbes: Detector = {
  id: 'no-probes',
  title: 'No liveness or readiness probe',
  category: 'reliability',
  severity: 'low',
  requires: [...SERVERS, 'Service'],
  why: 'Without any probe, Kubernetes notices only when the process ends. A process that hangs, or has lost a connection that it needs, stays like that until somebody looks.',
  run: (view) =>
    view.servers.flatMap((subject) => {
      const { containers } = subject.spec;
      const isAsked = containers.some(({ livenessProbe, readinessProbe, startupProbe }) => livenessProbe ?? readinessProbe ?? startupProbe);
      // Security checks cover containers with ports, and another detector covers pods behind a Service.
      if (isAsked || containers.some(({ ports = [] }) => ports.length > 0) || servicesOf(view, subject).length > 0) return [];
      const names = containers.map(({ name }) => name);
      return about(subject, {
        summary: `${subject.kind} ${subject.name} has no probe on ${named(names)}.`,
        evidence: { containers: names, replicas: subject.replicas ?? null },
        change: `Let the kubelet restart a container that hangs:\n\n${yaml('livenessProbe:\n  exec: {command: [/bin/check-progress]}\n  periodSeconds: 30\n  failureThreshold: 4')}`,
      });
    }),
};
