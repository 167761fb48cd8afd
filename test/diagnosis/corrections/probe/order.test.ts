import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { probeCorrections, withOtherProbes } from '../../../../src/diagnosis/corrections/probe.ts';
import type { Correction } from '../../../../src/diagnosis/corrections/correction.ts';
import type { FactOf } from '../../../../src/diagnosis/facts/facts.ts';
import { factsOf } from '../../../../src/diagnosis/facts/input.ts';
import type { ProbeName } from '../../../../src/diagnosis/facts/probe-failure.ts';
import { anInput, type CaseParts } from '../../../support/builders/cases.ts';

const test = suite('which correction of a probe comes first');

const title = { time: 'Give it time to start with a startup probe', answer: 'Wait 5 seconds for the answer' };
const fact = (cause: string, more: object = {}): FactOf<'probe'> =>
  ({
    kind: 'probe',
    probe: 'liveness',
    cause,
    status: null,
    output: '',
    container: 'app',
    evidence: { from: 'e', text: 't' },
    ...more,
  }) as never;
const http = (port: number | string = 8080, path = '/health', more: object = {}) => ({ httpGet: { port, path, ...more } });
const exec = (...command: string[]) => ({ exec: { command } });
const fix = (container: object, of: FactOf<'probe'> | undefined, parts: CaseParts = {}, name: ProbeName = 'liveness') =>
  probeCorrections(anInput(container, {}, parts), name, of);
const live = (probe: object, more: object = {}) => ({ livenessProbe: probe, ...more });
const shown = (all: Correction[]) =>
  all.map(({ changes, confidence }) => [confidence, ...changes.map(({ path }) => path.replace('spec.containers[0].', ''))]);
const STARTUP = (confidence: string) => [confidence, 'startupProbe'];
/** Another handler in place of the command. */
const OTHERWISE = ['guess', 'livenessProbe'];
const log = (text: string): CaseParts => ({ logs: `==> app (current) <==\n${text}\n` });

const ROWS: [sentence: string, found: Correction[], expected: unknown[][]][] = [
  ['nothing without the probe', fix({}, fact('refused')), []],
  ['nothing without a manifest', probeCorrections(anInput({}, {}, { container: 'gone' }), 'liveness', fact('refused')), []],
  ['a path that is not there', fix(live(http()), fact('status', { status: 404 })), [['guess', 'livenessProbe.httpGet.path']]],
  [
    'a path that answers with an error may need time',
    fix(live(http()), fact('status', { status: 500 })),
    [['guess', 'livenessProbe.httpGet.path'], STARTUP('guess')],
  ],
  [
    'a server that wants TLS',
    fix(live(http()), fact('status', { status: 400 }), log('Client sent an HTTP request to an HTTPS server')),
    [['likely', 'livenessProbe.httpGet.scheme']],
  ],
  [
    'HTTP in place of HTTPS',
    fix(live(http(8080, '/', { scheme: 'HTTPS' })), fact('to-https')),
    [['certain', 'livenessProbe.httpGet.scheme']],
  ],
  ['HTTPS in place of HTTP', fix(live(http()), fact('to-http')), [['likely', 'livenessProbe.httpGet.scheme']]],
  ['a program that does not listen yet', fix(live(http()), fact('refused')), [STARTUP('likely')]],
  [
    'a program that listens elsewhere needs no time',
    fix(live(http()), fact('refused'), log('listening on :9090')),
    [['likely', 'livenessProbe.httpGet.port']],
  ],
  ['an answer that comes late', fix(live(http()), fact('timeout')), [['likely', 'livenessProbe.timeoutSeconds'], STARTUP('guess')]],
  ['a command that takes long', fix(live(exec('a')), fact('timeout')), [['likely', 'livenessProbe.timeoutSeconds']]],
  [
    'a command whose file is not there yet',
    fix(live(exec('cat', '/x')), fact('exec', { output: 'No such file' })),
    [STARTUP('likely'), OTHERWISE],
  ],
  ['a command that is not ready', fix(live(exec('cat', '/x')), fact('exec', { output: 'not ready' })), [STARTUP('likely'), OTHERWISE]],
  ['a command that fails otherwise', fix(live(exec('cat', '/x')), fact('exec', { output: 'bad' })), [OTHERWISE, STARTUP('guess')]],
  [
    'a command that is refused',
    fix(live(exec('cat', '/x')), fact('exec', { output: 'connection refused' })),
    [STARTUP('likely'), OTHERWISE],
  ],
  [
    'a command that is refused though the program listens',
    fix(live(exec('cat', '/x')), fact('exec', { output: 'connection refused' }), log('listening on :9090')),
    [STARTUP('guess'), OTHERWISE],
  ],
  ['an unknown cause', fix(live(http()), undefined), [STARTUP('guess')]],
  ['a server that starts', fix(live(http()), fact('exec', { state: { kind: 'starting' } })), [STARTUP('likely')]],
  [
    'a server that is not ready, by its readiness',
    fix({ readinessProbe: exec('a') }, fact('exec', { state: { kind: 'standby' } }), {}, 'readiness'),
    [],
  ],
  [
    'a server that is not ready, by its liveness',
    fix(live(exec('cat', '/x')), fact('exec', { state: { kind: 'standby' } })),
    [OTHERWISE, STARTUP('guess')],
  ],
  [
    'a host comes before all else',
    fix(live(http(8080, '/x', { host: '127.0.0.1' })), fact('refused')),
    [['likely', 'livenessProbe.httpGet.host'], STARTUP('likely')],
  ],
  [
    'a variable in the path comes alone',
    fix(live(http(8080, '/$(A)'), { env: [{ name: 'A', value: 'up' }] }), fact('status', { status: 404 })),
    [['likely', 'livenessProbe.httpGet.path']],
  ],
  [
    'the port of the management comes alone',
    fix(
      live(http(8080, '/actuator/health'), { env: [{ name: 'MANAGEMENT_SERVER_PORT', value: '9001' }] }),
      fact('status', { status: 404 }),
    ),
    [['likely', 'livenessProbe.httpGet.port']],
  ],
  [
    'the port of the management is no answer to another status',
    fix(
      live(http(8080, '/actuator/health'), { env: [{ name: 'MANAGEMENT_SERVER_PORT', value: '9001' }] }),
      fact('status', { status: 401 }),
    ),
    [['guess', 'livenessProbe.httpGet.path']],
  ],
];
for (const [sentence, found, expected] of ROWS) test(sentence, () => assert.equal(shown(found), expected));

