import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Container } from '../../../src/crd/kubernetes.ts';
import { suggestedTtlSeconds } from '../../../src/mirrors/policy/suggested-ttl.ts';
import { ranFor } from '../../support/builders/pod-life.ts';

const test = suite('suggested TTL');

const probe = { exec: { command: ['true'] }, periodSeconds: 5 };
/** Start plus window plus 20 %, as a multiple of 10 s. */
const CASES: [what: string, app: Partial<Container>, seconds: number][] = [
  ['15 s for a start and the least window', {}, 60],
  ['a readiness probe asks later', { readinessProbe: { ...probe, initialDelaySeconds: 40 } }, 110],
  // The startup budget and the window are 111 s each: 20 times 5 s, one second for an answer, ten to notice.
  ['a slow start may use the budget of its startup probe', { startupProbe: { ...probe, failureThreshold: 20 } }, 290],
  ['no more than a mirror may live', { startupProbe: { ...probe, failureThreshold: 400 } }, 3600],
];
for (const [what, app, seconds] of CASES)
  test(what, () => {
    const spec = { containers: [{ name: 'app', image: 'web:1', ...app }] };
    assert.is(suggestedTtlSeconds({ spec, history: ranFor(1) }), seconds);
  });

test.run();
