import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import helmet from '@fastify/helmet';
import serveFiles from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { pageHeaders } from './docs.ts';

const BUNDLE = 'redoc.standalone.js';
/** As `npm run build` leaves it, else as it is installed for developing. */
const PLACES = ['../../dist/redoc/', '../../node_modules/redoc/bundles/'].map((place) => fileURLToPath(new URL(place, import.meta.url)));

// What it draws before the bundle has come is a plain word; the bundle finds the element by its name.
const PAGE = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Podmend: the interface</title>
<link rel="icon" href="data:,">
<style>body { margin: 0 }</style>
</head>
<body>
<redoc spec-url="/docs/json"></redoc>
<script src="/redoc/${BUNDLE}"></script>
</body>
</html>
`;

/**
 * What the bundle needs, and nothing from anywhere else: it writes its styles at run time, and searches in a worker that it makes itself.
 * The image that it would fetch from its maker stays unfetched.
 */
const POLICY = {
  styleSrc: ["'self'", "'unsafe-inline'"],
  scriptSrc: ["'self'"],
  connectSrc: ["'self'"],
  workerSrc: ['blob:'],
};

/**
 * `/redoc`: the description to read, as one page. The bundle (a megabyte) is streamed from `folder` for each who asks, and never kept.
 * Where it is not installed, `/docs` is shown in its place.
 */
export async function serveRedoc(app: FastifyInstance, folder = PLACES.find((place) => existsSync(place + BUNDLE))): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: 'public' };
      route.schema = { hide: true };
    });
    if (!folder) return void scope.get('/redoc', (_request, reply) => reply.redirect('/docs', 302));
    await scope.register(helmet, pageHeaders(POLICY));
    // Nothing else of the folder: the bundle's source maps are as large as itself.
    const only = { allowedPath: (path: string) => path === `/${BUNDLE}`, index: false, wildcard: true } as const;
    await scope.register(serveFiles, { root: folder, prefix: '/redoc/', decorateReply: false, preCompressed: true, ...only });
    scope.get('/redoc', (_request, reply) => reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(PAGE));
  });
}
