import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { generalSignatures } from '../../../../src/diagnosis/rules/signatures/general.ts';
import { type LogRow, logRows, otherLogs, readingOf } from '../../../support/builders/log-lines.ts';

const test = suite('lines that only say that something failed');

const TRACE = 'Traceback (most recent call last):\n  File "/app/x.py", line 1, in <module>\n';
const ends = (log: string, culprit: string, because = log, more: LogRow[3] = {}): LogRow => [
  log,
  culprit,
  `the program ends with \`${because}\``,
  { advice: 'The program itself has a bug', where: 'the trace in the log', inCode: true, ...more },
];
const logs = (log: string, culprit = log, more: LogRow[3] = {}): LogRow => [
  log,
  culprit,
  `it logs \`${log}\``,
  { advice: 'Look for what this error names', where: 'the log around this line', inCode: false, ...more },
];
const SETTING = { advice: 'Give the program the setting' };
const spring = (log: string, bean: string | null = null): LogRow => [
  log,
  bean ?? log,
  bean === null ? 'the Spring application cannot start' : `Spring cannot create the bean \`${bean}\``,
  { advice: 'The deepest `Caused by`', where: 'the `Caused by` lines' },
];
const CONFIG = {
  container: { volumeMounts: [{ name: 'conf', mountPath: '/etc/app' }] },
  spec: { volumes: [{ name: 'conf', configMap: { name: 'web' } }] },
};

