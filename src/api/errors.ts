import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../contract/refusal.ts';
import { DatabaseUnavailable } from '../db/errors.ts';
import { ClusterUnavailable, KubeError } from '../kube/errors.ts';

/** A refusal by a handler. Its `message` is the `detail` of the answer. */
export class ApiError extends Error {
  readonly status: number;
  readonly headers: Record<string, string>;
  constructor(status: number, detail: string, headers: Record<string, string> = {}) {
    super(detail);
    this.name = 'ApiError';
    this.status = status;
    this.headers = headers;
  }
}

/** Answers `{"detail"}` for whatever was thrown (specification, "Errors"). An error that is not the caller's is logged, and its answer shows nothing internal. */
export function answerError(error: FastifyError | Error, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (error instanceof ApiError) return refuse(reply.headers(error.headers), error.status, error.message);
  if (error instanceof DatabaseUnavailable) return refuse(reply, 503, 'Database not available');
  if (error instanceof ClusterUnavailable) return refuse(reply, 503, 'Kubernetes client not available');
  if (error instanceof KubeError && (error.code === 429 || error.code >= 500)) {
    request.log.warn({ err: error }, 'the API server cannot answer');
    return refuse(reply, 503, 'Kubernetes client not available');
  }
  if (error instanceof Refusal) return refuse(reply, REFUSALS[error.kind], error.message);
  if ('validation' in error && error.validation) return refuse(reply, 400, error.message);
  const status = ('statusCode' in error && error.statusCode) || 500;
  if (status >= 400 && status < 500) return refuse(reply, status, CLIENT_ERRORS[codeOf(error)] ?? error.message);
  request.log.error({ err: error }, 'request failed');
  return refuse(reply, 500, 'Internal server error');
}

/** An address that is not percent-encoded UTF-8. */
export const UNREADABLE = 'The address is not a valid one';

const REFUSALS: Record<Refusal['kind'], number> = { invalid: 400, denied: 403, missing: 404, conflict: 409 };

/** Our texts for Fastify's own refusals. They say what the caller should send instead. */
const CLIENT_ERRORS: Record<string, string> = {
  FST_ERR_BAD_URL: UNREADABLE,
  FST_ERR_CTP_INVALID_JSON_BODY: 'The body is not valid JSON',
  FST_ERR_CTP_BODY_TOO_LARGE: 'The body is too large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'Send JSON with Content-Type: application/json',
};

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : '';
}

/** Callers may retry after this time when they get 503. By then Podmend notices that the database or the cluster is back. */
const RETRY_SECONDS = 2;

function refuse(reply: FastifyReply, status: number, detail: string): FastifyReply {
  if (status === 503 && !reply.hasHeader('retry-after')) reply.header('retry-after', RETRY_SECONDS);
  return reply.code(status).type('application/json; charset=utf-8').serializer(JSON.stringify).send({ detail });
}
