import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import cookie from '@fastify/cookie';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify, { LogController, type FastifyBaseLogger, type FastifyError, type FastifyInstance } from 'fastify';
import { guard, type AccessEntry } from './access.ts';
import { aboutRoutes } from './about.ts';
import { accountRoutes } from './accounts.ts';
import { adviceRoutes } from './advice.ts';
import { alertRoutes } from './alerts.ts';
import { agentRoutes } from './agents.ts';
import { auditRoutes } from './audit.ts';
import { authRoutes } from './auth.ts';
import { readJson } from './bodies.ts';
import { chatRoutes } from './chatops.ts';
import { compressAnswers } from './compress.ts';
import { serveDashboard } from './dashboard.ts';
import type { AppDeps } from './deps.ts';
import type { Scope } from '../db/failure-page.ts';
import { drainRequests } from './drain.ts';
import { describeRoutes, serveDocs } from './docs.ts';
import { answerError, ApiError, UNREADABLE } from './errors.ts';
import { exclusionRoutes } from './exclusions.ts';
import { failureRoutes } from './failures.ts';
import { findingRoutes } from './findings.ts';
import { graphRoutes } from './graphs.ts';
import { slots } from '../async/slots.ts';
import { STREAMS } from './lists.ts';
import { logRoutes } from './logs.ts';
import { appMetrics } from './metrics.ts';
import { answerMissing } from './methods.ts';
import { modelRoutes } from './models.ts';
import { mirrorRoutes } from './mirrors.ts';
import { notificationRoutes } from './notifications.ts';
import { healthRoutes } from './health.ts';
import { historyRoutes } from './history.ts';
import { incidentRoutes } from './incidents.ts';
import { questionRoutes } from './questions.ts';
import { serveRedoc } from './redoc.ts';
import { SEARCHES } from './searches.ts';
import { settingRoutes } from './settings.ts';
import { suppressionRoutes } from './suppressions.ts';
import { triageRoutes } from './triage.ts';
import { compileSerializer } from './serialization.ts';
import { compileValidator, validationError } from './validation.ts';
import { openSockets } from './ws.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Every route with its access, complete once the app is ready. */
    accessTable: AccessEntry[];
  }
}

/** The headers that helmet sends for JSON, as constants: helmet itself would halve the rate of reports. The HTML pages use helmet. */
const HEADERS = Object.entries({
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
});

/** Valid for a year, and not for subdomains, because these may have no TLS. Browsers ignore the header over plain http. */
const HTTPS_ONLY = ['strict-transport-security', 'max-age=31536000'] as const;

/** Long enough for a report of 5 MB over a slow connection. */
const REQUEST_MS = 60_000;

/** Answers to requests that Node's HTTP server could not read. */
const BROKEN: Record<string, [status: string, detail: string]> = {
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time'],
  HPE_HEADER_OVERFLOW: ['431 Request Header Fields Too Large', 'The headers are too large'],
};

/**
 * Builds the facade: the HTTP and WebSocket interface of the specification. It does not listen yet. Its `close` ends sockets
 * with code 1001 and cuts connections that do not end by themselves. Throws when a route declares no access.
 */
