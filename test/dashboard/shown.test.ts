import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { MirrorRecord } from '../../src/contract/mirror.ts';
import type { SocketMessage } from '../../src/contract/socket.ts';
import { initialsOf } from '../../src/dashboard/components/initials.ts';
import { ageOf, agoOf, exactly } from '../../src/dashboard/components/times.ts';
import { durationOf } from '../../src/dashboard/history/duration.ts';
import { partsOf } from '../../src/dashboard/incident/comment-parts.ts';
import { isTtl, MAX_TTL, MIN_TTL, runsOnce } from '../../src/dashboard/incident/mirror-terms.ts';
import { applyToMirrors } from '../../src/dashboard/live/apply.ts';
import { rescanAfter } from '../../src/dashboard/live/rescan.ts';
import { staleAfter } from '../../src/dashboard/live/stale.ts';
import { diffLines } from '../../src/dashboard/components/diff-lines.ts';
import { filtersOf, questionOf } from '../../src/dashboard/incidents/filters.ts';
import { firstRequests } from '../../src/dashboard/first-requests.ts';
import { keepShown, waitingText } from '../../src/dashboard/components/shown.ts';
import { progressOf } from '../../src/dashboard/components/progress.ts';
import { seenIn } from '../../src/dashboard/incident/progress.ts';
import { stepsOf } from '../../src/dashboard/incident/steps.ts';
import { unifiedDiff } from '../../src/diagnosis/changes/diff.ts';

// What the screens show of incidents, times, diffs and mirrors, tested without a browser.

const lists = suite('the list of incidents');
for (const [sentence, order, fresh, expected] of [
  ['at first everything is shown', [], [3, 2, 1], { order: [3, 2, 1], waiting: [] }],
  ['the same again changes nothing', [3, 2], [3, 2], { order: [3, 2], waiting: [] }],
  ['one that comes before others waits', [3, 2], [4, 3, 2], { order: [3, 2], waiting: [4] }],
  ['one between others waits too', [3, 1], [3, 2, 1], { order: [3, 1], waiting: [2] }],
  ['the next page is appended', [3, 2], [3, 2, 1], { order: [3, 2, 1], waiting: [] }],
  ['one that left keeps its place', [3, 2, 1], [3, 1], { order: [3, 2, 1], waiting: [] }],
  ['another order moves nothing', [3, 2, 1], [1, 3, 2], { order: [3, 2, 1], waiting: [] }],
  ['when nothing of the old list remains, everything is shown', [3], [9, 8], { order: [9, 8], waiting: [] }],
  ['nothing is nothing', [], [], { order: [], waiting: [] }],
] as [string, number[], number[], ReturnType<typeof keepShown>][]) {
  lists(sentence, () => assert.equal(keepShown(order, fresh), expected));
}
for (const [fresh, gone, text] of [
  [0, 0, ''],
  [3, 0, '3 new'],
  [0, 1, '1 gone'],
  [3, 1, '3 new, 1 gone'],
] as const) {
  lists(`${fresh} and ${gone} wait as ${JSON.stringify(text)}`, () => assert.is(waitingText(fresh, gone), text));
}
const none = { reason: undefined, status: undefined, verdict: undefined, assignee: undefined };
const usual = { list: 'active', sort: 'first_seen', order: 'desc', q: '', ...none };
for (const [sentence, search, expected] of [
  ['an empty address is the active ones, the newest first', {}, usual],
  ['nonsense counts as absent', { list: 'toString', sort: '__proto__', order: 'up', status: 'x', verdict: 'constructor' }, usual],
  ['names are sorted from A on', { sort: 'name' }, { ...usual, sort: 'name', order: 'asc' }],
  ['an order is taken', { sort: 'pods', order: 'asc' }, { ...usual, sort: 'pods', order: 'asc' }],
  ['addresses of earlier versions are read', { list: 'history' }, { ...usual, list: 'resolved' }],
  ['a status belongs to the active ones', { list: 'resolved', status: 'new' }, { ...usual, list: 'resolved' }],
  ['mine', { assignee: 'me' }, { ...usual, assignee: 'me' }],
  ['a name longer than any is cut', { assignee: 'x'.repeat(300) }, { ...usual, assignee: 'x'.repeat(128) }],
  ['a long search is cut', { q: ` ${'x'.repeat(300)}` }, { ...usual, q: 'x'.repeat(200) }],
] as [string, Record<string, string>, object][]) {
  lists(sentence, () => assert.equal(filtersOf(search), expected));
}
lists('the question names what is asked for, and nothing else', () => {
  assert.is(questionOf(filtersOf({}), undefined, 10), '/api/incidents?limit=10&list=active&sort=first_seen&order=desc');
  assert.is(
    questionOf(filtersOf({ q: 'a b&c', verdict: 'none' }), 'shop', 5),
    '/api/incidents?limit=5&list=active&sort=first_seen&order=desc&verdict=none&q=a+b%26c&namespace=shop',
  );
});
for (const [address, expected] of [
  ['/', ['/api/overview']],
  ['/overview?namespace=a%26b', ['/api/overview?namespace=a%26b']],
  ['/incidents', ['/api/incidents?limit=200&list=active&sort=first_seen&order=desc']],
  ['/incidents?list=history&namespace=shop', ['/api/incidents?limit=200&list=resolved&sort=first_seen&order=desc&namespace=shop']],
  ['/incidents/12?tab=logs', ['/api/pods/failed/12', '/api/pods/failed/12/diagnosis', '/api/mirror/active']],
  ['/failures/12', ['/api/pods/failed/12', '/api/pods/failed/12/diagnosis', '/api/mirror/active']],
  ['/incidents/0', []],
  ['/incidents/1e3', []],
  ['/incidents/..%2F..%2Fauth', []],
  ['/admin/users', []],
] as const) {
  lists(`${address} asks first for ${expected.join(' ') || 'nothing of its own'}`, () =>
    assert.equal(firstRequests(new URL(address, 'http://podmend.example')), ['/api/config', ...expected]),
  );
}
lists.run();