logRows(test, generalSignatures, {
  'python-exception': [
    ends('ValueError: bad plan', 'ValueError: bad plan'),
    ends('app.errors.PlanException: bad plan', 'PlanException: bad plan', 'app.errors.PlanException: bad plan'),
    ends('PlanFault [3]: error: bad plan', 'PlanFault [3]: error: bad plan'),
    ends('PlanError [E1]: bad plan', 'PlanError [E1]: bad plan'),
    ends('PlanExit of it, exception: bad plan', 'PlanExit of it, exception: bad plan'),
    ends('PlanWarning as error: bad plan', 'PlanWarning as error: bad plan'),
    [
      'app.ImproperlyConfigured: bad plan',
      'app.ImproperlyConfigured: bad plan',
      'ends with',
      { inCode: false, advice: 'Correct the setting' },
    ],
  ],
  'java-exception': [
    ends('Exception in thread "main" org.x.PlanException: bad plan', 'PlanException: bad plan'),
    ends('Caused by: org.x.PlanError: bad plan', 'PlanError: bad plan'),
    ends('it is org.x.PlanError', 'it is org.x.PlanError'),
    ends('org.x.PlanException', 'org.x.PlanException'),
    ends('it is org.x.PlanException', 'it is org.x.PlanException'),
  ],
  'spring-start': [
    spring("Error creating bean with name 'planService' defined", 'planService'),
    spring('APPLICATION FAILED TO START'),
    spring('Application run failed'),
  ],
  'first-error': [
    logs('fatal: bad plan', 'bad plan'),
    logs('Fatal plan', 'plan'),
    logs('FATAL plan', 'plan'),
    logs('panic plan', 'plan'),
    ...['in', 'of', 'while', 'with', 'when', 'during'].map((word) => logs(`PANIC ${word} plan`)),
    logs('error in plan'),
    logs('the Error of plan'),
    logs('the ERROR of plan'),
    logs('plan ERR! of it'),
    logs('plan [x ERR] of it'),
    logs('plan ERR of it'),
    logs('CRITICAL plan', 'plan'),
    logs('critical plan', 'plan'),
    logs('Critical plan'),
    logs('EMERG plan', 'plan'),
    logs('plan ALERT: of it'),
    logs('plan [x ALERT] of it'),
    logs('plan FAILED'),
    logs('plan failed'),
    logs('Failed plan'),
    logs('plan failure'),
    logs('cannot plan'),
    logs('Cannot plan'),
    logs('could not plan'),
    logs('Could not plan'),
    logs('unable to plan'),
    logs('Unable to plan'),
    logs('exception of plan'),
    logs('Exception of plan'),
    logs('invalid plan'),
    logs('Invalid plan'),
    logs("can't plan"),
    logs("Can't plan"),
    logs('aborting plan'),
    logs('Aborting plan'),
    logs('refusing to plan'),
    logs('Refusing to plan'),
    logs('denied plan'),
    logs('Denied plan'),
    logs('plan not found'),
    logs('plan not configured', undefined, SETTING),
    logs('plan not been configured'),
    logs('missing plan'),
    logs('Missing plan'),
    logs('unsupported plan'),
    logs('Unsupported plan'),
    logs('the plan has not been configured'),
    logs('the plan has not been defined'),
    logs('the plan has not been configured.'),
    logs('Plan of [plan] not configured.', undefined, SETTING),
    logs('[plan] not configured', 'not configured', SETTING),
    logs('/plan not configured', undefined, SETTING),
    logs('F0102 03:04:05.678901 1 plan.go:12] bad plan', 'bad plan'),
    logs('Refusing to start with APP_KEY', undefined, { advice: 'Set the variable `APP_KEY` as the message asks: nothing sets it' }),
    logs('invalid APP_KEY', undefined, {
      container: { envFrom: [{ secretRef: { name: 's' } }] },
      advice: 'Set the variable `APP_KEY` as the message asks.',
    }),
    logs('invalid APP_KEY here', undefined, {
      container: { env: [{ name: 'APP_KEY', value: 'x' }] },
      advice: 'Correct the variable `APP_KEY` of the container.',
    }),
    logs('invalid APP_KEY of the Secret', undefined, {
      container: { env: [{ name: 'APP_KEY', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } }] },
      advice: 'Correct the variable `APP_KEY` of the container, which has its value from the key `k` of Secret `s`.',
    }),
    logs('invalid APP_KEY of the ConfigMap', undefined, {
      container: { env: [{ name: 'APP_KEY', valueFrom: { configMapKeyRef: { name: 'c', key: 'k' } } }] },
      advice: 'which has its value from the key `k` of ConfigMap `c`.',
    }),
    logs('invalid APP_KEY or APP_ID'),
    logs('error in the config of plan', undefined, {
      ...CONFIG,
      advice:
        'Look for what this error names: in the variables and arguments of the container, in its mounted files, or at the server that it calls. ',
    }),
  ],
});
otherLogs(test, {
  'python-exception': ['the ValueError: bad plan', 'Value_error: bad plan', `throw PlanError: bad`],
  'java-exception': ['PlanException', 'x:org.x.PlanException of it'],
  'first-error': [
    'no error',
    '0 failed',
    'zero failed',
    'without error',
    'any error of it',
    'on error it goes on',
    'if error then',
    'error=0',
    'errors: 0',
    'error: null',
    'error=nil',
    'error=none',
    'error: false',
    'the errors page',
    'the errors log',
    'error2 of x',
    'the error.log is full',
    '/error is a page',
    'on-error is a flag',
    'error-page is a flag',
    'error/page',
    'created missing folder',
    'Adding missing folder',
    'installing missing parts',
    'Generated missing keys',
    'plan has been configured',
    'ALERT plan',
    'main.go:12 plan',
    'INFO: failed plan',
    'the plan not configured/x',
    'creating missing folder',
    'installed missing parts',
  ],
});

const advice = (log: string, more: LogRow[3] = {}): string => readingOf(log, more).meaning?.advice[0] ?? '';

test('an error with more errors behind it is the first one', () => {
  for (const word of ['error', 'fatal', 'failed', 'failure', 'panic', 'exception'])
    assert.match(advice(`fatal: bad plan\nthen ${word} 2`), 'It is the first error of the log');
  assert.not.match(advice('fatal: bad plan\nthen errors'), 'first error');
});

test('where the error speaks of a configuration, the mounted one is named', () => {
  const of = 'ConfigMap `web`';
  for (const log of ['fatal: bad config', 'fatal: bad groupname', 'fatal: bad plan in /etc/', 'fatal: bad plan\nof the config'])
    assert.match(advice(log, CONFIG), of, log);
  for (const log of ['fatal: bad plan', `fatal: bad plan\n${'-'.repeat(300)}config`]) assert.not.match(advice(log, CONFIG), of, log);
  assert.match(advice(`fatal: bad plan\n${'-'.repeat(290)}config`, CONFIG), of);
});

test('a line of a specific signature comes before all of these', () => {
  for (const log of [`${TRACE}ValueError: bad`, 'org.x.PlanException: bad', 'APPLICATION FAILED TO START', 'fatal: bad'])
    assert.is(readingOf(`${log}\nA_TOKEN is not set`).id, 'variable-missing', log);
});

test.run();
