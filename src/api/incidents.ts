import { hash } from 'node:crypto';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import Type from 'typebox';
import {
  type Incident,
  type IncidentListName,
  IncidentPage,
  IncidentQuery,
  type IncidentSort,
  listOfStatus,
} from '../contract/incident.ts';
import type { IncidentPageQuery, IncidentPlace, IncidentRow, IncidentRows } from '../db/incident-list.ts';
import { hourlyCounts } from '../db/occurrence-hours.ts';
import { headlineOf } from '../diagnosis/rendering/headline.ts';
import type { Caller } from './access.ts';
import type { AppDeps } from './deps.ts';
import { ApiError } from './errors.ts';
import { isKnown, nextAddress } from './lists.ts';
import { inTurn } from './searches.ts';

const LIMIT = 100;

/** Routes for incidents: one entry for each workload that fails. */
export function incidentRoutes({ incidentList, config, now }: Pick<AppDeps, 'incidentList' | 'config' | 'now'>): FastifyPluginAsyncTypebox {
  const scope = { namespaces: '*' as const, hidden: config.hiddenNamespaces };
  return async (app) => {
    app.get(
      '/api/incidents',
      {
        config: { access: 'failures.read' },
        schema: {
          summary: 'Incidents: failing pods, one entry a workload',
          tags: ['incidents'],
          querystring: IncidentQuery,
          response: { 200: IncidentPage, 304: Type.Null() },
        },
      },
      async (request, reply) => {
        const { before, assignee, ...query } = request.query;
        const list = query.list ?? (query.status ? listOfStatus(query.status) : 'active');
        const sort = query.sort ?? 'first_seen';
        const order = query.order ?? (sort === 'name' ? 'asc' : 'desc');
        const limit = query.limit ?? LIMIT;
        const wanted: IncidentPageQuery = {
          ...query,
          list,
          sort,
          order,
          limit,
          scope,
          now: now(),
          assignee: assignee === undefined ? undefined : whose(assignee, request.caller),
          after: before ? placeOf(before, sort) : undefined,
        };
        const text = await inTurn(request, () => incidentList.page(wanted));
        const tag = `"${hash('sha256', text)}"`;
        reply.header('cache-control', 'private, no-cache').header('etag', tag);
        if (isKnown(request, tag)) return reply.code(304).send(null);
        const last = (JSON.parse(text) as IncidentRows).incidents.at(limit - 1);
        if (last) reply.header('link', `<${nextAddress(request.url, cursorOf(last, sort))}>; rel="next"`);
        return shownIncidents(text, list);
      },
    );
  };
}

/** Turns a page of the list from the repository's text into the answer of the API. */
export function shownIncidents(text: string, list: IncidentListName): IncidentPage {
  const { incidents, ...counts } = JSON.parse(text) as IncidentRows;
  return { incidents: incidents.map((row) => ({ ...shown(row), list })), ...counts };
}

/** An incident as the API shows it. */
function shown(row: IncidentRow): Omit<Incident, 'list'> {
  const { cause, culprit } = row.what_happened ? headlineOf(row.what_happened) : { cause: '', culprit: null };
  const slash = row.owner.indexOf('/');
  return {
    id: row.id,
    cluster: row.cluster,
    namespace: row.namespace,
    workload: { kind: row.owner.slice(0, slash), name: row.owner.slice(slash + 1) },
    container: row.container || null,
    status: row.status,
    failure_id: row.failure_id,
    pod_name: row.pod_name,
    reason: row.reason,
    // An incident that was hidden by a Suppression from the start has no solution, so its message gives the cause.
    cause: cause || headlineOf(row.failure_message).cause || row.reason,
    culprit,
    pods: row.pods,
    restarts: row.restarts,
    first_seen: row.first_seen,
    last_seen: row.last_seen,
    resolved_at: row.resolved_at,
    verdict: verdictOf(row),
    assignee: row.assignee,
    occurrences_24h: hourlyCounts(row.hours),
    trying: row.trying,
    suppressed_by: row.suppressed_by,
  };
}

/** `me` and `none` keep their meaning even if a user has that name. */
function whose(assignee: string, caller: Caller | null): IncidentPageQuery['assignee'] {
  if (assignee === 'me' && caller) return { id: caller.id };
  return assignee === 'none' ? 'none' : { name: assignee };
}

function verdictOf({ verdict, strength, final, mirror_id, judged_id, given_at, is_closed }: IncidentRow): Incident['verdict'] {
  if (verdict === null || mirror_id === null || judged_id === null || given_at === null) return null;
  const taken = verdict === 'Fixed' && is_closed;
  return { verdict, strength, final: final === true, mirror_id, failure_id: judged_id, given_at, taken };
}

/** The place where a page begins, encoded for the parameter `before`, because names may have characters that addresses cannot have. */
function cursorOf({ key, id }: IncidentPlace, sort: IncidentSort): string {
  return Buffer.from(JSON.stringify([sort, key, id])).toString('base64url');
}

const NUMBER = /^-?\d{1,20}(\.\d{1,9})?$/;

function placeOf(cursor: string, sort: IncidentSort): IncidentPlace {
  const [by, key, id] = parsed(Buffer.from(cursor, 'base64url').toString());
  const isPlace = by === sort && typeof key === 'string' && (sort === 'name' || NUMBER.test(key)) && Number.isSafeInteger(id);
  if (!isPlace) throw new ApiError(400, '`before` must come from the `Link` header of a page that is sorted in the same way');
  return { key, id: id as number };
}

function parsed(text: string): unknown[] {
  try {
    const value: unknown = JSON.parse(text);
    return Array.isArray(value) ? value : [];
  } catch {
    return [];
  }
}
