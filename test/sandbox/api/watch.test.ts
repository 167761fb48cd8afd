import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { apiServer } from '../../../src/sandbox/api/api.ts';
import { startWatch } from '../../../src/sandbox/api/watch.ts';
import { celRules } from '../../../src/sandbox/kinds/cel.ts';
import { Registry } from '../../../src/sandbox/kinds/kinds.ts';
import { steppedClock } from '../../../src/sandbox/sandbox.ts';
import { Store } from '../../../src/sandbox/store/store.ts';

// What clients do not wait for in conformance/watch.test.ts: the time that a watch lasts.

const test = suite('the time of a watch');

function watching(query: Record<string, string>) {
  const clock = steppedClock(new Date('2030-01-01T00:00:00Z'));
  const api = apiServer({ store: new Store(), registry: new Registry(), clock, cel: celRules() });
  const seen: string[] = [];
  const sink = { send: ({ type }: { type: string }) => void seen.push(type), end: () => void seen.push('END') };
  const stop = startWatch({ api, clock }, api.registry.builtin('configmaps'), 'shop', new URLSearchParams(query), sink);
  return { clock, seen, stop };
}
const MINUTE = 60_000;

test('a bookmark comes each minute if the client wants them, until the watch ends', async () => {
  const { clock, seen } = watching({ allowWatchBookmarks: 'true', timeoutSeconds: '210' });
  await clock.advance(MINUTE - 1);
  assert.equal(seen, []);
  await clock.advance(9 * MINUTE);
  assert.equal(seen, ['BOOKMARK', 'BOOKMARK', 'BOOKMARK', 'END']);
});

test('without that wish there are none', async () => {
  const { clock, seen } = watching({ timeoutSeconds: '210' });
  await clock.advance(9 * MINUTE);
  assert.equal(seen, ['END']);
});

test('a watch without a time ends after 30 to 60 minutes', async () => {
  const { clock, seen } = watching({});
  await clock.advance(30 * MINUTE - 1);
  assert.equal(seen, []);
  await clock.advance(30 * MINUTE + 1);
  assert.equal(seen, ['END']);
});

test('nothing comes after the client has gone', async () => {
  const { clock, seen, stop } = watching({ allowWatchBookmarks: 'true', timeoutSeconds: '210' });
  await clock.advance(MINUTE);
  stop();
  await clock.advance(9 * MINUTE);
  assert.equal(seen, ['BOOKMARK']);
});

test.run();
