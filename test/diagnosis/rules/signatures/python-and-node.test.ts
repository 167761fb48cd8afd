import { suite } from 'uvu';
import { pythonAndNodeSignatures } from '../../../../src/diagnosis/rules/signatures/python-and-node.ts';
import { env, guess, likely } from '../../../support/builders/corrections.ts';
import { type LogRow, logRows, otherLogs } from '../../../support/builders/log-lines.ts';

const test = suite('what logs say about Python and Node');

const module = (log: string, name: string): LogRow => [
  log,
  name,
  `the Python module \`${name}\` is not in the image`,
  { advice: 'Add it to the requirements', where: '`PYTHONPATH` and `workingDir`', corrections: [] },
];
const ofNode = (log: string, name: string, more: LogRow[3] = {}): LogRow => [
  log,
  name,
  `the Node module \`${name}\` is not in the image`,
  { advice: 'Install it in the image', where: '`node_modules`', corrections: [], ...more },
];
const script = (log: string, more: LogRow[3] = {}): LogRow => [
  log,
  'script start:prod',
  '`package.json` has no script `start:prod`',
  { advice: 'Name a script', where: 'the `scripts`', corrections: [], ...more },
];
const heap = (culprit: string, more: LogRow[3] = {}): LogRow => [
  'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
  culprit,
  "Node's heap is full",
  { advice: culprit.includes('(') ? 'Raise `--max-old-space-size`' : 'Raise the memory limit', where: 'heap snapshot', ...more },
];
const attribute = (log: string, name: string, more: LogRow[3] = {}): LogRow => [
  log,
  `main.${name}`,
  `the Python module \`main\` has no \`${name}\``,
  { advice: 'Correct the name of the module or object', where: '`workingDir`', corrections: [], ...more },
];
const noModule = (log: string, name: string, more: LogRow[3] = {}): LogRow => [
  log,
  name,
  `the image has no Python module or class \`${name}\``,
  { advice: 'Correct the name of the module or object', corrections: [], ...more },
];
const build = (log: string, folder = '.next', more: LogRow[3] = {}): LogRow => [
  log,
  folder,
  `the image has no build in \`${folder}\``,
  { advice: 'Build the program when the image is built', where: 'mounts of the container', ...more },
];
const openssl = (log: string): LogRow => [
  log,
  'OpenSSL 3 of Node (ERR_OSSL_EVP_UNSUPPORTED)',
  'an old algorithm',
  {
    advice: '--openssl-legacy-provider',
    where: 'version of Node',
    corrections: likely({ env: [{ name: 'NODE_OPTIONS', value: '--openssl-legacy-provider' }] }),
  },
];
const code = (value: string) => ({ surroundings: { settings: [{ name: 'src', key: 'main.py', value }] } }) as { surroundings: object };
const NO_APP = "Failed to find attribute 'app' in 'main'.";
const start = (word: string) => ({ container: { args: ['gunicorn', word] } });

