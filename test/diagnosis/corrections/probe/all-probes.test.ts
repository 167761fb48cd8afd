import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Container, Probe } from '../../../../src/crd/kubernetes.ts';
import { inAllProbes } from '../../../../src/diagnosis/corrections/probe/all-probes.ts';
import type { Correction } from '../../../../src/diagnosis/corrections/correction.ts';
import { otherProbes, portNumber, withConnection } from '../../../../src/diagnosis/corrections/probe/failing-probe.ts';
import { factsOfCase } from '../../../../src/diagnosis/facts/facts.ts';
import { ruleInput } from '../../../../src/diagnosis/facts/input.ts';
import { aCase, aPodManifest } from '../../../support/builders/cases.ts';

const test = suite('the same correction in all probes');

type Changes = [path: string, to: unknown][];
/** What the correction of a readiness probe becomes. Paths start in the container. */
function repeated(container: Partial<Container>, changes: Changes): unknown[][] {
  const subject = aCase({ manifest: aPodManifest(container) });
  const input = ruleInput(subject, factsOfCase(subject));
  const place = input.place()!;
  const path = `${place.path}.readinessProbe`;
  const correction: Correction = {
    title: 'x',
    changes: changes.map(([at, to]) => ({ path: `${place.path}.${at}`, from: null, to, why: 'w' })),
    confidence: 'likely',
    explanation: '',
    mirrorable: true,
  };
  const failing = { input, place, container: place.container!, name: 'readiness' as const, probe: place.container!.readinessProbe!, path };
  return inAllProbes(failing, correction).changes.map((one) => [one.path.replace(`${place.path}.`, ''), one.to, one.why]);
}

const http = (path: string, port: number | string = 8080, more: object = {}): Probe => ({ httpGet: { path, port, ...more } }) as Probe;
const exec = (...command: string[]): Probe => ({ exec: { command } });
const PORT: Changes[0] = ['readinessProbe.httpGet.port', 9090];
const WHOLE: Changes[0] = ['readinessProbe', { tcpSocket: { port: 5432 }, periodSeconds: 3 }];

const CASES: [sentence: string, container: Partial<Container>, changes: Changes, more: unknown[][]][] = [
  ['a port', { readinessProbe: http('/'), livenessProbe: http('/live') }, [PORT], [['livenessProbe.httpGet.port', 9090, 'w']]],
  [
    'a port, in the handler that the other one has',
    { readinessProbe: http('/'), livenessProbe: { tcpSocket: { port: 8080 } }, startupProbe: { grpc: { port: 8080 } } },
    [PORT],
    [
      ['livenessProbe.tcpSocket.port', 9090, 'w'],
      ['startupProbe.grpc.port', 9090, 'w'],
    ],
  ],
  ['no port of a probe that asks another one', { readinessProbe: http('/'), livenessProbe: http('/', 8081) }, [PORT], []],
  ['no port of commands', { readinessProbe: exec('a'), livenessProbe: exec('a') }, [PORT], []],
  [
    'a path',
    { readinessProbe: http('/a'), livenessProbe: http('/a') },
    [['readinessProbe.httpGet.path', '/b']],
    [['livenessProbe.httpGet.path', '/b', 'w']],
  ],
  ['no other path', { readinessProbe: http('/a'), livenessProbe: http('/c') }, [['readinessProbe.httpGet.path', '/b']], []],
  ['no path of another port', { readinessProbe: http('/a'), livenessProbe: http('/a', 8081) }, [['readinessProbe.httpGet.path', '/b']], []],
  [
    'no path of a connection',
    { readinessProbe: { httpGet: { port: 8080 } }, livenessProbe: { tcpSocket: { port: 8080 } } },
    [['readinessProbe.httpGet.path', '/b']],
    [],
  ],
  [
    'the scheme, whatever the path',
    { readinessProbe: http('/a'), livenessProbe: http('/c') },
    [['readinessProbe.httpGet.scheme', 'HTTPS']],
    [['livenessProbe.httpGet.scheme', 'HTTPS', 'w']],
  ],
  [
    'no scheme where the other one has its own',
    { readinessProbe: http('/a'), livenessProbe: http('/a', 8080, { scheme: 'HTTPS' }) },
    [['readinessProbe.httpGet.scheme', 'HTTPS']],
    [],
  ],
  [
    'a longer timeout',
    { readinessProbe: exec('a'), livenessProbe: { ...exec('a'), timeoutSeconds: 2 }, startupProbe: exec('a') },
    [['readinessProbe.timeoutSeconds', 3]],
    [
      ['livenessProbe.timeoutSeconds', 3, 'w'],
      ['startupProbe.timeoutSeconds', 3, 'w'],
    ],
  ],
  [
    'no timeout that is long enough, or of another command',
    { readinessProbe: exec('a'), livenessProbe: { ...exec('a'), timeoutSeconds: 3 }, startupProbe: exec('b') },
    [['readinessProbe.timeoutSeconds', 3]],
    [],
  ],
  ['no second as long as the default', { readinessProbe: exec('a'), livenessProbe: exec('a') }, [['readinessProbe.timeoutSeconds', 1]], []],
  [
    'another handler, with the timings that the other one has',
    { readinessProbe: exec('pg'), livenessProbe: { ...exec('pg'), periodSeconds: 20, failureThreshold: 6 } },
    [WHOLE],
    [['livenessProbe', { periodSeconds: 20, failureThreshold: 6, tcpSocket: { port: 5432 } }, 'w']],
  ],
  ['its removal', { readinessProbe: exec('pg'), livenessProbe: exec('pg') }, [['readinessProbe', null]], [['livenessProbe', null, 'w']]],
  ['no handler of another request', { readinessProbe: exec('pg'), livenessProbe: exec('pg', '-q') }, [WHOLE], []],
  [
    'no other field',
    { readinessProbe: exec('a'), livenessProbe: exec('a') },
    [
      ['readinessProbe.periodSeconds', 3],
      ['env', []],
    ],
    [],
  ],
  [
    'nothing in a probe that the correction changes itself',
    { readinessProbe: http('/'), livenessProbe: http('/') },
    [PORT, ['livenessProbe.failureThreshold', 9]],
    [],
  ],
];
for (const [sentence, container, changes, more] of CASES)
  test(`repeats ${sentence}`, () => assert.equal(repeated(container, changes), [...changes.map(([path, to]) => [path, to, 'w']), ...more]));

test('the other probes of a container, in their order', () => {
  const all = { livenessProbe: exec('l'), readinessProbe: exec('r'), startupProbe: exec('s') };
  const of = (name: 'liveness' | 'readiness' | 'startup', container: object = all) =>
    otherProbes({ container, name } as never).map(({ exec: one }) => one?.command?.[0]);
  assert.equal(
    [of('liveness'), of('readiness'), of('startup'), of('startup', { startupProbe: exec('s') })],
    [['r', 's'], ['l', 's'], ['l', 'r'], []],
  );
});

test('the number of a port', () => {
  const container = { name: 'app', ports: [{ containerPort: 1 }, { name: 'http', containerPort: 8080 }] };
  assert.equal(
    [portNumber(container, 80), portNumber(container, '81'), portNumber(container, 'http'), portNumber(container, 'grpc')],
    [80, 81, 8080, undefined],
  );
  assert.is(portNumber({ name: 'app' }, 'http'), undefined);
});

test('a connection replaces every handler that asks more, and nothing else', () =>
  assert.equal(withConnection({ exec: { command: ['a'] }, grpc: { port: 1 }, periodSeconds: 4 }, 5432), {
    periodSeconds: 4,
    tcpSocket: { port: 5432 },
  }));

test.run();
