import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { containerLog, joinLogs, logAnswer, logRefusal, tail } from '../../src/agent/container-log.ts';
import { ClusterUnavailable, KubeError } from '../../src/kube/errors.ts';

const error = (code: number, message = '') => new KubeError(code, 'X', message);
const refusals: [says: string, error: unknown, kind: string, why: string | undefined][] = [
  ['no answer', new ClusterUnavailable('away'), 'due', 'the API server did not answer'],
  ['a broken answer', new TypeError('x'), 'due', 'the answer could not be read'],
  ['no credentials', error(401), 'refused', 'Podmend may not read logs in this namespace'],
  ['no right', error(403), 'refused', 'Podmend may not read logs in this namespace'],
  ['no pod', error(404), 'refused', 'the pod or its node is gone'],
  ['too many requests', error(429), 'due', 'the API server was too busy'],
  ['a node that is away', error(500), 'due', 'the node did not answer the API server'],
  [
    'a container that is starting',
    error(400, 'container "app" is waiting to start: ContainerCreating'),
    'due',
    'its container was being started',
  ],
  ['no such run', error(400, 'previous terminated container not found'), 'none', undefined],
  ['the words of another error', error(409, 'is waiting to start'), 'none', undefined],
];
for (const [says, given, kind, why] of refusals)
  test(`${says}: ${kind}`, () => assert.equal(logRefusal(given), why === undefined ? { kind } : { kind, why }));

test('a body is a log, nothing, or the words of a kubelet that has none', () => {
  const lost = { kind: 'lost', why: 'the container runtime does not have it' };
  assert.equal(logAnswer('unable to retrieve container logs for x'), lost);
  assert.equal(logAnswer('failed to try resolving symlinks'), lost);
  assert.equal([logAnswer(' \n'), logAnswer('a\n')], [{ kind: 'none' }, { kind: 'text', text: 'a\n' }]);
  assert.is(logAnswer('it says: unable to retrieve container logs for x').kind, 'text');
});

const text = (said: string) => ({ kind: 'text' as const, text: said });
const due = { kind: 'due' as const, why: 'busy' };
const lost = { kind: 'lost' as const, why: 'lost' };
const refused = { kind: 'refused' as const, why: 'no' };
const none = { kind: 'none' as const };
type Answer = Parameters<typeof containerLog>[1][number]['answer'];
const joined: [says: string, current: Answer, previous: Answer, missing: object | undefined][] = [
  ['both', text('a'), text('b'), undefined],
  ['one that is due beside a log', text('a'), due, { isDue: true, why: 'busy' }],
  ['one that is lost beside a log', text('a'), lost, undefined],
  ['one that is lost alone', lost, none, { isDue: true, why: 'lost' }],
  ['one that is refused beside a log', refused, text('b'), undefined],
  ['one that is refused alone', refused, none, { isDue: false, why: 'no' }],
  ['a refused and a lost one', refused, lost, { isDue: true, why: 'lost' }],
  ['a lost and a due one', lost, due, { isDue: true, why: 'busy' }],
  ['none', none, none, undefined],
];
for (const [says, current, previous, missing] of joined)
  test(`logs of two runs: ${says}`, () => {
    const log = containerLog('app', [
      { run: 'current', answer: current },
      { run: 'previous', answer: previous },
    ]);
    const section = (run: string, answer: Answer) => (answer.kind === 'text' ? `==> app (${run}) <==\n${answer.text}\n` : '');
    assert.equal(log, { container: 'app', text: section('current', current) + section('previous', previous), missing });
  });

test('only the log of the failing container is waited for; the last try says why it is missing', () => {
  const [late, gone] = [
    { container: 'app', text: '', missing: { isDue: true, why: 'busy' } },
    { container: 'db', text: '', missing: { isDue: true, why: 'lost' } },
  ];
  const whole = { container: 'db', text: 'log\n', missing: undefined };
  assert.equal(joinLogs([late, gone], false), {
    text: 'log not available yet: busy\n==> db (current) <==\nlog not available: lost\n',
    isDue: true,
  });
  assert.equal(joinLogs([late, whole], true), { text: '==> app (current) <==\nlog not available: busy\nlog\n', isDue: false });
  assert.equal(joinLogs([whole, late], false), { text: 'log\n==> app (current) <==\nlog not available: busy\n', isDue: false });
  assert.equal(joinLogs([], false), { text: '', isDue: false });
});

test('the end of a long log is kept, from the beginning of a line on', () => {
  assert.is(tail('a\nb\n\n'), 'a\nb');
  const lines = Array.from({ length: 2_000 }, (_, n) => `line ${String(n).padStart(4, '0')}`);
  const kept = tail(lines.join('\n'));
  assert.ok(kept.length <= 16_000 && kept.length > 15_900, String(kept.length));
  assert.is(lines.slice(-kept.split('\n').length).join('\n'), kept);
  assert.is(tail('x'.repeat(16_000)).length, 16_000);
});

test.run();
