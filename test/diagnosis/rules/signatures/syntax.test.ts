import { suite } from 'uvu';
import { syntaxSignatures } from '../../../../src/diagnosis/rules/signatures/syntax.ts';
import { env, likely } from '../../../support/builders/corrections.ts';
import { type LogRow, logRows, otherLogs } from '../../../support/builders/log-lines.ts';

const test = suite('what logs say about configuration that cannot be parsed');

const NO_VOLUME = 'As far as the manifest shows, no volume brings the file: it is part of the image.';
const cannot = (kind: string, log: string, culprit = log, more: LogRow[3] = {}): LogRow => [
  log,
  culprit,
  `it cannot parse its ${kind}`,
  {
    advice: `Correct the ${kind} at the place that the log line names. ${NO_VOLUME}`,
    where: 'the ConfigMap, Secret or image',
    inCode: true,
    corrections: [],
    ...more,
  },
];
const inFile = (kind: string, file: string, log: string, culprit = log): LogRow => [
  log,
  culprit,
  `it cannot parse its ${kind} in \`${file}\``,
  { advice: `Correct the ${kind} in \`${file}\` at the place`, inCode: false, corrections: [] },
];
const unknown = (word: string, log: string, more: LogRow[3] = {}): LogRow => [
  log,
  word,
  `its configuration has \`${word}\`, which the program does not know`,
  { advice: 'Correct the configuration at the place that the log line names', inCode: true, corrections: [], ...more },
];
const unknownIn = (word: string, file: string, log: string, more: LogRow[3] = {}): LogRow => [
  log,
  `${word} in ${file}`,
  `its configuration in \`${file}\` has \`${word}\``,
  { advice: `Correct the configuration in \`${file}\``, inCode: false, corrections: [], ...more },
];
const yaml = (log: string, culprit = log) => cannot('YAML', log, culprit);
const json = (log: string, culprit = log) => cannot('JSON', log, culprit);
const config = (log: string, culprit = log) => cannot('configuration', log, culprit);
const CORS: LogRow[3] = {
  container: env({ ALLOWED_ORIGINS: 'a.com, b.com' }),
  advice: 'Write `ALLOWED_ORIGINS` as JSON',
  where: "the container's variables",
  corrections: likely({ 'env[0].value': '["a.com","b.com"]' }),
};
const FIELD = 'pydantic_settings.exceptions.SettingsError: error parsing value for field "allowed_origins" from source "EnvSettingsSource"';
const script = (log: string, script: string | undefined, advice: string, field: 'command' | 'args' = 'args'): LogRow => [
  log,
  `spec.containers[0].${field}[1]: ${log}`,
  `the shell cannot read the script in \`spec.containers[0].${field}[1]\``,
  { container: { [field]: ['-c', script] }, advice, where: 'the script in', inCode: false },
];
const SH = 'sh: syntax error: unexpected end of file';
const FOLDED = 'The lines of the script have become one';
const NOT_FOLDED = 'Correct the script at the place that the shell names';
const traefik = (word: string, args: string[], corrections: NonNullable<LogRow[3]>['corrections']) =>
  unknown(word, `command traefik error: failed to decode configuration from flags: field not found, node: ${word}`, {
    container: { image: 'traefik:v3', args },
    corrections: corrections ?? [],
    ...(corrections?.length ? { mirrorable: true } : {}),
  });

