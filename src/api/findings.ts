import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import {
  DETAILS_DEPTH,
  FINDING_STATUSES,
  Finding,
  FindingFix,
  FindingReport,
  FindingSource,
  RescanStatus,
  ResourceFindings,
  ScanDuration,
  Severity,
} from '../contract/finding.ts';
import type { FindingPage } from '../db/findings.ts';
import { ErrorBody } from '../contract/errors.ts';
import { ListBefore, ListLimit, ListText, RowId, ShownName, WRITTEN } from '../contract/fields.ts';
import { isHiddenPlace, type Place } from '../contract/hidden.ts';
import { csvHead, csvRows, FINDING_TABLE } from '../contract/finding-table.ts';
import { openReports } from '../findings/open-reports.ts';
import { isDeeperThan } from '../findings/depth.ts';
import { withoutHiddenNames } from '../graphs/hidden-names.ts';
import type { AppDeps } from './deps.ts';
import { mayBeAbsent } from './bodies.ts';
import { ApiError } from './errors.ts';
import { answerList, answerText, type TextFormat } from './lists.ts';
import type { Metrics } from './metrics.ts';

const Id = Type.Object({ id: RowId });
const ResourcePath = Type.Object({
  type: ShownName('kind of the resource'),
  ns: ShownName('its namespace'),
  name: ShownName('its name'),
});
const FindingQuery = Type.Object({
  status: Type.Optional(Type.Enum([...FINDING_STATUSES, 'suppressed'], { description: 'absent: open and reopened' })),
  severity: Type.Optional(Severity),
  namespace: Type.Optional(Type.String()),
  check: Type.Optional(Type.String({ description: 'a check_name' })),
  q: ListText("resource's name, namespace, check or message"),
  limit: ListLimit(),
  before: ListBefore('findings'),
  format: Type.Optional(
    Type.Enum(['json', 'csv', 'openreports'], { description: 'absent: json; csv: a table; openreports: YAML of openreports.io/v1alpha1' }),
  ),
});
const FORMATS: Record<'csv' | 'openreports', TextFormat<Finding>> = {
  csv: { type: 'text/csv; charset=utf-8', head: csvHead(FINDING_TABLE), rows: (some) => csvRows(FINDING_TABLE, some) },
  // The answer has any number of documents, but `application/yaml` in a description means a single one.
  openreports: { type: 'text/plain; charset=utf-8', head: '', rows: openReports },
};
const Listed = {
  description: 'The findings',
  content: {
    'application/json': { schema: Type.Array(Finding) },
    'text/csv': { schema: Type.String() },
    'text/plain': { schema: Type.String() },
  },
} as const;
const OfScanner = Type.Object({ source: FindingSource });
const Empty = Type.Object({});
/** Large enough for a resource with very many findings. */
const REPLACE_BYTES = 5 * 1024 * 1024;

