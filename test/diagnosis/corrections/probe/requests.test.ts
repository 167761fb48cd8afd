import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Probe } from '../../../../src/crd/kubernetes.ts';
import { atPodAddress, requestIn, throughOwnService } from '../../../../src/diagnosis/corrections/probe/asked-address.ts';
import { belowBase } from '../../../../src/diagnosis/corrections/probe/base-path.ts';
import { beforeOthers } from '../../../../src/diagnosis/corrections/probe/before-others.ts';
import type { FailingProbe } from '../../../../src/diagnosis/corrections/probe/failing-probe.ts';
import { managementPort } from '../../../../src/diagnosis/corrections/probe/management-port.ts';
import { withValues } from '../../../../src/diagnosis/corrections/probe/path-variable.ts';
import { onAllAddresses, otherPort, plainConnection } from '../../../../src/diagnosis/corrections/probe/port.ts';
import { refusedHost } from '../../../../src/diagnosis/corrections/probe/refused-host.ts';
import {
  byShell,
  insteadOfClient,
  insteadOfCommand,
  otherPath,
  otherRpc,
  otherScheme,
  saysTls,
} from '../../../../src/diagnosis/corrections/probe/request.ts';
import { moreTimeToAnswer, moreTimeToStart } from '../../../../src/diagnosis/corrections/probe/time.ts';
import type { ProbeName } from '../../../../src/diagnosis/facts/probe-failure.ts';
import { anInput, type CaseParts, inShort } from '../../../support/builders/cases.ts';
import { correctionRows, env, guess, likely } from '../../../support/builders/corrections.ts';

const test = suite('what a probe asks');
const rows = correctionRows(test);

/** The readiness probe, or another one, of a container. */
function failing(container: object, parts: CaseParts = {}, name: ProbeName = 'readiness', spec: object = {}): FailingProbe {
  const input = anInput(container, spec, parts);
  const place = input.place()!;
  return { input, place, container: place.container!, name, probe: place.container![`${name}Probe`]!, path: `${place.path}.${name}Probe` };
}
const log = (text: string): CaseParts => ({ logs: `==> app (current) <==\n${text}\n` });
const http = (port: number | string = 8080, path?: string, more: object = {}) => ({
  httpGet: { port, ...(path === undefined ? {} : { path }), ...more },
});
const ready = (probe: object, more: object = {}) => ({ readinessProbe: probe, ...more });
const exec = (...command: string[]) => ({ exec: { command } });
const ports = (...all: number[]) => ({ ports: all.map((containerPort) => ({ containerPort })) });
const unhealthy = (...messages: string[]): CaseParts => ({
  failure_reason: 'Unhealthy',
  events: messages.map((message) => ({ type: 'Warning', reason: 'Unhealthy', message })),
});
const PATH = 'readinessProbe.httpGet.path';
const PORT = 'readinessProbe.httpGet.port';

for (const [command, expected] of [
  ['curl -f http://localhost:8080/health', { scheme: 'HTTP', host: 'localhost', port: 8080, path: '/health' }],
  ['wget -q -O- https://127.0.0.1/ready', { scheme: 'HTTPS', host: '127.0.0.1', port: 443, path: '/ready' }],
  ['curl http://web', { scheme: 'HTTP', host: 'web', port: 80, path: '/' }],
  ['curl localhost:9000/x', { scheme: 'HTTP', host: 'localhost', port: 9000, path: '/x' }],
  ['curl http://[::1]:81/x', { scheme: 'HTTP', host: '[::1]', port: 81, path: '/x' }],
  ['curl http://web:70000/', undefined],
  ['curl http://web:0/', undefined],
  ['nc -z localhost 80', undefined],
] as const)
  test(`the request of: ${command}`, () => assert.equal(requestIn(failing(ready(exec('sh', '-c', command)))), expected));

const CURL = exec('curl', 'http://localhost:8080/health');
const ASK = (port: number, more: object = {}) => ({ readinessProbe: { httpGet: { path: '/health', port, ...more } } });
rows('a command that is refused', {
  'asks at the address of the pod': [atPodAddress(failing(ready(CURL)), 'connection refused'), guess(ASK(8080))],
  'asks where the program listens': [atPodAddress(failing(ready(CURL), log('listening on :9090')), 'ECONNREFUSED'), likely(ASK(9090))],
  'asks where the program listens already': [atPodAddress(failing(ready(CURL), log('listening on :8080')), 'refused'), guess(ASK(8080))],
  'asks the name of the pod, where the program listens': [
    atPodAddress(failing(ready(CURL), log('server listening on web:8080')), 'refused'),
    likely(ASK(8080)),
  ],
  'asks the address of the pod, where the program listens': [
    atPodAddress(failing(ready(CURL), log('server listening on 10.0.0.7:8080')), 'refused'),
    likely(ASK(8080)),
  ],
  'asks another host': [atPodAddress(failing(ready(exec('curl', 'http://web:8080/'))), 'refused'), []],
  'fails otherwise': [atPodAddress(failing(ready(CURL)), 'timeout'), []],
});
test('a request by kubelet keeps the timings and the scheme', () =>
  assert.equal(atPodAddress(failing(ready({ ...exec('curl', 'https://localhost:1/'), periodSeconds: 3 })), 'refused')[0]?.changes[0]?.to, {
    periodSeconds: 3,
    httpGet: { path: '/', port: 1, scheme: 'HTTPS' },
  }));
