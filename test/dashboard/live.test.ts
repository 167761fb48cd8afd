import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { MirrorRecord } from '../../src/contract/mirror.ts';
import type { SocketMessage } from '../../src/contract/socket.ts';
import { applyToMirrors } from '../../src/dashboard/live/apply.ts';
import { staleAfter } from '../../src/dashboard/live/stale.ts';

// What messages do to what is loaded.

const test = suite('live data');

const aMirror = (mirror_id: string, created_at: string, phase = 'Running') => ({ mirror_id, created_at, status: phase }) as MirrorRecord;

test('mirrors are kept newest first, renewed, and dropped when their time is over', () => {
  const two = [aMirror('b', '2026-05-01T10:01:00Z'), aMirror('a', '2026-05-01T10:00:00Z')];
  const ids = (mirrors: MirrorRecord[]) => mirrors.map(({ mirror_id }) => mirror_id).join('');
  assert.is(ids(applyToMirrors(two, aMirror('c', '2026-05-01T10:02:00Z'))), 'cba');
  assert.is(applyToMirrors(two, aMirror('a', '2026-05-01T10:00:00Z', 'Failed'))[1]?.status, 'Failed');
  assert.is(ids(applyToMirrors(two, aMirror('b', '2026-05-01T10:01:00Z', 'Expired'))), 'a');
});

for (const [sentence, message, keys] of [
  ['a failure', { type: 'pod_failure', data: { id: 1 } }, ['incidents', 'siblings']],
  ['the end of a pod', { type: 'pod_deleted', data: { namespace: 'shop', pod_name: 'web-5' } }, ['incidents', 'siblings']],
  ['another status', { type: 'pod_status_change', data: { id: 8, status: 'ignored' } }, ['incidents', 'siblings']],
  ['another cause', { type: 'solution_updated', data: { id: 8, solution: 'new' } }, ['incidents']],
  ['a mirror that runs', { type: 'mirror_status', data: { status: 'Running' } }, ['incidents', 'mirror-limits']],
  ['a mirror that is over', { type: 'mirror_status', data: { status: 'Expired' } }, ['incidents', 'mirror-limits', 'past-mirrors']],
  ['a Suppression', { type: 'suppression_change', data: { action: 'added' } }, ['incidents', 'suppressions', 'advice']],
  ['a namespace that is left out', { type: 'namespace_exclusion', data: { action: 'excluded' } }, ['incidents', 'suppressions']],
  ['a registry that is trusted', { type: 'trusted_registry_change', data: { action: 'added' } }, ['suppressions']],
  ['advice', { type: 'advice_finding', data: {} }, ['advice']],
  ['an agent', { type: 'agent_status', data: {} }, ['agents', 'about']],
  ['a finding, which no screen shows,', { type: 'security_finding', data: {} }, []],
  ['a message of a later version', { type: 'from_the_future', data: {} }, []],
] as const)
  test(`${sentence} makes ${keys.join(', ') || 'nothing'} out of date`, () =>
    assert.equal(staleAfter(message as unknown as SocketMessage), keys));

test.run();
