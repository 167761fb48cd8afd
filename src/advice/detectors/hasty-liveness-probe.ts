import { about, type Detector, named, yaml } from './detector.ts';
import { lastingContainers, SERVERS } from './view.ts';

/** With a shorter limit, a garbage collection or a busy node is enough to restart the container. */
const LEAST_SECONDS = 10;

/** Containers that are restarted after a short pause. */
export const hastyLivenessProbe: Detector = {
  id: 'hasty-liveness-probe',
  title: 'A liveness probe restarts containers too quickly',
  category: 'reliability',
  severity: 'medium',
  requires: [...SERVERS],
  why: 'A restart is a drastic measure: it drops the work in progress and moves the load to the other replicas, which may then fail their probes too.',
  run: ({ servers }) =>
    servers.flatMap((subject) => {
      const containers = lastingContainers(subject.spec).flatMap(({ name, livenessProbe: probe }) => {
        if (!probe) return [];
        const { periodSeconds = 10, failureThreshold = 3, timeoutSeconds = 1 } = probe;
        const seconds = periodSeconds * failureThreshold;
        return failureThreshold === 1 || seconds < LEAST_SECONDS
          ? [{ name, period_seconds: periodSeconds, failure_threshold: failureThreshold, timeout_seconds: timeoutSeconds }]
          : [];
      });
      const [first] = containers;
      if (!first) return [];
      const tries = first.failure_threshold === 1 ? 'one missed answer' : `${first.failure_threshold} missed answers`;
      return about(subject, {
        summary: `${subject.kind} ${subject.name}: ${named(containers.map(({ name }) => name))} is restarted after ${tries} in ${first.period_seconds * first.failure_threshold} s.`,
        evidence: { containers, replicas: subject.replicas ?? null },
        change: `Let the probe tolerate a short slowdown:\n\n${yaml('livenessProbe:\n  periodSeconds: 10\n  failureThreshold: 6\n  timeoutSeconds: 5')}`,
      });
    }),
};
