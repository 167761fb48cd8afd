import { suite } from 'uvu';
import { javaSignatures } from '../../../../src/diagnosis/rules/signatures/java.ts';
import { env, guess, likely } from '../../../support/builders/corrections.ts';
import { type LogRow, logRows, otherLogs } from '../../../support/builders/log-lines.ts';

const test = suite('what logs of the JVM say');

const limit = (memory: string) => ({ resources: { limits: { memory } } });
const LIMIT = 'resources.limits.memory';
const heap = (log: string, culprit: string, because: string, more: LogRow[3] = {}): LogRow => [
  log,
  culprit,
  because,
  { advice: 'Raise the memory limit and the heap together', where: '`-Xmx`', corrections: [], ...more },
];
const FULL = 'the Java heap is full';
const BYTES = {
  container: {
    ...limit('512Mi'),
    env: [{ name: 'LIMIT', valueFrom: { resourceFieldRef: { resource: 'limits.memory' } } }],
    args: ['-Xmx$(LIMIT)m'],
  },
  advice: 'the divisor of that unit',
  where: '`resourceFieldRef`',
  corrections: likely({ 'env[0].valueFrom.resourceFieldRef.divisor': '1Mi' }),
};
const OF_BYTES = ['LIMIT without a divisor, in -Xmx$(LIMIT)m', 'its heap is `-Xmx$(LIMIT)m`, and `LIMIT` is in bytes'] as const;

const least = (log: string, amount: string, more: LogRow[3] = {}): LogRow => [
  log,
  log,
  `it starts with \`${amount}\` of memory at least`,
  { advice: 'and a little more', where: 'the sizes of the nodes', corrections: [], ...more },
];
const order = (log: string, begins: string, advice: string, more: LogRow[3] = {}): LogRow => [
  log,
  log,
  begins,
  { advice, where: '`JAVA_OPTS`', corrections: [], ...more },
];
const AS_LARGE = 'the heap of the JVM must begin as large as it may become';
const LARGER = 'the heap of the JVM begins larger than it may become';
const size = (log: string, culprit: string, because: string, more: LogRow[3] = {}): LogRow => [
  log,
  culprit,
  because,
  { advice: 'Every program has its own units', where: 'with sizes', corrections: [], ...more },
];
const option = (log: string, culprit: string, more: LogRow[3] = {}): LogRow => [
  log,
  culprit,
  `the JVM does not take the option \`${culprit}\``,
  { advice: 'Sizes end with', where: '`JAVA_TOOL_OPTIONS`', corrections: [], ...more },
];
const type = (log: string, culprit: string, because: string, more: LogRow[3] = {}): LogRow => [
  log,
  culprit,
  because,
  { advice: 'Add the missing jar', where: 'the class path', corrections: [], ...more },
];
const setting = (log: string, name: string, more: LogRow[3] = {}): LogRow => [
  log,
  name,
  `the setting \`${name}\` is not set`,
  { advice: '`A_B_C` for `a.b.c`', where: 'the first `Caused by`', corrections: [], ...more },
];
const map = (...keys: string[]) => ({ surroundings: { configMaps: [{ name: 'web', keys }] } }) as { surroundings: object };
const fromMap = (name: string, key: string) => ({ name, valueFrom: { configMapKeyRef: { name: 'web', key } } });
const check = (log: string, what: string, more: LogRow[3] = {}): LogRow => [
  log,
  what,
  `it refuses to start outside of development: \`${what}\``,
  { advice: 'Set what the check asks for', where: 'kernel parameters', corrections: [], ...more },
];
const DISCOVERY = 'the default discovery settings are unsuitable for production use';
const stands = (kind: string, spec: object = {}) => ({ kind, metadata: { name: 'web' }, spec });
const alone = (more: LogRow[3]): LogRow => check(`[1]: ${DISCOVERY}`, DISCOVERY, more);
const SINGLE = { name: 'discovery.type', value: 'single-node' };

