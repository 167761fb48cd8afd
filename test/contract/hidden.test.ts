import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isHiddenOwner, isHiddenPlace } from '../../src/contract/hidden.ts';

const test = suite('what hidden namespaces hide');

/** The object as `kind namespace name`; namespace `vault` is hidden. */
const PLACES: [sentence: string, place: string, isHidden: boolean][] = [
  ['an object of it', 'Pod vault web', true],
  ['the namespace itself, filed under its name', 'Namespace vault vault', true],
  ['the namespace itself, filed as cluster-wide', 'Namespace cluster-wide vault', true],
  ['the namespace itself, filed under another namespace', 'namespace default vault', true],
  ['a cluster-wide object that is named after it', 'ClusterRole cluster-wide vault', true],
  ['the namespace itself, under its plural', 'Namespaces default vault', true],
  ['a kind that only begins so', 'NamespaceQuota default vault', false],
  ['another namespace', 'Namespace cluster-wide shop', false],
  ['an object elsewhere that has the same name', 'Deployment shop vault', false],
  ['an object whose name only begins so', 'ClusterRole cluster-wide vault-reader', false],
];
for (const [sentence, place, isHidden] of PLACES) {
  test(`${sentence} is ${isHidden ? 'hidden' : 'shown'}`, () => {
    const [kind = '', namespace = '', name = ''] = place.split(' ');
    assert.is(isHiddenPlace({ kind, namespace, name }, ['vault']), isHidden);
    assert.is(isHiddenOwner(`${kind}/${name}`, namespace, ['vault']), isHidden);
  });
}

test('without hidden namespaces nothing is hidden', () => {
  assert.is(isHiddenPlace({ kind: '', namespace: 'shop', name: '' }, []), false);
  assert.is(isHiddenOwner('', 'shop', ['vault']), false);
});

test.run();
