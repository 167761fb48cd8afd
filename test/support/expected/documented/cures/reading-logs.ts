import type { PodSpec } from '../../../../../src/crd/kubernetes.ts';
import type { CureRow } from './cure.ts';
import { app, crash, guess, likely } from './rows.ts';

type Container = Partial<PodSpec['containers'][0]>;
const variable = (name: string, value: string): Container => ({ env: [{ name, value }] });
const value = (to: string): object => ({ [`${app}.env[0].value`]: to });
const panic = (message: string): string =>
  `2026-01-02T10:00:00.118203Z  INFO shop: starting\nthread 'main' panicked at src/main.rs:31:10:\n${message}\nnote: run with \`RUST_BACKTRACE=1\` environment variable to display a backtrace`;
const NO_BUG = /^(?![\s\S]*has a bug)/;
const BUG = /has a bug/;
const PG_ERROR = (more: string): string =>
  `cannot connect: Database(PgDatabaseError { severity: Fatal, code: "28000", message: "no pg_hba.conf entry for host \\"10.1.0.9\\", user \\"shop\\", database \\"shop\\", ${more}", detail: None, hint: None, file: Some("auth.c"), line: Some(540), routine: Some("ClientAuthentication") })`;
/** A Python traceback with the same prefix on each line. */
const logged = (prefix: string, ...lines: string[]): string =>
  ['Traceback (most recent call last):', '  File "/app/engine.py", line 532, in start', ...lines].map((line) => prefix + line).join('\n');

