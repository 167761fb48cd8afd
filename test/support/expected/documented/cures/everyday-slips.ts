import type { CureRow } from './cure.ts';
import { app, crash, env, guess, likely, secret, service } from './rows.ts';

const refused = (address: string) => `Error: connect ECONNREFUSED ${address}\n`;

/** Mistakes that people make every day in the settings of a pod; then near misses. */
export const EVERYDAY_SLIPS: Record<string, CureRow> = {
  'the own pod in place of the database': crash(
    refused('127.0.0.1:5432'),
    env({ DB_NAME: 'orders', DB_HOST: 'localhost' }),
    { culprit: /127\.0\.0\.1:5432 \(DB_HOST\)/, best: { [`${app}.env[1].value`]: 'postgres' }, ...likely },
    [service('postgres', 5432), service('cache', 6379)],
  ),
  'the address of the own pod in place of the database': crash(
    refused('127.0.0.1:5432'),
    env({ DB_NAME: 'orders', DB_HOST: '127.0.0.1' }),
    { culprit: /127\.0\.0\.1:5432 \(DB_HOST\)/, best: { [`${app}.env[1].value`]: 'postgres' }, ...likely },
    [service('postgres', 5432), service('cache', 6379)],
  ),
  'a module of settings with two letters swapped': crash(
    "ModuleNotFoundError: No module named 'shop.settigns'\n",
    env({ DJANGO_SETTINGS_MODULE: 'shop.settigns.production' }),
    { culprit: /shop\.settigns/, best: { [`${app}.env[0].value`]: 'shop.settings.production' }, ...likely },
  ),
  'a heap without its unit': crash(
    'Picked up JAVA_TOOL_OPTIONS: -Xmx2048 -Dfile.encoding=UTF-8\nError occurred during initialization of VM\nToo small maximum heap\n',
    env({ JAVA_TOOL_OPTIONS: '-Xmx2048 -Dfile.encoding=UTF-8' }),
    { culprit: /-Xmx2048/, best: { [`${app}.env[0].value`]: '-Xmx2048m -Dfile.encoding=UTF-8' }, ...likely },
  ),
  'a password that is not in the address': crash(
    'NOAUTH Authentication required. (redis://redis-master:6379/0)\n',
    env({ REDIS_PASSWORD: 'x', REDIS_URL: 'redis://redis-master:6379/0' }),
    { culprit: /Redis login/, best: { [`${app}.env[1].value`]: 'redis://:$(REDIS_PASSWORD)@redis-master:6379/0' }, ...likely },
  ),
  'no folder for temporary files': crash(
    "    raise FileNotFoundError(_errno.ENOENT,\nFileNotFoundError: [Errno 2] No usable temporary directory found in ['/tmp', '/var/tmp', '/usr/tmp', '/srv']\n",
    { securityContext: { readOnlyRootFilesystem: true } },
    {
      culprit: /\/tmp/,
      best: {
        'spec.volumes': [{ name: 'writable-tmp', emptyDir: {} }],
        [`${app}.volumeMounts`]: [{ name: 'writable-tmp', mountPath: '/tmp' }],
      },
    },
  ),
  'a part of an option, as its sibling spells it': crash(
    'command traefik error: failed to decode configuration from flags: field not found, node: adress\n',
    { args: ['--entrypoints.web.adress=:8000', '--entrypoints.websecure.address=:8443'] },
    { culprit: /adress/, best: { [`${app}.args[0]`]: '--entrypoints.web.address=:8000' }, ...likely },
  ),
  'a region under the name that boto3 does not read': crash(
    'botocore.exceptions.NoRegionError: You must specify a region.\n',
    env({ AWS_REGION: 'eu-west-1' }),
    { culprit: /AWS_DEFAULT_REGION/, best: { [`${app}.env[0].name`]: 'AWS_DEFAULT_REGION' }, ...likely },
  ),
  'a volume over the program': crash(
    "Error: Cannot find module '/app/server.js'\n",
    { command: ['node', '/app/server.js'], volumeMounts: [{ name: 'uploads', mountPath: '/app' }] },
    { culprit: /volume uploads at \/app/, best: { [`${app}.volumeMounts[0].mountPath`]: '/app/uploads' }, ...guess },
    [],
    { volumes: [{ name: 'uploads', persistentVolumeClaim: { claimName: 'uploads' } }] },
  ),
  'one port for two listeners': crash(
    'Error: metrics listener on 0.0.0.0:8080: Address already in use (os error 98)\n',
    { ...env({ HTTP_ADDR: '0.0.0.0:8080', METRICS_ADDR: '0.0.0.0:8080' }), ports: [{ containerPort: 8080 }, { containerPort: 9090 }] },
    { culprit: /port 8080 \(METRICS_ADDR\)/, best: { [`${app}.env[1].value`]: '0.0.0.0:9090' }, ...likely },
  ),
  'the port for administrators of RabbitMQ': crash(
    '{"level":60,"msg":"broker connection failed: Socket closed abruptly during opening handshake"}\n',
    env({ AMQP_URL: 'amqp://mailer@rabbitmq:15672/' }),
    { culprit: /AMQP_URL with port 15672/, best: { [`${app}.env[0].value`]: 'amqp://mailer@rabbitmq:5672/' }, ...likely },
  ),
  'the password of root for an ordinary user': crash(
    "ping database: Error 1045 (28000): Access denied for user 'loyalty'@'10.244.2.31' (using password: YES)\n",
    { env: [{ name: 'DB_PASSWORD', valueFrom: { secretKeyRef: { name: 'mysql', key: 'mysql-root-password' } } }] },
    { culprit: /DB_PASSWORD/, best: { [`${app}.env[0].valueFrom.secretKeyRef.key`]: 'mysql-password' }, ...likely },
    [secret('mysql', 'mysql-root-password', 'mysql-password')],
  ),
  'a right of Deno for one more address': crash(
    'error: Uncaught (in promise) PermissionDenied: Requires net access to "0.0.0.0:8000", run again with the --allow-net flag\n',
    { args: ['run', '--allow-net=api.example.com:443', 'main.ts'] },
    { culprit: /--allow-net/, best: { [`${app}.args[1]`]: '--allow-net=api.example.com:443,0.0.0.0:8000' }, ...likely },
  ),

  // Near misses.
  'the own pod, where a container beside it has the port': crash(
    refused('127.0.0.1:5432'),
    env({ DB_HOST: 'localhost' }),
    { culprit: /127\.0\.0\.1:5432/, best: null },
    [service('postgres', 5432)],
    {
      containers: [
        { name: 'app', image: 'shop:1', ...env({ DB_HOST: 'localhost' }) },
        { name: 'proxy', image: 'proxy:1', ports: [{ containerPort: 5432 }] },
      ],
    },
  ),
  'the own pod, with two Services of the port': crash(
    refused('127.0.0.1:5432'),
    env({ DB_HOST: 'localhost' }),
    { culprit: /127\.0\.0\.1:5432/, best: null },
    [service('orders-db', 5432), service('users-db', 5432)],
  ),
  'a module that is like no usual word': crash(
    "ModuleNotFoundError: No module named 'shop.pricing'\n",
    env({ APP_MODULE: 'shop.pricing:app' }),
    {
      culprit: /shop\.pricing/,
      best: null,
    },
  ),
  'the password of root for root': crash(
    "Error 1045 (28000): Access denied for user 'root'@'10.244.2.31' (using password: YES)\n",
    { env: [{ name: 'DB_PASSWORD', valueFrom: { secretKeyRef: { name: 'mysql', key: 'mysql-root-password' } } }] },
    { culprit: /root/, best: null },
    [secret('mysql', 'mysql-root-password', 'mysql-password')],
  ),
  'a module of the program, and one file of a volume in its folder': crash(
    "Error: Cannot find module '/app/server.js'\n",
    { command: ['node', '/app/server.js'], volumeMounts: [{ name: 'uploads', mountPath: '/app', subPath: 'app' }] },
    { culprit: /\/app\/server\.js/, best: { [`${app}.command`]: null } },
    [],
    { volumes: [{ name: 'uploads', persistentVolumeClaim: { claimName: 'uploads' } }] },
  ),
  'a module of the program below a ConfigMap': crash(
    "Error: Cannot find module '/app/server.js'\n",
    { volumeMounts: [{ name: 'conf', mountPath: '/app' }] },
    { culprit: /\/app\/server\.js/, best: null },
    [],
    { volumes: [{ name: 'conf', configMap: { name: 'conf' } }] },
  ),
};
