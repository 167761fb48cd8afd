import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Finding } from '../../src/contract/finding.ts';
import type { Evidence } from '../../src/contract/failure.ts';
import type { MirrorRecord } from '../../src/contract/mirror.ts';
import type { SuppressionRecord } from '../../src/contract/suppression.ts';
import { evidenceFacts } from '../../src/dashboard/components/evidence.ts';
import { seenIn } from '../../src/dashboard/incident/progress.ts';
import { stepsOf } from '../../src/dashboard/incident/steps.ts';
import { filtersOf } from '../../src/dashboard/incidents/filters.ts';
import { applyToFindings } from '../../src/dashboard/live/apply.ts';
import { type Draft, filterText, groupingText } from '../../src/dashboard/notifications/draft.ts';
import { type Day, quietText } from '../../src/dashboard/notifications/quiet.ts';
import { matchesElse } from '../../src/dashboard/security/filters.ts';
import { reachesOf } from '../../src/dashboard/security/suppress.ts';
import { storedVisit, visitAt } from '../../src/dashboard/security/visit.ts';
import { entryKindOf, isExpiring, isUnused, matchFacts } from '../../src/dashboard/suppressions/match.ts';

const test = suite('words and filters at their edges');

const evidence = (over: Partial<Evidence>): Evidence =>
  ({
    ...{ restarts: 0, readiness_lost: 0, window_seconds: 60, window_reason: 'Because.', source_runs: 0 },
    ...{ longest_source_run_seconds: 0, probes_asked: [], weaknesses: [] },
    ...over,
  }) as unknown as Evidence;

for (const [sentence, over, said] of [
  ['nothing happened', {}, ['No run of the source before a failure is known.', 'No container was restarted.']],
  [
    'one of each',
    { source_runs: 1, longest_source_run_seconds: 9, restarts: 1, readiness_lost: 1, probes_asked: ['liveness'] },
    [
      'One run of the source before a failure is known, the longest of 9 s.',
      'Containers were restarted once.',
      'Readiness was lost once.',
      'Probes asked: liveness.',
    ],
  ],
  [
    'two of each',
    { source_runs: 2, longest_source_run_seconds: 9, restarts: 3, readiness_lost: 2, probes_asked: ['liveness', 'readiness'] },
    [
      '2 runs of the source before a failure are known, the longest of 9 s.',
      'Containers were restarted 3 times.',
      'Readiness was lost 2 times.',
      'Probes asked: liveness, readiness.',
    ],
  ],
] as [string, Partial<Evidence>, string[]][])
  test(`what a mirror showed: ${sentence}`, () => assert.equal(seenIn(evidence(over)), ['It is watched for 60 s. Because.', ...said]));

const condition = (type: string, status: string, message = '') => ({ type, status, message, reason: '', last_transition_time: '' });
const mirror = (conditions: object[], over: object = {}) =>
  ({ status: 'Pending', verdict: null, conditions, ...over }) as unknown as MirrorRecord;
for (const [sentence, record, states] of [
  ['nothing is known', mirror([]), ['active', 'waiting', 'waiting']],
  ['checked', mirror([condition('Validated', 'True')]), ['done', 'active', 'waiting']],
  ['its pod is there, and dry run was impossible', mirror([condition('PodCreated', 'True')]), ['done', 'done', 'active']],
  ['judged', mirror([condition('PodCreated', 'True')], { verdict: 'Fixed' }), ['done', 'done', 'done']],
  ['stalled', mirror([condition('Validated', 'True'), condition('Stalled', 'True', 'no')]), ['done', 'stopped', 'waiting']],
  ['stalled no more', mirror([condition('Validated', 'True'), condition('Stalled', 'False')]), ['done', 'active', 'waiting']],
  ['refused', mirror([condition('Validated', 'False', 'no')], { status: 'Rejected' }), ['stopped', 'waiting', 'waiting']],
] as [string, MirrorRecord, string[]][])
  test(`the steps of a mirror: ${sentence}`, () =>
    assert.equal(
      stepsOf(record).map(({ state }) => state),
      states,
    ));

test('a detector’s evidence in words', () => {
  assert.equal(
    evidenceFacts({ ready_replicas: 3, isOld: true, isNew: false, none: null, few: [], list: ['a', 1], all: [{ podName: 'a' }] }),
    [
      ['ready replicas', ['3']],
      ['is old', ['yes']],
      ['is new', ['no']],
      ['none', ['none']],
      ['few', ['none']],
      ['list', ['a, 1']],
      ['all', ['pod name a']],
    ],
  );
});

