import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { refusedHost } from '../../../../src/diagnosis/corrections/probe/refused-host.ts';
import { moreTimeToAnswer, moreTimeToStart } from '../../../../src/diagnosis/corrections/probe/time.ts';
import type { FailingProbe } from '../../../../src/diagnosis/corrections/probe/failing-probe.ts';
import { anInput, type CaseParts } from '../../../support/builders/cases.ts';
import { correctionRows, env, guess, inWords, likely } from '../../../support/builders/corrections.ts';

const test = suite('probes for a host that the program refuses, and probes that need time');
const rows = correctionRows(test);

const probe = (more: object = {}, port: number | string = 8080) => ({ httpGet: { port, path: '/', ...more } });
const header = (value: string, name = 'Host') => ({ httpHeaders: [{ name, value }] });
const DJANGO = "Invalid HTTP_HOST header: '10.0.0.7:8080'. You may need to add it";
const refused = (
  container: object,
  text = DJANGO,
  { status = 400, name = 'readiness' as const, logs = `==> app (current) <==\n${text}\n`, parts = {} } = {},
) => refusedHost(anInput({ readinessProbe: probe(), ...container }, {}, { logs, ...parts } as CaseParts), name, { status } as never);
const allows = (value: string, more: object = {}) => refused({ ...env({ ALLOWED_HOSTS: value }), ...more });
const HEADERS = 'readinessProbe.httpGet.httpHeaders';
const HOST = (host: string) => likely({ [HEADERS]: [{ name: 'Host', value: host }] });
rows('a refused host', {
  'with the first that is allowed': [allows('a.io, b.io'), HOST('a.io')],
  'between semicolons': [allows('a.io;b.io'), HOST('a.io')],
  'in single quotes': [allows("['a.io']"), HOST('a.io')],
  'with a port': [allows('a.io:80'), HOST('a.io:80')],
  'with a domain whose hosts are not known': [allows('*.a.io b.io'), HOST('b.io')],
  'with a domain': [allows('.a.io'), HOST('a.io')],
  'that is the only one in the list': [allows('10.0.0.7'), []],
  'that is the first in the list': [allows('10.0.0.7:1 a.io'), HOST('a.io')],
  'where all are allowed, in JSON': [allows('["*"]'), []],
  'where nothing is allowed': [allows(''), guess({ [HEADERS]: [{ name: 'Host', value: 'localhost' }] })],
  'far behind in the list': [allows(`${'-,'.repeat(1000)}a.io`), guess({ [HEADERS]: [{ name: 'Host', value: 'localhost' }] })],
  'beside a probe with its own header': [
    refused({ livenessProbe: probe(header('x.io')) }),
    guess({ [HEADERS]: [{ name: 'Host', value: 'localhost' }] }),
  ],
  'beside a probe of a port with a name': [
    refused({ livenessProbe: probe({}, 'web'), ports: [{ name: 'web', containerPort: 8080 }] }),
    guess({
      'livenessProbe.httpGet.httpHeaders': [{ name: 'Host', value: 'localhost' }],
      [HEADERS]: [{ name: 'Host', value: 'localhost' }],
    }),
  ],
  'in a field of the probe': [
    refused({ readinessProbe: probe({ host: 'a.io' }) }, 'Blocked host: A.io:8080'),
    guess({ [HEADERS]: [{ name: 'Host', value: 'localhost' }] }),
  ],
  'in a header, not in a field': [
    refused({ readinessProbe: probe({ host: 'b.io', ...header('a.io', 'HOST') }) }, 'Blocked host: b.io'),
    [],
  ],
  'of another request than the header’s': [refused({ readinessProbe: probe(header('a.io')) }), []],
  'in the log of another container': [refused({}, '', { logs: `==> side (current) <==\n${DJANGO}\n` }), []],
  'too far before the end of the log': [refused({}, `${DJANGO}\n${'x'.repeat(32 * 1024)}`), []],
  'of a probe without a status': [refusedHost(anInput({ readinessProbe: probe() }, {}, { logs: DJANGO }), 'readiness', undefined), []],
  'without a manifest': [refused({}, DJANGO, { parts: { manifest: 'x' } }), []],
});
for (const [host, isOwn] of [
  ['10.0.0.7', true],
  ['10.0.0.7:8080', true],
  ['[fd00::7]:8080', true],
  ['fd00::7', true],
  ['10.0.0', false],
  ['web.shop', false],
  ['10.0.0.7.nip.io', false],
] as const)
  test(`${host} is ${isOwn ? 'an' : 'no'} address of the pod`, () => assert.is(refused({}, `Blocked host: ${host}`) !== undefined, isOwn));