export async function buildApp(deps: AppDeps): Promise<FastifyInstance> {
  const { config, log } = deps;
  const app = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    // One line per request, written below, instead of Fastify's two.
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
    // After this time a request is cut, even if the client still sends a byte now and then.
    requestTimeout: REQUEST_MS,
    trustProxy: config.trustProxy.length > 0 ? config.trustProxy : false,
    routerOptions: { maxParamLength: 512 },
    genReqId: requestIds(),
    schemaErrorFormatter: validationError,
    frameworkErrors: (error, request, reply) => void answerError(error, request, reply),
    clientErrorHandler({ code }, socket) {
      const [status, detail] = BROKEN[code] ?? ['400 Bad Request', 'Not an HTTP request'];
      if (socket.writable)
        socket.write(`HTTP/1.1 ${status}\r\ncontent-type: application/json\r\nconnection: close\r\n\r\n${JSON.stringify({ detail })}`);
      socket.destroy();
    },
  }).withTypeProvider<TypeBoxTypeProvider>();
  app.setValidatorCompiler(compileValidator);
  app.setSerializerCompiler(compileSerializer);
  app.setErrorHandler((error: FastifyError, request, reply) => answerError(error, request, reply));
  readJson(app);

  drainRequests(app);
  compressAnswers(app);
  const headers = config.baseUrl?.startsWith('https:') ? [...HEADERS, HTTPS_ONLY] : HEADERS;
  app.addHook('onRequest', (request, reply, done) => {
    for (const [name, value] of headers) reply.raw.setHeader(name, value);
    reply.raw.setHeader('x-request-id', request.id);
    done();
  });
  app.addHook('onRequest', (request, _reply, done) => done(hasReadableQuery(request.url) ? undefined : new ApiError(400, UNREADABLE)));
  app.addHook('onResponse', (request, reply, done) => {
    const { method, ip, caller } = request;
    // The query is never logged: it may hold a token.
    const path = request.url.split('?', 1)[0];
    request.log.info(
      { method, path, status: reply.statusCode, ms: Math.round(reply.elapsedTime * 10) / 10, ip, user: caller?.username },
      'request',
    );
    done();
  });
  // Answer only after the messages of this request are delivered: the client may ask another replica next.
  app.addHook('onSend', async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') await deps.hub.settled();
  });
  await app.register(cookie, { secret: config.sessionSecret });
  app.decorate('listStreams', slots(STREAMS.most, STREAMS.perUser));
  app.decorate('listPatience', { ...STREAMS, clock: () => performance.now(), ...deps.listPatience });
  app.decorate('searches', slots(SEARCHES.most, SEARCHES.perUser));
  const sockets = await openSockets(app, deps);
  const accessTable = guard(app, deps);
  app.decorate('accessTable', accessTable);
  app.setNotFoundHandler(answerMissing(accessTable));
  await describeRoutes(app, { version: deps.version, baseUrl: config.baseUrl });
  sockets.serve(app);
  const scope: Scope = { namespaces: '*', hidden: config.hiddenNamespaces };
  const metrics = appMetrics(app, {
    version: deps.version,
    sockets: sockets.count,
    mirrorCounts: deps.mirrorCounts,
    mirrorVerdicts: deps.mirrorVerdicts,
    findingsBySeverity: () => deps.findings.countBySeverity(scope),
    adviceBySeverity: () => deps.advice.countBySeverity(scope),
    queues: deps.queues,
    databasePool: deps.databasePool,
    modelCalls: deps.models.tally,
  });

  await serveDashboard(app, deps);
  await serveDocs(app);
  await serveRedoc(app);
  await app.register(healthRoutes(deps, metrics));
  await app.register(authRoutes(deps, sockets.end));
  await app.register(accountRoutes(deps));
  await app.register(auditRoutes(deps));
  await app.register(failureRoutes(deps, metrics));
  await app.register(incidentRoutes(deps));
  await app.register(triageRoutes(deps));
  await app.register(historyRoutes(deps));
  await app.register(logRoutes(deps));
  await app.register(findingRoutes(deps, metrics));
  await app.register(adviceRoutes(deps));
  await app.register(agentRoutes(deps));
  await app.register(mirrorRoutes(deps));
  await app.register(suppressionRoutes(deps));
  await app.register(exclusionRoutes(deps));
  await app.register(settingRoutes(deps));
  await app.register(modelRoutes(deps));
  await app.register(aboutRoutes(deps));
  await app.register(graphRoutes(deps));
  await app.register(questionRoutes(deps));
  await app.register(notificationRoutes(deps));
  await app.register(chatRoutes(deps));
  await app.register(alertRoutes(deps));
  await app.ready();
  return app;
}

/** Whether the query is percent-encoded UTF-8. The router looks at the path alone. */
function hasReadableQuery(url: string): boolean {
  const start = url.indexOf('?');
  if (start < 0 || !url.includes('%', start)) return true;
  try {
    decodeURIComponent(url.slice(start));
    return true;
  } catch {
    return false;
  }
}

/** The id of a request: the id that a proxy has set, if it is well-formed, or else a new one. */
function requestIds(): (request: IncomingMessage) => string {
  const own = randomBytes(6).toString('base64url');
  let count = 0;
  return ({ headers }) => {
    const given = headers['x-request-id'];
    return typeof given === 'string' && /^[\w.-]{1,64}$/.test(given) ? given : `${own}-${(++count).toString(36)}`;
  };
}
