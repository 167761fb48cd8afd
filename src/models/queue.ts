import { type Backoff, backoffMs } from '../async/backoff.ts';
import type { FailureRepository } from '../db/failures.ts';
import type { ModelTask, ModelWorkRepository } from '../db/model-work.ts';
import type { Logger } from '../log.ts';
import type { Ask, Unanswered } from './ask.ts';
import type { AnswerDelivery } from './delivery.ts';
import type { Questions } from './questions.ts';
import type { ConfiguredModel, ModelSetups } from './setup.ts';

/** How long an incident is reserved for this process. A question and its repetition take less time. */
const LEASE_MS = 300_000;
/** After this many failed attempts the rules' answer stays for good. */
const MAX_ATTEMPTS = 5;
const RETRY: Backoff = { firstMs: 15_000, maxMs: Infinity, factor: 4 };
/** Reasons after which another attempt cannot help. */
const FINAL_REASONS = new Set(['refused', 'malformed']);

export interface QuestionQueueDeps {
  setups: Pick<ModelSetups, 'current'>;
  work: ModelWorkRepository;
  failures: Pick<FailureRepository, 'detail'>;
  hiddenNamespaces: readonly string[];
  questions: Questions;
  ask: Ask;
  delivery: Pick<AnswerDelivery, 'giveToIncident'>;
  /** Called when a limit blocks questions. `until` is when they are allowed again. */
  heldBack(until: Date): void;
  /** Identifies this process among the replicas. */
  holder: string;
  now(): Date;
  log: Logger;
}

/** The queue of incidents that wait for the model. Each incident gets one question, and its answer goes to all of its open records. */
export function questionQueue(deps: QuestionQueueDeps) {
  const { setups, work, failures, hiddenNamespaces, questions, ask, delivery, heldBack, holder, now, log } = deps;
  const stopped = new AbortController();
  const underWay = new Map<number, Promise<void>>();

  const askAbout = async (task: ModelTask, model: ConfiguredModel): Promise<void> => {
    const { incident_id: incident } = task;
    const waiting = await work.unanswered(incident);
    const detail = await failures.detail(waiting.includes(task.failure_id) ? task.failure_id : (waiting[0] ?? 0));
    // The record was closed, suppressed or answered in another way (it is queued again when it reopens), or its namespace is now hidden.
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
    /**
     * Asks about the given incident, or about the incident that has waited longest. Returns false if none is due. Throws DatabaseUnavailable.
     */
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
        // Otherwise the lease would block the incident for minutes.
        await work.postpone(task.incident_id, holder, new Date(now().getTime() + RETRY.firstMs), true).catch(() => {});
        throw error;
      }
      return true;
    },

    /** The running question of this process about the incident. */
    underWay: (incidentId: number): Promise<void> | undefined => underWay.get(incidentId),

    /** Aborts running questions. Another process continues them, or this one after its next start. */
    stop: () => stopped.abort(),
  };
}
