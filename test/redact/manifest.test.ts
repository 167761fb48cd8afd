import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { maskManifest } from '../../src/redact/manifest.ts';
import { capture, captureNames } from '../support/expected/recordings.ts';

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: 'token-service',
    managedFields: [{}],
    annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{"password":"hunter2"}', note: 'password=hunter2' },
  },
  spec: {
    imagePullSecrets: [{ name: 'registry' }],
    automountServiceAccountToken: false,
    containers: [
      {
        name: 'app',
        image: 'token:1.2',
        command: ['sh', '-c', 'PASSWORD=hunter2 serve'],
        readinessProbe: { exec: { command: ['/usr/bin/redis-cli', '-a', 'hunter2', 'ping'] } },
        startupProbe: { exec: { command: ['mysqladmin', 'ping', '-uroot', '-phunter2'] } },
        args: ['--db-password', 'hunter2', '--port', '80', '--token=abc', '-u', 'app:hunter2', '--user', '1000:1000'],
        env: [
          { name: 'DB_PASSWORD', value: 'hunter2' },
          { name: 'DB_URL', value: 'postgres://app:hunter2@db/shop' },
          { name: 'SIZE', value: '2' },
          { name: 'TOKEN', value: '$(DB_PASSWORD)' },
          { name: 'KEY', valueFrom: { secretKeyRef: { name: 'credentials', key: 'password' } } },
        ],
        livenessProbe: { httpGet: { port: 80, httpHeaders: [{ name: 'Authorization', value: 'Basic YXBwOmh1bnRlcjI=' }] } },
      },
    ],
    volumes: [{ name: 'tls', secret: { secretName: 'web-tls', items: [{ key: 'tls.key', path: 'key.pem' }] } }],
  },
};

test('a cache of names changes no answer, and is bounded', () => {
  const names = new Map();
  const env = Array.from({ length: 20_000 }, (_, n) => ({ name: `DB_${n % 3 === 0 ? 'PASSWORD' : 'SIZE'}_${n}`, value: 'hunter2' }));
  const long = { name: `${'DB_'.repeat(1_000)}PASSWORD`, value: 'hunter2' };
  for (const object of [pod, { env }, { env: [long] }, pod, { env }]) assert.equal(maskManifest(object, names), maskManifest(object));
  assert.ok(names.size > 0 && names.size <= 8_192);
  assert.not.ok(names.has(long.name));
});

test('values that look secret are masked, names and references stay', () => {
  const masked = maskManifest(pod);
  const [container] = masked.spec.containers;
  assert.equal(masked.metadata, { name: 'token-service', annotations: { note: 'password=***' } });
  assert.equal(container?.command, ['sh', '-c', 'PASSWORD=*** serve']);
  assert.equal(container?.readinessProbe.exec.command, ['/usr/bin/redis-cli', '-a', '***', 'ping']);
  assert.equal(container?.startupProbe.exec.command, ['mysqladmin', 'ping', '-uroot', '-p***']);
  assert.equal(container?.args, ['--db-password', '***', '--port', '80', '--token=***', '-u', 'app:***', '--user', '1000:1000']);
  assert.equal(
    container?.env.map(({ value }) => value),
    ['***', 'postgres://app:***@db/shop', '2', '$(DB_PASSWORD)', undefined],
  );
  assert.is(container?.livenessProbe.httpGet.httpHeaders[0]?.value, '***');
  assert.is(container?.image, 'token:1.2');
  assert.equal(container?.env[4], pod.spec.containers[0]?.env[4]);
  assert.equal(masked.spec.volumes, pod.spec.volumes);
  assert.equal(masked.spec.imagePullSecrets, pod.spec.imagePullSecrets);
});

test('the object given is left as it was', () => {
  const before = JSON.stringify(pod);
  maskManifest(pod);
  assert.is(JSON.stringify(pod), before);
});

test('all data of a Secret is masked, its keys stay', () => {
  const secret = { kind: 'Secret', metadata: { name: 's' }, data: { user: 'YXBw' }, stringData: { note: 'x' } };
  assert.equal(maskManifest(secret), { kind: 'Secret', metadata: { name: 's' }, data: { user: '***' }, stringData: { note: '***' } });
});

test('nothing of a recorded pod looks like a secret', () => {
  for (const name of captureNames()) {
    const recorded = capture(name).pod;
    if (!recorded) continue;
    assert.equal(maskManifest(recorded), recorded, name);
  }
});

test.run();
