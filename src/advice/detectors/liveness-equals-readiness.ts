import { isDeepStrictEqual } from 'node:util';
import type { Handler, Probe } from '../../crd/kubernetes.ts';
import { about, type Detector, named } from './detector.ts';
import { lastingContainers, SERVERS } from './view.ts';

/** Containers whose liveness probe is their readiness probe: they are restarted when only traffic should stop. */
export const livenessEqualsReadiness: Detector = {
  id: 'liveness-equals-readiness',
  title: 'The liveness and readiness probes are the same',
  category: 'reliability',
  severity: 'medium',
  requires: [...SERVERS],
  why: 'Readiness says “send me no traffic now”, liveness says “restart me”. If both probes check the same thing equally often, a slow database or a burst of load restarts all replicas at once, instead of only stopping their traffic for a moment.',
  run: ({ servers }) =>
    servers.flatMap((subject) => {
      const containers = lastingContainers(subject.spec).flatMap(({ name, livenessProbe: liveness, readinessProbe: readiness }) => {
        if (!liveness || !readiness || !isDeepStrictEqual(question(liveness), question(readiness))) return [];
        const [restartedAfter, unreadyAfter] = [patience(liveness), patience(readiness)];
        // One endpoint for both is fine if the liveness probe waits clearly longer.
        return restartedAfter < 2 * unreadyAfter
          ? [{ name, restarted_after_seconds: restartedAfter, unready_after_seconds: unreadyAfter }]
          : [];
      });
      const [first] = containers;
      if (!first) return [];
      return about(subject, {
        summary: `${subject.kind} ${subject.name}: ${named(containers.map(({ name }) => name))} is restarted after ${first.restarted_after_seconds} s by the very check that takes it out of the Service after ${first.unready_after_seconds} s.`,
        evidence: { containers, replicas: subject.replicas ?? null },
        change:
          'Let the liveness probe check only the process itself, not a database or another service. Or give it at least twice the time (`periodSeconds` × `failureThreshold`) of the readiness probe.',
      });
    }),
};

function question({ exec, httpGet, tcpSocket, grpc }: Handler): object {
  return { exec, httpGet, tcpSocket, grpc };
}

/** For how many seconds a probe must fail until it has an effect. */
function patience({ periodSeconds = 10, failureThreshold = 3 }: Probe): number {
  return periodSeconds * failureThreshold;
}
