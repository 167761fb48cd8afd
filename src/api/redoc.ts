import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import helmet from '@fastify/helmet';
import serveFiles from '@fastify/static';
import type { FastifyInstance } from 'fastify';
import { pageHeaders } from './docs.ts';

const BUNDLE = 'redoc.standalone.js';
/** The folders that may hold the bundle: first the result of `npm run build`, then the installed package for development. */
const PLACES = ['../../dist/redoc/', '../../node_modules/redoc/bundles/'].map((place) => fileURLToPath(new URL(place, import.meta.url)));

// The page shows a plain word until the bundle is loaded. The bundle finds its element by name.
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
 * Allows only what the bundle needs: it adds styles at run time, and searches in a worker that it creates from a blob. Other hosts are not
 * allowed, so the bundle cannot load an image from its maker's site.
 */
const POLICY = {
  styleSrc: ["'self'", "'unsafe-inline'"],
  scriptSrc: ["'self'"],
  connectSrc: ["'self'"],
  workerSrc: ['blob:'],
};

/**
 * Serves `/redoc`: the description as one page for reading. The bundle (a megabyte) is streamed from `folder` for each request, and not kept
 * in memory. If it is not installed, `/redoc` leads to `/docs`.
 */
export async function serveRedoc(app: FastifyInstance, folder = PLACES.find((place) => existsSync(place + BUNDLE))): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: 'public' };
      route.schema = { hide: true };
    });
    if (!folder) return void scope.get('/redoc', (_request, reply) => reply.redirect('/docs', 302));
    await scope.register(helmet, pageHeaders(POLICY));
    // Serve no other file of the folder: the source maps are as large as the bundle.
    const only = { allowedPath: (path: string) => path === `/${BUNDLE}`, index: false, wildcard: true } as const;
    await scope.register(serveFiles, { root: folder, prefix: '/redoc/', decorateReply: false, preCompressed: true, ...only });
    scope.get('/redoc', (_request, reply) => reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache').send(PAGE));
  });
}
