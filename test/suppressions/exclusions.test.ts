import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { MANAGED_BY, MANAGED_BY_LABEL } from '../../src/crd/managed.ts';
import { exclusions } from '../../src/suppressions/exclusions.ts';
import { aSuppression } from '../support/builders/suppression.ts';

const made = { labels: { [MANAGED_BY_LABEL]: MANAGED_BY } };
const of = (...suppressions: ReturnType<typeof aSuppression>[]) =>
  exclusions({
    cache: { list: () => suppressions, synced: true },
    writes: { put: () => Promise.reject(new Error('nothing is to be written')), change: async () => {} },
    operatorNamespace: 'podmend',
    hiddenNamespaces: ['hidden'],
    now: () => new Date('2026-06-01T00:00:00Z'),
  });

test('an entry that somebody else keeps too is shown as theirs, although the API made its own earlier', () => {
  const ours = aSuppression({ namespaces: ['shop'] }, { metadata: { name: 'a', ...made, creationTimestamp: '2026-01-01T00:00:00Z' } });
  const theirs = aSuppression({ namespaces: ['shop'] }, { metadata: { name: 'b', creationTimestamp: '2026-02-01T00:00:00Z' } });
  assert.equal(of(ours, theirs).list('namespace'), [{ entry: 'shop', source: 'kubectl', created_at: '2026-02-01T00:00:00Z' }]);
});

test('entries of others come first, then the oldest; none is of a hidden namespace or without an effect', () => {
  const at = (name: string, created: string, more = {}) =>
    aSuppression({ namespaces: [name] }, { metadata: { name, creationTimestamp: created, ...more } });
  const entries = of(
    at('young', '2026-03-01T00:00:00Z', made),
    at('old', '2026-01-01T00:00:00Z', made),
    at('theirs', '2026-05-01T00:00:00Z'),
    at('hidden', '2026-01-01T00:00:00Z'),
    aSuppression({ namespaces: ['over'] }, { expirationTime: '2026-05-31T00:00:00Z' }),
  ).list('namespace');
  assert.equal(
    entries.map(({ entry }) => entry),
    ['theirs', 'old', 'young'],
  );
});

test('an entry that already has an effect is returned unchanged', async () => {
  const theirs = aSuppression({ namespaces: ['shop'] });
  assert.is((await of(theirs).add('namespace', 'shop', 'ann')).source, 'kubectl');
});

test.run();
