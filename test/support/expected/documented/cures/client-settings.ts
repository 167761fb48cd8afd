import type { CureRow } from './cure.ts';
import { app, crash, env, guess, likely, secret, service } from './rows.ts';

const amd64 = { apiVersion: 'v1', kind: 'Node', metadata: { name: 'n', labels: { 'kubernetes.io/arch': 'amd64' } }, status: {} };
const vaultRefusal = 'Code: 403. Errors:\n\n* service account name not authorized\n';

/** What clients of servers want of their settings; then near misses. */
export const CLIENT_SETTINGS: Record<string, CureRow> = {
  'a package as another setting spells it': crash(
    "ModuleNotFoundError: No module named 'shop_api'\n",
    { args: ['shop_api.wsgi:application'], ...env({ DJANGO_SETTINGS_MODULE: 'shopapi.settings' }) },
    { culprit: /shop_api/, best: { [`${app}.args[0]`]: 'shopapi.wsgi:application' }, ...likely },
  ),
  'the scheme of the web for a broker': crash(
    "KeyError: 'No such transport: http'\n",
    env({ CELERY_BROKER_URL: 'http://rabbitmq:5672/' }),
    { culprit: /CELERY_BROKER_URL/, best: { [`${app}.env[0].value`]: 'amqp://rabbitmq:5672/' }, ...likely },
  ),
  'the port of the sentinels of Redis': crash(
    "redis.exceptions.ResponseError: unknown command 'GET', with args beginning with: 'session'\n",
    env({ REDIS_URL: 'redis://redis:26379/0' }),
    { culprit: /REDIS_URL with port 26379/, best: { [`${app}.env[0].value`]: 'redis://redis:6379/0' }, ...likely },
  ),
  'a user of MongoDB that is in another database': crash(
    'MongoServerError: Authentication failed.\n',
    env({ MONGO_URL: 'mongodb://root:$(MONGO_PASSWORD)@mongo:27017/shop' }),
    {
      culprit: /MONGO_URL/,
      best: { [`${app}.env[0].value`]: 'mongodb://root:$(MONGO_PASSWORD)@mongo:27017/shop?authSource=admin' },
      ...likely,
    },
  ),
  'an endpoint that is a URL': crash(
    'Endpoint url cannot have fully qualified paths.\n',
    env({ S3_ENDPOINT: 'http://minio:9000', S3_BUCKET: 'b' }),
    { culprit: /S3_ENDPOINT/, best: { [`${app}.env[0].value`]: 'minio:9000' }, ...likely },
    [service('minio', 9000)],
  ),
  'a list that the program reads as JSON': crash(
    'pydantic_settings.sources.SettingsError: error parsing value for field "allowed_origins" from source "EnvSettingsSource"\n',
    env({ APP_ALLOWED_ORIGINS: 'https://a.example, https://b.example' }),
    { culprit: /APP_ALLOWED_ORIGINS/, best: { [`${app}.env[0].value`]: '["https://a.example","https://b.example"]' }, ...likely },
  ),
  'a level that this program calls otherwise': crash(
    'Error: unknown log level "verbose" (must be one of debug, info, warn, error)\n',
    env({ APP_LOG_LEVEL: 'verbose' }),
    { culprit: /verbose/, best: { [`${app}.env[0].value`]: 'debug' }, ...likely },
  ),
  'an option that is a key of a Secret': crash(
    'ERROR: Failed to validate configuration: invalid configuration:\n  missing setting: client-secret\n',
    { image: 'quay.io/oauth2-proxy/oauth2-proxy:v7', args: ['--provider=oidc'] },
    {
      culprit: /client-secret/,
      best: {
        [`${app}.env`]: [{ name: 'OAUTH2_PROXY_CLIENT_SECRET', valueFrom: { secretKeyRef: { name: 'oauth', key: 'client-secret' } } }],
      },
      ...likely,
    },
    [secret('oauth', 'client-secret', 'cookie-secret')],
  ),
  'variables that the program tells to export': crash(
    'RuntimeError: Click will abort further execution because Python was configured to use ASCII.\n\nExport the following environment variables:\n\n    export LC_ALL=C.UTF-8\n    export LANG=C.UTF-8\n',
    env({ LC_ALL: 'POSIX' }),
    { culprit: /LC_ALL/, best: { [`${app}.env[0].value`]: 'C.UTF-8', [`${app}.env[1]`]: { name: 'LANG', value: 'C.UTF-8' } }, ...likely },
  ),
  'a virtual host that the server lacks': crash(
    'ConnectionClosedByBroker: (530) "NOT_ALLOWED - vhost shop not found"\n',
    env({ AMQP_URL: 'amqp://user@rabbitmq:5672/shop' }),
    { culprit: /vhost shop/, best: { [`${app}.env[0].value`]: 'amqp://user@rabbitmq:5672/%2F' }, ...guess },
  ),
  'a folder in which the program does not lie': crash(
    "npm error code ENOENT\nnpm error syscall open\nnpm error path /package.json\nnpm error enoent Could not read package.json: Error: ENOENT: no such file or directory, open '/package.json'\n",
    { command: ['npm', 'start'], workingDir: '/' },
    { culprit: /\/package\.json/, best: { [`${app}.workingDir`]: null }, ...guess },
  ),
  'an image for other processors': crash(
    'exec /usr/local/bin/server: exec format error\n',
    { image: 'registry.example.com/server:1.2-arm64' },
    { culprit: /server/, best: { [`${app}.image`]: 'registry.example.com/server:1.2-amd64' }, ...likely },
    [amd64],
  ),
  'an account that Vault does not let in': crash(
    vaultRefusal,
    {},
    { culprit: /service account default/, best: { 'spec.serviceAccountName': 'shop' }, ...guess },
    [{ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'shop', namespace: 'default' } }],
  ),

  // Near misses.
  'a package, with two others beside it': crash(
    "ModuleNotFoundError: No module named 'shop_api'\n",
    { args: ['shop_api.wsgi:application'], ...env({ A_MODULE: 'shopapi.settings', B_MODULE: 'shop_apis.jobs' }) },
    { culprit: /shop_api/, best: null },
  ),
  'an unknown command of a server behind its own port': crash(
    "ResponseError: unknown command 'JSON.GET', with args beginning with: 'session'\n",
    env({ REDIS_URL: 'redis://redis:6379/0' }),
    { culprit: /JSON\.GET/, best: null },
  ),
  'a user of MongoDB whose source is named': crash(
    'MongoServerError: Authentication failed.\n',
    env({ MONGO_URL: 'mongodb://root:x@mongo:27017/shop?authSource=admin' }),
    { culprit: /MongoDB login/, best: null },
  ),
  'a user of MongoDB whose source is named in small letters': crash(
    'MongoServerError: Authentication failed.\n',
    env({ MONGO_URL: 'mongodb://root:x@mongo:27017/shop?authsource=admin' }),
    { culprit: /MongoDB login/, best: null },
  ),
  'a field of JSON that is no list': crash(
    'pydantic_settings.sources.SettingsError: error parsing value for field "limits" from source "EnvSettingsSource"\n',
    env({ LIMITS: '{cpu: 1' }),
    { culprit: /LIMITS/, best: null },
  ),
  'an image for other processors, whose tag names none': crash(
    'exec /usr/local/bin/server: exec format error\n',
    { image: 'registry.example.com/server:1.2' },
    { culprit: /server/, best: null },
    [amd64],
  ),
  'an image for other processors, and nodes that nobody may read': crash(
    'exec /usr/local/bin/server: exec format error\n',
    { image: 'registry.example.com/server:1.2-arm64' },
    { culprit: /server/, best: { [`${app}.image`]: 'registry.example.com/server:1.2-amd64' }, ...guess },
  ),
  'a namespace that Vault does not let in': crash(
    'Code: 403. Errors:\n\n* namespace not authorized\n',
    {},
    { culprit: /namespace not authorized/, best: null },
    [{ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name: 'shop', namespace: 'default' } }],
  ),
};