const LABELS = { app: 'web' };
const own = (services: object[], more: CaseParts = {}): CaseParts => ({
  labels: LABELS,
  surroundings: { services: services as never },
  ...more,
});
const ASKS = exec('curl', 'http://web.shop:80/health');
const SERVICE = { name: 'web', selector: LABELS };
rows('a probe through the own Service', {
  'asks the pod': [throughOwnService(failing(ready(ASKS, ports(8080)), own([{ name: 'x' }, SERVICE]))), likely(ASK(8080))],
  'asks where the log says': [
    throughOwnService(failing(ready(ASKS, ports(8080)), own([SERVICE], log('listening on :9090')))),
    likely(ASK(9090)),
  ],
  'asks one of two ports': [throughOwnService(failing(ready(ASKS, ports(8080, 9090)), own([SERVICE]))), guess(ASK(8080))],
  'has no known port': [throughOwnService(failing(ready(ASKS), own([SERVICE]))), []],
  'of other pods': [throughOwnService(failing(ready(ASKS, ports(8080)), own([{ name: 'web', selector: { app: 'x' } }]))), []],
  'in another namespace': [throughOwnService(failing(ready(exec('curl', 'http://web.other/health'), ports(8080)), own([SERVICE]))), []],
  'of liveness': [throughOwnService(failing({ livenessProbe: ASKS, ...ports(8080) }, own([SERVICE]), 'liveness')), []],
});

const SAYS = (path: string) => `Tomcat started on port 8080 (http) with context path '${path}'`;
const base = (container: object, text = '', parts: CaseParts = {}, name: ProbeName = 'readiness') =>
  belowBase(failing(container, { ...log(text), ...parts }, name));
rows('the path below which a server serves', {
  'by its log': [base(ready(http(8080, '/health')), SAYS('/shop')), likely({ [PATH]: '/shop/health' })],
  'by its log, in all probes': [
    base({ ...ready(http(8080, '/health')), livenessProbe: http(8080, '/live'), startupProbe: http(9090, '/x') }, SAYS('/shop/')),
    likely({ [PATH]: '/shop/health', 'livenessProbe.httpGet.path': '/shop/live' }),
  ],
  'by its log, of another port': [base(ready(http(9090, '/health')), SAYS('/shop')), []],
  'by its log, which says the root': [base({ ...ready(http(8080, '/health')), ...env({ CONTEXT_PATH: '/x' }) }, SAYS('')), []],
  'that the path has': [base(ready(http(8080, '/shop/health')), SAYS('/shop')), []],
  'that is the path': [base(ready(http(8080, '/shop')), SAYS('/shop')), []],
  'of the root': [base(ready(http(8080)), SAYS('/shop')), likely({ [PATH]: '/shop/' })],
  'where the startup probe is fine outside': [
    base({ ...ready(http(8080, '/health')), startupProbe: http(8080, '/up') }, SAYS('/shop')),
    guess({ [PATH]: '/shop/health' }),
  ],
  'where the startup probe is fine inside': [
    base({ ...ready(http(8080, '/health')), startupProbe: http(8080, '/shop/up') }, SAYS('/shop')),
    likely({ [PATH]: '/shop/health' }),
  ],
  'where another probe fails otherwise': [
    base(
      { ...ready(http(8080, '/health')), livenessProbe: http(8080, '/live') },
      SAYS('/shop'),
      unhealthy('Liveness probe failed: HTTP probe failed with statuscode: 500'),
    ),
    likely({ [PATH]: '/shop/health' }),
  ],
  'of the actuator': [
    base(ready(http(8080, '/actuator/health')), "Exposing 1 endpoint beneath base path '/manage'"),
    likely({ [PATH]: '/manage/health' }),
  ],
  'of the actuator, by a variable': [
    base(ready(http(8080, '/actuator/health'), env({ MANAGEMENT_ENDPOINTS_WEB_BASE_PATH: '/manage/' }))),
    likely({ [PATH]: '/manage/health' }),
  ],
  'as a base path of a server': [base(ready(http(8080, '/health')), 'HTTP server base path: /shop'), likely({ [PATH]: '/shop/health' })],
  'as a base path of files': [base(ready(http(8080, '/health')), 'base path: /shop'), []],
  'as a base path of the file system': [base(ready(http(8080, '/health')), 'HTTP server root path = /var/www'), []],
});
for (const option of [
  'server.servlet.context-path',
  'server.context-path',
  'spring.webflux.base-path',
  'quarkus.http.root-path',
  'micronaut.server.context-path',
  'web.route-prefix',
  'context-path',
  'route-prefix',
  'url-prefix',
  'base-path',
  'path-prefix',
])
  test(`--${option} moves all paths`, () => {
    for (const args of [[`--${option}=/shop`], ['x', `--${option}`, '/shop'], [`-D${option}=/shop/`]])
      assert.equal(inShort(base(ready(http(8080, '/health'), { args }))), likely({ [PATH]: '/shop/health' }), args.join(' '));
  });
