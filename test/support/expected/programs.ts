import type { Case, Surroundings } from '../../../src/diagnosis/case.ts';
import { aCase, aPodManifest, crashed } from '../builders/cases.ts';

/** The last lines of a program's log, and the culprit. The culprit was written down before the first diagnosis. */
export interface ProgramEnd {
  program: string;
  says: string;
  /** The expected culprit, with at most a few words around it. */
  culprit: string;
  /** A pattern for the summary, if the culprit alone could be named for a wrong reason. */
  because?: RegExp;
  container?: object;
  spec?: object;
  surroundings?: Surroundings;
  /** The first correction: the ends of its paths with their new values. */
  cure?: Record<string, unknown>;
}

const services = (...all: [name: string, port: number][]): Surroundings => ({
  services: all.map(([name, port]) => ({ name, ports: [port] })),
});
const variable = (name: string, value: string) => ({ env: [{ name, value }] });

export const PROGRAM_ENDS: readonly ProgramEnd[] = [
  {
    program: 'PostgreSQL, a library to load',
    says: '2026-01-02 10:00:00.000 UTC [1] FATAL:  could not access file "pg_stat_statments": No such file or directory\n2026-01-02 10:00:00.001 UTC [1] LOG:  database system is shut down',
    culprit: 'pg_stat_statments',
  },
  {
    program: 'PostgreSQL, a parameter',
    says: '2026-01-02 10:00:00.000 UTC [1] FATAL:  unrecognized configuration parameter "max_conections"',
    container: { args: ['-c', 'max_conections=200'] },
    culprit: 'max_conections',
    because: /does not know/,
    cure: { args: null },
  },
  {
    program: 'PostgreSQL, its file',
    says: 'postgres: could not access the server configuration file "/etc/postgresql/postgresql.conf": No such file or directory',
    culprit: '/etc/postgresql/postgresql.conf',
    because: /does not exist/,
  },
  {
    program: 'PostgreSQL, an owner',
    says: '2026-01-02 10:00:00.000 UTC [1] FATAL:  data directory "/var/lib/postgresql/data/pgdata" has wrong ownership\n2026-01-02 10:00:00.000 UTC [1] HINT:  The server must be started by the user that owns the data directory.',
    culprit: '/var/lib/postgresql/data/pgdata',
  },
  {
    program: 'PostgreSQL, its memory',
    says: "2026-01-02 10:00:00.000 UTC [1] FATAL:  could not map anonymous shared memory: Cannot allocate memory\n2026-01-02 10:00:00.000 UTC [1] HINT:  This error usually means that PostgreSQL's request for a shared memory segment exceeded available memory, swap space, or huge pages.",
    culprit: 'memory',
    because: /memory ran out/,
  },
  {
    program: 'PostgreSQL, no connection left',
    says: 'error: sorry, too many clients already',
    culprit: 'connections of the PostgreSQL server',
    because: /no connection/,
  },
  {
    program: 'PostgreSQL, a connection kept for others',
    says: 'psycopg2.OperationalError: connection to server at "db" (10.96.0.9), port 5432 failed: FATAL:  remaining connection slots are reserved for roles with the SUPERUSER attribute',
    culprit: 'connections of the PostgreSQL server',
    because: /no connection/,
  },
  {
    program: 'PostgreSQL, its lock',
    says: '2026-01-02 10:00:00.000 UTC [1] FATAL:  lock file "postmaster.pid" already exists\n2026-01-02 10:00:00.000 UTC [1] HINT:  Is another postmaster (PID 1) running in data directory "/var/lib/postgresql/data"?',
    culprit: 'postmaster.pid',
    because: /another instance/,
  },
  {
    program: 'PostgreSQL, a database',
    says: 'psql: error: connection to server at "db" (10.96.0.9), port 5432 failed: FATAL:  database "ordres" does not exist',
    culprit: 'ordres',
    because: /database has no|no database/,
  },
  {
    program: 'PostgreSQL, rights on a table',
    says: 'psycopg2.errors.InsufficientPrivilege: permission denied for table orders',
    culprit: 'table orders',
    because: /database user/,
  },
  {
    program: 'PostgreSQL, rights on a schema',
    says: 'ERROR: permission denied for schema public (SQLSTATE 42501)',
    culprit: 'schema public',
    because: /database user/,
  },
  {
    program: 'PostgreSQL, an extension',
    says: 'ERROR:  extension "postgis" is not available\nDETAIL:  Could not open extension control file "/usr/share/postgresql/16/extension/postgis.control": No such file or directory.',
    culprit: 'extension postgis',
    because: /server/,
  },
  {
    program: 'PostgreSQL, rights on an extension',
    says: 'ERROR:  permission denied to create extension "pgcrypto"\nHINT:  Must be superuser to create this extension.',
    culprit: 'extension pgcrypto',
    because: /database user/,
  },
  {
    program: 'PostgreSQL, a second migration',
    says: 'QueryFailedError: relation "users" already exists',
    culprit: 'users',
    because: /already has/,
  },
  {
    program: 'PostgreSQL, a server that starts',
    says: 'FATAL:  the database system is starting up',
    culprit: 'the PostgreSQL server is starting',
    because: /not ready/,
  },
  {
    program: 'MySQL, a variable',
    says: "2026-01-02T10:00:00.000000Z 0 [ERROR] [MY-000067] [Server] unknown variable 'inodb_buffer_pool_size=1G'.\n2026-01-02T10:00:00.000000Z 0 [ERROR] [MY-010119] [Server] Aborting",
    container: { args: ['--inodb_buffer_pool_size=1G'] },
    culprit: 'inodb_buffer_pool_size',
    cure: { args: null },
  },
  {
    program: 'MySQL, a variable that is gone',
    says: "2026-01-02T10:00:00.000000Z 0 [ERROR] [MY-000067] [Server] unknown variable 'default-authentication-plugin=mysql_native_password'.\n2026-01-02T10:00:00.000000Z 0 [ERROR] [MY-010119] [Server] Aborting",
    container: { args: ['--default-authentication-plugin=mysql_native_password', '--port=3307'] },
    culprit: 'default-authentication-plugin',
    cure: { args: ['--port=3307'] },
  },
  {
    program: 'MySQL, its folder',
    says: '2026-01-02T10:00:00.000000Z 1 [ERROR] [MY-012592] [InnoDB] Operating system error number 13 in a file operation.\n2026-01-02T10:00:00.000000Z 1 [ERROR] [MY-012595] [InnoDB] The error means mysqld does not have the access rights to the directory.',
    culprit: 'data directory',
    because: /may not access/,
  },
  {
    program: 'MySQL, an ordinary user that is root',
    says: '2026-01-02 10:00:00+00:00 [ERROR] [Entrypoint]: MYSQL_USER="root", MYSQL_USER and MYSQL_PASSWORD are for configuring a regular user and cannot be used for the root user\n    Remove MYSQL_USER="root" and use one of the following to control the root user password:\n    - MYSQL_ROOT_PASSWORD\n    - MYSQL_ALLOW_EMPTY_PASSWORD\n    - MYSQL_RANDOM_ROOT_PASSWORD',
    container: {
      env: [
        { name: 'MYSQL_USER', value: 'root' },
        { name: 'MYSQL_ROOT_PASSWORD', value: 'x' },
      ],
    },
    culprit: 'MYSQL_USER',
    cure: { 'env[0]': null },
  },
  {
    program: 'MySQL, no password',
    says: '2026-01-02 10:00:00+00:00 [ERROR] [Entrypoint]: Database is uninitialized and password option is not specified\n    You need to specify one of the following as an environment variable:\n    - MYSQL_ROOT_PASSWORD\n    - MYSQL_ALLOW_EMPTY_PASSWORD\n    - MYSQL_RANDOM_ROOT_PASSWORD',
    container: variable('MYSQL_ROOT_PASWORD', 'x'),
    culprit: 'MYSQL_ROOT_PASSWORD',
    cure: { 'env[0].name': 'MYSQL_ROOT_PASSWORD' },
  },
  {
    program: 'MySQL, its lock',
    says: '2026-01-02T10:00:00.000000Z 1 [ERROR] [MY-012574] [InnoDB] Unable to lock ./ibdata1 error: 11',
    culprit: './ibdata1',
  },
  {
    program: 'MySQL, a client that may not come',
    says: "Error: ER_HOST_NOT_PRIVILEGED: Host '10.42.0.7' is not allowed to connect to this MySQL server",
    culprit: '10.42.0.7',
    because: /MySQL/,
  },
  {
    program: 'MySQL, a way to log in',
    says: 'Error: ER_NOT_SUPPORTED_AUTH_MODE: Client does not support authentication protocol requested by server; consider upgrading MySQL client',
    culprit: 'authentication protocol',
    because: /client/,
  },
  {
    program: 'PHP, a way to log in to MySQL',
    says: 'PDOException: SQLSTATE[HY000] [2054] The server requested authentication method unknown to the client [caching_sha2_password]',
    culprit: 'caching_sha2_password',
  },
  {
    program: 'PHP, a host',
    says: 'SQLSTATE[HY000] [2002] php_network_getaddresses: getaddrinfo for mysq failed: Name or service not known',
    container: variable('DB_HOST', 'mysq'),
    surroundings: services(['mysql', 3306]),
    culprit: 'mysq',
    cure: { 'env[0].value': 'mysql' },
  },
  {
    program: 'MongoDB, an option of its file',
    says: "Unrecognized option: storage.journal.enabled\ntry 'mongod --help' for more information",
    culprit: 'storage.journal.enabled',
  },
  {
    program: 'MongoDB, a socket',
    says: '{"t":{"$date":"2026-01-02T10:00:00.000+00:00"},"s":"E",  "c":"NETWORK",  "id":23024,   "ctx":"initandlisten","msg":"Failed to unlink socket file","attr":{"path":"/tmp/mongodb-27017.sock","error":"Operation not permitted"}}\n{"t":{"$date":"2026-01-02T10:00:00.000+00:00"},"s":"F",  "c":"-",        "id":23091,   "ctx":"initandlisten","msg":"Fatal assertion","attr":{"msgid":40486,"file":"src/mongo/transport/asio/asio_transport_layer.cpp","line":1125}}\n{"t":{"$date":"2026-01-02T10:00:00.000+00:00"},"s":"F",  "c":"-",        "id":23092,   "ctx":"initandlisten","msg":"\\n\\n***aborting after fassert() failure\\n\\n"}',
    culprit: '/tmp/mongodb-27017.sock',
  },
  {
    program: 'MongoDB, no folder',
    says: '{"t":{"$date":"2026-01-02T10:00:00.000+00:00"},"s":"E",  "c":"CONTROL",  "id":20557,   "ctx":"initandlisten","msg":"DBException in initAndListen, terminating","attr":{"error":"NonExistentPath: Data directory /data/db not found. Create the missing directory or specify another path using (1) the --dbpath command line option, or (2) by adding the \'storage.dbPath\' option in the configuration file."}}',
    culprit: '/data/db',
    because: /does not exist/,
  },
  {
    program: 'MongoDB, older data',
    says: '{"t":{"$date":"2026-01-02T10:00:00.000+00:00"},"s":"F",  "c":"CONTROL",  "id":20573,   "ctx":"initandlisten","msg":"Wrong mongod version","attr":{"error":"UPGRADE PROBLEM: Found an invalid featureCompatibilityVersion document (ERROR: Location4926900: Invalid featureCompatibilityVersion document in admin.system.version: { _id: \\"featureCompatibilityVersion\\", version: \\"5.0\\" }. See https://docs.mongodb.com/master/release-notes/5.0-compatibility/#feature-compatibility.)."}}',
    culprit: 'featureCompatibilityVersion',
    because: /data/,
  },
  {
    program: 'MongoDB, a login from Python',
    says: "pymongo.errors.OperationFailure: Authentication failed., full error: {'ok': 0.0, 'errmsg': 'Authentication failed.', 'code': 18, 'codeName': 'AuthenticationFailed'}",
    culprit: 'MongoDB login',
  },
  {
    program: 'Redis, a directive',
    says: "\n*** FATAL CONFIG FILE ERROR (Redis 7.2.4) ***\nReading the configuration file, at line 3\n>>> 'maxmemory-polcy allkeys-lru'\nBad directive or wrong number of arguments",
    culprit: 'maxmemory-polcy',
  },
  {
    program: 'Redis, its file',
    says: "1:C 02 Jan 2026 10:00:00.000 # Fatal error, can't open config file '/usr/local/etc/redis/redis.conf': No such file or directory",
    culprit: '/usr/local/etc/redis/redis.conf',
    because: /does not exist/,
  },
  {
    program: 'Redis, newer data',
    says: "1:M 02 Jan 2026 10:00:00.000 # Can't handle RDB format version 12\n1:M 02 Jan 2026 10:00:00.000 # Fatal error loading the DB, check server logs. Exiting.",
    culprit: 'RDB format version 12',
    because: /newer/,
  },
  {
    program: 'Redis, broken data',
    says: '1:M 02 Jan 2026 10:00:00.000 # Bad file format reading the append only file appendonly.aof.1.incr.aof: make a backup of your AOF file, then use ./redis-check-aof --fix <filename>',
    culprit: 'appendonly.aof.1.incr.aof',
  },
  {
    program: 'Redis, its folder',
    says: "1:M 02 Jan 2026 10:00:00.000 # Can't open or create append-only dir appendonlydir: Permission denied",
    culprit: 'appendonlydir',
    because: /may not access/,
  },
  {
    program: 'Redis Sentinel, a host',
    says: "\n*** FATAL CONFIG FILE ERROR (Redis 7.2.4) ***\nReading the configuration file, at line 2\n>>> 'sentinel monitor mymaster redis-0.redis 6379 2'\nCan't resolve instance hostname.",
    culprit: 'redis-0.redis',
    because: /not known/,
  },
  {
    program: 'Redis, a login from Node',
    says: '[ioredis] Unhandled error event: ReplyError: WRONGPASS invalid username-password pair or user is disabled.',
    culprit: 'Redis login',
  },
  {
    program: 'RabbitMQ, a setting',
    says: "10:00:00.123 [error] You've tried to set defualt_user, but there is no setting with that name.\n10:00:00.123 [error]   Did you mean one of these?\n10:00:00.126 [error]     default_user\n10:00:00.126 [error] Error generating configuration in phase transform_datatypes\n10:00:00.126 [error] Conf file attempted to set unknown variable: defualt_user",
    culprit: 'defualt_user',
  },
  {
    program: 'RabbitMQ, its own host',
    says: 'ERROR: epmd error for host rabbit-0.rabbit-peers: nxdomain (non-existing domain)',
    culprit: 'rabbit-0.rabbit-peers',
  },
  {
    program: 'RabbitMQ, a login from Python',
    says: "pika.exceptions.ProbableAuthenticationError: ConnectionClosedByBroker: (403) 'ACCESS_REFUSED - Login was refused using authentication mechanism PLAIN. For details see the broker logfile.'",
    culprit: 'RabbitMQ login',
  },
  {
    program: 'RabbitMQ, a virtual host',
    says: 'Error: Handshake terminated by server: 530 (NOT-ALLOWED) with message "NOT_ALLOWED - vhost orders not found"',
    culprit: 'vhost orders',
    because: /RabbitMQ/,
  },
  {
    program: 'RabbitMQ, a queue',
    says: "amqp.exceptions.PreconditionFailed: Queue.declare: (406) PRECONDITION_FAILED - inequivalent arg 'durable' for queue 'jobs' in vhost '/': received 'true' but current is 'false'",
    culprit: 'queue jobs',
  },
  {
    program: 'Kafka, an address that nobody can reach',
    says: '[2026-01-02 10:00:00,000] ERROR Exiting Kafka due to fatal exception (kafka.Kafka$)\njava.lang.IllegalArgumentException: requirement failed: advertised.listeners cannot use the nonroutable meta-address 0.0.0.0. Use a routable IP address.\n\tat scala.Predef$.require(Predef.scala:337)',
    container: variable('KAFKA_ADVERTISED_LISTENERS', 'PLAINTEXT://0.0.0.0:9092'),
    culprit: 'advertised.listeners',
  },
  {
    program: 'Kafka, a listener',
    says: "[2026-01-02 10:00:00,000] ERROR Exiting Kafka due to fatal exception (kafka.Kafka$)\njava.lang.IllegalArgumentException: Error creating broker listeners from 'PLAINTEXT_HOST://:9092': No security protocol defined for listener PLAINTEXT_HOST\n\tat kafka.utils.CoreUtils$.validate$1(CoreUtils.scala:268)",
    culprit: 'PLAINTEXT_HOST',
  },
  {
    program: 'Kafka, a variable',
    says: '===> Configuring ...\nKAFKA_ZOOKEEPER_CONNECT is required.\nCommand [/usr/local/bin/dub ensure KAFKA_ZOOKEEPER_CONNECT] FAILED !',
    culprit: 'KAFKA_ZOOKEEPER_CONNECT',
  },
  {
    program: 'Kafka, other brokers',
    says: 'WARN org.apache.kafka.clients.ClientUtils - Couldn\'t resolve server kafak:9092 from bootstrap.servers as DNS resolution failed for kafak\nException in thread "main" org.apache.kafka.common.KafkaException: Failed to construct kafka consumer\nCaused by: org.apache.kafka.common.config.ConfigException: No resolvable bootstrap urls given in bootstrap.servers',
    container: variable('BOOTSTRAP', 'kafak:9092'),
    surroundings: services(['kafka', 9092]),
    culprit: 'kafak',
    cure: { 'env[0].value': 'kafka:9092' },
  },
  {
    program: 'Elasticsearch, a setting',
    says: 'java.lang.IllegalArgumentException: unknown setting [discovery.typ] did you mean [discovery.type]?',
    container: variable('discovery.typ', 'single-node'),
    culprit: 'discovery.typ',
    cure: { 'env[0].name': 'discovery.type' },
  },
  {
    program: 'Elasticsearch, its folder',
    says: 'java.lang.IllegalStateException: failed to obtain node locks, tried [/usr/share/elasticsearch/data]; maybe these locations are not writable or multiple nodes were started on the same data path?',
    culprit: '/usr/share/elasticsearch/data',
  },
  {
    program: 'Elasticsearch, older data',
    says: 'java.lang.IllegalStateException: cannot upgrade a node from version [6.8.0] directly to version [8.11.0], upgrade to version [7.17.0] first.',
    culprit: '6.8.0',
    because: /data/,
  },
  {
    program: 'OpenSearch, a password',
    says: 'No custom admin password found. Please provide a password via the environment variable OPENSEARCH_INITIAL_ADMIN_PASSWORD.',
    culprit: 'OPENSEARCH_INITIAL_ADMIN_PASSWORD',
  },
  {
    program: 'Kibana, an address',
    says: '[2026-01-02T10:00:00.000+00:00][FATAL][root] Reason: [config validation of [elasticsearch].hosts]: expected URI with scheme [http|https].',
    container: variable('ELASTICSEARCH_HOSTS', 'es:9200'),
    surroundings: services(['es', 9200]),
    culprit: 'es:9200',
    cure: { 'env[0].value': 'http://es:9200' },
  },
  {
    program: 'Kibana, a user',
    says: 'FATAL  Error: [config validation of [elasticsearch].username]: value of "elastic" is forbidden. This is a superuser account that cannot write to system indices that Kibana needs to function. Use a service account token instead.',
    container: variable('ELASTICSEARCH_USERNAME', 'elastic'),
    culprit: 'ELASTICSEARCH_USERNAME',
  },
  {
    program: 'Logstash, a setting',
    says: 'ERROR: Failed to load settings file from "path.settings". Aborting... path.setting=/usr/share/logstash/config, exception=ArgumentError, message=>Setting "pipeline.wrokers" doesn\'t exist. Please check if you haven\'t made a typo.',
    culprit: 'pipeline.wrokers',
  },
  {
    program: 'Vault, its memory',
    says: 'Error initializing core: Failed to lock memory: cannot allocate memory\n\nThis usually means that the mlock syscall is not available.\nVault uses mlock to prevent memory from being swapped to\ndisk.',
    culprit: 'IPC_LOCK',
    because: /swap/,
  },
  {
    program: 'Vault, its folder',
    says: 'Error initializing storage of type raft: failed to create fsm: failed to open bolt file: open /vault/data/vault.db: permission denied',
    culprit: '/vault/data/vault.db',
  },
  {
    program: 'Vault agent, a role',
    says: 'Error making API request.\n\nURL: PUT http://vault:8200/v1/auth/kubernetes/login\nCode: 400. Errors:\n\n* invalid role name "shop"',
    culprit: 'role shop',
  },
  {
    program: 'etcd, its name',
    says: '{"level":"fatal","ts":"2026-01-02T10:00:00.000Z","caller":"etcdmain/etcd.go:204","msg":"discovery failed","error":"couldn\'t find local name \\"default\\" in the initial cluster configuration","stacktrace":"go.etcd.io/etcd"}',
    culprit: 'local name "default"',
  },
  {
    program: 'etcd, a member of before',
    says: '{"level":"fatal","ts":"2026-01-02T10:00:00.000Z","caller":"etcdmain/etcd.go:204","msg":"discovery failed","error":"member 8e9e05c52164694d has already been bootstrapped"}',
    culprit: '8e9e05c52164694d',
    because: /data/,
  },
  {
    program: 'etcd, a variable beside an option',
    says: '{"level":"fatal","ts":"2026-01-02T10:00:00.000Z","caller":"flags/flag.go:85","msg":"conflicting environment variable is shadowed by corresponding command-line flag (either unset environment variable or disable flag))","environment-variable":"ETCD_NAME"}',
    container: { command: ['etcd', '--name=a'], ...variable('ETCD_NAME', 'b') },
    culprit: 'ETCD_NAME',
    cure: { env: null },
  },
  {
    program: 'Consul, an address',
    says: "==> Multiple private IPv4 addresses found. Please configure one with 'bind' and/or 'advertise'.",
    culprit: 'bind',
  },
  {
    program: 'Consul, a key',
    says: '==> failed to parse /consul/config/server.json: 1 error occurred:\n\t* invalid config key datacentre',
    culprit: 'datacentre',
  },
  {
    program: 'nginx, a place',
    says: 'nginx: [emerg] "server" directive is not allowed here in /etc/nginx/nginx.conf:1',
    culprit: '/etc/nginx/nginx.conf:1',
  },
  {
    program: 'nginx, a directive',
    says: 'nginx: [emerg] unknown directive "proxy_passs" in /etc/nginx/conf.d/default.conf:7',
    culprit: 'proxy_passs',
  },
  {
    program: 'nginx, a key of another certificate',
    says: 'nginx: [emerg] SSL_CTX_use_PrivateKey("/etc/tls/tls.key") failed (SSL: error:05800074:x509 certificate routines::key values mismatch)',
    culprit: '/etc/tls/tls.key',
    because: /does not belong|not match/,
  },
  {
    program: 'nginx, a variable',
    says: 'nginx: [emerg] unknown "api_host" variable',
    culprit: 'api_host',
  },
  {
    program: 'nginx, a user',
    says: 'nginx: [emerg] getpwnam("www-data") failed in /etc/nginx/nginx.conf:2',
    culprit: 'user www-data',
    because: /image has no user/,
  },
  {
    program: 'nginx, an owner',
    says: 'nginx: [emerg] chown("/var/cache/nginx/client_temp", 101) failed (1: Operation not permitted)',
    container: { securityContext: { capabilities: { drop: ['ALL'] } } },
    culprit: 'CHOWN',
  },
  {
    program: 'nginx, a module',
    says: 'nginx: [emerg] dlopen() "/etc/nginx/modules/ngx_http_brotli_filter_module.so" failed (/etc/nginx/modules/ngx_http_brotli_filter_module.so: cannot open shared object file: No such file or directory) in /etc/nginx/nginx.conf:1',
    culprit: 'ngx_http_brotli_filter_module.so',
  },
  {
    program: 'HAProxy, a host',
    says: "[ALERT]    (1) : config : [/usr/local/etc/haproxy/haproxy.cfg:12] : 'server web/s1' : could not resolve address 'api'.\n[ALERT]    (1) : config : Failed to initialize server(s) addr.",
    culprit: 'api',
    because: /not known/,
  },
  {
    program: 'HAProxy, its file',
    says: '[ALERT]    (1) : Cannot open configuration file/directory /usr/local/etc/haproxy/haproxy.cfg : No such file or directory',
    culprit: '/usr/local/etc/haproxy/haproxy.cfg',
  },
  {
    program: 'HAProxy, a word',
    says: "[ALERT]    (1) : config : parsing [/usr/local/etc/haproxy/haproxy.cfg:9] : unknown keyword 'blance' in 'backend' section; did you mean 'balance' maybe ?\n[ALERT]    (1) : config : Fatal errors found in configuration.",
    culprit: 'blance',
  },
  {
    program: 'HAProxy, a port',
    says: '[ALERT]    (1) : Starting frontend http: cannot bind socket (Permission denied) [0.0.0.0:80]\n[ALERT]    (1) : [haproxy.main()] Some protocols failed to start their listeners! Exiting.',
    culprit: 'port 80',
  },
  {
    program: 'Envoy, a field',
    says: "[2026-01-02 10:00:00.000][1][critical][main] [source/server/server.cc:131] error initializing configuration '/etc/envoy/envoy.yaml': Protobuf message (type envoy.config.bootstrap.v3.Bootstrap reason INVALID_ARGUMENT: invalid JSON in envoy.config.bootstrap.v3.Bootstrap @ static_resources.clusters[0]: message envoy.config.cluster.v3.Cluster, near 1:200 (offset 199): no such field: 'conect_timeout') has unknown fields\n[2026-01-02 10:00:00.000][1][info][main] [source/server/server.cc:972] exiting",
    culprit: 'conect_timeout',
  },
  {
    program: 'Traefik, an option',
    says: '2026/01/02 10:00:00 command traefik error: failed to decode configuration from flags: field not found, node: dashbord',
    container: { args: ['--api.dashbord=true', '--ping'] },
    culprit: 'dashbord',
    cure: { args: ['--ping'] },
  },
  {
    program: 'Caddy, a directive',
    says: 'Error: adapting config using caddyfile: /etc/caddy/Caddyfile:5: unrecognized directive: revers_proxy',
    culprit: 'revers_proxy',
  },
  {
    program: 'Apache, a command',
    says: "AH00526: Syntax error on line 52 of /usr/local/apache2/conf/httpd.conf:\nInvalid command 'Lisen', perhaps misspelled or defined by a module not included in the server configuration",
    culprit: 'Lisen',
  },
  {
    program: 'Apache, a port',
    says: '(13)Permission denied: AH00072: make_sock: could not bind to address 0.0.0.0:80\nno listening sockets available, shutting down\nAH00015: Unable to open logs',
    culprit: 'port 80',
  },
  { program: 'Apache, a user', says: 'AH00543: httpd: bad user name www', culprit: 'user www', because: /image has no user/ },
  {
    program: 'Apache, a module',
    says: 'httpd: Syntax error on line 66 of /usr/local/apache2/conf/httpd.conf: Cannot load modules/mod_foo.so into server: modules/mod_foo.so: cannot open shared object file: No such file or directory',
    culprit: 'mod_foo.so',
  },
  {
    program: 'Spring, a port',
    says: "***************************\nAPPLICATION FAILED TO START\n***************************\n\nDescription:\n\nWeb server failed to start. Port 8080 was already in use.\n\nAction:\n\nIdentify and stop the process that's listening on port 8080 or configure this application to listen on another port.",
    culprit: 'port 8080',
  },
  {
    program: 'Spring, a number',
    says: '***************************\nAPPLICATION FAILED TO START\n***************************\n\nDescription:\n\nFailed to bind properties under \'server.port\' to java.lang.Integer:\n\n    Property: server.port\n    Value: "80a80"\n    Origin: System Environment Property "SERVER_PORT"\n    Reason: failed to convert java.lang.String to java.lang.Integer (caused by java.lang.NumberFormatException: For input string: "80a80")\n\nAction:\n\nUpdate your application\'s configuration',
    container: variable('SERVER_PORT', '80a80'),
    culprit: 'SERVER_PORT',
  },
  {
    program: 'Spring, a bean',
    says: "***************************\nAPPLICATION FAILED TO START\n***************************\n\nDescription:\n\nParameter 0 of constructor in com.acme.OrderService required a bean of type 'com.acme.PaymentClient' that could not be found.\n\n\nAction:\n\nConsider defining a bean of type 'com.acme.PaymentClient' in your configuration.",
    culprit: 'com.acme.PaymentClient',
  },
  {
    program: 'Hikari, a login',
    says: 'com.zaxxer.hikari.pool.HikariPool$PoolInitializationException: Failed to initialize pool: FATAL: password authentication failed for user "shop"\n\tat com.zaxxer.hikari.pool.HikariPool.throwPoolInitializationException(HikariPool.java:596)',
    culprit: 'login of shop',
  },
  {
    program: 'Hikari, a port',
    says: 'com.zaxxer.hikari.pool.HikariPool - HikariPool-1 - Exception during pool initialization.\norg.postgresql.util.PSQLException: Connection to db:5433 refused. Check that the hostname and port are correct and that the postmaster is accepting TCP/IP connections.\n\tat org.postgresql.core.v3.ConnectionFactoryImpl.openConnectionImpl(ConnectionFactoryImpl.java:342)\nCaused by: java.net.ConnectException: Connection refused',
    container: variable('SPRING_DATASOURCE_URL', 'jdbc:postgresql://db:5433/shop'),
    surroundings: services(['db', 5432]),
    culprit: 'db:5433',
    cure: { 'env[0].value': 'jdbc:postgresql://db:5432/shop' },
  },
  {
    program: 'Flyway, a changed migration',
    says: 'org.flywaydb.core.api.exception.FlywayValidateException: Validate failed: Migrations have failed validation\nMigration checksum mismatch for migration version 3\n-> Applied to database : 1234\n-> Resolved locally    : 5678',
    culprit: 'migration version 3',
  },
  {
    program: 'Flyway, a schema that is not empty',
    says: 'org.flywaydb.core.api.FlywayException: Found non-empty schema(s) "public" but no schema history table. Use baseline() or set baselineOnMigrate to true to initialize the schema history table.',
    culprit: 'schema public',
    because: /migrat/,
  },
  {
    program: 'Flyway, a server',
    says: 'org.flywaydb.core.api.FlywayException: Unsupported Database: PostgreSQL 16.1',
    culprit: 'PostgreSQL 16.1',
  },
  {
    program: 'Liquibase, its lock',
    says: 'liquibase.exception.LockException: Could not acquire change log lock.  Currently locked by shop-7d9f (10.42.0.5) since 1/2/26, 10:00 AM',
    culprit: 'change log lock',
    because: /shop-7d9f/,
  },
  {
    program: 'Liquibase, a changed migration',
    says: 'liquibase.exception.ValidationFailedException: Validation Failed:\n     1 changesets check sum\n          db/changelog/001.yaml::1::ada was: 8:0123456789abcdef but is now: 8:fedcba9876543210',
    culprit: 'db/changelog/001.yaml',
  },
  {
    program: 'Quarkus, a property',
    says: 'ERROR [io.qua.run.Application] (main) Failed to start application: java.lang.RuntimeException: Failed to start quarkus\nCaused by: java.util.NoSuchElementException: SRCFG00014: The config property shop.api.url is required but it could not be found in any config source',
    culprit: 'shop.api.url',
  },
  {
    program: 'Quarkus, a number',
    says: 'java.lang.IllegalArgumentException: SRCFG00039: The config property quarkus.http.port with the config value "eighty" threw an Exception whilst being converted SRCFG00029: Expected an integer value, got "eighty"',
    container: variable('QUARKUS_HTTP_PORT', 'eighty'),
    culprit: 'QUARKUS_HTTP_PORT',
  },
  {
    program: 'Spring, a file',
    says: "org.springframework.boot.context.config.ConfigDataResourceNotFoundException: Config data resource 'file [/config/shop.yaml]' via location 'file:/config/shop.yaml' cannot be found",
    culprit: '/config/shop.yaml',
    because: /does not exist/,
  },
  {
    program: 'Java, an agent',
    says: 'Error opening zip file or JAR manifest missing : /otel/opentelemetry-javaagent.jar\nError occurred during initialization of VM\nagent library failed to init: instrument',
    container: variable('JAVA_TOOL_OPTIONS', '-javaagent:/otel/opentelemetry-javaagent.jar'),
    culprit: '/otel/opentelemetry-javaagent.jar',
    because: /does not exist/,
    cure: { env: null },
  },
  {
    program: 'Hibernate, a table',
    says: 'org.hibernate.tool.schema.spi.SchemaManagementException: Schema-validation: missing table [orders]',
    culprit: 'orders',
    because: /database has no/,
  },
  {
    program: 'Java, a keystore',
    says: 'Caused by: java.io.IOException: keystore password was incorrect\n\tat java.base/sun.security.pkcs12.PKCS12KeyStore.engineLoad(PKCS12KeyStore.java:2117)',
    culprit: 'keystore password',
  },
  {
    program: 'Keycloak, an option',
    says: "Unknown option: '--hostname-strict-https'\nPossible solutions: --hostname, --hostname-strict, --hostname-debug\nTry 'kc.sh start --help' for more information on the available options.",
    container: { args: ['start', '--hostname-strict-https=false'] },
    culprit: '--hostname-strict-https',
  },
  {
    program: 'Prisma, a variable',
    says: 'PrismaClientInitializationError: \nInvalid `prisma.user.findMany()` invocation:\n\n\nerror: Environment variable not found: DATABASE_URL.\n  -->  schema.prisma:10\n   | \n 9 |   provider = "postgresql"\n10 |   url      = env("DATABASE_URL")',
    culprit: 'DATABASE_URL',
  },
  {
    program: 'Prisma, a server',
    says: "Error: P1001: Can't reach database server at `db`:`5433`\n\nPlease make sure your database server is running at `db`:`5433`.",
    container: variable('DATABASE_URL', 'postgresql://shop:x@db:5433/shop'),
    surroundings: services(['db', 5432]),
    culprit: 'db:5433',
    cure: { 'env[0].value': 'postgresql://shop:x@db:5432/shop' },
  },
  {
    program: 'Prisma, a login',
    says: 'Error: P1000: Authentication failed against database server at `db`, the provided database credentials for `shop` are not valid.\n\nPlease make sure to provide valid database credentials for the database server at `db`.',
    culprit: 'login of shop',
  },
  {
    program: 'Prisma, a database',
    says: 'Error: P1003: Database `shop` does not exist on the database server at `db:5432`.',
    culprit: 'shop',
    because: /database has no|no database/,
  },
  {
    program: 'Prisma, a migration that failed before',
    says: 'Error: P3009\n\nmigrate found failed migrations in the target database, new migrations will not be applied. Read more about how to resolve migration issues in a production database: https://pris.ly/d/migrate-resolve\nThe `20260101000000_init` migration started at 2026-01-01 10:00:00.000000 UTC failed',
    culprit: '20260101000000_init',
  },
  {
    program: 'Prisma, a URL',
    says: 'Error: Prisma schema validation - (get-config wasm)\nError code: P1012\nerror: Error validating datasource `db`: the URL must start with the protocol `postgresql://` or `postgres://`.',
    container: variable('DATABASE_URL', 'shop:x@db:5432/shop'),
    surroundings: services(['db', 5432]),
    culprit: 'db:5432/shop',
    cure: { 'env[0].value': 'postgresql://shop:x@db:5432/shop' },
  },
  {
    program: 'Prisma, its engine',
    says: 'PrismaClientInitializationError: Prisma Client could not locate the Query Engine for runtime "linux-musl-openssl-3.0.x".',
    culprit: 'linux-musl-openssl-3.0.x',
  },
  {
    program: 'Next.js, no build',
    says: "Error: Could not find a production build in the '.next' directory. Try building your app with 'next build' before starting the production server. https://nextjs.org/docs/messages/production-start-no-build-id",
    culprit: '.next',
  },
  {
    program: 'Node, an old cipher',
    says: "Error: error:0308010C:digital envelope routines::unsupported\n    at new Hash (node:internal/crypto/hash:71:19) {\n  opensslErrorStack: [ 'error:03000086:digital envelope routines::initialization error' ],\n  code: 'ERR_OSSL_EVP_UNSUPPORTED'\n}",
    culprit: 'OpenSSL',
  },
  {
    program: 'Node, a URL',
    says: "TypeError: Invalid URL\n    at new URL (node:internal/url:797:36)\n    at Object.<anonymous> (/app/index.js:3:11) {\n  code: 'ERR_INVALID_URL',\n  input: 'api.shop'\n}",
    container: variable('API_URL', 'api.shop'),
    surroundings: services(['api', 80]),
    culprit: 'api.shop',
    because: /scheme|URL/,
  },
  {
    program: 'Node, a port',
    says: 'RangeError [ERR_SOCKET_BAD_PORT]: options.port should be >= 0 and < 65536. Received type number (80800).',
    container: variable('PORT', '80800'),
    culprit: '80800',
  },
  {
    program: 'npm, its folder',
    says: 'npm error code EACCES\nnpm error syscall mkdir\nnpm error path /.npm\nnpm error errno EACCES\nnpm error\nnpm error Your cache folder contains root-owned files, due to a bug in',
    culprit: '/.npm',
    because: /may not access/,
  },
  {
    program: 'NestJS, a setting',
    says: 'Error: Config validation error: "JWT_SECRET" is required',
    culprit: 'JWT_SECRET',
  },
  {
    program: 'NestJS, a part',
    says: '[Nest] 1  - 01/02/2026, 10:00:00 AM   ERROR [ExceptionHandler] Nest can\'t resolve dependencies of the OrdersService (?). Please make sure that the argument "PaymentsClient" at index [0] is available in the AppModule context.',
    culprit: 'PaymentsClient',
  },
  {
    program: 'Django, a setting',
    says: 'CommandError: You must set settings.ALLOWED_HOSTS if DEBUG is False.',
    culprit: 'ALLOWED_HOSTS',
  },
  {
    program: 'Django, the order of migrations',
    says: "django.db.migrations.exceptions.InconsistentMigrationHistory: Migration admin.0001_initial is applied before its dependency users.0001_initial on database 'default'.",
    culprit: 'admin.0001_initial',
  },
  {
    program: 'Gunicorn, a module',
    says: '[2026-01-02 10:00:00 +0000] [7] [ERROR] Exception in worker process\nTraceback (most recent call last):\n  File "/usr/local/lib/python3.12/site-packages/gunicorn/arbiter.py", line 609, in spawn_worker\n    worker.init_process()\nModuleNotFoundError: No module named \'shop.wsgii\'\n[2026-01-02 10:00:00 +0000] [7] [INFO] Worker exiting (pid: 7)\n[2026-01-02 10:00:00 +0000] [1] [ERROR] Worker (pid:7) exited with code 3\n[2026-01-02 10:00:00 +0000] [1] [ERROR] Shutting down: Master\n[2026-01-02 10:00:00 +0000] [1] [ERROR] Reason: Worker failed to boot.',
    culprit: 'shop.wsgii',
  },
  {
    program: 'Gunicorn, an attribute',
    says: "Failed to find attribute 'app' in 'shop'.\n[2026-01-02 10:00:00 +0000] [7] [INFO] Worker exiting (pid: 7)\n[2026-01-02 10:00:00 +0000] [1] [ERROR] Shutting down: Master\n[2026-01-02 10:00:00 +0000] [1] [ERROR] Reason: App failed to load.",
    culprit: 'shop.app',
  },
  {
    program: 'Gunicorn, a class of workers',
    says: "Error: class uri 'uvicorn.workers.UvicornWorkr' invalid or not found: \n\n[Traceback (most recent call last):\nAttributeError: module 'uvicorn.workers' has no attribute 'UvicornWorkr'. Did you mean: 'UvicornWorker'?",
    container: { args: ['-k', 'uvicorn.workers.UvicornWorkr', 'main:app'] },
    culprit: 'uvicorn.workers.UvicornWorkr',
    cure: { 'args[1]': 'uvicorn.workers.UvicornWorker' },
  },
  {
    program: 'Gunicorn, an option',
    says: 'usage: gunicorn [OPTIONS] [APP_MODULE]\ngunicorn: error: unrecognized arguments: --wokers=4',
    container: { args: ['--wokers=4', 'shop:app'] },
    culprit: '--wokers',
  },
  {
    program: 'Celery, a broker',
    says: '[2026-01-02 10:00:00,000: ERROR/MainProcess] consumer: Cannot connect to amqp://guest:**@rabbit:5673//: [Errno 111] Connection refused.\nTrying again in 2.00 seconds... (1/100)',
    container: variable('BROKER_URL', 'amqp://guest:guest@rabbit:5673//'),
    surroundings: services(['rabbit', 5672]),
    culprit: 'rabbit:5673',
    cure: { 'env[0].value': 'amqp://guest:guest@rabbit:5672//' },
  },
  {
    program: 'Celery, a module',
    says: "Usage: celery [OPTIONS] COMMAND [ARGS]...\nTry 'celery --help' for help.\n\nError: Invalid value for '-A' / '--app': \nUnable to load celery application.\nThe module shop.celry was not found.",
    container: { command: ['celery'], args: ['-A', 'shop.celry', 'worker'] },
    culprit: 'shop.celry',
  },
  {
    program: 'Alembic, a revision',
    says: "ERROR [alembic.util.messaging] Can't locate revision identified by 'ae1027a6acf'\nFAILED: Can't locate revision identified by 'ae1027a6acf'",
    culprit: 'revision ae1027a6acf',
  },
  {
    program: 'Alembic, its file',
    says: "FAILED: No config file 'alembic.ini' found, or file has no '[alembic]' section",
    culprit: 'alembic.ini',
    because: /does not exist/,
  },
  {
    program: 'Flask, no application',
    says: "Usage: flask run [OPTIONS]\nTry 'flask run --help' for help.\n\nError: Could not locate a Flask application. Use the 'flask --app' option, 'FLASK_APP' environment variable, or a 'wsgi.py' or 'app.py' file in the current directory.",
    container: variable('FLASK_AP', 'shop:app'),
    culprit: 'FLASK_APP',
    cure: { 'env[0].name': 'FLASK_APP' },
  },
  {
    program: 'Uvicorn, a number',
    says: "Usage: uvicorn [OPTIONS] APP\nTry 'uvicorn --help' for help.\n\nError: Invalid value for '--port': 'http' is not a valid integer.",
    container: { args: ['main:app', '--port', 'http'] },
    culprit: '--port',
  },
  {
    program: 'Uvicorn, an attribute',
    says: 'ERROR:    Error loading ASGI app. Attribute "ap" not found in module "main".',
    culprit: 'main.ap',
  },
  {
    program: 'Python, a setting',
    says: 'decouple.UndefinedValueError: SECRET_KEY not found. Declare it as envvar or define a default value.',
    culprit: 'SECRET_KEY',
  },
  {
    program: 'Go, a number',
    says: '2026/01/02 10:00:00 envconfig.Process: assigning SHOP_PORT to Port: converting \'80a\' to type int. details: strconv.ParseInt: parsing "80a": invalid syntax',
    container: variable('SHOP_PORT', '80a'),
    culprit: 'SHOP_PORT',
  },
  {
    program: 'Go, a value of an option',
    says: 'invalid value "many" for flag -workers: parse error\nUsage of /app:',
    container: { args: ['-workers=many'] },
    culprit: '-workers',
  },
  {
    program: 'golang-migrate, a half done migration',
    says: 'error: Dirty database version 7. Fix and force version.',
    culprit: 'version 7',
  },
  {
    program: 'golang-migrate, its folder',
    says: 'error: failed to open source, "file:///migratons": open /migratons: no such file or directory',
    culprit: '/migratons',
  },
  {
    program: 'Prometheus, a field',
    says: 'ts=2026-01-02T10:00:00.000Z caller=main.go:468 level=error msg="Error loading config (--config.file=/etc/prometheus/prometheus.yml)" file=/etc/prometheus/prometheus.yml err="parsing YAML file /etc/prometheus/prometheus.yml: yaml: unmarshal errors:\\n  line 5: field scrape_intervall not found in type config.plain"',
    culprit: 'scrape_intervall',
  },
  {
    program: 'Prometheus, its folder',
    says: 'ts=2026-01-02T10:00:00.000Z caller=query_logger.go:93 level=error component=activeQueryTracker msg="Error opening query log file" file=/prometheus/queries.active err="open /prometheus/queries.active: permission denied"\npanic: Unable to create mmap-ed active query log\n\ngoroutine 1 [running]:',
    culprit: '/prometheus/queries.active',
  },
  {
    program: 'Grafana, its folder',
    says: "GF_PATHS_DATA='/var/lib/grafana' is not writable.\nYou may have issues with file permissions, more information here: http://docs.grafana.org/installation/docker/#migrate-to-v51-or-later\nmkdir: can't create directory '/var/lib/grafana/plugins': Permission denied",
    culprit: '/var/lib/grafana',
    because: /may not access/,
  },
  {
    program: 'Grafana, its data sources',
    says: 'Error: ✗ Datasource provisioning error: datasource.yaml config is invalid. Only one datasource per organization can be marked as default',
    culprit: 'datasource.yaml',
  },
  {
    program: 'Loki, a field',
    says: 'failed parsing config: /etc/loki/local-config.yaml: yaml: unmarshal errors:\n  line 33: field shared_store not found in type compactor.Config. Use `-config.expand-env=true` flag if you want to expand environment variables in your config file',
    culprit: 'shared_store',
  },
  {
    program: 'OpenTelemetry collector, an exporter',
    says: 'Error: failed to get config: cannot unmarshal the configuration: decoding failed due to the following error(s):\n\nerror decoding \'exporters\': unknown type: "logging" for id: "logging" (valid values: [debug nop otlp otlphttp])',
    culprit: 'logging',
  },
  {
    program: 'OpenTelemetry collector, a pipeline',
    says: 'Error: invalid configuration: service::pipelines::traces: references exporter "jaeger" which is not configured',
    culprit: 'exporter jaeger',
  },
  {
    program: 'Fluent Bit, a plugin',
    says: "[2026/01/02 10:00:00] [error] [config] section 'forwrd' tried to instance a plugin name that doesn't exist\n[2026/01/02 10:00:00] [error] configuration file contains errors, aborting.",
    culprit: 'forwrd',
  },
  {
    program: 'Fluentd, a plugin',
    says: '2026-01-02 10:00:00 +0000 [error]: config error file="/fluentd/etc/fluent.conf" error_class=Fluent::ConfigError error="Unknown output plugin \'elasticsearh\'. Run \'gem search -rd fluent-plugin\' to find plugins"',
    culprit: 'elasticsearh',
  },
  {
    program: 'CoreDNS, a directive',
    says: "/etc/coredns/Corefile:5 - Error during parsing: Unknown directive 'fowrard'",
    culprit: 'fowrard',
  },
  {
    program: 'A controller, a kind',
    says: '{"level":"error","ts":"2026-01-02T10:00:00Z","logger":"setup","msg":"problem running manager","error":"no matches for kind \\"Widget\\" in version \\"acme.io/v1\\""}',
    culprit: 'Widget',
  },
  {
    program: 'Bundler, gems',
    says: 'Could not find rails-7.1.2, pg-1.5.4 in locally installed gems (Bundler::GemNotFound)',
    culprit: 'rails-7.1.2',
  },
  {
    program: 'Bundler, a program',
    says: 'bundler: command not found: puma\nInstall missing gem executables with `bundle install`',
    culprit: 'puma',
  },
  {
    program: 'Bundler, its Ruby',
    says: 'Your Ruby version is 3.1.0, but your Gemfile specified 3.2.2 (Bundler::RubyVersionMismatch)',
    culprit: 'Ruby 3.2.2',
  },
  {
    program: 'Rails, a database',
    says: 'ActiveRecord::NoDatabaseError: We could not find your database: shop_production. Available database configurations can be found in config/database.yml.',
    culprit: 'shop_production',
    because: /database has no|no database/,
  },
  {
    program: 'Rails, a secret',
    says: "ArgumentError: Missing `secret_key_base` for 'production' environment, set this string with `bin/rails credentials:edit`",
    culprit: 'SECRET_KEY_BASE',
  },
  {
    program: 'Rails, its master key',
    says: "ActiveSupport::EncryptedFile::MissingKeyError: Missing encryption key to decrypt file with. Ask your team for your master key and write it to /app/config/master.key or put it in the ENV['RAILS_MASTER_KEY'].",
    culprit: 'RAILS_MASTER_KEY',
  },
  {
    program: 'Rails, its process file',
    says: '=> Booting Puma\nA server is already running (pid: 1, file: /app/tmp/pids/server.pid).\nExiting',
    culprit: '/app/tmp/pids/server.pid',
    because: /another instance/,
  },
  {
    program: 'Sidekiq, its Redis',
    says: 'Error connecting to Redis on redis:6380 (Errno::ECONNREFUSED) (Redis::CannotConnectError)',
    container: variable('REDIS_URL', 'redis://redis:6380/0'),
    surroundings: services(['redis', 6379]),
    culprit: 'redis:6380',
    cure: { 'env[0].value': 'redis://redis:6379/0' },
  },
  {
    program: 'PHP-FPM, a user',
    says: "[02-Jan-2026 10:00:00] ERROR: [pool www] cannot get uid for user 'wwwdata'\n[02-Jan-2026 10:00:00] ERROR: FPM initialization failed",
    culprit: 'user wwwdata',
    because: /image has no user/,
  },
  {
    program: 'PHP-FPM, a socket',
    says: "[02-Jan-2026 10:00:00] ERROR: unable to bind listening socket for address '/run/php/php-fpm.sock': No such file or directory (2)\n[02-Jan-2026 10:00:00] ERROR: FPM initialization failed",
    culprit: '/run/php/php-fpm.sock',
  },
  {
    program: 'PHP-FPM, an entry',
    says: "[02-Jan-2026 10:00:00] ERROR: [/usr/local/etc/php-fpm.d/zz.conf:3] unknown entry 'pm.max_childs'\n[02-Jan-2026 10:00:00] ERROR: failed to load configuration file '/usr/local/etc/php-fpm.conf'\n[02-Jan-2026 10:00:00] ERROR: FPM initialization failed",
    culprit: 'pm.max_childs',
  },
  {
    program: 'Laravel, its log',
    says: 'PHP Fatal error:  Uncaught UnexpectedValueException: The stream or file "/var/www/storage/logs/laravel.log" could not be opened in append mode: Failed to open stream: Permission denied',
    culprit: '/var/www/storage/logs/laravel.log',
    because: /may not access/,
  },
  {
    program: 'Laravel, a key of another length',
    says: 'RuntimeException: Unsupported cipher or incorrect key length. Supported ciphers are: aes-128-cbc, aes-256-cbc, aes-128-gcm, aes-256-gcm.',
    container: variable('APP_KEY', 'abc'),
    culprit: 'APP_KEY',
  },
  {
    program: 'Laravel, its cache',
    says: 'In PackageManifest.php line 179:\n\n  The /var/www/bootstrap/cache directory must be present and writable.',
    culprit: '/var/www/bootstrap/cache',
  },
  {
    program: 'Rust, a setting',
    says: 'Error: missing value for field database_url',
    container: variable('DATABASE_URI', 'postgres://db/shop'),
    culprit: 'database_url',
  },
  {
    program: 'Rust, a changed migration',
    says: 'Error: migration 20260101000000 was previously applied but has been modified',
    culprit: 'migration 20260101000000',
  },
  {
    program: '.NET, no connection string',
    says: 'Unhandled exception. System.InvalidOperationException: The ConnectionString property has not been initialized.\n   at Npgsql.ThrowHelper.ThrowInvalidOperationException(String message)',
    culprit: 'ConnectionString',
  },
  {
    program: '.NET, a connection string',
    says: 'Unhandled exception. System.ArgumentException: Format of the initialization string does not conform to specification starting at index 0.\n   at System.Data.Common.DbConnectionOptions.GetKeyValuePair(String connectionString)',
    container: variable('ConnectionStrings__Shop', 'postgres'),
    culprit: 'connection string',
  },
  {
    program: '.NET, a port',
    says: 'crit: Microsoft.AspNetCore.Hosting.Diagnostics[6]\n      Application startup exception\n      System.Net.Sockets.SocketException (13): Permission denied\nUnhandled exception. System.IO.IOException: Failed to bind to address http://[::]:80: permission denied.',
    culprit: 'port 80',
  },
  {
    program: '.NET, its framework',
    says: "You must install or update .NET to run this application.\n\nApp: /app/Shop.dll\nArchitecture: x64\nFramework: 'Microsoft.AspNetCore.App', version '8.0.0' (x64)\n.NET location: /usr/share/dotnet",
    culprit: 'Microsoft.AspNetCore.App',
  },
  {
    program: '.NET, a program',
    says: "The command could not be loaded, possibly because:\n  * You intended to execute a .NET application:\n      The application 'Shopp.dll' does not exist.\n  * You intended to execute a .NET SDK command:\n      No .NET SDKs were found.",
    container: { command: ['dotnet', 'Shopp.dll'] },
    culprit: 'Shopp.dll',
  },
  {
    program: '.NET, a certificate',
    says: 'Unhandled exception. System.InvalidOperationException: Unable to configure HTTPS endpoint. No server certificate was specified, and the default developer certificate could not be found or is out of date.',
    container: variable('ASPNETCORE_URLS', 'https://+:8443'),
    culprit: 'certificate',
  },
  {
    program: 'SQL Server, a login',
    says: "Unhandled exception. Microsoft.Data.SqlClient.SqlException (0x80131904): Login failed for user 'app'.",
    culprit: 'login of app',
  },
  {
    program: 'SQL Server, a database',
    says: 'Unhandled exception. Microsoft.Data.SqlClient.SqlException (0x80131904): Cannot open database "shop" requested by the login. The login failed.\nLogin failed for user \'app\'.',
    culprit: 'shop',
    because: /database/,
  },
  {
    program: '.NET, a part',
    says: "Unhandled exception. System.InvalidOperationException: Unable to resolve service for type 'Shop.IPay' while attempting to activate 'Shop.Orders'.",
    culprit: 'Shop.IPay',
  },
  {
    program: 'AWS, a right',
    says: 'botocore.exceptions.ClientError: An error occurred (AccessDenied) when calling the GetObject operation: Access Denied',
    culprit: 'GetObject',
    because: /credentials|rights/,
  },
  {
    program: 'AWS, a bucket',
    says: 'fatal error: An error occurred (NoSuchBucket) when calling the ListObjectsV2 operation: The specified bucket does not exist',
    culprit: 'bucket',
    because: /bucket/,
  },
  {
    program: 'git, a branch',
    says: "Cloning into '/git/repo'...\nwarning: Could not find remote branch mian to clone.\nfatal: Remote branch mian not found in upstream origin",
    culprit: 'branch mian',
  },
  {
    program: 'git, a repository',
    says: "Cloning into '/git/repo'...\nremote: Repository not found.\nfatal: repository 'https://github.com/acme/shp.git/' not found",
    culprit: 'https://github.com/acme/shp.git/',
  },
  {
    program: 'git, a login',
    says: "Cloning into '/git/repo'...\nfatal: could not read Username for 'https://github.com': terminal prompts disabled",
    culprit: 'https://github.com',
    because: /login|credentials/,
  },
  {
    program: 'ssh, a host',
    says: 'Host key verification failed.\nfatal: Could not read from remote repository.',
    culprit: 'host key',
  },
  {
    program: 'git-sync, an option',
    says: 'ERROR: required flag: --repo must be specified',
    culprit: '--repo',
  },
  {
    program: 'Supervisor, a user',
    says: "Error: Invalid user name www in section 'program:web' (file: '/etc/supervisor/conf.d/web.conf')\nFor help, use /usr/bin/supervisord -h",
    culprit: 'user www',
    because: /image has no user/,
  },
  {
    program: 'tini, a program',
    says: '[FATAL tini (7)] exec /app/run failed: No such file or directory',
    container: { command: ['/app/run'] },
    culprit: '/app/run',
  },
  {
    program: 'dumb-init, a program',
    says: '[dumb-init] gunicorn: No such file or directory',
    culprit: 'gunicorn',
    because: /not in the image/,
  },
  {
    program: 'gosu, a user',
    says: 'error: failed switching to "app": unable to find user app: no matching entries in passwd file',
    culprit: 'user app',
    because: /image has no user/,
  },
  {
    program: 'gosu, a right',
    says: 'error: failed switching to "redis": operation not permitted',
    container: { securityContext: { capabilities: { drop: ['ALL'] } } },
    culprit: 'SETUID',
  },
  {
    program: 'Go, a key of another certificate',
    says: '2026/01/02 10:00:00 tls: private key does not match public key',
    culprit: 'private key',
  },
  {
    program: 'Go, no certificate in a file',
    says: '2026/01/02 10:00:00 tls: failed to find any PEM data in certificate input',
    culprit: 'certificate',
  },
  {
    program: 'wait-for-it',
    says: 'wait-for-it.sh: waiting 15 seconds for db:5433\nwait-for-it.sh: timeout occurred after waiting 15 seconds for db:5433',
    container: { args: ['db:5433', '--', 'serve'] },
    surroundings: services(['db', 5432]),
    culprit: 'db:5433',
    cure: { 'args[0]': 'db:5432' },
  },
  {
    program: 'dockerize',
    says: '2026/01/02 10:00:00 Timeout after 10s waiting on dependencies to become available: [tcp://db:5433]',
    container: { args: ['-wait', 'tcp://db:5433', 'serve'] },
    surroundings: services(['db', 5432]),
    culprit: 'db:5433',
    cure: { 'args[1]': 'tcp://db:5432' },
  },
  {
    program: 'MinIO, a password',
    says: 'FATAL Unable to validate credentials inherited from the shell environment: Access key length should be at least 3, and secret key length at least 8 characters',
    container: {
      env: [
        { name: 'MINIO_ROOT_USER', value: 'admin' },
        { name: 'MINIO_ROOT_PASSWORD', value: 'short' },
      ],
    },
    culprit: 'MINIO_ROOT_PASSWORD',
  },
  {
    program: 'ZooKeeper, its number',
    says: 'ERROR [main:QuorumPeerMain@99] - Invalid config, exiting abnormally\norg.apache.zookeeper.server.quorum.QuorumPeerConfig$ConfigException: Error processing /conf/zoo.cfg\nCaused by: java.lang.IllegalArgumentException: myid file is missing',
    culprit: 'myid',
  },
  {
    program: 'Airflow, no tables',
    says: 'ERROR: You need to initialize the database. Please run `airflow db init`. Make sure the command is run using Airflow version 2.8.0.',
    culprit: 'airflow db init',
  },
  {
    program: 'Elixir, a host',
    says: '10:00:00.000 [error] Postgrex.Protocol (#PID<0.310.0>) failed to connect: ** (DBConnection.ConnectionError) tcp connect (dbb:5432): non-existing domain - :nxdomain\nKernel pid terminated (application_controller) ("{application_start_failure,shop,{...}}")',
    container: variable('DB_HOST', 'dbb'),
    surroundings: services(['db', 5432]),
    culprit: 'dbb',
    cure: { 'env[0].value': 'db' },
  },
  {
    program: 'Deno, a right',
    says: 'error: Uncaught (in promise) NotCapable: Requires env access to "PORT", run again with the --allow-env flag',
    container: { command: ['deno', 'run', 'main.ts'] },
    culprit: '--allow-env',
  },
  {
    program: 'Deno, a module',
    says: 'error: Module not found "file:///app/mian.ts".',
    culprit: '/app/mian.ts',
  },
];

/** The pod of which a log is the end. */
export function caseOfProgram({ says, container, spec, surroundings = {} }: ProgramEnd): Case {
  const logs = `==> app (previous) <==\nstarting\n${says}\n`;
  return aCase({ status: crashed(), logs, manifest: aPodManifest(container, spec), surroundings });
}