test('the host of a probe, in words', () => {
  const [first] = fix(live(http(8080, '/x', { host: 'web.shop' })), fact('refused'));
  assert.equal(
    [first?.title, first?.explanation, first?.changes[0]?.why],
    ['Ask the pod itself', 'The liveness probe asks `web.shop`, which is not the pod.', 'without it kubelet asks the address of the pod'],
  );
  for (const host of ['127.0.0.1', 'localhost', '127.0.1.1'])
    assert.match(
      fix(live(http(8080, '/x', { host })), fact('refused'))[0]?.explanation ?? '',
      /which is not the pod: for kubelet it is the node\.$/,
    );
});
test('more time, in words', () => {
  const [start] = fix(live(http()), fact('refused'));
  assert.equal(
    [start?.title, start?.explanation, start?.changes[0]?.why],
    [
      title.time,
      'The container has no startup probe, so its liveness probe does not wait until it has started. With one it has five minutes.',
      'the program may still be starting when it is killed',
    ],
  );
  const [answer] = fix(live(exec('a')), fact('timeout'));
  assert.equal(
    [answer?.title, answer?.explanation, answer?.changes[0]?.why],
    [title.answer, 'The probe gives up before the answer comes.', '1 s is too short for its answer'],
  );
  const [longer] = fix({ startupProbe: http() }, fact('refused', { probe: 'startup' }), {}, 'startup');
  assert.equal(
    [longer?.title, longer?.explanation, longer?.changes[0]?.why],
    ['Give it longer to start', 'The probe fails until the program listens.', 'the container is killed before the program is up'],
  );
});

const unhealthy = (...all: string[]): CaseParts => ({
  failure_reason: 'Unhealthy',
  events: all.map((message) => ({ type: 'Warning', reason: 'Unhealthy', message })),
});
const TO_HTTPS = (probe: string) => `${probe} probe failed: Get "https://10.0.0.1:8080/": http: server gave HTTP response to HTTPS client`;
test('two probes that fail for reasons of their own are corrected together', () => {
  const container = { livenessProbe: http(8080, '/', { scheme: 'HTTPS' }), readinessProbe: http(9090, '/', { scheme: 'HTTPS' }) };
  const both = (message: string) => {
    const input = anInput(container, {}, unhealthy(message, TO_HTTPS('Liveness')));
    const own = factsOf(input, 'probe').find(({ probe }) => probe === 'liveness');
    return shown(withOtherProbes(input, 'liveness', probeCorrections(input, 'liveness', own)));
  };
  const alone = ['certain', 'livenessProbe.httpGet.scheme'];
  assert.equal(both(TO_HTTPS('Readiness')), [['certain', 'livenessProbe.httpGet.scheme', 'readinessProbe.httpGet.scheme'], alone]);
  assert.equal(both('Readiness probe failed: HTTP probe failed with statuscode: 503'), [alone], 'an error may go away');
  assert.equal(both('Readiness probe failed: HTTP probe failed with statuscode: 404'), [alone], 'a guess is no cure');
  assert.equal(both('Readiness probe failed: command timed out'), [alone]);
  assert.equal(withOtherProbes(anInput(container), 'liveness', []), []);
});

test.run();
