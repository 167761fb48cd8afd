import type { KubeObject, PodSpec } from '../../../../../src/crd/kubernetes.ts';
import { loops, one } from '../documented.ts';
import type { Cure, CureRow } from './cure.ts';
import { map } from './rows.ts';

type Is = Omit<Cure, 'reason'>;

/** A program that mounts these ConfigMaps as folders (or, with a key, as a file). Its log says this. */
const mounted = (log: string, at: Record<string, string>, others: KubeObject[], is: Is, more: Partial<PodSpec> = {}): CureRow => ({
  object: one(
    'shop',
    loops(1),
    { volumeMounts: Object.entries(at).map(([mountPath], index) => ({ name: `v${index}`, mountPath })) },
    {
      volumes: Object.values(at).map((names, index) => {
        const maps = names.split('+');
        return maps.length === 1
          ? { name: `v${index}`, configMap: { name: names } }
          : { name: `v${index}`, projected: { sources: maps.map((name) => ({ configMap: { name } })) } };
      }),
      ...more,
    },
  ),
  log,
  others,
  is: { reason: 'CrashLoopBackOff', ...is },
});

const UNKNOWN: Record<string, CureRow> = {
  'RabbitMQ, a setting that it does not know, with two that it means': mounted(
    '2026-11-23 09:14:02.118203+00:00 [error] <0.154.0> You have tried to set vm_memory_high_watermark.absolut, but there is no setting with that name.\n2026-11-23 09:14:02.118311+00:00 [error] <0.154.0>   Did you mean one of these?\n2026-11-23 09:14:02.140203+00:00 [error] <0.154.0>     vm_memory_high_watermark.absolute\n2026-11-23 09:14:02.140311+00:00 [error] <0.154.0>     vm_memory_high_watermark.relative\n',
    { '/etc/rabbitmq': 'rabbitmq-config' },
    [map('rabbitmq-config', 'rabbitmq.conf', 'enabled_plugins')],
    {
      culprit: /vm_memory_high_watermark\.absolut/,
      best: null,
      says: /`vm_memory_high_watermark\.absolute`[^]*ConfigMap `rabbitmq-config`/,
    },
  ),
  'Prometheus, a field of a file that the line names': mounted(
    'ts=2026-11-23T09:14:02.118Z caller=main.go:587 level=error msg="Error loading config (--config.file=/etc/prometheus/prometheus.yml)" file=/etc/prometheus/prometheus.yml err="parsing YAML file /etc/prometheus/prometheus.yml: yaml: unmarshal errors:\\n  line 12: field scrape_intervall not found in type config.ScrapeConfig"\n',
    { '/etc/prometheus': 'prometheus-config' },
    [map('prometheus-config', 'prometheus.yml')],
    { culprit: /scrape_intervall|prometheus\.yml/, best: null, says: /key `prometheus\.yml` of ConfigMap `prometheus-config`/ },
  ),
  'a directive of nginx, in one of two ConfigMaps': mounted(
    'nginx: [emerg] unknown directive "proxy_passs" in /etc/nginx/conf.d/shop.conf:7\n',
    { '/etc/nginx/conf.d': 'shop-nginx', '/usr/share/nginx/html': 'shop-pages' },
    [map('shop-nginx', 'shop.conf'), map('shop-pages', 'index.html')],
    { culprit: /proxy_passs/, best: null, says: /key `shop\.conf` of ConfigMap `shop-nginx`/ },
  ),
  'a directive of a file of the image': mounted(
    'nginx: [emerg] unknown directive "proxy_passs" in /etc/nginx/nginx.conf:7\n',
    { '/usr/share/nginx/html': 'shop-pages' },
    [map('shop-pages', 'index.html')],
    { culprit: /proxy_passs/, best: null, says: /^(?![^]*shop-pages)/ },
  ),
  'Vector, a field with a proposal in the same line': mounted(
    'ERROR vector::cli: Configuration error. error=unknown field `inputss`, expected one of `inputs`, `type`, `encoding` in `sinks.out`\n',
    { '/etc/vector': 'vector' },
    [map('vector', 'vector.yaml')],
    { culprit: /inputss/, best: null, says: /`inputs`[^]*ConfigMap `vector`/ },
  ),
  'Redis, a directive': mounted(
    "*** FATAL CONFIG FILE ERROR (Redis 7.2.4) ***\nReading the configuration file, at line 3\n>>> 'maxmemory-polici allkeys-lru'\nBad directive or wrong number of arguments\n",
    { '/usr/local/etc/redis': 'redis-conf' },
    [map('redis-conf', 'redis.conf')],
    { culprit: /maxmemory-polici/, best: null, says: /line 3|ConfigMap `redis-conf`/ },
  ),
};

