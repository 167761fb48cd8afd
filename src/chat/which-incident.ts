import type { FailureDiagnosis } from '../contract/diagnosis.ts';
import type { FailureDetail } from '../contract/failure.ts';
import type { ChatTargetRepository } from '../db/chat-targets.ts';
import type { FailureRepository } from '../db/failures.ts';
import type { IncidentView } from '../notifications/policy/view.ts';
import { changedMessage, failingMessage, HELP, type Links, whichMessage, whyMessage } from './policy/answers.ts';
import type { ChatMessage } from './policy/message.ts';
import type { ChatPlace, Wish } from './policy/request.ts';

export interface AskDeps {
  failures: Pick<FailureRepository, 'detail'>;
  targets: ChatTargetRepository;
  /** Incidents as they are now. */
  incidents(ids: number[]): Promise<IncidentView[]>;
  explain(detail: FailureDetail): Promise<FailureDiagnosis>;
  links: Links;
}

/** The incident that a request is about, or the message to answer instead. */
export type Found = { incident: IncidentView } | { message: ChatMessage };

const SHOWN = 15;

/** Answers questions with fixed rules, from stored records and from the cluster. */
export function asking(deps: AskDeps) {
  const { targets, incidents } = deps;
  const idsOf = async (target: TargetOf, { provider, place, isAction }: Where): Promise<number[]> => {
    switch (target.kind) {
      case 'incident':
        return (await targets.isShown(target.incident)) ? [target.incident] : [];
      case 'record':
        return [await targets.ofRecord(target.id)].filter((id) => id !== undefined);
      case 'name':
        return targets.named(target.name, target.namespace ?? null, isAction);
      default: {
        if (place.chat !== 'slack') return [];
        const told = await targets.ofThread(provider, place.thread);
        return told.length > 0 ? told : [await targets.lastIn(provider, place.thread)].filter((id) => id !== undefined);
      }
    }
  };

  return {
    /** The incident that a wish is about. */
    async find(target: TargetOf, where: Where): Promise<Found> {
      const views = await incidents(await idsOf(target, where));
      const failing = views.filter(({ open }) => open > 0);
      const [only, ...others] = failing.length > 0 ? failing : views.slice(0, 1);
      if (others.length > 0) return { message: whichMessage(failing, target.kind === 'name' ? target.name : 'this') };
      return only ? { incident: only } : { message: nothingFound(target) };
    },

    async why(incident: IncidentView): Promise<ChatMessage> {
      const detail = incident.recordId === null ? undefined : await deps.failures.detail(incident.recordId);
      if (!detail) return { title: `Nothing is known of ${incident.owner} any more.`, lines: [] };
      const message = whyMessage(incident, await deps.explain(detail), deps.links);
      return incident.open > 0 ? message : { ...message, title: `Over: ${message.title}` };
    },

    async changed(incident: IncidentView): Promise<ChatMessage> {
      const detail = incident.recordId === null ? undefined : await deps.failures.detail(incident.recordId);
      if (!detail) return { title: `Nothing is known of ${incident.owner} any more.`, lines: [] };
      return changedMessage(incident, await deps.explain(detail), deps.links);
    },

    async failing(namespace: string | null): Promise<ChatMessage> {
      const { ids, total } = await targets.failing(namespace, SHOWN);
      const views = new Map((await incidents(ids)).map((view) => [view.id, view]));
      const shown = ids.flatMap((id) => views.get(id) ?? []);
      return failingMessage(namespace, shown, { total, links: deps.links });
    },

    help: HELP,
  };
}

type TargetOf = Extract<Wish, { target: unknown }>['target'];
interface Where {
  provider: string;
  place: ChatPlace;
  /** Whether the command is an action. An action needs the whole name; a question also takes a part of it. */
  isAction: boolean;
}

function nothingFound(target: TargetOf): ChatMessage {
  if (target.kind === 'name') {
    const where = target.namespace ? ` in ${target.namespace}` : '';
    return { title: `Nothing called ${target.name}${where} fails, as far as Podmend sees.`, lines: [] };
  }
  if (target.kind === 'thread') return { title: 'Which one? Name a workload, a pod, or the number of a failure.', lines: [] };
  return { title: 'There is no such failure any more.', lines: [] };
}
