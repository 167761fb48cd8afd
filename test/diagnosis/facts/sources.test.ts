import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { EventEvidence } from '../../../src/contract/failure.ts';
import { configSource, offeredName } from '../../../src/diagnosis/facts/config-source.ts';
import { type Fact, factsOfCase, gatherFacts } from '../../../src/diagnosis/facts/facts.ts';
import { factOf, factsOf, ruleInput, who } from '../../../src/diagnosis/facts/input.ts';
import { readLogs } from '../../../src/diagnosis/facts/log.ts';
import { podSpecIn, readManifest, shapedManifest } from '../../../src/diagnosis/facts/manifest.ts';
import { gatherMessages } from '../../../src/diagnosis/facts/message.ts';
import { missingNames } from '../../../src/diagnosis/facts/missing-names.ts';
import { aCase, anInput, type CaseParts } from '../../support/builders/cases.ts';
import { failingCases } from '../../../src/failures/detect/recording.ts';
import { recordingOf } from '../../support/expected/documented/documented.ts';
import { DOCUMENTED } from '../../support/expected/documented/list.ts';
import { configMap, mount, mounts, volumes } from '../../support/builders/volumes.ts';

const test = suite('where facts come from');

const status = (name: string, more: object = {}) => ({ name, kind: 'app', image: 'a', ready: false, restart_count: 0, ...more }) as never;
const event = (message: string, more: object = {}): EventEvidence => ({ type: 'Warning', reason: 'R', message, ...more }) as EventEvidence;
const messages = (parts: CaseParts) =>
  gatherMessages(aCase(parts)).map(({ from, reason, text, container }) => [from, reason, text, container]);
test('messages come in the order in which they tell most', () =>
  assert.equal(
    messages({
      failure_reason: 'Failed',
      failure_message: 'm',
      container_statuses: [
        status('side', { reason: 'S', message: 's' }),
        status('app', { reason: 'A', message: 'a', last_state: { reason: 'L', message: 'l' } }),
      ],
      events: [event('old'), event('new')],
    }),
    [
      ['status of container app', 'A', 'a', 'app'],
      ['last run of container app', 'L', 'l', 'app'],
      ['pod status', 'Failed', 'm', 'app'],
      ['event R', 'R', 'new', null],
      ['event R', 'R', 'old', null],
      ['status of container side', 'S', 's', 'side'],
    ],
  ));
test('an event is a message once', () => {
  const events = (...all: EventEvidence[]) => messages({ container_statuses: [], events: all }).slice(1);
  assert.equal(
    events(event('a'), event('a'), event('a', { reason: 'Q' })).map(([from]) => from),
    ['event Q', 'event R'],
  );
  assert.equal(events(event('a', { count: 3 }), event('b', { count: 1 }), event('c', { reason: null })), [
    ['event without a reason', '', 'c', null],
    ['event R', 'R', 'b', null],
    ['event R (3 times)', 'R', 'a', null],
  ]);
  const many = Array.from({ length: 70 }, (_, index) => event(`m${index}`));
  assert.equal([events(...many).length, events(...many)[0]?.[2]], [60, 'm69']);
  assert.is(String(events(event('x'.repeat(3000)))[0]?.[2]).length, 2048);
  assert.equal(events(event('', { reason: '' })), []);
});

test('facts of each kind are those of all readers', () => {
  const subject = aCase({
    status: { state: 'waiting', reason: 'CrashLoopBackOff', last_state: { state: 'terminated', exit_code: 1 } },
    events: [event('Failed to pull image "a": not found', { reason: 'Failed' })],
    logs: 'listening on :80\npanic: x',
  });
  const facts = factsOfCase(subject);
  const all = gatherFacts(subject);
  for (const kind of ['waiting', 'run', 'pull', 'log', 'listening'] as const) {
    assert.ok(facts(kind).length > 0, kind);
    assert.equal(
      facts(kind),
      all.filter((fact) => fact.kind === kind),
      kind,
    );
  }
  assert.equal([...new Set(all.map(({ kind }) => kind))], ['waiting', 'run', 'pull', 'log', 'listening']);
  assert.equal([facts('mount'), facts('last-line')], [[], []]);
  const input = ruleInput(subject, facts);
  assert.equal([factOf(input, 'pull'), factsOf(input, 'pull'), factOf(input, 'mount')], [facts('pull')[0], facts('pull'), undefined]);
});

