import { fieldPath } from '../../../crd/field-path.ts';
import type { RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';
import { writtenInstead } from '../replace-text.ts';
import { editDistance } from '../similar-names.ts';
import { isSameMeaning } from '../synonyms.ts';

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
  [/metrics-server/i, ['cert-dir', 'secure-port', 'kubelet-insecure-tls', 'kubelet-preferred-address-types', 'kubelet-use-node-status-port', 'metric-resolution', 'kubelet-certificate-authority', 'requestheader-client-ca-file', 'tls-cert-file', 'tls-private-key-file']],
  [/node[-_]exporter/i, ['path.procfs', 'path.sysfs', 'path.rootfs', 'path.udev.data', 'web.listen-address', 'web.telemetry-path', 'web.config.file', 'collector.filesystem.mount-points-exclude', 'collector.filesystem.fs-types-exclude', 'collector.netclass.ignored-devices', 'collector.netdev.device-exclude', 'collector.textfile.directory', 'collector.systemd', 'no-collector.wifi', 'log.level']],
  [/blackbox[-_]exporter/i, ['config.file', 'web.listen-address', 'web.external-url', 'timeout-offset', 'config.check', 'history.limit', 'log.level']],
  [/kube-state-metrics/i, ['resources', 'namespaces', 'namespaces-denylist', 'port', 'telemetry-port', 'metric-labels-allowlist', 'metric-annotations-allowlist', 'metric-allowlist', 'metric-denylist', 'custom-resource-state-config', 'shard', 'total-shards', 'pod', 'pod-namespace', 'kubeconfig']],
  [/cluster-autoscaler/i, ['cloud-provider', 'nodes', 'node-group-auto-discovery', 'expander', 'skip-nodes-with-local-storage', 'skip-nodes-with-system-pods', 'balance-similar-node-groups', 'scale-down-enabled', 'scale-down-delay-after-add', 'scale-down-unneeded-time', 'scale-down-utilization-threshold', 'max-node-provision-time', 'max-nodes-total', 'stderrthreshold', 'logtostderr', 'namespace', 'cluster-name']],
  [/ingress-nginx|nginx-ingress/i, ['ingress-class', 'controller-class', 'election-id', 'configmap', 'publish-service', 'default-backend-service', 'default-ssl-certificate', 'validating-webhook', 'validating-webhook-certificate', 'validating-webhook-key', 'watch-namespace', 'watch-ingress-without-class', 'http-port', 'https-port', 'tcp-services-configmap', 'udp-services-configmap', 'enable-ssl-passthrough', 'enable-metrics', 'annotations-prefix', 'update-status', 'healthz-port']],
  [/cert-manager/i, ['cluster-resource-namespace', 'leader-election-namespace', 'acme-http01-solver-image', 'default-issuer-name', 'default-issuer-kind', 'default-issuer-group', 'max-concurrent-challenges', 'dns01-recursive-nameservers', 'dns01-recursive-nameservers-only', 'enable-certificate-owner-ref', 'feature-gates', 'namespace', 'secure-port', 'dynamic-serving-ca-secret-namespace', 'dynamic-serving-ca-secret-name', 'dynamic-serving-dns-names']],
  [/loki|mimir|tempo|promtail/i, ['config.file', 'config.expand-env', 'target', 'log.level', 'server.http-listen-port', 'server.grpc-listen-port', 'print-config-stderr', 'verify-config', 'auth.enabled', 'client.url']],
  [/thanos/i, ['tsdb.path', 'objstore.config', 'objstore.config-file', 'grpc-address', 'http-address', 'prometheus.url', 'endpoint', 'store', 'query.replica-label', 'data-dir', 'retention.resolution-raw', 'retention.resolution-5m', 'retention.resolution-1h', 'log.level', 'log.format', 'reloader.config-file', 'min-time', 'max-time', 'wait']],
  [/consul/i, ['server', 'bootstrap-expect', 'data-dir', 'config-dir', 'config-file', 'node', 'client', 'bind', 'advertise', 'retry-join', 'datacenter', 'domain', 'encrypt', 'ui', 'http-port', 'dns-port', 'log-level', 'join']],
  [/minio/i, ['address', 'console-address', 'certs-dir', 'quiet', 'anonymous', 'json', 'config-dir']],
  [/caddy/i, ['config', 'adapter', 'watch', 'environ', 'envfile', 'resume', 'pidfile']],
  [/coredns/i, ['conf', 'dns.port', 'pidfile', 'quiet', 'plugins', 'version']],
  [/argocd/i, ['repo-server', 'redis', 'insecure', 'rootpath', 'basehref', 'staticassets', 'dex-server', 'loglevel', 'logformat', 'disable-auth', 'port', 'metrics-port', 'app-resync', 'status-processors', 'operation-processors']],
  [/kubectl/i, ['namespace', 'filename', 'output', 'kubeconfig', 'context', 'selector', 'all-namespaces', 'field-selector', 'server-side', 'force-conflicts', 'dry-run', 'recursive', 'kustomize', 'timeout', 'token', 'server', 'validate', 'prune', 'overwrite', 'from-literal', 'from-file']],
  [/psql/i, ['host', 'port', 'username', 'dbname', 'command', 'file', 'set', 'variable', 'tuples-only', 'no-align', 'no-password', 'single-transaction', 'quiet', 'echo-all', 'output', 'list', 'csv']],
  [/curl/i, ['request', 'header', 'data', 'fail', 'silent', 'show-error', 'location', 'output', 'retry', 'retry-delay', 'retry-connrefused', 'connect-timeout', 'max-time', 'insecure', 'user', 'cacert', 'cert', 'key', 'compressed', 'include', 'head', 'proxy', 'upload-file', 'data-binary', 'fail-with-body']],
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
  // `txt-owner` for `txt-owner-id`, `leader-election-ns` for `leader-election-namespace`.
  const begun = options.filter((one) => (bare.includes('-') && folded(one).startsWith(`${folded(bare)}-`)) || isSameMeaning(bare, one));
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

/** Options of Node (Node.js, "Command-line API") and of the HotSpot VM ("The java Command") that manifests often have. */
const OF_RUNTIMES = [
  'max-old-space-size', 'max-semi-space-size', 'max-http-header-size', 'enable-source-maps', 'unhandled-rejections', 'openssl-legacy-provider',
  'dns-result-order', 'trace-warnings', 'experimental-vm-modules', 'heapsnapshot-signal', 'max-old-space-size-percentage', 'MaxRAMPercentage',
  'InitialRAMPercentage', 'MinRAMPercentage', 'MaxMetaspaceSize', 'UseContainerSupport', 'UseG1GC', 'UseZGC', 'UseSerialGC', 'UseParallelGC',
  'HeapDumpOnOutOfMemoryError', 'HeapDumpPath', 'ExitOnOutOfMemoryError', 'MaxGCPauseMillis', 'ActiveProcessorCount', 'ParallelGCThreads',
  'ConcGCThreads', 'MaxDirectMemorySize', 'AlwaysPreTouch', 'UseStringDeduplication', 'ReservedCodeCacheSize',
]; // prettier-ignore

/** Corrects a typo in an option of a runtime, wherever the container has it. */
export function optionOfRuntime(input: RuleInput, bare: string): Correction[] {
  const slips = OF_RUNTIMES.filter((one) => editDistance(one, bare) <= 2);
  // `max-old-space` for `max-old-space-size`: the shortest option that begins so.
  const begun = OF_RUNTIMES.filter((one) => bare.includes('-') && one.startsWith(`${bare}-`)).toSorted((a, b) => a.length - b.length);
  const near = slips.length > 0 ? slips : begun.slice(0, 1);
  const [to, ...more] = OF_RUNTIMES.includes(bare) ? [] : near;
  if (to === undefined || more.length > 0 || bare.length < 7) return [];
  const why = `the option is called ${code(to)}`;
  const explanation = `${code(bare)} looks like a slip of ${code(to)}.`;
  return ['--', '-XX:+', '-XX:-', '-XX:'].flatMap((sign) =>
    writtenInstead(input, { from: `${sign}${bare}`, to: `${sign}${to}` }, { why, explanation }),
  );
}
