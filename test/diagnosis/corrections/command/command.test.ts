import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import {
  asArguments,
  byInterpreter,
  dropCommand,
  otherProgram,
  runnable,
  scriptAsFile,
} from '../../../../src/diagnosis/corrections/command/command.ts';
import { isHelperName } from '../../../../src/crd/helper.ts';
import { asInitContainer, asSidecar, helperIn } from '../../../../src/diagnosis/corrections/command/container-order.ts';
import { migrateInstead, prepareDatabase } from '../../../../src/diagnosis/corrections/command/migration.ts';
import { sharedProcesses } from '../../../../src/diagnosis/corrections/command/processes.ts';
import { optionsBeforeScript, withoutProgram } from '../../../../src/diagnosis/corrections/command/program-twice.ts';
import { folderOfImage } from '../../../../src/diagnosis/corrections/command/start-folder.ts';
import { aPlace, anInput, inShort } from '../../../support/builders/cases.ts';
import { correctionRows, guess, likely, NO_MIRROR } from '../../../support/builders/corrections.ts';

const test = suite('commands and containers');
const rows = correctionRows(test);

const args = (...words: string[]) => ({ args: words });
const command = (...words: string[]) => ({ command: words });
const DROP = guess({ command: null });

rows('words in the place of the program', {
  'a port': [asArguments(aPlace(command(':8080', 'x'))), likely({ command: null, args: [':8080', 'x'] })],
  'an option': [asArguments(aPlace(command('--port=1'))), likely({ command: null, args: ['--port=1'] })],
  'an address': [asArguments(aPlace(command('0.0.0.0:80'))), likely({ command: null, args: ['0.0.0.0:80'] })],
  'with arguments behind them': [asArguments(aPlace({ ...command('--port=1'), ...args('x') })), []],
  'of a program': [asArguments(aPlace(command('serve'))), []],
});
rows('the own entrypoint', {
  'for a command': [dropCommand(aPlace(command('x')), 'w'), DROP],
  'for arguments': [dropCommand(aPlace(args('x')), 'w'), guess({ args: null })],
  'for both': [dropCommand(aPlace({ ...command('x'), ...args('y') }), 'w'), guess({ command: null, args: null })],
  'for none': [dropCommand(aPlace({ command: [], args: [] }), 'w'), []],
});
const other = (program: string, more: object = {}) => otherProgram(aPlace({ ...command(program, 'x'), ...more }), program);
const use = (...words: string[]) => likely({ command: words });
rows('a program that the image lacks', {
  bash: [other('bash'), use('sh', 'x')],
  'bash in its folder': [other('/usr/bin/bash'), use('/bin/sh', 'x')],
  python: [other('/usr/bin/python'), guess({ command: ['/usr/bin/python3', 'x'] })],
  'a slip': [other('ngnix'), use('nginx', 'x')],
  'a slip in its folder': [other('/usr/sbin/ngnix'), use('/usr/sbin/nginx', 'x')],
  'white space at its end': [other('nginx\r'), use('nginx', 'x')],
  'several words': [other('npm run start'), use('npm', 'run', 'start', 'x')],
  'a script': [other('sleep 1 && run'), use('sh', '-c', 'sleep 1 && run', 'x')],
  'in the arguments': [otherProgram(aPlace(args('ngnix', 'y')), 'ngnix'), likely({ args: ['nginx', 'y'] })],
  'below a shell': [other('/bin/sh/ngnix'), []],
  'behind another one': [otherProgram(aPlace(command('bundle', 'exec', 'pumma')), 'pumma'), likely({ 'command[2]': 'puma' })],
  'that stands twice behind another one': [otherProgram(aPlace(command('x', 'pumma', 'pumma')), 'pumma'), []],
  'that stands nowhere': [otherProgram(aPlace(command('sh', 'run')), 'ngnix'), []],
  'a wrapper': [otherProgram(aPlace(command('/sbin/tini', '-g', '--', 'node', 'a.js')), '/sbin/tini'), use('node', 'a.js')],
  'a wrapper before the arguments': [
    otherProgram(aPlace({ ...command('tini', '--'), ...args('node') }), 'tini'),
    likely({ command: ['node'], args: null }),
  ],
  'a wrapper in the arguments': [otherProgram(aPlace(args('dumb-init', 'node')), 'dumb-init'), likely({ args: ['node'] })],
  'a wrapper of nothing': [otherProgram(aPlace(command('tini', '--')), 'tini'), []],
});
for (const wrapper of ['tini', 'tini-static', 'dumb-init', 'catatonit', 'my_init', 's6-svscan', 'docker-init', 'pid1', 'go-init'])
  test(`${wrapper} only starts another program`, () =>
    assert.equal(inShort(otherProgram(aPlace(command(wrapper, 'node')), wrapper)), likely({ command: ['node'] })));
