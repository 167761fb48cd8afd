import { brotliCompress, constants, gzip } from 'node:zlib';
import type { FastifyInstance, FastifyRequest } from 'fastify';

/** Compressing a shorter answer would not make it arrive sooner. */
const WORTH_BYTES = 4096;
/** A higher quality takes more time than the smaller answer saves on the network. */
const BROTLI = { params: { [constants.BROTLI_PARAM_QUALITY]: 4, [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT } };
const GZIP = { level: 4 };

type Compressed = (error: Error | null, body: Buffer) => void;

/** The preferred encoding comes first. Each of them runs outside the event loop. */
const ENCODINGS: [name: string, compress: (body: Buffer, ended: Compressed) => void][] = [
  ['br', (body, ended) => brotliCompress(body, BROTLI, ended)],
  ['gzip', (body, ended) => gzip(body, GZIP, ended)],
];

/**
 * Compresses long JSON of the API for clients that accept it. Streams compress themselves. Agents and scanners get short answers, which are
 * not compressed. Call this before any route is declared.
 */
export function compressAnswers(app: FastifyInstance): void {
  app.addHook('onSend', (request, reply, payload, done) => {
    const [name, compress] = isForPeople(request) && isWorth(payload) ? (encodingFor(request) ?? []) : [];
    const isJson = /^application\/json\b/.test(String(reply.getHeader('content-type') ?? ''));
    if (!name || !compress || !isJson || reply.hasHeader('content-encoding')) return done(null, payload);
    compress(Buffer.from(payload as string), (error, body) => {
      if (error) return done(error);
      reply.header('content-encoding', name).header('vary', 'accept-encoding').removeHeader('content-length');
      const tag = reply.getHeader('etag');
      // The bytes differ from the uncompressed answer, but the content is the same, so the tag becomes a weak one.
      if (typeof tag === 'string' && !tag.startsWith('W/')) reply.header('etag', `W/${tag}`);
      done(null, body);
    });
  });
}

function isForPeople({ method, url, routeOptions }: FastifyRequest): boolean {
  return routeOptions.config.access !== 'service' && method !== 'HEAD' && url.startsWith('/api/');
}

function isWorth(payload: unknown): boolean {
  return (typeof payload === 'string' || Buffer.isBuffer(payload)) && payload.length > WORTH_BYTES;
}

/** The first encoding that the caller accepts: the header names it, and not with weight 0. */
function encodingFor({ headers }: FastifyRequest): (typeof ENCODINGS)[number] | undefined {
  const accepted = String(headers['accept-encoding'] ?? '')
    .toLowerCase()
    .split(',')
    .map((one) => one.trim())
    .filter((one) => !/;\s*q=0(\.0*)?$/.test(one))
    .map((one) => one.split(';', 1)[0]?.trim());
  return ENCODINGS.find(([name]) => accepted.includes(name));
}
