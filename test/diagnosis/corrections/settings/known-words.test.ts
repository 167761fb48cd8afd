import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { knownOption } from '../../../../src/diagnosis/corrections/settings/known-option.ts';
import { misspeltWord } from '../../../../src/diagnosis/corrections/settings/misspelt-word.ts';
import { anInput } from '../../../support/builders/cases.ts';

const test = suite('slips in the words that servers know');

/** The word with two neighbours swapped, at each place behind its first letter. */
const slipsOf = (word: string): string[] =>
  Array.from(
    { length: word.length - 2 },
    (_, at) => word.slice(0, at + 1) + (word[at + 2] ?? '') + (word[at + 1] ?? '') + word.slice(at + 3),
  );

const OPTIONS: Record<string, string[]> = {
  mysql: [
    'max_connections max_allowed_packet innodb_buffer_pool_size innodb_log_file_size innodb_flush_log_at_trx_commit',
    'character_set_server collation_server default_authentication_plugin authentication_policy skip_name_resolve sql_mode',
    'server_id log_bin binlog_format binlog_expire_logs_seconds gtid_mode enforce_gtid_consistency wait_timeout',
    'interactive_timeout lower_case_table_names slow_query_log long_query_time bind_address datadir port default_time_zone',
    'local_infile table_open_cache thread_cache_size transaction_isolation read_only socket',
  ],
  mongo: [
    'replSet bind_ip bind_ip_all auth noauth dbpath port keyFile oplogSize wiredTigerCacheSizeGB logpath shardsvr configsvr',
    'configdb tlsMode tlsCertificateKeyFile tlsCAFile setParameter quiet directoryperdb journal',
  ],
  redis: [
    'appendonly appendfsync maxmemory maxmemory-policy requirepass save bind port dir dbfilename databases protected-mode',
    'replicaof masterauth tls-port tls-cert-file tls-key-file tls-ca-cert-file loglevel timeout cluster-enabled',
    'cluster-config-file cluster-node-timeout aclfile notify-keyspace-events tcp-keepalive io-threads',
  ],
  postgres: [
    'shared_buffers max_connections work_mem maintenance_work_mem effective_cache_size wal_level max_wal_senders max_wal_size',
    'min_wal_size wal_keep_size hot_standby listen_addresses port shared_preload_libraries ssl ssl_cert_file ssl_key_file',
    'log_statement log_min_duration_statement archive_mode archive_command max_replication_slots timezone',
    'max_worker_processes max_parallel_workers random_page_cost statement_timeout synchronous_commit autovacuum config_file',
  ],
  'prom/prometheus': [
    'config.file storage.tsdb.path storage.tsdb.retention.time storage.tsdb.retention.size web.enable-lifecycle',
    'web.listen-address web.external-url web.route-prefix web.enable-admin-api web.console.libraries web.console.templates',
    'web.config.file enable-feature log.level query.timeout query.max-concurrency storage.tsdb.wal-compression',
    'web.enable-remote-write-receiver',
  ],
  'prom/alertmanager': [
    'config.file storage.path data.retention web.listen-address web.external-url web.route-prefix cluster.listen-address',
    'cluster.peer cluster.advertise-address log.level',
  ],
  etcd: [
    'name data-dir listen-client-urls advertise-client-urls listen-peer-urls initial-advertise-peer-urls initial-cluster',
    'initial-cluster-token initial-cluster-state auto-compaction-retention auto-compaction-mode quota-backend-bytes',
    'snapshot-count cert-file key-file trusted-ca-file client-cert-auth peer-cert-file peer-key-file heartbeat-interval',
    'election-timeout',
  ],
  keycloak: [
    'hostname http-enabled http-port https-port db db-url db-username db-password proxy-headers health-enabled',
    'metrics-enabled import-realm optimized features cache log-level hostname-strict http-relative-path',
  ],
  'oauth2-proxy': [
    'provider client-id client-secret cookie-secret oidc-issuer-url upstream http-address email-domain redirect-url',
    'cookie-secure cookie-domain whitelist-domain pass-access-token set-xauthrequest skip-provider-button reverse-proxy scope',
    'code-challenge-method',
  ],
  gunicorn: [
    'bind workers worker-class threads timeout graceful-timeout keep-alive max-requests max-requests-jitter access-logfile',
    'error-logfile log-level preload chdir forwarded-allow-ips worker-tmp-dir',
  ],
  uvicorn: [
    'host port workers reload log-level root-path proxy-headers forwarded-allow-ips loop http factory timeout-keep-alive',
    'app-dir env-file log-config no-access-log',
  ],
  celery: [
    'concurrency loglevel queues pool app hostname max-tasks-per-child prefetch-multiplier time-limit soft-time-limit',
    'without-gossip without-mingle schedule scheduler broker autoscale events',
  ],
  nats: [
    'jetstream store_dir port http_port cluster cluster_name routes name config server_name user pass auth tls tlscert tlskey',
    'max_payload addr debug trace',
  ],
};
/** Their slips may mean another option too. */
const TWO_MEANT = new Set(['https-port', 'schedule', 'scheduler']);
for (const [image, lines] of Object.entries(OPTIONS))
  for (const option of lines.join(' ').split(' '))
    test(`${image}: a slip of ${option}`, () => {
      const written = (slip: string) => knownOption(anInput({ image, args: ['x', `--${slip}=1`] }), `--${slip}`)[0]?.changes[0]?.to;
      const all = [...slipsOf(option), `${option}x`].map(written);
      if (TWO_MEANT.has(option)) assert.equal(all.filter(Boolean), []);
      else assert.ok(all.includes(`--${option}=1`));
    });

const WORDS = [
  'true false enabled disabled always never production development staging debug info warning error trace localhost http https',
  'grpc amqp redis postgres postgresql mysql mariadb mongodb sqlite rabbitmq kafka memcached elasticsearch opensearch database',
  'default plaintext require required disable prefer verify-full verify-ca cluster standalone replica primary secondary',
  'filesystem memory local server worker scheduler webserver controller broker json yaml text gzip snappy sha256 bearer basic',
  'password certificate kubernetes docker ingester distributor querier query-frontend query-scheduler compactor store-gateway',
  'ruler overrides-exporter',
];
for (const word of WORDS.join(' ').split(' '))
  test(`a slip of ${word}`, () => {
    const written = (slip: string) => misspeltWord(anInput({ args: [slip] }), `unknown ${slip}`)?.correction.changes[0]?.to;
    assert.ok([...slipsOf(word), `${word}x`].some((slip) => written(slip) === word));
    assert.is(written(word), undefined, 'the word itself is right');
  });

test.run();
