import { fieldPath } from '../../../crd/field-path.ts';
import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';
import { editDistance } from '../similar-names.ts';

/** Common options of servers that people write into manifests. Source: the reference of each program's command line. */
const OPTIONS: readonly (readonly [program: RegExp, options: readonly string[]])[] = [
  [
    /mysql|mariadb|percona/i,
    [
      ...['max_connections', 'max_allowed_packet', 'innodb_buffer_pool_size', 'innodb_log_file_size', 'innodb_flush_log_at_trx_commit'],
      ...['character_set_server', 'collation_server', 'default_authentication_plugin', 'authentication_policy', 'skip_name_resolve'],
      ...['sql_mode', 'server_id', 'log_bin', 'binlog_format', 'binlog_expire_logs_seconds', 'gtid_mode', 'enforce_gtid_consistency'],
      ...['wait_timeout', 'interactive_timeout', 'lower_case_table_names', 'slow_query_log', 'long_query_time', 'bind_address', 'datadir', 'port'],
      ...['default_time_zone', 'local_infile', 'table_open_cache', 'thread_cache_size', 'transaction_isolation', 'read_only', 'socket'],
    ],
  ],
  [
    /mongo/i,
    [
      ...['replSet', 'bind_ip', 'bind_ip_all', 'auth', 'noauth', 'dbpath', 'port', 'keyFile', 'oplogSize', 'wiredTigerCacheSizeGB', 'logpath'],
      ...['shardsvr', 'configsvr', 'configdb', 'tlsMode', 'tlsCertificateKeyFile', 'tlsCAFile', 'setParameter', 'quiet', 'directoryperdb', 'journal'],
    ],
  ],
  [
    /redis|valkey/i,
    [
      ...['appendonly', 'appendfsync', 'maxmemory', 'maxmemory-policy', 'requirepass', 'save', 'bind', 'port', 'dir', 'dbfilename', 'databases'],
      ...['protected-mode', 'replicaof', 'masterauth', 'tls-port', 'tls-cert-file', 'tls-key-file', 'tls-ca-cert-file', 'loglevel', 'timeout'],
      ...['cluster-enabled', 'cluster-config-file', 'cluster-node-timeout', 'aclfile', 'notify-keyspace-events', 'tcp-keepalive', 'io-threads'],
    ],
  ],
  [
    /postgres|timescale|postgis/i,
    [
      ...['shared_buffers', 'max_connections', 'work_mem', 'maintenance_work_mem', 'effective_cache_size', 'wal_level', 'max_wal_senders'],
      ...['max_wal_size', 'min_wal_size', 'wal_keep_size', 'hot_standby', 'listen_addresses', 'port', 'shared_preload_libraries', 'ssl', 'ssl_cert_file'],
      ...['ssl_key_file', 'log_statement', 'log_min_duration_statement', 'archive_mode', 'archive_command', 'max_replication_slots', 'timezone'],
      ...['max_worker_processes', 'max_parallel_workers', 'random_page_cost', 'statement_timeout', 'synchronous_commit', 'autovacuum', 'config_file'],
    ],
  ],
  [
    /prometheus/i,
    [
      ...['config.file', 'storage.tsdb.path', 'storage.tsdb.retention.time', 'storage.tsdb.retention.size', 'web.enable-lifecycle', 'web.listen-address'],
      ...['web.external-url', 'web.route-prefix', 'web.enable-admin-api', 'web.console.libraries', 'web.console.templates', 'web.config.file'],
      ...['enable-feature', 'log.level', 'query.timeout', 'query.max-concurrency', 'storage.tsdb.wal-compression', 'web.enable-remote-write-receiver'],
    ],
  ],
  [/alertmanager/i, ['config.file', 'storage.path', 'data.retention', 'web.listen-address', 'web.external-url', 'web.route-prefix', 'cluster.listen-address', 'cluster.peer', 'cluster.advertise-address', 'log.level']],
  [
    /etcd/i,
    [
      ...['name', 'data-dir', 'listen-client-urls', 'advertise-client-urls', 'listen-peer-urls', 'initial-advertise-peer-urls', 'initial-cluster'],
      ...['initial-cluster-token', 'initial-cluster-state', 'auto-compaction-retention', 'auto-compaction-mode', 'quota-backend-bytes', 'snapshot-count'],
      ...['cert-file', 'key-file', 'trusted-ca-file', 'client-cert-auth', 'peer-cert-file', 'peer-key-file', 'heartbeat-interval', 'election-timeout'],
    ],
  ],
  [/keycloak/i, ['hostname', 'http-enabled', 'http-port', 'https-port', 'db', 'db-url', 'db-username', 'db-password', 'proxy-headers', 'health-enabled', 'metrics-enabled', 'import-realm', 'optimized', 'features', 'cache', 'log-level', 'hostname-strict', 'http-relative-path']],
  [/external-?dns/i, ['source', 'provider', 'policy', 'registry', 'txt-owner-id', 'txt-prefix', 'domain-filter', 'exclude-domains', 'interval', 'log-level', 'log-format', 'annotation-filter', 'label-filter', 'namespace', 'zone-id-filter', 'aws-zone-type', 'aws-assume-role', 'events', 'managed-record-types', 'metrics-address', 'cloudflare-proxied', 'publish-internal-services', 'fqdn-template']],
  [/oauth2[-_]proxy/i, ['provider', 'client-id', 'client-secret', 'cookie-secret', 'oidc-issuer-url', 'upstream', 'http-address', 'email-domain', 'redirect-url', 'cookie-secure', 'cookie-domain', 'whitelist-domain', 'pass-access-token', 'set-xauthrequest', 'skip-provider-button', 'reverse-proxy', 'scope', 'code-challenge-method']],
  [/gunicorn|python/i, ['bind', 'workers', 'worker-class', 'threads', 'timeout', 'graceful-timeout', 'keep-alive', 'max-requests', 'max-requests-jitter', 'access-logfile', 'error-logfile', 'log-level', 'preload', 'chdir', 'forwarded-allow-ips', 'worker-tmp-dir']],
  [/uvicorn/i, ['host', 'port', 'workers', 'reload', 'log-level', 'root-path', 'proxy-headers', 'forwarded-allow-ips', 'loop', 'http', 'factory', 'timeout-keep-alive', 'app-dir', 'env-file', 'log-config', 'no-access-log']],
  [/celery/i, ['concurrency', 'loglevel', 'queues', 'pool', 'app', 'hostname', 'max-tasks-per-child', 'prefetch-multiplier', 'time-limit', 'soft-time-limit', 'without-gossip', 'without-mingle', 'schedule', 'scheduler', 'broker', 'autoscale', 'events']],
  [/mysqldump|mariadb-dump/i, ['single-transaction', 'quick', 'routines', 'triggers', 'events', 'all-databases', 'databases', 'add-drop-table', 'no-tablespaces', 'set-gtid-purged', 'column-statistics', 'hex-blob', 'skip-lock-tables', 'lock-tables', 'result-file', 'no-data', 'no-create-info', 'default-character-set', 'ignore-table', 'master-data', 'source-data', 'ssl-mode', 'password', 'host', 'user', 'port']],
  [/pg_dump/i, ['format', 'file', 'host', 'port', 'username', 'dbname', 'schema', 'table', 'no-owner', 'no-privileges', 'no-acl', 'clean', 'if-exists', 'create', 'data-only', 'schema-only', 'exclude-table', 'compress', 'jobs', 'verbose', 'no-password', 'blobs']],
  [/nats/i, ['jetstream', 'store_dir', 'port', 'http_port', 'cluster', 'cluster_name', 'routes', 'name', 'config', 'server_name', 'user', 'pass', 'auth', 'tls', 'tlscert', 'tlskey', 'max_payload', 'addr', 'debug', 'trace']],
]; // prettier-ignore

