import { Readable } from 'node:stream';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply, FastifyRequest } from 'fastify';
import Type from 'typebox';
import { PodLog } from '../contract/log.ts';
import type { LogLine } from '../kube/pod-logs.ts';
import type { Caller } from './access.ts';
import { endedOf, SESSION_CHECK_MS } from './caller.ts';
import { ErrorBody } from '../contract/errors.ts';
import type { AppDeps } from './deps.ts';
import { ApiError } from './errors.ts';

const PodPath = Type.Object({ namespace: Type.String(), pod_name: Type.String() });
const TAIL = { minimum: 1, maximum: 5000, description: 'absent: 100' } as const;
const ReadQuery = Type.Object({
  container: Type.Optional(Type.String({ description: 'absent: the first failing one, else the first' })),
  tail_lines: Type.Optional(Type.Integer(TAIL)),
  previous: Type.Optional(Type.Boolean({ description: 'the run before this one' })),
});
const StreamQuery = Type.Object({
  container: Type.Optional(Type.String({ description: 'absent: the first failing one, else the first' })),
  tail_lines: Type.Optional(Type.Integer(TAIL)),
  token: Type.Optional(Type.String({ description: 'the service token, in place of a session' })),
});
const DEFAULT_TAIL = 100;
const STREAMS_EACH = 5;
const HEARTBEAT_MS = 15_000;
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/;

/** Routes for the logs of pods: as one answer, or as a stream of server-sent events (specification, "Config and pods"). */
export function logRoutes(deps: Pick<AppDeps, 'logs' | 'sessions' | 'tokens' | 'config' | 'now'>): FastifyPluginAsyncTypebox {
  const { logs, config } = deps;
  const open = new Map<string, number>();
  const visible = (namespace: string): void => {
    if (config.hiddenNamespaces.includes(namespace)) throw new ApiError(404, 'Pod not found');
  };

  return async (app) => {
    app.get(
      '/api/pods/:namespace/:pod_name/logs',
      {
        config: { access: 'logs.read' },
        schema: {
          summary: 'The last lines of a container',
          tags: ['logs'],
          params: PodPath,
          querystring: ReadQuery,
          response: { 200: PodLog },
        },
      },
      async (request) => {
        const { namespace, pod_name } = request.params;
        const { container, tail_lines: tailLines = DEFAULT_TAIL, previous = false } = request.query;
        visible(namespace);
        return logs.read({ namespace, pod_name, container, tailLines }, previous);
      },
    );

    app.get(
      '/api/pods/:namespace/:pod_name/logs/stream',
      {
        config: { access: { stream: 'logs.read' } },
        schema: {
          summary: 'The lines of a container as they are written: server-sent events, `id` the instant of a line, `end` the last event',
          tags: ['logs'],
          params: PodPath,
          querystring: StreamQuery,
          response: { 200: { description: 'Events', content: { 'text/event-stream': { schema: Type.String() } } }, 429: ErrorBody },
        },
      },
      async (request, reply) => {
        const { namespace, pod_name } = request.params;
        const { container, tail_lines: tailLines = DEFAULT_TAIL } = request.query;
        visible(namespace);
        const last = request.headers['last-event-id'];
        const after = typeof last === 'string' && INSTANT.test(last) ? last : undefined;
        const release = admit(open, request);
        const ended = new AbortController();
        try {
          const lines = await logs.follow({ namespace, pod_name, container, tailLines }, { after, signal: ended.signal });
          return sendEvents(reply, { lines, ended, release, isOver: () => isOver(deps, request.caller) });
        } catch (error) {
          release();
          throw error;
        }
      },
    );
  };
}

/** Counts a stream of the caller. Returns a function that frees its place; further calls change nothing. */
function admit(open: Map<string, number>, { caller }: FastifyRequest): () => void {
  const who = caller ? String(caller.id) : 'service';
  const count = open.get(who) ?? 0;
  if (count >= STREAMS_EACH) throw new ApiError(429, `At most ${STREAMS_EACH} log streams at once: close another one`);
  open.set(who, count + 1);
  let isOpen = true;
  return () => {
    if (!isOpen) return;
    isOpen = false;
    const left = (open.get(who) ?? 1) - 1;
    if (left > 0) open.set(who, left);
    else open.delete(who);
  };
}

async function isOver(deps: Pick<AppDeps, 'sessions' | 'tokens' | 'now'>, caller: Caller | null): Promise<boolean> {
  return caller !== null && (await endedOf([caller.credential], deps))(caller.credential);
}

interface Stream {
  lines: AsyncGenerator<LogLine>;
  ended: AbortController;
  release(): void;
  /** Whether the caller may no longer read the stream. */
  isOver(): Promise<boolean>;
}

/** Sends lines as events, as fast as the client takes them; ends with the container, the client or the session. */
function sendEvents(reply: FastifyReply, { lines, ended, release, isOver: over }: Stream): FastifyReply {
  const body = Readable.from(eventsOf(lines), { objectMode: false, highWaterMark: 64 * 1024 });
  // Send comment lines, so that proxies do not cut a silent connection. A client that still has data to read needs none.
  const heartbeat = setInterval(() => {
    if (!reply.raw.writableNeedDrain) reply.raw.write(': still here\n\n');
  }, HEARTBEAT_MS);
  const check = setInterval(() => {
    over().then(
      (isEnded) => void (isEnded && cutOff()),
      // While the database is down, nobody can know whether a session ended.
      () => undefined,
    );
  }, SESSION_CHECK_MS);
  const finish = (): void => {
    clearInterval(heartbeat);
    clearInterval(check);
    ended.abort();
    release();
  };
  // Abort the source first, because a generator that waits for a line ends only when its source ends.
  const cutOff = (): void => {
    finish();
    body.destroy();
    reply.raw.destroy();
  };
  body.once('close', finish);
  body.on('error', cutOff);
  reply.raw.once('close', cutOff);
  // Without `x-accel-buffering`, a buffering proxy would hold the lines back.
  return reply
    .headers({ 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache', 'x-accel-buffering': 'no' })
    .send(body);
}

async function* eventsOf(lines: AsyncGenerator<LogLine>): AsyncGenerator<string> {
  yield ': connected\n\n';
  for await (const { at, text } of lines) yield `${at ? `id: ${at}\n` : ''}data: ${text.replaceAll('\r', '')}\n\n`;
  yield 'event: end\ndata:\n\n';
}
