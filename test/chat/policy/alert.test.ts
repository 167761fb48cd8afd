import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isIgnored, readAlert } from '../../../src/chat/policy/alert.ts';
import type { ReceivedAlert } from '../../../src/contract/alert.ts';

const test = suite('facts of an alert');

const HERE = { cluster: 'prod', hiddenNamespaces: ['hidden'] };
const received = (labels: Record<string, string>, over: object = {}): ReceivedAlert =>
  ({
    status: 'firing',
    labels: { alertname: 'Down', ...labels },
    startsAt: '2026-05-01T10:00:00Z',
    fingerprint: 'f',
    ...over,
  }) as ReceivedAlert;
const about = (labels: Record<string, string>, here = HERE) => {
  const { namespace, pod, owner, node } = readAlert(received(labels), here)!;
  return [namespace, pod, owner, node];
};

test('what an alert is about: the renamed labels first, a workload before the pod of the exporter', () => {
  assert.equal(about({ namespace: 'shop', pod: 'web-1' }), ['shop', 'web-1', null, null]);
  assert.equal(about({ namespace: 'monitoring', pod: 'ksm-1', exported_namespace: 'shop', exported_pod: 'web-1' }), [
    'shop',
    'web-1',
    null,
    null,
  ]);
  assert.equal(about({ namespace: 'shop', pod: 'ksm-1', deployment: 'web' }), ['shop', null, 'Deployment/web', null]);
  assert.equal(about({ namespace: 'shop', exported_pod: 'web-1', deployment: 'web' }), ['shop', 'web-1', 'Deployment/web', null]);
  assert.equal(about({ namespace: 'shop', job: 'kubelet', job_name: 'import' }), ['shop', null, 'Job/import', null]);
  assert.equal(about({ node: 'n1' }), [null, null, null, 'n1']);
});

for (const [label, kind] of [
  ['deployment', 'Deployment'],
  ['statefulset', 'StatefulSet'],
  ['daemonset', 'DaemonSet'],
  ['cronjob', 'CronJob'],
  ['job_name', 'Job'],
  ['replicaset', 'ReplicaSet'],
] as const)
  test(`the label ${label} names a ${kind}`, () => {
    assert.equal(about({ namespace: 'shop', [label]: 'web' }), ['shop', null, `${kind}/web`, null]);
    assert.equal(about({ namespace: 'shop', [label]: 'ksm', [`exported_${label}`]: 'web' }), ['shop', null, `${kind}/web`, null]);
  });

test('an alert about several workloads is about the one that owns the others', () => {
  assert.equal(about({ namespace: 'shop', replicaset: 'web-1', deployment: 'web' })[2], 'Deployment/web');
  assert.equal(about({ namespace: 'shop', job_name: 'import-1', cronjob: 'import' })[2], 'CronJob/import');
});

test('an alert of another cluster is about nothing here', () => {
  const nothing = [null, null, null, null];
  const of = (cluster: string, ours: string) => about({ cluster, namespace: 'shop', pod: 'web-1' }, { ...HERE, cluster: ours });
  assert.equal(
    [of('prod', 'prod'), of('test', 'prod'), of('test', 'default')],
    [['shop', 'web-1', null, null], nothing, ['shop', 'web-1', null, null]],
  );
});

test('our own messages and hidden namespaces are dropped, whichever label names them', () => {
  const dropped = (labels: Record<string, string>) => isIgnored({ labels }, HERE);
  assert.equal(
    [{ namespace: 'hidden' }, { exported_namespace: 'hidden' }, { kube_ns: 'hidden' }, { kubernetes_namespace: 'hidden' }].map((labels) =>
      dropped(labels as never),
    ),
    [true, true, true, true],
  );
  assert.is(dropped({ namespace: 'hidden', exported_namespace: 'shop' }), false, 'only the exporter is hidden');
  assert.equal([dropped({ namespace: 'shop' }), dropped({ pod: 'hidden' }), dropped({ dns: 'hidden' })], [false, false, false]);
  assert.equal([dropped({ alertname: 'PodmendIncident', podmend_key: 'k' }), dropped({ alertname: 'PodmendIncident' })], [true, false]);
  const { labels } = readAlert(received({ namespace: 'hidden', exported_namespace: 'shop' }), HERE)!;
  assert.equal(labels, { alertname: 'Down', exported_namespace: 'shop' });
});

test('times: an unreadable beginning drops the alert, an end before 2000 is none', () => {
  const times = (startsAt: string, endsAt?: string, status = 'resolved') => {
    const read = readAlert(received({}, { startsAt, endsAt, status }), HERE);
    return read && (read.ended_at?.getUTCFullYear() ?? null);
  };
  assert.equal([times('soon'), times('+010000-01-01T00:00:00Z')], [undefined, undefined]);
  const now = '2026-05-01T10:00:00Z';
  assert.equal(
    [
      times(now),
      times(now, '0001-01-01T00:00:00Z'),
      times(now, '2000-01-01T00:00:00Z'),
      times(now, 'later'),
      times(now, '2026-05-01T11:00:00Z', 'firing'),
    ],
    [null, null, 2000, null, null],
  );
});

test('a link is a plain address of the web', () => {
  const url = (generatorURL: string) => readAlert(received({}, { generatorURL }), HERE)?.source_url;
  const long = `http://p/${'x'.repeat(2048 - 'http://p/'.length)}`;
  assert.equal([url('http://p/graph'), url('https://p/'), url(long)], ['http://p/graph', 'https://p/', long]);
  for (const none of ['javascript:alert(1)', 'http://ann@p/', 'http://:secret@p/', 'p/graph', `${long}x`]) assert.is(url(none), null, none);
});

test('texts are masked and cut, and there are at most 64 labels', () => {
  const read = readAlert(
    received({ password: 'PASSWORD=hunter2hunter2', long: 'x'.repeat(2000) }, { annotations: { summary: `a\n ${'b'.repeat(600)}` } }),
    HERE,
  )!;
  assert.not.match(JSON.stringify(read), 'hunter2');
  assert.is(read.labels['long']?.length, 1024);
  assert.is(read.summary.length, 500);
  assert.match(read.summary, /^a b+…$/);
  const many = Object.fromEntries(Array.from({ length: 80 }, (_, n) => [`l${n}`, 'x']));
  assert.is(Object.keys(readAlert(received(many), HERE)?.labels ?? {}).length, 64);
});

test('the summary is the first text of summary, description and message', () => {
  const said = (annotations: Record<string, string>) => readAlert(received({}, { annotations }), HERE)?.summary;
  const all = { summary: 's', description: 'd', message: 'm' };
  assert.equal([said(all), said({ ...all, summary: '' }), said({ message: 'm' }), said({})], ['s', 'd', 'm', '']);
});

test.run();
