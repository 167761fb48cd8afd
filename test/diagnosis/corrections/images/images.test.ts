import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { knownTags, latestTag, otherImages } from '../../../../src/diagnosis/corrections/images/image.ts';
import { largerEdition } from '../../../../src/diagnosis/corrections/images/larger-edition.ts';
import { forProcessor } from '../../../../src/diagnosis/corrections/images/other-processor.ts';
import { imageVolume, pulledImage } from '../../../../src/diagnosis/corrections/images/pulled-image.ts';
import { fromRegistry } from '../../../../src/diagnosis/corrections/images/registry.ts';
import { groupOfImage } from '../../../../src/diagnosis/corrections/images/user-of-image.ts';
import { imageOfJava, imageOfVersion } from '../../../../src/diagnosis/corrections/images/version-of-data.ts';
import type { PullFact } from '../../../../src/diagnosis/facts/image.ts';
import { aPlace, anInput, type CaseParts } from '../../../support/builders/cases.ts';
import { correctionRows, guess, likely, NO_MIRROR } from '../../../support/builders/corrections.ts';

const test = suite('images');
const rows = correctionRows(test);

const pull = (image: string | null, more: Partial<PullFact> = {}): PullFact => ({
  kind: 'pull',
  image,
  cause: 'not-found',
  detail: null,
  container: null,
  evidence: { from: 'x', text: 'y' },
  ...more,
});
const known = (...images: string[]): CaseParts => ({ surroundings: { images } });
const others = (image: string, images: string[], cause: PullFact['cause'] = 'not-found') =>
  otherImages(anInput({ image }, {}, known(...images)), image, pull(image, { cause })).map(({ changes, confidence }) => [
    changes[0]?.to,
    confidence,
  ]);
const sure = (...images: string[]) => images.map((one) => [one, 'likely']);
test('other images that the cluster runs', () => {
  assert.equal(others('web:1.24', ['web:1.2', 'web:1.23', 'web:9']), sure('web:1.2', 'web:1.23', 'web:9'), 'near tags first');
  assert.equal(
    others('web:beta', ['web:1.0', 'web:3.0', 'web:10.0', 'web:2.0']),
    sure('web:10.0', 'web:3.0', 'web:2.0'),
    'then the newest, three of them',
  );
  assert.equal(
    others('docker.io/library/nginx:9', ['docker.io/library/nginx:1']),
    sure('docker.io/library/nginx:1'),
    'as they are written',
  );
  assert.equal(others('nginx:9', ['docker.io/library/nginx:1', 'nginx:1']), sure('nginx:1'), 'each once');
  assert.equal(others('ngnix:1', ['nginx:1', 'nginx:2']), sure('nginx:1'), 'a slip in the name, with its tag');
  assert.equal(others('ngnix', ['nginx:latest']), sure('nginx:latest'), 'a slip in the name, without a tag');
  assert.equal(others('ngnix:3', ['nginx:1', 'nginx:2']), sure('nginx:1'), 'a slip in the name, with another tag');
  assert.equal(
    others('busybox-1.35', ['busybox:1.36', 'docker.io/library/busybox:1.35']),
    sure('busybox:1.35'),
    'a tag that became part of the name',
  );
  for (const sign of ['-', '_', '.', '/'])
    assert.equal(others(`busybox${sign}1.35`, ['busybox:1.35']).slice(0, 1), sure('busybox:1.35'), sign);
  assert.equal(others('web:1', ['ghcr.io/acme/web:1', 'ghcr.io/acme/web:2']), sure('ghcr.io/acme/web:1'), 'from elsewhere');
  assert.equal(
    others('a.io/web:1', ['a.io/web:2', 'b.io/web:1'], 'denied'),
    sure('b.io/web:1', 'a.io/web:2'),
    'from elsewhere first, if it may not be pulled',
  );
  assert.equal(others('a.io/web:1', ['a.io/web:2', 'b.io/web:1']), sure('a.io/web:2', 'b.io/web:1'));
  assert.equal(others('web:1', ['web:1', 'other:2']), [], 'not itself');
});
test('why another image is offered', () => {
  const why = (image: string, ...images: string[]) =>
    otherImages(anInput({ image }, {}, known(...images)), image, pull(image)).map(({ changes }) => changes[0]?.why);
  assert.equal(
    [why('web:1', 'web:2'), why('ngnix:1', 'nginx:1'), why('web:1', 'a.io/x/web:1'), why('web-1', 'web:1')],
    [
      ['other pods of this cluster run it'],
      ['`ngnix` looks like a typo of it'],
      ['pods of this cluster run `a.io/x/web:1`'],
      ['a colon separates the tag from the name'],
    ],
  );
});
test('the tags of an image that the cluster runs', () =>
  assert.equal(knownTags(anInput({}, {}, known('web:1', 'docker.io/library/web:2', 'web:3', 'x/web:4', 'web:2')), 'web:1'), [
    'web:2',
    'web:3',
  ]));