for (const name of ['JAVA_OPTS', 'JAVA_TOOL_OPTIONS', 'APP_ARGS', 'FLAGS'])
  test(`an option in ${name} moves all paths`, () =>
    assert.equal(
      inShort(base(ready(http(8080, '/health'), env({ [name]: '-Xmx1g -Dserver.servlet.context-path=/shop' })))),
      likely({ [PATH]: '/shop/health' }),
    ));
rows('the path of the address by which others know a server', {
  'moves its paths': [
    base(ready(http(9090, '/-/ready'), { args: ['--web.external-url=https://x.io/prom/'] })),
    likely({ [PATH]: '/prom/-/ready' }),
  ],
  'may be the path alone': [
    base(ready(http(9090, '/-/ready'), { args: ['--web.external-url=/prom'] })),
    likely({ [PATH]: '/prom/-/ready' }),
  ],
  'comes after its prefix': [
    base(ready(http(9090, '/-/ready'), { args: ['--web.external-url=https://x.io/prom', '--web.route-prefix=/'] })),
    [],
  ],
});
for (const [name, sure] of [
  ...[
    'SERVER_SERVLET_CONTEXT_PATH',
    'SERVER_CONTEXT_PATH',
    'SPRING_WEBFLUX_BASE_PATH',
    'QUARKUS_HTTP_ROOT_PATH',
    'KC_HTTP_RELATIVE_PATH',
    'MICRONAUT_SERVER_CONTEXT_PATH',
    'CONTEXT_PATH',
    'BASE_PATH',
    'APP_BASE_PATH',
    'APPLICATION_URL_PREFIX',
    'HTTP_PATH_PREFIX',
    'WEB_ROUTE_PREFIX',
    'SERVICE_CONTEXTPATH',
  ].map((one) => [one, 'likely'] as const),
  ...[
    'API_BASE_PATH',
    'X_CONTEXT_PATH',
    'MY_RELATIVE_PATH',
    'X_ROOT_PATH',
    'X_URL_PREFIX',
    'X_PATH_PREFIX',
    'X_ROUTE_PREFIX',
    'X_BASE_URL',
    'X_BASE_URL_PATH',
    'BASEURL',
  ].map((one) => [one, 'guess'] as const),
  ...[
    'DATA_BASE_PATH',
    'STORAGE_BASE_PATH',
    'FILES_BASE_PATH',
    'UPLOADS_BASE_PATH',
    'MEDIA_BASE_PATH',
    'STATIC_BASE_PATH',
    'LOG_BASE_PATH',
    'CACHE_BASE_PATH',
    'HOME_BASE_PATH',
    'S3_BASE_PATH',
    'BUCKET_BASE_PATH',
    'CONFIG_BASE_PATH',
    'TEMPLATE_BASE_PATH',
    'REPO_BASE_PATH',
    'WORK_BASE_PATH',
    'BACKUP_BASE_PATH',
    'MOUNT_BASE_PATH',
    'MANAGEMENT_BASE_PATH',
    'OTHER_PATH',
  ].map((one) => [one, undefined] as const),
] as const)
  test(`${name} ${sure === undefined ? 'moves no path' : `moves all paths (${sure})`}`, () =>
    assert.equal(
      inShort(base(ready(http(8080, '/health'), env({ A: '/x', [name]: '/shop' })))),
      sure === undefined ? [] : [[sure, { [PATH]: '/shop/health' }]],
    ));
test('a variable that is sure comes before one that is not', () =>
  assert.equal(inShort(base(ready(http(8080, '/health'), env({ X_BASE_PATH: '/a', BASE_PATH: '/b' })))), likely({ [PATH]: '/b/health' })));
rows('a path in a variable', {
  'in a URL': [base(ready(http(8080, '/health'), env({ X_BASE_URL: 'https://x.io/shop' }))), guess({ [PATH]: '/shop/health' })],
  'in a URL of another variable': [base(ready(http(8080, '/health'), env({ BASE_PATH: 'https://x.io/shop' }))), []],
  'of the file system': [base(ready(http(8080, '/health'), env({ BASE_PATH: '/srv/shop' }))), []],
  'that is mounted': [
    base(ready(http(8080, '/health'), { ...env({ BASE_PATH: '/shop' }), volumeMounts: [{ name: 'x', mountPath: '/shop/data' }] })),
    [],
  ],
  'below a mount': [
    base(ready(http(8080, '/health'), { ...env({ BASE_PATH: '/shop/a' }), volumeMounts: [{ name: 'x', mountPath: '/shop' }] })),
    [],
  ],
  'in which the program starts': [base(ready(http(8080, '/health'), { ...env({ BASE_PATH: '/shop' }), workingDir: '/shop' })), []],
  'in which the program is': [base(ready(http(8080, '/health'), { ...env({ BASE_PATH: '/shop' }), command: ['/shop/run'] })), []],
  'of a server of ASGI': [base(ready(http(8080, '/health'), { ...env({ ROOT_PATH: '/shop' }), command: ['uvicorn', 'app'] })), []],
  'of a server of ASGI by its log': [base(ready(http(8080, '/health'), env({ ROOT_PATH: '/shop' })), 'Uvicorn running on x'), []],
});
for (const folder of [
  'bin',
  'data',
  'dev',
  'etc',
  'home',
  'lib',
  'mnt',
  'opt',
  'proc',
  'root',
  'run',
  'srv',
  'sys',
  'tmp',
  'usr',
  'var',
  'work',
  'workspace',
])
  test(`/${folder} is a folder`, () =>
    assert.equal(
      [
        base(ready(http(8080, '/health'), env({ BASE_PATH: `/${folder}` }))),
        base(ready(http(8080, '/health'), env({ BASE_PATH: `/${folder}x` }))).length,
      ],
      [[], 1],
    ));