test('filters of an address: what is not known is ignored, a status holds for the active list only', () => {
  const of = (search: object) => filtersOf(search as never);
  assert.equal([of({ order: 'asc' }).order, of({ order: 'desc' }).order, of({ order: 'up' }).order], ['asc', 'desc', 'desc']);
  assert.equal([of({ sort: 'name' }).order, of({ sort: 'name', order: 'desc' }).order], ['asc', 'desc']);
  assert.equal([of({ status: 'new' }).status, of({ status: 'investigating' }).status], ['new', 'investigating']);
  assert.equal([of({ status: 'resolved' }).status, of({ list: 'resolved', status: 'new' }).status], [undefined, undefined]);
  assert.equal(
    [of({ list: 'failed' }).list, of({ list: 'history' }).list, of({ list: 'constructor' }).list],
    ['active', 'resolved', 'active'],
  );
  assert.is(of({ q: ` ${'x'.repeat(300)} ` }).q.length, 200);
});

const finding = (id: number, over: Partial<Finding> = {}): Finding =>
  ({
    ...{ id, namespace: 'shop', status: 'open', suppressed_by: null, check_name: 'privileged', severity: 'high', message: '' },
    ...{ resource_type: 'Deployment', resource_name: 'web', details: {} },
    ...over,
  }) as Finding;
const ids = (all: Finding[]) => all.map(({ id }) => id);

test('a finding is put where its id belongs, in the list of its state and namespace', () => {
  const known = [finding(5), finding(3)];
  const put = (one: Finding, list: object = { status: '' }, isDeleted = false) =>
    ids(applyToFindings(known, one, isDeleted, list as never));
  assert.equal(
    [put(finding(4)), put(finding(6)), put(finding(1)), put(finding(3))],
    [
      [5, 4, 3],
      [6, 5, 3],
      [5, 3, 1],
      [5, 3],
    ],
  );
  assert.equal(put(finding(3), { status: '' }, true), [5]);
  assert.equal(put(finding(3, { suppressed_by: 'quiet' })), [5]);
  assert.equal(put(finding(4), { status: '', namespace: 'shop' }), [5, 4, 3]);
  assert.equal(put(finding(4), { status: '', namespace: 'bank' }), [5, 3]);
  assert.equal(put(finding(4, { status: 'dismissed' }), { status: 'dismissed' }), [5, 4, 3]);
});

test('findings are narrowed by check, framework, text and time together', () => {
  const all = { check: '', framework: '', q: '', isNew: false, severities: [] };
  const is = (filters: object, since: number | null = null) => matchesElse(finding(5), { ...all, ...filters } as never, since);
  assert.equal([is({}), is({ check: 'privileged' }), is({ check: 'image-tag' })], [true, true, false]);
  assert.equal([is({ isNew: true }, 4), is({ isNew: true }, 5), is({ isNew: false }, 5)], [true, false, true]);
  assert.equal([is({ q: 'web' }), is({ q: 'nothing like it' })], [true, false]);
});

test('the ways to hide a finding: by name for a pod, by lasting labels for a workload', () => {
  const labels = (over: Partial<Finding>) => reachesOf(finding(1, over)).map(({ label }) => label);
  assert.equal(labels({ resource_type: 'Pod', resource_name: 'web-1' }), [
    'This check on Pod web-1',
    'This check in shop',
    'This check everywhere',
  ]);
  assert.equal(labels({ details: { labels: { app: 'web' } } })[0], 'This check on Deployment web');
  for (const given of [undefined, null, 'x', ['a'], {}, { app: 7 }])
    assert.equal(labels({ details: { labels: given } })[0], 'This check in shop', JSON.stringify(given));
  assert.equal(labels({ namespace: 'cluster-wide' })[0], 'This check on everything without a namespace');
});

