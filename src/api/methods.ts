import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccessEntry } from './access.ts';

/** The route of the dashboard's page. It matches every address, so it is ignored when the methods of an address are collected. */
const ANY = '/*';

/**
 * Answers requests without a matching route: 405 with `Allow` if the address has other methods (RFC 9110, section 15.5.6), else 404.
 * `table` has every route once the app is ready.
 */
export function answerMissing(table: AccessEntry[]): (request: FastifyRequest, reply: FastifyReply) => FastifyReply {
  let routes: { methods: Set<string>; address: RegExp }[] | undefined;
  return (request, reply) => {
    routes ??= routesOf(table);
    const [path = ''] = request.url.split('?', 1);
    const methods = new Set(routes.filter(({ address }) => address.test(path)).flatMap((route) => [...route.methods]));
    if (methods.size === 0 || methods.has(request.method)) return reply.code(404).send({ detail: 'Not found' });
    return reply
      .code(405)
      .header('allow', [...methods].toSorted().join(', '))
      .send({ detail: `${request.method} is not possible here` });
  };
}

function routesOf(table: AccessEntry[]): { methods: Set<string>; address: RegExp }[] {
  const methods = new Map<string, Set<string>>();
  for (const { method, url } of table) {
    if (url === ANY) continue;
    methods.set(url, (methods.get(url) ?? new Set()).add(method));
  }
  return [...methods].map(([url, of]) => ({ methods: of, address: patternOf(url) }));
}

/** `/api/pods/:pod_id/status` → a pattern that matches the same addresses as the router. */
function patternOf(url: string): RegExp {
  const steps = url
    .split('/')
    .map((step) => (step === '*' ? '.*' : step.startsWith(':') ? '[^/]+' : step.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')));
  return new RegExp(`^${steps.join('/')}$`);
}
