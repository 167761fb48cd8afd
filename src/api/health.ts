import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { AppDeps } from './deps.ts';
import { ApiError } from './errors.ts';
import type { Metrics } from './metrics.ts';

const CHECK_TIMEOUT_MS = 2_000;

const Health = Type.Object({ status: Type.Literal('ok'), version: Type.String() });
const Ready = Type.Object({ status: Type.Literal('ready') });

/** Liveness, readiness and metrics, for orchestrators and monitoring. */
export function healthRoutes(deps: Pick<AppDeps, 'checks' | 'version'>, { registry }: Metrics): FastifyPluginAsyncTypebox {
  const parts = [
    { check: deps.checks.database, away: 'Database not available' },
    { check: deps.checks.cluster, away: 'Kubernetes client not available' },
    {
      check: deps.checks.replicas,
      away: 'Another replica holds the Lease, and this one has a database of its own: replicas need DATABASE_URL',
    },
  ];
  return async (app) => {
    app.get(
      '/health',
      {
        config: { access: 'public', anyHost: true },
        logLevel: 'warn',
        schema: { summary: 'The process lives', tags: ['operating'], response: { 200: Health } },
      },
      async () => ({ status: 'ok' as const, version: deps.version }),
    );

    app.get(
      '/ready',
      {
        config: { access: 'public', anyHost: true },
        logLevel: 'warn',
        schema: {
          summary: 'Database and cluster answer, and no other replica has another database; 503 names what is wrong',
          tags: ['operating'],
          response: { 200: Ready },
        },
      },
      async () => {
        const answers = await Promise.allSettled(parts.map(({ check }) => inTime(check)));
        const away = parts.filter((_part, index) => answers[index]?.status === 'rejected').map((part) => part.away);
        if (away.length > 0) throw new ApiError(503, away.join('; '));
        return { status: 'ready' as const };
      },
    );

    app.get(
      '/metrics',
      {
        config: { access: 'public', anyHost: true },
        logLevel: 'warn',
        schema: {
          summary: 'Metrics in the Prometheus text format',
          tags: ['operating'],
          response: { 200: { description: 'Metrics', content: { 'text/plain': { schema: Type.String() } } } },
        },
      },
      async (_request, reply) => reply.type(registry.contentType).send(await registry.metrics()),
    );
  };
}

/** A check that does not finish within two seconds counts as failed: rejects. */
export async function inTime(check: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('timed out')), CHECK_TIMEOUT_MS);
  });
  try {
    await Promise.race([check(), late]);
  } finally {
    clearTimeout(timer);
  }
}