const latest = (image: string, images: string[] = [], cause: PullFact['cause'] = 'not-found') =>
  latestTag(anInput({ image }, {}, known(...images)), image, pull(image, { cause }));
rows('the latest tag', {
  'of an image': [latest('web:1'), guess({ image: 'web:latest' })],
  'that has a slip': [latest('web:lastest'), likely({ image: 'web:latest' })],
  'that it has': [latest('web:latest'), []],
  'without a tag': [latest('web'), []],
  'of a digest': [latest(`web:1@sha256:${'a'.repeat(64)}`), []],
  'of which another is known': [latest('web:1', ['web:2']), []],
  'that is there and may not be pulled': [latest('web:1', [], 'denied'), []],
});

const VOLUMES = {
  volumes: [
    { name: 'd', emptyDir: {} },
    { name: 'm', image: { reference: 'data:2' } },
  ],
};
test('the image that was pulled', () => {
  const of = (fact: PullFact, parts: CaseParts = {}, image = 'web:1') => pulledImage(anInput({ image }, VOLUMES, parts), fact);
  assert.equal(
    [of(pull('web:1')), of(pull('other:1', { container: 'none' }), {}), of(pull('data:2'), { status: { image: '' } }, '')],
    ['web:1', 'web:1', 'data:2'],
  );
  assert.is(of(pull(null), { status: { image: '' } }, ''), 'of the container');
  assert.is(
    of(pull('docker.io/library/b:1'), {
      container: null,
      container_statuses: [
        { name: 'a', image: 'a:1' },
        { name: 'b', image: 'b:1' },
      ] as never,
    }),
    'b:1',
  );
  const volume = (image: string | null, parts: CaseParts = {}) => imageVolume(anInput({}, VOLUMES, parts), pull(image));
  assert.equal(volume('docker.io/library/data:2'), { name: 'm', reference: 'data:2', path: 'spec.volumes[1].image.reference' });
  assert.equal(
    [volume('data:3'), volume('web:1'), volume(null), volume(`data:2@sha256:${'b'.repeat(64)}`)],
    [undefined, undefined, undefined, undefined],
  );
  assert.is(volume('data:2', { status: { image: 'data:2' } }), undefined, 'of the container');
});

