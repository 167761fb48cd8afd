import { about, type Detector, named, yaml } from './detector.ts';
import { SERVERS, servicesOf } from './view.ts';

/** Pods that get traffic as soon as their process has started. */
export const missingReadinessProbe: Detector = {
  id: 'missing-readiness-probe',
  title: 'Pods behind a Service have no readiness probe',
  category: 'availability',
  severity: 'medium',
  requires: [...SERVERS, 'Service'],
  why: 'Without a readiness probe, a pod counts as ready as soon as its process starts. It gets requests before it can answer, and a rollout continues even if the new version never answers.',
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
        change: `Add a readiness probe to the container that answers requests:\n\n${yaml(`readinessProbe:\n  httpGet: {path: /ready, port: ${port}}\n  periodSeconds: 5`)}`,
      });
    }),
};
