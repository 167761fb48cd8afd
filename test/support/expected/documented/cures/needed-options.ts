import type { CureRow } from './cure.ts';
import { app, crash, env, fromSecret, guess, likely, secret } from './rows.ts';

const ofPod = { name: 'SELF', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } };
const NATS = 'nats-server: jetstream cluster requires `server_name` to be set\n';
const VECTOR = 'ERROR vector::cli: Configuration error. error=Missing environment variable in config. name = "ES_PASSWORD"\n';
const BFLOAT = `Traceback (most recent call last):
  File "/usr/local/lib/python3.12/site-packages/vllm/worker/worker.py", line 461, in _check_dtype
    raise ValueError(
ValueError: Bfloat16 is only supported on GPUs with compute capability of at least 8.0. Your Tesla T4 GPU has compute capability 7.5. You can use float16 instead by explicitly setting the \`dtype\` flag in CLI, for example: --dtype=half.
Traceback (most recent call last):
  File "/usr/local/lib/python3.12/site-packages/vllm/entrypoints/openai/api_server.py", line 585, in <module>
    uvloop.run(run_server(args))
RuntimeError: Engine process failed to start
`;
const lines = (name: string) =>
  `2024-05-14T08:14:04.219035Z 1 [ERROR] [MY-011087] [Server] Different ${name} settings for server ('1') and data dictionary ('0').\n[ERROR] [MY-010020] [Server] Data Dictionary initialization failed.\n`;
const discovery = (more: Record<string, string>) => env({ 'node.name': 'search-0', 'discovery.type': 'single-node', ...more });
const ELASTIC =
  'fatal exception while booting Elasticsearch: setting [cluster.initial_master_nodes] is not allowed when [discovery.type] is set to [single-node]\n';

