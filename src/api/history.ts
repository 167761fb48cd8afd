import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import {
  History,
  HistoryQuery,
  type IncidentPage,
  OneWorkloadHistory,
  Overview,
  OverviewQuery,
  WorkloadQuery,
} from '../contract/incident.ts';
import { MAX_NAME_LENGTH } from '../contract/fields.ts';
import type { AppDeps } from './deps.ts';
import { ApiError } from './errors.ts';
import type { IncidentPageQuery } from '../db/incident-list.ts';
import { shownIncidents } from './incidents.ts';
import { inTurn } from './searches.ts';

const [DAYS, LIMIT, SHOWN] = [30, 100, 5];
/** The overview lists this many incidents. In most clusters fewer are active at once. */
const NEWEST = 30;
const Name = Type.String({ minLength: 1, maxLength: MAX_NAME_LENGTH });

type Deps = Pick<AppDeps, 'incidentList' | 'incidentHistory' | 'agents' | 'models' | 'config' | 'now'>;

/** Routes for the overview and for the history of incidents. */
export function historyRoutes({ incidentList, incidentHistory, agents, models, config, now }: Deps): FastifyPluginAsyncTypebox {
  const scope = { namespaces: '*' as const, hidden: config.hiddenNamespaces };
  const active = async (request: FastifyRequest, query: Partial<IncidentPageQuery>): Promise<IncidentPage> => {
    const page = { list: 'active', sort: 'first_seen', order: 'desc', limit: SHOWN, scope, now: now(), ...query } as const;
    return shownIncidents(await inTurn(request, () => incidentList.page(page)), page.list);
  };
  return async (app) => {
    app.get(
      '/api/overview',
      {
        config: { access: 'failures.read' },
        schema: {
          summary: 'What fails, what is proven, what is watched',
          tags: ['incidents'],
          querystring: OverviewQuery,
          response: { 200: Overview },
        },
      },
      async (request) => {
        const [{ query }, at] = [request, now()];
        const [counts, proven, newest, worst, heard, model] = await Promise.all([
          inTurn(request, () => incidentHistory.overview({ ...query, scope, now: at })),
          active(request, { ...query, verdict: 'Fixed' }),
          active(request, { ...query, limit: NEWEST }),
          active(request, { ...query, sort: 'restarts' }),
          agents.list(at),
          models.status(),
        ]);
        const live = heard.filter((agent) => agent.live);
        const { hasIncident, hasTrial, users, ...shown } = counts;
        const steps = { agent: heard.length > 0, failure: hasIncident, mirror: hasTrial, people: users > 1, model: model.configured };
        return {
          at: at.toISOString(),
          ...shown,
          totals: worst.totals,
          proven: proven.incidents,
          proven_total: proven.total,
          newest: newest.incidents,
          worst: worst.incidents,
          agents: {
            nodes: live.length,
            pods: live.reduce((sum, { pods }) => sum + pods, 0),
            silent: heard.filter((agent) => !agent.live).map(({ node, last_seen }) => ({ node, last_seen })),
          },
          setup: (Object.keys(steps) as (keyof typeof steps)[]).map((step) => ({ step, done: steps[step] })),
        };
      },
    );

    app.get(
      '/api/history/workloads',
      {
        config: { access: 'failures.read' },
        schema: {
          summary: 'How often each workload failed, and how long it took',
          tags: ['incidents'],
          querystring: HistoryQuery,
          response: { 200: History },
        },
      },
      async (request) => {
        const { days = DAYS, limit = LIMIT, ...query } = request.query;
        return { days, ...(await inTurn(request, () => incidentHistory.workloads({ ...query, days, limit, scope, now: now() }))) };
      },
    );

    app.get(
      '/api/history/workloads/:namespace/:kind/:name',
      {
        config: { access: 'failures.read' },
        schema: {
          summary: 'The same of one workload, with its incidents',
          tags: ['incidents'],
          params: Type.Object({ namespace: Name, kind: Name, name: Name }),
          querystring: WorkloadQuery,
          response: { 200: OneWorkloadHistory },
        },
      },
      async (request) => {
        const { namespace, kind, name } = request.params;
        const { days = DAYS } = request.query;
        const query = { namespace, owner: `${kind}/${name}`, days, limit: 1, scope, now: now() };
        const [workload] = (await inTurn(request, () => incidentHistory.workloads(query))).workloads;
        if (!workload) throw new ApiError(404, 'No incident of this workload is known');
        return { ...workload, days, list: await incidentHistory.incidents(query) };
      },
    );
  };
}
