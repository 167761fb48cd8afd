import type { CureRow } from './cure.ts';
import { app, crash, env, guess, likely, map, secret } from './rows.ts';

const password = (source: string) => ({ env: [{ name: 'PGPASSWORD', valueFrom: { secretKeyRef: { name: source, key: 'password' } } }] });
const refused = 'pg_dump: error: FATAL:  password authentication failed for user "backup"\n';

/** Names of the namespace and of programs that stand beside the wrong one; then near misses. */
export const NAMES_BESIDE: Record<string, CureRow> = {
  'the Secret of another user': crash(
    refused,
    password('pg-superuser'),
    { culprit: /PGPASSWORD/, best: { [`${app}.env[0].valueFrom.secretKeyRef.name`]: 'pg-backup' }, ...likely },
    [secret('pg-superuser', 'username', 'password'), secret('pg-backup', 'username', 'password')],
  ),
  'a module of which a volume brings the file': crash(
    "ModuleNotFoundError: No module named 'shop.settings.prod'\n",
    { ...env({ DJANGO_SETTINGS_MODULE: 'shop.settings.prod' }), volumeMounts: [{ name: 'conf', mountPath: '/app/shop/settings' }] },
    { culprit: /shop\.settings\.prod/, best: { [`${app}.env[0].value`]: 'shop.settings.production' }, ...likely },
    [map('settings', 'base.py', 'production.py')],
    { volumes: [{ name: 'conf', configMap: { name: 'settings' } }] },
  ),
  'a member whose name is that of the pod': crash(
    `{"level":"fatal","msg":"discovery failed","error":"couldn't find local name \\"kv-0\\" in the initial cluster configuration"}\n`,
    { args: ['--name=$(POD_NAME)', '--initial-cluster=kv0=http://kv0.kv:2380'] },
    { culprit: /kv-0/, best: { [`${app}.args[1]`]: '--initial-cluster=kv-0=http://kv-0.kv:2380' }, ...likely },
  ),
  'a folder that is mounted below another one': crash(
    'error: failed to open source, "file:///migrations": open /migrations: no such file or directory\n',
    { args: ['-path=/migrations', 'up'], volumeMounts: [{ name: 'conf', mountPath: '/db/migrations' }] },
    { culprit: /\/migrations/, best: { [`${app}.args[0]`]: '-path=/db/migrations' }, ...likely },
    [map('migrations', '1_init.sql')],
    { volumes: [{ name: 'conf', configMap: { name: 'migrations' } }] },
  ),
  'a licence that nobody has accepted': crash(
    'You can accept the EULA by specifying the --accept-eula command line option,\nsetting the ACCEPT_EULA environment variable, or using the mssql-conf tool.\n',
    env({ MSSQL_PID: 'Express' }),
    { culprit: /ACCEPT_EULA/, best: { [`${app}.env[1]`]: { name: 'ACCEPT_EULA', value: 'Y' } }, ...guess },
  ),
  'an option that got another name': crash(
    "Error parsing command line arguments: unknown long flag '--storage.tsdb.retention'\n",
    { args: ['--config.file=/p.yml', '--storage.tsdb.retention=15d'] },
    { culprit: /--storage\.tsdb\.retention/, best: { [`${app}.args[1]`]: '--storage.tsdb.retention.time=15d' }, ...likely },
  ),
  'an optional key that its Secret calls otherwise': crash(
    'Error: Database is uninitialized and superuser password is not specified.\n',
    {
      env: [{ name: 'POSTGRES_PASSWORD', valueFrom: { secretKeyRef: { name: 'ledger', key: 'password', optional: true } } }],
    },
    { culprit: /POSTGRES_PASSWORD/, best: { [`${app}.env[0].valueFrom.secretKeyRef.key`]: 'postgres-password' } },
    [secret('ledger', 'postgres-password')],
  ),
  'an address that brought its quotes along': crash(
    'error: Error validating datasource `db`: the URL must start with the protocol `postgresql://` or `postgres://`.\n',
    env({ DATABASE_URL: '"postgresql://shop@db:5432/shop"' }),
    { culprit: /DATABASE_URL/, best: { [`${app}.env[0].value`]: 'postgresql://shop@db:5432/shop' }, ...likely },
  ),
  'a heap in the variable that differs from the one in the script': crash(
    'bootstrap check failure [1] of [1]: initial heap size [536870912] not equal to maximum heap size [1073741824]\n',
    { command: ['sh', '-c', 'run -Xms1g -Xmx1g $ES_JAVA_OPTS'], ...env({ ES_JAVA_OPTS: '-Xms512m -Xmx1g' }) },
    { culprit: /-Xms512m/, best: { [`${app}.env[0].value`]: '-Xms1g -Xmx1g' }, ...likely },
  ),

  // Near misses.
  'the Secret of the user itself': crash(refused, password('pg-backup'), { culprit: /backup/, best: null }, [
    secret('pg-superuser', 'password'),
    secret('pg-backup', 'password'),
  ]),
  'a module of which two volumes bring files': crash(
    "ModuleNotFoundError: No module named 'shop.settings.pro'\n",
    { ...env({ DJANGO_SETTINGS_MODULE: 'shop.settings.pro' }), volumeMounts: [{ name: 'conf', mountPath: '/app/shop/settings' }] },
    { culprit: /shop\.settings\.pro/, best: null },
    [map('settings', 'prod_eu.py', 'prod_us.py')],
    { volumes: [{ name: 'conf', configMap: { name: 'settings' } }] },
  ),
};