/** Options and variables that are missing, or that the program does not take as it runs. */
export const NEEDED_OPTIONS: Record<string, CureRow> = {
  'a server of a cluster without a name': crash(
    NATS,
    { command: ['nats-server'], args: ['--jetstream', '--cluster_name=orders'], env: [ofPod] },
    { culprit: /server_name/, best: { [`${app}.args[2]`]: '--server_name=$(SELF)' }, ...likely },
  ),
  'a server of a cluster without a name, in a pod that does not know its own': crash(
    NATS,
    { args: ['--jetstream'] },
    {
      culprit: /server_name/,
      best: { [`${app}.env`]: [{ ...ofPod, name: 'POD_NAME' }], [`${app}.args[1]`]: '--server_name=$(POD_NAME)' },
      ...likely,
    },
  ),
  'a server of a cluster with a name': crash(NATS, { args: ['--server_name=a', '--jetstream'] }, { culprit: /server_name/, best: null }),
  'a receiver without a label': crash(
    'ts=2024-05-14T11:08:20.404Z level=error err="no external labels configured for receive, uniquely identifying external labels must be configured"\n',
    { args: ['receive', '--tsdb.path=/var/thanos'], env: [ofPod] },
    { culprit: /label/, best: { [`${app}.args[2]`]: '--label=receive_replica="$(SELF)"' }, ...likely },
  ),
  'a proxy that does not say who it is': crash(
    "ads: node 'id' and 'cluster' are required. Set it either in 'node' config or via --service-node and --service-cluster options.\n",
    { command: ['envoy'], args: ['-c', '/etc/envoy.yaml'], env: [ofPod] },
    {
      culprit: /service-node/,
      best: {
        [`${app}.args[2]`]: '--service-node',
        [`${app}.args[3]`]: '$(SELF)',
        [`${app}.args[4]`]: '--service-cluster',
        [`${app}.args[5]`]: 'app',
      },
      ...guess,
    },
  ),
  'variables in a file that the program does not replace': crash(
    'failed parsing config: /etc/loki/config.yaml: yaml: unmarshal errors:\n  line 9: cannot unmarshal !!str `${COPIES}` into int. Use `-config.expand-env=true` flag if you want to expand environment variables in your config file\n',
    { args: ['-config.file=/etc/loki/config.yaml'], ...env({ COPIES: '1' }) },
    { culprit: /config\.expand-env/, best: { [`${app}.args[1]`]: '-config.expand-env=true' }, ...likely },
  ),
  'an option of the other mode': crash(
    'The following flag(s) can not be used in agent mode: ["--storage.tsdb.retention.time"]',
    { args: ['--enable-feature=agent', '--storage.tsdb.retention.time=24h', '--web.enable-lifecycle'] },
    {
      culprit: /storage\.tsdb\.retention\.time/,
      best: { [`${app}.args`]: ['--enable-feature=agent', '--web.enable-lifecycle'] },
      ...likely,
    },
  ),
  'an option of the other mode, which the container does not give': crash(
    'The following flag(s) can not be used in agent mode: ["--storage.tsdb.retention.time"]',
    { args: ['--enable-feature=agent'] },
    { culprit: /storage\.tsdb\.retention\.time/, best: null },
  ),
  'an option that another one forbids': crash(
    'error: --replicas can only be used with --cluster\n',
    { args: ['serve', '--replicas=3', '--port=80'] },
    { culprit: /--replicas/, best: { [`${app}.args`]: ['serve', '--port=80'] }, ...likely },
  ),
  'a setting beside one that forbids it': crash(
    ELASTIC,
    discovery({ 'cluster.initial_master_nodes': 'search-0', ES_JAVA_OPTS: '-Xmx1g' }),
    {
      culprit: /cluster\.initial_master_nodes/,
      best: { [`${app}.env[2]`]: null },
      ...likely,
    },
  ),
  'a setting beside one that forbids it, from a file': crash(ELASTIC, discovery({ ES_JAVA_OPTS: '-Xmx1g' }), {
    culprit: /cluster\.initial_master_nodes|discovery\.type/,
    best: null,
  }),
  'a setting with another value than that of the data': crash(
    lines('lower_case_table_names'),
    { args: ['--max-connections=300', '--lower-case-table-names=1'] },
    { culprit: /lower-case-table-names/, best: { [`${app}.args[1]`]: '--lower-case-table-names=0' }, ...guess },
  ),
  'a setting with another value than that of the data, from a file': crash(
    lines('lower_case_table_names'),
    { args: ['--max-connections=1'] },
    { culprit: /lower_case_table_names/, best: null },
  ),
  'a password beside a user from a Secret': crash(
    VECTOR,
    { env: [{ name: 'ES_URL', value: 'http://logs:9200' }, fromSecret('ES_USER', 'search', 'username')] },
    {
      culprit: /ES_PASSWORD/,
      best: { [`${app}.env[2]`]: fromSecret('ES_PASSWORD', 'search', 'password') },
      ...likely,
    },
    [secret('search', 'username', 'password'), secret('other', 'password')],
  ),
  'a password beside a user from a Secret without one': crash(
    VECTOR,
    { env: [fromSecret('ES_USER', 'search', 'username')] },
    { culprit: /ES_PASSWORD/, best: null },
    [secret('search', 'username', 'ca'), secret('other', 'password')],
  ),
  'a password beside a user of something else': crash(
    VECTOR,
    { env: [fromSecret('DB_USER', 'db', 'username')] },
    { culprit: /ES_PASSWORD/, best: null },
    [secret('db', 'username', 'password')],
  ),
  'a switch that Redis calls yes or no': crash(
    "*** FATAL CONFIG FILE ERROR (Redis 7.2.5) ***\nReading the configuration file, at line 2\n>>> 'appendonly \"true\"'\nargument must be 'yes' or 'no'\n",
    { args: ['--port', '6379', '--appendonly', 'true'] },
    { culprit: /appendonly/, best: { [`${app}.args[3]`]: 'yes' }, ...likely },
  ),
  'a switch with a word of its own': crash(
    "*** FATAL CONFIG FILE ERROR (Redis 7.2.5) ***\nReading the configuration file, at line 2\n>>> 'appendonly \"maybe\"'\nargument must be 'yes' or 'no'\n",
    { args: ['--port', '6379', '--appendonly', 'maybe'] },
    { culprit: /appendonly/, best: null },
  ),
  'a field that has the name of a level': crash(
    "pydantic_core._pydantic_core.ValidationError: 1 validation error for Settings\ndebug\n  Input should be a valid boolean, unable to interpret input [type=bool_parsing, input_value='ja', input_type=str]\n",
    env({ PORT: '8000', DEBUG: 'ja' }),
    { culprit: /DEBUG/, best: { [`${app}.env[1].value`]: 'true' }, ...likely },
  ),
  'a password that is too short, as a hint says': crash(
    'FATAL Invalid credentials\n      > Please provide correct credentials\n      HINT:\n        MINIO_ROOT_PASSWORD length should be at least 8 characters\n',
    env({ MINIO_ROOT_USER: 'admin', MINIO_ROOT_PASSWORD: 's3cret' }),
    { culprit: /MINIO_ROOT_PASSWORD/, best: { [`${app}.env[1].value`]: 'replace-' }, ...guess },
  ),
  'a type of database by its usual name': crash(
    'Error: ✗ failed to connect to database: unknown database type: postgresql\n',
    env({ GF_DATABASE_TYPE: 'postgresql', GF_DATABASE_HOST: 'postgres:5432' }),
    { culprit: /GF_DATABASE_TYPE/, best: { [`${app}.env[0].value`]: 'postgres' }, ...likely },
  ),
  'the key of a seal, under a name that lacks a word': crash(
    "Error parsing Seal configuration: 'kms_key_id' not found for AWS KMS sealing\n",
    env({ VAULT_SEAL_TYPE: 'awskms', VAULT_AWSKMS_KEY_ID: 'abc' }),
    { culprit: /VAULT_AWSKMS_SEAL_KEY_ID/, best: { [`${app}.env[1].name`]: 'VAULT_AWSKMS_SEAL_KEY_ID' }, ...guess },
  ),
  'a member whose list has another address for it': crash(
    '{"level":"fatal","msg":"discovery failed","error":"--initial-cluster has a=http://a.etcd:2380 but missing from --initial-advertise-peer-urls=http://a.peers:2380 (resolved urls: ..."}\n',
    { args: ['--name=a', '--initial-cluster=a=http://a.etcd:2380', '--initial-advertise-peer-urls=http://a.peers:2380'] },
    { culprit: /initial-cluster/, best: { [`${app}.args[1]`]: '--initial-cluster=a=http://a.peers:2380' }, ...likely },
  ),
  'members of etcd that are not called as their hosts': crash(
    '{"level":"fatal","msg":"discovery failed","error":"couldn\'t find local name \\"e-0\\" in the initial cluster configuration"}\n',
    { args: ['--name=$(POD_NAME)', '--initial-cluster=e0=http://e-0.peers:2380,e1=http://e-1.peers:2380'] },
    {
      culprit: /initial-cluster/,
      best: { [`${app}.args[1]`]: '--initial-cluster=e-0=http://e-0.peers:2380,e-1=http://e-1.peers:2380' },
      ...likely,
    },
  ),
  'members of etcd, none of which has the name as its host': crash(
    '{"level":"fatal","msg":"discovery failed","error":"couldn\'t find local name \\"e-9\\" in the initial cluster configuration"}\n',
    { args: ['--name=$(POD_NAME)', '--initial-cluster=e0=http://e-0.peers:2380,e1=http://e-1.peers:2380'] },
    { culprit: /e-9/, best: null },
  ),
  'a single node of OpenSearch under the name of a variable': crash(
    '[2024-03-06T14:02:28,885][ERROR][o.o.b.Bootstrap          ] [search-0] node validation exception\n[1] bootstrap checks failed\n[1]: the default discovery settings are unsuitable for production use; at least one of [discovery.seed_hosts] must be configured\n',
    env({ 'cluster.name': 'logs', DISCOVERY_TYPE: 'single-node' }),
    { culprit: /discovery/, best: { [`${app}.env[1].name`]: 'discovery.type' }, ...likely },
  ),
  'one of two variables that are needed together': crash(
    'Error loading config:\n  Both `SMTP_HOST` and `SMTP_FROM` need to be set for email support without `USE_SENDMAIL`\n',
    env({ SMTP_HOST: 'relay', SMTP_FROM_ADDRESS: 'vault@example.org' }),
    { culprit: /SMTP_FROM/, best: { [`${app}.env[1].name`]: 'SMTP_FROM' }, ...guess },
  ),
  'what another process of the program said before': crash(
    BFLOAT,
    { args: ['--dtype=bfloat16', '--port=8000'] },
    { culprit: /[Bb]float16/, best: { [`${app}.args[0]`]: '--dtype=half' }, ...likely },
  ),
};
