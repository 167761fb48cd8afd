import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Container } from '../../../src/crd/kubernetes.ts';
import { suggestedTtlSeconds, ttlFor } from '../../../src/mirrors/policy/suggested-ttl.ts';
import { MIRROR_TTL } from '../../../src/contract/mirror-ttl.ts';
import { aPod, after } from '../../support/builders/pod.ts';
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

test('the time of the source’s init containers counts, if they ended with 0', () => {
  const ended = (name: string, seconds: number, exitCode = 0) => ({
    ...{ name, image: 'x', ready: true, restartCount: 0 },
    state: { terminated: { exitCode, startedAt: after(0), finishedAt: after(seconds) } },
  });
  const suggested = (...initContainerStatuses: object[]) =>
    suggestedTtlSeconds({
      spec: { containers: [{ name: 'app', image: 'web:1' }] },
      history: ranFor(1),
      pod: aPod({ status: { initContainerStatuses: initContainerStatuses as never } }),
    });
  assert.equal([suggested(), suggested(ended('a', 100)), suggested(ended('a', 60), ended('b', 40))], [60, 180, 180]);
  assert.equal([suggested(ended('a', 100, 1)), suggested(ended('a', -100))], [60, 60]);
  const timed = (times: object) => suggested({ ...ended('a', 0), state: { terminated: { exitCode: 0, ...times } } });
  assert.equal([timed({}), timed({ finishedAt: after(100) }), timed({ startedAt: 'then', finishedAt: 'now' })], [60, 60, 60]);
});

test('a TTL is a multiple of ten seconds, with a margin of a fifth, and not below the least', () => {
  const ttl = (startSeconds: number, windowSeconds: number) => ttlFor({ startSeconds, windowSeconds });
  assert.equal([ttl(0, 100), ttl(1, 100), ttl(50, 50), ttl(-50, 100)], [120, 130, 120, 120]);
  assert.is(ttl(0, 1), MIRROR_TTL.min);
});

test.run();
