import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { diagnose } from '../../../src/diagnosis/diagnose.ts';
import { aCase, aPodManifest, crashed } from '../../support/builders/cases.ts';

const test = suite('exceptions after lines that name nothing');

const SURROUNDINGS = { services: [{ name: 'redis', ports: [6379] }] };
const ADDRESS = 'tcp://10.96.0.7:6379';
const told = (logs: string, container: object = {}, spec: object = {}) =>
  diagnose(aCase({ status: crashed(), logs, manifest: aPodManifest(container, spec), surroundings: SURROUNDINGS }));

const GUNICORN = (exception: string): string => `[2026-01-01 10:00:00 +0000] [1] [INFO] Listening at: http://0.0.0.0:8000 (1)
[2026-01-01 10:00:00 +0000] [7] [ERROR] Exception in worker process
Traceback (most recent call last):
  File "/usr/lib/python3/site-packages/gunicorn/arbiter.py", line 609, in spawn_worker
    worker.init_process()
${exception}
[2026-01-01 10:00:00 +0000] [7] [INFO] Worker exiting (pid: 7)
[2026-01-01 10:00:00 +0000] [1] [ERROR] Shutting down: Master
[2026-01-01 10:00:00 +0000] [1] [ERROR] Reason: Worker failed to boot.`;
const NODE = (error: string): string => `ERROR: app failed to start
/app/server.js:12
    throw new Error('plan LITE unsupported');
    ^

${error}
    at Object.<anonymous> (/app/server.js:12:11)`;

const NAMED: [what: string, log: string, culprit: string][] = [
  ['Python below a server', GUNICORN('RuntimeError: plan LITE unsupported'), 'RuntimeError: plan LITE unsupported'],
  ['a variable that Python misses', GUNICORN("KeyError: 'SECRET_KEY'"), 'SECRET_KEY'],
  ['a module', GUNICORN("ModuleNotFoundError: No module named 'app.wsgi'"), 'app.wsgi'],
  ['Node, not the line of the code', NODE('Error: plan LITE unsupported'), 'plan LITE unsupported'],
  [
    'the first of a chain',
    `[ERROR] celery beat crashed
Traceback (most recent call last):
  File "a.py", line 1, in f
KeyError: 'plan'

During handling of the above exception, another exception occurred:

Traceback (most recent call last):
  File "a.py", line 2, in g
RuntimeError: startup`,
    "KeyError: 'plan'",
  ],
  [
    'an error after the program worked in spite of another',
    `ERROR could not refresh cache
Traceback (most recent call last):
  File "a.py", line 1, in f
TimeoutError: cache slow
listening on 8080
FATAL: plan LITE unsupported`,
    'plan LITE unsupported',
  ],
  [
    'not the exception by which a program ends itself',
    `ERROR plan LITE unsupported
Traceback (most recent call last):
  File "a.py", line 1, in f
SystemExit: 1`,
    'plan LITE unsupported',
  ],
];
for (const [what, log, culprit] of NAMED) test(what, () => assert.is(told(log).culprit, culprit));

const LINKED: [what: string, log: string][] = [
  ['a value in a trace', GUNICORN(`ValueError: invalid literal for int() with base 10: '${ADDRESS}'`)],
  [
    'a value in an error of Node',
    NODE(`RangeError [ERR_SOCKET_BAD_PORT]: options.port should be >= 0 and < 65536. Received type string ('${ADDRESS}').`),
  ],
  ['only the name', 'Error: REDIS_PORT must be a number'],
];
for (const [what, log] of LINKED)
  test(`the variable of a Service: ${what}`, () => {
    const { culprit, corrections } = told(log);
    assert.match(culprit ?? '', /^REDIS_PORT\b/);
    assert.equal(
      corrections.map(({ confidence, changes }) => [confidence, changes.map(({ path, to }) => [path, to])]),
      [['likely', [['spec.enableServiceLinks', false]]]],
    );
  });

const NOT_LINKED: [what: string, log: string, container?: object, spec?: object][] = [
  ['the variable is missing', 'Error: REDIS_PORT is not set'],
  ['the pod sets it itself', 'Error: REDIS_PORT must be a number', { env: [{ name: 'REDIS_PORT', value: 'x' }] }],
  ['they are switched off', 'Error: REDIS_PORT must be a number', {}, { enableServiceLinks: false }],
  ['no Service of that name', 'Error: CACHE_PORT must be a number'],
];
for (const [what, log, container, spec] of NOT_LINKED)
  test(`no variable of a Service: ${what}`, () =>
    assert.not.ok(
      told(log, container, spec).corrections.some(({ changes }) => changes.some(({ path }) => path === 'spec.enableServiceLinks')),
    ));

test.run();
