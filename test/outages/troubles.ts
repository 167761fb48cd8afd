import { suite } from 'uvu';
import type { SocketMessage } from '../../src/contract/socket.ts';
import { apiServerAssets } from '../support/cluster/api-server.ts';
import { endure, isAtRest, type Trouble } from './trouble.ts';
import { type OutageWorld, outageWorld } from './world.ts';

type Context = { world: OutageWorld; messages: SocketMessage[] };

/** A suite in which one operator and one agent go through all troubles, one after another, on a real API server. Skipped without one. */
export function tellTroubles(name: string, troubles: Trouble[]): void {
  if (!apiServerAssets()) return console.log(`SKIP ${name}: KUBEBUILDER_ASSETS is not set`);
  const test = suite<Context>(name);
  test.before(async (context) => {
    context.world = await outageWorld();
    context.messages = (await context.world.user.listen()).messages;
  });
  test.after(async ({ world }) => world?.close());
  for (const [index, trouble] of troubles.entries())
    test(`${trouble.says}: all is caught up, nothing lost, nothing doubled, no hot loop`, async ({ world, messages }) => {
      await endure(world, messages, `t${index}`, trouble);
    });
  test('all is at rest afterwards', ({ world }) => isAtRest(world));
  test.run();
}
