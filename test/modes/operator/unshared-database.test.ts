import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { EventNote } from '../../../src/kube/recorder.ts';
import { createLog } from '../../../src/log.ts';
import { unsharedDatabase } from '../../../src/modes/operator/unshared-database.ts';

const pod = { namespace: 'podmend', name: 'podmend-operator-2' };

function world({ isEmbedded = true, lives = false, holder = 'another' as string | null }) {
  const lines: string[] = [];
  const notes: EventNote[] = [];
  const check = unsharedDatabase({
    isEmbedded,
    other: () => (holder === null ? undefined : { holder, lives }),
    pod,
    client: { read: (async () => ({ metadata: { ...pod, uid: 'u-2' } })) as never },
    recorder: { record: (note) => void notes.push(note) },
    log: createLog({ level: 'info' }, { write: (line) => void lines.push(line) }),
  });
  const answer = () =>
    check().then(
      () => 'ready',
      (error: Error) => error.message,
    );
  return { answer, lines, notes };
}

test('a replica is ready with a common database, and alone', async () => {
  assert.is(await world({ isEmbedded: false }).answer(), 'ready');
  assert.is(await world({ holder: null }).answer(), 'ready');
});

test('with a database of its own beside a leader it is not, at once', async () => {
  const { answer, lines, notes } = world({});
  assert.match(await answer(), /need a common DATABASE_URL/);
  assert.equal([lines, notes], [[], []], 'the leader may be its predecessor, whose Lease runs out');
});

test('when that leader lives, one line of the log and an event of the pod say why', async () => {
  const { answer, lines, notes } = world({ lives: true });
  await answer();
  await answer();
  assert.is(lines.length, 1);
  assert.match(lines[0] ?? '', /need a common DATABASE_URL/);
  const [{ regarding, type, reason, note } = assert.unreachable() as never] = notes;
  assert.equal([type, reason], ['Warning', 'DatabaseNotShared']);
  assert.match(note, /DATABASE_URL/);
  assert.equal(await (regarding as () => Promise<unknown>)(), { apiVersion: 'v1', kind: 'Pod', ...pod, uid: 'u-2' });
});

test.run();
