import { isDeepStrictEqual } from 'node:util';
import type { Handler, Probe } from '../../crd/kubernetes.ts';
import { about, type Detector, named } from './detector.ts';
import { lastingContainers, SERVERS } from './view.ts';

/** Containers whose liveness probe is their readiness probe: they are restarted when only traffic should stop. */
export const livenessEqualsReadiness: Detector = {
  id: 'liveness-equals-readiness',
  title: 'Liveness and readiness ask the same question',
  category: 'reliability',
  severity: 'medium',
  requires: [...SERVERS],
  why: 'Readiness says “send me no traffic now”, liveness says “restart me”. Where both ask the same at the same pace, a slow database or a burst of load restarts every replica at once instead of giving them a pause.',
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
          'Let liveness ask only whether the process itself still works, of no database and no other service; or give it at least twice the patience (`periodSeconds` × `failureThreshold`) of readiness.',
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