const CLASHES: Record<string, CureRow> = {
  'Grafana, two data sources that are both the default one': mounted(
    'logger=provisioning t=2026-11-23T09:14:03.118203Z level=error msg="Failed to provision data sources" error="Datasource provisioning error: datasource.yaml config is invalid. Only one datasource per organization can be marked as default"\n',
    { '/etc/grafana/provisioning/datasources': 'kube-prometheus-grafana-datasource+loki-stack' },
    [map('kube-prometheus-grafana-datasource', 'datasource.yaml'), map('loki-stack', 'loki-stack-datasource.yaml')],
    { culprit: /[Dd]ata ?source|default/, best: null, says: /kube-prometheus-grafana-datasource`[^]*`loki-stack`/ },
  ),
  'nginx, the same name in two files of one folder': mounted(
    'nginx: [emerg] duplicate upstream "api" in /etc/nginx/conf.d/web.conf:1\n',
    { '/etc/nginx/conf.d': 'edge-api+edge-web' },
    [map('edge-api', 'api.conf'), map('edge-web', 'web.conf')],
    { culprit: /duplicate upstream/, best: null, says: /`edge-api`[^]*`edge-web`|`edge-web`[^]*`edge-api`/ },
  ),
  'Prometheus, a rule group that is there twice, in two ConfigMaps': mounted(
    'level=error msg="loading groups failed" err="/etc/prometheus/rules/b.yml: groupname: \\"api\\" is repeated in the same file"\n',
    { '/etc/prometheus/rules': 'rules-a+rules-b' },
    [map('rules-a', 'a.yml'), map('rules-b', 'b.yml')],
    { culprit: /groupname|repeated|b\.yml/, best: null, says: /key `b\.yml` of ConfigMap `rules-b`/ },
  ),
  'Fluent Bit, two parsers of the same name': mounted(
    '[2026/11/23 09:14:02] [error] [config] error in /fluent-bit/etc/parsers.conf:3: parser "json" is already defined\n',
    { '/fluent-bit/etc': 'fluent-bit' },
    [map('fluent-bit', 'fluent-bit.conf', 'parsers.conf')],
    { culprit: /parsers\.conf|json/, best: null, says: /key `parsers\.conf` of ConfigMap `fluent-bit`/ },
  ),
};

const POOLS: Record<string, CureRow> = {
  'PHP-FPM, the sizes of a pool': mounted(
    '[23-Nov-2026 09:14:02] ALERT: [pool www] pm.start_servers(15) must not be less than pm.min_spare_servers(2) and not greater than pm.max_spare_servers(10)\n[23-Nov-2026 09:14:02] ERROR: failed to post process the configuration\n[23-Nov-2026 09:14:02] ERROR: FPM initialization failed\n',
    { '/usr/local/etc/php-fpm.d': 'fpm-pool' },
    [map('fpm-pool', 'zz-pool.conf')],
    { culprit: /pm\.start_servers/, best: null, says: /ConfigMap `fpm-pool`/ },
  ),
  'HAProxy, an alert before the end': mounted(
    "[NOTICE]   (1) : haproxy version is 3.0.5\n[ALERT]    (1) : config : [/usr/local/etc/haproxy/haproxy.cfg:14] : unable to find required default_backend: 'app'.\n[ALERT]    (1) : config : Fatal errors found in configuration.\n",
    { '/usr/local/etc/haproxy': 'haproxy' },
    [map('haproxy', 'haproxy.cfg')],
    { culprit: /default_backend|haproxy\.cfg:14/, best: null, says: /key `haproxy\.cfg` of ConfigMap `haproxy`/ },
  ),
  'a word alert in an ordinary line': mounted(
    'INFO alert manager started\nERROR: no rule file in /rules\n',
    { '/etc/app': 'app' },
    [map('app', 'app.yaml')],
    { culprit: /rule file/, best: null },
  ),
};

/** Configuration files in ConfigMaps: which one, which key, and what the log offers instead. */
export const CONFIG_FILES: Record<string, CureRow> = { ...UNKNOWN, ...CLASHES, ...POOLS };
