import helmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import { pageHeaders } from './docs.ts';

const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Podmend</title>
</head>
<body>
<h1>Podmend</h1>
<p>Podmend notices failing pods, says why they fail, and proves a correction on a mirror before anybody touches the workload.</p>
<ul>
<li><a href="/docs">The interface, to read and try</a></li>
<li><a href="/api/auth/status">Whether an administrator is still to be created</a> (<code>POST /api/auth/signup</code>)</li>
<li><a href="/api/pods/failed">The failing pods</a> (after <code>POST /api/auth/login</code>)</li>
<li><code>/api/ws</code>: live messages over WebSocket</li>
<li><a href="/health">Liveness</a>, <a href="/ready">readiness</a>, <a href="/metrics">metrics</a></li>
</ul>
</body>
</html>
`;

/** `/`: a page that says where things are. */
export async function serveHome(app: FastifyInstance): Promise<void> {
  await app.register(async (scope) => {
    await scope.register(helmet, pageHeaders({}));
    scope.get('/', { config: { access: 'public' }, schema: { hide: true } }, (_request, reply) =>
      reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(PAGE),
    );
  });
}
