import helmet from '@fastify/helmet';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { SESSION_COOKIE } from '../contract/auth.ts';
import { SESSION_DAYS } from '../accounts/sessions.ts';
import { ErrorBody } from '../contract/errors.ts';
import { PATTERN_WORDS } from '../contract/fields.ts';
import { type Access, accessOf } from './access.ts';
import { EXAMPLES } from './examples.ts';

const SECURITY: Record<Access, Record<string, string[]>[]> = {
  public: [],
  read: [{ session: [] }, { bearer: [] }],
  write: [{ session: [] }, { bearer: [] }],
  admin: [{ session: [] }, { bearer: [] }],
  service: [{ service: [] }],
  stream: [{ session: [] }, { bearer: [] }, { token: [] }],
};

/** The `schema.security` of routes that refuse API tokens: a token must not prolong its own life or extend its own rights. */
export const PEOPLE_ONLY = [{ session: [] }];

const TAGS = {
  operating: 'For whoever runs Podmend: liveness, readiness, metrics.',
  auth: 'Sessions: signup of the first administrator, login, logout, password.',
  users: 'Users and the audit log of what they did.',
  tokens: 'API tokens for scripts, sent as `Authorization: Bearer`.',
  config: 'What this installation is and can do.',
  settings: 'What administrators change while it runs.',
  pods: 'Failing pods: reported by agents, explained, judged by people.',
  incidents: 'What fails, one entry a workload.',
  logs: 'Logs of pods, at once and as they are written.',
  security: 'Security findings, the scanner that reports them, and trusted registries.',
  advice: 'What could be done better: found by detectors, explained, ignored by people.',
  agents: 'The agents, one on each node.',
  mirrors: 'Corrections: previewed, tried on a temporary copy of the pod, judged.',
  models: 'The language model that explains failures besides the rules: which one it is, whether it answers, and its prompt.',
  suppressions: 'What is hidden, and until when.',
  graphs: 'Graphs of workloads and of access rights.',
  access: 'Questions about rights and reach: who may do something, what a subject may do, which pods may talk.',
  notifications: 'Where news are sent to.',
  chat: 'Webhooks that chat services call.',
  alerts: 'Alerts of Alertmanager, and the incidents that they are about.',
  events: 'Live messages over WebSocket.',
};

/** The meaning of an answer whose schema has no description. */
const ANSWERS: Record<string, string> = {
  101: 'The connection is a WebSocket now',
  200: 'As asked',
  202: 'Stored, but hidden by a Suppression',
  204: 'Done; there is nothing to say',
  304: 'Nothing changed since the answer of that `ETag`',
};

/** The parts of a described path that are read here. */
type Path = Partial<Record<'post' | 'put', Described>>;
interface Described {
  requestBody?: { required: boolean; content: Record<string, { schema: { default?: object } }> };
}

/** Describes every route that is registered later (OpenAPI 3.1). Adds the errors that follow from the access and the inputs of a route. */
export async function describeRoutes(
  app: FastifyInstance,
  { version, baseUrl }: { version: string; baseUrl?: string | undefined },
): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Podmend',
        version,
        description: 'Explains failing pods, proposes a corrected manifest and proves it on a mirror.',
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      },
      // Without a public address, paths are relative to the address of the description.
      servers: [{ url: baseUrl ?? '/', description: 'This installation' }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      components: {
        securitySchemes: {
          session: {
            type: 'apiKey',
            in: 'cookie',
            name: SESSION_COOKIE,
            description: `Set by signup and login; ${SESSION_DAYS} days, sliding`,
          },
          bearer: { type: 'http', scheme: 'bearer', description: 'An API token of `POST /api/tokens`' },
          service: { type: 'apiKey', in: 'header', name: 'X-Service-Token', description: 'Shared by agents and scanner' },
          serviceBearer: { type: 'http', scheme: 'bearer', description: 'The service token, for senders that can set no other header' },
          token: { type: 'apiKey', in: 'query', name: 'token', description: 'The service token, where no header can be sent' },
        },
      },
    },
    transform: ({ schema, url, route }) => {
      const access = accessOf(route.config?.access ?? 'public');
      const methods = [route.method].flat();
      const isChange = methods.some((method) => !['GET', 'HEAD'].includes(method));
      const example = methods.map((method) => EXAMPLES[`${method} ${url}`]).find(Boolean);
      const described: FastifySchema = { ...schema };
      described.operationId = operationIdOf(methods[0] ?? '', url);
      described.security = schema.security ?? SECURITY[access];
      described.response = { ...errorsOf({ access, isChange, schema }), ...answersOf(schema) };
      // OpenAPI cannot describe an upgrade. So every answer except 101 is described as a refusal.
      if (isUpgrade(schema)) Object.assign(described.response as object, { default: refusal('Refused before the upgrade') });
      if (example) described.body = { ...(schema.body as object), examples: [example] };
      if (access === 'write' || access === 'admin') described.description = `Requires the ${access} role.`;
      return named(described, url);
    },
    transformObject: (described) => {
      if (!('openapiObject' in described)) return described.swaggerObject;
      const { openapiObject } = described;
      // The plugin declares every body as required.
      for (const { post, put } of Object.values(openapiObject.paths ?? {}) as Path[])
        for (const body of [post?.requestBody, put?.requestBody])
          if (body?.content['application/json']?.schema.default) body.required = false;
      sayPatterns(openapiObject.paths);
      return openapiObject;
    },
  });
}

