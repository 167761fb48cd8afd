import type { CureRow } from './cure.ts';
import { app, crash, env, fromSecret, guess, likely, map, plain, secret, service, settings } from './rows.ts';

const drops = { securityContext: { capabilities: { drop: ['ALL'] } } };
const airflow = { AIRFLOW__CORE__EXECUTOR: 'LocalExecutor', AIRFLOW__CORE__LOAD_EXAMPLES: 'False' };

/** How well-known images take their settings, and what they say where these are wrong; then near misses. */
export const SETTINGS_OF_IMAGES: Record<string, CureRow> = {
  'settings that an image makes of the variables of its own Service': crash(
    'Warning: Folder mounted to "/data" is not writable from inside container. Changing folder owner to neo4j.\nFailed to read config /conf/neo4j.conf: Unrecognized setting. No declared setting with name: PORT.7687.TCP.PROTO. Cleanup the config\n',
    env({ NEO4J_server_memory_heap_max__size: '1G' }),
    { culprit: /enableServiceLinks/, best: { 'spec.enableServiceLinks': false }, ...likely },
    [service('neo4j', 7474, 7687)],
  ),
  'a section of Airflow with single underscores only': crash(
    'airflow.exceptions.AirflowConfigException: error: cannot use SQLite with the LocalExecutor\n',
    env({ ...airflow, AIRFLOW_DATABASE_SQL_ALCHEMY_CONN: 'postgresql://airflow@pg:5432/airflow' }),
    {
      culprit: /AIRFLOW_DATABASE_SQL_ALCHEMY_CONN/,
      best: { [`${app}.env[2].name`]: 'AIRFLOW__DATABASE__SQL_ALCHEMY_CONN' },
      ...likely,
    },
    [service('pg', 5432)],
  ),
  'a switch of .NET that is there with another value': crash(
    "Process terminated. Couldn't find a valid ICU package installed on the system. Please install libicu.\n",
    env({ DOTNET_SYSTEM_GLOBALIZATION_INVARIANT: 'false', DOTNET_gcServer: '1' }),
    { culprit: /ICU/, best: { [`${app}.env[0].value`]: '1' }, ...likely },
  ),
  'a fatal line behind one about something that was made': crash(
    'Created missing unique system ID                    system_id=r_TgvGIgQnfCzJ\nFATAL: Runner configuration other than name and executor configuration is reserved (specifically --locked, --tag-list, and --maintenance-note) and cannot be specified when registering with a runner authentication token.\n',
    env({ CI_SERVER_URL: 'https://gitlab.example.org/', RUNNER_TAG_LIST: 'k8s,linux' }),
    { culprit: /reserved/, best: { [`${app}.env[1]`]: null } },
  ),
  'a driver of another name, of which a list shows the right one': crash(
    "TEMPORAL_ADDRESS is not set, setting it to 10.42.0.31:7233\nUnsupported driver specified: 'DB=postgresql'. Valid drivers are: mysql8, postgres12, postgres12_pgx, cassandra.\n",
    env({ DB: 'postgresql', DB_PORT: '5432' }),
    { culprit: /DB=postgresql/, best: { [`${app}.env[0].value`]: 'postgres12' }, ...likely },
  ),
  'the only token, under the name of the program': crash(
    'the environment variable TUNNEL_TOKEN is not set\n',
    { env: [fromSecret('CLOUDFLARED_TOKEN', 'tunnel', 'credentials'), plain('TUNNEL_LOGLEVEL', 'info')] },
    { culprit: /TUNNEL_TOKEN/, best: { [`${app}.env[0].name`]: 'TUNNEL_TOKEN' }, ...guess },
    [secret('tunnel', 'credentials')],
  ),
  'keys that a program lists, in a Secret that nobody uses': crash(
    'bundler: failed to load command: puma (/usr/local/bundle/bin/puma)\nMastodon now requires that these variables are set:\n\n  - ENCRYPTION_DETERMINISTIC_KEY\n  - ENCRYPTION_PRIMARY_KEY\n\nRun `bin/rails db:encryption:init`.\n',
    env({ RAILS_ENV: 'production' }),
    {
      culprit: /ENCRYPTION_DETERMINISTIC_KEY/,
      best: {
        [`${app}.env[1]`]: fromSecret('ENCRYPTION_DETERMINISTIC_KEY', 'encryption', 'ENCRYPTION_DETERMINISTIC_KEY'),
        [`${app}.env[2]`]: fromSecret('ENCRYPTION_PRIMARY_KEY', 'encryption', 'ENCRYPTION_PRIMARY_KEY'),
      },
      ...likely,
    },
    [secret('encryption', 'ENCRYPTION_DETERMINISTIC_KEY', 'ENCRYPTION_PRIMARY_KEY')],
  ),
  'a variable that an option repeats and others refer to': crash(
    '{"level":"fatal","msg":"conflicting environment variable is shadowed by corresponding command-line flag (either unset environment variable or disable flag))","environment-variable":"ETCD_NAME"}\n',
    { args: ['--name=$(ETCD_NAME)', '--advertise-client-urls=http://$(ETCD_NAME).etcd:2379'], env: [plain('ETCD_NAME', 'etcd-0')] },
    { culprit: /ETCD_NAME/, best: { [`${app}.args`]: ['--advertise-client-urls=http://$(ETCD_NAME).etcd:2379'] }, ...likely },
  ),
  'a program whose file carries a capability': crash(
    'exec /usr/bin/caddy: operation not permitted\n',
    { command: ['/usr/bin/caddy'], ...drops },
    { culprit: /capabilities of \/usr\/bin\/caddy/, best: { [`${app}.securityContext.capabilities.add`]: ['NET_BIND_SERVICE'] }, ...guess },
  ),
  'workers that fill the shared memory': crash(
    'ERROR: Unexpected bus error encountered in worker. This might be caused by insufficient shared memory (shm).\n',
    { args: ['--workers=16'] },
    {
      culprit: /\/dev\/shm/,
      best: {
        'spec.volumes': [{ name: 'shared-memory', emptyDir: { medium: 'Memory', sizeLimit: '256Mi' } }],
        [`${app}.volumeMounts`]: [{ name: 'shared-memory', mountPath: '/dev/shm' }],
      },
      ...guess,
    },
  ),
  'a host under a name that the image does not read': crash(
    'Database connection failure: could not translate host name "db" to address: Name or service not known\n',
    { image: 'odoo:17.0', env: [plain('DB_HOST', 'odoo-postgres'), plain('USER', 'odoo')] },
    { culprit: /DB_HOST/, best: { [`${app}.env[0].name`]: 'HOST' }, ...likely },
    [service('odoo-postgres', 5432)],
  ),
  'data of another data centre': crash(
    "org.apache.cassandra.exceptions.StartupException: Cannot start node if snitch's data center (dc1) differs from previous data center (fra1). Please fix the snitch configuration.\n",
    env({ CASSANDRA_RACK: 'rack1', CASSANDRA_DC: 'dc1' }),
    { culprit: /CASSANDRA_DC=dc1/, best: { [`${app}.env[1].value`]: 'fra1' }, ...likely },
  ),
  'a file with settings in another format': crash(
    '[error] [/src/fluent-bit/src/config_format/flb_cf_fluentbit.c:456 errno=2] No such file or directory\n[error] file=/fluent-bit/etc/fluent-bit.conf\n',
    { args: ['--config=/fluent-bit/etc/fluent-bit.conf'], volumeMounts: [{ name: 'config', mountPath: '/fluent-bit/etc' }] },
    { culprit: /\/fluent-bit\/etc\/fluent-bit\.conf/, best: { [`${app}.args[0]`]: '--config=/fluent-bit/etc/fluent-bit.yaml' }, ...likely },
    [map('fluent-bit', 'fluent-bit.yaml', 'parsers.conf')],
    { volumes: [{ name: 'config', configMap: { name: 'fluent-bit' } }] },
  ),
  'an application under the name that the mounted module shows': crash(
    "Failed to find attribute 'app' in 'inventory'.\n[1] [ERROR] Reason: App failed to load.\n",
    { args: ['gunicorn', 'inventory:app'], volumeMounts: [{ name: 'code', mountPath: '/srv' }] },
    { culprit: /inventory/, best: { [`${app}.args[1]`]: 'inventory:api' }, ...likely },
    [settings('code', { 'inventory.py': 'from flask import Flask\n\napi = Flask(__name__)\n' })],
    { volumes: [{ name: 'code', configMap: { name: 'code' } }] },
  ),
  'a variable that is gone, behind others that the container does not have': crash(
    'error: RABBITMQ_SSL_CERTFILE is set but deprecated\nerror: RABBITMQ_VM_MEMORY_HIGH_WATERMARK is set but deprecated\nerror: deprecated environment variables detected\n',
    env({ RABBITMQ_DEFAULT_USER: 'x', RABBITMQ_VM_MEMORY_HIGH_WATERMARK: '0.8' }),
    { culprit: /RABBITMQ_VM_MEMORY_HIGH_WATERMARK/, best: { [`${app}.env[1]`]: null }, ...likely },
  ),
  'the only node of CockroachDB': crash(
    "ERROR: no --join flags provided to 'cockroach start'\nHINT: Consider using 'cockroach init' or 'cockroach start-single-node' instead\n",
    { command: ['/cockroach/cockroach'], args: ['start', '--insecure'] },
    { culprit: /--join/, best: { [`${app}.args[0]`]: 'start-single-node' }, ...likely },
  ),
  'a name server that asks itself': crash(
    '[FATAL] plugin/loop: Loop (10.244.1.7:41254 -> :53) detected for zone ".", see https://coredns.io/plugins/loop#troubleshooting.\n',
    { args: ['-conf', '/etc/coredns/Corefile'] },
    { culprit: /dnsPolicy/, best: { 'spec.dnsPolicy': 'Default' }, ...likely },
    [],
    { dnsPolicy: 'ClusterFirst' },
  ),
  'a provider of Traefik with a slip': crash(
    'command traefik error: failed to decode configuration from flags: field not found, node: kubernetesingres\n',
    { args: ['--providers.kubernetesingres', '--providers.kubernetescrd', '--ping=true'] },
    { culprit: /kubernetesingres/, best: { [`${app}.args[0]`]: '--providers.kubernetesingress' }, ...likely },
  ),
  'the name of a server for a scheme': crash(
    'In TransportFactory.php line 63:\n                                                  \n  No transport supports the given Messenger DSN.  \n                                                  \n\nmessenger:consume [-l|--limit LIMIT]\n',
    env({ APP_ENV: 'prod', MESSENGER_TRANSPORT_DSN: 'rabbitmq://shop:x@rabbitmq:5672/%2f/messages' }),
    { culprit: /MESSENGER_TRANSPORT_DSN/, best: { [`${app}.env[1].value`]: 'amqp://shop:x@rabbitmq:5672/%2f/messages' }, ...likely },
  ),
  'a URL without its scheme, in the only setting that is called so': crash(
    'IncorrectUsageError: URL in config must be provided with protocol, eg. "http://my-ghost-blog.com"\n',
    env({ NODE_ENV: 'production', url: 'blog.example.org' }),
    { culprit: /blog\.example\.org/, best: { [`${app}.env[1].value`]: /^https?:\/\/blog\.example\.org$/ } },
  ),
  'SQL Server that may not write to its claim': crash(
    'This container is running as user mssql.\n/opt/mssql/bin/sqlservr: Error: The system directory [/.system] could not be created. File: LinuxDirectory.cpp:420 [Status: 0xC0000022 Access Denied errno = 0xD(13) Permission denied]\n',
    { image: 'mcr.microsoft.com/mssql/server:2022-latest', volumeMounts: [{ name: 'data', mountPath: '/var/opt/mssql' }] },
    { culprit: /\/var\/opt\/mssql/, best: { 'spec.securityContext.fsGroup': 10001 }, ...likely },
    [],
    { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'sql-data' } }] },
  ),
  'a domain without its protocol, below a headline': crash(
    "Error loading config:\n  DOMAIN variable needs to contain the protocol (http, https). Use 'http[s]://bw.example.com' instead of 'bw.example.com'\n",
    { image: 'vaultwarden/server:1.30.5', ...env({ DOMAIN: 'vault.example.net', ROCKET_PORT: '8080' }) },
    { culprit: /vault\.example\.net/, best: { [`${app}.env[0].value`]: 'https://vault.example.net' } },
  ),
  'a device of the node in a container that is not privileged': crash(
    "Error: Error while opening serialport 'Error: Error: Operation not permitted, cannot open /dev/ttyUSB0'\n",
    { volumeMounts: [{ name: 'stick', mountPath: '/dev/ttyUSB0' }] },
    { culprit: /\/dev\/ttyUSB0/, best: { [`${app}.securityContext.privileged`]: true }, ...guess },
    [],
    { volumes: [{ name: 'stick', hostPath: { path: '/dev/ttyUSB0', type: 'CharDevice' } }] },
  ),
  'the token of external-dns under the name of the provider': crash(
    'time="2026-11-27T16:10:22Z" level=fatal msg="failed to initialize cloudflare provider: invalid credentials: key & email must not be empty"\n',
    { args: ['--source=ingress', '--provider=cloudflare'], env: [fromSecret('CLOUDFLARE_API_TOKEN', 'cloudflare', 'api-token')] },
    { culprit: /CLOUDFLARE_API_TOKEN/, best: { [`${app}.env[0].name`]: 'CF_API_TOKEN' }, ...likely },
    [secret('cloudflare', 'api-token')],
  ),
  // Near misses.
  'a device of the node that a privileged container may not open either': crash(
    "Error: Error while opening serialport 'Error: Error: Operation not permitted, cannot open /dev/ttyUSB0'\n",
    { volumeMounts: [{ name: 'stick', mountPath: '/dev/ttyUSB0' }], securityContext: { privileged: true } },
    { culprit: /\/dev\/ttyUSB0/, best: null },
    [],
    { volumes: [{ name: 'stick', hostPath: { path: '/dev/ttyUSB0', type: 'CharDevice' } }] },
  ),
  'a variable beside sections, to which another one refers': crash(
    'airflow.exceptions.AirflowConfigException: error: cannot use SQLite with the LocalExecutor\n',
    env({ AIRFLOW_DB_PASSWORD: 'x', ...airflow, AIRFLOW__DATABASE__SQL_ALCHEMY_CONN: 'sqlite://$(AIRFLOW_DB_PASSWORD)' }),
    { culprit: /SQLite/, best: null },
  ),
  'two tokens': crash(
    'the environment variable TUNNEL_TOKEN is not set\n',
    { env: [fromSecret('CLOUDFLARED_TOKEN', 'tunnel', 'credentials'), fromSecret('API_TOKEN', 'tunnel', 'api')] },
    { culprit: /TUNNEL_TOKEN/, best: null },
    [secret('tunnel', 'credentials', 'api')],
  ),
  'an image of somebody else with a host that there is not': crash(
    'could not translate host name "db" to address: Name or service not known\n',
    { image: 'registry.example.org/shop:1.0', env: [plain('DB_HOST', 'shop-postgres')] },
    { culprit: /db/, best: null },
    [service('shop-postgres', 80)],
  ),
  'a program that may not start, in a container that drops nothing': crash(
    'exec /usr/bin/caddy: operation not permitted\n',
    { command: ['/usr/bin/caddy'] },
    { culprit: /\/usr\/bin\/caddy/, best: null },
  ),
};
