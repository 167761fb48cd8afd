import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { ListBefore, ListLimit, ListText, RowId } from '../contract/fields.ts';
import { DETECTORS } from '../advice/detectors/list.ts';
import { Advice, ADVICE_STATUSES, AdviceCategory, AdviceDetector, IgnoreAdvice } from '../contract/advice.ts';
import { Severity } from '../contract/finding.ts';
import type { AdvicePage } from '../db/advice.ts';
import { mayBeAbsent } from './bodies.ts';
import type { AppDeps } from './deps.ts';
import { ApiError } from './errors.ts';
import { answerList } from './lists.ts';

const Id = Type.Object({ id: RowId });
const AdviceQuery = Type.Object({
  status: Type.Optional(Type.Enum([...ADVICE_STATUSES, 'suppressed'], { description: 'absent: open' })),
  severity: Type.Optional(Severity),
  category: Type.Optional(AdviceCategory),
  detector: Type.Optional(Type.String({ description: 'a detector_id' })),
  namespace: Type.Optional(Type.String()),
  q: ListText("resource's name, namespace, detector or summary"),
  limit: ListLimit(),
  before: ListBefore('advice'),
});
const tags = ['advice'];

/** What operators could do better, found by detectors, judged by people (specification, "Advice"). */
export function adviceRoutes({
  advice,
  explainAdvice,
  hub,
  config,
  now,
}: Pick<AppDeps, 'advice' | 'explainAdvice' | 'hub' | 'config' | 'now'>): FastifyPluginAsyncTypebox {
  const scope: AdvicePage['scope'] = { namespaces: '*', hidden: config.hiddenNamespaces };
  const visible = (one: Advice | undefined): Advice => {
    if (!one || scope.hidden.includes(one.namespace)) throw new ApiError(404, 'Advice not found');
    return one;
  };
  /** Sends a change to the sockets, unless it is suppressed. */
  const sent = (one: Advice): Advice => {
    if (one.suppressed_by === null) hub.publish({ type: 'advice_finding', data: one });
    return one;
  };

  return async (app) => {
    app.get(
      '/api/advice/findings',
      {
        config: { access: 'advice.read' },
        schema: { summary: 'Advice', tags, querystring: AdviceQuery, response: { 200: Type.Array(Advice), 304: Type.Null() } },
      },
      (request, reply) => answerList(request, reply, { ...request.query, scope }, advice.list) as Promise<never>,
    );

    app.post(
      '/api/advice/findings/:id/explain',
      {
        config: { access: 'advice.change' },
        schema: { summary: 'Why it matters and what to do; explained once, then kept', tags, params: Id, response: { 200: Advice } },
      },
      async (request) => {
        const one = visible(await advice.byId(request.params.id));
        if (one.explanation !== null && !one.is_fallback) return one;
        const { explanation, isFallback } = await explainAdvice(one);
        await advice.explain(one, explanation, isFallback);
        await request.audit('advice.explain', targetOf(one), { id: one.id });
        return { ...one, explanation, is_fallback: isFallback };
      },
    );

    app.put(
      '/api/advice/findings/:id/ignore',
      {
        config: { access: 'advice.change' },
        schema: {
          summary: 'Ignore a piece of advice, also when it is found again; the body may be left out',
          tags,
          params: Id,
          body: IgnoreAdvice,
          response: { 200: Advice },
        },
        preValidation: mayBeAbsent,
      },
      async (request) => {
        visible(await advice.byId(request.params.id));
        const reason = request.body.reason?.trim() || null;
        const one = sent(visible(await advice.ignore(request.params.id, { reason, by: request.caller?.username ?? '' }, now())));
        await request.audit('advice.ignore', targetOf(one), { id: one.id, ...(reason !== null && { reason }) });
        return one;
      },
    );

    app.put(
      '/api/advice/findings/:id/restore',
      {
        config: { access: 'advice.change' },
        schema: { summary: 'Restore ignored advice', tags, params: Id, response: { 200: Advice } },
      },
      async (request) => {
        visible(await advice.byId(request.params.id));
        const one = sent(visible(await advice.restore(request.params.id)));
        await request.audit('advice.restore', targetOf(one), { id: one.id });
        return one;
      },
    );

    app.get(
      '/api/advice/detectors',
      {
        config: { access: 'advice.read' },
        schema: { summary: 'What is looked for', tags, response: { 200: Type.Array(AdviceDetector) } },
      },
      async () => {
        const unreadable = await advice.unreadable(config.clusterName);
        return DETECTORS.map(({ id, title, category, severity, requires }) => ({
          id,
          title,
          category,
          severity,
          enabled: !requires.some((kind) => unreadable.includes(kind)),
          requires: [...requires],
        }));
      },
    );
  };
}

function targetOf({ resource_kind, namespace, resource_name, detector_id }: Advice): string {
  return `${resource_kind}/${namespace}/${resource_name} ${detector_id}`;
}
