import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
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
import { shownIncidents } from './incidents.ts';

const [DAYS, LIMIT, SHOWN] = [30, 100, 5];
/** Most clusters have no more that fail at once: then each is one click away. */
const NEWEST = 30;
const Name = Type.String({ minLength: 1, maxLength: MAX_NAME_LENGTH });

type Deps = Pick<AppDeps, 'incidentList' | 'incidentHistory' | 'agents' | 'models' | 'config' | 'now'>;

/** Routes for the overview and for the history of incidents. */
export function historyRoutes({ incidentList, incidentHistory, agents, models, config, now }: Deps): FastifyPluginAsyncTypebox {
  const scope = { namespaces: '*' as const, hidden: config.hiddenNamespaces };
  const active = async (query: Partial<Parameters<typeof incidentList.page>[0]>): Promise<IncidentPage> => {
    const page = { list: 'active', sort: 'first_seen', order: 'desc', limit: SHOWN, scope, now: now(), ...query } as const;
    return shownIncidents(await incidentList.page(page), page.list);
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
      async ({ query }) => {
        const at = now();
        const [counts, proven, newest, worst, heard, model] = await Promise.all([
          incidentHistory.overview({ ...query, scope, now: at }),
          active({ ...query, verdict: 'Fixed' }),
          active({ ...query, limit: NEWEST }),
          active({ ...query, sort: 'restarts' }),
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
      async ({ query: { days = DAYS, limit = LIMIT, ...query } }) => {
        return { days, ...(await incidentHistory.workloads({ ...query, days, limit, scope, now: now() })) };
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
      async ({ params: { namespace, kind, name }, query: { days = DAYS } }) => {
        const query = { namespace, owner: `${kind}/${name}`, days, limit: 1, scope, now: now() };
        const [workload] = (await incidentHistory.workloads(query)).workloads;
        if (!workload) throw new ApiError(404, 'No incident of this workload is known');
        return { ...workload, days, list: await incidentHistory.incidents(query) };
      },
    );
  };
}
