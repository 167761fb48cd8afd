import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { mirrorNetworkPolicy, selectsEveryPod, type NetworkPolicy } from '../../../src/mirrors/policy/network.ts';
import { selects } from '../../../src/crd/selector.ts';
import { aMirrorPod } from '../../support/builders/mirror.ts';

const policy = (spec: NetworkPolicy['spec']): NetworkPolicy => ({ metadata: { name: 'p' }, spec });
const egressOf = (...policies: NetworkPolicy[]) => mirrorNetworkPolicy(aMirrorPod(), { labels: { app: 'web' } }, policies).spec.egress;
const dns = { ports: [{ port: 53 }] };
const db = { ports: [{ port: 5432 }] };
const web = { matchLabels: { app: 'web' } };

test('nothing comes in, and everything goes out where nothing restricts the source', () => {
  const { spec, metadata, ...type } = mirrorNetworkPolicy(aMirrorPod(), { labels: {} }, []);
  assert.equal(type, { apiVersion: 'networking.k8s.io/v1', kind: 'NetworkPolicy' });
  assert.equal(metadata.labels, { 'podmend.dev/mirror': 'true', 'podmend.dev/mirror-of': 'uid-try' });
  assert.equal(spec, {
    podSelector: { matchLabels: { 'podmend.dev/mirror-of': 'uid-try' } },
    policyTypes: ['Ingress', 'Egress'],
    ingress: [],
    egress: [{}],
  });
  assert.is(metadata.namespace, 'shop');
  assert.is(metadata.ownerReferences?.[0]?.uid, 'uid-try');
});

test('what goes out is the union of what the source\u2019s policies allow', () => {
  assert.equal(egressOf(policy({ podSelector: web, policyTypes: ['Egress'], egress: [dns] }), policy({ podSelector: {}, egress: [db] })), [
    dns,
    db,
  ]);
  assert.equal(egressOf(policy({ podSelector: web, policyTypes: ['Egress'] })), [], 'a policy without rules allows nothing');
  assert.equal(
    egressOf(policy({ podSelector: web, policyTypes: ['Ingress'], egress: [dns] })),
    [{}],
    'a policy about ingress restricts no egress',
  );
  assert.equal(
    egressOf(policy({ podSelector: { matchLabels: { app: 'db' } }, policyTypes: ['Egress'] })),
    [{}],
    'another pod\u2019s policy',
  );
});

test('selectors choose as Kubernetes does', () => {
  const rows: [Parameters<typeof selects>[0], boolean][] = [
    [undefined, true],
    [{}, true],
    [web, true],
    [{ matchLabels: { app: 'web', tier: 'x' } }, false],
    [{ matchExpressions: [{ key: 'app', operator: 'In', values: ['web', 'api'] }] }, true],
    [{ matchExpressions: [{ key: 'app', operator: 'NotIn', values: ['web'] }] }, false],
    [{ matchExpressions: [{ key: 'tier', operator: 'NotIn', values: ['x'] }] }, true],
    [{ matchExpressions: [{ key: 'app', operator: 'Exists' }] }, true],
    [{ matchExpressions: [{ key: 'app', operator: 'DoesNotExist' }] }, false],
    [{ matchExpressions: [{ key: 'app', operator: 'Never' }] }, false],
  ];
  for (const [selector, chosen] of rows) assert.is(selects(selector, { app: 'web' }), chosen, JSON.stringify(selector));
  assert.is(selectsEveryPod(policy({ podSelector: {} })), true);
  assert.is(selectsEveryPod(policy({ podSelector: web })), false);
});

test.run();
