import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { scans } from '../../src/findings/scans.ts';

const NOW = Date.parse('2026-06-01T00:00:00Z');
const at = (seconds: number) => new Date(NOW + seconds * 1000);

function world(lastHeard?: Date) {
  const [heard, requested, sent]: [number[], unknown[], unknown[]] = [[], [], []];
  const rows = {
    heard: async (now: Date) => void heard.push((now.getTime() - NOW) / 1000),
    lastHeard: async () => lastHeard,
    request: async (...given: unknown[]) => void requested.push(given),
  };
  return { it: scans({ rows, hub: { publish: (message) => void sent.push(message) } }), heard, requested, sent };
}

test('a scanner is connected for 90 seconds after its last sign of life', async () => {
  assert.is(await world(at(0)).it.isConnected(at(90)), true);
  assert.is(await world(at(0)).it.isConnected(at(90.001)), false);
  assert.is(await world().it.isConnected(at(0)), false);
});

test('its signs of life are stored every 20 seconds, also after the clock was set back', async () => {
  const { it, heard } = world();
  for (const seconds of [0, 1, 19.999, 20, 39, 40, 25, 20]) await it.heard(at(seconds));
  assert.equal(heard, [0, 20, 40, 20]);
});

test('a request is stored and announced; without a scanner it is refused', async () => {
  const wish = { reason: 'new policy', requestedBy: 'ann' };
  const { it, requested, sent } = world(at(0));
  assert.is(await it.request(wish, at(1)), true);
  assert.equal(requested, [[{ reason: 'new policy', requested_by: 'ann' }, at(1)]]);
  assert.equal(sent, [{ type: 'security_rescan_status', data: { status: 'requested', reason: 'new policy' } }]);
  const away = world();
  assert.is(await away.it.request(wish, at(1)), false);
  assert.equal([away.requested, away.sent], [[], []]);
});

test.run();