test('a refused host, in words', () => {
  const found = refused(
    { ...env({ ALLOWED_HOSTS: 'a.io b.io c.io d.io' }) },
    `first\n${DJANGO.replace('7:', '6:')}\n${DJANGO}\nBlocked host: evil.com\nlast`,
  );
  assert.is(
    found?.because,
    'the program does not serve the host `10.0.0.7:8080`, for which the probe asks; `ALLOWED_HOSTS` allows `a.io`, `b.io`, `c.io`',
  );
  assert.is(found?.culprit, 'ALLOWED_HOSTS=a.io b.io c.io d.io: 10.0.0.7:8080 is not allowed');
  assert.is(
    found?.advice,
    'Let the probe ask for a host that `ALLOWED_HOSTS` allows, with the header `Host`. Kubelet else asks for the address of the pod, which changes.',
  );
  assert.equal(found?.evidence, { from: 'log of app (current)', text: DJANGO });
  assert.equal(inWords(found?.corrections[0]), [
    'Probe with the host `a.io`',
    'The program refuses requests for `10.0.0.7:8080`.',
    '`ALLOWED_HOSTS` allows this host',
  ]);
  const unknown = refused({});
  assert.is(unknown?.because, 'the program does not serve the host `10.0.0.7:8080`, for which the probe asks');
  assert.is(unknown?.culprit, 'ALLOWED_HOSTS: 10.0.0.7:8080 is not allowed');
  assert.is(unknown?.corrections[0]?.changes[0]?.why, 'most programs allow this host');
  const long = refused({}, `${'x'.repeat(300)}${DJANGO}${'y'.repeat(500)}`)?.evidence.text ?? '';
  assert.equal([long.length, long.startsWith('x'.repeat(200) + DJANGO)], [300, true]);
});

const failing = (container: Record<string, object>, name: FailingProbe['name'], parts: CaseParts = {}): FailingProbe => {
  const input = anInput(container, {}, parts);
  const place = input.place()!;
  const own = `${name}Probe`;
  return { input, place, container: place.container!, name, probe: container[own]!, path: `${place.path}.${own}` };
};
const time = (
  container: Record<string, object>,
  name: FailingProbe['name'],
  confidence: 'likely' | 'guess' = 'likely',
  parts: CaseParts = {},
) => moreTimeToStart(failing(container, name, parts), confidence);
const FIVE = { periodSeconds: 10, failureThreshold: 30 };
rows('more time to start', {
  'with a command': [
    time({ livenessProbe: { exec: { command: ['x'] }, periodSeconds: 3 } }, 'liveness'),
    likely({ startupProbe: { exec: { command: ['x'] }, ...FIVE } }),
  ],
  'with a connection': [
    time({ livenessProbe: { tcpSocket: { port: 1 } } }, 'liveness'),
    likely({ startupProbe: { tcpSocket: { port: 1 }, ...FIVE } }),
  ],
  'with gRPC': [time({ livenessProbe: { grpc: { port: 1 } } }, 'liveness'), likely({ startupProbe: { grpc: { port: 1 }, ...FIVE } })],
  'with two seconds for an answer': [
    time({ livenessProbe: { ...probe(), timeoutSeconds: 2 } }, 'liveness'),
    likely({ startupProbe: { ...probe(), timeoutSeconds: 2, ...FIVE } }),
  ],
  'as a guess': [time({ livenessProbe: probe() }, 'liveness', 'guess'), guess({ startupProbe: { ...probe(), ...FIVE } })],
  'beside a startup probe of nine failures': [
    time({ livenessProbe: probe(), startupProbe: { ...probe(), failureThreshold: 9 } }, 'liveness'),
    likely({ 'startupProbe.failureThreshold': 30 }),
  ],
  'of a startup probe of eleven failures': [
    time({ startupProbe: { ...probe(), failureThreshold: 11 } }, 'startup'),
    likely({ 'startupProbe.failureThreshold': 33 }),
  ],
  'for a readiness probe beside a startup probe': [time({ readinessProbe: probe(), startupProbe: probe() }, 'readiness'), []],
});
test('more time, in words', () => {
  assert.equal(inWords(time({ livenessProbe: probe() }, 'liveness')[0]), [
    'Give it time to start with a startup probe',
    'The container has no startup probe, so its liveness probe does not wait until it has started. With one it has five minutes.',
    'the program may still be starting when it is killed',
  ]);
  assert.equal(inWords(time({ startupProbe: probe() }, 'startup')[0]), [
    'Give it longer to start',
    'The probe fails until the program listens.',
    'the container is killed before the program is up',
  ]);
  const answer = moreTimeToAnswer(failing({ readinessProbe: { ...probe(), timeoutSeconds: 3 } }, 'readiness'));
  assert.equal(inWords(answer), [
    'Wait 9 seconds for the answer',
    'The probe gives up before the answer comes.',
    '3 s is too short for its answer',
  ]);
  assert.equal(
    [answer.changes[0]?.path, answer.confidence, answer.mirrorable],
    ['spec.containers[0].readinessProbe.timeoutSeconds', 'likely', true],
  );
  assert.is(moreTimeToAnswer(failing({ readinessProbe: probe() }, 'readiness')).changes[0]?.why, '1 s is too short for its answer');
});

test.run();
