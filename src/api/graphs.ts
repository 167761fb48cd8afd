import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyReply } from 'fastify';
import Type, { type Static } from 'typebox';
import { Graph, GRAPH_WORKLOADS, GraphNamespaces, RoleListing, SYNTHESIZED_KINDS } from '../contract/graph.ts';
import { accountNamespacesOf, type AccessView, drawRole, listRoles, type RoleName, withoutNamespaces } from '../graphs/access.ts';
import { nodeId } from '../graphs/canvas.ts';
import { fold } from '../graphs/fold.ts';
import { grouped } from '../graphs/groups.ts';
import { asMermaid } from '../graphs/mermaid.ts';
import { isSecretKind, showManifest } from '../graphs/manifest.ts';
import { aroundNode } from '../graphs/workload.ts';
import { drawNamespace } from '../graphs/namespace.ts';
import type { AppDeps } from './deps.ts';
import { ApiError } from './errors.ts';

const Named = { namespace: Type.String(), name: Type.String() };
const Drawing = Type.Object({
  format: Type.Optional(Type.Enum(['json', 'mermaid'], { description: 'absent: json; mermaid: text for Mermaid' })),
  expand: Type.Optional(Type.String({ description: 'ids of groups that are shown whole, with commas between' })),
});
const Drawn = {
  description: 'The graph',
  content: { 'application/json': { schema: Graph }, 'text/plain': { schema: Type.String() } },
} as const;
const tags = ['graphs'];
/** A graph of rights shows the pods of at most this many namespaces, because each namespace takes a list request. */
const POD_NAMESPACES = 10;