const waits = (
  container: object,
  parts: CaseParts = {},
  containers: object[] = [{ name: 'web', image: 'a', ports: [{ containerPort: 1 }, { containerPort: 8080 }] }],
  name: ProbeName = 'startup',
) =>
  beforeOthers(
    failing({}, { container: 'side', ...parts }, name, {
      initContainers: [{ name: 'side', image: 's', restartPolicy: 'Always', startupProbe: http(1), livenessProbe: http(1), ...container }],
      containers,
    }),
  );
const GONE = guess({ 'spec.initContainers[0].startupProbe': null });
rows('a sidecar that waits for the program', {
  'by its arguments': [waits({ args: ['--to=127.0.0.1:8080'] }), GONE],
  'by its command': [waits({ command: ['wait', 'http://localhost:8080'] }), GONE],
  'by its log': [waits({}, { logs: '==> side (current) <==\ndial [::1]:8080: refused\n' }), GONE],
  'for nobody': [waits({ args: ['--to=127.0.0.1:9090'] }), []],
  'that is none': [waits({ args: ['--to=127.0.0.1:8080'], restartPolicy: 'OnFailure' }), []],
  'after its start': [waits({ args: ['--to=127.0.0.1:8080'] }, {}, undefined, 'liveness'), []],
});

const manage = (container: object, text = '') => managementPort(failing(container, log(text)));
rows('a port of the management', {
  'by a variable': [
    manage({ ...ready(http(8080, '/actuator/health')), ...env({ A: '1', MANAGEMENT_SERVER_PORT: '8081' }) }),
    likely({ [PORT]: 8081 }),
  ],
  'by an option, in all probes of the management': [
    manage({
      ...ready(http(8080, '/health')),
      livenessProbe: http(8080, '/live'),
      startupProbe: http(8080, '/api'),
      args: ['--management.server.port=8081'],
    }),
    likely({ [PORT]: 8081, 'livenessProbe.httpGet.port': 8081 }),
  ],
  'by its log': [manage(ready(http(8080, '/q/health')), 'Management interface listening on http://0.0.0.0:9000'), likely({ [PORT]: 9000 })],
  'by the log of Spring': [
    manage(
      ready(http(8080, '/actuator/health')),
      'Tomcat started on port 8080\nExposing 1 endpoint beneath base path\nTomcat started on port 8081',
    ),
    likely({ [PORT]: 8081 }),
  ],
  'that it asks': [manage({ ...ready(http(8081, '/health')), ...env({ MANAGEMENT_SERVER_PORT: '8081' }) }), []],
  'for another path': [manage({ ...ready(http(8080, '/api')), ...env({ MANAGEMENT_SERVER_PORT: '8081' }) }), []],
  'that is none': [manage({ ...ready(http(8080, '/health')), ...env({ MANAGEMENT_SERVER_PORT: '-1' }) }), []],
  'that is too large': [manage({ ...ready(http(8080, '/health')), ...env({ MANAGEMENT_SERVER_PORT: '65536' }) }), []],
});
for (const name of ['MANAGEMENT_PORT', 'QUARKUS_MANAGEMENT_PORT', 'KC_HTTP_MANAGEMENT_PORT', 'ENDPOINTS_ALL_PORT'])
  test(`${name} is a port of the management`, () =>
    assert.is(manage({ ...ready(http(8080, '/health')), ...env({ [name]: '9000' }) }).length, 1));
for (const option of ['quarkus.management.port', 'endpoints.all.port', 'http-management-port'])
  test(`${option} is a port of the management`, () =>
    assert.is(manage({ ...ready(http(8080, '/health')), args: [`-D${option}=9000`] }).length, 1));
for (const path of ['/actuator', '/manage/x', '/management', '/q/x', '/healthz', '/ready', '/livez', '/started', '/metrics', '/status'])
  test(`${path} is a path of the management`, () =>
    assert.is(manage({ ...ready(http(8080, path)), ...env({ MANAGEMENT_PORT: '9000' }) }).length, 1));

rows('a variable in the path of a probe', {
  'in each of its forms': [
    withValues(failing(ready(http(8080, '/$(A)/${B}/$CC/x'), env({ A: 'a/', B: 'b', CC: 'c' })))),
    likely({ [PATH]: '/a/b/c/x' }),
  ],
  'that nobody sets': [withValues(failing(ready(http(8080, '/$(A)/$(B)'), env({ A: 'a' })))), []],
  'that is no path': [withValues(failing(ready(http(8080, '/$(A)'), env({ A: 'a b' })))), []],
  'that there is not': [withValues(failing(ready(http(8080, '/x'), env({ A: 'a' })))), []],
});

const port = (container: object, text = '', parts: CaseParts = {}, spec: object = {}) =>
  otherPort(failing(container, { ...log(text), ...parts }, 'readiness', spec));
