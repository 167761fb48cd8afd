import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { longOr } from '../support/runner/long.ts';
import { random } from '../support/builders/random.ts';
import { memoryStore } from '../support/database/store.ts';
import type { Answer } from '../support/notifications/fake-service.ts';
import { outboxWorld } from '../support/notifications/outbox-world.ts';

// Random failures, recoveries, service answers and kills. Nobody hears of an end without its beginning, and whoever heard of a beginning
// hears of its end.

const SEEDS = longOr(60, 4);
const STEPS = 16;
const MINUTE = 60_000;
/** Answers after which the message is sent again. */
const REFUSALS: Answer[] = [{ status: 401 }, { status: 404 }, { status: 429 }, { status: 500 }, 'cut'];

const pairs = suite('beginnings and ends');

for (let seed = 1; seed <= SEEDS; seed++)
  pairs(`pair up in the timeline of seed ${seed}`, async () => {
    const chance = random(seed);
    const store = await memoryStore();
    const world = outboxWorld(store);
    try {
      const by = chance.pick(['incident', 'namespace', 'node', 'reason'] as const);
      const hook = await world.provide('hook', 'webhook', { grouping: { by: [by], waitSeconds: chance.pick([0, 120]) } });
      const open = new Map<string, number>();
      let crew = world.crew();
      for (let step = 0; step < STEPS; step++) {
        for (let n = 0; n < 3; n++) {
          const name = `p${chance.integer(8)}`;
          const own = { namespace: `ns-${chance.integer(2)}`, node_name: `node-${chance.integer(2)}`, occurrence_key: `${step}` };
          const more = { ...own, owner: `Deployment/${name}`, failure_reason: chance.pick(['Error', 'NodeLost']) };
          const [id = 0] = await world.report({ identity: name, pod_uid: name, pod_name: name, ...more });
          open.set(name, id);
        }
        const healed = [...open].filter(() => chance.chance(0.3));
        await world.recover(healed.map(([, id]) => id));
        for (const [name] of healed) open.delete(name);
        const hidden = [...open.values()].filter(() => chance.chance(0.1));
        if (hidden.length > 0) await store.db.updateTable('failures').set({ suppressed_by: 'known' }).where('id', 'in', hidden).execute();
        if (chance.chance(0.4)) hook.next(...Array.from({ length: 1 + chance.integer(3) }, () => chance.pick(REFUSALS)));
        if (chance.chance(0.2)) crew.killAt(1 + chance.integer(3), chance.pick(['sent', 'unsent']));
        await crew.turn().catch(() => undefined);
        if (crew.isDead()) crew = world.crew();
        world.pass(chance.integer(4) * MINUTE);
      }
      await world.recover([...open.values()]);
      // The service gives the refusals that are left. Before each turn, the longest wait passes.
      for (let n = 0; n < 40; n++) {
        world.pass(11 * MINUTE);
        await world.crew().turn();
      }
      const heard = new Map<string, Set<string>>();
      const ended = new Set<string>();
      for (const { body } of hook.received.filter((_, index) => hook.taken[index])) {
        const { type, data } = body as { type: string; data: { key: string } };
        if (type === 'podmend.resolved') {
          assert.ok(heard.has(data.key), `${data.key} ended without a beginning`);
          ended.add(data.key);
        } else {
          assert.not.ok(ended.has(data.key), `${data.key} went on after its end`);
          heard.set(data.key, (heard.get(data.key) ?? new Set()).add(type));
        }
      }
      assert.equal(
        [...heard.keys()].filter((key) => !ended.has(key)),
        [],
        'every beginning has its end',
      );
      assert.ok(heard.size > 0);
      assert.equal(hook.refused, []);
    } finally {
      await world.close();
      await store.close();
    }
  });

pairs.run();
