import type { KubeObject, Pod } from '../../../../../src/crd/kubernetes.ts';
import { other } from '../documented.ts';
import type { CureRow } from './cure.ts';
import { app, crash, likely } from './rows.ts';

const REFUSED =
  '[2026-01-02 10:00:02,604] ERROR Exiting Kafka due to fatal exception (kafka.Kafka$)\njava.lang.IllegalArgumentException: requirement failed: advertised.listeners cannot use the nonroutable meta-address 0.0.0.0. Use a routable IP address.\n\tat scala.Predef$.require(Predef.scala:337)\n\tat kafka.server.KafkaConfig.validateValues(KafkaConfig.scala:1022)';
const LISTENERS = 'PLAINTEXT://0.0.0.0:9092,CONTROLLER://0.0.0.0:9093';

const service = (name: string, app: string, ...ports: number[]): KubeObject =>
  other('Service', name, { spec: { selector: { app }, ports: ports.map((port) => ({ port })) } });
const kafka = service('kafka', 'kafka', 9092);

/** Kafka as the only pod of a Deployment, or as a pod of a StatefulSet with this many replicas. */
function broker(env: Record<string, string>, is: object, others: KubeObject[], replicas?: number, serviceName = 'kafka'): CureRow {
  const variables = Object.entries(env).map(([name, value]) => ({ name, value }));
  const row = crash(REFUSED, { env: variables }, { culprit: /advertised\.listeners/, ...is }, others);
  const { metadata, spec } = row.object as Pod;
  const labels = { app: 'kafka' };
  const owner = { apiVersion: 'apps/v1', kind: 'StatefulSet', name: 'kafka', uid: 'uid-set', controller: true };
  const set = other('StatefulSet', 'kafka', {
    apiVersion: 'apps/v1',
    metadata: { name: 'kafka', namespace: 'default', uid: 'uid-set' },
    spec: { replicas, serviceName, selector: { matchLabels: labels }, template: { metadata: { labels }, spec } },
  });
  const object = { ...row.object, metadata: { ...metadata, labels, ...(replicas ? { ownerReferences: [owner] } : {}) } } as unknown as Pod;
  return { ...row, object, others: replicas ? [...others, set] : others };
}
const advertise = (index: number, to: string): object => ({ best: { [`${app}.env[${index}].value`]: to }, ...likely });

/** Addresses that a server gives to its clients, but that no client can use. */
export const ADVERTISED_ADDRESSES: Record<string, CureRow> = {
  'the address for all clients is that of no host': broker(
    { KAFKA_LISTENERS: LISTENERS, KAFKA_ADVERTISED_LISTENERS: 'PLAINTEXT://0.0.0.0:9092' },
    advertise(1, 'PLAINTEXT://kafka:9092'),
    [kafka],
  ),
  'one of two addresses is that of no host': broker(
    { KAFKA_CFG_ADVERTISED_LISTENERS: 'INTERNAL://0.0.0.0:9092,EXTERNAL://kafka.example.com:9094' },
    advertise(0, 'INTERNAL://kafka:9092,EXTERNAL://kafka.example.com:9094'),
    [kafka, service('shop', 'shop', 9092)],
    1,
  ),
  'the address is not set, and so that to listen on is taken': broker(
    { KAFKA_NODE_ID: '1', KAFKA_LISTENERS: LISTENERS },
    {
      best: {
        [`${app}.env[2]`]: (to: unknown) => JSON.stringify(to) === '{"name":"KAFKA_ADVERTISED_LISTENERS","value":"PLAINTEXT://kafka:9092"}',
      },
      ...likely,
    },
    [kafka],
  ),
  'the pod has a name of its own': (() => {
    const row = broker({ KAFKA_ADVERTISED_LISTENERS: 'PLAINTEXT://0.0.0.0:9092' }, advertise(0, 'PLAINTEXT://broker-0.brokers:9092'), []);
    const object = row.object as Pod;
    return { ...row, object: { ...object, spec: { ...object.spec, hostname: 'broker-0', subdomain: 'brokers' } } as Pod };
  })(),
  'no Service has the port': broker({ KAFKA_ADVERTISED_LISTENERS: 'PLAINTEXT://0.0.0.0:9092' }, { best: null }, [
    service('kafka', 'kafka', 9094),
  ]),
  'no Service selects the pod': broker({ KAFKA_ADVERTISED_LISTENERS: 'PLAINTEXT://0.0.0.0:9092' }, { best: null }, [
    service('kafka', 'zookeeper', 9092),
  ]),
  'two Services have the port': broker({ KAFKA_ADVERTISED_LISTENERS: 'PLAINTEXT://0.0.0.0:9092' }, { best: null }, [
    kafka,
    service('kafka-headless', 'kafka', 9092),
  ]),
  'each of three brokers needs its own address': broker(
    { KAFKA_ADVERTISED_LISTENERS: 'PLAINTEXT://0.0.0.0:9092' },
    {
      best: {
        [`${app}.env`]: [
          { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
          { name: 'KAFKA_ADVERTISED_LISTENERS', value: 'PLAINTEXT://$(POD_NAME).kafka:9092' },
        ],
      },
      ...likely,
    },
    [kafka],
    3,
  ),
  'three brokers whose set names no Service': broker(
    { KAFKA_ADVERTISED_LISTENERS: 'PLAINTEXT://0.0.0.0:9092' },
    { best: null },
    [kafka],
    3,
    '',
  ),
  'an agent that shall be known by the address of its pod': {
    ...broker({}, {}, [kafka]),
    log: '==> Advertise address cannot be 0.0.0.0, :: or [::]',
    is: { reason: 'CrashLoopBackOff', culprit: /[Aa]dvertise address/, best: null },
  },
};