logRows(test, pythonAndNodeSignatures, {
  'python-module': [
    module("ModuleNotFoundError: No module named 'flask'", 'flask'),
    module('ImportError: No module named flask', 'flask'),
    module('/usr/bin/python: No module named app.main', 'app.main'),
    module('ERROR:    Error loading ASGI app. Could not import module "main".', 'main'),
    module("Could not import 'app.wsgi'", 'app.wsgi'),
    [
      "ImportError: cannot import name 'escape' from 'jinja2' (/usr/lib/jinja2/__init__.py)",
      'jinja2.escape',
      'the Python module `jinja2` has no `escape`',
      { container: { args: ['jinja2'] }, corrections: [] },
    ],
    [
      "ModuleNotFoundError: No module named 'shop.setings'",
      'shop.setings',
      'is not in the image',
      { container: env({ DJANGO_SETTINGS_MODULE: 'shop.setings' }), corrections: likely({ 'env[0].value': 'shop.settings' }) },
    ],
  ],
  'node-module': [
    ofNode("Error: Cannot find module 'express'", 'express'),
    ofNode("Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'express' imported from /app/a.js", 'express', {
      container: { command: ['node', 'a.js'] },
    }),
    ofNode("Error: Cannot find module './lib/a'", './lib/a', {
      container: { command: ['node', 'a.js'] },
      corrections: guess({ command: null }),
    }),
    ofNode("Error: Cannot find module './lib/a'", './lib/a', {
      container: { command: ['/app/a.js'] },
      corrections: guess({ command: null }),
    }),
    ofNode("Error: Cannot find module './lib/a'", './lib/a', { container: { args: ['a.js'] } }),
  ],
  'npm-script': [
    script('npm ERR! missing script: start:prod'),
    script('missing script start:prod', { container: { command: ['npm', 'run', 'start:prod'] }, corrections: guess({ command: null }) }),
  ],
  'node-heap': [
    heap('JavaScript heap out of memory', { container: env({ NODE_OPTIONS: '--max-old-space=5' }) }),
    heap('JavaScript heap out of memory (--max-old-space-size=512)', {
      container: { ...env({ NODE_OPTIONS: '--max-old-space-size=512' }), resources: { limits: { memory: '4Gi' } } },
      corrections: guess({ 'env[0].value': '--max-old-space-size=3072' }),
    }),
    heap('JavaScript heap out of memory (--max-old-space-size=64)', { container: { args: ['--max-old-space-size=64', 'a.js'] } }),
    heap('JavaScript heap out of memory (--max-old-space-size 64)', { container: { command: ['node', '--max-old-space-size', '64'] } }),
    heap('JavaScript heap out of memory', {
      container: { resources: { limits: { memory: '128Mi' } } },
      corrections: [...likely({ 'resources.limits.memory': '256Mi' }), ...guess({ 'resources.limits.memory': '1Gi' })],
    }),
  ],
  'attribute-missing': [
    attribute(NO_APP, 'app'),
    attribute("Failed to find application object 'server' in 'main'", 'server'),
    attribute('ERROR:    Error loading ASGI app. Attribute "app" not found in module "main".', 'app'),
    attribute("Error: Unable to load celery application.\nModule 'main' has no attribute 'celery'", 'celery'),
    attribute("module 'main' has no attribute 'app'", 'app'),
    noModule('Unable to load celery application.\nThe module main was not found.', 'main'),
    noModule('Error: the module main was not found', 'main'),
    noModule("class uri 'uvicorn.workers.Worker' invalid or not found", 'uvicorn.workers.Worker'),
    noModule('The module shop.wsig was not found.', 'shop.wsig', {
      container: { args: ['gunicorn', 'shop.wsig'] },
      corrections: likely({ 'args[1]': 'shop.wsgi' }),
    }),
    attribute(NO_APP, 'app', { ...start('main:app'), corrections: guess({ 'args[1]': 'main:application' }), why: 'usually called so' }),
    attribute(NO_APP.replace('app', 'api'), 'api', { ...start('main:api'), corrections: guess({ 'args[1]': 'main:app' }) }),
    attribute(NO_APP.replace('app', 'server'), 'server', { ...start('main:server'), corrections: guess({ 'args[1]': 'main:app' }) }),
    attribute(NO_APP.replace('app', 'application'), 'application', {
      ...start('main:application'),
      corrections: guess({ 'args[1]': 'main:app' }),
    }),
    attribute(NO_APP.replace('app', 'other'), 'other', start('main:other')),
    ...[
      'Flask(',
      'FastAPI(',
      'Starlette(',
      'Sanic(',
      'Quart(',
      'Bottle(',
      'Litestar(',
      'web.App(',
      'Celery(',
      'get_wsgi_application(',
      'get_asgi_application(',
    ].map((made) =>
      attribute(NO_APP.replace('app', 'other'), 'other', {
        ...start('main:other'),
        parts: code(`import x\nshop = ${made})\n`),
        corrections: likely({ 'args[1]': 'main:shop' }),
        why: 'the module makes its application',
      }),
    ),
    attribute(NO_APP, 'app', { ...start('main:app'), parts: code('app = Flask(x)\n') }),
    attribute(NO_APP, 'app', {
      ...start('main:app'),
      parts: { surroundings: { settings: [{ name: 'src', key: 'other.py', value: 'shop = Flask(x)' }] } as object },
      corrections: guess({ 'args[1]': 'main:application' }),
    }),
    attribute(NO_APP, 'app', {
      ...start('main:app'),
      parts: code('one = Flask(x)\ntwo = Flask(x)\n'),
      corrections: guess({ 'args[1]': 'main:application' }),
    }),
  ],
  'build-missing': [
    build("Error: Could not find a production build in the '.next' directory. Try building your app with 'next build'"),
    build("could not find a valid production build in the '.next' directory."),
    build("Could not find a valid build in the '.next' directory! production build"),
    [
      "Could not find a production build in the '.next' directory",
      'volume data at /app (mountPath)',
      'volume `data` is mounted at `/app` and hides the build',
      {
        container: { volumeMounts: [{ name: 'data', mountPath: '/app' }] },
        spec: { volumes: [{ name: 'data', emptyDir: {} }] },
        corrections: guess({ 'volumeMounts[0].mountPath': '/app/data' }),
      },
    ],
    [
      "Could not find a production build in the 'dist' directory",
      'volume data at /srv (mountPath)',
      'hides the build',
      {
        container: { workingDir: '/srv/web/', volumeMounts: [{ name: 'data', mountPath: '/srv' }] },
        spec: { volumes: [{ name: 'data', emptyDir: {} }] },
      },
    ],
    [
      "Could not find a production build in the '/srv/web/dist' directory",
      'volume data at /srv (mountPath)',
      'hides the build',
      {
        container: { volumeMounts: [{ name: 'data', mountPath: '/srv' }] },
        spec: { volumes: [{ name: 'data', emptyDir: {} }] },
      },
    ],
  ],
  'node-openssl': [
    openssl('Error: error:0308010C:digital envelope routines::unsupported'),
    openssl('error:0308010C:digital envelope routines:initialization error'),
    openssl("code: 'ERR_OSSL_EVP_UNSUPPORTED'"),
  ],
});
otherLogs(test, {
  'node-module': ["Cannot find module '/app/a.js'"],
  'attribute-missing': ["AttributeError: 'NoneType' object has no attribute 'x'"],
  'node-openssl': ['digital envelope routines: bad decrypt'],
});

test.run();
