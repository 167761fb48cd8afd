import { other } from '../documented.ts';
import type { CureRow } from './cure.ts';
import { app, crash, env, fromSecret, guess, likely, map, plain, secret, service } from './rows.ts';

const elsewhere = (name: string, namespace: string) => ({
  ...other('Service', name),
  metadata: { name, namespace, uid: `${namespace}-${name}` },
});
const VIPER = '{"level":"fatal","msg":"reading configuration","error":"Config File \\"ledger\\" Not Found in \\"[/ /config]\\""}\n';
const ofMap = (name: string) => ({ volumes: [{ name: 'config', configMap: { name } }] });
const HANDSHAKE =
  'ERROR c.a.k.clients.NetworkClient : Connection to node -1 (kafka/10.96.0.7:9092) failed authentication due to: SSL handshake failed\nCaused by: javax.net.ssl.SSLException: Unsupported or unrecognized SSL message\n';
const kafka = (protocol: string) =>
  env({ KAFKA_BOOTSTRAP_SERVERS: 'kafka:9092', KAFKA_SECURITY_PROTOCOL: protocol, KAFKA_GROUP_ID: 'mail' });
const FPM =
  "ERROR: unable to bind listening socket for address '/run/php/php-fpm.sock': No such file or directory (2)\nERROR: FPM initialization failed\n";
const HTTPD = 'httpd: bind: Address already in use\n';
/** A pod whose container takes its ports from variables, beside a web server on these ports. */
const beside = (own: Record<string, string>, ...ports: number[]) => ({
  containers: [
    { name: 'app', image: 'shop:1', ...env(own) },
    { name: 'web', image: 'web:1', ports: ports.map((containerPort) => ({ containerPort })) },
  ],
});