/** Logs whose cause is not in the line that looks like the error. */
export const READING_LOGS: Record<string, CureRow> = {
  'Rust: a panic of two lines about a file': crash(
    panic('cannot read the settings: Io { path: "/etc/shop/settings.toml", reason: "bad magic number" }'),
    {},
    { culprit: /cannot read the settings/, best: null, says: NO_BUG },
  ),
  'Rust: a panic about the error of somebody else': crash(
    panic('called `Result::unwrap()` on an `Err` value: LicenceRejected("seats exceeded")'),
    {},
    { culprit: /^LicenceRejected/, best: null, says: NO_BUG },
  ),
  'Rust: an index out of bounds is a bug': crash(
    panic('index out of bounds: the len is 3 but the index is 7'),
    {},
    {
      culprit: /index out of bounds: the len is 3/,
      best: null,
      says: BUG,
    },
  ),
  'Rust: nothing where something should be is a bug': crash(
    panic('called `Option::unwrap()` on a `None` value'),
    {},
    {
      culprit: /`Option::unwrap\(\)` on a `None`/,
      best: null,
      says: BUG,
    },
  ),
  'Rust: overflow is a bug, in the form of one line': crash(
    "thread 'main' panicked at 'attempt to subtract with overflow', src/main.rs:4:5",
    {},
    { culprit: /attempt to subtract with overflow/, best: null, says: BUG },
  ),
  'PostgreSQL with TLS only, which the address switches off': crash(
    panic(PG_ERROR('no encryption')),
    variable('DATABASE_URL', 'postgres://shop@db.example.com/shop?sslmode=disable&connect_timeout=5'),
    {
      culprit: /no encryption/,
      best: value('postgres://shop@db.example.com/shop?sslmode=require&connect_timeout=5'),
      ...likely,
    },
  ),
  'PostgreSQL with TLS only, which a variable switches off': crash(
    'psycopg.OperationalError: connection failed: FATAL:  no pg_hba.conf entry for host "10.1.0.9", user "shop", database "shop", SSL off',
    variable('PGSSLMODE', 'disable'),
    { culprit: /pg_hba\.conf/, best: value('require'), ...likely },
  ),
  'PostgreSQL lets nobody in from there, with TLS or without': crash(
    'connection to server at "db.example.com" (10.2.0.4), port 5432 failed: FATAL:  no pg_hba.conf entry for host "10.1.0.9", user "shop", database "shop", SSL encryption\nconnection to server at "db.example.com" (10.2.0.4), port 5432 failed: FATAL:  no pg_hba.conf entry for host "10.1.0.9", user "shop", database "shop", no encryption',
    variable('DATABASE_URL', 'postgres://shop@db.example.com/shop?sslmode=prefer'),
    { culprit: /shop/, best: null },
  ),
  'Elixir: the exception below two headings': crash(
    '10:00:00.118 [notice] Application shop exited: exited in: Shop.Application.start(:normal, [])\n    ** (EXIT) an exception was raised:\n        ** (Ecto.InvalidURLError) invalid URL ecto://shop:k, path should be a database name. The parsed URL is: %URI{scheme: "ecto", authority: "shop:k", userinfo: nil, host: "shop", port: nil, path: nil, query: nil, fragment: "ng?fisher@postgres/shop"}\n            (ecto 3.12.4) lib/ecto/repo/supervisor.ex:171: Ecto.Repo.Supervisor.parse_url/1',
    {},
    { culprit: /Ecto\.InvalidURLError/, best: null },
  ),
  'Elixir: an argument error below a failed child': crash(
    '** (Mix) Could not start application shop: Shop.Application.start(:normal, []) returned an error: shutdown: failed to start child: Shop.Repo\n    ** (EXIT) an exception was raised:\n        ** (ArgumentError) pool of size zero\n            (db_connection 2.7.0) lib/db_connection.ex:9: DBConnection.init/1',
    {},
    { culprit: /pool of size zero|Could not start application shop/, best: null, says: /pool of size zero/ },
  ),
  'Python: a trace behind a prefix, and a heading before it': crash(
    `ERROR 01-02 10:00:32 [core.py:396] EngineCore failed to start.\n${logged('ERROR 01-02 10:00:32 [core.py:396] ', '    raise ValueError(', 'ValueError: bucket of 12 shards does not divide 5 ranks')}\nTraceback (most recent call last):\n  File "/usr/local/bin/serve", line 10, in <module>\n    sys.exit(main())\nRuntimeError: Engine core initialization failed. See root cause above.`,
    {},
    { culprit: /ValueError: bucket of 12 shards/, best: null },
  ),
  'Python: a trace that a supervisor prints': crash(
    `web.1 | worker crashed\n${logged('web.1 | ', '    connect()', 'PlanError: plan LITE has no queue')}\nweb.1 | stopping`,
    {},
    { culprit: /plan LITE has no queue/, best: null },
  ),
  'a model with a longer context than the card has room for': crash(
    "ValueError: The model's max seq len (131072) is larger than the maximum number of tokens that can be stored in KV cache (39296). Try increasing `gpu_memory_utilization` or decreasing `max_model_len` when initializing the engine.",
    { args: ['serve', 'example/model-7b', '--port=8000'] },
    { culprit: /max_model_len/, best: { [`${app}.args[3]`]: '--max-model-len=39296' }, ...likely },
  ),
  'a context that the manifest sets, in the newer words': crash(
    "ValueError: To serve at least one request with the models's max seq len (32768), (4.50 GiB KV cache is needed, which is larger than the available KV cache memory (2.10 GiB). Based on the available memory, the estimated maximum model length is 15280. Try increasing `gpu_memory_utilization` or decreasing `max_model_len` when initializing the engine.",
    { args: ['--model', 'example/model-7b', '--max-model-len', '32768'] },
    { culprit: /max_model_len/, best: { [`${app}.args[3]`]: '15280' }, ...likely },
  ),
  'no room for any context': crash(
    'ValueError: No available memory for the cache blocks. Try increasing `gpu_memory_utilization` when initializing the engine.',
    { args: ['serve', 'example/model-7b'] },
    { culprit: /No available memory for the cache blocks/, best: null, says: NO_BUG },
  ),
  'Kafka: the id of other data': crash(
    '[2026-01-02 10:00:02,771] ERROR [KafkaServer id=0] Fatal error during startup. Prepare to shutdown (kafka.server.KafkaServer)\njava.lang.RuntimeException: Invalid cluster.id in: /var/lib/kafka/data/meta.properties. Expected 4L6g3nShT-eMCtK--X86sw, but read MkU3OEVBNTcwNTJENDM2Qk\n\tat kafka.Kafka$.buildServer(Kafka.scala:82)',
    variable('CLUSTER_ID', '4L6g3nShT-eMCtK--X86sw'),
    { culprit: /CLUSTER_ID/, best: value('MkU3OEVBNTcwNTJENDM2Qk'), ...guess },
  ),
  'a node that was registered under another name': crash(
    "FATAL: identity of the data folder differs: found 'store-eu1', but expected 'store-us1'",
    variable('NODE_NAME', 'store-us1'),
    { culprit: /NODE_NAME/, best: value('store-eu1'), ...guess },
  ),
  'a node whose option names another cluster': crash(
    'FATAL: identity of the data folder differs: expected prod-7f3a, but found prod-11bd in /data/meta.json',
    { args: ['serve', '--cluster-name=prod-7f3a'] },
    { culprit: /--cluster-name/, best: { [`${app}.args[1]`]: '--cluster-name=prod-11bd' }, ...guess },
  ),
  'a node whose option stands before its value': crash(
    "FATAL: found 'store-eu1', but expected 'store-us1'",
    { args: ['--node', 'store-us1', '--verbose'] },
    { culprit: /--node/, best: { [`${app}.args[1]`]: 'store-eu1' }, ...guess },
  ),
  'a word of the command that is no value': crash(
    "FATAL: found 'store-eu1', but expected 'store-us1'",
    { args: ['serve', 'store-us1'] },
    { culprit: /store-us1/, best: null },
  ),
  'a digest in an option is not to be trusted': crash(
    'fatal: download of plugin.jar: expected 9f86d081884c7d65, but got 60303ae22b998861',
    { args: ['--plugin-digest=9f86d081884c7d65'] },
    { culprit: /9f86d081884c7d65/, best: null },
  ),
  'a checksum that differs is no reason to take the other one': crash(
    'fatal: download of plugin.jar: expected 9f86d081884c7d65, but got 60303ae22b998861',
    variable('PLUGIN_SHA256', '9f86d081884c7d65'),
    { culprit: /expected 9f86d081884c7d65|PLUGIN_SHA256/, best: null },
  ),
  'an expected type is no value': crash('Error: settings.size: expected number, but got text', variable('KIND', 'number'), {
    culprit: /expected number/,
    best: null,
  }),
  'a sentence that only says that it failed, and the reason behind it': crash(
    'mc: <ERROR> Unable to initialize new alias from the provided credentials. The Access Key Id you provided does not exist in our records.',
    {},
    { culprit: /Access Key Id you provided does not exist/, best: null },
  ),
  'input that cannot be read is no bug': crash(
    'Traceback (most recent call last):\n  File "/app/import.py", line 22, in <module>\n    frame = pd.read_csv(path)\npandas.errors.ParserError: Error tokenizing data. C error: Expected 7 fields in line 4102, saw 9',
    {},
    { culprit: /line 4102/, best: null, says: NO_BUG },
  ),
  'bytes that are no text': crash(
    "Traceback (most recent call last):\n  File \"/app/import.py\", line 3, in <module>\n    text = handle.read()\nUnicodeDecodeError: 'utf-8' codec can't decode byte 0xff in position 0: invalid start byte",
    {},
    { culprit: /UnicodeDecodeError|codec can't decode/, best: null, says: NO_BUG },
  ),
  'a type that does not fit is a bug': crash(
    "Traceback (most recent call last):\n  File \"/app/import.py\", line 3, in <module>\n    total += row\nTypeError: unsupported operand type(s) for +=: 'int' and 'list'",
    {},
    { culprit: /unsupported operand/, best: null, says: BUG },
  ),
};