const OTEL = 'otel/opentelemetry-collector';
rows('an image with more components', {
  'of a tag': [largerEdition(anInput({ image: `ghcr.io/${OTEL}:1` })), likely({ image: `ghcr.io/${OTEL}-contrib:1` })],
  'of a digest': [largerEdition(anInput({ image: `${OTEL}:1@sha256:a` })), likely({ image: `${OTEL}-contrib:1` })],
  'of a registry with this name': [
    largerEdition(anInput({ image: 'opentelemetry-collector.io/opentelemetry-collector:1' })),
    likely({ image: 'opentelemetry-collector.io/opentelemetry-collector-contrib:1' }),
  ],
  'of another program': [largerEdition(anInput({ image: 'own/collector:1' })), []],
  'that it is': [largerEdition(anInput({ image: `${OTEL}-contrib:1` })), []],
});
const nodes = (...archs: string[]): CaseParts => ({
  surroundings: {
    nodes: archs.map((arch, index) => ({ name: `n${index}`, labels: { 'kubernetes.io/arch': arch }, allocatable: {}, taints: [] })),
  },
});
const processor = (image: string, ...archs: string[]) => forProcessor(anInput({ image }, {}, nodes(...archs)));
rows('an image for another processor', {
  'of all nodes': [processor('web:1-arm64', 'amd64', 'amd64'), likely({ image: 'web:1-amd64' })],
  'of some nodes': [processor('web:1-arm64', 'amd64', 'arm64'), guess({ image: 'web:1-amd64' })],
  'of no known node': [processor('r.io:5000/web:arm64v8'), guess({ image: 'r.io:5000/web:amd64' })],
  'by another name': [processor('web:aarch64', 'amd64'), likely({ image: 'web:amd64' })],
  'of the other kind': [processor('web:x86_64-1', 'arm64'), likely({ image: 'web:arm64-1' })],
  'of the other kind, short': [processor('web:1.x64', 'arm64'), likely({ image: 'web:1.arm64' })],
  'in the name alone': [processor('r.io:5000/arm64', 'amd64'), []],
  'in a longer word': [processor('web:1-arm64x', 'amd64'), []],
  'of a digest': [processor('web:1-arm64@sha256:a', 'amd64'), []],
});

const registry = (message: string, image = 'nginx:1', more: object = {}) => fromRegistry(aPlace({ image }, more), message);
const TO = guess({ image: 'registry.internal/nginx:1' }, NO_MIRROR);
rows('images of one registry', {
  'of Docker Hub': [registry('images must come from registry.internal'), TO],
  'with a library': [registry('images must come from registry.internal', 'docker.io/library/nginx:1'), TO],
  'of another registry': [
    registry('use "registry.internal" for images', 'quay.io/a/b:1'),
    guess({ image: 'registry.internal/a/b:1' }, NO_MIRROR),
  ],
  'of an init container too': [
    registry('images must come from registry.internal', 'nginx:1', {
      initContainers: [
        { name: 'i', image: 'a' },
        { name: 'j', image: 'registry.internal/b' },
      ],
    }),
    guess({ 'spec.initContainers[0].image': 'registry.internal/a', image: 'registry.internal/nginx:1' }, NO_MIRROR),
  ],
  'with a folder': [registry('only images of harbor.corp.io/team are allowed'), guess({ image: 'harbor.corp.io/team/nginx:1' }, NO_MIRROR)],
  'with a port': [registry('images must come from localhost:5000'), guess({ image: 'localhost:5000/nginx:1' }, NO_MIRROR)],
  'where they are': [registry('images must come from registry.internal', 'registry.internal/nginx:1'), []],
  'that is forbidden': [registry('images must not come from docker.io'), []],
  'in a place to read about it': [registry('images must be signed, see docs.corp.io'), []],
  'that is a field': [registry('image must match spec.containers'), []],
  'that is not about images': [registry('pods must come from a.corp.io'), []],
});
for (const words of [
  'must be of',
  'only from',
  'should be from',
  'shall be of',
  'have to be of',
  'has to be of',
  'need to be of',
  'allowed is',
  'approved is',
  'permitted is',
  'trusted is',
  'accepted is',
  'expected',
  'use',
  'outside of',
  'other than',
  'except',
])
  test(`images of one registry: ${words}`, () =>
    assert.is(registry(`image: ${words} registry.internal`)?.changes[0]?.to, 'registry.internal/nginx:1'));