/** The kinds of facts, in the order of their areas. */
const KINDS = [
  ...[
    'waiting',
    'run',
    'pull',
    'image-name',
    'never-pull',
    'pull-secret',
    'missing',
    'run-as-root',
    'create',
    'start',
    'pod-field',
    'probe',
  ],
  ...[
    'probe-kill',
    'hook',
    'unschedulable',
    'mount',
    'sandbox',
    'evicted',
    'rejected',
    'preempted',
    'deadline',
    'node-lost',
    'oom',
    'quota',
  ],
  ...['quota-needs', 'pod-security', 'service-account', 'priority-class', 'runtime-class', 'policy', 'limit-range', 'above-limit'],
  ...['limit-ratio', 'webhook', 'refused', 'job-failed', 'log', 'last-line', 'listening'],
] as Fact['kind'][];
test('facts of a kind are found where the documents show them', () => {
  const seen = new Set<string>();
  for (const [, row] of DOCUMENTED)
    for (const subject of failingCases(recordingOf(row))) {
      const all = gatherFacts(subject);
      if (all.every(({ kind }) => seen.has(kind))) continue;
      const facts = factsOfCase(subject);
      for (const kind of KINDS) {
        assert.equal(
          facts(kind),
          all.filter((fact) => fact.kind === kind),
          kind,
        );
        if (facts(kind).length > 0) seen.add(kind);
      }
    }
  assert.equal([...seen].toSorted(), KINDS.toSorted());
});

test('the place of a container', () => {
  const spec = {
    initContainers: [{ name: 'init', image: 'i' }],
    containers: [
      { name: 'app', image: 'a' },
      { name: 'side', image: 's' },
    ],
  };
  const of = (name?: string | null, own: object = spec, parts: CaseParts = {}) => {
    const found = anInput({}, own, parts).place(name);
    return found && [found.container?.image, found.path];
  };
  assert.equal(
    [of(), of('side'), of('init')],
    [
      ['a', 'spec.containers[0]'],
      ['s', 'spec.containers[1]'],
      ['i', 'spec.initContainers[0]'],
    ],
  );
  assert.equal(
    [of('gone'), of(null)],
    [
      [undefined, 'spec.containers[0]'],
      [undefined, 'spec.containers[0]'],
    ],
    'of no container',
  );
  assert.equal(
    [of(null, {}), of(undefined, {}, { container: null })],
    [
      ['web:1', 'spec.containers[0]'],
      ['web:1', 'spec.containers[0]'],
    ],
    'of the only one',
  );
  assert.equal(of('gone', {}), [undefined, 'spec.containers[0]']);
  const deployment = { kind: 'Deployment', metadata: { name: 'web' }, spec: { template: { spec } } };
  assert.equal(of('side', {}, { manifest: deployment }), ['s', 'spec.template.spec.containers[1]']);
  assert.equal([of('app', {}, { manifest: 'no: pod' }), ruleInput(aCase(), factsOfCase(aCase())).place()], [undefined, undefined]);
});
test('how a container is called', () => {
  const of = (kind: string, name?: string | null, parts: CaseParts = {}) =>
    who(anInput({}, {}, { container_statuses: [status('app', { kind })], ...parts }), name);
  assert.equal(
    [of('app'), of('init'), of('sidecar'), of('app', 'x'), of('app', null), of('app', null, { resource_kind: 'Job' })],
    ['Container `app`', 'Init container `app`', 'Sidecar `app`', 'Container `x`', 'The pod `web`', 'The Job `web`'],
  );
});