for (const program of [
  'sh',
  'python3',
  'node',
  'npm',
  'npx',
  'yarn',
  'pnpm',
  'java',
  'ruby',
  'bundle',
  'rails',
  'php-fpm',
  'perl',
  'dotnet',
  'deno',
  'nginx',
  'httpd',
  'apachectl',
  'caddy',
  'redis-server',
  'postgres',
  'mysqld',
  'mongod',
  'memcached',
  'haproxy',
  'envoy',
  'traefik',
  'gunicorn',
  'uvicorn',
  'celery',
  'flask',
  'django-admin',
  'sleep',
  'echo',
  'tail',
  'curl',
  'wget',
  'make',
  'supervisord',
  'gosu',
])
  test(`a slip of ${program}`, () => {
    const slip = `${program}x`;
    assert.ok(otherProgram(aPlace(command(slip)), slip).some(({ changes: [first] }) => String(first?.to) === program));
  });
const script = (container: object) => scriptAsFile(aPlace(container));
test('a script that a shell takes for a file', () => {
  assert.equal(script(command('/bin/sh', 'echo a; b'))?.corrections[0]?.confidence, 'certain');
  assert.equal(script(command('/bin/sh', 'echo a; b'))?.corrections[0]?.changes[0]?.to, ['/bin/sh', '-c', 'echo a; b']);
  assert.equal(
    script({ ...command('bash'), ...args('a && b', 'c') })?.corrections[0]?.changes.map(({ path, to }) => [path, to]),
    [['spec.containers[0].args', ['-c', 'a && b', 'c']]],
  );
  assert.equal([script(command('sh', 'run.sh')), script(command('node', 'a b')), script(command('sh'))], [undefined, undefined, undefined]);
});

const mount = (mountPath: string, more: object = {}) => ({
  volumeMounts: [
    { name: 'x', mountPath: '/x' },
    { name: 's', mountPath, ...more },
  ],
});
const volumes = (one: object) => ({
  volumes: [
    { name: 'x', emptyDir: {} },
    { name: 's', ...one },
  ],
});
const MODE = likely({ 'spec.volumes[1].configMap.defaultMode': 0o755 });
const run = (program: string, container: object, one: object = { configMap: { name: 's' } }) =>
  runnable(aPlace({ ...command(program), ...container }, volumes(one)), program);
