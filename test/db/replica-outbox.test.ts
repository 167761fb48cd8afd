import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { replicaOutbox } from '../../src/db/replica-outbox.ts';
import { createLog } from '../../src/log.ts';

const test = suite('what a replica sends to the others');
const log = createLog({ level: 'silent' });

for (const outcome of ['is stored', 'cannot be stored'] as const)
  test(`a message that comes at any time after another one ${outcome} is sent too`, async () => {
    for (let moments = 0; moments < 20; moments++) {
      const sent: string[] = [];
      const stored = Promise.withResolvers<void>();
      const messages = {
        send: async (_batch: unknown, given: { body: string }[]): Promise<void> => {
          sent.push(...given.map(({ body }) => body));
          if (sent.length === 1) await stored.promise;
        },
      };
      const outbox = replicaOutbox({ from: 'here', messages, receive: () => {}, log });
      outbox.send({ type: 'said', body: 'first' }, () => true);
      if (outcome === 'is stored') stored.resolve();
      else stored.reject(new Error('no database'));
      for (let moment = 0; moment < moments; moment++) await Promise.resolve();
      outbox.send({ type: 'said', body: 'second' }, () => true);
      await new Promise((resolve) => setImmediate(resolve));
      assert.equal(sent, ['first', 'second'], `after ${moments} moments`);
    }
  });

test.run();
