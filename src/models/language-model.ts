import type { FailureDetail, FailureRecord } from '../contract/failure.ts';
import type { ModelPrompt, ModelStatus } from '../contract/model.ts';
import type { FailureRepository } from '../db/failures.ts';
import type { ModelAnswerRepository } from '../db/model-answers.ts';
import type { ModelCallRepository } from '../db/model-calls.ts';
import type { ModelWorkRepository } from '../db/model-work.ts';
import type { Case } from '../diagnosis/case.ts';
import { type Diagnosis, diagnose } from '../diagnosis/diagnose.ts';
import type { Hub } from '../events.ts';
import type { Logger } from '../log.ts';
import { asker } from './ask.ts';
import { type AskTopic, topicAsker } from './ask-topic.ts';
import { answerDelivery } from './delivery.ts';
import { holdBack, recordOffer } from './offer.ts';
import { withModel } from './policy/answer.ts';
import { type QuestionDeps, questions as questionsAbout } from './questions.ts';
import { questionQueue } from './queue.ts';
import type { ModelSetups } from './setup.ts';
import { type SolutionText, solver } from './model-or-rules.ts';
import { modelStatus } from './status.ts';
import { questionCounter } from './question-counter.ts';
import { waitBudget } from './wait-budget.ts';
import { queueWorkers } from './workers.ts';

const POLL_MS = 2_000;
const PERSON_WAITS_MS = 10_000;

export interface LanguageModelDeps extends QuestionDeps {
  setups: ModelSetups;
  answers: ModelAnswerRepository;
  calls: ModelCallRepository;
  work: ModelWorkRepository;
  failures: Pick<FailureRepository, 'detail' | 'record' | 'setSolution'>;
  /** Nothing from these namespaces is ever sent to a model. */
  hiddenNamespaces: readonly string[];
  hub: Hub;
  /** How long a report waits for the model. */
  budgetMs: number;
  /** How often the queue is polled. */
  pollMs?: number;
  /** How long a person waits for the model. This is longer than a report waits. */
  personWaitsMs?: number;
  holder: string;
  now(): Date;
  log: Logger;
}

/** The language model, used within its limits. Without a configured model every answer comes from the rules, and nothing is sent. */
export interface LanguageModel {
  setups: ModelSetups;
  status(): Promise<ModelStatus>;
  /** The exact prompt that would be sent about a failure. */
  prompt(detail: FailureDetail): Promise<ModelPrompt>;
  /** Counts of questions by provider and outcome since this process started. */
  tally(): { provider: string; outcome: string; count: number }[];
  /**
   * Queues a record that the rules have just answered. If the record may wait for the model, resolves with its state after the wait;
   * otherwise returns undefined at once. Never rejects.
   */
  offer(record: FailureRecord): Promise<FailureRecord | undefined> | undefined;
  /** A new answer of the model if it comes within some seconds; otherwise the record's present answer, or the rules' answer. */
  solve(detail: FailureDetail): Promise<SolutionText>;
  /** The rules' answer. The record also joins the queue for the model's answer. */
  solveSoon(detail: FailureDetail): Promise<SolutionText>;
  /** The rules' diagnosis of a case, completed with the model's answer about its incident if there is one. */
  diagnose(subject: Case, incidentId: number | undefined): Promise<Diagnosis>;
  /** Asks about anything other than a failure: a finding or a piece of advice. */
  askTopic: AskTopic;
  start(): void;
  stop(): Promise<void>;
}

export function languageModel(deps: LanguageModelDeps): LanguageModel {
  const { setups, answers, calls, work, failures, hiddenNamespaces, hub, budgetMs, holder, now, log } = deps;
  const { pollMs = POLL_MS, personWaitsMs = Math.max(PERSON_WAITS_MS, budgetMs) } = deps;
  const tally = questionCounter();
  const questions = questionsAbout(deps);
  const ask = asker({ answers, calls, limits: questions.limits, count: tally.count, now, log });
  const waiting = waitBudget(budgetMs);
  const delivery = answerDelivery({ setups, answers, work, failures, questions, hub, isWaiting: waiting.isWaiting, now });
  const hold = holdBack(now);
  const queue = questionQueue({
    setups,
    work,
    failures,
    hiddenNamespaces,
    questions,
    ask,
    delivery,
    heldBack: hold.extend,
    holder,
    now,
    log,
  });
  const workers = queueWorkers({
    askNext: queue.askNext,
    isConfigured: () => setups.latest() !== undefined,
    refresh: setups.current,
    pollMs,
    log,
  });

  return {
    setups: {
      ...setups,
      async save(body, at) {
        const record = await setups.save(body, at);
        hold.clear();
        await work.renew(at);
        workers.wake();
        return record;
      },
    },
    ...modelStatus({ setups, questions, answers, calls, work, now }),
    ...solver({ setups, hiddenNamespaces, questions, ask, delivery, work, failures, hub, waitMs: personWaitsMs, now, log }),
    tally: tally.list,
    askTopic: topicAsker({ setups, questions, ask, waitMs: personWaitsMs, log }),

    offer: recordOffer({ setups, hiddenNamespaces, work, failures, queue, workers, delivery, waiting, hold, now, log }),

    async diagnose(subject, incidentId) {
      const model = incidentId === undefined ? undefined : await setups.current();
      const answer = model && incidentId !== undefined ? await delivery.answerOf(incidentId) : undefined;
      if (!answer) return diagnose(subject);
      const { prompt } = await questions.of(subject, model?.setup);
      return withModel(answer, { subject, ...prompt });
    },

    start: workers.start,

    async stop() {
      const { finished } = workers.stop();
      queue.stop();
      await finished;
      await work.release(holder).catch(() => {});
    },
  };
}
