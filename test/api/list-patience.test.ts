import Fastify, { type FastifyInstance } from 'fastify';
import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { answerList, type ListPatience, STREAMS } from '../../src/api/lists.ts';
import { slots } from '../../src/async/slots.ts';
import type { PagedList } from '../../src/db/paged-list.ts';
import { until } from '../support/runner/wait.ts';

// What becomes of a reader that keeps a long list waiting. The list has no end, so only the server can end it.

const ROWS = Array.from({ length: 500 }, () => JSON.stringify('x'.repeat(1_000)));
const endless: PagedList<object> = { page: async () => ({ rows: ROWS, last: 1, version: '1' }), version: async () => '1' };

let app: FastifyInstance;
const readers: IncomingMessage[] = [];
const test = suite('patience with readers');
test.after.each(async () => {
  for (const reader of readers.splice(0)) reader.destroy();
  await app.close();
});

/** A server with one turn. */
async function serve(patience: Partial<ListPatience>): Promise<void> {
  app = Fastify({ forceCloseConnections: true });
  app.decorate('listStreams', slots(1));
  app.decorate('listPatience', { ...STREAMS, clock: () => 0, ...patience });
  app.decorateRequest('caller', null);
  app.get('/', (request, reply) => answerList(request, reply, {}, endless));
  await app.listen({ port: 0, host: '127.0.0.1' });
}

/** The answer, of which nothing is read yet. */
async function ask(): Promise<IncomingMessage> {
  const request = get({ port: (app.server.address() as AddressInfo).port });
  request.on('error', () => {});
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.on('error', () => {});
  readers.push(response);
  return response;
}

const cutOff = (reader: IncomingMessage): Promise<boolean> => until(() => reader.closed, { what: 'the list to be cut off' });

test('a reader that reads nothing is cut off, also when nobody waits', async () => {
  await serve({ stalledMs: 20 });
  const reader = await ask();
  const leave = await app.listStreams.take(60_000);
  assert.ok(leave, 'the turn was given back, while the reader kept its connection');
  leave();
  reader.resume();
  await cutOff(reader);
  assert.is(reader.complete, false);
});

test('a reader that keeps its list waiting in all goes on until another one waits', async () => {
  let now = 0;
  // Each look at the clock is later by more than what a list waits in all.
  await serve({ clock: () => (now += STREAMS.stalledMs + 1) });
  const slow = await ask();
  let received = 0;
  slow.on('data', (bytes: Buffer) => void (received += bytes.length));
  await until(() => received > 10 * 1024 * 1024, { what: 'many parts of the list' });
  const next = ask();
  await cutOff(slow);
  assert.is(slow.complete, false);
  assert.is((await next).statusCode, 200);
});

test.run();