const folded = (name: string): string => name.toLowerCase().replaceAll('_', '-');

/** Corrects a typo in an option of a well-known server. */
export function knownOption(input: RuleInput, option: string): Correction[] {
  const place = input.place();
  const { image = '', command = [], args = [] } = place?.container ?? {};
  const bare = option.replace(/^-+/, '').split('=', 1)[0] ?? '';
  const told = `${image} ${command.join(' ')} ${args[0] ?? ''}`.slice(0, 600);
  const options = OPTIONS.filter(([program]) => program.test(told)).flatMap(([, all]) => all);
  const limit = bare.length < 6 ? 1 : 2;
  // MySQL takes both `-` and `_`.
  if (options.some((one) => one === bare || one.replaceAll('_', '-') === bare)) return [];
  const slips = options.filter((one) => editDistance(folded(bare), folded(one)) <= limit);
  // `txt-owner` for `txt-owner-id`.
  const begun = options.filter((one) => bare.includes('-') && folded(one).startsWith(`${folded(bare)}-`));
  const near = slips.length > 0 ? slips : begun;
  const [to, ...more] = near;
  if (!place || to === undefined || more.length > 0 || bare.length < 3) return [];
  // The sign that was written stays.
  const written = bare.includes('-') && !to.includes('-') ? to.replaceAll('_', '-') : to;
  const changes = (['args', 'command'] as const).flatMap((list) =>
    (place.container?.[list] ?? []).flatMap((word, index) => {
      const [, before = '', own, after = ''] = /^(-{0,2})([\w.-]+)((?:=.*)?)$/s.exec(word) ?? [];
      return own === bare
        ? [change(place, fieldPath(place.path, list, index), `${before}${written}${after}`, `the option is called ${code(written)}`)]
        : [];
    }),
  );
  if (changes.length !== 1) return [];
  return [
    {
      title: `Write ${code(written)}`,
      changes,
      confidence: 'likely',
      explanation: `${code(bare)} looks like a slip of ${code(written)}.`,
      mirrorable: true,
    },
  ];
}
