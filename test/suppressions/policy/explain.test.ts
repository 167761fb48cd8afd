import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { explainSuppression } from '../../../src/suppressions/policy/explain.ts';
import { aSuppression } from '../../support/builders/suppression.ts';

const NOW = new Date('2026-06-01T00:00:00Z');
const RULES = { operatorNamespace: 'podmend', tenantsHideHigh: false };
const POD = { namespace: 'shop', pod_name: 'web-1' };
const explained = (...all: ReturnType<typeof aSuppression>[]) => explainSuppression(POD, all, NOW, RULES);

test('a record that none hides has no explanation', () => assert.is(explained(aSuppression({ pods: ['db'] })), null));

test('the first one is named with its reason and end, the others by name, at most twenty', () => {
  const first = aSuppression({ pods: ['web-*'] }, { reason: 'a known leak', metadata: { name: 'a' } });
  const alone = {
    name: 'a',
    namespace: 'podmend',
    reason: 'a known leak',
    expires_at: null,
    why: 'It is the only one that matches.',
    others: [],
  };
  assert.equal(explained(first), alone);
  const ends = { expirationTime: '2026-06-02T00:00:00Z' };
  assert.is(explained(aSuppression({ pods: ['web-1'] }, ends))?.expires_at, '2026-06-02T00:00:00Z');
  const team = aSuppression({ pods: ['web-*'] }, { metadata: { name: 'team', namespace: 'shop' } });
  const more = Array.from({ length: 20 }, (_, n) => aSuppression({ pods: ['web-*'] }, { metadata: { name: `b${n + 10}` } }));
  assert.equal(explained(team, first)?.others, [{ name: 'team', namespace: 'shop' }]);
  assert.equal(
    explained(team, ...more, first)?.others.map(({ name }) => name),
    more.map(({ metadata }) => metadata.name),
  );
});

test.run();
