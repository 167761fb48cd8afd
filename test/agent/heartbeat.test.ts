import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Heartbeat } from '../../src/contract/agent.ts';
import type { Pod } from '../../src/crd/kubernetes.ts';
import { type HeartbeatDeps, heartbeatIntervalMs, startHeartbeats } from '../../src/agent/heartbeat.ts';
import { until } from '../support/runner/wait.ts';

const NOW = new Date('2026-05-01T10:00:00Z');
const aPod = (nodeName: string, namespace = 'shop'): Pod => ({ metadata: { namespace }, spec: { nodeName, containers: [] } });
const open = (name: string, node: string) => ({ pod_uid: name, pod_name: name, namespace: 'shop', container: null, node });

/** Heartbeats of a watch over two nodes. `sent` is what the operator received. */
function world(over: Partial<HeartbeatDeps> = {}, isSynced = () => true) {
  const sent: { node: string; heartbeat: Omit<Heartbeat, 'spooled' | 'dropped'> }[] = [];
  const lost: string[][] = [];
  const stop = startHeartbeats({
    watch: {
      get synced() {
        return isSynced();
      },
      failing: () => [open('web', 'a')],
      unsettled: () => [open('db', 'b')],
      pods: () => [aPod('a'), aPod('a'), aPod('b'), aPod('b', 'vault')],
      again: (uids) => void lost.push(uids),
      idle: async () => {},
    },
    reporter: {
      heartbeat: async (node, heartbeat) => {
        sent.push({ node, heartbeat });
        return node === 'a' ? ['web'] : undefined;
      },
    },
    hiddenNamespaces: ['vault'],
    version: '1',
    everyMs: 5,
    now: () => NOW,
    ...over,
  });
  return { sent, lost, stop };
}

test('two heartbeats may be lost before the operator watches the node itself', () => {
  assert.is(heartbeatIntervalMs(180), 60_000);
});

test('each node gets a heartbeat with its own pods, and what the operator lost is reported again', async () => {
  const { sent, lost, stop } = world();
  await until(() => sent.length >= 2, { what: 'a heartbeat of each node' });
  stop();
  const said = sent.slice(0, 2).map(({ node, heartbeat: { pods, failing, unsettled, observed_at } }) => ({
    ...{ node, pods, observed_at },
    failing: failing.map(({ pod_name }) => pod_name),
    unsettled: unsettled?.map(({ pod_name }) => pod_name),
  }));
  const observed_at = NOW.toISOString();
  assert.equal(said, [
    { node: 'a', pods: 2, observed_at, failing: ['web'], unsettled: [] },
    { node: 'b', pods: 1, observed_at, failing: [], unsettled: ['db'] },
  ]);
  assert.not('node' in (sent[0]?.heartbeat.failing[0] ?? {}), 'the heartbeat itself is of the node');
  assert.equal(lost.slice(0, 2), [['web'], []]);
});

test('an agent of one node sends that node’s alone', async () => {
  const { sent, stop } = world({ nodeName: 'b' });
  await until(() => sent.length >= 2, { what: 'two heartbeats' });
  stop();
  assert.equal([...new Set(sent.map(({ node }) => node))], ['b']);
});

test('nothing is sent before all pods are listed, because an empty list means that everything is well', async () => {
  let asked = 0;
  const { sent, stop } = world({}, () => ++asked > 3);
  await until(() => sent.length > 0, { what: 'the first heartbeat' });
  stop();
  assert.ok(asked > 3);
});

test.run();
