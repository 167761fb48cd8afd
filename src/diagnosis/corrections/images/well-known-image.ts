import type { PullFact } from '../../facts/image.ts';
import { fullRepository, parseImage } from '../../../crd/image.ts';
import { code } from '../../rendering/quote.ts';
import { nearest } from '../similar-names.ts';

/** Names of often used official images (Docker Hub, "Docker Official Images"). */
const OFFICIAL = [
  'adminer', 'alpine', 'amazoncorretto', 'amazonlinux', 'arangodb', 'bash', 'buildpack-deps', 'busybox', 'caddy', 'cassandra', 'chronograf', 'clojure',
  'consul', 'couchbase', 'couchdb', 'crate', 'debian', 'docker', 'drupal', 'eclipse-mosquitto', 'eclipse-temurin', 'elasticsearch', 'elixir', 'erlang',
  'fedora', 'flink', 'fluentd', 'ghost', 'golang', 'gradle', 'groovy', 'haproxy', 'haskell', 'hello-world', 'httpd', 'influxdb', 'jetty', 'joomla',
  'jruby', 'julia', 'kapacitor', 'kibana', 'kong', 'logstash', 'mariadb', 'matomo', 'maven', 'mediawiki', 'memcached', 'mongo', 'mongo-express',
  'mysql', 'nats', 'neo4j', 'nextcloud', 'nginx', 'node', 'odoo', 'openjdk', 'percona', 'perl', 'php', 'postgres', 'pypy', 'python', 'rabbitmq',
  'redis', 'redmine', 'registry', 'rethinkdb', 'rockylinux', 'ruby', 'rust', 'solr', 'sonarqube', 'spark', 'storm', 'swift', 'telegraf', 'tomcat',
  'traefik', 'ubuntu', 'varnish', 'vault', 'wordpress', 'xwiki', 'yourls', 'zookeeper',
]; // prettier-ignore

/** Often used images of Docker Hub in folders of their makers. */
const OF_MAKERS = [
  'bitnami/kafka', 'bitnami/mongodb', 'bitnami/nginx', 'bitnami/postgresql', 'bitnami/rabbitmq', 'bitnami/redis', 'bitnami/wordpress', 'clickhouse/clickhouse-server',
  'confluentinc/cp-kafka', 'confluentinc/cp-zookeeper', 'curlimages/curl', 'envoyproxy/envoy', 'fluent/fluent-bit', 'fluent/fluentd', 'gitea/gitea', 'gitlab/gitlab-runner',
  'grafana/grafana', 'grafana/loki', 'grafana/mimir', 'grafana/promtail', 'grafana/tempo', 'hashicorp/consul', 'hashicorp/vault', 'jaegertracing/all-in-one', 'jenkins/jenkins',
  'linuxserver/nginx', 'minio/mc', 'minio/minio', 'nginxinc/nginx-unprivileged', 'openpolicyagent/opa', 'opensearchproject/opensearch', 'otel/opentelemetry-collector',
  'otel/opentelemetry-collector-contrib', 'portainer/portainer-ce', 'prom/alertmanager', 'prom/blackbox-exporter', 'prom/node-exporter', 'prom/prometheus', 'prom/pushgateway',
  'rancher/k3s', 'rancher/rancher', 'sonatype/nexus3', 'timescale/timescaledb', 'traefik/whoami', 'velero/velero', 'victoriametrics/victoria-metrics',
]; // prettier-ignore

/** Public registries. */
const REGISTRIES = [
  'docker.io', 'registry-1.docker.io', 'quay.io', 'ghcr.io', 'gcr.io', 'registry.k8s.io', 'mcr.microsoft.com', 'public.ecr.aws', 'lscr.io',
  'docker.elastic.co', 'registry.gitlab.com', 'registry.access.redhat.com', 'registry.redhat.io', 'nvcr.io', 'cr.fluentbit.io', 'icr.io',
]; // prettier-ignore

/** Words of tags that say which edition an image is. */
const EDITIONS = [
  'alpine', 'slim', 'bookworm', 'bullseye', 'trixie', 'jammy', 'noble', 'focal', 'stable', 'latest', 'mainline', 'apache', 'management', 'debian',
  'ubuntu', 'temurin', 'windowsservercore', 'nanoserver', 'perl', 'unprivileged', 'current', 'release',
]; // prettier-ignore

/**
 * The image of which a reference is a slip: in the host of a public registry, in the name of an often used image, or in the edition that its tag
 * names. Nothing shows that the registry has it. Empty if no slip is found, or more than one name is near.
 */
export function wellKnown(image: string, cause: PullFact['cause']): { to: string; why: string }[] {
  if (image.includes('@')) return [];
  const found = cause === 'unknown-host' ? ofRegistry(image) : (ofName(image) ?? (cause === 'not-found' ? ofEdition(image) : undefined));
  return found ? [found] : [];
}

const typo = (wrong: string, right: string, what: string): string => `${code(wrong)} looks like a typo of ${code(right)}, ${what}`;

/** The only near name. Short names are near too many. */
function only(wrong: string, all: readonly string[]): string | undefined {
  const [near, ...more] = wrong.length < 4 || all.includes(wrong) ? [] : nearest(wrong, all);
  return more.length > 0 ? undefined : near;
}

function ofRegistry(image: string): { to: string; why: string } | undefined {
  const [host = '', ...path] = image.split('/');
  const right = only(host, REGISTRIES);
  return right === undefined ? undefined : { to: [right, ...path].join('/'), why: typo(host, right, 'a public registry') };
}

function ofName(image: string): { to: string; why: string } | undefined {
  const { repository, tag } = parseImage(image);
  const [, before = '', name = ''] = /^((?:(?:index\.)?docker\.io\/)?(?:library\/)?)([^/]+(?:\/[^/]+)?)$/.exec(repository) ?? [];
  if (!fullRepository(repository).startsWith('docker.io/')) return undefined;
  const right = name.includes('/') ? ofMaker(name) : only(name, OFFICIAL);
  if (right === undefined) return undefined;
  const what = name.includes('/') ? 'an often used image' : 'an official image';
  return { to: `${before}${right}${tag === null ? '' : `:${tag}`}`, why: typo(name, right, what) };
}

/** One of the two parts must be right, so that a maker that nobody knows is not taken for another. */
function ofMaker(name: string): string | undefined {
  const [maker = '', own = ''] = name.split('/');
  const right = only(name, OF_MAKERS);
  const [rightMaker, rightOwn] = right?.split('/') ?? [];
  return rightMaker === maker || rightOwn === own ? right : undefined;
}

function ofEdition(image: string): { to: string; why: string } | undefined {
  const { repository, tag } = parseImage(image);
  const words = tag?.split('-') ?? [];
  // `1.6.alpine` for `1.6-alpine`.
  const joined = /^([\d.]*\d)[._]([a-z]{4,20})$/.exec(tag ?? '');
  if (joined?.[1] && joined[2] && EDITIONS.includes(joined[2]))
    return { to: `${repository}:${joined[1]}-${joined[2]}`, why: `a ${code('-')} stands before the edition of an image` };
  const slips = words.flatMap((word, index) => {
    const right = only(word, EDITIONS) ?? (word.length === 3 ? nearest(word, ['slim'])[0] : undefined);
    return right === undefined ? [] : [{ word, right, index }];
  });
  const [slip, ...more] = slips;
  if (!slip || more.length > 0) return undefined;
  const to = words.with(slip.index, slip.right).join('-');
  return { to: `${repository}:${to}`, why: typo(slip.word, slip.right, 'as editions of images are called') };
}
