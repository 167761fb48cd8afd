import type { CaseParts } from '../../../support/builders/cases.ts';
import { env } from '../../../support/builders/corrections.ts';
import type { Fault } from '../../../support/builders/explained.ts';
import { claim, configMap, empty, mount, mounts, volumes } from '../../../support/builders/volumes.ts';

export const log = (text: string): CaseParts => ({ logs: `==> app (previous) <==\n${text}\n` });
export const fromSecret = (name: string, secret: string, key: string) => ({
  name,
  valueFrom: { secretKeyRef: { name: secret, key } },
});
const secrets = (name: string, ...keys: string[]): CaseParts => ({ surroundings: { secrets: [{ name, keys }] } });

/** For each function that looks for a setting behind a line: a pod in which it finds one. */
export const FAULTS = {
  ofNeededValue: { says: 'only in-memory storage can be used when role = "data_plane"', container: env({ A: 'x' }) },
  ofServiceVariable: { says: 'it failed', parts: log('Unrecognized setting. No declared setting with name: PORT.7687.TCP.PROTO') },
  ofOldName: { says: 'it failed', container: env({ HUGGINGFACE_TOKEN: 'hf_0123456789' }), parts: log('this is a gated repo') },
  ofOddSection: { says: 'it failed', container: env({ AIRFLOW__CORE__A: '1', AIRFLOW__DATABASE__B: '2', AIRFLOW_DATABASE_CONN: '3' }) },
  ofOddName: { says: 'it failed', container: env({ MY_SETTINGS_A: '1', MY_SETTINGS_B: '2', MY_SETINGS_C: '3' }) },
  ofHost: {
    says: 'nobody is there',
    container: { image: 'odoo:17', ...env({ SHOP_SERVER: 'db' }) },
    parts: { surroundings: { services: [{ name: 'db' }] } },
  },
  ofOtherPort: { says: 'unexpected EOF', container: env({ QUEUE: 'amqp://mq:15672' }) },
  ofSwitchedOffTls: { says: 'reset by peer', container: env({ KAFKA_TLS: 'false', KAFKA_BROKER: 'kafka:9093' }) },
  ofKey: {
    says: 'invalid API key',
    container: { env: [fromSecret('STRIPE_API_KEY', 'stripe', 'k')] },
    parts: secrets('stripe', 'API_KEY'),
  },
  ofProfile: { says: 'it failed', container: env({ QUARKUS_PROFILE: 'production' }) },
  ofUsualName: { says: 'it failed', container: env({ NODE_EVN: 'test' }), parts: log('NODE_ENV is undefined') },
  ofRequiredOption: { says: "option 'encryption_key' is required", container: env({ APP_ENCRYPTIONKEY_FILE: '/k' }) },
  ofEmptyVariable: {
    says: "it is ''",
    container: { env: [{ name: 'VERSION', valueFrom: { fieldRef: { fieldPath: "metadata.labels['version']" } } }] },
  },
  ofRemovedOption: { says: 'it failed', container: { args: ['--experimental.http3'] }, parts: log('flag experimental http3 was removed') },
  ofSocket: {
    says: 'cannot connect',
    container: { args: ['--csi-address=unix:///run/csi/csi.sock'], ...mounts(mount('sockets', '/var/run/csi')) },
    spec: volumes(empty('sockets')),
  },
  ofUnusedKey: { says: 'bad SHOP_KEY', parts: secrets('s', 'SHOP_KEY') },
  ofLateReference: { says: 'it failed', container: env({ ADDRESS: 'a$(IP)', IP: '1' }) },
  ofNamedUnset: { says: 'please set APP_KEYS', container: env({ APP_KEYZ: 'y' }) },
  ofSwappedKeys: {
    says: 'it failed',
    container: { env: [fromSecret('DB_USER', 'd', 'password'), fromSecret('DB_PASS', 'd', 'username')] },
  },
  ofOddKey: {
    says: 'it failed',
    container: { env: [fromSecret('MQ_PASSWORD', 'm', 'x')] },
    parts: secrets('m', 'x', 'mq-password'),
  },
  ofMisspeltWord: { says: 'it failed', container: env({ FAST: 'flase' }) },
  ofMadeUpScheme: { says: 'it failed', container: env({ EVENTS: 'rabbitmq://events:1' }) },
  ofDatabase: { says: 'the schema is old. Run `airflow db migrate` first', container: { image: 'apache/airflow:2' } },
  ofExports: { says: 'it failed', container: env({ LANG: 'C' }), parts: log('export LANG=C.UTF-8') },
  ofPath: {
    says: 'cannot create /srv/state/x',
    container: { args: ['--dir=/srv/state'], ...mounts(mount('d', '/data/')) },
    spec: volumes(claim('d')),
  },
  ofUnbroughtFile: {
    says: 'it failed',
    container: { ...env({ CONFIG: '/etc/c/apps.yml' }), ...mounts(mount('c', '/etc/c')) },
    spec: volumes(configMap('c')),
    parts: { surroundings: { configMaps: [{ name: 'c', keys: ['app.yml', 'other.txt'] }] } },
  },
  ofUnbroughtFolder: {
    says: 'it failed',
    container: { args: ['--certs-dir=/etc/certs'], ...mounts(mount('t', '/etc/c-certs')) },
    spec: volumes(configMap('t')),
  },
  ofVariableForFile: {
    says: 'no /app/rules.json, name it with RULES_FILE',
    container: mounts(mount('r', '/rules')),
    spec: volumes(configMap('r')),
    parts: { surroundings: { configMaps: [{ name: 'r', keys: ['rules.json'] }] } },
  },
  ofShortSecret: { says: 'secret must be 10 bytes', container: env({ JWT_SECRET: 'short' }) },
  ofProposal: { says: 'To continue, pass --accept-license', container: { args: ['serve'] } },
} as const satisfies Record<string, Fault>;

export type Finder = keyof typeof FAULTS;

/** A pod with two faults, whose line says both. */
export function bothOf(one: Fault, other: Fault): Fault {
  const joined = (a: object = {}, b: object = {}): object =>
    Object.fromEntries(
      [...new Set([...Object.keys(a), ...Object.keys(b)])].map((name) => {
        const [x, y] = [a, b].map((all) => (all as Record<string, unknown>)[name]);
        if (Array.isArray(x) && Array.isArray(y)) return [name, [...(x as unknown[]), ...(y as unknown[])]];
        if (typeof x === 'object' && typeof y === 'object') return [name, joined(x ?? {}, y ?? {})];
        return [name, name === 'logs' && x !== undefined && y !== undefined ? `${x as string}${y as string}` : (x ?? y)];
      }),
    );
  return {
    says: one.says === other.says ? one.says : `${one.says}; ${other.says}`,
    container: joined(one.container, other.container),
    spec: joined(one.spec, other.spec),
    parts: joined(one.parts, other.parts),
  };
}
