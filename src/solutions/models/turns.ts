import type { Hub } from '../../events.ts';
import type { FailureDetail } from '../../contract/failure.ts';
import type { FailureRepository } from '../../db/failures.ts';
import type { ModelTask, ModelWorkRepository } from '../../db/model-work.ts';
import type { Logger } from '../../log.ts';
import { type ModelAnswer, withModel } from '../model-answer.ts';
import { renderSolution } from '../render.ts';
import type { Ask, Unanswered } from './ask.ts';
import type { Questioned, Questions } from './question.ts';
import type { ConfiguredModel, ModelSetups } from './setup.ts';

/** Longer than a question and its repetition take. */
const LEASE_MS = 300_000;
/** After so many failed attempts the rules' answer stays. */
const ATTEMPTS = 5;
const FIRST_RETRY_MS = 15_000;
/** What another attempt will not mend: the model does not want to, or cannot. */
const LASTING = new Set(['refused', 'malformed']);

export interface TurnDeps {
  setups: Pick<ModelSetups, 'current'>;
  work: ModelWorkRepository;
  failures: Pick<FailureRepository, 'detail' | 'setSolution'>;
  questions: Questions;
  ask: Ask;
  hub: Hub;
  /** Whether the record is about to be told as a whole, with its solution. */
  isHeld(id: number): boolean;
  /** Told what holds questions back, and until when. */
  heldBack(until: Date): void;
  /** This process among the replicas. */
  holder: string;
  now(): Date;
  log: Logger;
}

/** Incidents' turns at the model: one question each, whose answer goes to all of the incident's open records. */
export function turns(deps: TurnDeps) {
  const { setups, work, failures, questions, ask, hub, isHeld, heldBack, holder, now, log } = deps;
  const stopped = new AbortController();
  const underWay = new Map<number, Promise<void>>();

  /** Gives a record an answer; false when it is gone. */
  const give = async (detail: FailureDetail, { subject, prompt }: Questioned, answer: ModelAnswer): Promise<boolean> => {
    const { id, namespace } = detail;
    const solution = renderSolution(withModel(answer, { subject, ...prompt }));
    if (!(await failures.setSolution(id, solution, false))) return false;
    if (!isHeld(id)) hub.publish({ type: 'solution_updated', data: { id, solution }, namespace });
    return true;
  };

  /** Gives the answer to every open record of the incident that has one of the rules, but for one that somebody else takes care of. */
  const giveAll = async (incidentId: number, answer: ModelAnswer, model: ConfiguredModel, but?: number): Promise<void> => {
    for (const id of await work.unanswered(incidentId)) {
      if (id === but) continue;
      const detail = await failures.detail(id);
      if (detail) await give(detail, await questions.about(detail, model.setup), answer);
    }
  };

  const run = async (task: ModelTask, model: ConfiguredModel): Promise<void> => {
    const { incident_id: incident } = task;
    const waiting = await work.unanswered(incident);
    const detail = await failures.detail(waiting.includes(task.failure_id) ? task.failure_id : (waiting[0] ?? 0));
    // Closed, hidden or answered otherwise: when it comes back, it is offered again.
    if (!detail) return work.drop(incident, holder);
    const asked = questions.about(detail, model.setup);
    const { prompt } = await asked;
    const came = await ask(model, prompt, { signal: stopped.signal });
    if (came.kind !== 'answered') return setAside(task, came);
    await giveAll(incident, came.answer, model);
    await work.end(incident, holder, { state: 'answered', fingerprint: prompt.fingerprint });
  };

  const setAside = async ({ incident_id, attempts }: ModelTask, came: Unanswered): Promise<void> => {
    if (came.kind === 'held') {
      heldBack(came.by.until);
      return work.postpone(incident_id, holder, came.by.until, false);
    }
    const { reason, message, retryAt } = came;
    if (stopped.signal.aborted) return work.postpone(incident_id, holder, now(), false);
    log.warn({ incident: incident_id, reason, attempt: attempts, err: new Error(message) }, 'the model gave no answer');
    if (LASTING.has(reason) || attempts >= ATTEMPTS) return work.end(incident_id, holder, { state: 'given-up', fingerprint: null });
    const own = new Date(now().getTime() + FIRST_RETRY_MS * 4 ** (attempts - 1));
    return work.postpone(incident_id, holder, retryAt && retryAt > own ? retryAt : own, true);
  };

  /** One turn: of that incident, or of the one that waits longest. False when none is due. Throws DatabaseUnavailable. */
  const turn = async (incidentId?: number): Promise<boolean> => {
    const model = await setups.current();
    if (!model || stopped.signal.aborted) return false;
    const at = now();
    const task = await work.claim({ holder, now: at, until: new Date(at.getTime() + LEASE_MS) }, incidentId);
    if (!task) return false;
    const running = run(task, model);
    underWay.set(
      task.incident_id,
      running.catch(() => {}).finally(() => underWay.delete(task.incident_id)),
    );
    try {
      await running;
    } catch (error) {
      // The lease would end by itself, minutes later.
      await work.postpone(task.incident_id, holder, new Date(now().getTime() + FIRST_RETRY_MS), true).catch(() => {});
      throw error;
    }
    return true;
  };

  return {
    turn,
    give,
    giveAll,
    /** The incident's turn that is under way in this process. */
    underWay: (incidentId: number): Promise<void> | undefined => underWay.get(incidentId),
    /** Breaks off what is under way; it is taken up again by whoever looks next. */
    stop: () => stopped.abort(),
  };
}
