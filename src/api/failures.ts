import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifySchemaValidationError } from 'fastify';
import Type from 'typebox';
import { RowId } from '../contract/fields.ts';
import { DismissDeleted } from '../contract/agent.ts';
import { FailureRecord, FailureReport, FailureStatus, ShownFailure, SuppressedReport } from '../contract/failure.ts';
import { ModelPrompt } from '../contract/model.ts';
import { IncidentMessage } from '../contract/notification.ts';
import type { Scope } from '../db/failure-page.ts';
import { hourlyCounts } from '../db/occurrence-hours.ts';
import { observedAt } from '../failures/policy/clock-skew.ts';
import { failingImages } from '../failures/policy/label.ts';
import type { ReadReport } from '../failures/policy/secrets-in.ts';
import type { AppDeps } from './deps.ts';
import { ApiError } from './errors.ts';
import { largeReports } from './large-reports.ts';
import { ListQuery, answerList } from './lists.ts';
import type { Metrics } from './metrics.ts';
import { validationError } from './validation.ts';

const NAMELESS = 'Pod name and namespace are required';
/** Where validation finds a missing or wrong name, and the rules that a wrong name breaks. */
const NAMES = new Set(['', '/pod_name', '/namespace']);
const OF_A_NAME = new Set(['pattern', 'maxLength']);
const REPORT_BYTES = 5 * 1024 * 1024;

const PodId = Type.Object({ pod_id: RowId });

/**
 * Routes for failure records: agents report them, users read them and set their status (specification, "Config and pods"; logs are in
 * `logs.ts`).
 */
