import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SocketMessage } from '../../src/contract/socket.ts';
import { staleAfter } from '../../src/dashboard/live/stale.ts';

const stale = suite('what a message makes stale');

/** Whatever shows records, incidents or their counts is read again; what a message does not touch stays. */
for (const [type, expected, data] of [
  ['pod_failure', ['graph', 'history', 'incidents', 'overview', 'siblings']],
  ['pod_deleted', ['graph', 'history', 'incidents', 'overview', 'siblings']],
  ['pod_status_change', ['graph', 'history', 'incidents', 'overview', 'siblings']],
  ['solution_updated', ['incidents', 'overview']],
  ['mirror_status', ['graph', 'history', 'incidents', 'mirror-limits', 'overview'], { status: 'Running' }],
  ['mirror_status', ['graph', 'history', 'incidents', 'mirror-limits', 'overview', 'past-mirrors'], { status: 'Expired' }],
  ['suppression_change', ['advice', 'findings', 'incidents', 'overview', 'suppressions']],
  ['namespace_exclusion', ['findings', 'incidents', 'overview', 'suppressions']],
  ['trusted_registry_change', ['suppressions']],
  ['advice_finding', ['advice']],
  ['agent_status', ['about', 'agents']],
  ['of_a_later_version', []],
] as const)
  stale(`${type} ${JSON.stringify(data ?? {})}`, () =>
    assert.equal([...staleAfter({ type, data: data ?? {} } as unknown as SocketMessage)].toSorted(), [...expected]),
  );

stale.run();
