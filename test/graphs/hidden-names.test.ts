import { load } from 'js-yaml';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { withoutHiddenNames } from '../../src/graphs/hidden-names.ts';
import { showManifest } from '../../src/graphs/manifest.ts';

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
