import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import Type from 'typebox';
import { Assign, Assigned, Comment, NewComment } from '../contract/comment.ts';
import { ErrorBody } from '../contract/errors.ts';
import { RowId } from '../contract/fields.ts';
import type { IncidentStanding } from '../db/incidents.ts';
import type { Author } from '../failures/triage.ts';
import type { AppDeps } from './deps.ts';
import { ApiError } from './errors.ts';

const Id = Type.Object({ id: RowId });
const CommentId = Type.Object({ id: RowId, comment_id: RowId });
const tags = ['incidents'];

/** Routes for the assignee of an incident and for comments about it. */
export function triageRoutes({ triage, config, now }: Pick<AppDeps, 'triage' | 'config' | 'now'>): FastifyPluginAsyncTypebox {
  const visible = async (id: number): Promise<IncidentStanding> => {
    const incident = await triage.incident(id);
    if (!incident || config.hiddenNamespaces.includes(incident.namespace)) throw new ApiError(404, 'Incident not found');
    return incident;
  };

  return async (app) => {
    app.get(
      '/api/incidents/assignees',
      {
        config: { access: 'failures.change' },
        schema: { summary: 'The names of all users: who can be assigned', tags, response: { 200: Type.Array(Type.String()) } },
      },
      () => triage.candidates(),
    );

    app.put(
      '/api/incidents/:id/assignee',
      {
        config: { access: 'failures.change' },
        schema: { summary: 'Say who takes care of an incident; null: nobody', tags, params: Id, body: Assign, response: { 200: Assigned } },
      },
      async (request) => {
        const incident = await visible(request.params.id);
        const assigned = await triage.assign(incident, request.body.username);
        await request.audit('incident.assign', targetOf(incident), { id: incident.id, ...assigned });
        return assigned;
      },
    );

    app.get(
      '/api/incidents/:id/comments',
      {
        config: { access: 'failures.read' },
        schema: { summary: 'What people say about an incident, oldest first', tags, params: Id, response: { 200: Type.Array(Comment) } },
      },
      async (request) => triage.comments(await visible(request.params.id)),
    );

    app.post(
      '/api/incidents/:id/comments',
      {
        config: { access: 'failures.change' },
        schema: {
          summary: 'Comment on an incident; at most 200 comments',
          tags,
          params: Id,
          body: NewComment,
          response: { 200: Comment, 409: ErrorBody },
        },
      },
      async (request) => {
        const incident = await visible(request.params.id);
        const comment = await triage.comment(incident, authorOf(request), request.body.text, now());
        await request.audit('incident.comment', targetOf(incident), { id: incident.id, comment: comment.id });
        return comment;
      },
    );

    app.patch(
      '/api/incidents/:id/comments/:comment_id',
      {
        config: { access: 'failures.change' },
        schema: { summary: 'Change a comment of yours', tags, params: CommentId, body: NewComment, response: { 200: Comment } },
      },
      async (request) => {
        const incident = await visible(request.params.id);
        const said = { author: authorOf(request), text: request.body.text, now: now() };
        const comment = await triage.edit(incident, request.params.comment_id, said);
        await request.audit('incident.comment-edit', targetOf(incident), { id: incident.id, comment: comment.id });
        return comment;
      },
    );

    app.delete(
      '/api/incidents/:id/comments/:comment_id',
      {
        config: { access: 'failures.change' },
        schema: {
          summary: 'Delete a comment: your own, or as an administrator any',
          tags,
          params: CommentId,
          response: { 204: Type.Null() },
        },
      },
      async (request, reply) => {
        const incident = await visible(request.params.id);
        const { id: comment, author } = await triage.remove(incident, request.params.comment_id, authorOf(request));
        await request.audit('incident.comment-delete', targetOf(incident), { id: incident.id, comment, author });
        return reply.code(204).send(null);
      },
    );
  };
}

function authorOf({ caller }: FastifyRequest): Author {
  if (!caller) throw new ApiError(401, 'Not authenticated');
  return { id: caller.id, username: caller.username, isAdmin: caller.role === 'admin' };
}

function targetOf({ namespace, owner }: IncidentStanding): string {
  return `${namespace}/${owner}`;
}