const times = suite('times');
for (const [seconds, text] of [
  [0, 'now'],
  [59, 'now'],
  [60, '1 min'],
  [7_199, '1 h'],
  [172_800, '2 d'],
  [-30, 'now'],
] as const) {
  times(`${seconds} s are ${text}`, () =>
    assert.is(ageOf(new Date(1_000_000_000_000 - seconds * 1000), new Date(1_000_000_000_000)), text),
  );
}
for (const [seconds, text] of [
  [0, 'just now'],
  [59, 'just now'],
  [60, '1 minute ago'],
  [7_199, '1 hour ago'],
  [7_200, '2 hours ago'],
  [86_399, '23 hours ago'],
  [86_400, 'yesterday'],
  [-59, 'just now'],
  [-120, 'in 2 minutes'],
] as const) {
  times(`${seconds} s ago is ${text}`, () =>
    assert.is(agoOf(new Date(1_000_000_000_000 - seconds * 1000), new Date(1_000_000_000_000)), text),
  );
}
for (const [seconds, text] of [
  [null, '–'],
  [9.4, '9 s'],
  [59, '59 s'],
  [60, '1 min'],
  [594, '9.9 min'],
  [600, '10 min'],
  [3_600, '1 h'],
  [86_400, '1 d'],
] as const) {
  times(`a length of ${String(seconds)} seconds is ${text}`, () => assert.is(durationOf(seconds), text));
}
times('an exact time names UTC too', () => assert.match(exactly(new Date('2026-05-01T10:00:07Z')), '2026-05-01 10:00:07 UTC'));
times.run();