rows('a script without the right to run', {
  'of a ConfigMap': [run('/s/run', mount('/s/')), [...MODE, ...likely({ command: ['sh', '/s/run'] })]],
  'of a Secret': [
    run('/s/run', mount('/s'), { secret: { secretName: 's' } }).slice(0, 1),
    likely({ 'spec.volumes[1].secret.defaultMode': 493 }),
  ],
  'mounted alone': [run('/s/run.py', mount('/s/run.py')), [...MODE, ...likely({ command: ['python3', '/s/run.py'] })]],
  'with a mode of its own': [
    run('/s/run.zip', mount('/s'), {
      configMap: {
        name: 's',
        items: [
          { key: 'a', path: 'a' },
          { key: 'k', path: 'run.zip', mode: 1 },
        ],
      },
    }),
    likely({ 'spec.volumes[1].configMap.items[1].mode': 493 }),
  ],
  'with a mode of its own, mounted alone': [
    run('/s/run.zip', mount('/s/run.zip', { subPath: 'b' }), { configMap: { name: 's', items: [{ key: 'k', path: 'b', mode: 1 }] } }),
    likely({ 'spec.volumes[1].configMap.items[0].mode': 493 }),
  ],
  'of no mode of its own': [run('/s/run.zip', mount('/s'), { configMap: { name: 's', items: [{ key: 'k', path: 'run.zip' }] } }), MODE],
  'of an empty volume': [run('/s/run', mount('/s'), { emptyDir: {} }), []],
  'beside the volume': [run('/script', mount('/s')), []],
  'that is no command': [runnable(aPlace({ ...command('a'), ...mount('/s') }, volumes({ configMap: {} })), '/s/run'), []],
});
for (const [ending, interpreter] of [
  ['sh', 'sh'],
  ['bash', 'bash'],
  ['py', 'python3'],
  ['js', 'node'],
  ['mjs', 'node'],
  ['rb', 'ruby'],
  ['pl', 'perl'],
  ['php', 'php'],
] as const)
  test(`a script in .${ending} runs with ${interpreter}`, () =>
    assert.equal(
      inShort(byInterpreter(aPlace(args(`/a.${ending}`, 'b')), `/a.${ending}`, 'w')),
      likely({ args: [interpreter, `/a.${ending}`, 'b'] }),
    ));
test('a file of no known kind has no interpreter', () => assert.equal(byInterpreter(aPlace(args('/a')), '/a', 'w'), []));

const pod = (containers: object[], spec: object = {}) => aPlace({}, { containers, ...spec });
const [WEB, WORK, INIT] = [{ name: 'web', ports: [{ containerPort: 1 }] }, { name: 'work' }, { name: 'init' }];
rows('a container that ends', {
  'runs first': [
    asInitContainer(pod([WEB, WORK], { initContainers: [INIT] }), 'work'),
    guess({ 'spec.containers': [WEB], 'spec.initContainers': [INIT, WORK] }),
  ],
  'runs first alone': [asInitContainer(pod([WORK, WEB]), 'work'), guess({ 'spec.containers': [WEB], 'spec.initContainers': [WORK] })],
  'is the only one': [asInitContainer(pod([WORK]), 'work'), []],
  'is not there': [asInitContainer(pod([WEB, WORK]), 'none'), []],
});
for (const field of ['livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle'])
  test(`a container with a ${field} runs beside the others`, () =>
    assert.equal(asInitContainer(pod([WEB, { ...WORK, [field]: {} }]), 'work'), []));