const POD = { containers: [{ name: 'app', image: 'a' }] };
test('the pod in a manifest', () => {
  const path = (object: object) => podSpecIn(object)?.path;
  assert.equal(
    [
      path({ spec: POD }),
      path({ spec: { template: { spec: POD } } }),
      path({ spec: { jobTemplate: { spec: { template: { spec: POD } } } } }),
      path({ spec: { template: {} } }),
      path({ spec: [] }),
      path({}),
    ],
    ['spec', 'spec.template.spec', 'spec.jobTemplate.spec.template.spec', undefined, undefined, undefined],
  );
});
test('the texts that are a manifest', () => {
  const name = (text: string) => readManifest(text)?.kind;
  const json = JSON.stringify({ kind: 'Pod', metadata: {}, spec: POD });
  const yaml = 'kind: Pod\nspec:\n  containers:\n  - name: app\n';
  assert.equal([name(json), name(` \n${json}`), name(yaml)], ['Pod', 'Pod', 'Pod']);
  assert.equal(readManifest(yaml)?.metadata, {}, 'with metadata to read');
  assert.equal(readManifest('kind: Pod\nmetadata: {name: x}\nspec: {containers: []}')?.metadata, { name: 'x' });
  for (const text of ['', '{', '[]', 'null', 'kind: Pod', `{"spec":{"containers":[{"name":1}]}}`, json.slice(0, -1), `${yaml}---\n${yaml}`])
    assert.is(name(text), undefined, text);
  const wide = (count: number) => JSON.stringify({ kind: 'Pod', spec: { ...POD, x: Array.from({ length: count }, () => 1) } });
  assert.equal([name(wide(49_900)), name(wide(50_000))], ['Pod', undefined], 'that are not huge');
  const aliases = `a: &a [${'1,'.repeat(300)}]\nb: &b [${'*a,'.repeat(300)}]\n${yaml}`;
  assert.is(name(aliases), undefined, 'whose aliases are not huge');
  assert.equal(
    [shapedManifest(JSON.parse(wide(10)) as never)?.kind, shapedManifest(JSON.parse(wide(50_000)) as never)],
    ['Pod', undefined],
  );
});
for (const [sentence, spec] of Object.entries({
  'an argument': { containers: [{ name: 'a', args: [1] }] },
  'a command': { containers: [{ name: 'a', command: 'x' }] },
  'the name of a variable': { containers: [{ name: 'a', env: [{ value: 'x' }] }] },
  'a port': { containers: [{ name: 'a', ports: [{ containerPort: '80' }] }] },
  'the port of a probe': { containers: [{ name: 'a', livenessProbe: { httpGet: { port: [] } } }] },
  'the command of a hook': { containers: [{ name: 'a', lifecycle: { preStop: { exec: { command: 'x' } } } }] },
  'the path of a mount': { containers: [{ name: 'a', volumeMounts: [{ name: 'v' }] }] },
  'a limit': { containers: [{ name: 'a', resources: { limits: { cpu: {} } } }] },
  'a user': { containers: [{ name: 'a', securityContext: { runAsUser: 'x' } }] },
  'an init container': { ...POD, initContainers: [{}] },
  'a volume': { ...POD, volumes: [{}] },
  'a selector of nodes': { ...POD, nodeSelector: { a: 1 } },
  'a user of the pod': { ...POD, securityContext: { runAsNonRoot: 'x' } },
}))
  test(`no manifest: the wrong type of ${sentence}`, () => assert.is(readManifest(JSON.stringify({ kind: 'Pod', spec })), undefined));
test('fields that are null are like those that are not there', () =>
  assert.ok(
    readManifest(
      JSON.stringify({
        spec: { volumes: null, initContainers: null, containers: [{ name: 'a', env: null, args: null, livenessProbe: null }] },
      }),
    ),
  ));

const AROUND = {
  configMaps: [
    { name: 'conf', keys: ['nginx.conf', 'mime.types'] },
    { name: 'more', keys: ['a', 'b', 'c', 'd', 'e'] },
  ],
  secrets: [{ name: 'tls', keys: ['ca.pem'] }],
};
const SECRET = { name: 'tls', secret: { secretName: 'tls' } };
const source = (line: string, all: object[], ...of: object[]) =>
  configSource(anInput(mounts(...all), volumes(...of), { surroundings: AROUND }), line);