for (const [image, group] of [
  ['grafana/grafana:1', 472],
  ['grafana/grafana-oss:1', 472],
  ['docker.io/grafana/grafana-enterprise', 472],
  ['grafana/loki:1', 10_001],
  ['grafana/tempo', 10_001],
  ['grafana/mimir', 10_001],
  ['prom/prometheus:v3', 65_534],
  ['quay.io/prometheus/alertmanager', 65_534],
  ['prom/pushgateway', 65_534],
  ['docker.elastic.co/elasticsearch/elasticsearch:8', 1000],
  ['docker.elastic.co/kibana/kibana', 1000],
  ['docker.elastic.co/logstash/logstash', 1000],
  ['opensearchproject/opensearch', 1000],
  ['jenkins/jenkins:lts', 1000],
  ['sonatype/nexus3', 200],
  ['nginxinc/nginx-unprivileged', 101],
  ['clickhouse/clickhouse-server', 101],
  ['quay.io/keycloak/keycloak', 1000],
  ['n8nio/n8n', 1000],
  ['hashicorp/vault', 1000],
  ['hashicorp/consul', 1000],
  ['minio/minio', 1000],
  ['mcr.microsoft.com/mssql/server', 10_001],
  ['influxdb:2', 1000],
  ['sonarqube', 1000],
  ['apache/kafka', 1000],
  ['apache/zookeeper', 1000],
  ['confluentinc/cp-kafka:7', 1000],
  ['bitnami/redis', 1001],
  ['bitnamilegacy/postgresql', 1001],
  ['nginx', undefined],
  ['grafana/grafana-image-renderer', undefined],
  ['prom/node-exporter', undefined],
  [undefined, undefined],
] as const)
  test(`the group of ${image}`, () => assert.is(groupOfImage(image), group));

const ofVersion = (image: string, version: string | undefined) => imageOfVersion(anInput({ image }), version);
rows('an image for data of another version', {
  'with as many numbers': [ofVersion('postgres:16.2-alpine', '15.4.1'), guess({ image: 'postgres:15.4-alpine' })],
  'with a letter': [ofVersion('x/gitea:v1.22', '1.21.0'), guess({ image: 'x/gitea:v1.21' })],
  'of one number': [ofVersion('mysql:8', '5'), guess({ image: 'mysql:5' })],
  'that it has': [ofVersion('postgres:15', '15.4'), []],
  'without a version in its tag': [ofVersion('postgres:latest', '15'), []],
  'that nobody knows': [ofVersion('postgres:16', undefined), []],
  'that is none': [ofVersion('postgres:16', 'abc'), []],
  'that is not known to have such tags': [ofVersion('own:16', '15'), []],
});
for (const name of [
  'postgres',
  'mysql',
  'mariadb',
  'mongo',
  'redis',
  'valkey',
  'neo4j',
  'gitea',
  'cassandra',
  'rabbitmq',
  'influxdb',
  'elasticsearch',
  'opensearch',
  'zookeeper',
  'solr',
  'couchdb',
  'nexus3',
  'keycloak',
  'grafana',
  'nextcloud',
])
  test(`${name} has a tag for each version`, () => assert.is(ofVersion(`${name}:9`, '8').length, 1));
const java = (image: string, version = 61) =>
  imageOfJava(anInput({ image }), `UnsupportedClassVersionError: class file version ${version}.0`);
rows('an image with the Java of the classes', {
  'by its name': [java('eclipse-temurin:11-jre'), guess({ image: 'eclipse-temurin:17-jre' })],
  'by its tag': [java('own/app:1-jre11'), guess({ image: 'own/app:1-jre17' })],
  'of OpenJDK': [java('openjdk:8'), guess({ image: 'openjdk:17' })],
  'that is as new': [java('eclipse-temurin:17'), []],
  'that is newer': [java('eclipse-temurin:21'), []],
  'of old classes': [java('eclipse-temurin:7', 52), []],
  'without a Java': [java('own:11'), []],
});

test.run();
