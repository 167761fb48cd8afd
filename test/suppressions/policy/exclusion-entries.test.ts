import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SuppressionMatch } from '../../../src/crd/suppression.ts';
import { entriesOf, nameOf, suppressionOfEntry, withoutEntry } from '../../../src/suppressions/policy/exclusion-entries.ts';

const test = suite('entries of exclusion lists');

const registry = (...images: string[]): SuppressionMatch => ({ checks: ['untrusted-registry'], images });

const NAMED: [sentence: string, match: SuppressionMatch, name: RegExp][] = [
  ['an excluded namespace', suppressionOfEntry('namespace', 'shop').match, /^api-namespace-[0-9a-f]{10}$/],
  ['an excluded pod', suppressionOfEntry('pod', 'web').match, /^api-pod-[0-9a-f]{10}$/],
  ['a trusted registry', suppressionOfEntry('registry', 'ghcr.io/acme').match, /^api-registry-[0-9a-f]{10}$/],
  ['two namespaces', { namespaces: ['shop', 'bank'] }, /^api-suppression-/],
  ['a registry beside one image', registry('ghcr.io/acme/*', 'quay.io/acme/web:1'), /^api-suppression-/],
  ['a namespace and a pod', { namespaces: ['shop'], pods: ['web'] }, /^api-suppression-/],
];
for (const [sentence, match, name] of NAMED) test(`the name of a Suppression: ${sentence}`, () => assert.match(nameOf(match), name));

for (const [kind, says] of Object.entries({ namespace: 'Excluded namespace', pod: 'Excluded pod', registry: 'Trusted registry' }))
  test(`a Suppression for one ${kind} says that the API set it`, () =>
    assert.is(suppressionOfEntry(kind as 'pod', 'web').reason, `${says}, set through the API`));

test('the name of an entry has the digest of the entry', () => {
  // printf %s shop | sha256sum | cut -c1-10
  assert.is(nameOf(suppressionOfEntry('namespace', 'shop').match), 'api-namespace-8d9001d32c');
});

test('the same match has the same name in any order, and another match another name', () => {
  const name = nameOf({ namespaces: ['shop', 'bank'], pods: ['web'] });
  assert.is(nameOf({ pods: ['web'], namespaces: ['bank', 'shop'] }), name);
  assert.is.not(nameOf({ namespaces: ['shop', 'bank'], pods: ['web', 'api'] }), name);
  assert.is.not(nameOf(suppressionOfEntry('pod', 'shop').match), nameOf(suppressionOfEntry('namespace', 'shop').match));
});

test('a trusted registry is an entry without its ending; other images and a bare ending are none', () => {
  assert.equal(entriesOf('registry', registry('ghcr.io/acme/*', 'quay.io/acme/web:1', '/*')), ['ghcr.io/acme']);
});

test('a match with further fields has no entries: it hides less than an entry says', () => {
  assert.equal(entriesOf('namespace', { namespaces: ['shop'], pods: ['web'] }), []);
  assert.equal(entriesOf('registry', { images: ['ghcr.io/acme/*'] }), []);
});

test('an entry is taken out of a match, which goes with its last value', () => {
  assert.equal(withoutEntry('namespace', { namespaces: ['shop', 'bank'] }, 'shop'), { namespaces: ['bank'] });
  assert.equal(withoutEntry('registry', registry('ghcr.io/acme/*', 'quay.io/acme/web:1'), 'ghcr.io/acme'), registry('quay.io/acme/web:1'));
  assert.is(withoutEntry('namespace', { namespaces: ['shop'] }, 'shop'), undefined);
  const other: SuppressionMatch = { namespaces: ['shop'], pods: ['web'] };
  assert.is(withoutEntry('namespace', other, 'shop'), other);
});

test.run();