const SIDECAR = { ...WEB, restartPolicy: 'Always' };
rows('a container that runs on', {
  'becomes a sidecar': [
    asSidecar(pod([WEB, WORK], { initContainers: [INIT] }), 'web'),
    guess({ 'spec.containers': [WORK], 'spec.initContainers': [INIT, SIDECAR] }),
  ],
  'becomes a sidecar before another one': [
    asSidecar(pod([WEB, WORK], { initContainers: [WORK, INIT] }), 'web', 'init'),
    guess({ 'spec.containers': [WORK], 'spec.initContainers': [WORK, SIDECAR, INIT] }),
  ],
  'becomes a sidecar before the first one': [
    asSidecar(pod([WEB, WORK], { initContainers: [INIT, WORK] }), 'web', 'init'),
    guess({ 'spec.containers': [WORK], 'spec.initContainers': [SIDECAR, INIT, WORK] }),
  ],
  'becomes a sidecar before none': [
    asSidecar(pod([WEB, WORK], { initContainers: [INIT] }), 'web', 'gone'),
    guess({ 'spec.containers': [WORK], 'spec.initContainers': [INIT, SIDECAR] }),
  ],
  'becomes a sidecar without the mount that admission adds': [
    asSidecar(
      pod([{ ...WEB, volumeMounts: [{ name: 'kube-api-access-x1', mountPath: '/var/run/secrets' }] }, WORK], {
        volumes: [{ name: 'kube-api-access-x1', projected: {} }],
      }),
      'web',
    ),
    guess({ 'spec.containers': [WORK], 'spec.initContainers': [SIDECAR] }),
  ],
  'becomes a sidecar with its own mounts': [
    asSidecar(pod([{ ...WEB, volumeMounts: [{ name: 'own', mountPath: '/own' }] }, WORK]), 'web'),
    guess({
      'spec.containers': [WORK],
      'spec.initContainers': [{ ...WEB, volumeMounts: [{ name: 'own', mountPath: '/own' }], restartPolicy: 'Always' }],
    }),
  ],
  'is the only one': [asSidecar(pod([WEB]), 'web'), []],
  'is not there': [asSidecar(pod([WEB, WORK]), 'none'), []],
});
test('the reason for a sidecar', () =>
  assert.equal(
    [undefined, 'init'].map((before) => asSidecar(pod([WEB, WORK]), 'web', before)[0]?.changes[0]?.why),
    ['`web` never ends by itself', '`init` needs `web`'],
  ));
for (const name of [
  'cloud-sql-proxy',
  'proxies',
  'sidecar',
  'agent',
  'envoy',
  'istio-x',
  'linkerd',
  'mesh',
  'fluent-bit',
  'logger',
  'logging',
  'logs',
  'log-shipper',
  'shipper',
  'exporter',
  'metrics',
  'otel',
  'collector',
  'tunnel',
  'vault',
  'daprd',
])
  test(`${name} is called like a helper`, () => assert.ok(isHelperName(name)));
test('the helper of a pod', () => {
  assert.equal([isHelperName('web'), isHelperName('login')], [false, false]);
  assert.is(helperIn(pod([WORK, { name: 'proxy' }])), 'proxy');
  assert.is(helperIn(pod([WORK, { name: 'proxy' }, { name: 'agent' }])), undefined);
  assert.is(helperIn(pod([WORK, WEB])), 'web');
  assert.is(helperIn(pod([WORK, { name: 'a', readinessProbe: {} }])), 'a');
  assert.is(helperIn(pod([WORK, { name: 'a' }])), undefined);
});

const RUN = 'the schema is old. Run `airflow db migrate` first';
const prepare = (line: string, container: object = {}, spec: object = {}, parts: object = {}) =>
  prepareDatabase(anInput({ image: 'apache/airflow:2', ...container }, spec, parts), line);
const made = (more: object = {}, name = ['airflow', 'db', 'migrate'], image = 'apache/airflow:2') => ({
  name: 'prepare-database',
  image,
  command: name,
  ...more,
});
rows('a database that nobody has prepared', {
  'as the program says': [prepare(RUN), guess({ 'spec.initContainers': [made()] }, NO_MIRROR)],
  'with the same settings': [
    prepare(RUN, {
      env: [{ name: 'A' }],
      envFrom: [{}],
      volumeMounts: [{ name: 'v', mountPath: '/v' }],
      workingDir: '/w',
      securityContext: { runAsUser: 1 },
      ports: [],
    }),
    guess(
      {
        'spec.initContainers': [
          made({
            env: [{ name: 'A' }],
            envFrom: [{}],
            volumeMounts: [{ name: 'v', mountPath: '/v' }],
            workingDir: '/w',
            securityContext: { runAsUser: 1 },
          }),
        ],
      },
      NO_MIRROR,
    ),
  ],
  'behind the others': [prepare(RUN, {}, { initContainers: [INIT] }), guess({ 'spec.initContainers[1]': made() }, NO_MIRROR)],
  'that an init container prepares': [prepare(RUN, {}, { initContainers: [{ name: 'm', args: ['sh', '-c', 'airflow db migrate'] }] }), []],
  'for which there is such a container': [prepare(RUN, {}, { initContainers: [{ name: 'prepare-database' }] }), []],
  'for an init container': [prepare(RUN, {}, { initContainers: [{ name: 'i', image: 'a' }] }, { container: 'i' }), []],
  'by one of two commands': [prepare("Run 'a db init' or run 'a db upgrade'"), []],
  'by no command that prepares': [prepare("Run 'a db show' first"), []],
  'of Kong': [
    prepare('Database needs bootstrapping', { image: 'kong/kong-gateway:3' }),
    guess({ 'spec.initContainers': [made({}, ['kong', 'migrations', 'bootstrap'], 'kong/kong-gateway:3')] }, NO_MIRROR),
  ],
  'of another image than Kong': [prepare('Database needs bootstrapping'), []],
});
for (const verb of ['Run', 'running', 'execute', 'use', 'try'])
  for (const words of [
    'x db migrate',
    'x migration y',
    'x db:setup',
    'x db prepare',
    'x db init',
    'x upgrade head',
    'x upgrade db',
    'x bootstrap',
  ])
    test(`a database to prepare: ${verb} ${words}`, () => assert.is(prepare(`${verb} "${words}"`)?.command, words));

