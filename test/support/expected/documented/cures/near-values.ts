import type { CureRow } from './cure.ts';
import { app, crash, guess, likely, map, secret } from './rows.ts';

const mounted = (mountPath: string) => ({ volumeMounts: [{ name: 'v', mountPath }] });
const ofSecret = (secretName: string) => ({ volumes: [{ name: 'v', secret: { secretName } }] });
const ofMap = (name: string) => ({ volumes: [{ name: 'v', configMap: { name } }] });
const variable = (name: string, value: string) => ({ env: [{ name, value }] });

/** Variables whose value is the path of a file that a volume has under a near name. */
const PATHS: Record<string, CureRow> = {
  'a password file whose folder and key are joined by a dash': crash(
    '/usr/local/bin/docker-entrypoint.sh: line 21: /run/secrets/db-password: No such file or directory',
    { ...variable('POSTGRES_PASSWORD_FILE', '/run/secrets/db-password'), ...mounted('/run/secrets/db') },
    { culprit: /db-password/, best: { [`${app}.env[0].value`]: '/run/secrets/db/password' }, ...likely, says: /does not exist/ },
    [secret('login', 'username', 'password')],
    ofSecret('login'),
  ),
  'a password file in the folder above its mount': crash(
    'cat: /run/secrets/password: No such file or directory',
    { ...variable('MARIADB_ROOT_PASSWORD_FILE', '/run/secrets/password'), ...mounted('/run/secrets/db') },
    { culprit: /password/, best: { [`${app}.env[0].value`]: '/run/secrets/db/password' }, ...likely },
    [secret('login', 'username', 'password')],
    ofSecret('login'),
  ),
  'a file for a password under a longer name than its key': crash(
    "FileNotFoundError: [Errno 2] No such file or directory: '/etc/redis/redis-password'",
    { ...variable('REDIS_PASSWORD_FILE', '/etc/redis/redis-password'), ...mounted('/etc/redis') },
    { culprit: /redis-password/, best: { [`${app}.env[0].value`]: '/etc/redis/password' }, ...likely },
    [secret('login', 'password', 'user')],
    ofSecret('login'),
  ),
  'a file that Spring imports under the short name of its stage': crash(
    "Config data resource 'file [/config/application-prod.yml]' via location 'file:/config/application-prod.yml' does not exist",
    { ...variable('SPRING_CONFIG_IMPORT', 'file:/config/application-prod.yml'), ...mounted('/config') },
    {
      culprit: /application-prod\.yml/,
      best: { [`${app}.env[0].value`]: 'file:/config/application-production.yml' },
      ...likely,
    },
    [map('settings', 'application-production.yml')],
    ofMap('settings'),
  ),
  'a file of rules by the end of its name, whose folder is another variable': crash(
    'Error: open /etc/gate/rules.json: no such file or directory',
    {
      env: [
        { name: 'RULES_DIR', value: '/etc/gate' },
        { name: 'RULES_FILE', value: 'rules.json' },
      ],
      ...mounted('/etc/gate'),
    },
    { culprit: /rules\.json/, best: { [`${app}.env[1].value`]: 'gate-rules.json' }, ...likely },
    [map('gate', 'gate-rules.json', 'limits.json')],
    ofMap('gate'),
  ),
  'a file of another stage than that of the mounted one': crash(
    'Error: open /config/app-prod.yml: no such file or directory',
    { ...variable('APP_CONFIG', '/config/app-prod.yml'), ...mounted('/config') },
    { culprit: /app-prod\.yml/, best: null },
    [map('settings', 'app-dev.yml', 'log.yml')],
    ofMap('settings'),
  ),
  'a user name, where the volume has only a password': crash(
    '/docker-entrypoint.sh: line 9: /run/secrets/db-user: No such file or directory',
    { ...variable('POSTGRES_USER_FILE', '/run/secrets/db-user'), ...mounted('/run/secrets') },
    { culprit: /db-user/, best: null, says: /does not exist/ },
    [secret('login', 'db-pass', 'token')],
    ofSecret('login'),
  ),
  'a key, where the volume has only certificates': crash(
    'open /tls/client.key: no such file or directory',
    { ...variable('CLIENT_KEY', '/tls/client.key'), ...mounted('/tls') },
    { culprit: /client\.key/, best: null },
    [secret('tls', 'client.crt', 'ca.crt')],
    ofSecret('tls'),
  ),
  'a second password, where the near one is used already': crash(
    '/entrypoint.sh: line 30: /run/secrets/db/replication-password: No such file or directory',
    {
      env: [
        { name: 'PASSWORD_FILE', value: '/run/secrets/db/password' },
        { name: 'REPLICATION_PASSWORD_FILE', value: '/run/secrets/db/replication-password' },
      ],
      ...mounted('/run/secrets/db'),
    },
    { culprit: /replication-password/, best: { [`${app}.env[1].value`]: '/run/secrets/db/password' }, ...guess },
    [secret('login', 'password', 'username')],
    ofSecret('login'),
  ),
  'a program that a variable names': crash(
    '/entrypoint.sh: line 4: /opt/shop/server: No such file or directory',
    variable('SERVER_BIN', '/opt/shop/server'),
    { culprit: /\/opt\/shop\/server/, best: null, says: /not in the image/ },
  ),
};

/** Values that nearly are what something else of the pod holds. Each family has near misses. */
export const NEAR_VALUES: Record<string, CureRow> = { ...PATHS };
