import type { CureRow } from './cure.ts';
import { app, crash, env, guess, likely, secret, service } from './rows.ts';

const claim = { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] };
const PREFIX = 'ERROR 06-25 11:08:47 [core.py:515] ';

/** Crash loops that users of databases, brokers and other programs often ask about. The texts follow the messages of the programs. */
export const ASKED_BY_USERS: Record<string, CureRow> = {
  'a CPU without AVX, for MongoDB': crash(
    'WARNING: MongoDB 5.0+ requires a CPU with AVX support, and your current system does not appear to have that!\n\n/usr/local/bin/docker-entrypoint.sh: line 420:    26 Illegal instruction     (core dumped) "${mongodHackedArgs[@]}" --fork\n',
    { image: 'mongo:7.0' },
    { culprit: /AVX.*mongo:7\.0/, best: { [`${app}.image`]: 'mongo:4.4' }, ...guess },
  ),
  'data of a data centre with another name': crash(
    "WARN  [main] 2025-09-18 12:20:43,610 NativeLibrary.java:201 - Unable to lock JVM memory (ENOMEM). This can result in part of the JVM being swapped out, especially with mmapped I/O enabled. Increase RLIMIT_MEMLOCK.\nERROR [main] 2025-09-18 12:20:46,208 CassandraDaemon.java:898 - Cannot start node if snitch's data center (dc1) differs from previous data center (datacenter1). Please fix the snitch configuration, decommission and rebootstrap this node or use the flag -Dcassandra.ignore_dc=true.\n",
    { image: 'cassandra:4.1', ...env({ CASSANDRA_CLUSTER_NAME: 'metrics', CASSANDRA_DC: 'dc1' }) },
    { culprit: /CASSANDRA_DC=dc1/, best: { [`${app}.env[1].value`]: 'datacenter1' }, ...likely },
    [],
    claim,
  ),
  'too few memory areas, for Elasticsearch': crash(
    'ERROR: [1] bootstrap checks failed\n[1]: max virtual memory areas vm.max_map_count [65530] is too low, increase to at least [262144]\n',
    { image: 'docker.elastic.co/elasticsearch/elasticsearch:8.14.1', ...env({ 'cluster.name': 'logs' }) },
    {
      culprit: /vm\.max_map_count/,
      best: {
        [`${app}.env[1]`]: (to: unknown) => JSON.stringify(to) === '{"name":"node.store.allow_mmap","value":"false"}',
      },
      ...guess,
    },
  ),
  'a certificate and its key under other names': crash(
    'time="2024-06-03T09:12:44Z" level=fatal msg="open /certs/domain.crt: no such file or directory"\n',
    {
      image: 'registry:2.8.3',
      ...env({ REGISTRY_HTTP_TLS_CERTIFICATE: '/certs/domain.crt', REGISTRY_HTTP_TLS_KEY: '/certs/domain.key' }),
      volumeMounts: [{ name: 'certs', mountPath: '/certs' }],
    },
    {
      culprit: /domain\.crt/,
      best: { [`${app}.env[0].value`]: '/certs/tls.crt', [`${app}.env[1].value`]: '/certs/tls.key' },
      ...likely,
    },
    [secret('registry-tls', 'tls.crt', 'tls.key')],
    { volumes: [{ name: 'certs', secret: { secretName: 'registry-tls' } }] },
  ),
  'an address of a Service, in a trace behind a prefix': crash(
    `${[
      'Traceback (most recent call last):',
      '  File "/usr/local/lib/python3.12/dist-packages/vllm/envs.py", line 175, in get_vllm_port',
      '    raise ValueError(',
      "ValueError: VLLM_PORT 'tcp://10.96.184.21:8000' appears to be a URI. This may be caused by a Kubernetes service discovery issue,check the warning in: https://docs.vllm.ai/en/stable/serving/env_vars.html",
    ]
      .map((line) => PREFIX + line)
      .join(
        '\n',
      )}\nTraceback (most recent call last):\n  File "<frozen runpy>", line 198, in _run_module_as_main\n    raise RuntimeError("Engine core initialization failed. "\nRuntimeError: Engine core initialization failed. See root cause above. Failed core proc(s): {}\n`,
    { image: 'vllm/vllm-openai:v0.9.1', args: ['--host', '0.0.0.0'] },
    { culprit: /VLLM_PORT/, best: { 'spec.enableServiceLinks': false }, ...likely },
    [service('vllm', 8000)],
  ),
  'an address of a Service, in the causes of a Rust program': crash(
    'Error: failed to load configuration\n\nCaused by:\n    invalid type: found string "tcp://10.96.136.89:6379", expected u16 for key "REDIS_PORT" in environment variable(s)\n',
    {},
    { culprit: /REDIS_PORT/, best: { 'spec.enableServiceLinks': false }, ...likely },
    [service('redis', 6379)],
  ),
  'a home that Bundler does without': crash(
    "`/home/rails` is not writable.\nBundler will use `/tmp/bundler20250813-1-9h2kq71' as your home directory temporarily.\nMissing encryption key to decrypt file with. Ask your team for your master key and write it to /rails/config/master.key or put it in the ENV['RAILS_MASTER_KEY'].\n",
    env({ RAILS_ENV: 'production' }),
    {
      culprit: /RAILS_MASTER_KEY/,
      best: { [`${app}.env[1]`]: (to: unknown) => JSON.stringify(to).includes('tickets-rails') },
    },
    [secret('tickets-rails', 'RAILS_MASTER_KEY')],
  ),
  'a listener between brokers that is not advertised': crash(
    'Exception in thread "main" java.lang.IllegalArgumentException: requirement failed: inter.broker.listener.name must be a listener name defined in advertised.listeners. The valid options based on currently configured listeners are EXTERNAL,INTERNAL\n',
    env({
      KAFKA_ADVERTISED_LISTENERS: 'EXTERNAL://kafka.example.com:9094,INTERNAL://kafka:9092',
      KAFKA_INTER_BROKER_LISTENER_NAME: 'PLAINTEXT',
    }),
    { culprit: /KAFKA_INTER_BROKER_LISTENER_NAME/, best: { [`${app}.env[1].value`]: 'INTERNAL' }, ...likely },
  ),
  'a certificate for another Service': crash(
    'Error: Get "https://vault:8200/v1/sys/health": tls: failed to verify certificate: x509: certificate is valid for vault-active, localhost, not vault\n',
    env({ VAULT_ADDR: 'https://vault:8200' }),
    { culprit: /VAULT_ADDR=https:\/\/vault:8200/, best: { [`${app}.env[0].value`]: 'https://vault-active:8200' }, ...likely },
    [service('vault', 8200), service('vault-active', 8200)],
  ),
};