const looks = (initContainers: object[]) => migrateInstead(anInput({}, { initContainers: [INIT, ...initContainers] }));
for (const [tool, looking, migrates] of [
  ['flyway', ['info', 'validate'], ['migrate']],
  ['liquibase', ['status', 'validate', 'update-sql', 'history'], ['update']],
  ['alembic', ['current', 'history', 'check', 'heads'], ['upgrade', 'head']],
  ['manage.py', ['showmigrations', 'makemigrations', 'sqlmigrate'], ['migrate']],
  ['django', ['showmigrations'], ['migrate']],
  ['goose', ['status', 'version'], ['up']],
  ['dbmate', ['status'], ['up']],
  ['knex', ['migrate:status', 'migrate:list'], ['migrate:latest']],
  ['sequelize', ['db:migrate:status'], ['db:migrate']],
  ['rails', ['db:version', 'db:migrate:status', 'db:abort_if_pending_migrations'], ['db:migrate']],
  ['rake', ['db:version'], ['db:migrate']],
  ['bundle', ['db:version'], ['db:migrate']],
] as const)
  test(`a ${tool} that only looks`, () => {
    for (const word of looking) {
      const found = looks([{ name: 'm', command: [tool], args: [word, 'x'] }]);
      assert.equal(
        [found?.container, found?.looks, inShort(found && [found.correction])],
        [
          'm',
          word,
          likely(
            migrates.length === 1
              ? { 'spec.initContainers[1].args[0]': migrates[0] }
              : { 'spec.initContainers[1].args': [...migrates, 'x'] },
          ),
        ],
        word,
      );
    }
    assert.is(looks([{ name: 'm', command: [tool], args: [...migrates] }]), undefined);
  });
test('a tool that only looks, by the name of its container', () =>
  assert.equal(
    inShort([looks([{ name: 'my-flyway', command: ['x', 'info'] }])!.correction]),
    likely({ 'spec.initContainers[1].command[1]': 'migrate' }),
  ));

const shares = (process: string, spec: object, container: object = {}) =>
  sharedProcesses(
    anInput(container, {
      containers: [
        { name: 'app', image: 'nginx', ...container },
        { name: 'side', image: 'r.io:5000/x/nginx:1@sha256:a', ...command('/bin/run', '--a=b') },
      ],
      ...spec,
    }),
    process,
  );
