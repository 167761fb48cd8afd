import { about, counted, type Detector, named, yaml } from './detector.ts';
import { lastingContainers, SERVERS } from './view.ts';

/** Containers that may use all the memory of their node. */
export const missingMemoryLimit: Detector = {
  id: 'missing-memory-limit',
  title: 'Containers may use all the memory of their node',
  category: 'resources',
  severity: 'low',
  requires: [...SERVERS, 'CronJob'],
  why: 'A leak in a container without a memory limit does not end that container: it ends whatever the kernel picks on the node, often somebody else’s.',
  run: ({ workloads }) =>
    workloads.flatMap((subject) => {
      const names = lastingContainers(subject.spec)
        .filter(({ resources }) => resources?.limits?.['memory'] === undefined)
        .map(({ name }) => name);
      // A limit of the pod covers all its containers.
      if (names.length === 0 || subject.spec.resources?.limits?.['memory'] !== undefined) return [];
      return about(subject, {
        summary: `${counted(names.length, 'container')} of ${subject.kind} ${subject.name} (${named(names)}) without a memory limit.`,
        evidence: { containers: names, replicas: subject.replicas ?? null },
        change: `Bound the memory above what it needs at its busiest:\n\n${yaml('resources:\n  limits: {memory: 256Mi}')}`,
      });
    }),
};