const CONF = mount('conf', '/etc/nginx/');
test('the key that holds a file', () => {
  const whole = (line: string) => source(line, [CONF], configMap('conf'));
  assert.is(whole('bad in /etc/nginx/nginx.conf:3'), 'The file is the key `nginx.conf` of ConfigMap `conf`.');
  assert.is(whole('bad in /etc/nginx/other.conf'), 'The file is the key `other.conf` of ConfigMap `conf`.', 'whatever keys are known');
  assert.is(whole('bad in /usr/lib/x.so'), '', 'of the image');
  assert.is(whole('bad in /usr/lib'), 'Its mounted configuration comes from ConfigMap `conf` (`nginx.conf`, `mime.types`).');
  assert.is(whole('it is bad'), 'Its mounted configuration comes from ConfigMap `conf` (`nginx.conf`, `mime.types`).');
  assert.is(source('it is bad', []), '', 'of nothing');
  assert.is(source('it is bad', [mount('conf', '/var/run/secrets/x')], configMap('conf')), '', 'of the token of the account');
  assert.is(
    source('bad in /etc/ca.pem', [mount('tls', '/etc/ca.pem', { subPath: 'ca.pem' })], SECRET),
    'The file is the key `ca.pem` of Secret `tls`.',
    'of one file',
  );
  assert.is(
    source('it is bad', [mount('tls', '/etc/ca.pem', { subPath: 'x.pem' })], SECRET),
    'Its mounted configuration comes from Secret `tls` (`x.pem`).',
  );
  assert.is(
    source('it is bad', [CONF], configMap('conf', { items: [{ key: 'k', path: 'site.conf' }] })),
    'Its mounted configuration comes from ConfigMap `conf` (`site.conf`).',
    'of some keys',
  );
  assert.is(
    source('it is bad', [mount('p', '/p')], {
      name: 'p',
      projected: { sources: [{ configMap: { name: 'conf' } }, { secret: { name: 'tls' } }] },
    }),
    'Its mounted configuration comes from ConfigMap `conf` (`nginx.conf`, `mime.types`) and Secret `tls` (`ca.pem`).',
    'of several objects',
  );
  assert.is(
    source('it is bad', [mount('more', '/m')], configMap('more')),
    'Its mounted configuration comes from ConfigMap `more` (`a`, `b`, `c`, `d`, …).',
  );
});
test('the key that holds a file, by its name', () => {
  const [both, all] = [
    [CONF, mount('tls', '/tls')],
    [configMap('conf'), SECRET],
  ];
  assert.is(source('bad nginx.conf', both, ...all), 'Its mounted configuration comes from ConfigMap `conf` (`nginx.conf`, `mime.types`).');
  assert.is(
    source('bad other.conf', both, ...all),
    'Its mounted configuration comes from ConfigMap `conf` (`nginx.conf`, `mime.types`) and Secret `tls` (`ca.pem`).',
  );
  const four = ['w', 'x', 'y', 'z'];
  assert.is(
    source(
      'bad',
      four.map((name) => mount(name, `/${name}`)),
      ...four.map((name) => configMap(name)),
    ),
    '',
    'more than three are no help',
  );
  assert.is(
    source(
      'bad',
      four.slice(1).map((name) => mount(name, `/${name}`)),
      ...four.slice(1).map((name) => configMap(name)),
    ),
    'Its mounted configuration comes from ConfigMap `x` and ConfigMap `y` and ConfigMap `z`.',
  );
  assert.is(
    source('bad', [CONF, mount('conf', '/again')], configMap('conf')),
    'Its mounted configuration comes from ConfigMap `conf` (`nginx.conf`, `mime.types`).',
  );
});
for (const ending of ['conf', 'cfg', 'cnf', 'ini', 'json', 'properties', 'toml', 'yaml', 'yml', 'hcl', 'xml', 'env', 'rules'])
  test(`a file of .${ending}`, () => {
    const surroundings = {
      configMaps: [
        { name: 'conf', keys: [`app.${ending}`] },
        { name: 'more', keys: ['a'] },
      ],
    };
    const input = anInput(mounts(CONF, mount('more', '/m')), volumes(configMap('conf'), configMap('more')), { surroundings });
    assert.is(configSource(input, `bad app.${ending}`), `Its mounted configuration comes from ConfigMap \`conf\` (\`app.${ending}\`).`);
  });
