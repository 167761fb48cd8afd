import { parseQuantity, formatBytes } from '../../crd/quantity.ts';
import { about, type Detector, named } from './detector.ts';
import { lastingContainers, SERVERS } from './view.ts';

const TIMES = 4;
/** Less than this does not fill a node. */
const LEAST_BYTES = 256 * 2 ** 20;

/** Containers that may use many times the memory that the scheduler plans for them. */
export const limitFarAboveRequest: Detector = {
  id: 'limit-far-above-request',
  title: 'Memory limits are far above the requests',
  category: 'resources',
  severity: 'low',
  requires: [...SERVERS],
  why: 'The scheduler fills nodes by requests. When several containers use what their limits allow, the node runs out of memory, although no container exceeds its limit.',
  run: ({ servers }) =>
    servers.flatMap((subject) => {
      const containers = lastingContainers(subject.spec).flatMap(({ name, resources }) => {
        const limit = parseQuantity(resources?.limits?.['memory']);
        const request = parseQuantity(resources?.requests?.['memory']);
        if (limit === undefined || !request || limit < TIMES * request || limit - request < LEAST_BYTES) return [];
        return [{ name, request: formatBytes(request), limit: formatBytes(limit), times: Math.round((10 * limit) / request) / 10 }];
      });
      const [worst] = containers.toSorted((one, other) => other.times - one.times);
      if (!worst) return [];
      return about(subject, {
        summary: `${subject.kind} ${subject.name}: ${named(containers.map(({ name }) => name))} may use up to ${worst.times} times the memory that is requested (${worst.limit} against ${worst.request}).`,
        evidence: { containers, replicas: subject.replicas ?? null },
        change: `Raise the request of \`${worst.name}\` towards its actual use, or lower its limit to at most ${TIMES} times the request.`,
      });
    }),
};
