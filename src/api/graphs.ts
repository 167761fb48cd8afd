import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type, { type TSchema } from 'typebox';
import { GRAPH_WORKLOADS, Graph, GraphNamespaces, RoleListing, SYNTHESIZED_KINDS } from '../contract/graph.ts';
import { ApiError } from './errors.ts';

const NOT_YET = 'Graphs are not available in this version';
const Named = { namespace: Type.String(), name: Type.String() };

interface GraphRoute {
  url: string;
  summary: string;
  params?: TSchema;
  answer: TSchema;
}

const ROUTES: GraphRoute[] = [
  { url: '/namespaces', summary: 'Namespaces that can be drawn', answer: GraphNamespaces },
  { url: '/namespace/:namespace', summary: 'A namespace', params: Type.Object({ namespace: Type.String() }), answer: Graph },
  {
    url: '/workload/:namespace/:kind/:name',
    summary: 'A workload with what belongs to it',
    params: Type.Object({ ...Named, kind: Type.Enum([...GRAPH_WORKLOADS]) }),
    answer: Graph,
  },
  { url: '/roles', summary: 'Roles and cluster roles', answer: RoleListing },
  { url: '/role/:namespace/:name', summary: 'A role with its bindings and permissions', params: Type.Object(Named), answer: Graph },
  { url: '/clusterrole/:name', summary: 'A cluster role', params: Type.Object({ name: Type.String() }), answer: Graph },
];

/** Graphs of workloads and access rights (specification, "Diagram"). Requests that are not allowed are refused; all others answer 503, because this version has no graphs yet. */
export function graphRoutes(): FastifyPluginAsyncTypebox {
  const notYet = async (): Promise<never> => {
    throw new ApiError(503, NOT_YET);
  };
  return async (app) => {
    for (const { url, summary, params, answer } of ROUTES) {
      app.get(
        `/api/diagram${url}`,
        { config: { access: 'graphs.read' }, schema: { summary, tags: ['graphs'], ...(params && { params }), response: { 200: answer } } },
        notYet,
      );
    }

    app.get(
      '/api/diagram/manifest/:namespace/:kind/:name',
      {
        config: { access: 'graphs.read' },
        schema: {
          summary: 'The live manifest of a node as YAML; never that of a Secret',
          tags: ['graphs'],
          params: Type.Object({ ...Named, kind: Type.String() }),
          response: { 200: Type.String() },
        },
      },
      (request) => {
        const { kind } = request.params;
        if (kind === 'Secret') throw new ApiError(403, 'Secret manifests are not readable by design.');
        if (SYNTHESIZED_KINDS.some((one) => one === kind)) throw new ApiError(400, `${kind} exists only in graphs: it has no manifest`);
        return notYet();
      },
    );
  };
}