const PROVIDERS = [
  'kubernetesingress',
  ...['docker', 'swarm', 'ecs', 'nomad', 'consulcatalog', 'kubernetescrd', 'kubernetesgateway', 'consul', 'etcd'],
  ...['redis', 'zookeeper', 'http', 'file', 'plugin', 'kubernetesingressnginx'],
];
const ENTRY_POINTS = [
  ...['graceTimeout', 'writeTimeout'],
  ...['address', 'allowACMEByPass', 'asDefault', 'forwardedHeaders', 'insecure', 'trustedIPs', 'encodeQuerySemicolons', 'maxHeaderBytes'],
  ...[
    'middlewares',
    'redirections',
    'permanent',
    'priority',
    'scheme',
    'certResolver',
    'domains',
    'sans',
    'options',
    'maxConcurrentStreams',
  ],
  ...['advertisedPort', 'observability', 'accessLogs', 'metrics', 'tracing', 'proxyProtocol', 'reusePort', 'transport', 'keepAliveMaxTime'],
  ...['keepAliveMaxRequests', 'lifeCycle', 'requestAcceptGraceTimeout', 'respondingTimeouts', 'idleTimeout', 'readTimeout'],
  ...['timeout'],
].map((word) => word.toLowerCase());
const RESOLVERS = [
  ...['dnsChallenge', 'httpChallenge', 'tlsChallenge'],
  ...['acme', 'caServer', 'certificatesDuration', 'delayBeforeCheck', 'disablePropagationCheck', 'provider', 'resolvers'],
  ...['hmacEncoded', 'email', 'entryPoint', 'keyType', 'preferredChain', 'storage'],
].map((word) => word.toLowerCase());