const named = (name: string, containerPort: number) => ({ name, containerPort });
rows('another port', {
  'of the log, then the declared ones': [
    port(ready(http(8080), ports(8080, 7070)), 'listening on :9090'),
    [...likely({ [PORT]: 9090 }), ...guess({ [PORT]: 7070 })],
  ],
  'of another probe': [port({ ...ready(http(8080)), livenessProbe: { tcpSocket: { port: 9090 } } }), guess({ [PORT]: 9090 })],
  'each once, and three at most': [
    port(ready(http(8080), ports(9090, 1, 2, 3)), 'listening on :9090'),
    [...likely({ [PORT]: 9090 }), ...likely({ [PORT]: 1 }), ...likely({ [PORT]: 2 })],
  ],
  'of a connection': [port(ready({ tcpSocket: { port: 1 } }, ports(2))), likely({ 'readinessProbe.tcpSocket.port': 2 })],
  'of gRPC': [port(ready({ grpc: { port: 1 } }, ports(2))), likely({ 'readinessProbe.grpc.port': 2 })],
  'of a command': [port(ready(exec('x'), ports(2))), []],
  'where the program listens': [port(ready(http(8080), ports(9090)), 'listening on :8080'), []],
  'by its name, which has another number': [
    port(ready(http('web'), { ports: [named('x', 1), named('web', 8080)] }), 'listening on :9090'),
    likely({ 'ports[1].containerPort': 9090 }),
  ],
  'by its name, where another name has the number': [
    port(ready(http('web'), { ports: [named('web', 8080), named('x', 9090)] }), 'listening on :9090'),
    likely({ [PORT]: 9090 }),
  ],
  'by its name, on the network of the node': [
    port(ready(http('web'), { ports: [named('web', 8080)] }), 'listening on :9090', {}, { hostNetwork: true }),
    likely({ [PORT]: 9090 }),
  ],
  'as a text': [port(ready(http('8080'), ports(8080, 7070))), guess({ [PORT]: 7070 })],
  'beside one of UDP': [
    port(ready(http(8080), { ports: [{ containerPort: 8080, protocol: 'UDP' }, { containerPort: 7070 }] })),
    likely({ [PORT]: 7070 }),
  ],
  'of a Service, in the setting that has another one': [
    port(
      ready(http(8080), { ...ports(8080), ...env({ A: '1', PORT: ':9090' }) }),
      'listening on :9090',
      own([{ ...SERVICE, ports: [8080] }]),
    ),
    likely({ 'env[1].value': ':8080' }),
  ],
  'of a Service of others, in a setting': [
    port(
      ready(http(8080), { ...ports(8080), ...env({ PORT: '9090' }) }),
      'listening on :9090',
      own([{ name: 'x', selector: { app: 'x' }, ports: [8080] }]),
    ),
    likely({ [PORT]: 9090 }),
  ],
  'of a Service, in two settings': [
    port(
      ready(http(8080), { ...ports(8080), ...env({ A: '9090', B: '9090' }) }),
      'listening on :9090',
      own([{ ...SERVICE, ports: [8080] }]),
    ),
    likely({ [PORT]: 9090 }),
  ],
  'of a Service, which the container does not declare': [
    port(ready(http(8080), env({ PORT: '9090' })), 'listening on :9090', own([{ ...SERVICE, ports: [8080] }])),
    likely({ [PORT]: 9090 }),
  ],
});
const all = (container: object, text: string) => onAllAddresses({ input: anInput(container, {}, log(text)) });
rows('a program on its loopback', {
  'with its port': [
    all(env({ A: 'x', BIND: '127.0.0.1:8080' }), 'listening on 127.0.0.1:8080'),
    likely({ 'env[1].value': '0.0.0.0:8080' }),
  ],
  'by a variable': [all(env({ A: 'x', HOST: 'localhost' }), 'listening on 127.0.0.1:8080'), likely({ 'env[1].value': '0.0.0.0' })],
  'by an option': [all({ args: ['--bind=127.0.0.1'] }, 'listening on localhost:8080'), likely({ 'args[0]': '--bind=0.0.0.0' })],
  'by the word behind an option': [
    all({ args: ['--listen-address', '127.0.0.1'] }, 'listening on 127.0.0.1:8080'),
    likely({ 'args[1]': '0.0.0.0' }),
  ],
  'that calls a server there': [all(env({ DB_HOST: '127.0.0.1' }), 'listening on 127.0.0.1:8080'), []],
  'that listens elsewhere too': [all(env({ A: '127.0.0.1:5432' }), 'listening on 127.0.0.1:5432\nhealth server at 0.0.0.0:9801'), []],
  'that listens everywhere': [all(env({ HOST: '127.0.0.1' }), 'listening on 0.0.0.0:8080'), []],
});
for (const word of ['db', 'redis', 'cache', 'queue', 'smtp', 'api'])
  test(`the host of ${word} is not the own one`, () =>
    assert.equal(all(env({ [`${word}_host`]: '127.0.0.1' }), 'listening on 127.0.0.1:8080'), []));
for (const word of ['bind', 'listen', 'host', 'address', 'addr'])
  test(`${word} is the own host`, () => assert.is(all(env({ [word]: '127.0.0.1' }), 'listening on 127.0.0.1:8080').length, 1));
