// Logs of programs that ended, as their own documentation and source quote them. The first error is the cause. The lines around it are
// noise.

/** A log of several lines, and what its culprit must contain. */
export const PROGRAM_LOGS: Record<string, [log: string, culprit: RegExp]> = {
  'Python: a module that is not installed': [
    'Traceback (most recent call last):\n  File "/app/main.py", line 3, in <module>\n    import psycopg2\nModuleNotFoundError: No module named \'psycopg2\'\n',
    /psycopg2/,
  ],
  'Python: a variable that is not set': [
    'Traceback (most recent call last):\n  File "/app/settings.py", line 12, in <module>\n    SECRET = os.environ["DJANGO_SECRET_KEY"]\n  File "<frozen os>", line 714, in __getitem__\nKeyError: \'DJANGO_SECRET_KEY\'\n',
    /DJANGO_SECRET_KEY/,
  ],
  'Python: settings that pydantic refuses': [
    'pydantic_core._pydantic_core.ValidationError: 1 validation error for Settings\nredis_url\n  Field required [type=missing, input_value={}, input_type=dict]\n    For further information visit https://errors.pydantic.dev/2.6/v/missing\n',
    /redis_url|Settings/,
  ],
  'Python: a worker that gunicorn gives up': [
    "[2025-05-01 10:00:00 +0000] [1] [INFO] Starting gunicorn 21.2.0\n[2025-05-01 10:00:00 +0000] [7] [ERROR] Exception in worker process\nTraceback (most recent call last):\n  File \"/app/wsgi.py\", line 1, in <module>\n    from app import create_ap\nImportError: cannot import name 'create_ap' from 'app' (/app/app/__init__.py)\n[2025-05-01 10:00:01 +0000] [1] [ERROR] Worker (pid:7) exited with code 3\n[2025-05-01 10:00:01 +0000] [1] [ERROR] Shutting down: Master\n[2025-05-01 10:00:01 +0000] [1] [ERROR] Reason: Worker failed to boot.\n",
    /create_ap/,
  ],
  'Node: a module that is not there': [
    "node:internal/modules/cjs/loader:1228\n  throw err;\n  ^\n\nError: Cannot find module '/app/dist/server.js'\n    at Module._resolveFilename (node:internal/modules/cjs/loader:1225:15)\n    at node:internal/main/run_main_module:28:49 {\n  code: 'MODULE_NOT_FOUND',\n  requireStack: []\n}\n\nNode.js v22.1.0\n",
    /\/app\/dist\/server\.js/,
  ],
  'Node: a package that is not there': [
    "node:internal/errors:496\n    ErrorCaptureStackTrace(err);\n\nError [ERR_MODULE_NOT_FOUND]: Cannot find package 'express' imported from /app/index.mjs\n    at packageResolve (node:internal/modules/esm/resolve:853:9)\n",
    /express/,
  ],
  'Node: the heap is full': [
    '[1:0x5581]   30456 ms: Mark-sweep 254.1 (258.0) -> 253.9 (258.5) MB\n<--- JS stacktrace --->\n\nFATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory\n 1: 0xb7a940 node::Abort() [node]\n',
    /heap/i,
  ],
  'Node: a port in use': [
    "node:events:497\n      throw er; // Unhandled 'error' event\n      ^\n\nError: listen EADDRINUSE: address already in use :::3000\n    at Server.setupListenHandle [as _listen2] (node:net:1898:16)\n",
    /3000/,
  ],
  'Node: a port for root alone': ['Error: listen EACCES: permission denied 0.0.0.0:80\n    at Server.setupListenHandle\n', /port 80/],
  'JVM: the heap is full': [
    '2025-05-01 INFO Started ShopApplication in 4.2 seconds\nException in thread "http-nio-8080-exec-3" java.lang.OutOfMemoryError: Java heap space\n\tat java.base/java.util.Arrays.copyOf(Arrays.java:3537)\n',
    /Java heap space/,
  ],
  'JVM: a class that is not there': [
    'Error: Could not find or load main class com.example.Main\nCaused by: java.lang.ClassNotFoundException: com.example.Main\n',
    /com\.example\.Main/,
  ],
  'JVM: too new a class': [
    'Error: LinkageError occurred while loading main class com.example.App\n\tjava.lang.UnsupportedClassVersionError: com/example/App has been compiled by a more recent version of the Java Runtime (class file version 65.0), this version of the Java Runtime only recognizes class file versions up to 61.0\n',
    /class file version|com.example.App/,
  ],
  'JVM: a jar that is not there': ['Error: Unable to access jarfile /app/shop.jar\n', /\/app\/shop\.jar/],
  'Spring: a placeholder without a value': [
    "ERROR o.s.boot.SpringApplication - Application run failed\norg.springframework.beans.factory.BeanCreationException: Error creating bean with name 'mail': Injection of autowired dependencies failed\nCaused by: java.lang.IllegalArgumentException: Could not resolve placeholder 'smtp.host' in value \"${smtp.host}\"\n",
    /smtp\.host/,
  ],
  'Spring: a port in use': [
    "***************************\nAPPLICATION FAILED TO START\n***************************\n\nDescription:\n\nWeb server failed to start. Port 8080 was already in use.\n\nAction:\n\nIdentify and stop the process that's listening on port 8080\n",
    /8080/,
  ],
  'Go: a nil map': [
    'panic: assignment to entry in nil map\n\ngoroutine 1 [running]:\nmain.main()\n\t/src/main.go:12 +0x1d\nexit status 2\n',
    /assignment to entry in nil map/,
  ],
  'Go: a nil pointer': [
    'panic: runtime error: invalid memory address or nil pointer dereference\n[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x48f1e5]\n\ngoroutine 1 [running]:\nmain.run(...)\n',
    /nil pointer/,
  ],
  'Go: a database that does not answer': [
    '{"level":"info","msg":"starting"}\n{"level":"fatal","msg":"cannot reach store: dial tcp 10.96.12.3:5432: connect: connection refused"}\n',
    /10\.96\.12\.3:5432/,
  ],
  'Go: a name that nobody knows': [
    '2025/05/01 10:00:00 dial tcp: lookup postgress.shop.svc.cluster.local on 10.96.0.10:53: no such host\n',
    /postgress\.shop/,
  ],
  'Ruby: a gem that is not there': [
    'bundler: failed to load command: puma (/usr/local/bundle/bin/puma)\nCould not find rack-2.2.8 in locally installed gems (Bundler::GemNotFound)\n',
    /rack-2\.2\.8/,
  ],
  'Ruby: a file that cannot be loaded': [
    "<internal:kernel>:1:in `require': cannot load such file -- sinatra (LoadError)\n\tfrom app.rb:1:in `<main>'\n",
    /sinatra/,
  ],
  '.NET: a framework that is not there': [
    "You must install or update .NET to run this application.\n\nApp: /app/Shop.dll\nArchitecture: x64\nFramework: 'Microsoft.NETCore.App', version '8.0.0' (x64)\n.NET location: /usr/share/dotnet/\n",
    /Microsoft\.NETCore\.App|install or update \.NET/,
  ],
  '.NET: an assembly that is not there': [
    "Unhandled exception. System.IO.FileNotFoundException: Could not load file or assembly 'Newtonsoft.Json, Version=13.0.0.0, Culture=neutral'. The system cannot find the file specified.\n",
    /Newtonsoft\.Json/,
  ],
  'PHP: a class that is not there': [
    'PHP Fatal error:  Uncaught Error: Class "App\\Kernel" not found in /app/public/index.php:5\nStack trace:\n#0 {main}\n  thrown in /app/public/index.php on line 5\n',
    /App\\Kernel/,
  ],
  'PHP: memory': [
    'PHP Fatal error:  Allowed memory size of 134217728 bytes exhausted (tried to allocate 20480 bytes) in /app/x.php on line 9\n',
    /134217728/,
  ],
  'nginx: a directive that is none': [
    'nginx: [emerg] unknown directive "proxy_passs" in /etc/nginx/conf.d/default.conf:7\nnginx: configuration file /etc/nginx/nginx.conf test failed\n',
    /proxy_passs/,
  ],
  'nginx: an upstream that nobody knows': [
    'nginx: [emerg] host not found in upstream "backend" in /etc/nginx/conf.d/default.conf:3\n',
    /backend/,
  ],
  'nginx: a port for root alone': ['nginx: [emerg] bind() to 0.0.0.0:80 failed (13: Permission denied)\n', /\b80/],
  'Apache: a name that it does not know': [
    "AH00526: Syntax error on line 12 of /etc/apache2/sites-enabled/000.conf:\nInvalid command 'Proxypas', perhaps misspelled\n",
    /Proxypas|line 12/,
  ],
  'PostgreSQL client: a password': [
    'psql: error: connection to server at "db" (10.0.0.5), port 5432 failed: FATAL:  password authentication failed for user "shop"\n',
    /shop/,
  ],
  'PostgreSQL client: a database': ['FATAL:  database "shopp" does not exist\n', /shopp/],
  'PostgreSQL server: a data directory of another version': [
    'PostgreSQL Database directory appears to contain a database; Skipping initialization\n\nFATAL:  database files are incompatible with server\nDETAIL:  The data directory was initialized by PostgreSQL version 13, which is not compatible with this version 16.2.\n',
    /version 13|incompatible with server/,
  ],
  'PostgreSQL server: no password': [
    'Error: Database is uninitialized and superuser password is not specified.\n       You must specify POSTGRES_PASSWORD to a non-empty value for the\n       superuser.\n',
    /POSTGRES_PASSWORD/,
  ],
  'MySQL server: no password': [
    '2025-05-01 10:00:00+00:00 [ERROR] [Entrypoint]: Database is uninitialized and password option is not specified\n    You need to specify one of the following as an environment variable:\n    - MYSQL_ROOT_PASSWORD\n    - MYSQL_ALLOW_EMPTY_PASSWORD\n',
    /MYSQL_ROOT_PASSWORD|password option is not specified/,
  ],
  'MySQL client: a password': ["ERROR 1045 (28000): Access denied for user 'shop'@'10.1.2.3' (using password: YES)\n", /shop/],
  'Redis client: a password': [
    'redis.exceptions.AuthenticationError: WRONGPASS invalid username-password pair or user is disabled.\n',
    /WRONGPASS|username-password/,
  ],
  'Redis client: no password': [
    'ReplyError: NOAUTH Authentication required.\n    at parseError (/app/node_modules/redis-parser/lib/parser.js:179:12)\n',
    /NOAUTH/,
  ],
  'MongoDB client: a password': [
    "MongoServerError: Authentication failed.\n    at Connection.onMessage (/app/node_modules/mongodb/lib/cmap/connection.js:202:26) {\n  code: 18,\n  codeName: 'AuthenticationFailed'\n}\n",
    /Authentication failed/,
  ],
  'Kafka client: a password': [
    'org.apache.kafka.common.errors.SaslAuthenticationException: Authentication failed: Invalid username or password\n',
    /Sasl|Invalid username or password/,
  ],
  'Kafka client: no broker': [
    '%3|1714557600.123|FAIL|rdkafka#producer-1| [thrd:kafka:9092/bootstrap]: kafka:9092/bootstrap: Connect to ipv4#10.0.0.9:9092 failed: Connection refused (after 0ms in state CONNECT)\n',
    /kafka:9092|10\.0\.0\.9:9092/,
  ],
  'RabbitMQ: a password': [
    'amqp.exceptions.AccessRefused: (0, 0): (403) ACCESS_REFUSED - Login was refused using authentication mechanism PLAIN. For details see the broker logfile.\n',
    /ACCESS_REFUSED/,
  ],
  'Elasticsearch: too few maps': [
    'ERROR: [1] bootstrap checks failed. You must address the points described in the following [1] lines before starting Elasticsearch.\nbootstrap check failure [1] of [1]: max virtual memory areas vm.max_map_count [65530] is too low, increase to at least [262144]\n',
    /vm\.max_map_count/,
  ],
  'TLS: a certificate that is out of date': [
    "requests.exceptions.SSLError: HTTPSConnectionPool(host='api.example.com', port=443): Max retries exceeded (Caused by SSLError(SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: certificate has expired (_ssl.c:1007)')))\n",
    /certificate has expired|api\.example\.com/,
  ],
  'TLS: an authority that nobody knows': [
    "Error: unable to get local issuer certificate\n    at TLSSocket.onConnectSecure (node:_tls_wrap:1659:34) {\n  code: 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY'\n}\n",
    /issuer certificate/,
  ],
  'files: none': ['cat: /etc/config/app.yaml: No such file or directory\n', /\/etc\/config\/app\.yaml/],
  'files: not allowed': ["mkdir: cannot create directory '/data/cache': Permission denied\n", /\/data\/cache/],
  'files: no room': ['write /data/wal/000001: no space left on device\n', /no space left|\/data\/wal/],
  'files: too many open': [
    '2025/05/01 10:00:00 http: Accept error: accept tcp [::]:8080: accept4: too many open files; retrying in 5ms\nfatal: too many open files\n',
    /too many open files/,
  ],
  'YAML: a wrong indent': ['error parsing config: yaml: line 14: did not find expected key\n', /line 14/],
  'JSON: a comma': [
    'SyntaxError: /app/config.json: Unexpected token } in JSON at position 57\n    at JSON.parse (<anonymous>)\n',
    /config\.json|position 57/,
  ],
  'a flag that nobody knows': ['Error: unknown flag: --listen-adress\nUsage:\n  server [flags]\n', /--listen-adress/],
  'a shell without the program': ['/entrypoint.sh: line 7: envsubst: command not found\n', /envsubst/],
  'a migration that failed': [
    'Running migrations...\nMigration 20240501_add_orders failed: relation "users" does not exist\nnpm ERR! code ELIFECYCLE\nnpm ERR! errno 1\nnpm ERR! Failed at the shop@1.0.0 start script.\n',
    /20240501_add_orders|users/,
  ],
  'a dirty migration': ['error: Dirty database version 12. Fix and force version.\n', /version 12/],
  'a licence': ['FATAL license check failed: license expired on 2025-01-31\nshutting down\n', /licen[sc]e/i],
  'a clock': [
    'An error occurred (RequestTimeTooSkewed) when calling the ListBuckets operation: The difference between the request time and the current time is too large.\n',
    /RequestTimeTooSkewed/,
  ],
  'AWS: no credentials': ['botocore.exceptions.NoCredentialsError: Unable to locate credentials\n', /locate credentials/],
  'a C library that is not there': [
    '/app/server: error while loading shared libraries: libssl.so.1.1: cannot open shared object file: No such file or directory\n',
    /libssl\.so\.1\.1/,
  ],
  'a C library that is too old': [
    "/app/server: /lib/x86_64-linux-gnu/libc.so.6: version `GLIBC_2.34' not found (required by /app/server)\n",
    /GLIBC_2\.34/,
  ],
  'Rust: a variable that is not set': [
    "thread 'main' panicked at src/main.rs:9:42:\ncalled `Result::unwrap()` on an `Err` value: NotPresent\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n",
    /NotPresent|src\/main\.rs:9/,
  ],
  'Erlang: another node of that name': [
    "Protocol 'inet_tcp': the name rabbit@web seems to be in use by another Erlang node\n",
    /rabbit@web/,
  ],
  'Prometheus: its settings': [
    'ts=2025-05-01T10:00:00Z caller=main.go:537 level=error msg="Error loading config (--config.file=/etc/prometheus/prometheus.yml)" err="parsing YAML file /etc/prometheus/prometheus.yml: yaml: unmarshal errors:\\n  line 5: field scrape_config not found in type config.plain"\n',
    /prometheus\.yml|scrape_config/,
  ],
  'etcd: another cluster': [
    '{"level":"fatal","msg":"discovery failed","error":"error validating peerURLs: member count is unequal"}\n',
    /member count is unequal/,
  ],
  'a long log whose first error counts': [
    `${Array.from({ length: 200 }, (_, n) => `INFO warm up ${n}`).join('\n')}\nERROR cannot open /etc/shop/keys.json: no such file or directory\n${Array.from({ length: 60 }, (_, n) => `ERROR worker ${n} exited with code 1`).join('\n')}\nFATAL all workers are gone\n`,
    /\/etc\/shop\/keys\.json/,
  ],
  'a log whose dates look like errors': [
    '2025-05-01 ERRORS_TOTAL=0\nlistening on 8080\npanic: cannot decode plan: unexpected EOF\n',
    /cannot decode plan/,
  ],
};