/** Security findings: written by the scanner, read and judged by people (specification, "Security", without the registries). */
export function findingRoutes(
  deps: Pick<AppDeps, 'findings' | 'findingIntake' | 'scans' | 'readResource' | 'fixFinding' | 'hub' | 'now' | 'config'>,
  metrics: Metrics,
): FastifyPluginAsyncTypebox {
  const { findings, findingIntake, scans, hub, now } = deps;
  const scope: FindingPage['scope'] = { namespaces: '*', hidden: deps.config.hiddenNamespaces };
  const visible = (finding: Finding | undefined): Finding => {
    if (!finding || isHiddenPlace(placeOf(finding), scope.hidden)) throw new ApiError(404, 'Finding not found');
    return finding;
  };

  return async (app) => {
    // Any request of the scanner shows that it is alive.
    app.addHook('preHandler', async (request) => {
      if (request.routeOptions.config.access === 'service') await scans.heard(now());
    });

    app.post(
      '/api/security/findings',
      {
        config: { access: 'service' },
        schema: { summary: 'Report a security finding', tags: ['security'], body: FindingReport, response: { 200: Finding } },
      },
      async (request) => {
        refuseDeep([request.body]);
        return findingIntake.report(request.body, now());
      },
    );

    app.get(
      '/api/security/findings',
      {
        config: { access: 'findings.read' },
        schema: {
          summary: 'Security findings',
          tags: ['security'],
          querystring: FindingQuery,
          response: { 200: Listed, 304: Type.Null() },
        },
      },
      (request, reply) => {
        const { format = 'json', ...query } = request.query;
        const page = { ...query, scope };
        if (format === 'json') return answerList(request, reply, page, findings.list) as Promise<never>;
        return answerText({ request, reply, format: FORMATS[format] }, page, findings.list) as Promise<never>;
      },
    );

    app.delete(
      '/api/security/findings/:id',
      {
        config: { access: 'findings.change' },
        schema: { summary: 'Dismiss a finding', tags: ['security'], params: Id, response: { 200: Finding } },
      },
      async (request) => {
        visible(await findings.byId(request.params.id));
        const finding = visible(await findings.dismiss(request.params.id));
        hub.publish({ type: 'finding_deleted', data: finding });
        await request.audit('finding.dismiss', targetOf(finding), { id: finding.id });
        return finding;
      },
    );

    app.put(
      '/api/security/findings/:id/restore',
      {
        config: { access: 'findings.change' },
        schema: { summary: 'Restore a dismissed finding', tags: ['security'], params: Id, response: { 200: Finding } },
      },
      async (request) => {
        visible(await findings.byId(request.params.id));
        const finding = visible(await findings.restore(request.params.id));
        hub.publish({ type: 'security_finding', data: finding });
        await request.audit('finding.restore', targetOf(finding), { id: finding.id });
        return finding;
      },
    );

    app.post(
      '/api/security/findings/:id/fix',
      {
        config: { access: 'findings.change' },
        schema: { summary: 'The remediation of a finding as a manifest', tags: ['security'], params: Id, response: { 200: FindingFix } },
      },
      async (request) => {
        const finding = visible(await findings.byId(request.params.id));
        const live = await deps.readResource(finding.resource_type, finding.namespace, finding.resource_name);
        if (live === undefined) throw new ApiError(404, 'The resource of the finding is gone');
        await request.audit('finding.fix', targetOf(finding), { id: finding.id });
        const shown = live && (withoutHiddenNames(live, (namespace) => scope.hidden.includes(namespace)) ?? null);
        // The scanner's fix replaces the whole object. If parts of the object are hidden, applying the fix would remove them.
        const { fix: _, ...details } = finding.details;
        return deps.fixFinding(shown === live ? finding : { ...finding, details }, shown);
      },
    );

    app.post(
      '/api/security/scan/clear',
      {
        config: { access: 'service' },
        schema: {
          summary: 'A scan begins anew: hide all findings of the scanner until they are reported again',
          tags: ['security'],
          querystring: OfScanner,
          response: { 200: Type.Object({ cleared: Type.Integer() }) },
        },
      },
      async (request) => {
        return { cleared: await findingIntake.clear(request.query.source ?? '', now()) };
      },
    );

    app.delete(
      '/api/security/findings/resource/:type/:ns/:name',
      {
        config: { access: 'service' },
        schema: {
          summary: 'A resource is gone: hide what the scanner found on it',
          tags: ['security'],
          params: ResourcePath,
          querystring: OfScanner,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        const { type, ns, name } = request.params;
        const { source = '' } = request.query;
        await findingIntake.remove({ resource_type: type, namespace: ns, resource_name: name, source }, now());
        return reply.code(204).send(null);
      },
    );

    app.put(
      '/api/security/findings/resource/:type/:ns/:name',
      {
        config: { access: 'service' },
        bodyLimit: REPLACE_BYTES,
        schema: {
          summary: 'All that the scanner finds on a resource at once; what else it had found there is resolved',
          tags: ['security'],
          params: ResourcePath,
          body: ResourceFindings,
          response: { 200: Type.Array(Finding) },
        },
      },
      async (request) => {
        const { type, ns, name } = request.params;
        refuseDeep(request.body.findings);
        return findingIntake.replace({ resource_type: type, namespace: ns, resource_name: name }, request.body, now());
      },
    );

    app.post(
      '/api/security/rescan',
      {
        config: { access: 'scans.request' },
        schema: {
          summary: 'Ask the scanner for a full pass; the body may be left out',
          tags: ['security'],
          body: Type.Object({ reason: Type.Optional(Type.String({ maxLength: 1024, pattern: WRITTEN })) }, { default: {} }),
          response: { 200: Empty, 409: ErrorBody },
        },
        preValidation: mayBeAbsent,
      },
      async (request) => {
        const reason = request.body.reason ?? 'requested';
        const isHeard = await scans.request({ reason, requestedBy: request.caller?.username ?? '' }, now());
        if (!isHeard) throw new ApiError(409, 'No scanner is there: none was heard in the last 90 seconds');
        await request.audit('security.rescan', 'scanner', { reason });
        return {};
      },
    );

    app.post(
      '/api/security/rescan-status',
      {
        config: { access: 'service' },
        schema: { summary: 'How a rescan goes', tags: ['security'], body: RescanStatus, response: { 200: Empty } },
      },
      async (request) => {
        const { status, reason = '' } = request.body;
        if (status === 'completed') await findingIntake.settle(now());
        hub.publish({ type: 'security_rescan_status', data: { status, reason } });
        return {};
      },
    );

    app.post(
      '/api/metrics/security-scan-duration',
      {
        config: { access: 'service' },
        schema: { summary: 'How long a full pass took', tags: ['security'], body: ScanDuration, response: { 200: Empty } },
      },
      async (request) => {
        metrics.scan(request.body.duration_seconds);
        return {};
      },
    );
  };
}

/** Refuses deep nesting: later code cannot write or store a value that is nested thousands of levels deep. */
function refuseDeep(found: ResourceFindings['findings']): void {
  if (found.some(({ details }) => isDeeperThan(DETAILS_DEPTH, details)))
    throw new ApiError(400, `details must not be nested more than ${DETAILS_DEPTH} times`);
}

function placeOf({ resource_type: kind, namespace, resource_name: name }: Finding): Place {
  return { kind, namespace, name };
}

function targetOf({ resource_type, namespace, resource_name, check_name }: Finding): string {
  return `${resource_type}/${namespace}/${resource_name} ${check_name}`;
}
