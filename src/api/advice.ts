import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import { ListLimit, ListText, RowId } from '../contract/fields.ts';
import type { ClusterDetector, Detector } from '../advice/detectors/detector.ts';
import { CLUSTER_DETECTORS, DETECTORS } from '../advice/detectors/list.ts';
import { Advice, ADVICE_SORTS, ADVICE_STATUSES, AdviceCategory, AdviceDetector, IgnoreAdvice } from '../contract/advice.ts';
import { CLUSTER_WIDE, Severity } from '../contract/finding.ts';
import { isHiddenPlace } from '../contract/hidden.ts';
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
  sort: Type.Optional(Type.Enum([...ADVICE_SORTS], { description: 'by default `newest`; equal ones stand by id' })),
  before: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: Number.MAX_SAFE_INTEGER,
      description: 'only what stands after this id: the last one of the page before',
    }),
  ),
});
const tags = ['advice'];

/** Advice about what operators could do better: detectors find it, people judge it (specification, "Advice"). */
export function adviceRoutes({
  advice,
  explainAdvice,
  hub,
  config,
  now,
}: Pick<AppDeps, 'advice' | 'explainAdvice' | 'hub' | 'config' | 'now'>): FastifyPluginAsyncTypebox {
  // If only some namespaces are watched, hide cluster-wide advice. It may be left from a time when all namespaces were watched.
  const isForAll = config.watchNamespaces.length === 0;
  const scope: AdvicePage['scope'] = { namespaces: '*', hidden: [...config.hiddenNamespaces, ...(isForAll ? [] : [CLUSTER_WIDE])] };
  const visible = (one: Advice | undefined): Advice => {
    const place = one && { kind: one.resource_kind, namespace: one.namespace, name: one.resource_name };
    if (!place || isHiddenPlace(place, scope.hidden)) throw new ApiError(404, 'Advice not found');
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
        const listed = (all: readonly (Detector | ClusterDetector)[], isOn: boolean) =>
          all.map(({ id, title, category, severity, requires, historyDays = 0 }) => ({
            id,
            title,
            category,
            severity,
            enabled: isOn && !requires.some((kind) => unreadable.includes(kind)),
            requires: [...requires],
            history_days: historyDays,
          }));
        return [...listed(CLUSTER_DETECTORS, isForAll), ...listed(DETECTORS, true)];
      },
    );
  };
}

function targetOf({ resource_kind, namespace, resource_name, detector_id }: Advice): string {
  return `${resource_kind}/${namespace}/${resource_name} ${detector_id}`;
}
