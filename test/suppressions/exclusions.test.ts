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

test('an entry of a hidden namespace is refused, and removes nothing', async () => {
  const one = aSuppression({ namespaces: ['hidden'] });
  assert.is(await of(one).remove('namespace', 'hidden'), false);
  await of(one)
    .add('namespace', 'hidden', 'ann')
    .then(
      () => assert.unreachable(),
      ({ message }: Error) => assert.is(message, 'namespace must not be a hidden one'),
    );
  assert.is((await of(aSuppression({ pods: ['hidden'] })).add('pod', 'hidden', 'ann')).entry, 'hidden', 'a pod may have that name');
});

/** Removes the entry `shop`. Returns what was written, or the refusal. */
async function removed(...held: ReturnType<typeof aSuppression>[]) {
  const changed: unknown[] = [];
  const lists = exclusions({
    cache: { list: () => held, synced: true },
    writes: {
      put: async () => aSuppression({}),
      change: async ({ metadata }, next) => void changed.push([metadata.name, next({ namespaces: ['shop', 'x'] })]),
    },
    operatorNamespace: 'podmend',
    hiddenNamespaces: [],
    now: () => new Date('2026-06-01T00:00:00Z'),
  });
  const answer = await lists.remove('namespace', 'shop').catch(({ message }: Error) => message);
  return { answer, changed };
}
const called = (name: string, namespaces: string[], more = {}) => aSuppression({ namespaces }, { metadata: { name, ...more } });

test('an entry is taken out of every Suppression that has it, also out of one without an effect', async () => {
  const suspended = { ...called('c', ['shop']), spec: { reason: 'r', suspend: true, match: { namespaces: ['shop'] } } };
  const out = { namespaces: ['x'] };
  assert.equal(await removed(called('a', ['shop', 'x']), called('b', ['x']), suspended), {
    answer: true,
    changed: [
      ['a', out],
      ['c', out],
    ],
  });
  assert.equal(await removed(called('b', ['x'])), { answer: false, changed: [] });
});

test('an entry that a tool manages too is not removed at all', async () => {
  const labels = { 'helm.toolkit.fluxcd.io/name': 'apps' };
  assert.equal(await removed(called('a', ['shop']), called('b', ['shop'], { labels })), {
    answer: 'Managed by Flux: change it at its source',
    changed: [],
  });
});

test('a new entry is written with its requester and reason; one that is in effect meanwhile is enough', async () => {
  const put: unknown[] = [];
  const lists = exclusions({
    cache: { list: () => [], synced: true },
    writes: {
      put: async (name, spec, isEnough) => {
        const has = (match: object, more = {}) => isEnough?.(aSuppression(match, more));
        put.push(name.replace(/[0-9a-f]{10}$/, '…'), spec, [
          has({ pods: ['web'] }),
          has({ pods: ['web'] }, { suspend: true }),
          has({ pods: ['db'] }),
        ]);
        return aSuppression({ pods: ['web'] }, { metadata: made });
      },
      change: async () => {},
    },
    operatorNamespace: 'podmend',
    hiddenNamespaces: [],
    now: () => new Date('2026-06-01T00:00:00Z'),
  });
  assert.equal(await lists.add('pod', 'web', 'ann'), { entry: 'web', source: 'api', created_at: '2026-01-01T00:00:00Z' });
  assert.equal(put, [
    'api-pod-…',
    { reason: 'Excluded pod, set through the API', owner: 'ann', match: { pods: ['web'] } },
    [true, false, false],
  ]);
});

test.run();
