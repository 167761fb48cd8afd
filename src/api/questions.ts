import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import type { RbacObjects } from '../access/objects.ts';
import { answerRights, answerWhoCan } from '../access/answers.ts';
import { requestOf } from '../access/asked-right.ts';
import { worldOf } from '../access/paths/world.ts';
import { accessIndex } from '../access/rights.ts';
import { canonicalSubject, requesterOf } from '../access/subjects.ts';
import { CanReach, EscalationPaths, PATH_TARGETS, Rights, WhoCan } from '../contract/access.ts';
import { ErrorBody } from '../contract/errors.ts';
import { NAMESPACED } from '../contract/fields.ts';
import { withoutNamespaces } from '../graphs/access.ts';
import { type Direction, reachability } from '../crd/reachability.ts';
import { PROTOCOLS } from '../crd/policy-ports.ts';
import type { AppDeps } from './deps.ts';
import { ApiError } from './errors.ts';
import { pathsSearch } from './escalation-paths.ts';

const WhoCanQuery = Type.Object({
  verb: Type.String({ minLength: 1 }),
  resource: Type.Optional(Type.String({ description: 'as kubectl writes it: `pods`, `pods/log`, `deployments.apps/scale`' })),
  name: Type.Optional(Type.String({ description: 'absent: any object' })),
  namespace: Type.Optional(Type.String({ description: 'absent: in the whole cluster' })),
  path: Type.Optional(Type.String({ description: 'in place of a resource, such as `/healthz`' })),
});
const RightsQuery = Type.Object({
  kind: Type.Enum(['User', 'Group', 'ServiceAccount']),
  name: Type.String({ minLength: 1 }),
  namespace: Type.Optional(Type.String({ description: 'of a ServiceAccount' })),
  groups: Type.Optional(Type.String({ description: 'groups that a person is in, with commas between' })),
});
const PodName = { pattern: NAMESPACED, description: '`<namespace>/<pod>`' } as const;
const ReachQuery = Type.Object({
  from: Type.String(PodName),
  to: Type.String(PodName),
  port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535, description: 'absent: any' })),
  protocol: Type.Optional(Type.Enum([...PROTOCOLS], { description: 'absent: TCP' })),
});
const DEFAULT_PATHS = 100;
const PathsQuery = Type.Object({
  kind: Type.Optional(Type.Enum(['User', 'Group', 'ServiceAccount'], { description: 'of the subject; absent: all subjects' })),
  name: Type.Optional(Type.String({ minLength: 1, description: 'of the subject' })),
  namespace: Type.Optional(Type.String({ description: 'of a ServiceAccount' })),
  to: Type.Optional(Type.Enum([...PATH_TARGETS], { description: 'where the path ends; absent: anywhere' })),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, description: `absent: ${DEFAULT_PATHS}` })),
});
const tags = ['access'];

/** Answers questions about rights and network access from the current roles, bindings and NetworkPolicies. */
export function questionRoutes({ graphs, config }: Pick<AppDeps, 'graphs' | 'config'>): FastifyPluginAsyncTypebox {
  const isHidden = (namespace: string): boolean => config.hiddenNamespaces.includes(namespace);
  const visible = (namespace: string | undefined): void => {
    if (namespace !== undefined && isHidden(namespace)) throw new ApiError(404, 'Namespace not found');
  };
  const read = async (): Promise<{ objects: RbacObjects; missing: { missing_rights?: string[] } }> => {
    const { objects, missingRights } = await graphs.access();
    return { objects: withoutNamespaces(objects, isHidden), missing: missingRights.length > 0 ? { missing_rights: missingRights } : {} };
  };

  return async (app) => {
    const search = pathsSearch(app.log);
    app.addHook('onClose', search.stop);
    app.get(
      '/api/access/who-can',
      {
        config: { access: 'graphs.read' },
        schema: { summary: 'Who may do something', tags, querystring: WhoCanQuery, response: { 200: WhoCan, 404: ErrorBody } },
      },
      async ({ query }) => {
        visible(query.namespace);
        const request = requestOf(query);
        if (!request) throw new ApiError(400, 'either resource or path is required');
        const { objects, missing } = await read();
        return { ...answerWhoCan(accessIndex(objects).whoCan(request)), ...missing };
      },
    );

    app.get(
      '/api/access/rights',
      {
        config: { access: 'graphs.read' },
        schema: { summary: 'What a subject may do', tags, querystring: RightsQuery, response: { 200: Rights, 404: ErrorBody } },
      },
      async ({ query: { groups, ...named } }) => {
        if (named.kind === 'ServiceAccount' && !named.namespace) throw new ApiError(400, 'namespace is required for a ServiceAccount');
        const subject = canonicalSubject(named, undefined) ?? named;
        visible(subject.namespace);
        const { objects, missing } = await read();
        const grants = accessIndex(objects).grantsOf(requesterOf(subject, groups?.split(',').filter(Boolean)));
        return { ...answerRights(grants), ...missing };
      },
    );

    app.get(
      '/api/access/paths',
      {
        config: { access: 'graphs.read' },
        schema: {
          summary: 'Escalation paths: how subjects come to hold what no binding gives them',
          tags,
          querystring: PathsQuery,
          response: { 200: EscalationPaths, 404: ErrorBody },
        },
      },
      async ({ query: { kind, name, namespace, to, limit = DEFAULT_PATHS } }) => {
        visible(namespace);
        let missingRights: string[] = [];
        const found = await search.find(async () => {
          const [{ objects: rbac, missing }, around] = await Promise.all([read(), graphs.around()]);
          missingRights = [...(missing.missing_rights ?? []), ...around.missingRights];
          const objects = around.objects.filter(
            ({ kind: of, metadata }) => !isHidden((of === 'Namespace' ? metadata.name : metadata.namespace) ?? ''),
          );
          return { world: worldOf(objects, true, rbac), wanted: { kind, name, namespace, to }, limit };
        });
        return { ...found, ...(missingRights.length > 0 ? { missing_rights: missingRights } : {}) };
      },
    );

    app.get(
      '/api/access/can-reach',
      {
        config: { access: 'graphs.read' },
        schema: {
          summary: 'Whether NetworkPolicies let one pod connect to another',
          tags,
          querystring: ReachQuery,
          response: { 200: CanReach, 404: ErrorBody },
        },
      },
      async ({ query: { port, protocol = 'TCP', ...ends } }) => {
        const [from, to] = [podOf(ends.from), podOf(ends.to)];
        const found = isHidden(from.namespace) || isHidden(to.namespace) ? undefined : await graphs.network(from, to);
        if (!found) throw new ApiError(404, 'Pod not found');
        const { reach, why, egress, ingress } = reachability(
          found.from,
          found.to,
          found.view,
          port === undefined ? undefined : { port, protocol },
        );
        return { reach, why, egress: directionOf(egress), ingress: directionOf(ingress) };
      },
    );
  };
}

function podOf(text: string): { namespace: string; name: string } {
  const [namespace = '', name = ''] = text.split('/');
  return { namespace, name };
}

function directionOf({ reach, restrictedBy, allowedBy }: Direction): {
  reach: Direction['reach'];
  restricted_by: string[];
  allowed_by: string[];
} {
  return { reach, restricted_by: restrictedBy, allowed_by: allowedBy };
}
