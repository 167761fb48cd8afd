import type { CureRow } from './cure.ts';
import { app, crash, env, guess, likely, map, secret, service } from './rows.ts';

const fromKey = (name: string, source: string, key: string) => ({ name, valueFrom: { secretKeyRef: { name: source, key } } });
const configured = (name: string) => ({ volumes: [{ name: 'conf', configMap: { name } }] });
const preface = 'rpc error: code = Unavailable desc = connection error: desc = "error reading server preface: http2: frame too large"\n';

/** More of what clients want of their settings; then near misses. */
export const DAILY_CLIENTS: Record<string, CureRow> = {
  'a variable that has only its key right': crash(
    'ImproperlyConfigured: The SECRET_KEY setting must not be empty.\n',
    { env: [fromKey('DJANGO_SECRET', 'web', 'django-secret-key')] },
    { culprit: /SECRET_KEY/, best: { [`${app}.env[0].name`]: 'SECRET_KEY' }, ...likely },
    [secret('web', 'django-secret-key')],
  ),
  'a key that is called in another usual way': crash(
    'fatal: REDIS_URL not set\n',
    { envFrom: [{ configMapRef: { name: 'app' } }] },
    {
      culprit: /REDIS_URL/,
      best: { [`${app}.env`]: [{ name: 'REDIS_URL', valueFrom: { configMapKeyRef: { name: 'app', key: 'REDIS_URI' } } }] },
      ...likely,
    },
    [map('app', 'REDIS_URI')],
  ),
  'an option of a file without the file': crash(
    'flag needs an argument: --config\n',
    { args: ['serve', '--config'], volumeMounts: [{ name: 'conf', mountPath: '/etc/app' }] },
    { culprit: /--config/, best: { [`${app}.args[1]`]: '--config=/etc/app/app.yaml' }, ...guess },
    [map('app', 'app.yaml')],
    configured('app'),
  ),
  'a module of Celery as another setting spells it': crash(
    'Unable to load celery application.\nThe module shopp was not found.\n',
    { args: ['celery', '-A', 'shopp', 'worker'], ...env({ DJANGO_SETTINGS_MODULE: 'shop.settings' }) },
    { culprit: /shopp/, best: { [`${app}.args[2]`]: 'shop' }, ...likely },
  ),
  'an application under its other usual name': crash(
    'ERROR:    Error loading ASGI app. Attribute "application" not found in module "main".\n',
    { args: ['uvicorn', 'main:application'] },
    { culprit: /main\.application/, best: { [`${app}.args[1]`]: 'main:app' }, ...guess },
  ),
  'a module of Flask with two letters swapped': crash(
    "Error: Could not import 'app.mian'.\n",
    { args: ['flask', 'run'], ...env({ FLASK_APP: 'app.mian' }) },
    { culprit: /app\.mian/, best: { [`${app}.env[0].value`]: 'app.main' }, ...likely },
  ),
  'the port of NATS for administrators': crash('nats: no servers available for connection\n', env({ NATS_URL: 'nats://nats:8222' }), {
    culprit: /NATS_URL with port 8222/,
    best: { [`${app}.env[0].value`]: 'nats://nats:4222' },
    ...likely,
  }),
  'gRPC at the port for HTTP of a collector': crash(preface, env({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://otel-collector:4318' }), {
    culprit: /port 4318/,
    best: { [`${app}.env[0].value`]: 'http://otel-collector:4317' },
    ...likely,
  }),
  'a schedule with seconds': crash('panic: expected exactly 5 fields, found 6: [0 */5 * * * *]\n', env({ SCHEDULE: '0 */5 * * * *' }), {
    culprit: /SCHEDULE/,
    best: { [`${app}.env[0].value`]: '*/5 * * * *' },
    ...likely,
  }),
  'a region with two letters swapped, and no address': crash(
    "An error occurred (InvalidRegion): The region 'eu-wset-1' is wrong\n",
    env({ AWS_REGION: 'eu-wset-1' }),
    { culprit: /eu-wset-1/, best: { [`${app}.env[0].value`]: 'eu-west-1' }, ...likely },
  ),
  'a variable with a file that its Secret calls otherwise': crash(
    'error: Missing or incomplete configuration info.  Please point to an existing, complete config file.\n',
    { ...env({ KUBECONFIG: '/kube/config' }), volumeMounts: [{ name: 'k', mountPath: '/kube' }] },
    { culprit: /KUBECONFIG/, best: { [`${app}.env[0].value`]: '/kube/kubeconfig' } },
    [secret('kc', 'kubeconfig')],
    { volumes: [{ name: 'k', secret: { secretName: 'kc' } }] },
  ),

  // Near misses.
  'two variables with keys that are right': crash(
    'ImproperlyConfigured: The SECRET_KEY setting must not be empty.\n',
    { env: [fromKey('A_SECRET', 'web', 'a-secret-key'), fromKey('B_SECRET', 'web', 'b-secret-key')] },
    { culprit: /SECRET_KEY/, best: null },
    [secret('web', 'a-secret-key', 'b-secret-key')],
  ),
  'an option without its value, and two files': crash(
    'flag needs an argument: --config\n',
    { args: ['serve', '--config'], volumeMounts: [{ name: 'conf', mountPath: '/etc/app' }] },
    { culprit: /--config/, best: null },
    [map('app', 'app.yaml', 'log.yaml')],
    configured('app'),
  ),
  'a frame that is too large from another server': crash(
    preface,
    env({ PAYMENTS_URL: 'http://payments:4318' }),
    { culprit: /frame too large/, best: null },
    [service('payments', 4318)],
  ),
  'a schedule with seconds that matter': crash(
    'panic: expected exactly 5 fields, found 6: [*/10 * * * * *]\n',
    env({ SCHEDULE: '*/10 * * * * *' }),
    { culprit: /SCHEDULE/, best: null },
  ),
  'a file that its volume brings': crash(
    'error: Missing or incomplete configuration info.\n',
    { ...env({ KUBECONFIG: '/kube/config' }), volumeMounts: [{ name: 'k', mountPath: '/kube' }] },
    { culprit: /configuration info/, best: null },
    [secret('kc', 'config')],
    { volumes: [{ name: 'k', secret: { secretName: 'kc' } }] },
  ),
};
