import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FailureRecord } from '../../src/contract/failure.ts';
import type { MirrorRecord } from '../../src/contract/mirror.ts';
import type { SocketMessage } from '../../src/contract/socket.ts';
import { applyToMirrors, applyToPages, type ListName, type Page } from '../../src/dashboard/live/apply.ts';

// What messages do to lists that are loaded.

const aRecord = (id: number, over: Partial<FailureRecord> = {}): FailureRecord => ({
  id,
  cluster: 'test',
  pod_name: `web-${id}`,
  namespace: 'shop',
  node_name: 'node-1',
  resource_kind: 'Pod',
  container: 'app',
  workload: { kind: 'Deployment', name: 'web' },
  incident_id: 1,
  failure_reason: 'CrashLoopBackOff',
  failure_message: 'back-off',
  status: 'new',
  solution: 'as before',
  is_fallback: true,
  events: [],
  container_statuses: [],
  occurrences: 1,
  timestamp: '2026-05-01T10:00:00Z',
  last_seen: '2026-05-01T10:00:00Z',
  resolved_at: null,
  suppressed_by: null,
  trials: [],
  ...over,
});
const failed = (id: number, over: Partial<FailureRecord> = {}): SocketMessage => ({
  type: 'pod_failure',
  data: { ...aRecord(id, over), reason: over.failure_reason ?? 'CrashLoopBackOff' },
});
const status = (id: number, to: FailureRecord['status']): SocketMessage => ({
  type: 'pod_status_change',
  data: { id, status: to },
  namespace: 'shop',
});
const next = '/api/pods/failed?limit=2&before=7';
const pages = (): Page[] => [
  { body: [aRecord(9), aRecord(8)], next: '/second' },
  { body: [aRecord(5), aRecord(4)], next },
];
const idsAfter = (message: SocketMessage, list: ListName = 'failed', search = ''): number[][] | 'reload' | 'unchanged' => {
  const before = pages();
  const after = applyToPages(before, message, { list, search });
  if (after === before) return 'unchanged';
  return after === 'reload' ? after : after.map(({ body }) => body.map(({ id }) => id));
};

const test = suite('live lists');

for (const [sentence, message, expected, list, search] of [
  [
    'a new failure comes first',
    failed(10),
    [
      [10, 9, 8],
      [5, 4],
    ],
  ],
  [
    'one that was reopened has its place by age',
    failed(6),
    [
      [9, 8],
      [6, 5, 4],
    ],
  ],
  ['one older than what is loaded waits for its page', failed(2), 'unchanged'],
  [
    'one that is there is renewed in its place',
    failed(8, { occurrences: 2 }),
    [
      [9, 8],
      [5, 4],
    ],
  ],
  [
    'one that is searched for comes',
    failed(10, { pod_name: 'Payments-1' }),
    [
      [10, 9, 8],
      [5, 4],
    ],
    'failed',
    'payments',
  ],
  ['one that is not searched for does not', failed(10), 'unchanged', 'failed', 'payments'],
  ['one that is no longer what is searched for goes', failed(8, { failure_reason: 'OOMKilled' }), [[9], [5, 4]], 'failed', 'crashloop'],
  ['an active one is none of the ignored', failed(10), 'unchanged', 'ignored'],
  ['who is ignored leaves', status(8, 'ignored'), [[9], [5, 4]]],
  ['who is resolved leaves', status(5, 'resolved'), [[9, 8], [4]]],
  [
    'who is looked into stays',
    status(8, 'investigating'),
    [
      [9, 8],
      [5, 4],
    ],
  ],
  ['the same status again changes nothing', status(8, 'new'), 'unchanged'],
  ['who leaves but was not loaded changes nothing', status(77, 'resolved'), 'unchanged'],
  ['who comes back but was not loaded is asked for', status(77, 'new'), 'reload'],
  ['a deleted pod leaves', { type: 'pod_deleted', data: { namespace: 'shop', pod_name: 'web-5' } }, [[9, 8], [4]]],
  ['one of that name elsewhere does not', { type: 'pod_deleted', data: { namespace: 'bank', pod_name: 'web-5' } }, 'unchanged'],
  ['a deleted pod is history', { type: 'pod_deleted', data: { namespace: 'shop', pod_name: 'web-5' } }, 'reload', 'history'],
  [
    'a solution arrives',
    { type: 'solution_updated', data: { id: 8, solution: 'new' }, namespace: 'shop' },
    [
      [9, 8],
      [5, 4],
    ],
  ],
  [
    'what is hidden or shown only the server knows',
    { type: 'namespace_exclusion', data: { namespace: 'shop', action: 'excluded' } },
    'reload',
  ],
  [
    'what does not concern failures changes nothing',
    { type: 'trusted_registry_change', data: { registry: 'x', action: 'added' } },
    'unchanged',
  ],
] as [string, SocketMessage, number[][] | 'reload' | 'unchanged', ListName?, string?][]) {
  test(sentence, () => {
    assert.equal(idsAfter(message, list, search), expected);
  });
}

test('who is newly ignored is asked for where the ignored are', () => {
  assert.is(applyToPages([{ body: [], next: null }], status(8, 'ignored'), { list: 'ignored', search: '' }), 'reload');
});

test('a message of a later version changes nothing', () => {
  const before = pages();
  assert.is(
    applyToPages(before, { type: 'from_the_future', data: {} } as unknown as SocketMessage, { list: 'failed', search: '' }),
    before,
  );
});

test('what a message brings is taken in', () => {
  const solved = applyToPages(
    pages(),
    { type: 'solution_updated', data: { id: 8, solution: 'new' }, namespace: 'shop' },
    { list: 'failed', search: '' },
  );
  assert.is(solved !== 'reload' && solved[0]?.body[1]?.solution, 'new');
  const renewed = applyToPages(pages(), failed(8, { occurrences: 7 }), { list: 'failed', search: '' });
  assert.is(renewed !== 'reload' && renewed[0]?.body[1]?.occurrences, 7);
  assert.not.ok(renewed !== 'reload' && renewed[0]?.body[1] && 'reason' in renewed[0].body[1], 'only the record is kept');
});

test('an empty list takes the first failure', () => {
  const after = applyToPages([{ body: [], next: null }], failed(1), { list: 'failed', search: '' });
  assert.equal(after !== 'reload' && after[0]?.body.map(({ id }) => id), [1]);
});

const aMirror = (mirror_id: string, created_at: string, phase = 'Running') => ({ mirror_id, created_at, status: phase }) as MirrorRecord;

test('mirrors are kept newest first, renewed, and dropped when their time is over', () => {
  const two = [aMirror('b', '2026-05-01T10:01:00Z'), aMirror('a', '2026-05-01T10:00:00Z')];
  const ids = (mirrors: MirrorRecord[]) => mirrors.map(({ mirror_id }) => mirror_id).join('');
  assert.is(ids(applyToMirrors(two, aMirror('c', '2026-05-01T10:02:00Z'))), 'cba');
  assert.is(applyToMirrors(two, aMirror('a', '2026-05-01T10:00:00Z', 'Failed'))[1]?.status, 'Failed');
  assert.is(ids(applyToMirrors(two, aMirror('b', '2026-05-01T10:01:00Z', 'Expired'))), 'a');
});

test.run();
