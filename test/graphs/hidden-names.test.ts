import { load } from 'js-yaml';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { isOfNamespace, withoutHiddenNames, withoutHiddenRules } from '../../src/graphs/hidden-names.ts';
import { isSecretKind, showManifest } from '../../src/graphs/manifest.ts';

const test = suite('manifests without names of hidden namespaces');
const isHidden = (namespace: string): boolean => namespace === 'vault';
const objectOf = (text: string): KubeObject => load(`{metadata: {name: one, namespace: shop}, ${text}}`) as KubeObject;

/** The part of a manifest, and what is shown of it. */
const PARTS: [sentence: string, given: string, shown: string][] = [
  [
    'a peer of a NetworkPolicy stays, because without it the policy would mean something else',
    'spec: {ingress: [{from: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: vault}}, podSelector: {}}]}]}',
    "spec: {ingress: [{from: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: '***'}}, podSelector: {}}]}]}",
  ],
  [
    'one of several names in an expression',
    'spec: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: In, values: [shop, vault]}]}',
    "spec: {matchExpressions: [{key: kubernetes.io/metadata.name, operator: In, values: [shop, '***']}]}",
  ],
  [
    'namespaces of an affinity',
    'spec: {affinity: {podAffinityTerm: {namespaces: [vault, shop]}}}',
    "spec: {affinity: {podAffinityTerm: {namespaces: ['***', shop]}}}",
  ],
  ['the server of a webhook', 'service: {name: hook, namespace: vault}', "service: {name: hook, namespace: '***'}"],
  ['a parameter', 'parameters: {provisioner-secret-namespace: vault}', "parameters: {provisioner-secret-namespace: '***'}"],
  ['a variable', 'env: [{name: TARGET_NAMESPACE, value: vault}]', "env: [{name: TARGET_NAMESPACE, value: '***'}]"],
  [
    'the address of a Service',
    "env: [{name: URL, value: 'http://db.vault.svc.cluster.local:80'}]",
    "env: [{name: URL, value: 'http://db.***.svc.cluster.local:80'}]",
  ],
  [
    'a flag',
    'args: [--namespace=vault, --namespace, vault, --target-namespace, vault]',
    "args: ['--namespace=***', --namespace, '***', --target-namespace, '***']",
  ],
  [
    'accounts and their group',
    "x: ['system:serviceaccounts:vault', 'system:serviceaccount:vault:bot']",
    "x: ['system:serviceaccounts:***', 'system:serviceaccount:***:bot']",
  ],
  [
    'a right on namespaces',
    'rules: [{resources: [namespaces], resourceNames: [vault]}]',
    "rules: [{resources: [namespaces], resourceNames: ['***']}]",
  ],
];
for (const [sentence, given, shown] of PARTS) {
  test(`${sentence}: the name is masked`, () => assert.equal(withoutHiddenNames(objectOf(given), isHidden), objectOf(shown)));
}

test('subjects of a hidden namespace are left out', () => {
  const binding = objectOf(
    "subjects: [{kind: User, name: ann}, {kind: ServiceAccount, name: bot, namespace: vault}, {kind: Group, name: 'system:serviceaccounts:vault'}]",
  );
  assert.equal(withoutHiddenNames(binding, isHidden), objectOf('subjects: [{kind: User, name: ann}]'));
});

test('a word that is the name of something else stays, and so does the object', () => {
  const object = objectOf(
    "spec: {containers: [{name: vault, image: 'vault:1', args: [vault, 'x.vault.svcs']}], rules: [{resources: [pods], resourceNames: [vault]}]}",
  );
  assert.is(withoutHiddenNames(object, isHidden), object);
});

const SUBJECTS: [kind: string, name: unknown, namespace: string | undefined, hidden: boolean][] = [
  ['ServiceAccount', 'bot', 'vault', true],
  ['ServiceAccount', 'bot', 'shop', false],
  ['ServiceAccount', 'vault', undefined, false],
  ['User', 'system:serviceaccount:vault:bot', undefined, true],
  ['User', 'system:serviceaccount:shop:vault', undefined, false],
  ['User', 'system:serviceaccounts:vault', undefined, false],
  ['Group', 'system:serviceaccounts:vault', undefined, true],
  ['Group', 'system:serviceaccount:vault:bot', undefined, false],
  ['Group', 'vault', undefined, false],
  ['User', 5, undefined, false],
];
for (const [kind, name, namespace, hidden] of SUBJECTS)
  test(`${kind} ${String(name)}${namespace ? ` of ${namespace}` : ''} is ${hidden ? '' : 'not '}of the hidden namespace`, () =>
    assert.is(isOfNamespace({ kind, name, namespace } as never, isHidden), hidden));

test('rules that name no hidden namespace are the same list', () => {
  const rules = [{ apiGroups: [''], resources: ['*'], resourceNames: ['shop'], verbs: ['get'] }];
  assert.is(withoutHiddenRules(rules, isHidden), rules);
  const named = [{ resources: ['namespaces/status'], resourceNames: ['vault', 'shop'], verbs: ['get'] }];
  assert.equal(withoutHiddenRules(named, isHidden), [{ resources: ['namespaces/status'], resourceNames: ['***', 'shop'], verbs: ['get'] }]);
});

test('what is nested too deeply is not shown', () => {
  let value: unknown = 'deep';
  for (let depth = 0; depth < 2_000; depth++) value = [value];
  assert.not.match(JSON.stringify(withoutHiddenNames({ metadata: { name: 'a' }, spec: value } as KubeObject, isHidden)), 'deep');
});

test('which words mean Secrets', () => {
  for (const kind of ['Secret', 'secrets', 'SECRET', 'v1/Secret', 'secrets.v1.', 'core.secrets']) assert.ok(isSecretKind(kind), kind);
  for (const kind of ['SecretStore', 'ExternalSecret', 'sealedsecrets', '']) assert.not(isSecretKind(kind), kind);
});

test('a manifest is YAML with its keys in order, without values that look like secrets', () => {
  const object = {
    kind: 'ConfigMap',
    data: { b: '1', a: 'password=hunter2-Xk29Lm' },
    apiVersion: 'v1',
    metadata: { namespace: 'shop', name: 'c' },
    list: [{ z: 1, y: 2 }],
  };
  assert.is(
    showManifest(object as KubeObject, isHidden),
    "apiVersion: v1\ndata:\n  a: password=***\n  b: '1'\nkind: ConfigMap\nlist:\n  - 'y': 2\n    z: 1\nmetadata:\n  name: c\n  namespace: shop\n",
  );
});

test('what belongs to a hidden namespace is not there', () => {
  assert.is(withoutHiddenNames({ metadata: { name: 'a', namespace: 'vault' } }, isHidden), undefined);
  const volume = { metadata: { name: 'pv' }, spec: { claimRef: { namespace: 'vault', name: 'data' } } } as KubeObject;
  assert.is(showManifest(volume, isHidden), undefined);
});

test('a manifest that is shown names none', () => {
  const policy = objectOf('spec: {namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: vault}}}');
  assert.not.match(showManifest(policy, isHidden) ?? '', 'vault');
});

test.run();
