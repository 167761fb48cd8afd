import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccessEntry } from './access.ts';

/** What the page of the dashboard answers: every address that a browser opens. It says nothing of which methods an address has. */
const ANY = '/*';

/**
 * The answer for an address that has no route of that method: 405 with `Allow` when it has other methods (RFC 9110, section 15.5.6), else
 * 404. `table` has every route once the app is ready.
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

/** `/api/pods/:pod_id/status` → a pattern of the addresses that the router takes for it. */
function patternOf(url: string): RegExp {
  const steps = url
    .split('/')
    .map((step) => (step === '*' ? '.*' : step.startsWith(':') ? '[^/]+' : step.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&')));
  return new RegExp(`^${steps.join('/')}$`);
}
