import { isUtf8 } from 'node:buffer';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ApiError } from './errors.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Reads a UTF-8 body above 64 KiB without blocking the event loop. Rejects with the answer to send. */
    readLarge?: (body: Buffer) => Promise<unknown>;
  }
}

/** Usual reports have about 8 KB. Parsing and masking a manifest of 500 KB blocks all other requests for a quarter of a second. */
const LARGE_BYTES = 64 * 1024;

/**
 * Reads JSON bodies in UTF-8. An empty body counts as no body, so that the schema names the missing fields. Keys that would change a
 * prototype are dropped. A compressed body or another character set is answered with 415. Bytes that are not UTF-8 are answered with 400,
 * because replacing them would change the data. A route that takes no body ignores the fields of an object, like unknown fields anywhere,
 * but answers 400 to any other JSON.
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

/** Use as `preValidation` of a route whose fields are all optional: a missing body becomes `{}`. `null` stays as it is. */
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
  // The answer names the accepted coding in a header (RFC 9110, section 12.5.3).
  if (coding && coding !== 'identity')
    return new ApiError(415, 'Send the body without Content-Encoding', { 'accept-encoding': 'identity' });
  const [, charset] = /;\s*charset\s*=\s*"?([^\s";]+)/i.exec(headers['content-type'] ?? '') ?? [];
  return charset && !/^(utf-?8|us-ascii)$/i.test(charset) ? new ApiError(415, 'Send the body in UTF-8') : null;
}
