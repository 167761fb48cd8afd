import helmet from '@fastify/helmet';
import swagger from '@fastify/swagger';
import swaggerUi from '@fastify/swagger-ui';
import type { FastifyInstance, FastifySchema } from 'fastify';
import { SESSION_COOKIE } from '../contract/auth.ts';
import { ErrorBody } from '../contract/errors.ts';
import type { Access } from './access.ts';

const SECURITY: Record<Access, Record<string, string[]>[]> = {
  public: [],
  read: [{ session: [] }],
  write: [{ session: [] }],
  admin: [{ session: [] }],
  service: [{ service: [] }],
  stream: [{ session: [] }, { token: [] }],
};

/** Describes every route registered after it (OpenAPI 3.1); the errors that a route's access and inputs make possible are added here. */
export async function describeRoutes(app: FastifyInstance, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Podmend', version, description: 'Explains failing pods, proposes a corrected manifest and proves it on a mirror.' },
      components: {
        securitySchemes: {
          session: { type: 'apiKey', in: 'cookie', name: SESSION_COOKIE },
          service: { type: 'apiKey', in: 'header', name: 'X-Service-Token' },
          token: { type: 'apiKey', in: 'query', name: 'token', description: 'The service token, where no header can be sent' },
        },
      },
    },
    transform: ({ schema, url, route }) => {
      const access = route.config?.access ?? 'public';
      const described: FastifySchema = { ...schema };
      described.security = SECURITY[access];
      described.response = { ...(schema?.response as object), ...errorsOf(access, schema) };
      if (access === 'write' || access === 'admin') described.description = `Requires the ${access} role.`;
      return { schema: described, url };
    },
  });
}

/** Our name in place of the tool's; its bar would only ask for the address of another description. */
const THEME = { title: 'Podmend', css: [{ filename: 'podmend.css', content: '.swagger-ui .topbar { display: none }' }] };

/** `/docs`: the description to read and try. Its pages need inline styles, which nothing else here is allowed. */
export async function serveDocs(app: FastifyInstance): Promise<void> {
  await app.register(async (scope) => {
    scope.addHook('onRoute', (route) => void (route.config = { ...route.config, access: 'public' }));
    await scope.register(helmet, pageHeaders({ styleSrc: ["'self'", "'unsafe-inline'"], scriptSrc: ["'self'"], connectSrc: ["'self'"] }));
    await scope.register(swaggerUi, { routePrefix: '/docs', uiConfig: { validatorUrl: null }, theme: THEME });
    scope.get('/redoc', { schema: { hide: true } }, (_request, reply) => reply.redirect('/docs', 308));
  });
}

/**
 * Headers of the few HTML pages. The browser's upgrade of requests to https would break a plain-http address that is not loopback, and
 * transport security is for whoever ends TLS to promise.
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

/** JSON whatever the route answers when all is well: a stream is refused in JSON too. */
function errorsOf(access: Access, schema: FastifySchema | undefined): Record<string, unknown> {
  const takesInput = Boolean(schema?.body ?? schema?.params ?? schema?.querystring);
  const errors = {
    400: takesInput && 'Something in the request is wrong: `detail` names it',
    401: access !== 'public' && 'Not authenticated',
    403: access !== 'public' && access !== 'service' && 'The role is too low, or the request came from another origin',
    404: Boolean(schema?.params) && 'There is no such thing',
    500: 'Internal server error',
    503: 'Database not available, or Kubernetes client not available',
  };
  const told = Object.entries(errors).filter(([, description]) => description);
  return Object.fromEntries(
    told.map(([status, description]) => [status, { description, content: { 'application/json': { schema: ErrorBody } } }]),
  );
}
