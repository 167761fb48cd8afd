import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SuppressionMatch } from '../../../src/crd/suppression.ts';
import { matchBody, matchOf, shownRecord, suppressionRecord } from '../../../src/suppressions/policy/suppression-record.ts';
import { aSuppression } from '../../support/builders/suppression.ts';

const NOW = new Date('2026-06-01T00:00:00Z');
const record = (...given: Parameters<typeof aSuppression>) => suppressionRecord(aSuppression(...given), NOW, 'podmend');

test('what a Suppression does not say is null, false or 0', () => {
  assert.equal(record({ pods: ['web'] }), {
    ...{ name: 'known', namespace: 'podmend', reason: 'known and accepted', owner: null, ticket: null, expires_at: null },
    ...{ suspend: false, active: true, active_reason: 'InEffect', matched_failures: 0, matched_findings: 0, last_matched_at: null },
    ...{ match: { pods: ['web'] }, source: 'kubectl', created_at: '2026-01-01T00:00:00Z' },
  });
});

test('everything that it says is shown', () => {
  const spec = { reason: 'r', owner: 'ann', ticket: 'T-1', expirationTime: '2027-01-01T00:00:00Z', suspend: true };
  const status = { matchedFailures: 1, matchedFindings: 2, lastMatchedTime: '2026-05-31T10:00:00Z' };
  const labels = { 'app.kubernetes.io/managed-by': 'podmend' };
  const made = { ...aSuppression({ checks: ['x'] }, { ...spec, metadata: { name: 'n', namespace: 'shop', labels } }), status };
  assert.equal(suppressionRecord(made, NOW, 'podmend'), {
    ...{ name: 'n', namespace: 'shop', reason: 'r', owner: 'ann', ticket: 'T-1', expires_at: '2027-01-01T00:00:00Z', suspend: true },
    ...{ active: false, active_reason: 'Suspended', matched_failures: 1, matched_findings: 2, last_matched_at: '2026-05-31T10:00:00Z' },
    ...{ match: { checks: ['x'] }, source: 'api', created_at: '2026-01-01T00:00:00Z' },
  });
});

test('hidden namespaces are left out, and what is then left of a record may be nothing', () => {
  const rules = { operatorNamespace: 'podmend', hiddenNamespaces: ['hidden', 'podmend'] };
  const shown = (...given: Parameters<typeof aSuppression>) => shownRecord(record(...given), rules)?.match.namespaces;
  assert.equal(shown({ namespaces: ['shop', 'hidden', 'bank'] }), ['shop', 'bank']);
  assert.is(shown({ namespaces: ['hidden'] }), undefined);
  assert.is(shownRecord(record({ pods: ['a'] }, { metadata: { namespace: 'hidden' } }), rules), undefined);
  for (const same of [
    record({ pods: ['a'] }),
    record({ namespaces: ['shop'] }),
    record({ pods: ['a'] }, { metadata: { namespace: 'shop' } }),
  ])
    assert.is(shownRecord(same, rules), same);
});

test('a match keeps every field between the API and the cluster', () => {
  const matchExpressions = [
    { key: 'tier', operator: 'In', values: ['a'] },
    { key: 'tier', operator: 'Exists' },
  ];
  const match: SuppressionMatch = {
    ...{ namespaces: ['a'], pods: ['b'], failureReasons: ['c'], checks: ['d'], images: ['e'] },
    labelSelector: { matchLabels: { app: 'web' }, matchExpressions },
  };
  const body = matchBody(match);
  assert.equal(body, {
    ...{ namespaces: ['a'], pods: ['b'], failure_reasons: ['c'], checks: ['d'], images: ['e'] },
    label_selector: { match_labels: { app: 'web' }, match_expressions: matchExpressions },
  });
  assert.equal(matchOf(body), match);
  assert.equal(matchOf({ ...body, more: 1 } as typeof body), match, 'unknown fields are dropped');
  for (const one of [{ pods: ['a'] }, { labelSelector: {} }, { labelSelector: { matchLabels: {} } }])
    assert.equal(matchOf(matchBody(one)), one);
});

test.run();
