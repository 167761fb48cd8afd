import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { MAX_NAME_LENGTH, NamespaceGlob, PRINTABLE } from '../contract/fields.ts';
import { ErrorBody } from '../contract/errors.ts';
import { ExcludedNamespace, ExcludedPod, TrustedRegistry } from '../contract/suppression.ts';
import type { Exclusion, Exclusions } from '../suppressions/exclusions.ts';
import { ENTRY_KINDS } from '../suppressions/policy/exclusion-entries.ts';
import { ApiError } from './errors.ts';

export interface ExclusionRoutesDeps {
  exclusions: Exclusions;
}

const only = (field: string) => `${field} must not be only *, which would hide everything`;

/** For each list: its path, the field and format of an entry, and a check for mistakes that the pattern does not catch. */
const LISTS = {
  namespace: {
    path: '/api/admin/excluded-namespaces',
    field: 'namespace',
    tags: ['suppressions'],
    what: 'Excluded namespace',
    add: 'Exclude a namespace',
    remove: 'Include a namespace again',
    action: 'excluded-namespace',
    body: Type.Object({ namespace: NamespaceGlob }),
    record: ExcludedNamespace,
    entryOf: (body: unknown) => (body as { namespace: string }).namespace,
    wrong: (entry: string) => (/^\*+$/.test(entry) ? only('namespace') : undefined),
    show: ({ entry, ...rest }: Exclusion) => ({ namespace: entry, ...rest }),
  },
  pod: {
    path: '/api/admin/excluded-pods',
    field: 'pod_name',
    tags: ['suppressions'],
    what: 'Excluded pod',
    add: 'Exclude a pod',
    remove: 'Include a pod again',
    action: 'excluded-pod',
    // Printable characters without blanks: everything that a path may contain.
    body: Type.Object({ pod_name: Type.String({ minLength: 1, maxLength: MAX_NAME_LENGTH, pattern: PRINTABLE }) }),
    record: ExcludedPod,
    entryOf: (body: unknown) => (body as { pod_name: string }).pod_name,
    wrong: (entry: string) => (/^\*+$/.test(entry) ? only('pod_name') : undefined),
    show: ({ entry, ...rest }: Exclusion) => ({ pod_name: entry, ...rest }),
  },
  registry: {
    path: '/api/security/trusted-registries',
    field: 'registry',
    tags: ['security'],
    what: 'Trusted registry',
    add: 'Trust a registry',
    remove: 'Trust a registry no more',
    action: 'trusted-registry',
    body: Type.Object({
      registry: Type.String({
        minLength: 1,
        maxLength: MAX_NAME_LENGTH,
        pattern: PRINTABLE,
        description: 'a host, perhaps with a port and the beginning of a path: registry.example:5000/team; * is any text',
      }),
    }),
    record: TrustedRegistry,
    entryOf: (body: unknown) => (body as { registry: string }).registry,
    wrong: wrongRegistry,
    show: ({ entry, ...rest }: Exclusion) => ({ registry: entry, ...rest }),
  },
} as const;

function wrongRegistry(entry: string): string | undefined {
  if (/^[*/]+$/.test(entry)) return 'registry must not be only *, which would trust everything';
  if (entry.includes('://')) return 'registry must be a host without a scheme, as it stands before the name of an image';
  return /\/\**$/.test(entry) ? 'registry must not end in / or /*: everything below it is meant anyway' : undefined;
}

/**
 * Excluded namespaces, pod name patterns and trusted registries (specification, "Admin" and "Security").
 * Reading them takes role write too.
 */
export function exclusionRoutes({ exclusions }: ExclusionRoutesDeps): FastifyPluginAsyncTypebox {
  return async (app) => {
    for (const kind of ENTRY_KINDS) {
      const { path, field, tags, what, add, remove, action, body, record, entryOf, wrong, show } = LISTS[kind];
      const config = { access: 'suppressions.manage' } as const;
      app.get(path, { config, schema: { summary: `${what} entries`, tags: [...tags], response: { 200: Type.Array(record) } } }, async () =>
        exclusions.list(kind).map((one) => show(one)),
      );

      app.post(
        path,
        { config, schema: { summary: add, tags: [...tags], body, response: { 200: record, 409: ErrorBody } } },
        async (request) => {
          const entry = entryOf(request.body);
          const mistake = wrong(entry);
          if (mistake) throw new ApiError(400, mistake);
          const added = await exclusions.add(kind, entry, request.caller?.username ?? 'api');
          await request.audit(`${action}.add`, entry);
          return show(added);
        },
      );

      // The path has a wildcard, because an entry may contain a slash. A client may send the slash encoded or plain.
      app.delete(
        `${path}/*`,
        {
          config,
          schema: {
            summary: remove,
            tags: [...tags],
            params: Type.Object({ '*': Type.String({ minLength: 1, title: field }) }),
            response: { 204: Type.Null(), 409: ErrorBody },
          },
        },
        async (request, reply) => {
          const entry = request.params['*'];
          if (!(await exclusions.remove(kind, entry))) throw new ApiError(404, `${what} not found`);
          await request.audit(`${action}.remove`, entry);
          return reply.code(204).send(null);
        },
      );
    }
  };
}