const diffs = suite('diffs');
diffs('what the server says of a change is shown line by line, with the numbers of both texts', () => {
  const lines = diffLines(unifiedDiff('a\nb\n--- c\nd\n', 'a\nb\n+++ c\nd\ne\n'));
  assert.equal(
    lines.map(({ kind, number, text }) => `${kind} ${number} ${text}`),
    ['place null @@ -1,4 +1,5 @@', 'same 1 a', 'same 2 b', 'removed 3 --- c', 'added 3 +++ c', 'same 4 d', 'added 5 e'],
  );
});
diffs('line numbers of a later hunk start at its own position', () => {
  const text = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`);
  const changed = text.with(1, 'two').with(25, 'twenty-six');
  const lines = diffLines(unifiedDiff(text.join('\n'), changed.join('\n')));
  assert.equal(
    lines.filter(({ kind }) => kind === 'added').map(({ number }) => number),
    [2, 26],
  );
});
for (const nothing of ['', '\n', '--- before\n+++ after\n', 'no diff at all']) {
  diffs(`${JSON.stringify(nothing)} changes nothing`, () => assert.equal(diffLines(nothing), []));
}
diffs.run();

const progress = suite('progress of a mirror');
const evidence = {
  window_seconds: 38,
  window_reason: '30 s is the least.',
  ready_since: '2026-05-01T10:00:00Z',
  restarts: 1,
  readiness_lost: 0,
  source_runs: 2,
  longest_source_run_seconds: 12,
  probes_asked: ['liveness of app'],
  weaknesses: [],
  strength: 'Strong' as const,
};
progress('it counts the seconds of the window, and no more', () => {
  const after = (seconds: number) => progressOf(evidence, new Date(Date.parse(evidence.ready_since) + seconds * 1000));
  assert.is(after(12.9), 'Ready 12 of 38 s');
  assert.is(after(100), 'Ready 38 of 38 s');
  assert.is(progressOf({ ...evidence, ready_since: null }, new Date()), 'Not Ready, 38 s of it are needed');
  assert.is(progressOf(null, new Date()), undefined);
});
progress('it says what was seen', () => {
  assert.equal(seenIn(evidence), [
    'It is watched for 38 s. 30 s is the least.',
    '2 runs of the source before a failure are known, the longest of 12 s.',
    'Containers were restarted once.',
    'Probes asked: liveness of app.',
  ]);
});
progress.run();

const steps = suite('steps of a mirror');
const condition = (type: string, status: string, message: string) => ({ type, status, message, reason: 'R', last_transition_time: '' });
const PASSED = condition('Validated', 'True', 'passed');
const CREATED = condition('PodCreated', 'True', 'created');
for (const [sentence, mirror, expected] of [
  ['nothing has happened yet', { status: 'Pending', conditions: [] }, 'active, waiting, waiting'],
  [
    'it waits for room',
    { status: 'Pending', conditions: [condition('Reconciling', 'True', 'no room')] },
    'active: no room, waiting, waiting',
  ],
  ['it may run', { status: 'Pending', conditions: [PASSED] }, 'done: passed, active, waiting'],
  ['it runs', { status: 'Running', conditions: [PASSED, CREATED] }, 'done: passed, done: created, active'],
  [
    'it is judged',
    { status: 'Running', verdict: 'Fixed', conditions: [PASSED, CREATED, condition('Fixed', 'True', 'well')] },
    'done: passed, done: created, done: well',
  ],
  [
    'it is refused',
    { status: 'Rejected', conditions: [condition('Validated', 'False', 'privileged'), condition('Stalled', 'True', 'privileged')] },
    'stopped: privileged, waiting, waiting',
  ],
  [
    'a webhook cannot say, and the pod is there all the same',
    { status: 'Running', conditions: [condition('Validated', 'Unknown', 'no dry run'), CREATED] },
    'done: no dry run, done: created, active',
  ],
] as [string, Partial<MirrorRecord>, string][]) {
  steps(sentence, () => {
    const shown = stepsOf({ verdict: null, conditions: [], ...mirror } as MirrorRecord);
    assert.is(shown.map(({ state, message }) => state + (message && `: ${message}`)).join(', '), expected);
  });
}
steps.run();

const people = suite('people and their comments');
for (const [name, initials] of [
  ['ada.lovelace', 'AL'],
  ['bob', 'BO'],
  ['x', 'X'],
  ['ada_byron-lovelace', 'AL'],
  ['ada@example', 'AE'],
  ['.ada.', 'AD'],
  ['', ''],
] as const) {
  people(`the initials of ${JSON.stringify(name)} are ${JSON.stringify(initials)}`, () => assert.is(initialsOf(name), initials));
}
for (const [text, parts] of [
  ['no link', ['no link']],
  ['', []],
  ['see https://a.example/x, then', ['see ', '[https://a.example/x]', ', then']],
  ['https://a.example/x?y=1#z', ['[https://a.example/x?y=1#z]']],
  ['(http://a.example/b).', ['(', '[http://a.example/b]', ').']],
  ['http://a.example http://b.example', ['[http://a.example]', ' ', '[http://b.example]']],
  ['javascript:alert(1)', ['javascript:alert(1)']],
] as const) {
  people(`the parts of ${JSON.stringify(text)}`, () =>
    assert.equal(
      partsOf(text).map((part) => (part.isLink ? `[${part.text}]` : part.text)),
      [...parts],
    ),
  );
}
people.run();

const terms = suite('terms of a mirror');
terms('it may run for whole seconds, from half a minute to an hour', () => {
  assert.equal([29, 30, 30.5, 3600, 3601, '', '300'].map(isTtl), [false, true, false, true, false, false, false]);
  assert.equal([MIN_TTL, MAX_TTL], [30, 3600]);
});
terms('Jobs, also those of a CronJob, run their work once', () => {
  assert.equal(['Job', 'CronJob', 'Deployment', 'Pod'].map(runsOnce), [true, true, false, false]);
});
terms.run();

const live = suite('data after a message');
const message = (type: string, data: object = {}) => ({ type, data }) as SocketMessage;
for (const [sentence, told, stale] of [
  ['a pod fails', message('pod_failure'), ['graph', 'history', 'incidents', 'overview', 'siblings']],
  ['a pod is gone', message('pod_deleted'), ['graph', 'history', 'incidents', 'overview', 'siblings']],
  ['somebody takes an incident', message('pod_status_change'), ['graph', 'history', 'incidents', 'overview', 'siblings']],
  ['an explanation is there', message('solution_updated'), ['incidents', 'overview']],
  ['a mirror runs', message('mirror_status', { status: 'Running' }), ['graph', 'history', 'incidents', 'mirror-limits', 'overview']],
  [
    'a mirror has ended',
    message('mirror_status', { status: 'Expired' }),
    ['graph', 'history', 'incidents', 'mirror-limits', 'overview', 'past-mirrors'],
  ],
  ['something is suppressed', message('suppression_change'), ['advice', 'findings', 'incidents', 'overview', 'suppressions']],
  ['a namespace is excluded', message('namespace_exclusion'), ['findings', 'incidents', 'overview', 'suppressions']],
  ['a registry is trusted', message('trusted_registry_change'), ['suppressions']],
  ['there is advice', message('advice_finding'), ['advice']],
  ['an agent reports', message('agent_status'), ['about', 'agents']],
  ['a finding changes, and the message has all of it', message('security_finding'), []],
] as [string, SocketMessage, string[]][]) {
  live(`is loaded again when ${sentence}`, () => assert.equal(staleAfter(told).toSorted(), stale));
}

const mirror = (id: string, created_at: string, status = 'Running') => ({ mirror_id: id, created_at, status }) as MirrorRecord;
live('a mirror is put first if it is the newest, replaces what was known of it, and leaves when it has ended', () => {
  const [old, fresh] = [mirror('a', '2026-05-01T10:00:00Z'), mirror('b', '2026-05-01T11:00:00Z')];
  assert.equal(applyToMirrors([old], fresh), [fresh, old]);
  assert.equal(applyToMirrors([fresh], old), [fresh, old]);
  const ready = { ...old, ready: true } as unknown as MirrorRecord;
  assert.equal(applyToMirrors([fresh, old], ready), [fresh, ready]);
  assert.equal(applyToMirrors([fresh, old], mirror('b', fresh.created_at, 'Expired')), [old]);
});

live('changes are counted from the request of a rescan to its end', () => {
  const at = new Date('2026-05-01T10:00:00Z');
  const after = (known: 'requested' | 'started' | 'completed' | 'failed' | null, status: 'requested' | 'started' | 'completed') =>
    rescanAfter(known && { status: known, reason: '', at, changes: 5 }, { status, reason: 'asked' }, at);
  assert.equal(after('started', 'completed'), { status: 'completed', reason: 'asked', at, changes: 5 });
  assert.equal(
    [
      after(null, 'started'),
      after('requested', 'started'),
      after('requested', 'requested'),
      after('started', 'requested'),
      after('completed', 'started'),
      after('failed', 'started'),
    ].map(({ changes }) => changes),
    [0, 5, 0, 0, 0, 0],
  );
});
live.run();
