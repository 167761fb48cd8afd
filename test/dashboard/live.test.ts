import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { MirrorRecord } from '../../src/contract/mirror.ts';
import type { SocketMessage } from '../../src/contract/socket.ts';
import type { Finding } from '../../src/contract/finding.ts';
import { applyToFindings, applyToMirrors, type FindingList } from '../../src/dashboard/live/apply.ts';
import { type Rescan, rescanAfter } from '../../src/dashboard/live/rescan.ts';
import { staleAfter } from '../../src/dashboard/live/stale.ts';

// How socket messages change the loaded data.

const test = suite('live data');

const aMirror = (mirror_id: string, created_at: string, phase = 'Running') => ({ mirror_id, created_at, status: phase }) as MirrorRecord;

test('mirrors are kept newest first, renewed, and dropped when their time is over', () => {
  const two = [aMirror('b', '2026-05-01T10:01:00Z'), aMirror('a', '2026-05-01T10:00:00Z')];
  const ids = (mirrors: MirrorRecord[]) => mirrors.map(({ mirror_id }) => mirror_id).join('');
  assert.is(ids(applyToMirrors(two, aMirror('c', '2026-05-01T10:02:00Z'))), 'cba');
  assert.is(applyToMirrors(two, aMirror('a', '2026-05-01T10:00:00Z', 'Failed'))[1]?.status, 'Failed');
  assert.is(ids(applyToMirrors(two, aMirror('b', '2026-05-01T10:01:00Z', 'Expired'))), 'a');
});

const aFinding = (id: number, changes: Partial<Finding> = {}) =>
  ({ id, namespace: 'shop', status: 'open', suppressed_by: null, message: '', ...changes }) as Finding;
const active: FindingList = { status: '' };

for (const [sentence, finding, isDeleted, list, expected] of [
  ['a new one comes first', aFinding(9), false, active, [9, 5, 3]],
  ['an older one takes its place', aFinding(4), false, active, [5, 4, 3]],
  ['the oldest comes last', aFinding(1), false, active, [5, 3, 1]],
  ['a known one is renewed where it is', aFinding(3), false, active, [5, 3]],
  ['one that was reopened is active', aFinding(4, { status: 'reopened' }), false, active, [5, 4, 3]],
  ['one of another namespace is not in the scope', aFinding(9, { namespace: 'bank' }), false, { status: '', namespace: 'shop' }, [5, 3]],
  ['one that was dismissed leaves', aFinding(5, { status: 'dismissed' }), true, active, [3]],
  ['one that was dismissed is among the dismissed', aFinding(4, { status: 'dismissed' }), true, { status: 'dismissed' }, [5, 4, 3]],
  ['one that was restored leaves the dismissed', aFinding(5), false, { status: 'dismissed' }, [3]],
  ['one that is suppressed leaves', aFinding(5, { suppressed_by: 'known' }), true, active, [3]],
  ['one that is suppressed is among the suppressed', aFinding(9, { suppressed_by: 'known' }), true, { status: 'suppressed' }, [9, 5, 3]],
  ['one that is resolved leaves', aFinding(3, { status: 'resolved' }), true, active, [5]],
  ['one whose resource is gone leaves, and is in no list', aFinding(5), true, active, [3]],
] as [string, Finding, boolean, FindingList, number[]][])
  test(`among findings ${sentence}`, () =>
    assert.equal(
      applyToFindings([aFinding(5), aFinding(3)], finding, isDeleted, list).map(({ id }) => id),
      expected,
    ));

const at = new Date('2026-05-01T10:00:00Z');
const aRescan = (status: Rescan['status'], changes: number): Rescan => ({ status, reason: 'asked', at, changes });
for (const [sentence, known, status, changes] of [
  ['a request begins one', undefined, 'requested', 0],
  ['its start continues it', aRescan('requested', 2), 'started', 2],
  ['its end keeps what changed', aRescan('started', 7), 'completed', 7],
  ['its failure too', aRescan('started', 7), 'failed', 7],
  ['another request begins anew', aRescan('started', 7), 'requested', 0],
  ['a start after an end begins anew', aRescan('completed', 7), 'started', 0],
  ['a start without a request begins one', null, 'started', 0],
] as [string, Rescan | null | undefined, Rescan['status'], number][])
  test(`of a rescan ${sentence}`, () => assert.equal(rescanAfter(known, { status, reason: 'asked' }, at), aRescan(status, changes)));

for (const [sentence, message, keys] of [
  ['a failure', { type: 'pod_failure', data: { id: 1 } }, ['incidents', 'overview', 'history', 'siblings', 'graph']],
  [
    'the end of a pod',
    { type: 'pod_deleted', data: { namespace: 'shop', pod_name: 'web-5' } },
    ['incidents', 'overview', 'history', 'siblings', 'graph'],
  ],
  [
    'another status',
    { type: 'pod_status_change', data: { id: 8, status: 'ignored' } },
    ['incidents', 'overview', 'history', 'siblings', 'graph'],
  ],
  ['another cause', { type: 'solution_updated', data: { id: 8, solution: 'new' } }, ['incidents', 'overview']],
  [
    'a mirror that runs',
    { type: 'mirror_status', data: { status: 'Running' } },
    ['incidents', 'overview', 'history', 'mirror-limits', 'graph'],
  ],
  [
    'a mirror that is over',
    { type: 'mirror_status', data: { status: 'Expired' } },
    ['incidents', 'overview', 'history', 'mirror-limits', 'graph', 'past-mirrors'],
  ],
  [
    'a Suppression',
    { type: 'suppression_change', data: { action: 'added' } },
    ['incidents', 'overview', 'suppressions', 'advice', 'findings'],
  ],
  [
    'a namespace that is left out',
    { type: 'namespace_exclusion', data: { action: 'excluded' } },
    ['incidents', 'overview', 'suppressions', 'findings'],
  ],
  ['a registry that is trusted', { type: 'trusted_registry_change', data: { action: 'added' } }, ['suppressions']],
  ['advice', { type: 'advice_finding', data: {} }, ['advice']],
  ['an agent', { type: 'agent_status', data: {} }, ['agents', 'about']],
  ['a finding, which is taken from its message,', { type: 'security_finding', data: {} }, []],
  ['a message of a later version', { type: 'from_the_future', data: {} }, []],
] as const)
  test(`${sentence} makes ${keys.join(', ') || 'nothing'} out of date`, () =>
    assert.equal(staleAfter(message as unknown as SocketMessage), keys));

test.run();