/** Describes each regular expression in words. The description of a parameter stands beside its schema. */
function sayPatterns(of: unknown): void {
  if (typeof of !== 'object' || of === null) return;
  const { schema, pattern } = of as { schema?: { pattern?: string }; pattern?: unknown };
  const words = PATTERN_WORDS.get(String(schema?.pattern ?? pattern));
  if (words) Object.assign(of, { description: withWords(of, words) });
  else for (const part of Object.values(of)) sayPatterns(part);
}

function withWords({ description }: { description?: string }, words: string): string {
  const must = `must ${words}`;
  if (description === undefined) return must;
  return description.endsWith(must) ? description : `${description}; ${must}`;
}

/** Podmend's name in place of Swagger's. The top bar is hidden: it asks for the address of another description. */
const THEME = { title: 'Podmend', css: [{ filename: 'podmend.css', content: '.swagger-ui .topbar { display: none }' }] };

/** Serves `/docs`: the description with forms to try each request. Only these pages may use inline styles. */
export async function serveDocs(app: FastifyInstance): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => void (route.config = { ...route.config, access: 'public' }));
    await scope.register(helmet, pageHeaders({ styleSrc: ["'self'", "'unsafe-inline'"], scriptSrc: ["'self'"], connectSrc: ["'self'"] }));
    await scope.register(swaggerUi, { routePrefix: '/docs', uiConfig: { validatorUrl: null }, theme: THEME });
  });
}

/**
 * Headers of the few HTML pages. Upgrading requests to https is off, because it would break a plain-http address that is not loopback.
 * Strict-Transport-Security is set elsewhere: it depends on BASE_URL and is the same for every answer.
 */
export function pageHeaders(directives: Record<string, string[]>) {
  return {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        imgSrc: ["'self'", 'data:'],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        ...directives,
      },
    },
    strictTransportSecurity: false,
    crossOriginEmbedderPolicy: false,
  };
}

/** Every refusal is JSON, even if the normal answer of the route is a stream. */
const refusal = (description: string) => ({ description, content: { 'application/json': { schema: ErrorBody } } });

interface Refusable {
  access: Access;
  /** Whether the route changes something: it may take a body, and a browser sends the origin of its page. */
  isChange: boolean;
  schema: FastifySchema;
}

function errorsOf({ access, isChange, schema }: Refusable): Record<string, unknown> {
  const takesInput = isChange || Boolean(schema.params ?? schema.querystring);
  const errors = {
    400: takesInput && 'Something in the request is wrong: `detail` names it',
    401: access !== 'public' && 'Not authenticated',
    403: access !== 'service' && (access !== 'public' || isChange) && 'The role is too low, or the request came from another origin',
    404: Boolean(schema.params) && 'There is no such thing',
    421: access !== 'service' && 'The host name is not one of this installation',
    413: isChange && 'The body is too large',
    415: isChange && 'The body is not JSON',
    500: 'Internal server error',
    503: 'Database not available, or Kubernetes client not available',
  };
  const described = Object.entries(errors).filter(([, description]) => description);
  return Object.fromEntries(described.map(([status, description]) => [status, refusal(String(description))]));
}

const isUpgrade = ({ response }: FastifySchema): boolean => typeof response === 'object' && response !== null && 101 in response;

/** The meaning of refusals that only some routes have, for their `schema.response`. */
const OWN: Record<string, string> = {
  401: 'Who asks is not who they say',
  404: 'There is no such thing',
  409: 'It does not go together with what is there',
  426: 'Connect with WebSocket',
  429: 'Too many: `Retry-After` says when again, where time helps',
};

function answersOf({ response }: FastifySchema): Record<string, unknown> {
  const own = Object.entries((response ?? {}) as Record<string, object>);
  const shown = own.flatMap(([status, schema]): [string, unknown][] => {
    if (schema === ErrorBody) return status in OWN ? [[status, refusal(OWN[status] ?? '')]] : [];
    return [[status, 'content' in schema ? schema : { ...schema, 'x-response-description': ANSWERS[status] ?? 'As asked' }]];
  });
  return Object.fromEntries(shown);
}

/** `GET /api/pods/failed/:pod_id` → `getPodsFailedByPodId`. Client generators use it as the name of a function. */
function operationIdOf(method: string, url: string): string {
  const steps = url.split('/').filter((step) => step !== '' && step !== 'api');
  const words = steps.map((step) => (step === '*' ? 'by-entry' : step.replace(/^:/, 'by-')));
  const name = words.flatMap((word) => word.split(/[-_]/)).map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return method.toLowerCase() + name.join('');
}

/** A wildcard at the end of an address has no name. The description uses the `title` of its schema instead. */
function named(schema: FastifySchema, url: string): { schema: FastifySchema; url: string } {
  const { properties } = (schema.params ?? {}) as { properties?: Record<string, { title?: string }> };
  const { title, ...rest } = properties?.['*'] ?? {};
  if (!title) return { schema, url };
  const params = { type: 'object', required: [title], properties: { [title]: rest } };
  return { schema: { ...schema, params }, url: url.replace('*', `:${title}`) };
}