logRows(test, javaSignatures, {
  'java-heap': [
    heap('java.lang.OutOfMemoryError: Java heap space', 'OutOfMemoryError: Java heap space', `${FULL} (\`Java heap space\`)`, {
      container: limit('512Mi'),
      corrections: [
        ['likely', { [LIMIT]: '1Gi' }],
        ['guess', { [LIMIT]: '4Gi' }],
      ],
      why: '`-Xmx`',
    }),
    heap('Terminating due to java.lang.OutOfMemoryError', 'Java heap', FULL),
    heap('Could not reserve enough space for object heap', 'Java heap', FULL),
    heap('There is insufficient memory for the Java Runtime Environment to continue.', 'Java heap', FULL),
    heap('GC overhead limit exceeded', 'Java heap', FULL),
    heap('GC overhead limit exceeded', 'Java heap', FULL, {
      container: { ...limit('1Gi'), args: ['-Xmx128m'] },
      corrections: guess({ 'args[0]': '-Xmx768m' }),
    }),
    ['GC overhead limit exceeded', ...OF_BYTES, BYTES],
  ],
  'memory-at-least': [
    least('this needs at least 2 GB of memory', '2 GB', { container: limit('1Gi'), corrections: likely({ [LIMIT]: '2560Mi' }) }),
    least('a minimum of 512 MiB of free memory', '512 MB', { container: limit('256Mi'), corrections: likely({ [LIMIT]: '640Mi' }) }),
    least('the minimum is 2GiB of available memory', '2 GB'),
    least('require 512 Megabytes of system memory', '512 MB'),
    least('it requires 2 gigabytes of memory', '2 GB'),
    least('the server needs 2 GB RAM', '2 GB'),
    least('servers need 2gb memory', '2 GB', { container: limit('3Gi') }),
    least('it needs 2 GB of RAM', '2 GB', { container: limit('2560Mi') }),
    least('so 1.5 GiB are required', '1.5 GB', {
      container: limit('1Gi'),
      corrections: likely({ [LIMIT]: '1920Mi' }),
      why: 'the program asks for 1536Mi at least',
      mirrorable: true,
    }),
    least('so 600MB are required', '600 MB', { container: limit('512Mi'), corrections: likely({ [LIMIT]: '768Mi' }) }),
  ],
  'java-fixed-regions': [
    [
      'fixed memory regions require 600000K which is greater than 524288K available',
      'memory limit: 600000K needed besides the heap',
      'the memory limit is lower than what the JVM needs besides its heap (`585Mi`)',
      {
        advice: 'Raise the memory limit well above',
        where: '`BPL_JVM_THREAD_COUNT`',
        container: limit('512Mi'),
        corrections: likely({ [LIMIT]: '1152Mi' }),
      },
    ],
  ],
  'java-heap-too-small': [
    ...['maximum ', 'initial ', ''].map((which): LogRow => [
      `Too small ${which}heap`,
      `Too small ${which}heap`,
      'the heap of the JVM is set too small',
      { advice: 'with its unit', where: 'its option variables', corrections: [] },
    ]),
    [
      'Too small maximum heap',
      '-Xmx512',
      '`-Xmx512` is a number of bytes: its unit is missing',
      { container: env({ JAVA_OPTS: '-Xmx512' }), corrections: likely({ 'env[0].value': '-Xmx512m' }) },
    ],
  ],
  'java-heap-order': [
    order('Initial heap size set to a larger value than the maximum heap size', LARGER, 'to `-Xmx` at most'),
    order('initial heap size [268435456] not equal to maximum heap size [536870912]', AS_LARGE, 'to the value of `-Xmx`'),
    [
      'Initial heap size set to a larger value than the maximum heap size',
      '-Xms1g above -Xmx512m',
      LARGER,
      { container: env({ JAVA_OPTS: '-Xms1g -Xmx512m' }), corrections: likely({ 'env[0].value': '-Xms512m -Xmx512m' }) },
    ],
  ],
  'size-unit': [
    size('malformed GOMEMLIMIT; see `go doc`', 'malformed GOMEMLIMIT; see `go doc`', 'a size is not written as the program wants it: '),
    size('malformed GOMEMLIMIT', 'GOMEMLIMIT=512M', '`GOMEMLIMIT=512M` is not a size for this program, which writes sizes otherwise', {
      container: env({ GOMEMLIMIT: '512M' }),
      corrections: likely({ 'env[0].value': '512MiB' }),
    }),
    size(
      'illegal value for flag --max-old-space-size=1g of type size_t',
      '--max-old-space-size=1g',
      '`--max-old-space-size=1g` is not a size',
      {
        container: { args: ['--max-old-space-size=1g'] },
        corrections: likely({ 'args[0]': '--max-old-space-size=1024' }),
      },
    ),
    size('illegal value for flag --max_old_space_size=1g', '--max_old_space_size=1g', 'is not a size'),
    size('invalid value for parameter "shared_buffers": "128M"', 'shared_buffers=128M', '`128M` is not a size', {
      container: { args: ['shared_buffers=128M'] },
      corrections: likely({ 'args[0]': 'shared_buffers=128MB' }),
    }),
  ],
  'java-option': [
    option('Invalid maximum heap size: -Xmx256mb', '-Xmx256mb', {
      container: env({ JAVA_OPTS: '-Xmx256mb' }),
      corrections: likely({ 'env[0].value': '-Xmx256m' }),
    }),
    option('Invalid initial heap size: -Xms256mb', '-Xms256mb'),
    option('Invalid thread stack size: -Xss1mb', '-Xss1mb'),
    option("Improperly specified VM option 'MaxRAMPercentage=75%'", 'MaxRAMPercentage=75%', {
      container: { args: ['-XX:MaxRAMPercentage=75%'] },
      corrections: likely({ 'args[0]': '-XX:MaxRAMPercentage=75' }),
    }),
    ['Invalid maximum heap size: -Xmx536870912m', ...OF_BYTES, BYTES],
    [
      'Invalid maximum heap size: -Xmx536870912m',
      'LIMIT without a divisor, in -Xmx536870912m',
      'its heap is `-Xmx536870912m`, and `LIMIT` is in bytes',
      { ...BYTES, container: { ...BYTES.container, args: ['run.sh'] } },
    ],
    option("Improperly specified VM option 'MaxRAM=1x'", 'MaxRAM=1x', { container: BYTES.container }),
  ],
  'java-class': [
    type('java.lang.ClassNotFoundException: org.x.Driver', 'org.x.Driver', 'the Java class `org.x.Driver` is not on the class path'),
    type("java.lang.NoClassDefFoundError: 'org/x/Driver'", 'org/x/Driver', 'the Java class'),
    type('java.lang.NoSuchMethodError: "org.x.A$B.<init>', 'org.x.A$B.<init>', 'the Java class'),
    type('no main manifest attribute, in /app/app.jar', '/app/app.jar', '`/app/app.jar` names no main class'),
    type(
      'java.lang.UnsupportedClassVersionError: Main has been compiled (class file version 65.0)',
      'UnsupportedClassVersionError: Main',
      'its classes need a newer Java than the image has',
      {
        advice: 'Use an image with the Java version',
        container: { image: 'openjdk:17' },
        corrections: guess({ image: 'openjdk:21' }),
      },
    ),
    type('Exception: UnsupportedClassVersionError', 'UnsupportedClassVersionError', 'need a newer Java', { advice: 'Use an image' }),
  ],
  'spring-context': [
    setting("Could not resolve placeholder 'orders.queue' in value", 'orders.queue', {
      parts: map('ORDERS_QUEUE'),
      corrections: likely({ env: [fromMap('ORDERS_QUEUE', 'ORDERS_QUEUE')] }),
    }),
    [
      "Could not resolve placeholder 'orders.queue:none' in value",
      'orders.queue',
      'the setting `orders.queue:none` is not set',
      { parts: map('ORDERS_QUEUE'), corrections: likely({ env: [fromMap('ORDERS_QUEUE', 'ORDERS_QUEUE')] }) },
    ],
    setting('The config property orders.queue is required but it could not be found', 'orders.queue'),
    setting('Config property orders.queue is required', 'orders.queue'),
    setting('No value for @ConfigProperty for key orders.queue', 'orders.queue'),
    setting('Error resolving property value [${orders.queue}]', 'orders.queue'),
    [
      "Failed to configure a DataSource: 'url' attribute is not specified",
      'spring.datasource.url',
      'Spring has no address for its data source',
      {
        parts: map('SPRING_DATASOURCE_URL', 'SPRING_DATASOURCE_USERNAME', 'SPRING_DATASOURCE_PASSWORD'),
        corrections: likely({
          env: ['SPRING_DATASOURCE_URL', 'SPRING_DATASOURCE_USERNAME', 'SPRING_DATASOURCE_PASSWORD'].map((one) => fromMap(one, one)),
        }),
      },
    ],
  ],
  'bootstrap-check': [
    check('bootstrap check failure [1] of [2]: max file descriptors [4096] is too low', 'max file descriptors [4096] is too low', {
      owner: stands('StatefulSet'),
    }),
    check(`bootstrap check failure [1] of [1]: ${DISCOVERY}`, DISCOVERY, {
      owner: stands('StatefulSet', { replicas: 1 }),
      corrections: likely({ env: [SINGLE] }),
      why: 'there is only one replica',
      mirrorable: true,
    }),
    alone({ owner: stands('Deployment'), corrections: likely({ env: [SINGLE] }) }),
    alone({ owner: stands('Deployment'), container: env({ A: 'b' }), corrections: likely({ 'env[1]': SINGLE }) }),
    alone({ owner: stands('StatefulSet', { replicas: 2 }) }),
    alone({ owner: stands('DaemonSet') }),
    alone({}),
    alone({ owner: stands('Deployment'), container: env({ 'discovery.seed_hosts': 'a' }) }),
    alone({ owner: stands('Deployment'), container: env({ 'cluster.initial_master_nodes': 'a' }) }),
    alone({ owner: stands('Deployment'), container: env({ 'discovery.type': 'x' }) }),
    alone({
      container: env({ DISCOVERY_TYPE: 'single-node' }),
      corrections: likely({ 'env[0].name': 'discovery.type' }),
      why: 'a variable with the name of the setting',
    }),
    alone({ container: env({ 'DISCOVERY.TYPE': 'single-node' }), corrections: likely({ 'env[0].name': 'discovery.type' }) }),
  ],
});
otherLogs(test, {
  'memory-at-least': [
    'needs 2 GB of disk',
    'so much are required, failed',
    'reads 2 GB of memory',
    'needs 2 GB RAMDISK',
    'also 2 GB are required',
  ],
  'size-unit': ['invalid value for parameter "x": "on"', 'invalid value for parameter "shared_buffers": "12OMB"'],
  'bootstrap-check': [`x [1]: ${DISCOVERY}`],
});

test.run();
