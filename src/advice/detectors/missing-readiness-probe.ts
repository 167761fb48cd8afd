import { about, type Detector, named, yaml } from './detector.ts';
import { SERVERS, servicesOf } from './view.ts';

/** Pods that get traffic as soon as their process has started. */
export const missingReadinessProbe: Detector = {
  id: 'missing-readiness-probe',
  title: 'Pods behind a Service have no readiness probe',
  category: 'availability',
  severity: 'medium',
  requires: [...SERVERS, 'Service'],
  why: 'Without a readiness probe a pod counts as ready when its process starts. Callers meet one that cannot answer yet, and a rollout goes on over a version that never answers.',
  run: (view) =>
    view.servers.flatMap((subject) => {
      const services = servicesOf(view, subject);
      const { containers } = subject.spec;
      // One container with a readiness probe is enough, because the pod is not ready before it.
      if (services.length === 0 || containers.some(({ readinessProbe }) => readinessProbe)) return [];
      const port = containers.flatMap(({ ports = [] }) => ports)[0]?.containerPort ?? 8080;
      return about(subject, {
        summary: `${subject.kind} ${subject.name} is behind Service ${named(services)}, and none of its ${containers.length} containers says when it is ready.`,
        evidence: { services, containers: containers.map(({ name }) => name), replicas: subject.replicas ?? null },
        change: `Ask the container that answers whether it can:\n\n${yaml(`readinessProbe:\n  httpGet: {path: /ready, port: ${port}}\n  periodSeconds: 5`)}`,
      });
    }),
};
