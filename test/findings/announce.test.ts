import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { SocketMessage } from '../../src/contract/socket.ts';
import { internalBus } from '../../src/events.ts';
import { announceSuppressedFindings } from '../../src/findings/announce.ts';

test('of the findings that are hidden now, the first 500 are sent as deleted, until it is stopped', async () => {
  const sent: SocketMessage[] = [];
  const bus = internalBus();
  const byIds = async (ids: number[]) => ids.map((id) => ({ id }) as never);
  const stop = announceSuppressedFindings({ findings: { byIds }, hub: { publish: (message) => void sent.push(message) }, bus });
  const ids = Array.from({ length: 501 }, (_, n) => 501 - n);
  await bus.emit('findingsSuppressed', { ids });
  assert.equal(
    sent,
    ids.slice(0, 500).map((id) => ({ type: 'finding_deleted', data: { id } }) as never),
  );
  stop();
  await bus.emit('findingsSuppressed', { ids });
  assert.is(sent.length, 500);
});

test.run();
