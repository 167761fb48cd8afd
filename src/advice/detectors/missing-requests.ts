import { about, counted, type Detector, named, yaml } from './detector.ts';
import { lastingContainers, SERVERS } from './view.ts';

/** Containers that request no CPU or no memory. */
export const missingRequests: Detector = {
  id: 'missing-requests',
  title: 'Containers ask for no CPU or memory',
  category: 'resources',
  severity: 'medium',
  requires: [...SERVERS, 'CronJob'],
  why: 'The scheduler counts requests, not use. A pod without them is placed on nodes that are full already, and it is the first that is evicted when a node runs short.',
  run: ({ workloads }) =>
    workloads.flatMap((subject) => {
      const containers = lastingContainers(subject.spec).flatMap(({ name, resources = {} }) => {
        // A limit without a request counts as the request.
        const asked = { ...resources.limits, ...resources.requests };
        const missing = ['cpu', 'memory'].filter((resource) => asked[resource] === undefined);
        return missing.length > 0 ? [{ name, missing }] : [];
      });
      if (containers.length === 0) return [];
      const names = containers.map(({ name }) => name);
      return about(subject, {
        summary: `${counted(names.length, 'container')} of ${subject.kind} ${subject.name} (${named(names)}) without requests for ${named([...new Set(containers.flatMap(({ missing }) => missing))])}.`,
        evidence: { containers, replicas: subject.replicas ?? null },
        change: `Ask for what the container uses on an ordinary day:\n\n${yaml('resources:\n  requests: {cpu: 100m, memory: 128Mi}')}`,
      });
    }),
};
