import type { FastifyRequest } from 'fastify';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { STREAMS } from '../../src/api/lists.ts';
import { inTurn, SEARCHES } from '../../src/api/searches.ts';
import { slots } from '../../src/async/slots.ts';

const test = suite('searches');

/** Requests of callers to one server. */
function aServer(take?: (waitMs: number, holder?: number | string) => Promise<undefined>) {
  const searches = slots(SEARCHES.most, SEARCHES.perUser);
  const server = { searches: take ? { ...searches, take } : searches };
  return { searches, by: (id?: number) => ({ server, caller: id === undefined ? undefined : { id } }) as unknown as FastifyRequest };
}

test('one user’s searches take turns, so another user’s search goes on', async () => {
  const { searches, by } = aServer();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const search = (who: string) => () => new Promise<string>((resolve) => (begun.push(who), ends.push(() => resolve(who))));
  const all = ['ann', 'ann', 'ann', 'bob'].map((who) => inTurn(by(who === 'ann' ? 1 : 2), search(who)));
  await new Promise(setImmediate);
  assert.equal(begun, ['ann', 'ann', 'bob']);
  assert.is(searches.waiting(), 0, 'the third may not begin yet');
  ends[0]?.();
  assert.is(await all[0], 'ann');
  await new Promise(setImmediate);
  assert.equal(begun, ['ann', 'ann', 'bob', 'ann']);
  ends.forEach((end) => end());
  assert.equal(await Promise.all(all), ['ann', 'ann', 'ann', 'bob']);
});

test('a search that fails gives its turn back', async () => {
  const { by } = aServer();
  for (let round = 0; round <= SEARCHES.most; round++)
    await inTurn(by(1), () => Promise.reject(new Error('away'))).then(assert.unreachable, (error: Error) =>
      assert.is(error.message, 'away'),
    );
  assert.is(await inTurn(by(1), async () => 'found'), 'found');
});

test('a search that waits for too long is refused: ask again later', async () => {
  const asked: unknown[][] = [];
  const { by } = aServer(async (...wait) => void asked.push(wait));
  const error = await inTurn(by(7), async () => assert.unreachable()).catch(
    (reason: unknown) => reason as { status: number; message: string },
  );
  assert.equal([error?.status, error?.message], [503, 'Too many searches run at once: ask again later']);
  assert.equal(asked, [[30_000, 7]]);
});

/** Connections to PostgreSQL. */
const POOL = 10;

test('searches and long lists leave connections of the pool to logins and reports, and one user leaves a turn to others', () => {
  assert.ok(SEARCHES.most + STREAMS.most <= POOL - 3);
  assert.ok(SEARCHES.perUser < SEARCHES.most && SEARCHES.perUser > 0);
});

test.run();