/** Settings, files and servers that have another name or another place than the program takes. */
export const RENAMED_AND_MOVED: Record<string, CureRow> = {
  'a variable that a list below its announcement names, and a Secret that has it under a shorter name': crash(
    'MissingEnvVarsError: The following variables were defined in .env.example but are not present in the environment:\n  JWT_SECRET_KEY\nMake sure to add them to .env or directly to the environment.\n',
    { envFrom: [{ secretRef: { name: 'web' } }], env: [plain('NODE_ENV', 'production')] },
    { culprit: /JWT_SECRET_KEY/, best: { [`${app}.env[1]`]: fromSecret('JWT_SECRET_KEY', 'web', 'JWT_SECRET') }, says: /JWT_SECRET_KEY/ },
    [secret('web', 'JWT_SECRET', 'SESSION_KEY')],
  ),
  'two variables that a list names below': crash(
    'The following environment variables are required:\n - SMTP_HOST\n - SMTP_FROM\n',
    env({ APP: 'mail' }),
    { culprit: /SMTP_HOST/, best: null, says: /SMTP_HOST.*SMTP_FROM/ },
  ),
  'a Service of another namespace': crash(
    'getaddrinfo: Name or service not known (redis://sidekiq-redis:6379/1)\n',
    env({ REDIS_URL: 'redis://sidekiq-redis:6379/1', DB_HOST: 'desk-pg' }),
    { culprit: /sidekiq-redis/, best: { [`${app}.env[0].value`]: 'redis://sidekiq-redis.shared:6379/1' }, ...likely },
    [service('desk-pg', 5432), elsewhere('sidekiq-redis', 'shared')],
  ),
  'a Service that is called as in many namespaces': crash(
    'getaddrinfo: Name or service not known (redis://redis:6379/1)\n',
    env({ REDIS_URL: 'redis://redis:6379/1', DB_HOST: 'desk-pg' }),
    { culprit: /redis/, best: { [`${app}.env[0].value`]: 'redis://redis.shared:6379/1' }, ...guess },
    [service('desk-pg', 5432), elsewhere('redis', 'shared')],
  ),
  'a Service of two other namespaces': crash(
    'getaddrinfo: Name or service not known (redis://sidekiq-redis:6379/1)\n',
    env({ REDIS_URL: 'redis://sidekiq-redis:6379/1' }),
    { culprit: /sidekiq-redis/, best: null },
    [service('desk-pg', 5432), elsewhere('sidekiq-redis', 'one'), elsewhere('sidekiq-redis', 'two')],
  ),
  'a similar Service of the own namespace comes before the same one of another': crash(
    'getaddrinfo: Name or service not known (redis://sidekiq-redis:6379/1)\n',
    env({ REDIS_URL: 'redis://sidekiq-redis:6379/1' }),
    { culprit: /sidekiq-redis/, best: { [`${app}.env[0].value`]: 'redis://sidekiq-redis-0:6379/1' }, ...likely },
    [service('sidekiq-redis-0', 6379), elsewhere('sidekiq-redis', 'one')],
  ),
  'a Service in another namespace than the host says': crash(
    'dial tcp: lookup billing-db.payments.svc.cluster.local: no such host\n',
    env({ DB_HOST: 'billing-db.payments.svc.cluster.local' }),
    { culprit: /billing-db/, best: { [`${app}.env[0].value`]: 'billing-db.billing' }, ...likely },
    [service('other', 80), elsewhere('billing-db', 'billing')],
  ),
  'a password under a name that Laravel does not read': crash(
    "SQLSTATE[HY000] [1045] Access denied for user 'shop'@'10.0.0.9' (using password: NO) (Connection: mysql, SQL: select 1)\n",
    { env: [plain('DB_USERNAME', 'shop'), fromSecret('DB_PASS', 'mysql', 'password')] },
    { culprit: /DB_PASS/, best: { [`${app}.env[1].name`]: 'DB_PASSWORD' }, ...likely },
  ),
  'a configuration for which a record of the log names the folders': crash(
    VIPER,
    { command: ['/app/ledger'], volumeMounts: [{ name: 'config', mountPath: '/app/config' }] },
    { culprit: /ledger/, best: { [`${app}.volumeMounts[0].mountPath`]: '/config' }, ...likely },
    [map('ledger', 'ledger.yaml')],
    ofMap('ledger'),
  ),
  'a property of Play without its first part': crash(
    'Oops, cannot start the server.\nplay.api.PlayException: Configuration error[\nThe application secret has not been set, and we are in prod mode. Your application is not secure.\n',
    { args: ['-Dhttp.port=9000', '-Dhttp.secret.key=$(SECRET)'], env: [fromSecret('SECRET', 'play', 'key')] },
    { culprit: /http\.secret\.key/, best: { [`${app}.args[1]`]: '-Dplay.http.secret.key=$(SECRET)' }, ...likely },
  ),
  'an option that was renamed, with its value in the next word': crash(
    "ValueError: Some specified arguments are not used by the HfArgumentParser: ['--evaluation_strategy', 'steps']\n",
    { args: ['--do_train', '--evaluation_strategy', 'steps'] },
    { culprit: /--evaluation_strategy/, best: { [`${app}.args[1]`]: '--eval_strategy' }, ...likely },
  ),
  'the port without TLS of a broker that has one with it': crash(
    HANDSHAKE,
    kafka('SSL'),
    { culprit: /KAFKA_SECURITY_PROTOCOL/, best: { [`${app}.env[0].value`]: 'kafka:9093' }, ...guess },
    [service('kafka', 9092, 9093)],
  ),
  'a broker that speaks no TLS at all': crash(
    HANDSHAKE,
    kafka('SASL_SSL'),
    { culprit: /KAFKA_SECURITY_PROTOCOL/, best: { [`${app}.env[1].value`]: 'SASL_PLAINTEXT' }, ...guess },
    [service('kafka', 9092)],
  ),
  'a configuration that is mounted in another folder than the option says': crash(
    'Exception in thread "main" java.lang.IllegalArgumentException: Neither port nor sslPort specified. Use command line options -port/-sslPort or configure connectors in application.conf\n',
    { args: ['-config=/etc/ktor/application.conf'], volumeMounts: [{ name: 'config', mountPath: '/config' }] },
    { culprit: /\/etc\/ktor\/application\.conf/, best: { [`${app}.volumeMounts[0].mountPath`]: '/etc/ktor' }, ...likely },
    [map('ktor', 'application.conf')],
    ofMap('ktor'),
  ),
  'a socket whose folder has its volume beside it': crash(
    FPM,
    {
      volumeMounts: [
        { name: 'cache', mountPath: '/var/www/cache' },
        { name: 'sock', mountPath: '/run/php-fpm' },
      ],
    },
    { culprit: /php-fpm\.sock/, best: { [`${app}.volumeMounts[1].mountPath`]: '/run/php' }, ...likely },
    [],
    {
      volumes: [
        { name: 'cache', emptyDir: {} },
        { name: 'sock', emptyDir: {} },
      ],
    },
  ),
  'a socket whose folder has no volume': crash(
    FPM,
    {},
    {
      culprit: /php-fpm\.sock/,
      best: {
        'spec.volumes': [{ name: 'writable-run-php', emptyDir: {} }],
        [`${app}.volumeMounts`]: [{ name: 'writable-run-php', mountPath: '/run/php' }],
      },
      ...likely,
    },
  ),
  'a file that Perl names in the line above': crash(
    "Can't open '/etc/rollup/rollup.yml' for input:\nNo such file or directory at /usr/src/stats/bin/rollup.pl line 37.\n",
    { ...env({ ROLLUP_CONF: '/etc/rollup/rollup.yml' }), volumeMounts: [{ name: 'config', mountPath: '/etc/rollup' }] },
    { culprit: /rollup\.yml/, best: { [`${app}.env[0].value`]: '/etc/rollup/rollup.yaml' }, ...likely },
    [map('rollup', 'rollup.yaml', 'log4perl.conf')],
    ofMap('rollup'),
  ),
  'a port with TLS without its certificate': crash(
    '1:M # No tls-cert-file configured!\n1:M # Failed to configure TLS. Check logs for more info.\n',
    { args: ['--tls-port', '6379'], volumeMounts: [{ name: 'config', mountPath: '/tls' }] },
    {
      culprit: /--tls-cert-file/,
      best: {
        [`${app}.args[2]`]: '--tls-cert-file',
        [`${app}.args[3]`]: '/tls/tls.crt',
        [`${app}.args[4]`]: '--tls-key-file',
        [`${app}.args[5]`]: '/tls/tls.key',
      },
      ...likely,
    },
    [secret('cache', 'tls.crt', 'tls.key', 'ca.crt')],
    { volumes: [{ name: 'config', secret: { secretName: 'cache' } }] },
  ),
  'a port with TLS where no volume has a certificate': crash(
    '1:M # No tls-cert-file configured!\n',
    { args: ['--tls-port', '6379'] },
    { culprit: /tls-cert-file/, best: null },
  ),
  'members of a replica set without the file by which they know each other': crash(
    "BadValue: security.keyFile is required when authorization is enabled with replica sets\ntry 'mongod --help' for more information\n",
    { args: ['--replSet', 'rs0'], volumeMounts: [{ name: 'config', mountPath: '/etc/keys' }] },
    { culprit: /--keyFile/, best: { [`${app}.args[2]`]: '--keyFile', [`${app}.args[3]`]: '/etc/keys/keyfile' }, ...likely },
    [secret('mongo', 'root-password', 'keyfile')],
    { volumes: [{ name: 'config', secret: { secretName: 'mongo', items: [{ key: 'keyfile', path: 'keyfile' }] } }] },
  ),
  'a superuser with the key of its password': crash(
    'FATAL  Error: [config validation of [elasticsearch].username]: value of "elastic" is forbidden. This is a superuser account.\n',
    { env: [plain('ELASTICSEARCH_USERNAME', 'elastic'), fromSecret('ELASTICSEARCH_PASSWORD', 'users', 'elastic')] },
    {
      culprit: /ELASTICSEARCH_USERNAME=elastic/,
      best: { [`${app}.env[0].value`]: 'kibana_system', [`${app}.env[1].valueFrom.secretKeyRef.key`]: 'kibana_system' },
      ...likely,
    },
    [secret('users', 'elastic', 'kibana_system')],
  ),
  'a network interface that no pod has': crash(
    "ip: can't find device 'eth1'\nCould not find IP for interface 'eth1', exiting\n",
    env({ CONSUL_BIND_INTERFACE: 'eth1' }),
    { culprit: /CONSUL_BIND_INTERFACE=eth1/, best: { [`${app}.env[0].value`]: 'eth0' }, ...likely },
  ),
  'a member of etcd without a name': crash(
    '{"level":"fatal","msg":"discovery failed","error":"couldn\'t find local name \\"default\\" in the initial cluster configuration"}\n',
    {
      args: ['--initial-cluster=etcd-0=http://etcd-0.etcd:2380,etcd-1=http://etcd-1.etcd:2380'],
      env: [{ name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
    },
    { culprit: /--name/, best: { [`${app}.args[1]`]: '--name=$(POD)' }, ...likely },
  ),
  'the port of another container, which the message does not say': crash(
    HTTPD,
    {},
    { culprit: /8080/, best: { [`${app}.env[0].value`]: '8081' }, ...likely },
    [],
    beside({ STATUS_PORT: '8080' }, 8080),
  ),
  'two ports of another container, of which the message says none': crash(
    HTTPD,
    {},
    { culprit: /port/, best: null },
    [],
    beside({ STATUS_PORT: '8080', OTHER_PORT: '9090' }, 8080, 9090),
  ),
  'two references to variables that come later': crash(
    'psql: error: could not translate host name "$(DB_HOST)" to address: Name or service not known\n',
    env({ DATABASE_URL: 'postgres://$(DB_USER)@$(DB_HOST):5432/shop', DB_USER: 'shop', DB_HOST: 'pg' }),
    { culprit: /DB_HOST/, best: { [`${app}.env[0].value`]: 'postgres://shop@pg:5432/shop' }, ...likely },
    [service('pg', 5432)],
  ),
};
