import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { ErrorBody } from '../contract/errors.ts';
import { ExcludedNamespace, ExcludedPod } from '../contract/suppression.ts';
import { type Exclusion, type ExclusionKind, type Exclusions, ManagedElsewhere } from '../failures/exclusions.ts';
import { isKubeError } from '../kube/errors.ts';
import { ApiError } from './errors.ts';

export interface ExclusionRoutesDeps {
  exclusions: Exclusions;
}

/** Each list's path, the field that carries an entry, and what an entry may be. */
const LISTS = {
  namespace: {
    path: '/api/admin/excluded-namespaces',
    what: 'Excluded namespace',
    body: Type.Object({ namespace: Type.String({ minLength: 1, maxLength: 63, pattern: '^[a-z0-9*]([-a-z0-9*]*[a-z0-9*])?$' }) }),
    record: ExcludedNamespace,
    entryOf: (body: unknown) => (body as { namespace: string }).namespace,
    show: ({ entry, ...rest }: Exclusion) => ({ namespace: entry, ...rest }),
  },
  pod: {
    path: '/api/admin/excluded-pods',
    what: 'Excluded pod',
    // Printable characters without blanks: whatever a path can carry.
    body: Type.Object({ pod_name: Type.String({ minLength: 1, maxLength: 253, pattern: '^[!-~]+$' }) }),
    record: ExcludedPod,
    entryOf: (body: unknown) => (body as { pod_name: string }).pod_name,
    show: ({ entry, ...rest }: Exclusion) => ({ pod_name: entry, ...rest }),
  },
} as const;

/** Excluded namespaces and pod name patterns (specification, "Admin"; DESIGN section 3, "Suppression"). Reading them takes role write too. */
export function exclusionRoutes({ exclusions }: ExclusionRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    for (const kind of ['namespace', 'pod'] as const) {
      const { path, what, body, record, entryOf, show } = LISTS[kind];
      const tags = ['suppressions'];
      app.get(
        path,
        { config: { access: 'write' }, schema: { summary: `${what} patterns`, tags, response: { 200: Type.Array(record) } } },
        async () => exclusions.list(kind).map((one) => show(one)),
      );

      app.post(
        path,
        { config: { access: 'write' }, schema: { summary: `Exclude a ${kind}`, tags, body, response: { 200: record, 400: ErrorBody } } },
        async (request) => {
          const entry = entryOf(request.body);
          const added = await add(exclusions, { kind, entry, owner: request.caller?.username ?? 'api' });
          await request.audit(`excluded-${kind}.add`, entry);
          return show(added);
        },
      );

      // A wildcard, so that patterns with a slash work encoded and plain.
      app.delete(
        `${path}/*`,
        {
          config: { access: 'write' },
          schema: {
            summary: `Include a ${kind} again`,
            tags,
            params: Type.Object({ '*': Type.String({ minLength: 1 }) }),
            response: { 204: Type.Null(), 404: ErrorBody, 409: ErrorBody },
          },
        },
        async (request, reply) => {
          const entry = request.params['*'];
          if (!(await remove(exclusions, kind, entry))) throw new ApiError(404, `${what} not found`);
          await request.audit(`excluded-${kind}.remove`, entry);
          return reply.code(204).send(null);
        },
      );
    }
  };
}

async function add(exclusions: Exclusions, { kind, entry, owner }: { kind: ExclusionKind; entry: string; owner: string }) {
  const field = kind === 'pod' ? 'pod_name' : 'namespace';
  if (/^\*+$/.test(entry)) throw new ApiError(400, `${field} may not be only *, which would hide everything`);
  try {
    return await exclusions.add(kind, entry, owner);
  } catch (error) {
    if (isKubeError(error, 422)) throw new ApiError(400, `${field}: ${error.message}`);
    throw error;
  }
}

async function remove(exclusions: Exclusions, kind: ExclusionKind, entry: string): Promise<boolean> {
  try {
    return await exclusions.remove(kind, entry);
  } catch (error) {
    if (error instanceof ManagedElsewhere) throw new ApiError(409, error.message);
    throw error;
  }
}