logRows(test, syntaxSignatures, {
  'yaml-syntax': [
    yaml('error: yaml: line 3: could not find expected key'),
    yaml('yaml: unmarshal errors of a file'),
    yaml('yaml: did not find expected node content'),
    yaml('yaml: mapping values are not allowed in this context'),
    yaml('yaml: found character that cannot start any token'),
    yaml('yaml: control characters are not allowed'),
    yaml('yaml.scanner.ScannerError: while scanning', 'ScannerError: while scanning'),
    yaml('yaml.parser.ParserError: while parsing', 'ParserError: while parsing'),
    yaml('YAMLException: bad indentation of a mapping entry'),
    yaml('mapping values are not allowed here'),
    yaml('error parsing YAML of the rules', 'parsing YAML of the rules'),
    yaml('error converting YAML to JSON', 'converting YAML to JSON'),
    inFile('YAML', '/etc/app.yml:3', 'yaml: mapping values are not allowed at /etc/app.yml:3'),
  ].map(([log, culprit, ...rest]) => [log, culprit?.replace(/^error:? /, '') ?? null, ...rest] as LogRow),
  'json-syntax': [
    json('SyntaxError: Expected property name in JSON at position 1'),
    json('SyntaxError: Unexpected token } in file'),
    json('json.decoder.JSONDecodeError: Expecting value', 'JSONDecodeError: Expecting value'),
    json("invalid character '}' looking for beginning of object key string: json"),
    json("json: invalid character 'x' after object key"),
    json('JsonParseException: Unexpected character'),
    json('json: cannot unmarshal number into Go value of type string'),
    json('failed to parse the json', 'failed to parse the json'),
    json('error parsing json', 'parsing json'),
    json('unable to decode the settings as json'),
    json('cannot unmarshal settings json'),
    json('failed: parsed no json'),
    [
      'json: cannot unmarshal string into Go struct field Config.retries of type int',
      'retries in SETTINGS',
      '`retries` in `SETTINGS` is a text, and the program wants none',
      {
        container: env({ SETTINGS: '{"retries": "3", "name": "3"}' }),
        advice: 'Write the value of `retries` without quotes',
        where: "the container's variables",
        corrections: likely({ 'env[0].value': '{"retries": 3, "name": "3"}' }),
        why: 'in quotes it is a text',
        mirrorable: true,
      },
    ],
    ...['bool', 'uint16', 'int64', 'float64'].map((type): LogRow => [
      `json: cannot unmarshal string into Go struct field .debug of type ${type}`,
      'debug in --set',
      '`debug` in `--set` is a text',
      { container: { args: ['--set={"debug":"true"}'] }, corrections: likely({ 'args[0]': '--set={"debug":true}' }) },
    ]),
    json('json: cannot unmarshal string into Go struct field Config.retries of type int'),
    [
      'json: cannot unmarshal string into Go struct field Config.n of type int',
      'json: cannot unmarshal string into Go struct field Config.n of type int',
      'it cannot parse its JSON',
      { container: env({ A: '{"n":"1"}', B: '{"n":"2"}' }), corrections: [] },
    ],
    [
      `json.decoder.JSONDecodeError: Expecting value\n\n${FIELD}`,
      'ALLOWED_ORIGINS=a.com, b.com',
      'the program reads `ALLOWED_ORIGINS` as JSON, and it is none: `JSONDecodeError',
      CORS,
    ],
  ],
  'field-not-json': [
    [FIELD, 'ALLOWED_ORIGINS=a.com, b.com', 'the program reads `ALLOWED_ORIGINS` as JSON', CORS],
    [
      FIELD,
      'allowed_origins',
      'the program reads `allowed_origins` as JSON',
      { advice: 'Write `allowed_origins` as JSON', corrections: [] },
    ],
  ],
  'script-syntax': [
    script(SH, 'while true; do sleep 1 done', FOLDED),
    script(SH, 'if true; then echo 1 fi', FOLDED),
    script(SH, 'case a in b) echo 1 esac', FOLDED, 'command'),
    script(SH, 'while true; do sleep 1; done', NOT_FOLDED),
    script(SH, 'while true & done', NOT_FOLDED),
    script(SH, 'while true\ndo sleep 1 done\n', NOT_FOLDED),
    script('/bin/sh: 3: Syntax error: "done" unexpected', 'echo (', NOT_FOLDED),
    script('/usr/bin/bash: -c: line 3: syntax error near unexpected token', 'echo (', NOT_FOLDED),
    ...['bash', 'dash', 'ash', 'ksh', 'zsh'].map((shell) => script(`${shell}: syntax error: x`, 'echo (', NOT_FOLDED)),
    [SH, SH, 'it cannot parse its script', { container: { args: ['echo'] }, advice: 'Correct the script' }],
    [SH, SH, 'it cannot parse its script', { container: { command: ['sh', '-c'] } }],
    [
      SH,
      `spec.containers[0].args[0]: ${SH}`,
      'the script in `spec.containers[0].args[0]`',
      { container: { command: ['sh', '-ec'], args: ['echo ('] } },
    ],
  ],
  'config-syntax': [
    unknownIn('proxy_passs', '/etc/nginx/nginx.conf:12', 'nginx: [emerg] unknown directive "proxy_passs" in /etc/nginx/nginx.conf:12'),
    config('nginx: [emerg] no events section', 'no events section'),
    unknown(
      'foo',
      "*** FATAL CONFIG FILE ERROR (Redis 7.0.0) ***\nReading the configuration file, at line 3\n>>> 'foo bar'\nBad directive",
      {},
    ),
    inFile(
      'configuration',
      'line 5 of /etc/httpd.conf',
      'AH00526: Syntax error on line 5 of /etc/httpd.conf:',
      'Syntax error on line 5 of /etc/httpd.conf:',
    ),
    unknown('Fooo', "Invalid command 'Fooo', perhaps misspelled or defined by a module not included"),
    config('invalid configuration: port'),
    config('invalid config of the server'),
    config('bad directive'),
    config('error in config of the server'),
    config('error parsing configuration', 'parsing configuration'),
    config('error parsing config', 'parsing config'),
    config('error reading config', 'reading config'),
    config('error loading config: a', 'loading config: a'),
    config('failed to load config'),
    config('failed to parse config'),
    config('failed to parse the configuration'),
    config('failed to load the configuration'),
    config('could not parse the configuration'),
    config('could not parse config'),
    config('parsing config'),
    config('config error'),
    config('configuration error'),
    config('configuration file error'),
    config('config file error'),
    config('syntax error, unexpected end of file'),
    config('toml: line 3: expected a key'),
    unknownIn('fronted', '/etc/haproxy.cfg:5', "[ALERT] 001/000000 (1) : parsing [/etc/haproxy.cfg:5] : unknown keyword 'fronted'"),
    unknown('fronted', "unknown keyword 'fronted'"),
    inFile('configuration', '/etc/haproxy.cfg:5', 'parsing [/etc/haproxy.cfg:5] : bad', 'parsing [/etc/haproxy.cfg:5] : bad'),
    unknown('adress', "Protobuf message (x has unknown fields: no such field: 'adress'"),
    unknown('scrape_config', '  field scrape_config not found in type config.plain'),
    unknownIn(
      'reverse_proxi',
      '/etc/caddy/Caddyfile:3',
      'Error: adapting config using caddyfile: /etc/caddy/Caddyfile:3: unrecognized directive: reverse_proxi',
    ),
    config('adapting config using caddyfile: parse'),
    unknown('kafk', "[error] Unknown output plugin 'kafk'"),
    unknown('tial', "Unknown input plugin 'tial'"),
    unknown('x', "Unknown filter plugin 'x'"),
    unknown('jsn', "Unknown parser plugin 'jsn'"),
    unknown('jsn', "Unknown formatter plugin 'jsn'"),
    unknown('foo', "unknown entry 'foo'"),
    unknown('proxy_passs', 'unknown directive "proxy_passs"'),
    unknown('max_conn', 'tried to set max_conn, but there is no such'),
    unknown('max_conn', 'Setting "max_conn" doesn\'t exist'),
    unknown('max_conn', 'setting "max_conn" hasn\'t been registered'),
    unknown('tail.x', "[config] section 'tail.x' tried to instance a plugin name that does not exist"),
    unknown('tial', "section 'a' tried to instance a plugin name that doesn't exist: 'tial'"),
    [
      'error decoding exporters: unknown type: "lokii" for id: "lokii"',
      'lokii (image otel/opentelemetry-collector:0.100.0)',
      'its configuration has `lokii`, which the program does not know',
      {
        container: { image: 'otel/opentelemetry-collector:0.100.0' },
        corrections: likely({ image: 'otel/opentelemetry-collector-contrib:0.100.0' }),
      },
    ],
    ...['exporter', 'processor', 'receiver', 'connector', 'extension'].map((kind) =>
      unknown(`${kind} debgu`, `service::pipelines::traces: references ${kind} "debgu" which is not configured`, {
        container: { image: 'otel/opentelemetry-collector:0.100.0' },
      }),
    ),
    unknown('lstn', 'invalid config key: lstn'),
    config('Datasource provisioning error: a'),
    ...[
      'unrecognized field lstn',
      'unrecognised key `lstn`',
      'unexpected property "lstn"',
      'undefined variable lstn',
      'unsupported option lstn',
      'unknown plugin lstn',
      'unknown top element lstn',
      'unknown section [lstn',
      'unknown block type lstn',
      'undefined argument lstn',
      'unknown attributes: lstn',
      'undefined parameter lstn',
      'unknown variant `lstn`',
      'unknown setting lstn',
      'invalid configuration key lstn',
    ].map((what) => unknown('lstn', `config error: ${what}`)),
    unknown('foo', '[emerg] unknown "foo" variable'),
    [
      "*** FATAL CONFIG FILE ERROR (Redis 7.2.4) ***\nReading the configuration file, at line 3\n>>> 'sentinel monitor mymaster redis-0.redis 6379 2'\nCan't resolve instance hostname.",
      'redis-0.redis',
      "the name `redis-0.redis` in its configuration is not known to the cluster's DNS",
      { advice: 'Check the spelling', where: 'the Services and the pods' },
    ],
    [
      'invalid configuration: missing setting: client-secret',
      'client-secret',
      'the variable `OAUTH2_PROXY_CLIENT_SECRET` is not set',
      { container: { image: 'oauth2-proxy/oauth2-proxy' } },
    ],
    [
      'envsubst: running\nnginx: [emerg] unknown "backend" variable',
      'BACKEND',
      'a template of its configuration has `${BACKEND}`, and the variable `BACKEND` is not set',
    ],
    [
      'nginx: [emerg] unknown "backend" variable',
      'BACKEND',
      'has `${BACKEND}`',
      { container: { volumeMounts: [{ name: 't', mountPath: '/etc/nginx/templates' }] }, advice: 'Set `BACKEND`' },
    ],
    unknown('backend', 'envsubst: running\nnginx: [emerg] unknown "backend" variable', { container: env({ BACKEND: 'x' }) }),
    unknown('upstream_foo', 'envsubst: running\nnginx: [emerg] unknown "upstream_foo" variable'),
    unknownIn('prot', '/etc/app/a.conf:1', "syntax error: unknown key 'prot' at /etc/app/a.conf:1, did you mean 'port'?", {
      container: { volumeMounts: [{ name: 'c', mountPath: '/etc/app' }] },
      spec: { volumes: [{ name: 'c', configMap: { name: 'conf' } }] },
      advice:
        'Correct the configuration in `/etc/app/a.conf:1` at the place that the log line names. The log offers `port` for `prot`. The file is the key `a.conf` of ConfigMap `conf`.',
    }),
    unknownIn(
      'server',
      '/etc/nginx/nginx.conf:1',
      '[emerg] unknown directive "server" directive is not allowed here in /etc/nginx/nginx.conf:1',
    ),
    [
      '[emerg] "server" directive is not allowed here in /etc/nginx/nginx.conf:1',
      '"server" directive is not allowed here in /etc/nginx/nginx.conf:1',
      'it cannot parse its configuration in `/etc/nginx/nginx.conf:1`',
      {
        container: { volumeMounts: [{ name: 'c', mountPath: '/etc/nginx/nginx.conf', subPath: 'a' }] },
        corrections: likely({ 'volumeMounts[0].mountPath': '/etc/nginx/conf.d/default.conf' }),
      },
    ],
    traefik('dashbord', ['--api.dashbord=true', '--ping'], likely({ args: ['--ping'] })),
    traefik('dokcer', ['--providers.dokcer=true'], likely({ 'args[0]': '--providers.docker=true' })),
    traefik('adress', ['--entrypoints.web.adress=:80'], likely({ 'args[0]': '--entrypoints.web.address=:80' })),
    traefik(
      'adress',
      ['--entrypoints.web.adress=:80', '--entrypoints.tls.address=:443'],
      likely({ 'args[0]': '--entrypoints.web.address=:80' }),
    ),
    traefik('storge', ['--certificatesresolvers.le.acme.storge=/a'], likely({ 'args[0]': '--certificatesresolvers.le.acme.storage=/a' })),
    ...PROVIDERS.map((word) => traefik(`${word}x`, [`--providers.${word}x=true`], likely({ 'args[0]': `--providers.${word}=true` }))),
    ...ENTRY_POINTS.map((word) =>
      traefik(`${word}x`, [`--entrypoints.web.${word}x=a`], likely({ 'args[0]': `--entrypoints.web.${word}=a` })),
    ),
    ...RESOLVERS.map((word) =>
      traefik(`${word}x`, [`--certificatesresolvers.le.${word}x=a`], likely({ 'args[0]': `--certificatesresolvers.le.${word}=a` })),
    ),
    traefik('x', ['--a.x', '--b.x'], []),
    traefik('x', ['a.x'], []),
    unknown('dokcer', 'field not found, node: dokcer', {
      container: { command: ['traefik', '--providers.dokcer=true'] },
      corrections: likely({ 'command[1]': '--providers.docker=true' }),
    }),
    unknown('adress', 'field not found, node: adress', {
      container: { command: ['traefik', '--entrypoints.web.adress=a', '--entrypoints.tls.address=b'] },
      corrections: likely({ 'command[1]': '--entrypoints.web.address=a' }),
    }),
  ],
});
otherLogs(test, {
  'script-syntax': ['app: syntax error', 'sh: 3: no such file'],
  'config-syntax': [
    'Error loading config:',
    'invalid configuration: try setting KUBERNETES_MASTER',
    'Failed to load config value of type X',
    'invalid config, exiting',
    'could not read config',
    'failed to read the config',
  ],
  'json-syntax': ['no json here'],
});

test.run();