for (const words of [
  'only one',
  'duplicate',
  'duplicated',
  'already defined',
  'already exists',
  'already registered',
  'already declared',
  'already in use',
  'repeated',
  'conflict',
  'more than one',
  'twice',
])
  test(`files that do not go together: ${words}`, () => {
    const p = { name: 'p', projected: { sources: [{ configMap: { name: 'conf' } }, { secret: { name: 'tls' } }] } };
    const together =
      'The program reads the files of ConfigMap `conf` (`nginx.conf`, `mime.types`) and Secret `tls` (`ca.pem`) together. One of them must change.';
    assert.is(source(`${words}: /p/nginx.conf`, [mount('p', '/p')], p), together);
    assert.is(
      source(`${words} in the same file: /p/nginx.conf`, [mount('p', '/p')], p),
      'The file is the key `nginx.conf` of ConfigMap `conf`.',
    );
    assert.is(source(words, [CONF, mount('tls', '/tls')], configMap('conf'), SECRET), together);
    assert.is(
      source(words, [CONF], configMap('conf')),
      'Its mounted configuration comes from ConfigMap `conf` (`nginx.conf`, `mime.types`).',
    );
  });
const offers = (line: string, wrong: string, logs = line) => offeredName(anInput({}, {}, { logs }), line, wrong);
for (const words of [
  'did you mean',
  'expected one of',
  'valid options are',
  'allowed keys are',
  'known fields is',
  'supported log levels are',
  'possible values are',
  'must be one of',
  'similar',
])
  test(`names that a line offers: ${words}`, () => assert.is(offers(`unknown prot, ${words} host, port.`, 'prot'), 'port'));
test('names that a log offers', () => {
  assert.is(offers('unknown prot, host, port', 'prot'), undefined, 'not any words');
  assert.is(offers('did you mean host', 'prot'), undefined, 'that are near');
  const below = (...lines: string[]) => offers('unknown prot', 'prot', ['unknown prot', ...lines].join('\n'));
  assert.is(below('Did you mean one of these?', '  - host', '  - port'), 'port');
  assert.is(below('Did you mean one of these?', "'port'"), 'port');
  assert.is(below('Did you mean one of these?', 'it is over', 'port'), undefined, 'in their list');
  assert.is(below('something', 'port'), undefined);
});

const cause = (logs: string, parts: CaseParts = {}) =>
  readLogs(aCase({ logs, ...parts })).map(({ kind, line, evidence }) => [kind, line, evidence.from]);
