import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { modelWorkRepository } from '../../src/db/model-work.ts';
import { engines } from '../support/database/store.ts';

const T0 = new Date('2026-05-01T10:00:00Z');
const after = (seconds: number): Date => new Date(T0.getTime() + seconds * 1000);
const lease = (seconds: number) => ({ holder: 'me', now: after(seconds), until: after(seconds + 60) });

for (const engine of engines('model work')) {
  const store = await engine.open();
  const work = modelWorkRepository(store.db);
  const test = suite(`turns at the model on ${engine.name}`);
  test.before.each(async () => void (await store.db.deleteFrom('model_work').execute()));
  test.after(() => store.close());

  /** The attempts after a turn that was postponed to ten seconds later. */
  const attemptsAfter = async (counts: boolean): Promise<number | undefined> => {
    await work.offer(1, 1, T0);
    assert.is((await work.claim(lease(0)))?.attempts, 1);
    await work.postpone(1, 'me', after(10), counts);
    assert.is(await work.claim(lease(9)), undefined, 'it is not due yet');
    return (await work.claim(lease(10)))?.attempts;
  };

  test('a postponed turn counts as an attempt', async () => assert.is(await attemptsAfter(true), 2));
  test('a postponed turn that was no attempt does not count', async () => assert.is(await attemptsAfter(false), 1));

  test('another process postpones nothing', async () => {
    await work.offer(1, 1, T0);
    await work.claim(lease(0));
    await work.postpone(1, 'somebody else', after(1), true);
    assert.is(await work.claim(lease(5)), undefined);
  });

  test.run();
}
