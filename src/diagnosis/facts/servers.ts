import type { EnvVar, KubeObject, Pod } from '../../crd/kubernetes.ts';
import { listOf } from '../../crd/pod-template.ts';
import type { ServerAround } from '../case.ts';

/** What a server is set up with at its first start. */
export type SetUp = keyof ServerAround['names'];

/**
 * The variables with which the images of servers make their first database, user and virtual host. Source: the documentation of the official images
 * and of Bitnami's.
 */
export const SET_UP: Readonly<Record<SetUp, RegExp>> = {
  database: /^(?:POSTGRES_DB|POSTGRESQL_DATABASE|MYSQL_DATABASE|MARIADB_DATABASE|MONGO_INITDB_DATABASE|MONGODB_DATABASE|CLICKHOUSE_DB)$/,
  user: /^(?:POSTGRES_USER|POSTGRESQL_USERNAME|MYSQL_USER|MARIADB_USER|MONGO_INITDB_ROOT_USERNAME|MONGODB_USERNAME|CLICKHOUSE_USER|RABBITMQ_DEFAULT_USER|RABBITMQ_USERNAME|MINIO_ROOT_USER)$/,
  vhost: /^(?:RABBITMQ_DEFAULT_VHOST|RABBITMQ_VHOST)$/,
};
const PASSWORD =
  /^(?:POSTGRES_PASSWORD|POSTGRESQL_PASSWORD|MYSQL_PASSWORD|MARIADB_PASSWORD|MONGO_INITDB_ROOT_PASSWORD|MONGODB_PASSWORD|CLICKHOUSE_PASSWORD|RABBITMQ_DEFAULT_PASS|RABBITMQ_PASSWORD|REDIS_PASSWORD|MINIO_ROOT_PASSWORD)$/;

/** Whether a variable names a database, a user or a virtual host of a server, or says from which Secret its user or password comes. */
export function isSetUp({ name, valueFrom }: EnvVar): boolean {
  return Object.values(SET_UP).some((pattern) => pattern.test(name)) || (PASSWORD.test(name) && valueFrom?.secretKeyRef !== undefined);
}

/** The server in a pod that its variables set up; empty for other pods. Values of passwords are never read, only where they come from. */
export function serversOf({ metadata, spec }: Pod): ServerAround[] {
  return listOf(spec?.containers).flatMap((container): ServerAround[] => {
    const env = listOf(container?.env).filter((one) => typeof one?.name === 'string');
    const valueOf = (what: SetUp): string | undefined => env.find(({ name, value }) => SET_UP[what].test(name) && value)?.value;
    const secret = env.find(({ name }) => PASSWORD.test(name))?.valueFrom?.secretKeyRef;
    const userKey = env.find(({ name, valueFrom }) => SET_UP.user.test(name) && valueFrom?.secretKeyRef)?.valueFrom?.secretKeyRef;
    const [user, vhost] = [valueOf('user'), valueOf('vhost')];
    // PostgreSQL's image calls the database like the user where nothing else is said.
    const database = valueOf('database') ?? (env.some(({ name }) => name === 'POSTGRES_USER') ? user : undefined);
    const [password, userFrom] = [secret, userKey].map((ref) => (ref?.name && ref.key ? { secret: ref.name, key: ref.key } : undefined));
    const names = { ...(database ? { database } : {}), ...(user ? { user } : {}), ...(vhost ? { vhost } : {}) };
    if (Object.keys(names).length === 0 && !password) return [];
    return [{ labels: labelsOf(metadata), names, ...(password ? { password } : {}), ...(userFrom ? { userFrom } : {}) }];
  });
}

const labelsOf = (metadata: KubeObject['metadata']): Record<string, string> => metadata.labels ?? {};