export function failureRoutes(
  deps: Pick<
    AppDeps,
    'failures' | 'intake' | 'recovery' | 'models' | 'hub' | 'now' | 'config' | 'explainSuppression' | 'alerts' | 'notifications'
  >,
  metrics: Metrics,
): FastifyPluginAsyncTypebox {
  const { failures, intake, recovery, hub, now } = deps;
  const scope: Scope = { namespaces: '*', hidden: deps.config.hiddenNamespaces };
  const visible = <T extends FailureRecord>(record: T | undefined): T => {
    if (!record || scope.hidden.includes(record.namespace)) throw new ApiError(404, 'Pod failure not found');
    return record;
  };
  /** Gives a record another status, and announces each record that changed with it. */
  const judge = async (id: number, status: FailureStatus): Promise<FailureRecord> => {
    const { namespace } = visible(await failures.record(id));
    const judged = await failures.setStatus(id, status, now());
    for (const data of judged?.changed ?? []) hub.publish({ type: 'pod_status_change', data, namespace });
    return visible(judged?.record);
  };

  const large = largeReports();
  /** Large reports that are being handled, with the results of their thread. */
  const known = new WeakMap<FailureReport, ReadReport>();
  const readLarge = async (body: Buffer): Promise<FailureReport> => {
    const read = await large.read(body);
    if ('report' in read) {
      known.set(read.report, read.read);
      return read.report;
    }
    throw new ApiError(400, 'errors' in read ? reportError(read.errors, 'body').message : 'The body is not valid JSON');
  };

  return async (app) => {
    app.addHook('onClose', large.stop);
    app.post(
      '/api/pods/failed',
      {
        config: { access: 'service', readLarge },
        bodyLimit: REPORT_BYTES,
        schema: {
          summary: 'Report a failing pod',
          tags: ['pods'],
          body: FailureReport,
          response: { 200: FailureRecord, 202: SuppressedReport },
        },
        schemaErrorFormatter: reportError,
        preValidation: (request, _reply, done) => {
          const { namespace } = Object(request.body) as { namespace?: unknown };
          request.isUncounted = typeof namespace === 'string' && scope.hidden.includes(namespace);
          done();
        },
        onResponse: async ({ isUncounted }, { statusCode }) => {
          if (isUncounted) return;
          if (statusCode >= 500) metrics.report('failed');
          // Without the service token the request is not a report.
          else if (statusCode >= 400 && statusCode !== 401) metrics.report('refused');
        },
      },
      async (request, reply) => {
        const at = now();
        const { body, headers } = request;
        const outcome = await intake.report(body, at, observedAt(body.observed_at, headers.date, at), known.get(body));
        if (!request.isUncounted) metrics.report(outcome.kind === 'suppressed' ? 'suppressed' : outcome.isNew ? 'new' : 'repeat');
        if (outcome.kind === 'stored') return outcome.record;
        return reply.code(202).send({ suppressed: true, suppression: outcome.suppression, id: outcome.id });
      },
    );

    app.post(
      '/api/pods/dismiss-deleted',
      {
        config: { access: 'service' },
        schema: {
          summary: 'Tell that pods were deleted or recovered',
          tags: ['pods'],
          body: DismissDeleted,
          response: { 200: Type.Object({ resolved: Type.Integer() }) },
        },
        schemaErrorFormatter: (errors, part) => {
          // The body is one pod or a list of pods. If it is a list, report the errors of the list.
          const ofMany = errors.filter(({ instancePath }) => instancePath.startsWith('/pods'));
          return validationError(ofMany.length > 0 ? ofMany : errors, part);
        },
      },
      ({ body, headers }) => recovery.gone(body, observedAt(body.observed_at, headers.date, now())),
    );

    const lists = {
      failed: { summary: 'Active failures', list: failures.active },
      history: { summary: 'Resolved failures', list: failures.history },
      ignored: { summary: 'Ignored failures', list: failures.ignored },
      suppressed: { summary: 'Failures that a Suppression hides', list: failures.suppressed },
    };
    for (const [name, { summary, list }] of Object.entries(lists)) {
      app.get(
        `/api/pods/${name}`,
        {
          config: { access: 'failures.read' },
          schema: { summary, tags: ['pods'], querystring: ListQuery, response: { 200: Type.Array(FailureRecord), 304: Type.Null() } },
        },
        // The handler streams the answer itself, so its type is not that of the schema.
        (request, reply) => answerList(request, reply, { ...request.query, scope }, list) as Promise<never>,
      );
    }

    app.get(
      '/api/pods/failed/:pod_id',
      {
        config: { access: 'failures.read' },
        schema: { summary: 'One failure with its manifest and logs', tags: ['pods'], params: PodId, response: { 200: ShownFailure } },
      },
      async (request) => {
        const page = await failures.page(request.params.pod_id, now());
        const detail = visible(page?.detail);
        // A Suppression can only hide records that are suppressed and not resolved.
        const isSuppressed = detail.suppressed_by !== null && detail.status !== 'resolved';
        const hidden_by = isSuppressed ? deps.explainSuppression({ ...detail, images: failingImages(detail) }) : null;
        const alerts = page?.hasAlerts ? await deps.alerts.ofIncident(detail.incident_id) : [];
        return { ...detail, hidden_by, alerts, assignee: page?.assignee ?? null, occurrences_24h: hourlyCounts(page?.hours ?? null) };
      },
    );

    app.get(
      '/api/pods/failed/:pod_id/prompt',
      {
        config: { access: 'models.manage' },
        schema: {
          summary: 'What a language model would be sent about a failure',
          tags: ['pods'],
          params: PodId,
          response: { 200: ModelPrompt },
        },
      },
      async (request) => deps.models.prompt(visible(await failures.detail(request.params.pod_id))),
    );

    app.get(
      '/api/pods/failed/:pod_id/notifications',
      {
        config: { access: 'failures.read' },
        schema: {
          summary: 'Who was told about the incident of a failure, what and when: the newest 100 messages',
          tags: ['pods'],
          params: PodId,
          response: { 200: Type.Array(IncidentMessage) },
        },
      },
      async (request) => deps.notifications.ofIncident(visible(await failures.record(request.params.pod_id)).incident_id),
    );

    app.put(
      '/api/pods/:pod_id/status',
      {
        config: { access: 'failures.change' },
        schema: {
          summary: 'Set the status of a failure',
          tags: ['pods'],
          params: PodId,
          body: Type.Object({ status: FailureStatus }),
          response: { 200: FailureRecord },
        },
      },
      async (request) => {
        const record = await judge(request.params.pod_id, request.body.status);
        await request.audit('failure.status', targetOf(record), { id: record.id, status: record.status });
        return record;
      },
    );

    app.delete(
      '/api/pods/failed/:pod_id',
      {
        config: { access: 'failures.change' },
        schema: {
          summary: 'Dismiss a failure: its status becomes ignored',
          tags: ['pods'],
          params: PodId,
          response: { 200: FailureRecord },
        },
      },
      async (request) => {
        const record = await judge(request.params.pod_id, 'ignored');
        await request.audit('failure.dismiss', targetOf(record), { id: record.id });
        return record;
      },
    );

    app.put(
      '/api/pods/ignored/:pod_id/restore',
      {
        config: { access: 'failures.change' },
        schema: {
          summary: 'Restore an ignored failure: its status becomes new',
          tags: ['pods'],
          params: PodId,
          response: { 200: FailureRecord },
        },
      },
      async (request) => {
        const record = await judge(request.params.pod_id, 'new');
        await request.audit('failure.restore', targetOf(record), { id: record.id });
        return record;
      },
    );

    app.post(
      '/api/pods/failed/:pod_id/retry-solution',
      {
        config: { access: 'failures.change' },
        schema: { summary: 'Make the solution of a failure anew', tags: ['pods'], params: PodId, response: { 200: FailureRecord } },
      },
      async (request) => {
        const detail = visible(await failures.detail(request.params.pod_id));
        const { solution, isFallback } = await deps.models.solve(detail);
        await failures.setSolution(detail.id, solution, isFallback);
        hub.publish({ type: 'solution_updated', data: { id: detail.id, solution }, namespace: detail.namespace });
        await request.audit('failure.retry-solution', targetOf(detail), { id: detail.id });
        return visible(await failures.record(detail.id));
      },
    );
  };
}

function reportError(errors: FastifySchemaValidationError[], part: string): Error {
  const isNameless = errors.some(({ instancePath, keyword }) => NAMES.has(instancePath) && !OF_A_NAME.has(keyword));
  return isNameless ? new Error(NAMELESS) : validationError(errors, part);
}

function targetOf({ namespace, pod_name }: FailureRecord): string {
  return `${namespace}/${pod_name}`;
}
