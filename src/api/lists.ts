import { pipeline, Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import type { Slots } from '../async/slots.ts';
import { ListBefore, ListLimit, ListText } from '../contract/fields.ts';
import type { PagedList } from '../db/paged-list.ts';
import { ApiError } from './errors.ts';
import { inTurn } from './searches.ts';

/** Rows read at once for a list without `limit`. A stream holds two reads at most. */
const CHUNK = 500;
/**
 * At most `most` long lists are streamed at once, however many readers there are. This bounds their memory and leaves connections of the
 * pool to others. A reader waits for its turn. It loses its turn when it stops reading, or when others wait and it has stalled for
 * `stalledMs` in total. One user has at most half of the turns.
 */
export const STREAMS = { most: 4, perUser: 2, waitMs: 60_000, stalledMs: 30_000 };

/** How long a reader waits for its turn, and how long a list waits for its reader. `clock` returns milliseconds of a monotonic clock. */
export interface ListPatience {
  waitMs: number;
  stalledMs: number;
  clock(): number;
}

declare module 'fastify' {
  interface FastifyInstance {
    /** The turns of long lists: one for each list that is streamed. */
    listStreams: Slots;
    listPatience: ListPatience;
  }
}

/** Query of the failure lists. Without `limit` the answer has all matching records. */
export const ListQuery = Type.Object({
  limit: ListLimit(),
  before: ListBefore('records'),
  namespace: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String()),
  q: ListText("pod's name, namespace, reason or message"),
});

type Paged = { limit?: number | undefined; before?: number | undefined; q?: string | undefined };

/**
 * Answers a list as a JSON array: a page with the address of the next page in `Link`, or the whole list. An answer that fits one read has
 * an `ETag`, and is 304 if the caller has it already. A longer answer is streamed, read by read, so that memory stays bounded.
 */
export async function answerList<P extends Paged>(
  request: FastifyRequest,
  reply: FastifyReply,
  query: P,
  list: PagedList<NoInfer<P>>,
): Promise<FastifyReply> {
  const page = { ...query, limit: query.limit ?? CHUNK };
  reply.type('application/json; charset=utf-8').header('cache-control', 'private, no-cache');
  if (request.headers['if-none-match'] !== undefined) {
    const tag = tagOf(await readInTurn(request, query, () => list.version(page)));
    if (isKnown(request, tag)) return reply.header('etag', tag).code(304).send();
  }
  const first = await readInTurn(request, query, () => list.page(page));
  const isFull = first.rows.length === page.limit;
  if (isFull && query.limit !== undefined) reply.header('link', `<${nextAddress(request.url, first.last)}>; rel="next"`);
  if (isFull && query.limit === undefined) return stream(request, reply, () => allOf(query, list));
  return reply.header('etag', tagOf(first.version)).send(arrayOf(first.rows));
}

/** Reads at once, or in the caller's turn if the query is a search, because searches are slow. */
const readInTurn = <T>(request: FastifyRequest, { q }: Paged, read: () => Promise<T>): Promise<T> => (q ? inTurn(request, read) : read());

const tagOf = (version: string): string => `"${version}"`;

/** Whether the caller has the answer with this `ETag` already. */
export function isKnown({ headers }: FastifyRequest, tag: string): boolean {
  const known = headers['if-none-match']?.split(',').map((one) => one.trim().replace(/^W\//, ''));
  return known?.includes(tag) === true;
}

/** A JSON array as bytes. V8 would put a string above 128 KB into the old heap, and collect that heap after every few pages. */
function arrayOf(rows: string[]): Buffer {
  const bytes = rows.reduce((sum, row) => sum + Buffer.byteLength(row) + 1, 1);
  const array = Buffer.allocUnsafe(Math.max(bytes, 2));
  let end = array.write('[');
  for (const row of rows) end += array.write(end === 1 ? row : `,${row}`, end);
  return array.subarray(0, end + array.write(']', end));
}

/** The address of the next page: the same query, with the last id or place of this page as `before`. */
export function nextAddress(url: string, last: number | string | undefined): string {
  const [path = '', query] = url.split('?');
  const next = new URLSearchParams(query);
  next.set('before', String(last));
  return `${path}?${next.toString()}`;
}

async function* allOf<P extends Paged>(query: P, list: PagedList<P>): AsyncGenerator<string> {
  let opening = '[';
  for await (const rows of readsOf(query, list)) {
    if (rows.length > 0 || opening === '[') yield opening + rows.join();
    opening = ',';
  }
  yield ']';
}

/** The rows of one read after another. */
async function* readsOf<P extends Paged>(query: P, list: PagedList<P>): AsyncGenerator<string[]> {
  let before = query.before;
  for (;;) {
    const { rows, last } = await list.page({ ...query, before, limit: CHUNK });
    yield rows;
    if (rows.length < CHUNK) return;
    before = last;
  }
}

/** A list as text, made of an opening text and of parts with some rows each. */
export interface TextFormat<T> {
  type: string;
  head: string;
  rows(some: T[]): string;
}

/** Answers a list as text for other programs: a page, or the whole list as a stream. */
export async function answerText<P extends Paged, T>(
  { request, reply, format }: { request: FastifyRequest; reply: FastifyReply; format: TextFormat<T> },
  query: P,
  list: PagedList<NoInfer<P>>,
): Promise<FastifyReply> {
  const textOf = (rows: string[]): string => format.rows(rows.map((row) => JSON.parse(row) as T));
  reply.type(format.type).header('cache-control', 'private, no-cache');
  if (query.limit === undefined)
    return stream(request, reply, async function* () {
      yield format.head;
      for await (const rows of readsOf(query, list)) yield textOf(rows);
    });
  const { rows, last } = await readInTurn(request, query, () => list.page(query));
  if (rows.length === query.limit) reply.header('link', `<${nextAddress(request.url, last)}>; rel="next"`);
  return reply.send(format.head + textOf(rows));
}

/** Streams when it is the reader's turn. The first read is repeated then, so that waiting readers keep no rows in memory. */
async function stream(request: FastifyRequest, reply: FastifyReply, read: () => AsyncGenerator<string>): Promise<FastifyReply> {
  const { listStreams: turns, listPatience } = request.server;
  const { waitMs, stalledMs, clock } = listPatience;
  const leave = await turns.take(waitMs, request.caller?.id);
  if (!leave) throw new ApiError(503, 'Too many long lists are read at once: ask for pages with limit');
  const body = Readable.from(watched(read()), { objectMode: false });
  body.once('close', leave);
  body.on('error', (error) => request.log.error({ err: error }, 'list cut off'));
  reply.header('vary', 'accept-encoding');
  if (!/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return reply.send(body);
  const squeezed = createGzip({ level: 1 });
  // Both streams end when one ends, so that a reader that has disconnected gives its turn back.
  pipeline(body, squeezed, () => {});
  return reply.header('content-encoding', 'gzip').send(squeezed);

  async function* watched(chunks: AsyncGenerator<string>): AsyncGenerator<string> {
    let keptWaitingMs = 0;
    for await (const chunk of chunks) {
      if (keptWaitingMs > stalledMs && turns.waiting() > 0) throw new Error('the reader is slow, and others wait');
      const since = clock();
      const stalled = setTimeout(() => body.destroy(new Error('the reader reads nothing')), stalledMs);
      try {
        yield chunk;
      } finally {
        clearTimeout(stalled);
        keptWaitingMs += clock() - since;
      }
    }
  }
}
