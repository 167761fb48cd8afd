import { createHash, randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import helmet from '@fastify/helmet';
import serveFiles from '@fastify/static';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { UserRecord } from '../contract/auth.ts';
import { DatabaseUnavailable } from '../db/errors.ts';
import { sessionCookie } from './cookie.ts';
import type { AppDeps } from './deps.ts';
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

/** The files that `deploy/dashboard.ts` built. */
interface Built {
  /** The page without a session. It shows the product's name until the scripts run. */
  login: string;
  /** The page with a session. It shows the frame of the dashboard until the scripts run. */
  console: string;
  /** The files of each screen, by the name of its folder. */
  chunks: Readonly<Record<string, readonly string[]>>;
  /** Hashes of the pages' inline scripts, as sources in the Content-Security-Policy. */
  inlineScripts: readonly string[];
}

/**
 * Serves the dashboard: its files under `/assets/`, and its page at every address without another route. `deps.dashboard` is the folder
 * that `deploy/dashboard.ts` built. If the folder does not exist, the page says so.
 */
export async function serveDashboard(
  app: FastifyInstance,
  deps: Pick<AppDeps, 'dashboard' | 'config' | 'sessions' | 'now'>,
): Promise<void> {
  const folder = deps.dashboard;
  const built = await readBuilt(folder);
  const cookie = sessionCookie(deps);
  /** The user of a live session, otherwise null. Also null while the database is away: the page without a session then shows the problem. */
  const userOf = async (request: FastifyRequest, reply: FastifyReply): Promise<UserRecord | null> => {
    try {
      return await cookie.caller(request, reply);
    } catch (error) {
      if (error instanceof DatabaseUnavailable) return null;
      throw error;
    }
  };
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => {
      route.config = { ...route.config, access: 'public' };
      route.schema = { hide: true };
    });
    await scope.register(helmet, { global: false });
    if (built) await scope.register(serveFiles, { root: join(folder, 'assets'), prefix: '/assets/', ...ASSETS });
    const showPage = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | void> => {
      const wantsPage = request.headers.accept?.includes('text/html') || request.url === '/';
      if (!wantsPage || /^\/(api|assets)([/?]|$)/.test(request.url)) return reply.callNotFound();
      // The component library adds some styles at run time. They need the nonce of the page; other inline styles are refused.
      const nonce = randomBytes(18).toString('base64url');
      const styleSrc = ["'self'", `'nonce-${nonce}'`];
      const scriptSrc = ["'self'", ...(built?.inlineScripts ?? [])];
      void reply.helmet(pageHeaders(built ? { scriptSrc, connectSrc: ["'self'"], styleSrc } : {}));
      const user = built && (await userOf(request, reply));
      const page = built && (user ? forScreen(built, request.url, user) : built.login);
      return reply.type('text/html; charset=utf-8').send((page ?? UNBUILT).replaceAll(NONCE, nonce));
    };
    for (const url of ['/', '/*']) scope.get(url, showPage);
  });
}

async function readBuilt(folder: string): Promise<Built | undefined> {
  const read = (name: string): Promise<string | undefined> => readFile(join(folder, name), 'utf8').catch(() => undefined);
  const [login, console, chunks] = await Promise.all([read('index.html'), read('console.html'), read('chunks.json')]);
  if (login === undefined || console === undefined || chunks === undefined) return undefined;
  const scripts = [...login.matchAll(/<script(?: nonce="[^"]*")?>([^]*?)<\/script>/g)].map(([, script = '']) => script);
  const inlineScripts = scripts.map((script) => `'sha256-${createHash('sha256').update(script).digest('base64')}'`);
  return { login, console, chunks: JSON.parse(chunks) as Built['chunks'], inlineScripts };
}

/**
 * The page with a session. Its links let the browser load the files of the requested screen together with the first script. It contains the
 * user's name and role, so that the scripts need not ask for them.
 */
function forScreen({ console, chunks }: Built, url: string, { id, username, role, created_at }: UserRecord): string {
  const [, first = '', second] = url.replace(/[?].*/s, '').split('/');
  const screen = first === '' ? 'overview' : ['incidents', 'failures'].includes(first) && second ? 'incident' : first;
  const files = Object.hasOwn(chunks, screen) ? (chunks[screen] ?? []) : [];
  const links = files.map((file) =>
    file.endsWith('.css')
      ? `<link rel="preload" as="style" crossorigin href="/${file}">`
      : `<link rel="modulepreload" crossorigin href="/${file}">`,
  );
  const user = `<meta name="user" content="${escaped(JSON.stringify({ id, username, role, created_at }))}">`;
  return console.replace('</head>', () => `${user}${links.join('')}</head>`);
}

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '"': '&quot;', '<': '&lt;', '>': '&gt;' };
const escaped = (text: string): string => text.replace(/[&"<>]/g, (one) => ENTITIES[one] ?? one);