rows('a connection without gRPC', {
  'where the program listens': [
    plainConnection(failing(ready({ grpc: { port: 9090 }, periodSeconds: 2 }), log('listening on :9090'))),
    likely({ readinessProbe: { periodSeconds: 2, tcpSocket: { port: 9090 } } }),
  ],
  'where nobody listens': [plainConnection(failing(ready({ grpc: { port: 9090 } }), log('listening on :1234'))), []],
  'of another probe': [plainConnection(failing(ready(http(9090)), log('listening on :9090'))), []],
});

const refused = (container: object, text: string, status = 400) =>
  refusedHost(anInput(container, {}, log(text)), 'readiness', { status } as never);
const HEADER = 'readinessProbe.httpGet.httpHeaders';
const DJANGO = "Invalid HTTP_HOST header: '10.0.0.7:8080'. You may need to add it";
rows('a host that the program refuses', {
  'with one that it allows': [
    refused(ready(http(), env({ A: 'x', ALLOWED_HOSTS: '.example.com, localhost' })), DJANGO),
    likely({ [HEADER]: [{ name: 'Host', value: 'example.com' }] }),
  ],
  'with one in JSON': [
    refused(ready(http(), env({ ALLOWED_HOSTS: '["shop.io"]' })), DJANGO),
    likely({ [HEADER]: [{ name: 'Host', value: 'shop.io' }] }),
  ],
  'with its own name': [refused(ready(http()), DJANGO), guess({ [HEADER]: [{ name: 'Host', value: 'localhost' }] })],
  'beside other headers': [
    refused(ready(http(8080, '/', { httpHeaders: [{ name: 'X', value: 'y' }] })), DJANGO),
    guess({ [`${HEADER}[1]`]: { name: 'Host', value: 'localhost' } }),
  ],
  'that a header names': [
    refused(
      ready(
        http(8080, '/', {
          httpHeaders: [
            { name: 'X', value: 'y' },
            { name: 'host', value: 'a.io' },
          ],
        }),
      ),
      "Invalid HTTP_HOST header: 'a.io'",
    ),
    guess({ [`${HEADER}[1].value`]: 'localhost' }),
  ],
  'in all probes of the port': [
    refused({ ...ready(http()), livenessProbe: http(8080, '/live'), startupProbe: http(9090) }, DJANGO),
    guess({
      'livenessProbe.httpGet.httpHeaders': [{ name: 'Host', value: 'localhost' }],
      [HEADER]: [{ name: 'Host', value: 'localhost' }],
    }),
  ],
  'that only another request names': [refused(ready(http()), "Invalid HTTP_HOST header: 'evil.com'"), []],
  'where all are allowed': [refused(ready(http(), env({ ALLOWED_HOSTS: '*' })), DJANGO), []],
  'with another status': [refused(ready(http()), DJANGO, 500), []],
  'of a connection': [refused(ready({ tcpSocket: { port: 1 } }), DJANGO), []],
});
for (const text of [
  'Blocked host: 10.0.0.7',
  'Blocked hosts: 10.0.0.7:8080',
  'Blocked request. This host ("10.0.0.7") is not allowed',
  "The host '10.0.0.7' does not match an allowed host",
  'Trusted domain error. "10.0.0.7"',
  'Invalid host header: 10.0.0.7',
  'Host 10.0.0.7 is not allowed',
  'Host "10.0.0.7" not an allowed',
  'Invalid HTTP_HOST header: "[fd00::7]:8080"',
])
  test(`a host that is refused: ${text}`, () => assert.ok(refused(ready(http()), text)));
test('a database that refuses a client refuses no probe', () =>
  assert.is(refused(ready(http()), "Host '10.0.0.7' is not allowed to connect"), undefined));
for (const status of [400, 403, 421, 404])
  test(`status ${status} ${status === 404 ? 'is no' : 'may be a'} refused host`, () =>
    assert.is(refused(ready(http()), DJANGO, status) === undefined, status === 404));
for (const name of ['ALLOWED_HOSTS', 'APP_ALLOWEDHOSTS', 'TRUSTED_HOST', 'NEXTCLOUD_TRUSTED_DOMAINS', 'ALLOWED_DOMAINS', 'HOSTS_ALLOWED'])
  test(`${name} lists the hosts`, () =>
    assert.is(refused(ready(http(), env({ [name]: 'shop.io' })), DJANGO)?.culprit, `${name}=shop.io: 10.0.0.7:8080 is not allowed`));
test('where the hosts of Rails are', () =>
  assert.equal(
    [refused(ready(http()), 'Blocked host: 10.0.0.7')?.culprit, refused(ready(http()), DJANGO)?.culprit],
    ['config.hosts: 10.0.0.7 is not allowed', 'ALLOWED_HOSTS: 10.0.0.7:8080 is not allowed'],
  ));

const path = (container: object, text = '', parts: CaseParts = {}, status = 404) =>
  otherPath(failing(container, { ...log(text), ...parts }), status);
