import { suite } from 'uvu';
import type { ContainerEvidence } from '../../../src/contract/failure.ts';
import { probe } from '../../../src/diagnosis/rules/probe.ts';
import { anInput, type CaseParts, crashed } from '../../support/builders/cases.ts';
import { tells, type Told } from '../../support/builders/told-by-rule.ts';

const probes = suite('probes that fail');

interface Pod extends CaseParts {
  app?: object;
  spec?: object;
  log?: string;
}

/** The answer for a running container with these events, the newest last. */
const failing = (messages: string | string[], { app = {}, spec = {}, log, ...more }: Pod = {}) =>
  probe.answer(
    anInput(app, spec, {
      failure_reason: 'Unhealthy',
      status: { state: 'running', restart_count: 0 },
      events: [messages].flat().map((message) => ({ type: 'Warning', reason: 'Unhealthy', message })),
      ...(log === undefined ? {} : { logs: `==> app (current) <==\n${log}\n` }),
      ...more,
    }),
  );

type Row = [sentence: string, answer: ReturnType<typeof probe.answer>, expected: Partial<Told> | undefined];
const get = (path = '/', more: object = {}) => ({ httpGet: { path, port: 8080, ...more } });
const ready = (handler: object = get()) => ({ app: { readinessProbe: handler } });
const alive = (handler: object = get()) => ({ app: { livenessProbe: handler } });
const started = (handler: object = get()) => ({ app: { startupProbe: handler } });
const says = (what: string, name = 'Readiness') => `${name} probe failed: ${what}`;
const dial = (port = 8080) => `Get "http://10.0.0.5:${port}/": dial tcp 10.0.0.5:${port}: connect: connection refused`;
const code = (status: number) => `HTTP probe failed with statuscode: ${status}`;
const KILLED = 'Container app failed liveness probe, will be restarted';
const TIMEOUT = 'Get "http://10.0.0.5:8080/": context deadline exceeded';
const ENDED: Partial<ContainerEvidence> = { ...crashed(3), restart_count: 2 };
const REFUSED = 'Error: dial tcp: lookup orders-db: connect: connection refused at orders-db:5432';
const NOT_READY = 'replica is not ready: 1 of 3 members';
const LOCAL = 'listening on 127.0.0.1:8080';

