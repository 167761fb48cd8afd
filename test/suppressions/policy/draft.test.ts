import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SuppressionBody } from '../../../src/contract/suppression.ts';
import { draftSpec } from '../../../src/suppressions/policy/draft.ts';

const test = suite('Suppressions that are requested over the API');

const NOW = new Date('2026-05-01T10:00:00Z');
const RULES = { operatorNamespace: 'podmend', hiddenNamespaces: ['hidden'], now: NOW };
const spec = (over: object = {}) =>
  draftSpec({ reason: 'known', match: { namespaces: ['shop'] }, ...over } as SuppressionBody, 'ann', RULES);
const refused = (over: object): string => {
  try {
    spec(over);
    return '';
  } catch (error) {
    return (error as Error).message;
  }
};

test('what is not said is left out, and whoever asks is the owner', () => {
  assert.equal(spec(), { reason: 'known', owner: 'ann', match: { namespaces: ['shop'] } });
  assert.equal(spec({ owner: 'team', ticket: 'T-1', namespace: 'podmend' }), {
    reason: 'known',
    owner: 'team',
    ticket: 'T-1',
    match: { namespaces: ['shop'] },
  });
});

test('it ends after so many seconds, or at an instant in the future', () => {
  const until = (over: object) => spec(over).expirationTime;
  assert.is(until({ ttl_seconds: 60 }), '2026-05-01T10:01:00Z');
  assert.is(until({ expires_at: '2026-05-01T10:00:01Z' }), '2026-05-01T10:00:01Z');
  assert.is(until({ expires_at: '2026-05-01t12:00:01+02:00' }), '2026-05-01T10:00:01Z');
  assert.is(until({ expires_at: '2028-02-29T00:00:00.5Z' }), '2028-02-29T00:00:00Z');
});

const REFUSED: [sentence: string, over: object, message: RegExp][] = [
  ['another namespace', { namespace: 'shop' }, /^namespace must be podmend/],
  ['two ends', { expires_at: '2027-01-01T00:00:00Z', ttl_seconds: 60 }, /exclude each other/],
  ['an end that is now', { expires_at: '2026-05-01T10:00:00Z' }, /must be in the future/],
  ['an end that is past', { expires_at: '2020-01-01T00:00:00Z' }, /must be in the future/],
  ['a date alone', { expires_at: '2027-01-01' }, /must be an instant like/],
  ['a day that no month has', { expires_at: '2027-02-30T00:00:00Z' }, /must be an instant like/],
  ['a leap day of another year', { expires_at: '2027-02-29T00:00:00Z' }, /must be an instant like/],
  ['an hour that no day has', { expires_at: '2027-01-01T25:00:00Z' }, /must be an instant like/],
  ['no zone', { expires_at: '2027-01-01T00:00:00' }, /must be an instant like/],
  ['nothing to match', { match: {} }, /^match must name at least one/],
  ['only a star', { match: { pods: ['web', '*'] } }, /^match\.pods\[1\] must not be only \*/],
  ['only stars', { match: { images: ['**'] } }, /^match\.images\[0\] must not be only \*/],
  ['an empty selector', { match: { label_selector: {} } }, /^match\.label_selector must name a label/],
  [
    'a selector with empty parts',
    { match: { label_selector: { match_labels: {}, match_expressions: [] } } },
    /^match\.label_selector must name a label/,
  ],
  ['a hidden namespace', { match: { namespaces: ['shop', 'hidden'] } }, /^match\.namespaces\[1\] must not be a hidden namespace/],
];
for (const [sentence, over, message] of REFUSED) test(`refused: ${sentence}`, () => assert.match(refused(over), message));

test('near misses are taken', () => {
  const selector = { match_expressions: [{ key: 'app', operator: 'Exists' }] };
  for (const match of [
    { pods: ['web-*'] },
    { namespaces: ['hidden-too'] },
    { label_selector: selector },
    { label_selector: { match_labels: { app: 'web' } } },
  ])
    assert.is(refused({ match }), '', JSON.stringify(match));
});

test.run();
