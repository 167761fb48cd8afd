import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import type { Kind } from '../../src/kube/kinds.ts';
import { objectStore } from '../../src/kube/store.ts';
import { createLog } from '../../src/log.ts';
import { inventory, keyOf } from '../../src/scanner/judged-objects.ts';
import { suppressionOfEntry } from '../../src/suppressions/policy/exclusion-entries.ts';

const test = suite('the objects that a scanner judges');

const RBAC = 'rbac.authorization.k8s.io/v1';
const anObject = (kind: string, name: string, namespace: string | undefined, content: object): KubeObject =>
  ({
    kind,
    metadata: { name, uid: `${kind}-${name}`, resourceVersion: '1', ...(namespace ? { namespace } : {}) },
    ...content,
  }) as KubeObject;
const spec = { spec: {} };

/** An inventory over caches that a test fills. `unsynced` kinds cannot be listed. */
function world({ watchNamespaces = [] as string[], unsynced = [] as string[] } = {}) {
  const caches = new Map<string, ReturnType<typeof objectStore>>();
  const followed: Record<string, { namespaces?: string[]; namespace?: string; mayBeUnserved?: boolean }> = {};
  const changed: string[][] = [];
  const state = { started: 0, stopped: 0 };
  const client = {
    follow(kind: Kind, { namespaces, namespace, mayBeUnserved }: Record<string, never>) {
      followed[kind.kind] = { namespaces, namespace, mayBeUnserved } as never;
      const store = objectStore();
      caches.set(kind.kind, store);
      const isSynced = !unsynced.includes(kind.kind);
      return {
        ...store,
        synced: isSynced,
        start: async () => void (isSynced ? state.started++ : await new Promise(() => undefined)),
        stop: async () => void state.stopped++,
      };
    },
  };
  const now = () => new Date('2026-05-01T10:00:00Z');
  const log = createLog({ level: 'silent' });
  const all = inventory(
    { client: client as never, watchNamespaces, operatorNamespace: 'podmend', now, log },
    (keys) => void changed.push(keys),
  );
  const put = (...objects: KubeObject[]) => {
    for (const object of objects) caches.get(object.kind ?? '')?.put(object);
    return changed.splice(0);
  };
  return { all, put, followed, state, caches, changed };
}

test('with all namespaces, what is followed', () => {
  const { followed } = world();
  assert.equal(Object.keys(followed).sort(), [
    'ClusterRole',
    'ClusterRoleBinding',
    'CronJob',
    'DaemonSet',
    'Deployment',
    'Job',
    'Namespace',
    'NetworkPolicy',
    'Pod',
    'ReplicaSet',
    'Role',
    'RoleBinding',
    'Service',
    'ServiceAccount',
    'StatefulSet',
    'Suppression',
    'ValidatingAdmissionPolicy',
    'ValidatingAdmissionPolicyBinding',
    'ValidatingWebhookConfiguration',
  ]);
  assert.is(followed['Suppression']?.namespace, 'podmend');
  assert.is(followed['Pod']?.namespaces, undefined);
  for (const [kind, { mayBeUnserved }] of Object.entries(followed)) assert.is(mayBeUnserved === true, kind.startsWith('Validating'), kind);
});

test('with some namespaces, only what is in them, because nothing else may be readable', () => {
  const { followed } = world({ watchNamespaces: ['shop'] });
  assert.equal(
    Object.keys(followed).filter((kind) => /^(?:Cluster|Namespace|Validating)/.test(kind)),
    [],
  );
  for (const kind of ['Pod', 'NetworkPolicy', 'ServiceAccount', 'RoleBinding']) assert.equal(followed[kind]?.namespaces, ['shop'], kind);
  assert.equal([followed['Suppression']?.namespace, followed['Suppression']?.namespaces], ['podmend', undefined]);
});

test('a key names kind, namespace and name; an object that is judged through its owner has none', () => {
  const { all, put } = world();
  const web = anObject('Pod', 'web', 'shop', spec);
  const role = anObject('ClusterRole', 'all', undefined, { rules: [] });
  put(web, role, anObject('Pod', 'owned', 'shop', {}), anObject('RoleBinding', 'b', 'shop', { roleRef: {} }));
  assert.equal(all.keys(), ['Pod/shop/web', 'RoleBinding/shop/b', 'ClusterRole//all']);
  assert.equal([keyOf(web), keyOf(role), keyOf({ metadata: {} })], ['Pod/shop/web', 'ClusterRole//all', '//']);
  assert.is(all.get('Pod/shop/web'), web);
  assert.is(all.get('ClusterRole//all'), role);
  for (const key of ['Pod/shop/owned', 'Pod/bank/web', 'Secret/shop/web', 'Pod/shop/gone', '']) assert.is(all.get(key), undefined, key);
});

test('what a change may concern: the object; the role of a binding; all roles that an aggregated one may collect', () => {
  const { put } = world();
  const key = (...all: [string, ...string[]]) => all;
  assert.equal(put(anObject('Deployment', 'web', 'shop', spec)), [key('Deployment/shop/web')]);
  assert.equal(put(anObject('Pod', 'owned', 'shop', {})), [key('Pod/shop/owned')]);
  assert.equal(put(anObject('Role', 'r', 'shop', { rules: [] }), anObject('ClusterRole', 'c', undefined, { rules: [] })), [
    key('Role/shop/r'),
    key('ClusterRole//c'),
  ]);
  const binding = (kind: string, name: string) => ({ roleRef: { kind, name }, subjects: [] });
  assert.equal(put(anObject('RoleBinding', 'a', 'shop', binding('Role', 'r'))), [key('RoleBinding/shop/a', 'Role/shop/r')]);
  assert.equal(put(anObject('RoleBinding', 'b', 'shop', binding('ClusterRole', 'c'))), [key('RoleBinding/shop/b', 'ClusterRole//c')]);
  assert.equal(put(anObject('ClusterRoleBinding', 'd', undefined, binding('ClusterRole', 'c'))), [
    key('ClusterRoleBinding//d', 'ClusterRole//c'),
  ]);
  assert.equal(put(anObject('ClusterRole', 'e', undefined, { rules: [], aggregationRule: {} })), [
    key('ClusterRole//e', 'ClusterRole//c', 'ClusterRole//e'),
  ]);
});