test('a process that another container runs', () => {
  for (const process of ['nginx', 'side', 'run', 'b']) {
    const found = shares(process, {});
    assert.equal([found?.of, inShort(found?.corrections)], ['side', guess({ 'spec.shareProcessNamespace': true })], process);
  }
  assert.is(
    shares('fluentd', {
      initContainers: [
        { name: 'i', image: 'fluentd' },
        { name: 's', image: 'fluentd', restartPolicy: 'Always' },
      ],
    })?.of,
    's',
  );
  assert.equal(
    [
      shares('', {}),
      shares('ngin', {}),
      shares('app', {}),
      shares('run', { shareProcessNamespace: true }),
      shares('run', { hostPID: true }),
      shares('i', { initContainers: [{ name: 'i' }] }),
    ],
    [undefined, undefined, undefined, undefined, undefined, undefined],
  );
});

const twice = (line: string, container: object, text = '') =>
  withoutProgram(anInput(container, {}, { logs: `==> app (previous) <==\n${text}\n` }), line);
const AWS = { image: 'amazon/aws-cli:2', ...args('aws', 's3', 'ls') };
rows('the program before its arguments', {
  'by the name of the image': [twice('invalid choice', AWS), likely({ args: ['s3', 'ls'] })],
  'by the same name': [twice('unknown command', { image: 'x/helm', ...args('helm', 'ls') }), likely({ args: ['ls'] })],
  'by its usage': [twice('unknown command', { image: 'own', ...args('tool', 'ls') }, 'Usage: tool [options]'), likely({ args: ['ls'] })],
  'by its words': [twice('unknown command', { image: 'own', ...args('tool', 'ls') }, 'tool: bad'), likely({ args: ['ls'] })],
  'by the command that it means': [
    twice('unknown command', { image: 'own', ...args('tool', 'ls') }, 'unknown command "x" for "tool"'),
    likely({ args: ['ls'] }),
  ],
  'of another program': [twice('unknown command', { image: 'own', ...args('tool', 'ls') }), []],
  'behind a command': [twice('unknown command', { ...AWS, ...command('x') }), []],
  alone: [twice('unknown command', { image: 'aws', ...args('aws') }), []],
  'that is an option': [twice('unknown command', { image: 'aws', ...args('--aws', 'b') }), []],
  'in another line': [twice('it failed', AWS), []],
});
for (const words of [
  'invalid choice',
  'unknown command',
  'unknown subcommand',
  'unrecognized command',
  'unrecognised subcommand',
  'is not a command',
  'is not an aws command',
  'no such command',
  'unexpected argument',
  'too many arguments',
  'invalid command',
])
  test(`a word that is no command: ${words}`, () => assert.is(twice(`x: ${words}`, AWS).length, 1));

const NET = 'Requires net access to "a:1"';
const deno = (line: string, container: object) => optionsBeforeScript(anInput(container), line);
rows('rights of Deno', {
  'behind the script': [
    deno(NET, args('run', 'main.ts', '--allow-net', '--x', '--deny-env=A')),
    likely({ args: ['run', '--allow-net', '--deny-env=A', 'main.ts', '--x'] }),
  ],
  'behind the script of the command': [
    deno(NET, command('deno', 'run', 'main.js', '--unstable-kv')),
    likely({ command: ['deno', 'run', '--unstable-kv', 'main.js'] }),
  ],
  'that it asks for': [
    deno(`${NET}, run again with the --allow-net flag`, args('run', 'main.ts')),
    guess({ args: ['run', '--allow-net', 'main.ts'] }),
  ],
  'that it has': [deno(`${NET}, run again with the --allow-net flag`, args('run', '--allow-net=b', 'main.ts')), []],
  'of all kinds': [deno(`${NET}, run again with the --allow-net flag`, args('run', '-A', 'main.ts')), []],
  'without a flag': [deno(NET, args('run', 'main.ts')), []],
  'without a script': [deno(NET, args('run', '--allow-net')), []],
  'in another line': [deno('x', args('run', 'main.ts', '--allow-net')), []],
});
rows('the folder of the image', {
  'in place of another': [folderOfImage(anInput({ workingDir: '/x' })), guess({ workingDir: null })],
  'where it starts': [folderOfImage(anInput()), []],
});

test.run();
