import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { failureRepository } from '../../src/db/failures.ts';
import { findingSuppressionRepository, failureSuppressionRepository } from '../../src/db/suppressible.ts';
import { reportRepository } from '../../src/db/failure-reports.ts';
import { eventHub, internalBus } from '../../src/events.ts';
import { connect, type KubeClient } from '../../src/kube/client.ts';
import { createLog } from '../../src/log.ts';
import { type Suppressions, suppressionController } from '../../src/reconcilers/suppression-controller.ts';
import type { Store } from '../../src/db/connect.ts';
import { aNamespace, type Cluster, clusters, installDefinitions } from '../support/cluster/clusters.ts';
import { findKubectl, type Kubectl, kubectlFor } from '../support/cluster/kubectl.ts';
import { aReportRow } from '../support/builders/report.ts';
import { memoryStore } from '../support/database/store.ts';
import { until } from '../support/runner/wait.ts';
import { readList } from '../support/database/read-list.ts';

const yaml = (name: string, namespace: string, match: string, more = '') => `
apiVersion: podmend.dev/v1alpha1
kind: Suppression
metadata: {name: ${name}, namespace: ${namespace}}
spec: {reason: known and accepted, owner: team-tax, match: ${match}${more}}
`;

const found = await findKubectl();
if ('missing' in found) console.log(`SKIP Suppressions by kubectl: ${found.missing}`);
else for (const { name, start } of clusters('Suppressions by kubectl')) byKubectl(name, start, found.path);

function byKubectl(name: string, start: () => Promise<Cluster>, path: string): void {
  const test = suite(`Suppressions by kubectl on ${name}`);
  let cluster: Cluster;
  let client: KubeClient;
  let store: Store;
  let kubectl: Kubectl;
  let running: Suppressions;
  let passes: ReturnType<Suppressions['lead']>;

  test.before(async () => {
    [cluster, store] = await Promise.all([start(), memoryStore()]);
    client = connect({ kubeconfigText: cluster.kubeconfigText });
    await Promise.all([installDefinitions(client), aNamespace(client, 'podmend'), aNamespace(client, 'shop')]);
    const pods = ['tax-1', 'web-1'].map((pod) => aReportRow({ identity: pod, pod_uid: pod, pod_name: pod, owner: `Pod/${pod}` }));
    await reportRepository(store.db).store(pods);
    kubectl = await kubectlFor(path, cluster.kubeconfigText);
    running = suppressionController({
      client,
      operatorNamespace: 'podmend',
      settings: { get: async () => undefined },
      hub: eventHub(),
      bus: internalBus(),
      watchNamespaces: [],
      hiddenNamespaces: [],
      now: () => new Date(),
      log: createLog({ level: 'silent' }),
    });
    passes = running.lead(client, { failures: failureSuppressionRepository(store.db), findings: findingSuppressionRepository(store.db) });
    await running.start();
  });
  test.after(async () => {
    await passes.stop();
    await running.stop();
    await kubectl.close();
    client.close();
    await cluster.close();
    await store.close();
  });

  /** The output of kubectl. If kubectl fails, the test fails. */
  const said = async (...args: string[]) => {
    const { code, stdout, stderr } = await kubectl(args);
    assert.is(code, 0, stderr);
    return stdout;
  };
  const apply = (text: string) => kubectl(['apply', '-f', '-'], text);
  const suppressed = async () =>
    (await readList(failureRepository(store.db).suppressed)).map(({ pod_name, suppressed_by }) => `${pod_name} ${suppressed_by}`).join();
  const hides = (what: string) => until(async () => (await suppressed()) === what, { what: `"${what}" to be hidden` });
  /** The cells of a line of `get supp`: its name, whether it has an effect, why, what it matched, and when it ends. */
  const columns = async (namespace: string, object: string) => {
    const [head, line] = (await said('get', 'supp', object, '-n', namespace)).trim().split('\n');
    assert.match(head ?? '', /^NAME +ACTIVE +WHY +MATCHED +EXPIRES +AGE +REASON/);
    return (line ?? '').split(/ {2,}/);
  };
  const shown = (object: string, { namespace = 'podmend', wanted }: { namespace?: string; wanted: string }) =>
    until(async () => (await columns(namespace, object)).slice(0, 5).join(' ') === wanted, {
      what: `kubectl to show "${wanted}"`,
    });

  test('applied, `get supp` says what it does, `wait` and `describe` know its conditions', async () => {
    const one = yaml('tax', 'podmend', '{pods: ["tax-*"]}', ', expirationTime: "2999-01-31T00:00:00Z"');
    assert.match((await apply(one)).stdout, /suppression\.podmend\.dev\/tax created/);
    await hides('tax-1 tax');
    await said('wait', 'supp/tax', '-n', 'podmend', '--for=condition=Active', '--timeout=10s');
    await shown('tax', { wanted: 'tax True InEffect 1 2999-01-31T00:00:00Z' });
    assert.is((await columns('podmend', 'tax')).at(-1), 'known and accepted');
    const described = await said('describe', 'supp', 'tax', '-n', 'podmend');
    for (const line of [
      /Message: +It hides what it matches\.\n +.*\n? *Reason: +InEffect\n +Status: +True\n +Type: +Active/,
      /Reason: +Applied\n +Status: +True\n +Type: +Ready/,
      /Reason: +InUse\n +Status: +False\n +Type: +Unused/,
      /Matched Failures: +1\n +Matched Findings: +0/,
    ])
      assert.match(described, line);
    assert.match((await apply(one)).stdout, /unchanged/);
  });

  test('suspended by `patch`, it brings back and says so; deleted, it is gone', async () => {
    await said('patch', 'supp', 'tax', '-n', 'podmend', '--type=merge', '-p', '{"spec":{"suspend":true}}');
    await hides('');
    await shown('tax', { wanted: 'tax False Suspended 0 2999-01-31T00:00:00Z' });
    await said('delete', 'supp', 'tax', '-n', 'podmend');
    assert.is(await said('get', 'supp', '-A', '--no-headers', '-o', 'name'), '');
  });

  const refused: [says: string, match: string, why: RegExp][] = [
    ['only *', '{pods: ["*"]}', /an entry may not be only \*, which would hide everything; leave the field out instead/],
    ['nothing', '{}', /name at least one of namespaces, pods, labelSelector/],
    ['an empty selector', '{labelSelector: {}}', /labelSelector may not be empty, which would match every pod/],
  ];
  for (const [says, match, why] of refused)
    test(`a match of ${says} is refused in plain words`, async () => {
      const { code, stderr } = await apply(yaml('greedy', 'podmend', match));
      assert.is(code, 1);
      assert.match(stderr, why);
      assert.match(await said('get', 'supp', '-A', '-o', 'name'), /^$/);
    });

  test('a tenant’s Suppression that names namespaces exists, has no effect and says why', async () => {
    assert.is((await apply(yaml('greedy', 'shop', '{namespaces: [podmend]}'))).code, 0);
    await until(async () => (await columns('shop', 'greedy')).slice(0, 3).join(' ') === 'greedy False TenantRule', {
      what: 'its columns',
    });
    const described = await said('describe', 'supp', 'greedy', '-n', 'shop');
    assert.match(described, /Only a Suppression in Podmend's own namespace may name namespaces\./);
    assert.match(described, /Reason: +TenantRule\n +Status: +True\n +Type: +Stalled/);
    assert.is(await suppressed(), '');
    await said('delete', 'supp', 'greedy', '-n', 'shop');
  });
  test.run();
}