test('what a change around them may concern', () => {
  const { put } = world();
  const subject = (name: string, namespace: string) => ({ subjects: [{ kind: 'ServiceAccount', name, namespace }], roleRef: {} });
  put(
    anObject('Pod', 'a', 'shop', spec),
    anObject('Pod', 'b', 'bank', spec),
    anObject('ClusterRoleBinding', 'c', undefined, subject('bot', 'shop')),
    anObject('ClusterRoleBinding', 'd', undefined, subject('bot', 'bank')),
    anObject('ClusterRoleBinding', 'e', undefined, subject('other', 'shop')),
    anObject('ClusterRoleBinding', 'u', undefined, { subjects: [{ kind: 'User', name: 'bot', namespace: 'shop' }, null], roleRef: {} }),
  );
  const every = ['Pod/shop/a', 'Pod/bank/b', ...['c', 'd', 'e', 'u'].map((name) => `ClusterRoleBinding//${name}`)];
  assert.equal(put(anObject('NetworkPolicy', 'n', 'shop', spec)), [['Pod/shop/a']]);
  assert.equal(put(anObject('Namespace', 'bank', undefined, {})), [['Pod/bank/b']]);
  assert.equal(put(anObject('Suppression', 's', 'podmend', spec)), [every]);
  assert.equal(put(anObject('ServiceAccount', 'bot', 'shop', {})), [['Pod/shop/a', 'ClusterRoleBinding//c']]);
  assert.equal(put(anObject('ValidatingAdmissionPolicy', 'p', undefined, spec)), [every]);
});

test('kinds that cannot be listed are named, and the first pass does not wait for them for long', async () => {
  const { all, state } = world({ unsynced: ['CronJob', 'NetworkPolicy'] });
  await all.start(1);
  assert.equal(all.missing(), ['CronJob', 'NetworkPolicy']);
  assert.is(state.started, 17);
  await all.stop();
  assert.is(state.stopped, 19);
});

test('trusted registries are those of Suppressions in effect, in the operator’s namespace', () => {
  const { all, put } = world();
  const trusting = (registry: string, over: object = {}, namespace = 'podmend') => ({
    ...anObject('Suppression', registry, namespace, { spec: { ...suppressionOfEntry('registry', registry), ...over } }),
    apiVersion: 'podmend.dev/v1alpha1',
  });
  put(
    trusting('ghcr.io/acme'),
    trusting('quay.io/old', { expirationTime: '2026-05-01T09:00:00Z' }),
    trusting('quay.io/new', { expirationTime: '2026-05-01T11:00:00Z' }),
    trusting('quay.io/tenant', {}, 'shop'),
    trusting('quay.io/off', { suspend: true }),
  );
  assert.equal(all.around('shop').trustedRegistries, ['ghcr.io/acme', 'quay.io/new']);
});

test('what is around a namespace is read again after a change', () => {
  const { all, put } = world();
  const role = anObject('Role', 'r', 'shop', { apiVersion: RBAC, rules: [] });
  assert.equal(all.around('shop').policySelectors, []);
  put(anObject('NetworkPolicy', 'n', 'shop', { spec: { podSelector: { matchLabels: { a: 'b' } } } }));
  assert.equal(all.around('shop').policySelectors, [{ matchLabels: { a: 'b' } }]);
  assert.equal(all.around('bank').policySelectors, []);
  assert.is(all.around('shop').isBound?.(role), false);
  put(anObject('RoleBinding', 'b', 'shop', { roleRef: { kind: 'Role', name: 'r' }, subjects: [{ kind: 'User', name: 'ann' }] }));
  assert.is(all.around('shop').isBound?.(role), true);
  put(anObject('ServiceAccount', 'quiet', 'shop', { automountServiceAccountToken: false }));
  assert.equal([...(all.around('shop').quietAccounts ?? [])], ['quiet']);
  assert.equal(
    [all.around('').hasAccount?.('shop', 'quiet'), all.around('').hasAccount?.('shop', 'gone'), all.around('').hasAccount?.('', 'x')],
    [true, false, undefined],
  );
  put({
    ...anObject('Namespace', 'shop', undefined, {}),
    metadata: { name: 'shop', uid: 'n', labels: { 'pod-security.kubernetes.io/enforce': 'restricted' } },
  });
  assert.is(all.around('shop').enforced?.level, 'restricted');
});

test('what could not be listed is not known', () => {
  const { all } = world({ unsynced: ['NetworkPolicy', 'ServiceAccount', 'ClusterRoleBinding'] });
  const { policySelectors, hasAccount, isBound } = all.around('shop');
  assert.equal([policySelectors, hasAccount, isBound], [undefined, undefined, undefined]);
  const some = world({ watchNamespaces: ['shop'] }).all.around('shop');
  assert.equal([some.hasAccount?.('shop', 'x'), some.hasAccount?.('bank', 'x')], [false, undefined]);
  assert.ok(some.isBound, 'bindings of the whole cluster are not read');
});

test.run();
