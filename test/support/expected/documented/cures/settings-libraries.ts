import type { CureRow } from './cure.ts';
import { app, crash, env, fromSecret, guess, likely, map, plain, secret, service } from './rows.ts';

/** Pydantic ends so, with the name of the setting in a line of its own. */
const pydantic = (field: string, says: string): string =>
  `pydantic_core._pydantic_core.ValidationError: 1 validation error for Settings\n${field}\n  ${says}\n    For further information visit https://errors.pydantic.dev/2.7/v/x\n`;

const one = (name: string, value: string) => env({ [name]: value });
const first = (value: unknown) => ({ [`${app}.env[0].value`]: value });

/** What libraries that read settings say of a value or a name, and how programs are given it wrongly. */
export const SETTINGS_LIBRARIES: Record<string, CureRow> = {
  'Pydantic: a number as a word': crash(
    pydantic(
      'worker_count',
      "Input should be a valid integer, unable to parse string as an integer [type=int_parsing, input_value='four', input_type=str]",
    ),
    one('WORKER_COUNT', 'four'),
    { culprit: /WORKER_COUNT=four/, best: first('4'), ...likely },
  ),
  'Pydantic: a word that no number is': crash(
    pydantic(
      'worker_count',
      "Input should be a valid integer, unable to parse string as an integer [type=int_parsing, input_value='many', input_type=str]",
    ),
    one('WORKER_COUNT', 'many'),
    { culprit: /WORKER_COUNT=many/, best: null },
  ),
  'Pydantic: a stage of another name': crash(
    pydantic(
      'app_env',
      "Input should be 'development', 'staging' or 'production' [type=literal_error, input_value='live', input_type=str]",
    ),
    one('APP_ENV', 'live'),
    { culprit: /APP_ENV=live/, best: first('production'), ...likely },
  ),
  'Pydantic: an address that lacks a colon': crash(
    pydantic(
      'database_url',
      "Input should be a valid URL, relative URL without a base [type=url_parsing, input_value='postgres//shop@db/shop', input_type=str]",
    ),
    one('DATABASE_URL', 'postgres//shop@db/shop'),
    { culprit: /postgres\/\/shop@db/, best: first('postgres://shop@db/shop'), ...likely },
    [service('db', 5432)],
  ),
  'Pydantic: a number below its bound': crash(
    pydantic('pool_size', "Input should be greater than or equal to 1 [type=greater_than_equal, input_value='0', input_type=str]"),
    one('POOL_SIZE', '0'),
    { culprit: /POOL_SIZE=0/, best: first('1'), ...likely },
  ),
  'joi: a number as a word': crash('Error: Config validation error: "RATE_LIMIT" must be a number\n', one('RATE_LIMIT', 'ten'), {
    culprit: /RATE_LIMIT=ten/,
    best: first('10'),
    ...likely,
  }),
  'envalid: a port with a letter behind it': crash(
    '================================\n Invalid environment variables:\n    PORT: Invalid port input: "80a"\n================================\n',
    one('PORT', '80a'),
    { culprit: /PORT=80a/, best: first('80'), ...guess },
  ),
  't3-env: an address without its scheme': crash(
    '❌ Invalid environment variables: {\n  "API_URL": [\n    "Invalid url"\n  ]\n}\n',
    one('API_URL', 'api.acme.io'),
    { culprit: /API_URL=api\.acme\.io/, best: first('https://api.acme.io'), ...guess },
  ),
  't3-env: a stage by its abbreviation': crash(
    "Invalid environment variables: { NODE_ENV: [ \"Invalid enum value. Expected 'development' | 'test' | 'production', received 'prod'\" ] }\n",
    one('NODE_ENV', 'prod'),
    { culprit: /NODE_ENV=prod/, best: first('production'), ...likely },
  ),
  'Go: an address with a space before it': crash(
    '2026/01/02 10:00:00 parse " http://api:8080": first path segment in URL cannot contain colon\n',
    one('UPSTREAM', ' http://api:8080'),
    { culprit: /UPSTREAM/, best: first('http://api:8080'), ...likely },
  ),
  'Go: a keyword of PostgreSQL with an underscore': crash(
    'failed to initialize database, got error FATAL: unrecognized configuration parameter "ssl_mode" (SQLSTATE 42704)\n',
    one('DB_DSN', 'host=db port=5432 user=shop dbname=shop ssl_mode=disable'),
    { culprit: /ssl_mode/, best: first('host=db port=5432 user=shop dbname=shop sslmode=disable'), ...likely },
    [service('db', 5432)],
  ),
  'Go: an address of MySQL without its network': crash(
    "panic: default addr for network 'db:3306' unknown\n",
    one('DB_DSN', 'shop@db:3306/shop'),
    { culprit: /db:3306/, best: first('shop@tcp(db:3306)/shop'), ...likely },
    [service('db', 3306)],
  ),
  'Rust: a filter for the log with a slip': crash(
    "thread 'main' panicked at src/main.rs:5:5:\nerror parsing RUST_LOG: invalid filter directive\n",
    one('RUST_LOG', 'inf'),
    { culprit: /RUST_LOG=inf/, best: first('info'), ...likely },
  ),
  'Rust: a field that a variable has under a slip of its name': crash(
    'Error: missing value for field database_url\n',
    one('DATABASE_UR', 'postgres://shop@db/shop'),
    { culprit: /database_url/i, best: { [`${app}.env[0].name`]: 'DATABASE_URL' }, ...likely },
    [service('db', 5432)],
  ),
  'Rust: a host that no Service has, by the scheme of its address': crash(
    'Error: error communicating with database: failed to lookup address information: Name or service not known\n',
    one('DATABASE_URL', 'postgres://shop@db/shop'),
    { culprit: /db/, best: first('postgres://shop@warehouse/shop'), ...guess },
    [service('warehouse', 5432), service('cache', 6379)],
  ),
  'Node: a level of pino in capitals': crash(
    'Error: default level:INFO must be included in custom levels\n    at assertDefaultLevelFound\n',
    one('LOG_LEVEL', 'INFO'),
    { culprit: /LOG_LEVEL=INFO/, best: first('info'), ...likely },
  ),
  'Rails: a scheme with a letter too much': crash(
    "connection_url_resolver.rb:12: The database adapter 'postgress' is not supported. (ActiveRecord::AdapterNotSpecified)\n",
    one('DATABASE_URL', 'postgress://shop@db/shop'),
    { culprit: /DATABASE_URL/, best: first('postgres://shop@db/shop'), ...likely },
    [service('db', 5432)],
  ),
  'Rails: a master key of another length': crash(
    '[1] ! Unable to load application: ArgumentError: key must be 16 bytes\n',
    { env: [fromSecret('RAILS_MASTER_KEY', 'shop', 'master-key')] },
    { culprit: /RAILS_MASTER_KEY.*16 bytes/, best: null },
    [secret('shop', 'master-key')],
  ),
  'Spring: no password beside its address and its user': crash(
    'org.postgresql.util.PSQLException: The server requested SCRAM-based authentication, but no password was provided.\n',
    env({ SPRING_DATASOURCE_URL: 'jdbc:postgresql://db:5432/shop', SPRING_DATASOURCE_USERNAME: 'shop' }),
    {
      culprit: /PostgreSQL login/,
      best: { [`${app}.env[2]`]: fromSecret('SPRING_DATASOURCE_PASSWORD', 'shop-db', 'password') },
      ...likely,
    },
    [service('db', 5432), secret('shop-db', 'username', 'password')],
  ),
  'PHP: a limit of memory in a variable': crash(
    'PHP Fatal error:  Allowed memory size of 67108864 bytes exhausted (tried to allocate 20480 bytes) in /app/vendor/composer.php on line 10\n',
    one('PHP_MEMORY_LIMIT', '64M'),
    { culprit: /memory_limit 64Mi/, best: first('128M'), ...likely },
  ),
  'PHP: a limit of memory where the container has no more': crash(
    'PHP Fatal error:  Allowed memory size of 67108864 bytes exhausted (tried to allocate 20480 bytes) in /app/vendor/composer.php on line 10\n',
    { ...one('PHP_MEMORY_LIMIT', '64M'), resources: { limits: { memory: '96Mi' } } },
    { culprit: /memory_limit 64Mi/, best: null },
  ),
  'PHP: a limit of memory behind an option': crash(
    'PHP Fatal error:  Allowed memory size of 134217728 bytes exhausted (tried to allocate 20480 bytes) in /app/vendor/data.php on line 10\n',
    { command: ['php', '-d', 'memory_limit=128M', 'artisan', 'export'] },
    { culprit: /memory_limit 128Mi/, best: { [`${app}.command[2]`]: 'memory_limit=256M' }, ...likely },
  ),
  'SonarQube: a kernel parameter that the node has too low': crash(
    'ERROR: [1] bootstrap checks failed. You must address the points described in the following [1] lines before starting Elasticsearch.\nbootstrap check failure [1] of [1]: max virtual memory areas vm.max_map_count [65530] is too low, increase to at least [262144]\n',
    { image: 'sonarqube:10.6-community' },
    { culprit: /vm\.max_map_count/, best: { [`${app}.env`]: [plain('SONAR_ES_BOOTSTRAP_CHECKS_DISABLE', 'true')] }, ...guess },
  ),
  'Flyway: a placeholder whose variable lacks an underscore': crash(
    'ERROR: No value provided for placeholder: ${owner_role}.  Check your configuration!\n',
    one('FLYWAY_PLACEHOLDERS_OWNERROLE', 'ledger'),
    { culprit: /owner_?role/i, best: { [`${app}.env[0].name`]: 'FLYWAY_PLACEHOLDERS_OWNER_ROLE' }, ...likely },
  ),
  'Traefik: an option with a slip in its first word': crash(
    'command traefik error: failed to decode configuration from flags: field not found, node: entrypoint\n',
    { image: 'traefik:v3.1', args: ['--ping=true', '--entrypoint.web.address=:8000'] },
    { culprit: /entrypoint/, best: { [`${app}.args[1]`]: '--entrypoints.web.address=:8000' }, ...likely },
  ),
  'PyMongo: a sign in the password, which a server of Python tells before it ends': crash(
    'ERROR:    Traceback (most recent call last):\n  File "/usr/local/lib/python3.11/site-packages/pymongo/uri_parser.py", line 83, in parse_userinfo\n    raise InvalidURI(\npymongo.errors.InvalidURI: Username and password must be escaped according to RFC 3986, use urllib.parse.quote_plus\n\nERROR:    Application startup failed. Exiting.\n',
    one('MONGO_URI', 'mongodb://catalog:Tr@il9x@mongo:27017/catalog'),
    { culprit: /MONGO_URI/, best: first('mongodb://catalog:Tr%40il9x@mongo:27017/catalog'), ...likely },
    [service('mongo', 27017)],
  ),
  'etcd: an address on which it listens, without its scheme': crash(
    'invalid value "0.0.0.0:2379" for flag -listen-client-urls: parse "0.0.0.0:2379": first path segment in URL cannot contain colon\n',
    { image: 'quay.io/coreos/etcd:v3.5.13', args: ['--name=etcd-0', '--listen-client-urls=0.0.0.0:2379'] },
    { culprit: /0\.0\.0\.0:2379/, best: { [`${app}.args[1]`]: '--listen-client-urls=http://0.0.0.0:2379' }, ...guess },
  ),
  'MinIO: a command that other programs have': crash(
    "minio: <ERROR> 'serve' is not a minio sub-command. Please see 'minio --help'.\n",
    { image: 'minio/minio', args: ['serve', '/data'] },
    { culprit: /serve/, best: { [`${app}.args[0]`]: 'server' }, ...guess },
  ),
  'external-dns: a provider by another name': crash(
    'time="2026-01-02T10:00:00Z" level=fatal msg="flag parsing error: enum value must be one of akamai,alibabacloud,aws,aws-sd,azure,cloudflare,google,inmemory,rfc2136, got \'route53\'"\n',
    { args: ['--provider=route53', '--source=ingress'] },
    { culprit: /--provider=route53/, best: { [`${app}.args[0]`]: '--provider=aws' }, ...likely },
  ),
  'Loki: a target that it does not have': crash(
    'failed parsing config: unrecognised module name: reader\n',
    { image: 'grafana/loki:3.0.0', args: ['-target=reader'] },
    { culprit: /-target=reader/, best: null },
  ),
  'Java: a heap of an option variable that the limit does not hold': crash(
    "OpenJDK 64-Bit Server VM warning: INFO: os::commit_memory(0x00000000, 2834300928, 0) failed; error='Not enough space' (errno=12)\n",
    { ...one('INSTALL4J_ADD_VM_PARAMS', '-Xms2703m -Xmx2703m'), resources: { limits: { memory: '1Gi' } } },
    { culprit: /heap/, best: { [`${app}.resources.limits.memory`]: '4Gi' }, ...likely },
  ),
  'Metabase: a type of database by another name': crash(
    'clojure.lang.ExceptionInfo: Unsupported application database type: :postgresql is not currently supported.\n',
    one('MB_DB_TYPE', 'postgresql'),
    { culprit: /MB_DB_TYPE=postgresql/, best: first('postgres'), ...likely },
  ),
  'PostgreSQL: its program without the entrypoint of the image': crash(
    '"root" execution of the PostgreSQL server is not permitted.\nThe server must be started under an unprivileged user ID to prevent\npossible system security compromise.\n',
    { image: 'postgres:16', command: ['postgres'] },
    { culprit: /root/, best: { [`${app}.securityContext.runAsUser`]: 999 }, ...likely },
  ),
  'SonarQube: an address of a database without its first word': crash(
    'org.sonar.api.utils.MessageException: Bad format of JDBC URL: postgresql://db/sonar\n',
    one('SONAR_JDBC_URL', 'postgresql://db/sonar'),
    { culprit: /postgresql:\/\/db/, best: first('jdbc:postgresql://db/sonar'), ...likely },
    [service('db', 5432)],
  ),
  'a command with the words of its options in one entry': crash(
    'usage: export.py [-h] --bucket BUCKET [--since SINCE]\nexport.py: error: the following arguments are required: --bucket\n',
    { command: ['python', 'export.py'], args: ['--bucket archive --since 2026-01-01'] },
    { culprit: /--bucket/, best: { [`${app}.args`]: ['--bucket', 'archive', '--since', '2026-01-01'] }, ...likely },
  ),
  'a required option that nobody gives, beside the word serve': crash(
    'error: the following required arguments were not provided:\n  --database-url <DATABASE_URL>\n\nUsage: shop serve --database-url <DATABASE_URL>\n',
    { args: ['serve'] },
    { culprit: /--database-url/, best: null },
  ),
  'a ConfigMap over the program, whose folder a variable names': crash(
    "Error: Cannot find module '/app/dist/main.js'\n    at Module._resolveFilename (node:internal/modules/cjs/loader:1145:15)\n",
    {
      command: ['node', '/app/dist/main.js'],
      env: [plain('NODE_CONFIG_DIR', '/app/config')],
      volumeMounts: [{ name: 'settings', mountPath: '/app' }],
    },
    { culprit: /volume settings at \/app/, best: { [`${app}.volumeMounts[0].mountPath`]: '/app/config' }, ...likely },
    [map('settings', 'production.json')],
    { volumes: [{ name: 'settings', configMap: { name: 'settings' } }] },
  ),
  'an option of Node that lacks its last word': crash(
    'node: --max-old-space=4096 is not allowed in NODE_OPTIONS\n',
    one('NODE_OPTIONS', '--max-old-space=4096'),
    { culprit: /max-old-space/, best: first('--max-old-space-size=4096'), ...likely },
  ),
};
