import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Pod } from '../../src/crd/kubernetes.ts';
import { nodeWatch, type NodeWatchDeps } from '../../src/agent/node-watch.ts';
import type { LightweightClient } from '../../src/kube/lightweight.ts';
import { createLog } from '../../src/log.ts';
import { until } from '../support/runner/wait.ts';

type Change = { type: 'ADDED' | 'MODIFIED' | 'DELETED'; object: Pod };

/** A watch with changes from the test. `asked` are its requests to the API server. */
function world(over: Partial<NodeWatchDeps> = {}) {
  const asked: object[] = [];
  const said: string[] = [];
  let change: (change: Change) => unknown = () => {};
  const client = {
    list: async () => [],
    follow: (_kind: unknown, { namespaces, fieldSelector }: { namespaces: string[]; fieldSelector?: string }) => {
      asked.push({ namespaces, fieldSelector });
      const onChange = (listener: typeof change) => {
        change = listener;
        return () => (change = () => {});
      };
      return { onChange, start: async () => {}, stop: async () => {}, synced: true };
    },
  } as unknown as LightweightClient;
  const watch = nodeWatch({
    client,
    collect: {
      pod: async ({ metadata: { name = '', namespace = '' } }) => ({ report: { pod_name: name, namespace }, isLogDue: false }),
      isMadeGood: async () => false,
    },
    reporter: {
      report: ({ pod_name }) => void said.push(`${pod_name} fails`),
      gone: ({ pod_name }, { reason }) => void said.push(`${pod_name} ${reason}`),
    },
    watchNamespaces: [],
    graces: { pendingSeconds: 120, unreadySeconds: 60, recoverySeconds: 600 },
    now: () => new Date('2026-05-01T10:00:00Z'),
    log: createLog({ level: 'silent' }),
    ...over,
  });
  return { watch, asked, said, give: (given: Change) => change(given) };
}

const aPod = (name: string, reason?: string): Pod => ({
  metadata: { name, namespace: 'shop', uid: name },
  spec: { nodeName: 'node-1', containers: [{ name: 'app', image: 'web:1' }] },
  status: {
    phase: 'Pending',
    containerStatuses: [
      { name: 'app', image: 'web:1', imageID: '', ready: false, restartCount: 0, state: reason ? { waiting: { reason } } : {} },
    ],
  },
});

test('an agent of a node watches that node’s pods alone; without a node, those of all', async () => {
  const [own, all] = [world({ nodeName: 'node-1', watchNamespaces: ['shop'] }), world()];
  assert.equal(own.asked, [{ namespaces: ['shop'], fieldSelector: 'spec.nodeName=node-1' }]);
  assert.equal(all.asked, [{ namespaces: [], fieldSelector: undefined }]);
  await Promise.all([own.watch.stop(), all.watch.stop()]);
});

test('what fails is reported, then what is deleted, also of a pod that looked well', async () => {
  const { watch, said, give } = world();
  give({ type: 'ADDED', object: aPod('unpulled', 'ImagePullBackOff') });
  give({ type: 'ADDED', object: aPod('young') });
  await until(() => said.length === 1, { what: 'a report' });
  for (const name of ['unpulled', 'young']) await give({ type: 'DELETED', object: aPod(name) });
  assert.equal(said, ['unpulled fails', 'unpulled deleted', 'young deleted']);
  await watch.stop();
  give({ type: 'ADDED', object: aPod('late', 'ImagePullBackOff') });
  await watch.idle();
  assert.is(said.length, 3, 'nothing is reported after the end');
});

test.run();
