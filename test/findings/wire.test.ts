import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SocketMessage } from '../../src/contract/socket.ts';
import { eventHub, internalBus } from '../../src/events.ts';
import { type FindingsWiring, wireFindings } from '../../src/findings/wire.ts';
import { aFindingReport } from '../support/builders/finding.ts';

test('findings are stored for this cluster, suppressed ones are announced, and scans are asked for', async () => {
  const messages: SocketMessage[] = [];
  const hub = eventHub();
  hub.subscribe((message) => void messages.push(message));
  const bus = internalBus();
  const stored: unknown[] = [];
  const storage = {
    findings: {
      byIds: async (ids: number[]) => ids.map((id) => ({ id })),
      store: async (ready: { row: { cluster: string; suppressed_by: string } }[]) => {
        stored.push(...ready.map(({ row }) => [row.cluster, row.suppressed_by]));
        return { stored: ready.map(({ row }) => ({ finding: row, isNews: false })), gone: [] };
      },
    },
    findingSuppressions: { set: async () => [] },
    scans: { lastHeard: async () => new Date(0), request: async () => undefined },
  } as unknown as FindingsWiring['storage'];
  const asked: unknown[] = [];
  const models = { askTopic: async () => void asked.push('model') } as unknown as FindingsWiring['models'];
  const wired = wireFindings({ config: { clusterName: 'here' }, storage, models, suppressionOf: () => 'quiet', hub, bus });

  await bus.emit('findingsSuppressed', { ids: [3] });
  await wired.findingIntake.report(aFindingReport(), new Date(0));
  assert.is(await wired.scans.request({ reason: 'why', requestedBy: 'ann' }, new Date(0)), true);
  const { is_fallback } = await wired.fixFinding({ message: '', remediation: '', details: {} } as never, null);
  assert.equal([stored, asked, is_fallback], [[['here', 'quiet']], ['model'], true]);
  assert.equal(
    messages.map(({ type }) => type),
    ['finding_deleted', 'security_rescan_status'],
  );
});

test.run();