rows('another path', {
  'of another probe, then the root': [
    path({ ...ready(http(8080, '/a')), livenessProbe: http(8080, '/b') }),
    [...likely({ [PATH]: '/b' }), ...guess({ [PATH]: '/' })],
  ],
  'of another probe that fails too': [
    path(
      { ...ready(http(8080, '/a')), livenessProbe: http(8080, '/b') },
      '',
      unhealthy('Liveness probe failed: HTTP probe failed with statuscode: 500'),
    ),
    guess({ [PATH]: '/' }),
  ],
  'that the log shows as answered': [
    path(ready(http(8080, '/healthz')), 'GET /api 200\nGET /health HTTP/1.1" 200\nGET /ready 404'),
    [...likely({ [PATH]: '/health' }), ...guess({ [PATH]: '/' })],
  ],
  'that the log lists': [
    path(ready(http(8080, '/a')), 'GET /ping --> main.ping\nGET /x/status => f\nGET /live 204'),
    [...likely({ [PATH]: '/ping' }), ...likely({ [PATH]: '/x/status' }), ...guess({ [PATH]: '/' })],
  ],
  'that is the root': [path(ready(http(8080))), []],
  'that the log shows as the root': [path({ ...ready(http(8080, '/a')), livenessProbe: http(8080, '/') }), likely({ [PATH]: '/' })],
  'below a base': [path(ready(http(8080, '/a')), SAYS('/shop')).slice(0, 1), likely({ [PATH]: '/shop/a' })],
  'below a base, for another status': [path(ready(http(8080, '/a')), SAYS('/shop'), {}, 500), guess({ [PATH]: '/' })],
  'of a connection': [path(ready({ tcpSocket: { port: 1 } })), []],
});
for (const word of ['health', 'ready', 'live', 'ping', 'status', 'alive'])
  test(`/x/${word} looks like a path of health`, () =>
    assert.equal(path(ready(http(8080, '/a')), `GET /x/${word} 200`)[0]?.changes[0]?.to, `/x/${word}`));
for (const text of [
  'client sent an HTTP request to an HTTPS server',
  'The plain HTTP request was sent to HTTPS port',
  'HTTP request on a TLS port',
  'HTTP request to an HTTPS listener',
  'http request to SSL',
])
  test(`a server that wants TLS: ${text}`, () => assert.ok(saysTls(failing(ready(http()), log(text)))));
test('a server that says nothing wants no TLS', () => assert.not.ok(saysTls(failing(ready(http()), log('GET / 400')))));
const rpc = (output: string, grpc: object = { port: 9, service: 'shop' }) => otherRpc(failing(ready({ grpc, periodSeconds: 2 })), output);
rows('a service of gRPC', {
  'that the server does not know': [rpc('unknown service shop'), guess({ 'readinessProbe.grpc.service': null })],
  'that is not found': [rpc('code = NotFound'), guess({ 'readinessProbe.grpc.service': null })],
  'that serves nothing': [rpc('SERVICE_UNKNOWN'), guess({ 'readinessProbe.grpc.service': null })],
  'of health that there is not': [
    rpc('this server does not implement the grpc health protocol', { port: 9 }),
    guess({ readinessProbe: { periodSeconds: 2, tcpSocket: { port: 9 } } }),
  ],
  'of health that it lacks': [
    rpc('code = Unimplemented', { port: 9 }),
    guess({ readinessProbe: { periodSeconds: 2, tcpSocket: { port: 9 } } }),
  ],
  'of the whole server': [rpc('unknown service', { port: 9 }), []],
  'that fails otherwise': [rpc('timeout'), []],
});
rows('another scheme', {
  'of a request': [otherScheme(failing(ready(http())), 'HTTPS', 'likely'), likely({ 'readinessProbe.httpGet.scheme': 'HTTPS' })],
  'of a connection': [otherScheme(failing(ready({ tcpSocket: { port: 1 } })), 'HTTP', 'likely'), []],
});

const client = (command: string[], container: object = {}, text = '') =>
  insteadOfClient(failing(ready({ ...exec(...command), periodSeconds: 2 }, container), log(text)));
const TCP = (at: number) => likely({ readinessProbe: { periodSeconds: 2, tcpSocket: { port: at } } });
const GET = (at: number) => likely({ readinessProbe: { periodSeconds: 2, httpGet: { path: '/', port: at } } });
rows('a client that the image lacks', {
  'of HTTP': [client(['curl', 'http://localhost:8080/']), GET(8080)],
  'of HTTP, at the declared port': [client(['curl', 'http://localhost:1/'], ports(8080)), GET(8080)],
  'of HTTP, at one of two declared ports': [client(['curl', 'http://localhost:1/'], ports(8080, 2)), GET(1)],
  'of HTTP, where the log says': [client(['curl', 'http://localhost:1/'], ports(8080), 'listening on :9090'), GET(9090)],
  'of HTTP, at a declared port': [client(['curl', 'http://localhost:8080/'], ports(8080), 'listening on :9090'), GET(8080)],
  'of HTTP, for another host': [client(['curl', 'http://db:1/']), []],
  'of PostgreSQL': [client(['pg_isready', '-U', 'x'], ports(5432)), TCP(5432)],
  'with a port': [client(['psql', '--port=6432'], ports(6432)), TCP(6432)],
  'with a port that is not open': [client(['redis-cli', '-p', '7'], ports(8)), []],
  'where the log says': [client(['redis-cli', 'ping'], {}, 'listening on :6379'), TCP(6379)],
  'of another host': [client(['redis-cli', '-h', 'cache'], ports(6379)), []],
  'of the own host': [client(['redis-cli', '-h', 'localhost'], ports(6379)), TCP(6379)],
  'of a variable': [client(['redis-cli', '-h', '$HOST'], ports(6379)), TCP(6379)],
  'of nothing that is known': [client(['check'], ports(6379)), []],
  'without a port of its own': [client(['nc', '-z', 'x'], ports(1)), []],
});
for (const [name, at] of Object.entries({
  pg_isready: 5432,
  psql: 5432,
  'redis-cli': 6379,
  'valkey-cli': 6379,
  mysqladmin: 3306,
  'mariadb-admin': 3306,
  mysql: 3306,
  mongosh: 27017,
  mongo: 27017,
}))
  test(`${name} asks port ${at}`, () => assert.equal(inShort(client(['sh', '-c', `${name} x`], ports(at))), TCP(at)));