/** Graphs of workloads and access rights (specification, "Diagram"), drawn from what the cluster has now. */
export function graphRoutes({
  graphs,
  failures,
  incidentList,
  config,
}: Pick<AppDeps, 'graphs' | 'failures' | 'incidentList' | 'config'>): FastifyPluginAsyncTypebox {
  const isHidden = (namespace: string): boolean => config.hiddenNamespaces.includes(namespace);

  /** The whole graph of a namespace, with its failures. */
  const draw = async (namespace: string): Promise<Graph> => {
    const objects = isHidden(namespace) ? undefined : await graphs.namespace(namespace);
    if (!objects) throw new ApiError(404, 'Namespace not found');
    const open = await failures.openInNamespace(config.clusterName, namespace);
    const records = new Map(open.map(({ pod_name, id, failure_reason }) => [pod_name, { id, reason: failure_reason }]));
    return { ...grouped(drawNamespace({ ...objects, records }).graph()), ...missing(objects.missingRights) };
  };

  const role = async (wanted: RoleName): Promise<Graph> => {
    const { objects: all, hasAccount, missingRights } = await graphs.access();
    const objects = withoutNamespaces(all, isHidden);
    const namespaces = accountNamespacesOf(wanted, objects).slice(0, POD_NAMESPACES);
    const pods = await Promise.all(namespaces.map(graphs.pods));
    const view: AccessView = { objects, hasAccount, pods: pods.flat() };
    const graph = drawRole(wanted, view);
    if (!graph) throw new ApiError(404, wanted.namespace === undefined ? 'ClusterRole not found' : 'Role not found');
    return { ...graph, ...missing(missingRights) };
  };

  return async (app) => {
    app.get(
      '/api/diagram/namespaces',
      { config: { access: 'graphs.read' }, schema: { summary: 'Namespaces that can be drawn', tags, response: { 200: GraphNamespaces } } },
      async () => {
        const namespaces = (await graphs.namespaces()).filter((one) => !isHidden(one));
        const counts = await incidentList.activeByNamespace();
        return { namespaces, failing: Object.fromEntries([...counts].filter(([namespace]) => namespaces.includes(namespace))) };
      },
    );

    app.get(
      '/api/diagram/namespace/:namespace',
      {
        config: { access: 'graphs.read' },
        schema: {
          summary: 'A namespace',
          tags,
          params: Type.Object({ namespace: Type.String() }),
          querystring: Drawing,
          response: { 200: Drawn },
        },
      },
      async ({ params, query }, reply) => answer(reply, await draw(params.namespace), query),
    );

    app.get(
      '/api/diagram/workload/:namespace/:kind/:name',
      {
        config: { access: 'graphs.read' },
        schema: {
          summary: 'A workload with what belongs to it',
          tags,
          params: Type.Object({ ...Named, kind: Type.Enum([...GRAPH_WORKLOADS]) }),
          querystring: Drawing,
          response: { 200: Drawn },
        },
      },
      async ({ params, query }, reply) => {
        const whole = await draw(params.namespace);
        const id = nodeId(params);
        const isThere = whole.nodes.some((node) => node.id === id && node.status !== 'missing');
        const around = isThere ? aroundNode(whole, id) : undefined;
        if (!around) throw new ApiError(404, `${params.kind} not found`);
        return answer(reply, { ...whole, ...grouped(around) }, query);
      },
    );

    app.get(
      '/api/diagram/manifest/:namespace/:kind/:name',
      {
        config: { access: 'graphs.read' },
        schema: {
          summary: 'The live manifest of a node as YAML; never that of a Secret',
          tags,
          params: Type.Object({ ...Named, kind: Type.String() }),
          response: { 200: { description: 'YAML', content: { 'application/yaml': { schema: Type.String() } } } },
        },
      },
      async ({ params: { namespace, kind, name } }, reply) => {
        const manifest = isHidden(namespace) ? undefined : await graphs.manifest(manifestKind(kind), namespace, name);
        const shown = manifest && showManifest(manifest, isHidden);
        if (shown === undefined) throw new ApiError(404, 'Object not found');
        return reply.type('application/yaml; charset=utf-8').send(shown as never);
      },
    );

    app.get(
      '/api/diagram/roles',
      { config: { access: 'graphs.read' }, schema: { summary: 'Roles and cluster roles', tags, response: { 200: RoleListing } } },
      async () => {
        const { objects, missingRights } = await graphs.access();
        return { ...listRoles(withoutNamespaces(objects, isHidden)), ...missing(missingRights) };
      },
    );

    app.get(
      '/api/diagram/role/:namespace/:name',
      {
        config: { access: 'graphs.read' },
        schema: {
          summary: 'A role with its bindings and permissions',
          tags,
          params: Type.Object(Named),
          querystring: Drawing,
          response: { 200: Drawn },
        },
      },
      async ({ params, query }, reply) => answer(reply, await role(params), query),
    );

    app.get(
      '/api/diagram/clusterrole/:name',
      {
        config: { access: 'graphs.read' },
        schema: {
          summary: 'A cluster role',
          tags,
          params: Type.Object({ name: Type.String() }),
          querystring: Drawing,
          response: { 200: Drawn },
        },
      },
      async ({ params, query }, reply) => answer(reply, await role(params), query),
    );
  };
}

/** The kind of the requested manifest. Throws ApiError for Secrets, in any spelling, and for kinds that exist only in graphs. */
function manifestKind(kind: string): string {
  if (isSecretKind(kind)) throw new ApiError(403, 'Secret manifests are not readable by design.');
  const spelled = kind.toLowerCase();
  if (SYNTHESIZED_KINDS.some((one) => one.toLowerCase() === spelled))
    throw new ApiError(400, `${kind} exists only in graphs: it has no manifest`);
  return spelled === 'subject:serviceaccount' ? 'ServiceAccount' : kind;
}

/** The graph in the requested format, with its large groups folded. */
function answer(reply: FastifyReply, whole: Graph, { expand, format }: Static<typeof Drawing>): FastifyReply {
  const graph = fold(whole, { expand: expand?.split(',').filter(Boolean) ?? [] });
  return format === 'mermaid' ? reply.type('text/plain; charset=utf-8').send(asMermaid(graph)) : reply.send(graph);
}

function missing(rights: string[]): { missing_rights?: string[] } {
  return rights.length > 0 ? { missing_rights: rights } : {};
}
