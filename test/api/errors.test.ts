import Fastify from 'fastify';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { answerError, ApiError } from '../../src/api/errors.ts';
import { Refusal } from '../../src/contract/refusal.ts';
import { DatabaseUnavailable } from '../../src/db/errors.ts';
import { ClusterUnavailable, KubeError } from '../../src/kube/errors.ts';
import { createLog } from '../../src/log.ts';

const test = suite('answers to what was thrown');

/** The answer to an error, and what was logged. */
async function answerTo(error: unknown, header?: string) {
  const lines: { level: string; msg: string }[] = [];
  const app = Fastify({ loggerInstance: createLog({ level: 'warn' }, { write: (line) => void lines.push(JSON.parse(line)) }) as never });
  app.setErrorHandler((thrown: Error, request, reply) => answerError(thrown, request, reply));
  app.get('/', (_request, reply) => {
    if (header !== undefined) reply.header('retry-after', header);
    throw error;
  });
  const answer = await app.inject('/');
  await app.close();
  const { statusCode, headers } = answer;
  return {
    status: statusCode,
    body: answer.json(),
    retry: headers['retry-after'],
    type: headers['content-type'],
    said: lines.map(({ level, msg }) => `${level} ${msg}`),
    headers,
  };
}

const fault = (statusCode: number, code?: string) => Object.assign(new Error('secret internals'), { statusCode, code });
const CLUSTER = 'Kubernetes client not available';
const ERRORS: [what: string, error: unknown, status: number, detail: string, said?: string[]][] = [
  ['a refusal by a handler', new ApiError(418, 'No'), 418, 'No'],
  ['a database that is away', new DatabaseUnavailable(new Error('x')), 503, 'Database not available'],
  ['a cluster that is away', new ClusterUnavailable('x'), 503, CLUSTER],
  ['an API server that is too busy', new KubeError(429, 'x', 'y'), 503, CLUSTER, ['warn the API server cannot answer']],
  ['an API server that fails', new KubeError(500, 'x', 'y'), 503, CLUSTER, ['warn the API server cannot answer']],
  ['a refusal of the API server', new KubeError(403, 'x', 'y'), 500, 'Internal server error', ['error request failed']],
  ['invalid', new Refusal('invalid', 'a'), 400, 'a'],
  ['denied', new Refusal('denied', 'a'), 403, 'a'],
  ['missing', new Refusal('missing', 'a'), 404, 'a'],
  ['conflict', new Refusal('conflict', 'a'), 409, 'a'],
  ['a schema that does not match', Object.assign(new Error('name is required'), { validation: [{}] }), 400, 'name is required'],
  ['an unreadable address', fault(400, 'FST_ERR_BAD_URL'), 400, 'The address is not a valid one'],
  ['no JSON', fault(400, 'FST_ERR_CTP_INVALID_JSON_BODY'), 400, 'The body is not valid JSON'],
  ['too much', fault(413, 'FST_ERR_CTP_BODY_TOO_LARGE'), 413, 'The body is too large'],
  ['another media type', fault(415, 'FST_ERR_CTP_INVALID_MEDIA_TYPE'), 415, 'Send JSON with Content-Type: application/json'],
  ['another fault of the caller', Object.assign(new Error('told'), { statusCode: 499 }), 499, 'told'],
  ['a fault of ours', fault(500), 500, 'Internal server error', ['error request failed']],
  ['a redirection', fault(399), 500, 'Internal server error', ['error request failed']],
  ['a defect', new TypeError('secret internals'), 500, 'Internal server error', ['error request failed']],
];
for (const [what, error, status, detail, said = []] of ERRORS)
  test(`${what}: ${status} ${detail}`, async () => {
    const answer = await answerTo(error);
    assert.equal([answer.status, answer.body, answer.said], [status, { detail }, said]);
    assert.is(answer.type, 'application/json; charset=utf-8');
    assert.is(answer.retry, status === 503 ? '2' : undefined, 'only a 503 says when to ask again');
  });

test('a refusal has its headers, and its own time to ask again', async () => {
  const { headers } = await answerTo(new ApiError(415, 'x', { 'accept-encoding': 'identity' }));
  assert.is(headers['accept-encoding'], 'identity');
  assert.is((await answerTo(new ApiError(503, 'x', { 'retry-after': '9' }))).retry, '9');
});

test.run();