const shell = (...command: string[]) => byShell(failing(ready(exec(...command))));
const COMMAND = 'readinessProbe.exec.command';
rows('a command without a shell', {
  'in one word': [shell('cat /tmp/x'), likely({ [COMMAND]: ['cat', '/tmp/x'] })],
  'in one word with signs': [shell('cat /tmp/x | grep a'), likely({ [COMMAND]: ['sh', '-c', 'cat /tmp/x | grep a'] })],
  'with a sign': [shell('cat', 'x', '&&', 'y'), likely({ [COMMAND]: ['sh', '-c', 'cat x && y'] })],
  'with a shell': [shell('/bin/sh', '-c', 'a | b'), []],
  'with a shell in one word': [shell('bash'), []],
  'in its words': [shell('cat', 'x'), []],
});
for (const sign of ['|', '||', '&&', ';', '>', '>>', '<', '2>&1'])
  test(`${sign} needs a shell`, () => assert.is(shell('a', sign, 'b').length, 1));
rows('a command that fails', {
  'for a connection where the log says': [
    insteadOfCommand(failing(ready(exec('x'), ports(1)), log('listening on :9090'))),
    guess({ readinessProbe: { tcpSocket: { port: 9090 } } }),
  ],
  'for a connection to the declared port': [
    insteadOfCommand(failing(ready(exec('x'), ports(1, 2)))),
    guess({ readinessProbe: { tcpSocket: { port: 1 } } }),
  ],
  'without a port': [insteadOfCommand(failing(ready(exec('x')))), guess({ readinessProbe: null })],
  'that is none': [insteadOfCommand(failing(ready(http()))), []],
});

const live = (probe: object = {}, more: object = {}) => ({ livenessProbe: { ...http(8080), ...probe }, ...more });
const time = (container: object, name: ProbeName = 'liveness', parts: CaseParts = {}) =>
  moreTimeToStart(failing(container, parts, name), 'likely');
const STARTUP = (more: object = {}) => ({ startupProbe: { ...http(8080), ...more, periodSeconds: 10, failureThreshold: 30 } });
rows('more time to start', {
  'with a startup probe': [time(live()), likely(STARTUP())],
  'with the time for an answer': [time(live({ timeoutSeconds: 7 })), likely(STARTUP({ timeoutSeconds: 7 }))],
  'with the default time for an answer': [time(live({ timeoutSeconds: 1 })), likely(STARTUP())],
  'with a longer startup probe': [
    time(live({}, { startupProbe: { ...http(8080), failureThreshold: 20 } })),
    likely({ 'startupProbe.failureThreshold': 60 }),
  ],
  'with a startup probe that has no threshold': [
    time({ startupProbe: http(8080) }, 'startup'),
    likely({ 'startupProbe.failureThreshold': 30 }),
  ],
  'not for readiness': [time({ readinessProbe: http(8080) }, 'readiness'), []],
});
for (const [sentence, probe, seconds, isOffered] of [
  ['by default', {}, 70, true],
  ['by default, and longer', {}, 71, false],
  ['with a delay', { initialDelaySeconds: 10 }, 80, true],
  ['with a longer period', { periodSeconds: 20 }, 110, true],
  ['with a longer answer', { timeoutSeconds: 20 }, 110, true],
  ['with more failures', { failureThreshold: 5 }, 90, true],
  ['with a longer end', { terminationGracePeriodSeconds: 60 }, 100, true],
  ['with a longer end, and longer', { terminationGracePeriodSeconds: 60 }, 101, false],
] as const)
  test(`a container that ran for ${seconds} s ${sentence} ${isOffered ? 'may have been starting' : 'had started'}`, () => {
    const last_state = {
      state: 'terminated',
      reason: 'Error',
      exit_code: 137,
      started_at: '2026-01-01T00:00:00Z',
      finished_at: new Date(Date.UTC(2026, 0, 1, 0, 0, seconds)).toISOString(),
    };
    assert.is(
      time(live(probe), 'liveness', { ...unhealthy(), status: { state: 'running', restart_count: 2, last_state } as never }).length > 0,
      isOffered,
    );
  });
test('more time for an answer', () => {
  const of = (timeoutSeconds?: number) =>
    moreTimeToAnswer(failing(ready({ ...http(), ...(timeoutSeconds === undefined ? {} : { timeoutSeconds }) } as Probe))).changes[0]?.to;
  assert.equal([of(), of(1), of(2), of(10)], [5, 5, 6, 30]);
});

test.run();
