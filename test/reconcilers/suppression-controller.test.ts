import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SocketMessage } from '../../src/contract/socket.ts';
import { instant } from '../../src/crd/condition.ts';
import { failureRepository, type FailureRepository } from '../../src/db/failures.ts';
import { readyFinding } from '../../src/db/finding-reports.ts';
import { findingRepository, type FindingRepository } from '../../src/db/findings.ts';
import { findingSuppressionRepository, failureSuppressionRepository } from '../../src/db/suppressible.ts';
import { reportRepository } from '../../src/db/failure-reports.ts';
import { eventHub, internalBus, type InternalBus } from '../../src/events.ts';
import { announceSuppressedFindings } from '../../src/findings/announce.ts';
import { connect, type KubeClient } from '../../src/kube/client.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { createLog } from '../../src/log.ts';
import { type Suppressions, suppressionController } from '../../src/reconcilers/suppression-controller.ts';
import { aNamespace, type Cluster, clusters, installDefinitions } from '../support/cluster/clusters.ts';
import { aFindingRow } from '../support/builders/finding.ts';
import { aReportRow } from '../support/builders/report.ts';
import { memoryStore } from '../support/database/store.ts';
import { aSuppression } from '../support/builders/suppression.ts';
import { until } from '../support/runner/wait.ts';
import { readList } from '../support/database/read-list.ts';

