import type { FailureRecord } from '../contract/failure.ts';
import type { FailureRepository } from '../db/failures.ts';
import type { ModelWorkRepository } from '../db/model-work.ts';
import type { Logger } from '../log.ts';
import type { AnswerDelivery } from './delivery.ts';
import type { questionQueue } from './queue.ts';
import type { ModelSetups } from './setup.ts';
import type { WaitBudget } from './wait-budget.ts';
import type { queueWorkers } from './workers.ts';

/** Remembers until when a limit blocks questions. During that time no report waits for an answer. */
export function holdBack(now: () => Date) {
  let heldUntil = 0;
  return {
    extend: (until: Date): void => void (heldUntil = Math.max(heldUntil, until.getTime())),
    clear: (): void => void (heldUntil = 0),
    isActive: (): boolean => heldUntil > now().getTime(),
  };
}

export interface OfferDeps {
  setups: Pick<ModelSetups, 'latest'>;
  /** Nothing from these namespaces is sent to a model. */
  hiddenNamespaces: readonly string[];
  work: Pick<ModelWorkRepository, 'offer'>;
  failures: Pick<FailureRepository, 'record'>;
  queue: Pick<ReturnType<typeof questionQueue>, 'askNext' | 'underWay'>;
  workers: Pick<ReturnType<typeof queueWorkers>, 'wake'>;
  delivery: Pick<AnswerDelivery, 'giveKnown'>;
  waiting: Pick<WaitBudget, 'wait'>;
  hold: Pick<ReturnType<typeof holdBack>, 'isActive'>;
  now(): Date;
  log: Logger;
}

/** Puts a record that the rules have just answered into the queue, and waits for the model as long as its budget allows. */
export function recordOffer(deps: OfferDeps) {
  const { setups, hiddenNamespaces, work, failures, queue, workers, delivery, waiting, hold, now, log } = deps;
  const enqueue = ({ incident_id, id }: FailureRecord): Promise<void> => work.offer(incident_id, id, now());
  /** Asks about the record's incident now, or joins the question that is already running. */
  const askNow = async (record: FailureRecord): Promise<void> => {
    await enqueue(record);
    if (await queue.askNext(record.incident_id)) return;
    await queue.underWay(record.incident_id);
    await delivery.giveKnown(record);
  };
  const askLater = async (record: FailureRecord): Promise<void> => {
    await enqueue(record);
    // The incident may have been answered before this record arrived.
    if (!(await delivery.giveKnown(record))) workers.wake();
  };

  /** Returns the record after the wait, or undefined at once if it does not wait. Never rejects. */
  return (record: FailureRecord): Promise<FailureRecord | undefined> | undefined => {
    if (!setups.latest() || hiddenNamespaces.includes(record.namespace)) return undefined;
    const waited = hold.isActive() ? undefined : waiting.wait(record.id, () => askNow(record));
    if (waited) return waited.then(() => failures.record(record.id)).catch(() => undefined);
    askLater(record).catch((error: unknown) => log.warn({ err: error, failure: record.id }, 'a failure could not be queued for the model'));
    return undefined;
  };
}
