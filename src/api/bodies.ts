import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from './errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Reads a UTF-8 body above 64 KiB without blocking the event loop. Rejects with the answer to send. */
    readLarge?: (body: Buffer) => Promise<unknown>;
  }
}

/** Reports have some 8 KB. To parse and mask 500 KB of a manifest takes a quarter of a second, in which nothing else is answered. */
const LARGE_BYTES = 64 * 1024;

/**
 * Reads JSON bodies in UTF-8; an empty one is no body, so that the schema says what is missing. Keys that would reach a prototype are
 * dropped. A compressed body and another character set answer 415, bytes that are no UTF-8 answer 400: replacing them would store
 * something else than was sent. A route that takes no body has no use for the fields of an object, as for unknown fields anywhere; what is no
 * object answers 400, because its sender meant something.
 */
export function readJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('remove', 'remove');
  app.removeAllContentTypeParsers();
  app.addHook('preParsing', (request, _reply, payload, done) => done(refusalOf(request), payload));
  app.addHook('preValidation', (request, _reply, done) =>
    done(isNoObject(request) ? new ApiError(400, 'The body must be object') : undefined),
  );
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer;
    const { readLarge } = request.routeOptions.config;
    if (bytes.length === 0) return done(null, undefined);
    if (!isUtf8(bytes)) return done(new ApiError(400, 'The body is not valid UTF-8'));
    if (readLarge && bytes.length > LARGE_BYTES) return readLarge(bytes);
    return parse(request, bytes.toString('utf8'), done);
  });
}

/** For `preValidation` of a route whose fields are all optional: without a body it asks for nothing in particular. `null` stays what it is. */
export function mayBeAbsent(request: FastifyRequest, _reply: unknown, done: () => void): void {
  if (request.body === undefined) request.body = {};
  done();
}

/** Whether a route that takes no body got JSON other than an object. */
function isNoObject({ body, routeOptions }: FastifyRequest): boolean {
  if (body === undefined || routeOptions.schema?.body) return false;
  return typeof body !== 'object' || body === null || Array.isArray(body);
}

function refusalOf({ headers }: FastifyRequest): ApiError | null {
  const coding = headers['content-encoding']?.trim().toLowerCase();
  // What would be right is a header of the answer (RFC 9110, section 12.5.3).
  if (coding && coding !== 'identity')
    return new ApiError(415, 'Send the body without Content-Encoding', { 'accept-encoding': 'identity' });
  const [, charset] = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(headers['content-type'] ?? '') ?? [];
  return charset && !/^(utf-?8|us-ascii)$/i.test(charset) ? new ApiError(415, 'Send the body in UTF-8') : null;
}