test('the line of a log that names the cause', () => {
  assert.equal(cause('hello\nERROR: connect ECONNREFUSED db:5432\nbye'), [
    ['log', 'ERROR: connect ECONNREFUSED db:5432', 'log of the pod'],
  ]);
  assert.equal(cause('==> app (previous) <==\nhello\nlast words \n'), [['last-line', 'last words', 'log of app (previous), last line']]);
  assert.equal(cause(''), []);
  assert.equal(
    cause('WARN connect ECONNREFUSED db:5432\nERROR: plan LITE')[0]?.[1],
    'WARN connect ECONNREFUSED db:5432',
    'a known warning comes before an unknown error',
  );
  assert.equal(
    cause('WARN connect ECONNREFUSED db:1\nERROR getaddrinfo ENOTFOUND db')[0]?.[1],
    'ERROR getaddrinfo ENOTFOUND db',
    'an error before a warning',
  );
  assert.equal(
    cause('retrying: connect ECONNREFUSED db:1\nconnected to db\nERROR plan LITE')[0]?.[1],
    'ERROR plan LITE',
    'what is over is no cause',
  );
  assert.equal(cause("thread 'main' panicked at src/main.rs:1:2:\nplan LITE")[0]?.[1], 'plan LITE', 'the message of Rust');
  assert.equal(
    cause('Exception in thread "main" a.b.AException: x\n\tat c\nCaused by: d.e.FException: plan\n\tat g')[0]?.[1],
    'Caused by: d.e.FException: plan',
    'the deepest cause of Java',
  );
  assert.equal(cause('FATAL: failed to start\nERROR plan LITE unsupported')[0]?.[1], 'ERROR plan LITE unsupported', 'not that it ends');
  assert.equal(cause('ERROR: bad config:\n  plan is LITE')[0]?.[1], 'ERROR: bad config: plan is LITE', 'a headline with what it announces');
  assert.equal(
    cause('***\nAPPLICATION FAILED TO START\n***\n\nDescription:\n\nThe plan LITE is bad\n')[0]?.[1],
    'The plan LITE is bad',
    'the description of Spring',
  );
  assert.equal(
    cause('FATAL: failed to start\nFATAL: unable to launch\nERROR plan LITE unsupported')[0]?.[1],
    'ERROR plan LITE unsupported',
  );
  assert.equal(
    cause('ERROR plan=LITE\nlistening on :80\nERROR plan PRO unsupported')[0]?.[1],
    'ERROR plan PRO unsupported',
    'what comes after it worked',
  );
  assert.equal(cause('ERROR plan=LITE\nlistening on :80\nERROR worker died')[0]?.[1], 'ERROR plan=LITE', 'if it names anything');
  assert.equal(cause('ERROR plan=LITE\nlistening on :80\nERROR failed to start')[0]?.[1], 'ERROR plan=LITE');
  assert.equal(
    cause('find: x: No such file or directory\nERROR connect ECONNREFUSED db:1')[0]?.[1],
    'ERROR connect ECONNREFUSED db:1',
    'what a script only lists is no cause',
  );
  assert.equal(
    cause('ERROR cache broken\nTraceback (most recent call last):\n  File "a.py"\nKeyError: x')[0]?.[1],
    'KeyError: x',
    'the exception below it',
  );
  assert.equal(cause(`ERROR ${'x'.repeat(1500)}`)[0]?.[1]?.length, 500, 'a long line is cut around what it says');
  assert.equal(cause('{"level":"error","msg":"panic: plan LITE"}')[0]?.[1], 'panic: plan LITE', 'the message of a record');
  assert.equal(
    cause('==> app (current) <==\nERROR plan\n==> app (previous) <==\nERROR connect ECONNREFUSED db:1\n').map(([, , from]) => from),
    ['log of app (previous)'],
    'of the run that says most',
  );
});

test('the settings that a log lists as missing', () => {
  const of = (logs: string) => missingNames(aCase({ logs }));
  const many = (count: number) => Array.from({ length: count }, (_, index) => `required key KEY_${index} missing value`).join('\n');
  assert.equal([of(many(12)).length, of(many(13)).length], [12, 12]);
  assert.equal(of('required environment variable "A_B" is not set\nrequired environment variable "A_B" is not set'), ['A_B']);
  assert.equal(of('A_B: [ "Required" ]\n"C_D": ["Invalid input: expected string, received undefined"]'), ['A_B', 'C_D']);
  assert.equal(of('Missing environment variables:\n    A_B: undefined\n    C_D: undefined'), ['A_B', 'C_D']);
  assert.equal(of('ZodError: [{"path": ["a"], "message": "Required"}, {"path": ["b"], "message": "Required"}]'), ['a', 'b']);
  assert.equal(of('ZodError: [{"path": ["a"], "message": "Required"}, {"path": ["b"], "message": "Bad"}]'), [], 'some are there');
  assert.equal(of('{"path": ["a"], "message": "Required"}'), [], 'of another library');
  assert.equal(of(`x${' '.repeat(25_000)}required key A_B missing value${' '.repeat(25_000)}`), [], 'in the middle of a long log');
  assert.equal(of(`x${' '.repeat(50_000)}required key A_B missing value`), ['A_B'], 'at the end of a long log');
  assert.equal(of('==> app (current) <==\nx\n==> app (previous) <==\nrequired key A_B missing value\n'), ['A_B'], 'in any run');
  for (const words of [
    'Missing required environment variables',
    'missing env vars',
    'Missing settings',
    'Missing required keys',
    'missing variables',
  ])
    assert.equal(of(`${words}: AAA, BBB, and CCC`), ['AAA', 'BBB', 'CCC'], words);
  assert.equal(of('Missing variables: ["AAA", "BBB"]'), ['AAA', 'BBB']);
  assert.equal(of('Missing variables: AAA'), [], 'one is read elsewhere');
});

test.run();
