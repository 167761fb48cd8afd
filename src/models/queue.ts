import { type Backoff, backoffMs } from '../async/backoff.ts';
import type { FailureRepository } from '../db/failures.ts';
import type { ModelTask, ModelWorkRepository } from '../db/model-work.ts';
import type { Logger } from '../log.ts';
import type { Ask, Unanswered } from './ask.ts';
import type { AnswerDelivery } from './delivery.ts';
import type { Questions } from './questions.ts';
import type { ConfiguredModel, ModelSetups } from './setup.ts';

/** Longer than a question and its repetition take. */
const LEASE_MS = 300_000;
/** After this many failed attempts the rules' answer stays. */
const MAX_ATTEMPTS = 5;
const RETRY: Backoff = { firstMs: 15_000, maxMs: Infinity, factor: 4 };
/** Another attempt does not help: the model refuses, or cannot answer in the required form. */
const FINAL_REASONS = new Set(['refused', 'malformed']);

export interface QuestionQueueDeps {
  setups: Pick<ModelSetups, 'current'>;
  work: ModelWorkRepository;
  failures: Pick<FailureRepository, 'detail'>;
  hiddenNamespaces: readonly string[];
  questions: Questions;
  ask: Ask;
  delivery: Pick<AnswerDelivery, 'giveToIncident'>;
  /** Called when a limit holds questions back, with the end of it. */
  heldBack(until: Date): void;
  /** This process among the replicas. */
  holder: string;
  now(): Date;
  log: Logger;
}

/** The queue of incidents at the model: one question for each; its answer goes to all of the incident's open records. */
export function questionQueue(deps: QuestionQueueDeps) {
  const { setups, work, failures, hiddenNamespaces, questions, ask, delivery, heldBack, holder, now, log } = deps;
  const stopped = new AbortController();
  const underWay = new Map<number, Promise<void>>();

  const askAbout = async (task: ModelTask, model: ConfiguredModel): Promise<void> => {
    const { incident_id: incident } = task;
    const waiting = await work.unanswered(incident);
    const detail = await failures.detail(waiting.includes(task.failure_id) ? task.failure_id : (waiting[0] ?? 0));
    // The record was closed, suppressed or answered in another way, and is queued again if it opens again; or its namespace is hidden now.
    if (!detail || hiddenNamespaces.includes(detail.namespace)) return work.drop(incident, holder);
    const { prompt } = await questions.about(detail, model.setup);
    const outcome = await ask(model, prompt, { signal: stopped.signal });
    if (outcome.kind !== 'answered') return postpone(task, outcome);
    await delivery.giveToIncident(incident, outcome.answer, model);
    await work.end(incident, holder, { state: 'answered', fingerprint: prompt.fingerprint });
  };

  const postpone = async ({ incident_id, attempts }: ModelTask, outcome: Unanswered): Promise<void> => {
    if (outcome.kind === 'held') {
      heldBack(outcome.by.until);
      return work.postpone(incident_id, holder, outcome.by.until, false);
    }
    const { reason, message, retryAt } = outcome;
    if (stopped.signal.aborted) return work.postpone(incident_id, holder, now(), false);
    log.warn({ incident: incident_id, reason, attempt: attempts, err: new Error(message) }, 'the model gave no answer');
    if (FINAL_REASONS.has(reason) || attempts >= MAX_ATTEMPTS)
      return work.end(incident_id, holder, { state: 'given-up', fingerprint: null });
    const backoffUntil = new Date(now().getTime() + backoffMs(RETRY, attempts));
    return work.postpone(incident_id, holder, retryAt && retryAt > backoffUntil ? retryAt : backoffUntil, true);
  };

  return {
    /** Asks about that incident, or about the one that waits longest. False when none is due. Throws DatabaseUnavailable. */
    async askNext(incidentId?: number): Promise<boolean> {
      const model = await setups.current();
      if (!model || stopped.signal.aborted) return false;
      const at = now();
      const task = await work.claim({ holder, now: at, until: new Date(at.getTime() + LEASE_MS) }, incidentId);
      if (!task) return false;
      const asking = askAbout(task, model);
      underWay.set(
        task.incident_id,
        asking.catch(() => {}).finally(() => underWay.delete(task.incident_id)),
      );
      try {
        await asking;
      } catch (error) {
        // Without this the lease would hold the incident for minutes.
        await work.postpone(task.incident_id, holder, new Date(now().getTime() + RETRY.firstMs), true).catch(() => {});
        throw error;
      }
      return true;
    },

    /** The question about the incident that this process is asking now. */
    underWay: (incidentId: number): Promise<void> | undefined => underWay.get(incidentId),

    /** Ends what is under way. Another process, or this one after its next start, takes it up again. */
    stop: () => stopped.abort(),
  };
}
