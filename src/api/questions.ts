import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { type RbacObjects, type RbacSubject } from '../access/objects.ts';
import { accessIndex, type Grant } from '../access/rights.ts';
import { type AccessRequest, listOf } from '../access/rules.ts';
import { canonicalSubject, requesterOf } from '../access/subjects.ts';
import { CanReach, Rights, type Through, WhoCan } from '../contract/access.ts';
import { ErrorBody } from '../contract/errors.ts';
import { withoutNamespaces } from '../graphs/access.ts';
import { type Direction, reachability } from '../graphs/reachability.ts';
import { PROTOCOLS } from '../graphs/ports.ts';
import type { AppDeps } from './deps.ts';
import { ApiError } from './errors.ts';

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
const PodName = { pattern: '^[^/]+/[^/]+$', description: '`<namespace>/<pod>`' } as const;
const ReachQuery = Type.Object({
  from: Type.String(PodName),
  to: Type.String(PodName),
  port: Type.Optional(Type.Integer({ minimum: 1, maximum: 65_535, description: 'absent: any' })),
  protocol: Type.Optional(Type.Enum([...PROTOCOLS], { description: 'absent: TCP' })),
});
const tags = ['access'];

/** Questions about rights and reach, answered from roles, bindings and NetworkPolicies as they are now. */
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
    app.get(
      '/api/access/who-can',
      {
        config: { access: 'graphs.read' },
        schema: { summary: 'Who may do something', tags, querystring: WhoCanQuery, response: { 200: WhoCan, 404: ErrorBody } },
      },
      async ({ query }) => {
        visible(query.namespace);
        const request = requestOf(query);
        const { objects, missing } = await read();
        const holders = accessIndex(objects).whoCan(request);
        return { subjects: holders.map(({ subject, by }) => ({ ...subjectOf(subject), through: throughOf(by) })), ...missing };
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
        return {
          rights: grants.map((grant) => ({
            namespace: grant.bound.namespace ?? '*',
            verbs: listOf(grant.rule.verbs),
            api_groups: listOf(grant.rule.apiGroups),
            resources: listOf(grant.rule.resources),
            resource_names: listOf(grant.rule.resourceNames),
            non_resource_urls: listOf(grant.rule.nonResourceURLs),
            through: wayOf(grant),
          })),
          ...missing,
        };
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

function requestOf({
  verb,
  resource,
  name,
  namespace,
  path,
}: {
  verb: string;
  resource?: string;
  name?: string;
  namespace?: string;
  path?: string;
}): AccessRequest {
  if ((resource === undefined) === (path === undefined)) throw new ApiError(400, 'either resource or path is required');
  if (path !== undefined) return { verb, path };
  const [grouped = '', subresource] = (resource ?? '').split('/');
  const [plural = '', ...group] = grouped.split('.');
  return { verb, group: group.join('.'), resource: plural, subresource, name, namespace };
}

function podOf(text: string): { namespace: string; name: string } {
  const [namespace = '', name = ''] = text.split('/');
  return { namespace, name };
}

function subjectOf({ kind, name, namespace }: RbacSubject): Through['subject'] {
  return { kind: kind as Through['subject']['kind'], name, ...(namespace ? { namespace } : {}) };
}

function wayOf({ bound: { binding, namespace }, subject }: Grant): Through {
  const place = namespace === undefined ? {} : { namespace };
  const { kind, name } = binding.roleRef;
  return {
    binding: { kind: namespace === undefined ? 'ClusterRoleBinding' : 'RoleBinding', name: binding.metadata.name ?? '', ...place },
    role: { kind, name, ...(kind === 'Role' ? place : {}) },
    subject: subjectOf(subject),
  };
}

/** Each binding once, however many of its rules allow it. */
function throughOf(grants: Grant[]): Through[] {
  return [...new Map(grants.map((grant) => [grant.bound, wayOf(grant)])).values()];
}

function directionOf({ reach, restrictedBy, allowedBy }: Direction): {
  reach: Direction['reach'];
  restricted_by: string[];
  allowed_by: string[];
} {
  return { reach, restricted_by: restrictedBy, allowed_by: allowedBy };
}
