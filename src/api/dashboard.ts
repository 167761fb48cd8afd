import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import helmet from '@fastify/helmet';
import serveFiles from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { pageHeaders } from './docs.ts';

/** The placeholder for the nonce that `deploy/dashboard.ts` writes into index.html. */
const NONCE = '__CSP_NONCE__';
/** A file whose name contains the hash of its content never changes. */
const ASSETS = { maxAge: '365d', immutable: true, index: false, decorateReply: false, preCompressed: true } as const;

const UNBUILT = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Podmend</title>
</head>
<body>
<h1>Podmend</h1>
<p>The dashboard is not built in this checkout: <code>npm run build</code> makes it, and a restart shows it.</p>
<p>The API is here all the same: <a href="/docs">its description</a>.</p>
</body>
</html>
`;

/**
 * The dashboard: its page at every address that is nobody else's and that a browser opens, its files under `/assets/`. `folder` is what
 * `deploy/dashboard.ts` built; where there is none, the page says so.
 */
export async function serveDashboard(app: FastifyInstance, folder: string): Promise<void> {
  const page = await readFile(join(folder, 'index.html'), 'utf8').catch(() => undefined);
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: 'public' };
      route.schema = { hide: true };
    });
    await scope.register(helmet, { global: false });
    if (page) await scope.register(serveFiles, { root: join(folder, 'assets'), prefix: '/assets/', ...ASSETS });
    const showPage = (request: FastifyRequest, reply: FastifyReply): FastifyReply | void => {
      const wantsPage = request.headers.accept?.includes('text/html') || request.url === '/';
      if (!wantsPage || /^\/(api|assets)([/?]|$)/.test(request.url)) return reply.callNotFound();
      // The component library writes some of its styles at run time: each needs the nonce of its page, and nothing else may.
      const nonce = randomBytes(18).toString('base64url');
      const styleSrc = ["'self'", `'nonce-${nonce}'`];
      void reply.helmet(pageHeaders(page ? { scriptSrc: ["'self'"], connectSrc: ["'self'"], styleSrc } : {}));
      return reply.type('text/html; charset=utf-8').send((page ?? UNBUILT).replaceAll(NONCE, nonce));
    };
    for (const url of ['/', '/*']) scope.get(url, showPage);
  });
}
