import { type Assigned, COMMENT, type Comment } from '../contract/comment.ts';
import { Refusal } from '../contract/refusal.ts';
import type { AssigneeRepository } from '../db/assignees.ts';
import type { CommentRepository, CommentRow } from '../db/comments.ts';
import type { IncidentRepository, IncidentStanding } from '../db/incidents.ts';
import type { Hub } from '../events.ts';
import { maskText } from '../redact/text.ts';
import { commentText } from './policy/comment-text.ts';

export interface TriageDeps {
  incidents: Pick<IncidentRepository, 'standing'>;
  assignees: AssigneeRepository;
  comments: CommentRepository;
  hub: Hub;
}

/** Who says something. */
export interface Author {
  id: number;
  username: string;
  isAdmin: boolean;
}

export type Triage = ReturnType<typeof triage>;

/**
 * Who takes care of an incident, and what people say about it. Both belong to the incident: a record that fails again before all its pods
 * are well keeps them, and a new incident of the workload begins without. Secrets in comments are masked before they are stored. Other
 * browsers hear of a change as `pod_status_change` of a record of the incident, with the status that it has: clients of the contract know
 * that message, and nothing in it is new to them.
 */
export function triage({ incidents, assignees, comments, hub }: TriageDeps) {
  const tell = ({ id, namespace, failure_id, status }: IncidentStanding): void => {
    if (failure_id === null || status === null) return;
    hub.publish({ type: 'pod_status_change', data: { id: failure_id, status, incident_id: id }, namespace });
  };
  const commentOf = async (incident: IncidentStanding, id: number): Promise<CommentRow> => {
    const comment = await comments.byId(incident.id, id);
    if (!comment) throw new Refusal('missing', 'Comment not found');
    return comment;
  };

  return {
    /** An incident and where it stands; undefined when there is none of that id. */
    incident: incidents.standing,

    /** Everybody who can be assigned. */
    candidates: assignees.names,

    /** Gives the incident to a user; null takes it from everybody. */
    async assign(incident: IncidentStanding, username: string | null): Promise<Assigned> {
      if (username === null) await assignees.unassign(incident.id);
      const assignee = username === null ? null : await assignees.assign(incident.id, username);
      if (assignee === undefined) throw new Refusal('invalid', 'username must be the name of a user');
      tell(incident);
      return { assignee };
    },

    /** Oldest first. */
    comments: async ({ id }: IncidentStanding): Promise<Comment[]> => (await comments.list(id)).map(shown),

    async comment(incident: IncidentStanding, author: Author, text: string, now: Date): Promise<Comment> {
      const said = { incident_id: incident.id, author_id: author.id, author: author.username, text: stored(text), created_at: now };
      const added = await comments.add(said, COMMENT.most);
      if (!added) throw new Refusal('conflict', `An incident has at most ${COMMENT.most} comments: delete one first`);
      tell(incident);
      return shown(added);
    },

    /** Only the author may say it otherwise. */
    async edit(
      incident: IncidentStanding,
      id: number,
      { author, text, now }: { author: Author; text: string; now: Date },
    ): Promise<Comment> {
      await commentOf(incident, id);
      const edited = await comments.edit(id, author.id, stored(text), now);
      if (!edited) throw new Refusal('denied', 'Only its author may change a comment');
      tell(incident);
      return shown(edited);
    },

    /** For the author, and for administrators: what should not have been written must be removable. Answers what is gone. */
    async remove(incident: IncidentStanding, id: number, author: Author): Promise<Comment> {
      const comment = await commentOf(incident, id);
      if (comment.author_id !== author.id && !author.isAdmin)
        throw new Refusal('denied', 'Only its author and administrators may delete a comment');
      await comments.remove(id);
      tell(incident);
      return shown(comment);
    },
  };
}

const stored = (text: string): string => maskText(commentText(text));

function shown({ id, author, author_id, text, created_at, edited_at }: CommentRow): Comment {
  return { id, author, author_id, text, created_at: created_at.toISOString(), edited_at: edited_at?.toISOString() ?? null };
}