const HALF_HOUR = 30 * 60_000;
test('a visit goes on for half an hour, and a clock that was set back begins another', () => {
  const stored = { since: 1, seen: 9, at: 1_000_000 };
  const since = (at: number) => visitAt(stored, at).since;
  assert.equal([since(1_000_000), since(1_000_000 + HALF_HOUR), since(1_000_001 + HALF_HOUR), since(999_999)], [1, 1, 9, 9]);
  const read = (text: unknown) => storedVisit(JSON.stringify(text)) !== undefined;
  assert.equal(
    [read(stored), read({ ...stored, since: null }), read({ ...stored, at: null }), read({ ...stored, seen: '9' })],
    [true, true, false, false],
  );
});

test('a Suppression in words, and the list that it belongs to', () => {
  assert.equal(matchFacts({ namespaces: ['shop', 'bank'] } as never), ['namespaces shop, bank']);
  const selector = { match_labels: { app: 'web' }, match_expressions: [{ key: 'tier', operator: 'Exists' }] };
  assert.equal(matchFacts({ label_selector: selector } as never), ['labels app=web, tier Exists']);
  const kinds = [
    { namespaces: ['a'] },
    { pods: ['a'] },
    { images: ['a/*'], checks: ['untrusted-registry'] },
    { images: ['a/*'], checks: ['image-tag'] },
    { images: ['a/*'] },
    { namespaces: ['a'], pods: ['b'] },
  ].map((match) => entryKindOf(match as never));
  assert.equal(kinds, ['namespace', 'pod', 'registry', undefined, undefined, undefined]);
});

const record = (over: object) =>
  ({ active: true, expires_at: null, matched_failures: 0, matched_findings: 0, last_matched_at: null, ...over }) as SuppressionRecord;
test('a Suppression is unused if it never matched, and expires soon only while it is active', () => {
  assert.equal(
    [{}, { matched_failures: 1 }, { matched_findings: 1 }, { last_matched_at: '2026-01-01T00:00:00Z' }].map((over) =>
      isUnused(record(over)),
    ),
    [true, false, false, false],
  );
  const now = new Date('2026-05-01T00:00:00Z');
  const until = (days: number, active = true) =>
    isExpiring(record({ active, expires_at: new Date(now.getTime() + days * 86_400_000).toISOString() }), now);
  assert.equal([until(1), until(400), until(1, false), isExpiring(record({}), now)], [true, false, false, false]);
});

const days = (...all: Day[]) => quietText({ days: all, from: '22:00', to: '07:00', timeZone: 'UTC' });
test('days in words: a row of three, others, and all of them', () => {
  assert.is(days('Mon', 'Tue', 'Wed'), 'Mon to Wed 22:00 to 07:00 of the next day, UTC');
  assert.is(days('Mon', 'Tue'), 'Mon, Tue 22:00 to 07:00 of the next day, UTC');
  assert.is(days('Mon', 'Wed', 'Fri'), 'Mon, Wed, Fri 22:00 to 07:00 of the next day, UTC');
  for (const every of [[], ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat']] as Day[][])
    assert.is(days(...every), 'every day 22:00 to 07:00 of the next day, UTC');
  const same = (to: string) => quietText({ from: '08:00', to, timeZone: 'UTC' });
  assert.equal([same('08:00'), same('08:01')], ['every day 08:00 to 08:00 of the next day, UTC', 'every day 08:00 to 08:01, UTC']);
});

const draft = (over: Partial<Draft>): Draft =>
  ({
    ...{ events: [], namespaces: '', excludeNamespaces: '', reasons: '', labels: '', sendResolved: true },
    ...{ by: [], waitSeconds: '', repeatSeconds: '', minOccurrences: '' },
    ...over,
  }) as unknown as Draft;
test('what is told, and how often, in a few words', () => {
  assert.is(filterText(draft({})), 'everything');
  const narrow = draft({ namespaces: 'shop ', excludeNamespaces: ' test', reasons: 'OOMKilled', labels: 'a=b', sendResolved: false });
  assert.is(filterText(narrow), 'in shop; not in test; OOMKilled; a=b; without the end');
  assert.is(groupingText(draft({})), 'one message for each incident');
  const slow = draft({ by: ['namespace', 'node'] as never, waitSeconds: '30', repeatSeconds: '3600', minOccurrences: '2' });
  assert.is(groupingText(slow), 'one message for each namespace and node, after 30 s, again every 3600 s, from 2 failures on');
  assert.is(groupingText(draft({ waitSeconds: '0', repeatSeconds: '0', minOccurrences: '1' })), 'one message for each incident');
});

test.run();
