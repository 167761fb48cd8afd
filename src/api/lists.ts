import { Readable } from 'node:stream';
import { createGzip } from 'node:zlib';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';

/** Rows read at once for a list without `limit`: what bounds its memory. */
const CHUNK = 500;

/** Query of the failure lists. Without `limit` the answer is everything that matches. */
export const ListQuery = Type.Object({
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  before: Type.Optional(Type.Integer({ minimum: 1, description: 'only records with a smaller id: the last one of the page before' })),
  namespace: Type.Optional(Type.String()),
  reason: Type.Optional(Type.String()),
  q: Type.Optional(Type.String({ maxLength: 200, description: "part of the pod's name, namespace, reason or message" })),
});

/** Where a list comes from. */
interface List<P> {
  /** Records of a page, newest (highest id) first. */
  read(page: P): Promise<{ id: number }[]>;
  /** A text that is another one whenever the page would be shown otherwise; much cheaper than the page. */
  version(page: P): Promise<string>;
}
type Paged = { limit?: number | undefined; before?: number | undefined };

/**
 * Answers a list as a JSON array: a page with the address of the next in `Link`, or all of it. What fits one read carries an `ETag` and
 * answers 304 when the caller has it; what is longer is streamed, read by read, so that memory stays bounded.
 */
export async function answerList<P extends Paged>(
  request: FastifyRequest,
  reply: FastifyReply,
  query: P,
  { read, version }: List<NoInfer<P>>,
): Promise<FastifyReply> {
  const limit = query.limit ?? CHUNK;
  reply.type('application/json; charset=utf-8').header('cache-control', 'private, no-cache');
  // Asked before the rows are: what changes in between makes the tag older than the page, never newer, and so costs one reading more.
  const etag = `"${await version({ ...query, limit })}"`;
  const known = request.headers['if-none-match']?.split(',').map((tag) => tag.trim().replace(/^W\//, ''));
  if (known?.includes(etag)) return reply.header('etag', etag).code(304).send();
  const first = await read({ ...query, limit });
  const isFull = first.length === limit;
  if (isFull && query.limit !== undefined) reply.header('link', `<${nextAddress(request.url, first)}>; rel="next"`);
  if (isFull && query.limit === undefined) return stream(request, reply, allOf(first, query, read));
  return reply.header('etag', etag).serializer(String).send(JSON.stringify(first));
}

/** The address of the page after this one: the same query, `before` its last id. */
export function nextAddress(url: string, page: { id: number }[]): string {
  const [path = '', query] = url.split('?');
  const next = new URLSearchParams(query);
  next.set('before', String(page.at(-1)?.id));
  return `${path}?${next.toString()}`;
}

async function* allOf<P extends Paged>(first: { id: number }[], query: P, read: List<P>['read']): AsyncGenerator<string> {
  let page = first;
  let opening = '[';
  while (page.length > 0) {
    yield opening + page.map((record) => JSON.stringify(record)).join(',');
    opening = ',';
    const before = page.at(-1)?.id;
    page = page.length === CHUNK && before !== undefined ? await read({ ...query, before, limit: CHUNK }) : [];
  }
  yield ']';
}

function stream(request: FastifyRequest, reply: FastifyReply, chunks: AsyncGenerator<string>): FastifyReply {
  const body = Readable.from(chunks, { objectMode: false });
  body.on('error', (error) => request.log.error({ err: error }, 'list cut off'));
  reply.header('vary', 'accept-encoding');
  if (!/\bgzip\b/.test(String(request.headers['accept-encoding'] ?? ''))) return reply.send(body);
  const squeezed = createGzip({ level: 1 });
  body.on('error', (error) => squeezed.destroy(error));
  return reply.header('content-encoding', 'gzip').send(body.pipe(squeezed));
}