const ROWS: Row[] = [
  // When the rule answers.
  ['no probe failed', failing('all is well'), undefined],
  ['another reason, and nobody was killed', failing(says(code(500)), { failure_reason: 'Pending' }), undefined],
  [
    'another reason, and the container was killed',
    failing(KILLED, { failure_reason: 'CrashLoopBackOff', ...alive() }),
    {
      summary: 'Container `app` is killed and restarted, because its liveness probe (`GET / :8080`) fails: it does not succeed.',
      culprit: 'liveness probe GET / :8080',
      evidence: ['event Unhealthy: Container app failed liveness probe, will be restarted'],
      advice: ['Run the probe by hand in the container. Then correct the probe, or what it checks.'],
    },
  ],
  ['a container that crashes', failing(says(dial()), { ...ready(), status: ENDED }), undefined],
  [
    'a container that crashes, though it answered',
    failing(says(code(500)), { ...ready(), status: ENDED }),
    { culprit: 'readiness probe GET / :8080 (status 500)' },
  ],
  [
    'the probe for which it was killed',
    failing([KILLED, says(code(500), 'Liveness'), says(code(503))], {
      app: { livenessProbe: get('/live'), readinessProbe: get('/ready') },
    }),
    {
      summary:
        'Container `app` is killed and restarted, because its liveness probe (`GET /live :8080`) fails: the answer has status `500`.',
      culprit: 'liveness probe GET /live :8080 (status 500)',
      evidence: [
        'event Unhealthy: Liveness probe failed: HTTP probe failed with statuscode: 500',
        'event Unhealthy: Container app failed liveness probe, will be restarted',
      ],
    },
  ],
  // States of the container.
  [
    'it is not ready',
    failing(says(code(500)), ready()),
    {
      summary: 'Container `app` runs and is not ready, because its readiness probe (`GET / :8080`) fails: the answer has status `500`.',
      culprit: 'readiness probe GET / :8080 (status 500)',
      evidence: ['event Unhealthy: Readiness probe failed: HTTP probe failed with statuscode: 500'],
      advice: ['The program answers that it is not healthy. Its log says why, or the path is not its health path.'],
      commands: ['kubectl describe pod web -n shop', 'kubectl logs web -c app --tail=100 -n shop'],
      corrections: [],
      why: 'The probe is correct. The program does not answer as it should.',
      look: 'the log of the container while it starts, and what the probe gets when you try it by hand (`kubectl exec`, `kubectl port-forward`)',
    },
  ],
  [
    'it will be killed',
    failing(says(code(500), 'Liveness'), alive()),
    {
      summary: 'Container `app` runs and will be killed, because its liveness probe (`GET / :8080`) fails: the answer has status `500`.',
    },
  ],
  [
    'it has not started',
    failing(says(code(500), 'Startup'), started()),
    {
      summary: 'Container `app` runs and has not started, because its startup probe (`GET / :8080`) fails: the answer has status `500`.',
    },
  ],
  [
    'it was restarted',
    failing(says(code(500), 'Startup'), { ...started(), status: { state: 'running', restart_count: 1 } }),
    {
      summary: 'Container `app` is killed and restarted, because its startup probe (`GET / :8080`) fails: the answer has status `500`.',
    },
  ],
  // What the probe got.
  [
    'a status that is no error of the server',
    failing(says(code(404)), ready()),
    {
      summary: 'Container `app` runs and is not ready, because its readiness probe (`GET / :8080`) fails: the answer has status `404`.',
      culprit: 'readiness probe GET / :8080 (status 404)',
      advice: ['Point the probe at the health path of the program (status 2xx or 3xx, without a login).'],
    },
  ],
  [
    'the lowest status that is one',
    failing(says(code(500)), ready()),
    { advice: ['The program answers that it is not healthy. Its log says why, or the path is not its health path.'] },
  ],
  [
    'nothing listens',
    failing(says(dial()), ready()),
    {
      summary: 'Container `app` runs and is not ready, because its readiness probe (`GET / :8080`) fails: nothing listens on port `8080`.',
      culprit: 'readiness probe GET / :8080',
      advice: ['Point the probe at the port where the program listens. If it needs longer to start, give it a `startupProbe`.'],
    },
  ],
  [
    'nothing listens, at an unknown port',
    failing(says('connection refused'), {}),
    {
      summary: 'Container `app` runs and is not ready, because its readiness probe (`of the container`) fails: nothing listens there.',
      culprit: 'readiness probe of the container',
    },
  ],
  ['nothing listens, without the probe', failing(says(dial(81)), {}), { culprit: 'readiness probe port 81' }],
  [
    'it listens on loopback',
    failing(says(dial()), { ...ready(), log: LOCAL }),
    {
      summary:
        'Container `app` runs and is not ready, because its readiness probe (`GET / :8080`) fails: the program listens only on the loopback address, where no probe reaches it.',
      evidence: [
        'event Unhealthy: Readiness probe failed: Get "http://10.0.0.5:8080/": dial tcp 10.0.0.5:8080: connect: connection refused',
        'log of app (current): listening on 127.0.0.1:8080',
      ],
      advice: ['Let the program listen on all addresses (`0.0.0.0`), not only on the loopback address.'],
      why: 'The program listens only on the loopback address, where no probe reaches it.',
      look: 'the log of the container while it starts, and what the probe gets when you try it by hand (`kubectl exec`, `kubectl port-forward`)',
    },
  ],
  [
    'no gRPC server',
    failing(says('timeout: failed to connect service "10.0.0.5:8080" within 1s: connection refused'), ready({ grpc: { port: 8080 } })),
    {
      summary: 'Container `app` runs and is not ready, because its readiness probe (`grpc :8080`) fails: no gRPC server answers there.',
      culprit: 'readiness probe grpc :8080',
    },
  ],
  [
    'no answer in time',
    failing(says(TIMEOUT), ready()),
    {
      summary: 'Container `app` runs and is not ready, because its readiness probe (`GET / :8080`) fails: no answer comes in time.',
      culprit: 'readiness probe GET / :8080 (timeout)',
      advice: ['Give the probe more time (the default of `timeoutSeconds` is 1), or give the container more CPU.'],
    },
  ],
  [
    'a command that the image lacks',
    failing(
      'Readiness probe errored: OCI runtime exec failed: exec: "check": executable file not found in $PATH',
      ready({ exec: { command: ['check', '-q'] } }),
    ),
    {
      summary:
        'Container `app` runs and is not ready, because its readiness probe (`exec check -q`) fails: its command is not in the image.',
      culprit: 'readiness probe exec check -q',
      advice: ['Run the probe by hand in the container. Then correct the probe, or what it checks.'],
    },
  ],
  [
    'a port without a name',
    failing('Readiness probe errored: port web not found', ready({ httpGet: { path: '/', port: 'web' } })),
    {
      summary:
        'Container `app` runs and is not ready, because its readiness probe (`GET / :web`) fails: the container declares no port with this name.',
      culprit: 'readiness probe GET / :web (no port named web)',
    },
  ],
  [
    'HTTPS',
    failing(says('Get "https://10.0.0.5:8080/": http: server gave HTTP response to HTTPS client'), ready(get('/', { scheme: 'HTTPS' }))),
    {
      summary:
        'Container `app` runs and is not ready, because its readiness probe (`GET / :8080`) fails: it uses HTTPS and the server speaks HTTP.',
      culprit: 'readiness probe GET / :8080 (HTTPS)',
    },
  ],
  [
    'HTTP',
    failing(says('Get "http://10.0.0.5:8080/": malformed HTTP response'), ready()),
    {
      summary:
        'Container `app` runs and is not ready, because its readiness probe (`GET / :8080`) fails: it uses HTTP and the server speaks HTTPS.',
      culprit: 'readiness probe GET / :8080 (HTTP)',
    },
  ],
  [
    'a command that says why',
    failing(says('it is 3 o clock'), ready({ exec: { command: ['check'] } })),
    {
      summary: 'Container `app` runs and is not ready, because its readiness probe (`exec check`) fails: `it is 3 o clock`.',
      culprit: 'readiness probe exec check',
      advice: ['Run the probe by hand in the container. Then correct the probe, or what it checks.'],
    },
  ],
  [
    'a command that says nothing',
    failing(says(''), ready({ exec: { command: ['check'] } })),
    {
      summary:
        'Container `app` runs and is not ready, because its readiness probe (`exec check`) fails: its command ends with an error and prints nothing.',
    },
  ],
  [
    'a server that starts',
    failing(says('LOADING Redis is loading the dataset'), ready({ exec: { command: ['check'] } })),
    {
      summary:
        'Container `app` runs and is not ready, because its readiness probe (`exec check`) fails: it answers `LOADING Redis is loading the dataset`.',
      culprit: 'readiness probe exec check: LOADING Redis is loading the dataset',
      advice: ['The server is still starting. Its log shows how far it is. If it does not get on, something keeps it from starting.'],
      look: "the log of the server, and its state: the probe's command prints it (`kubectl exec`)",
    },
  ],
  [
    'a server that starts and is killed',
    failing(says('LOADING Redis is loading the dataset', 'Liveness'), alive({ exec: { command: ['check'] } })),
    { advice: ['The server is still starting when the liveness probe ends it. Let the probe wait until it has started.'] },
  ],
  [
    'a server that waits',
    failing(says('no leader'), ready({ exec: { command: ['check'] } })),
    {
      culprit: 'readiness probe exec check: no leader',
      advice: ['The server itself says why it is not ready. Its log says more, and so do the servers that it needs.'],
      look: "the log of the server, and its state: the probe's command prints it (`kubectl exec`)",
    },
  ],
  // What the probe does.
  [
    'a path and a host',
    failing(says(code(500)), ready({ httpGet: { host: 'shop', port: 80 } })),
    { culprit: 'readiness probe GET / shop:80 (status 500)' },
  ],
  ['a TCP port', failing(says(dial()), ready({ tcpSocket: { port: 81 } })), { culprit: 'readiness probe tcp :81' }],
  [
    'a long command',
    failing(says('no'), ready({ exec: { command: ['x'.repeat(300)] } })),
    {
      culprit: `readiness probe exec ${'x'.repeat(155)}`,
    },
  ],
  // What the log says.
  [
    'the program says why it is not ready',
    failing(says(code(503)), { ...ready(), log: `starting\n${NOT_READY}\nidle` }),
    {
      summary:
        'Container `app` runs and is not ready, because its readiness probe (`GET / :8080`) fails: the answer has status `503`; the log says `replica is not ready: 1 of 3 members`.',
      culprit: 'readiness probe GET / :8080 (status 503): replica is not ready: 1 of 3 members',
      evidence: [
        'event Unhealthy: Readiness probe failed: HTTP probe failed with statuscode: 503',
        'log of app (current): replica is not ready: 1 of 3 members',
      ],
      corrections: [],
    },
  ],
  [
    'it says so with another status',
    failing(says(code(404)), { ...ready(), log: NOT_READY }),
    {
      summary:
        'Container `app` runs and is not ready, because its readiness probe (`GET / :8080`) fails: the answer has status `404`; the log says `replica is not ready: 1 of 3 members`.',
      culprit: 'readiness probe GET / :8080 (status 404): replica is not ready: 1 of 3 members',
    },
  ],
  [
    'it says so while a liveness probe fails',
    failing(says(code(503), 'Liveness'), { ...alive(), log: NOT_READY }),
    {
      summary: 'Container `app` runs and will be killed, because its liveness probe (`GET / :8080`) fails: the answer has status `503`.',
      culprit: 'liveness probe GET / :8080 (status 503)',
      evidence: ['event Unhealthy: Liveness probe failed: HTTP probe failed with statuscode: 503'],
    },
  ],
  [
    'a server that it misses',
    failing(says(code(503)), { ...ready(), log: REFUSED }),
    {
      summary:
        'Container `app` runs and is not ready, because its readiness probe (`GET / :8080`) fails: the answer has status `503`; the log says that nothing answers at `orders-db:5432`.',
      culprit: 'orders-db:5432',
      evidence: [
        'event Unhealthy: Readiness probe failed: HTTP probe failed with statuscode: 503',
        'log of app (current): Error: dial tcp: lookup orders-db: connect: connection refused at orders-db:5432',
      ],
      advice: ["Make sure that the server at `orders-db:5432` runs and is ready, and that the port is the Service's."],
      look: "`orders-db:5432`: its pods, its Service's port and endpoints, and the variable that names it",
    },
  ],
  [
    'a server that it found later',
    failing(says(code(503)), { ...ready(), log: `${REFUSED}\nconnected to orders-db` }),
    {
      summary:
        'Container `app` runs and is not ready, because its readiness probe (`GET / :8080`) fails: the answer has status `503`; the log says that nothing answers at `orders-db:5432`.',
      culprit: 'readiness probe GET / :8080 (status 503): orders-db:5432',
    },
  ],
  [
    'a server aside',
    failing(says(code(503)), { ...ready(), log: REFUSED.replaceAll('orders-db', 'otel') }),
    { culprit: 'readiness probe GET / :8080 (status 503): otel:5432' },
  ],
  [
    'a server of its own pod',
    failing(says(code(503)), { ...ready(), log: REFUSED.replaceAll('orders-db', 'localhost') }),
    { culprit: 'readiness probe GET / :8080 (status 503): localhost:5432' },
  ],
  [
    'a status that the path explains',
    failing(says(code(404)), { ...ready(), log: REFUSED }),
    { culprit: 'readiness probe GET / :8080 (status 404)' },
  ],
  ['a server that it misses, and no answer in time', failing(says(TIMEOUT), { ...ready(), log: REFUSED }), { culprit: 'orders-db:5432' }],
  [
    'a server that it misses, and nothing listens',
    failing(says(dial()), { ...ready(), log: REFUSED }),
    { culprit: 'orders-db:5432', corrections: [] },
  ],
  [
    'a server that it misses, and it listens elsewhere',
    failing(says(dial()), { ...ready(), log: `listening on :9090\n${REFUSED}` }),
    {
      culprit: 'readiness probe GET / :8080 (the program listens on 9090)',
      corrections: [['likely', 'Probe port `9090`', { 'readinessProbe.httpGet.port': 9090 }]],
    },
  ],
  [
    'a warning about a server',
    failing(says(code(503)), { ...ready(), log: REFUSED.replace('Error', 'WARN') }),
    { culprit: 'orders-db:5432' },
  ],
  [
    'an older warning about a server',
    failing(says(code(503)), { ...ready(), log: `${REFUSED.replace('Error', 'WARN')}\n${'all is well\n'.repeat(300)}` }),
    { culprit: 'readiness probe GET / :8080 (status 503)' },
  ],
  [
    'a line that is no plain cause',
    failing(says(code(503)), { ...ready(), log: 'ERROR something failed' }),
    {
      summary: 'Container `app` runs and is not ready, because its readiness probe (`GET / :8080`) fails: the answer has status `503`.',
      culprit: 'readiness probe GET / :8080 (status 503)',
      evidence: ['event Unhealthy: Readiness probe failed: HTTP probe failed with statuscode: 503'],
    },
  ],
  [
    'a cause that the log names',
    failing(says(code(500)), { ...ready(), log: 'Error: A_B is not set' }),
    {
      summary:
        'Container `app` runs and is not ready, because its readiness probe (`GET / :8080`) fails: the answer has status `500`; the log says that the variable `A_B` is not set.',
      culprit: 'readiness probe GET / :8080 (status 500): A_B',
      evidence: [
        'event Unhealthy: Readiness probe failed: HTTP probe failed with statuscode: 500',
        'log of app (current): Error: A_B is not set',
      ],
      advice: [
        'The program answers that it is not healthy. Its log says why, or the path is not its health path.',
        "Set `A_B` in the container's `env`, or load it with `envFrom` from the ConfigMap or Secret that has it.",
      ],
      look: "where `A_B` should come from: the container's `env` and `envFrom`, and the ConfigMaps and Secrets they name",
    },
  ],
  [
    'a cause without an error of the server',
    failing(says(code(404)), { ...ready(), log: 'Error: A_B is not set' }),
    { culprit: 'readiness probe GET / :8080 (status 404)' },
  ],
  [
    'another container that crashes',
    failing(says(code(502)), {
      ...ready(),
      container_statuses: [
        { name: 'app', kind: 'app', state: 'running', ready: false },
        { name: 'api', kind: 'app', ready: false, restart_count: 2, ...crashed(3) },
      ],
    }),
    {
      summary:
        'Container `api` keeps ending with exit code 3: the program ended with its own error code. Container `app` is not ready and answers with status `502`, because it needs that one.',
      culprit: 'exit code 3',
      evidence: [
        'status of container api: terminated: Error, exit code 3, restarted 2 times',
        'event Unhealthy: Readiness probe failed: HTTP probe failed with statuscode: 502',
      ],
    },
  ],
];
for (const [sentence, answer, expected] of ROWS) probes(sentence, () => tells(answer, expected));

probes.run();
