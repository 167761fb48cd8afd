import { parseImage } from '../../../crd/image.ts';

/** The groups of the users as which well-known images run, where the pod names none. Source: the Dockerfiles and documents of the images. */
const GROUPS: readonly (readonly [image: RegExp, group: number])[] = [
  [/grafana\/grafana(?:-oss|-enterprise)?$/, 472],
  [/grafana\/(?:loki|tempo|mimir)$/, 10_001],
  [/(?:prom|prometheus)\/(?:prometheus|alertmanager|pushgateway)$/, 65_534],
  [/(?:elasticsearch\/elasticsearch|\/elasticsearch|kibana\/kibana|logstash\/logstash|opensearchproject\/opensearch)$/, 1000],
  [/jenkins\/jenkins$/, 1000],
  [/sonatype\/nexus3$/, 200],
  [/nginxinc\/nginx-unprivileged$/, 101],
  [/clickhouse\/clickhouse-server$/, 101],
  [/keycloak\/keycloak$/, 1000],
  [/n8nio\/n8n$/, 1000],
  [/hashicorp\/(?:vault|consul)$/, 1000],
  [/minio\/minio$/, 1000],
  [/mssql\/server$/, 10_001],
  [/influxdb$/, 1000],
  [/dpage\/pgadmin4$/, 5050],
  [/sonarqube$/, 1000],
  [/apache\/(?:kafka|zookeeper)$|confluentinc\/cp-[a-z-]{2,40}$/, 1000],
  [/^(?:docker\.io\/)?(?:library\/)?(?:postgres|mysql|mariadb|mongo|redis|rabbitmq)$/, 999],
  [/bitnami(?:legacy)?\/[a-z\d-]{2,40}$/, 1001],
];

/** The group that a well-known image needs for its volumes; undefined for other images. */
export function groupOfImage(image: string | undefined): number | undefined {
  const { repository } = parseImage(image ?? '');
  return GROUPS.find(([pattern]) => pattern.test(repository))?.[1];
}

/** The users that well-known images have in their `/etc/passwd`, for programs that ask for their name. Source: the Dockerfiles of the images. */
const USERS: readonly (readonly [image: RegExp, user: number])[] = [
  [/(?:apache\/)?spark(?:-py|-r)?$/, 185],
  [/(?:apache\/)?flink$/, 9999],
  [/apache\/hadoop$/, 1000],
];

/** The user that a well-known image knows by name; undefined for other images. */
export function userOfImage(image: string | undefined): number | undefined {
  const { repository } = parseImage(image ?? '');
  return USERS.find(([pattern]) => pattern.test(repository))?.[1];
}
