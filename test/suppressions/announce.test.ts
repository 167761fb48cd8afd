import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SocketMessage } from '../../src/contract/socket.ts';
import { suppressionAnnouncer } from '../../src/suppressions/announce.ts';
import { suppressionRecord } from '../../src/suppressions/policy/suppression-record.ts';
import { aSuppression } from '../support/builders/suppression.ts';

const record = (...given: Parameters<typeof aSuppression>) =>
  suppressionRecord(aSuppression(...given), new Date('2026-06-01T00:00:00Z'), 'podmend');
const KEY = 'podmend/known';

function world() {
  const messages: SocketMessage[] = [];
  const hub = { publish: (message: SocketMessage) => void messages.push(message) };
  const announcer = suppressionAnnouncer(hub, { operatorNamespace: 'podmend', hiddenNamespaces: ['hidden'] });
  return { announcer, told: () => messages.splice(0) };
}

test('a message has the record as it is shown now; a removed one is not active', () => {
  const { announcer, told } = world();
  const both = record({ namespaces: ['shop', 'hidden'] });
  const shown = { ...both, match: { namespaces: ['shop'] } };
  announcer.announce(KEY, both);
  assert.equal(told(), [
    { type: 'suppression_change', data: { ...shown, action: 'added' } },
    { type: 'namespace_exclusion', data: { namespace: 'shop', action: 'excluded' } },
  ]);
  announcer.announce(KEY, undefined);
  assert.equal(told(), [
    { type: 'suppression_change', data: { ...shown, active: false, action: 'removed' } },
    { type: 'namespace_exclusion', data: { namespace: 'shop', action: 'included' } },
  ]);
});

test('an excluded pod has no message of its own, and registries are added and removed', () => {
  const { announcer, told } = world();
  announcer.announce(KEY, record({ pods: ['web'] }));
  assert.equal(
    told().map(({ type }) => type),
    ['suppression_change'],
  );
  announcer.announce('podmend/other', record({ checks: ['untrusted-registry'], images: ['ghcr.io/*'] }, { metadata: { name: 'other' } }));
  assert.equal(told().at(-1), { type: 'trusted_registry_change', data: { registry: 'ghcr.io', action: 'added' } });
  announcer.announce('podmend/other', undefined);
  assert.equal(told().at(-1), { type: 'trusted_registry_change', data: { registry: 'ghcr.io', action: 'removed' } });
});

test('a change of the counts alone is not announced, any other is', () => {
  const { announcer, told } = world();
  const before = record({ pods: ['web'] });
  announcer.announce(KEY, before);
  told();
  announcer.announce(KEY, { ...before, matched_failures: 5, matched_findings: 6, last_matched_at: '2026-06-01T00:00:00Z' });
  assert.equal(told(), []);
  for (const changed of [
    { reason: 'new' },
    { owner: 'ann' },
    { ticket: 'T-1' },
    { expires_at: '2027-01-01T00:00:00Z' },
    { suspend: true },
  ]) {
    const after = { ...before, ...changed };
    announcer.announce(KEY, after);
    assert.equal(told(), [{ type: 'suppression_change', data: { ...after, action: 'changed' } }]);
  }
});

test('what was known at the start, or what another replica sent, is not sent again', () => {
  const { announcer, told } = world();
  const [first, second] = [record({ pods: ['a'] }), record({ pods: ['b'] }, { metadata: { name: 'second' } })];
  announcer.begin([first]);
  announcer.begin([second]);
  assert.equal(announcer.keys(), [KEY], 'only the first call counts');
  announcer.heard({ type: 'suppression_change', data: { ...second, action: 'added' } });
  assert.equal(announcer.keys(), [KEY, 'podmend/second']);
  announcer.announce(KEY, first);
  announcer.announce('podmend/second', second);
  announcer.heard({ type: 'suppression_change', data: { ...second, active: false, action: 'removed' } });
  announcer.heard({ type: 'namespace_exclusion', data: { namespace: 'shop', action: 'excluded' } });
  assert.equal([announcer.keys(), told()], [[KEY], []]);
});

test('a Suppression of another namespace excludes none', () => {
  const { announcer, told } = world();
  announcer.announce('shop/known', { ...record({ namespaces: ['shop'] }, { metadata: { namespace: 'shop' } }), active: true });
  assert.equal(
    told().map(({ type }) => type),
    ['suppression_change'],
  );
});

test.run();
