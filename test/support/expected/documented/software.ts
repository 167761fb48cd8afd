import { type Documented, loops, one } from './documented.ts';

// What well-known software writes before it ends. Written by people who run it, before anybody asked a rule about it.

type Told = [log: string, culprit: RegExp, exitCode?: number];

const lines = (count: number, line: (at: number) => string): string => Array.from({ length: count }, (_, at) => line(at)).join('\n');

const LOGS: Record<string, Told> = {
  'Spring Boot without a data source': [
    "\n***************************\nAPPLICATION FAILED TO START\n***************************\n\nDescription:\n\nFailed to configure a DataSource: 'url' attribute is not specified and no embedded datasource could be configured.\n\nReason: Failed to determine a suitable driver class\n\n\nAction:\n\nConsider the following:\n\tIf you want an embedded database (H2, HSQL or Derby), please put it on the classpath.\n",
    /DataSource|driver class/,
  ],
  'Spring Boot, its log as JSON, without its database': [
    '{"@timestamp":"2025-05-01T10:00:00.000Z","@version":"1","message":"Starting OrdersApplication using Java 21.0.2","logger_name":"com.acme.OrdersApplication","thread_name":"main","level":"INFO","level_value":20000}\n{"@timestamp":"2025-05-01T10:00:31.000Z","@version":"1","message":"HikariPool-1 - Exception during pool initialization.","logger_name":"com.zaxxer.hikari.pool.HikariPool","thread_name":"main","level":"ERROR","level_value":40000,"stack_trace":"org.postgresql.util.PSQLException: Connection to orders-db:5432 refused. Check that the hostname and port are correct and that the postmaster is accepting TCP/IP connections.\\n\\tat org.postgresql.core.v3.ConnectionFactoryImpl.openConnectionImpl(ConnectionFactoryImpl.java:352)\\n"}\n{"@timestamp":"2025-05-01T10:00:32.000Z","@version":"1","message":"Application run failed","logger_name":"org.springframework.boot.SpringApplication","thread_name":"main","level":"ERROR","level_value":40000}\n',
    /orders-db:5432/,
  ],
  'Flyway, a migration that was edited': [
    "2025-05-01 10:00:02.123 ERROR 1 --- [main] o.s.boot.SpringApplication : Application run failed\n\norg.springframework.beans.factory.BeanCreationException: Error creating bean with name 'flywayInitializer': Validate failed: Migrations have failed validation\nMigration checksum mismatch for migration version 3\n-> Applied to database : 1028374\n-> Resolved locally    : -7362514\nEither revert the changes to the migration, or run repair to update the schema history.\n",
    /version 3|failed validation/,
  ],
  'Spring Boot, a bean that nobody makes': [
    "APPLICATION FAILED TO START\n***************************\n\nDescription:\n\nParameter 0 of constructor in com.acme.OrderService required a bean of type 'com.acme.PaymentGateway' that could not be found.\n\n\nAction:\n\nConsider defining a bean of type 'com.acme.PaymentGateway' in your configuration.\n",
    /PaymentGateway/,
  ],
  'Django, a role that the database does not know': [
    'Traceback (most recent call last):\n  File "/usr/local/lib/python3.12/site-packages/django/db/backends/base/base.py", line 275, in ensure_connection\n    self.connect()\npsycopg.OperationalError: connection failed: connection to server at "10.1.1.1", port 5432 failed: FATAL:  role "shopuser" does not exist\n\nThe above exception was the direct cause of the following exception:\n\nTraceback (most recent call last):\n  File "/app/manage.py", line 22, in <module>\n    main()\ndjango.db.utils.OperationalError: connection failed: connection to server at "10.1.1.1", port 5432 failed: FATAL:  role "shopuser" does not exist\n',
    /shopuser/,
  ],
  'Rails, migrations to be run': [
    'Puma starting in single mode...\n* Puma version: 6.4.2 (ruby 3.3.0-p0) ("The Eagle of Durin")\n! Unable to load application: ActiveRecord::PendingMigrationError: \n\nMigrations are pending. To resolve this issue, run:\n\n        bin/rails db:migrate\n\nYou have 2 pending migrations:\n\n20250412101010_add_orders.rb\n',
    /pending/i,
  ],
  'Rails without its secret': [
    "bundler: failed to load command: puma (/usr/local/bundle/bin/puma)\n/usr/local/bundle/gems/railties-7.1.3/lib/rails/application.rb:642:in `validate_secret_key_base': Missing `secret_key_base` for 'production' environment, set this string with `bin/rails credentials:edit` (ArgumentError)\n\tfrom /usr/local/bundle/gems/railties-7.1.3/lib/rails/application.rb:467:in `secret_key_base'\n",
    /secret_key_base/,
  ],
  'Rails, the file of a server that died': [
    '=> Booting Puma\n=> Rails 7.1.3 application starting in production\nA server is already running (pid: 1, file: /app/tmp/pids/server.pid).\nExiting\n',
    /server\.pid/,
  ],
  'Express, its log by bunyan': [
    '{"name":"shop","hostname":"shop-1","pid":1,"level":30,"msg":"starting","time":"2025-05-01T10:00:00.000Z","v":0}\n{"name":"shop","hostname":"shop-1","pid":1,"level":60,"err":{"message":"connect ECONNREFUSED 10.0.3.4:27017","name":"MongoServerSelectionError","stack":"MongoServerSelectionError: connect ECONNREFUSED 10.0.3.4:27017\\n    at Topology.selectServer"},"msg":"cannot start","time":"2025-05-01T10:00:30.000Z","v":0}\n',
    /10\.0\.3\.4:27017/,
  ],
  'Go, its log by zap': [
    '{"level":"info","ts":1714557600.1,"caller":"cmd/main.go:30","msg":"starting","version":"1.4.0"}\n{"level":"fatal","ts":1714557600.2,"caller":"cmd/main.go:41","msg":"failed to load config","error":"open /etc/shop/config.yaml: no such file or directory","stacktrace":"main.main\\n\\t/src/cmd/main.go:41\\nruntime.main\\n\\t/usr/local/go/src/runtime/proc.go:271"}\n',
    /\/etc\/shop\/config\.yaml/,
  ],
  'Go, its log by logrus': [
    'time="2025-05-01T10:00:00Z" level=info msg="starting shop" version=1.4.0\ntime="2025-05-01T10:00:00Z" level=fatal msg="unable to parse LISTEN_ADDR" error="address :eighty: unknown port"\n',
    /LISTEN_ADDR|eighty/,
  ],
  'Go, a deadlock': ['fatal error: all goroutines are asleep - deadlock!\n\ngoroutine 1 [chan receive]:\nmain.main()\n', /deadlock/, 2],
  'Go, a map that two write': [
    'fatal error: concurrent map writes\n\ngoroutine 34 [running]:\nmain.(*cache).put(...)\n\t/src/cache.go:18\n',
    /concurrent map writes/,
    2,
  ],
  'Rust, a variable that must be set': [
    "thread 'main' panicked at src/main.rs:22:10:\nDATABASE_URL must be set: NotPresent\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n",
    /DATABASE_URL/,
    101,
  ],
  'Rust, an address in use': ['Error: Os { code: 98, kind: AddrInUse, message: "Address already in use" }\n', /Address already in use/],
  'Rust, a database that does not answer': [
    '2025-05-01T10:00:00.000000Z ERROR shop: startup failed err=error communicating with database: Connection refused (os error 111)\n',
    /Connection refused/,
  ],
  'Envoy, a field that is none': [
    "[2025-05-01 10:00:00.000][1][critical][main] [source/server/server.cc:131] error initializing configuration '/etc/envoy/envoy.yaml': Protobuf message (type envoy.config.bootstrap.v3.Bootstrap reason INVALID_ARGUMENT: invalid name listenrs: Cannot find field.) has unknown fields\n[2025-05-01 10:00:00.000][1][info][main] [source/server/server.cc:972] exiting\n",
    /listenrs|envoy\.yaml/,
  ],
  'Redis, a directive that is none': [
    "1:C 01 May 2025 10:00:00.000 * oO0OoO0OoO0Oo Redis is starting oO0OoO0OoO0Oo\n\n*** FATAL CONFIG FILE ERROR (Redis 7.2.4) ***\nReading the configuration file, at line 3\n>>> 'maxmemry 100mb'\nBad directive or wrong number of arguments\n",
    /maxmemry|Bad directive/,
  ],
  'Redis, a folder that is not its own': [
    "1:M 01 May 2025 10:00:00.000 # Can't open or create append-only dir appendonlydir: Permission denied\n",
    /appendonlydir/,
  ],
  'Kafka, the disk of another cluster': [
    "[2025-05-01 10:00:00,000] ERROR Fatal error during KafkaServer startup. Prepare to shutdown (kafka.server.KafkaServer)\nkafka.common.InconsistentClusterIdException: The Cluster ID WU9kZm doesn't match stored clusterId Some(aBcDeF) in meta.properties. The broker is trying to join the wrong cluster. Configured zookeeper.connect may be wrong.\n\tat kafka.server.KafkaServer.startup(KafkaServer.scala:244)\n[2025-05-01 10:00:00,100] INFO shutting down (kafka.server.KafkaServer)\n",
    /Cluster ID|meta\.properties/,
  ],
  'PostgreSQL, a disk with lost+found': [
    'The files belonging to this database system will be owned by user "postgres".\nThis user must also own the server process.\n\ninitdb: error: directory "/var/lib/postgresql/data" exists but is not empty\ninitdb: detail: It contains a lost+found directory, perhaps due to it being a mount point.\ninitdb: hint: Using a mount point directly as the data directory is not recommended.\n',
    /\/var\/lib\/postgresql\/data/,
  ],
  'PostgreSQL, a folder of another user': [
    '2025-05-01 10:00:00.000 UTC [1] FATAL:  data directory "/var/lib/postgresql/data/pgdata" has wrong ownership\n2025-05-01 10:00:00.000 UTC [1] HINT:  The server must be started by the user that owns the data directory.\n',
    /pgdata|ownership/,
  ],
  'Elasticsearch, a folder that is not its own': [
    '{"@timestamp":"2025-05-01T10:00:00.000Z", "log.level":"ERROR", "message":"fatal exception while booting Elasticsearch", "ecs.version": "1.2.0","service.name":"ES_ECS","event.dataset":"elasticsearch.server","process.thread.name":"main","error.type":"java.lang.IllegalStateException","error.message":"failed to obtain node locks, tried [/usr/share/elasticsearch/data]; maybe these locations are not writable or multiple nodes were started on the same data path?"}\n\nERROR: Elasticsearch did not exit normally - check the logs at /usr/share/elasticsearch/logs/es.log\n',
    /node locks|elasticsearch\/data/,
  ],
  'RabbitMQ, its cookie': [
    '2025-05-01 10:00:00.000000+00:00 [error] <0.9.0> Error when reading /var/lib/rabbitmq/.erlang.cookie: eacces\n{"Kernel pid terminated",application_controller,"{application_start_failure,kernel,...}"}\n',
    /\.erlang\.cookie/,
  ],
  'Prometheus, a folder that is not its own': [
    'ts=2025-05-01T10:00:00Z caller=query_logger.go:113 level=error component=activeQueryTracker msg="Error opening query log file" file=/prometheus/queries.active err="open /prometheus/queries.active: permission denied"\npanic: Unable to create mmap-ed active query log\n\ngoroutine 1 [running]:\n',
    /queries\.active/,
    2,
  ],
  'Traefik, a flag that is none': [
    '{"level":"error","error":"command traefik error: failed to decode configuration from flags: field not found, node: entrypoint","time":"2025-05-01T10:00:00Z"}\n',
    /entrypoint|field not found/,
  ],
  'cert-manager without its rights': [
    'I0501 10:00:00.000000       1 controller.go:75] "starting cert-manager controller" logger="cert-manager.controller" version="v1.14.4"\nE0501 10:00:05.000000       1 leaderelection.go:332] error retrieving resource lock kube-system/cert-manager-controller: leases.coordination.k8s.io "cert-manager-controller" is forbidden: User "system:serviceaccount:cert-manager:cert-manager" cannot get resource "leases" in API group "coordination.k8s.io" in the namespace "kube-system"\nE0501 10:01:05.000000       1 main.go:42] "error executing command" err="leader election lost" logger="cert-manager"\n',
    /leases/,
  ],
  'a controller whose kind nobody installed': [
    '{"level":"error","ts":"2025-05-01T10:00:00Z","logger":"setup","msg":"problem running manager","error":"no matches for kind \\"ServiceMonitor\\" in version \\"monitoring.coreos.com/v1\\""}\n',
    /ServiceMonitor/,
  ],
  'MySQL, two on one disk': [
    '2025-05-01T10:00:00.000000Z 1 [ERROR] [MY-012574] [InnoDB] Unable to lock ./ibdata1 error: 11\n2025-05-01T10:00:00.000000Z 1 [Note] [MY-012575] [InnoDB] Check that you do not already have another mysqld process using the same InnoDB data or log files.\n2025-05-01T10:00:09.000000Z 0 [ERROR] [MY-010119] [Server] Aborting\n',
    /ibdata1/,
  ],
  'MongoDB, a data folder of another version': [
    '{"t":{"$date":"2025-05-01T10:00:00.000+00:00"},"s":"F",  "c":"STORAGE",  "id":4671205, "ctx":"initandlisten","msg":"This version of MongoDB is too recent to start up on the existing data files. Try MongoDB 4.2 or earlier."}\n{"t":{"$date":"2025-05-01T10:00:00.001+00:00"},"s":"F",  "c":"-",        "id":23091,   "ctx":"initandlisten","msg":"Fatal assertion","attr":{"msgid":4671205}}\n',
    /too recent/,
    14,
  ],
  'Keycloak, a password': [
    '2025-05-01 10:00:00,000 ERROR [org.keycloak.quarkus.runtime.cli.ExecutionExceptionHandler] (main) ERROR: Failed to start server in (production) mode\n2025-05-01 10:00:00,001 ERROR [org.keycloak.quarkus.runtime.cli.ExecutionExceptionHandler] (main) ERROR: Failed to obtain JDBC connection\n2025-05-01 10:00:00,002 ERROR [org.keycloak.quarkus.runtime.cli.ExecutionExceptionHandler] (main) ERROR: FATAL: password authentication failed for user "keycloak"\n',
    /keycloak/,
  ],
  'a key file first, then four hundred lines': [
    `starting\nError: ENOENT: no such file or directory, open '/app/certs/tls.key'\n    at Object.openSync (node:fs:573:18)\n${lines(400, (at) => `ERROR worker ${at % 8}: request failed, status 503, no healthy upstream`)}\n`,
    /\/app\/certs\/tls\.key/,
  ],
  '.NET, a value that is not there': [
    "Unhandled exception. System.ArgumentNullException: Value cannot be null. (Parameter 'connectionString')\n   at Microsoft.EntityFrameworkCore.Utilities.Check.NotEmpty(String value, String parameterName)\n   at Program.<Main>$(String[] args) in /src/Program.cs:line 12\n",
    /connectionString/,
    134,
  ],
  '.NET, SQL Server that nobody finds': [
    'Unhandled exception. Microsoft.Data.SqlClient.SqlException (0x80131904): A network-related or instance-specific error occurred while establishing a connection to SQL Server. The server was not found or was not accessible. (provider: TCP Provider, error: 35 - An internal exception was caught)\n ---> System.Net.Internals.SocketExceptionFactory+ExtendedSocketException (00000001, 11): Resource temporarily unavailable\n',
    /SQL Server|network-related/,
    134,
  ],
  'PHP-FPM, its port': [
    "[01-May-2025 10:00:00] ERROR: unable to bind listening socket for address '0.0.0.0:9000': Address already in use (98)\n[01-May-2025 10:00:00] ERROR: FPM initialization failed\n",
    /9000/,
    78,
  ],
  'gunicorn, a worker that the kernel killed': [
    '[2025-05-01 10:00:00 +0000] [1] [INFO] Starting gunicorn 21.2.0\n[2025-05-01 10:00:00 +0000] [1] [INFO] Listening at: http://0.0.0.0:8000 (1)\n[2025-05-01 10:00:09 +0000] [1] [ERROR] Worker (pid:19) was sent SIGKILL! Perhaps out of memory?\n',
    /SIGKILL|out of memory/,
  ],
  'a shell whose child the kernel killed': ['/app/start.sh: line 4:    13 Killed                  python train.py\n', /Killed/, 137],
  'a program for another processor': ['exec /usr/local/bin/app: exec format error\n', /exec format error|\/usr\/local\/bin\/app/, 255],
  'a script with line ends of Windows': ["/usr/bin/env: 'bash\\r': No such file or directory\n", /bash\\r/, 127],
  'PyTorch, a card that is full': [
    'Traceback (most recent call last):\n  File "/app/serve.py", line 40, in <module>\n    model.to("cuda")\ntorch.cuda.OutOfMemoryError: CUDA out of memory. Tried to allocate 2.00 GiB. GPU 0 has a total capacity of 14.58 GiB of which 1.10 GiB is free.\n',
    /CUDA out of memory/,
  ],
  'Vault agent, a role that it has not': [
    '==> Vault Agent started! Log data will stream in below:\n\n2025-05-01T10:00:00.000Z [ERROR] agent.auth.handler: error authenticating:\n  error=\n  | Error making API request.\n  | \n  | URL: PUT https://vault.vault.svc:8200/v1/auth/kubernetes/login\n  | Code: 403. Errors:\n  | \n  | * permission denied\n  backoff=1s\n',
    /permission denied|403|vault/i,
  ],
  'Grafana, a data source': [
    'logger=provisioning t=2025-05-01T10:00:00Z level=error msg="Failed to provision data sources" error="Datasource provisioning error: datasource.yaml config is invalid. Only one datasource per organization can be marked as default"\nError: ✗ *provisioning.ProvisioningServiceImpl run error: Datasource provisioning error: datasource.yaml config is invalid. Only one datasource per organization can be marked as default\n',
    /datasource\.yaml|[Dd]atasource/,
  ],
  'Loki, a field that went away': [
    'failed parsing config: /etc/loki/config.yaml: yaml: unmarshal errors:\n  line 12: field shared_store not found in type compactor.Config. Use `-config.expand-env=true` flag if you want to expand environment variables in your config file\n',
    /shared_store|line 12|config\.yaml/,
  ],
  'CoreDNS, a loop': [
    '.:53\n[INFO] plugin/reload: Running configuration SHA512 = 591c\nCoreDNS-1.11.1\nlinux/amd64, go1.20.7, ae2bbc2\n[FATAL] plugin/loop: Loop (127.0.0.1:55953 -> :53) detected for zone ".", see https://coredns.io/plugins/loop#troubleshooting. Query: "HINFO 4547991504243258144.3688648895315093531."\n',
    /Loop/,
  ],
  'nginx, a certificate that is not there': [
    '2025/05/01 10:00:00 [emerg] 1#1: cannot load certificate "/etc/nginx/tls/tls.crt": BIO_new_file() failed (SSL: error:80000002:system library::No such file or directory:calling fopen(/etc/nginx/tls/tls.crt, r) error:10000080:BIO routines::no such file)\nnginx: [emerg] cannot load certificate "/etc/nginx/tls/tls.crt": BIO_new_file() failed (SSL: error:80000002:system library::No such file or directory:calling fopen(/etc/nginx/tls/tls.crt, r) error:10000080:BIO routines::no such file)\n',
    /\/etc\/nginx\/tls\/tls\.crt/,
  ],
  'HAProxy, a word that is none': [
    "[NOTICE]   (1) : haproxy version is 2.8.5-aaba8d0\n[ALERT]    (1) : config : parsing [/usr/local/etc/haproxy/haproxy.cfg:12] : unknown keyword 'servr' in 'backend' section\n[ALERT]    (1) : config : Error(s) found in configuration file : /usr/local/etc/haproxy/haproxy.cfg\n[ALERT]    (1) : config : Fatal errors found in configuration.\n",
    /servr|haproxy\.cfg:12/,
  ],
  'JVM, a heap that begins larger than it may be': [
    'Error occurred during initialization of VM\nInitial heap size set to a larger value than the maximum heap size\n',
    /heap size/i,
  ],
  'JVM, no memory from the node': [
    '#\n# There is insufficient memory for the Java Runtime Environment to continue.\n# Native memory allocation (mmap) failed to map 2863661056 bytes for committing reserved memory.\n# An error report file with more information is saved as:\n# /tmp/hs_err_pid1.log\n',
    /insufficient memory|memory allocation/i,
  ],
  'Celery without its broker': [
    '[2025-05-01 10:00:00,000: ERROR/MainProcess] consumer: Cannot connect to amqp://guest:**@rabbit:5672//: [Errno 111] Connection refused.\nTrying again in 2.00 seconds... (1/100)\n',
    /rabbit:5672|Connection refused/,
  ],
  'Alembic, a revision that is gone': [
    "INFO  [alembic.runtime.migration] Context impl PostgresqlImpl.\nFAILED: Can't locate revision identified by '2b1ae634e5cd'\n",
    /2b1ae634e5cd/,
    255,
  ],
  'Prisma, an engine for another libc': [
    "PrismaClientInitializationError: Unable to require(`/app/node_modules/.prisma/client/libquery_engine-debian-openssl-1.1.x.so.node`).\nThe Prisma engines do not seem to be compatible with your system. Please refer to the documentation about Prisma's system requirements: https://pris.ly/d/system-requirements\nDetails: libssl.so.1.1: cannot open shared object file: No such file or directory\n",
    /libssl\.so\.1\.1|libquery_engine/,
  ],
};

/** Programs that crash again and again. */
export const SOFTWARE: Record<string, Documented> = Object.fromEntries(
  Object.entries(LOGS).map(([sentence, [log, culprit, exitCode = 1]]) => [
    sentence,
    { page: 'software', object: one('a', loops(exitCode)), log, is: { reason: 'CrashLoopBackOff', culprit } },
  ]),
);