for (const { name, start } of clusters('Suppressions')) {
  const test = suite(`Suppressions on ${name}`);
  let cluster: Cluster;
  let client: KubeClient;
  let failures: FailureRepository;
  let findings: FindingRepository;
  let suppressible: Parameters<Suppressions['lead']>[1];
  let tenantsHideHigh = false;
  let unsuppressed = 0;
  let bus: InternalBus;
  let running: Suppressions;
  let passes: ReturnType<Suppressions['lead']>;
  let closeStore: () => Promise<void>;
  const messages: SocketMessage[] = [];

  const begin = () => {
    const hub = eventHub();
    hub.subscribe((message) => void messages.push(message));
    bus = internalBus();
    bus.on('recordsUnsuppressed', () => void unsuppressed++);
    announceSuppressedFindings({ findings, hub, bus });
    running = suppressionController({
      client,
      settings: { get: async () => (tenantsHideHigh ? '1' : '0') },
      bus,
      operatorNamespace: 'podmend',
      watchNamespaces: [],
      hiddenNamespaces: [],
      hub,
      now: () => new Date(),
      log: createLog({ level: 'silent' }),
    });
    passes = running.lead(client, suppressible);
    return running.start();
  };
  const end = async () => {
    await passes.stop();
    await running.stop();
  };

  test.before(async () => {
    const [started, store] = await Promise.all([start(), memoryStore()]);
    cluster = started;
    closeStore = () => store.close();
    client = connect({ kubeconfigText: cluster.kubeconfigText });
    await Promise.all([installDefinitions(client), aNamespace(client, 'podmend'), aNamespace(client, 'shop')]);
    failures = failureRepository(store.db);
    findings = findingRepository(store.db);
    suppressible = { failures: failureSuppressionRepository(store.db), findings: findingSuppressionRepository(store.db) };
    const pods = ['web-1', 'db-1'].map((pod_name) =>
      aReportRow({ identity: pod_name, pod_uid: pod_name, pod_name, owner: `Pod/${pod_name}` }),
    );
    await reportRepository(store.db).store(pods);
    const found = [
      aFindingRow({ resource_name: 'api-1' }),
      aFindingRow({ resource_name: 'api-1', check_name: 'untrusted-registry', details: { images: ['ghcr.io/a:1'] } }),
      aFindingRow({ resource_name: 'api-1', check_name: 'no-probe', severity: 'low' }),
    ];
    await findings.store(found.map(readyFinding), [], new Date());
    await begin();
  });
  test.after(async () => {
    await end();
    client.close();
    await cluster.close();
    await closeStore();
  });

  const shown = async () =>
    (await readList(failures.active))
      .map(({ pod_name }) => pod_name)
      .toSorted()
      .join();
  const shows = (pods: string) => until(async () => (await shown()) === pods, { what: `the list to show ${pods}` });
  const create = (given: ReturnType<typeof aSuppression>) => {
    const { name: object, namespace } = given.metadata;
    return client.create(KINDS.suppression, { ...given, metadata: { name: object!, namespace: namespace! } });
  };
  const condition = async (type: string) => {
    const object = await client.read(KINDS.suppression, 'podmend', 'known');
    return object?.status?.conditions?.find((one) => one.type === type)?.reason;
  };

  test('applied, it suppresses and says what it does; deleted, it brings back', async () => {
    await create(aSuppression({ pods: ['web-*'] }));
    await shows('db-1');
    await until(async () => (await condition('Active')) === 'InEffect', { what: 'its status' });
    const { status } = (await client.read(KINDS.suppression, 'podmend', 'known'))!;
    assert.is(status?.matchedFailures, 1);
    assert.is(status?.observedGeneration, 1);
    assert.match(status?.lastMatchedTime ?? '', /T\d\d:00:00Z$/);
    assert.is(running.suppressionOf({ namespace: 'shop', pod_name: 'web-9' }, new Date()), 'known');
    const before = unsuppressed;
    await client.remove(KINDS.suppression, 'podmend', 'known');
    await shows('db-1,web-1');
    await until(() => unsuppressed > before, { what: 'a look for records without a solution' });
    assert.equal(
      messages.splice(0).map(({ type, data }) => `${type} ${'action' in data ? data.action : ''}`),
      ['suppression_change added', 'suppression_change removed'],
    );
  });

  const shownFindings = async () =>
    (await readList(findings.list))
      .map(({ check_name }) => check_name)
      .toSorted()
      .join();
  const showsFindings = (checks: string) =>
    until(async () => (await shownFindings()) === checks, { what: `the findings ${checks} to be shown` });

  test('findings too: a trusted registry hides grave ones, a tenant’s Suppression only when the setting says so', async () => {
    messages.length = 0;
    await create(aSuppression({ checks: ['untrusted-registry'], images: ['ghcr.io/*'] }));
    await showsFindings('no-probe,privileged');
    await until(async () => (await client.read(KINDS.suppression, 'podmend', 'known'))?.status?.matchedFindings === 1, {
      what: 'its count',
    });
    await client.remove(KINDS.suppression, 'podmend', 'known');
    await showsFindings('no-probe,privileged,untrusted-registry');
    await create(aSuppression({ checks: ['*pr*'] }, { metadata: { name: 'tenant', namespace: 'shop' } }));
    await showsFindings('privileged,untrusted-registry');
    tenantsHideHigh = true;
    void bus.emit('settingChanged', { key: 'tenant_suppressions_hide_high' });
    await showsFindings('untrusted-registry');
    tenantsHideHigh = false;
    void bus.emit('settingChanged', { key: 'tenant_suppressions_hide_high' });
    await showsFindings('privileged,untrusted-registry');
    await client.remove(KINDS.suppression, 'shop', 'tenant');
    await showsFindings('no-probe,privileged,untrusted-registry');
    const told = messages.splice(0).flatMap((message) => (message.type === 'finding_deleted' ? message.data.check_name : []));
    assert.equal(told, ['untrusted-registry', 'no-probe', 'privileged']);
    assert.is(await shown(), 'db-1,web-1');
  });

  test('it ends by itself at its time', async () => {
    const inFiveSeconds = new Date(Date.now() + 5_000);
    await create(aSuppression({ pods: ['web-*'] }, { expirationTime: instant(inFiveSeconds) }));
    await shows('db-1');
    await shows('db-1,web-1');
    assert.ok(Date.now() >= Date.parse(instant(inFiveSeconds)));
    await until(async () => (await condition('Active')) === 'Expired', { what: 'its status' });
    await client.remove(KINDS.suppression, 'podmend', 'known');
  });

  test('suspended, it brings back; wrong, it says why and hides nothing', async () => {
    await create(aSuppression({ namespaces: ['shop'] }));
    await shows('');
    await client.patch(KINDS.suppression, 'podmend', 'known', { spec: { suspend: true } }, { type: 'merge' });
    await shows('db-1,web-1');
    await until(async () => (await condition('Active')) === 'Suspended', { what: 'its status' });
    await client.remove(KINDS.suppression, 'podmend', 'known');
    await create(aSuppression({ namespaces: ['shop'] }, { metadata: { name: 'greedy', namespace: 'shop' } }));
    const stalled = async () =>
      (await client.read(KINDS.suppression, 'shop', 'greedy'))?.status?.conditions?.find(({ type }) => type === 'Stalled');
    await until(stalled, { what: 'a word to its author' });
    assert.is((await stalled())?.reason, 'TenantRule');
    assert.is(await shown(), 'db-1,web-1');
    await client.remove(KINDS.suppression, 'shop', 'greedy');
  });

  test('what changed during a stop is applied at the start', async () => {
    await create(aSuppression({ pods: ['web-*'] }));
    await shows('db-1');
    await end();
    await client.remove(KINDS.suppression, 'podmend', 'known');
    await begin();
    await shows('db-1,web-1');
  });

  test('a replica that leads no more changes nothing, but knows what hides; when it leads again, it catches up', async () => {
    await passes.stop();
    await create(aSuppression({ pods: ['web-*'] }));
    await until(() => running.suppressionOf({ namespace: 'shop', pod_name: 'web-9' }, new Date()) === 'known', {
      what: 'the cache',
    });
    assert.is(await shown(), 'db-1,web-1');
    passes = running.lead(client, suppressible);
    await shows('db-1');
    await client.remove(KINDS.suppression, 'podmend', 'known');
    await shows('db-1,web-1');
  });
  test.run();
}
