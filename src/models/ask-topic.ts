import type { Logger } from '../log.ts';
import type { Pseudonyms } from '../redact/pseudonyms.ts';
import type { Ask } from './ask.ts';
import type { CachedQuestion } from './policy/question.ts';
import type { Questions } from './questions.ts';
import type { ModelSetups } from './setup.ts';
import { within } from './wait-budget.ts';

/** A question to the model about a finding or a piece of advice, not about a failing pod. */
export interface Topic<T> {
  /** Names of objects in the question. They are replaced by pseudonyms if the settings say so. */
  names: readonly string[];
  question(pseudonyms: Pseudonyms, model: readonly string[]): CachedQuestion<T>;
}

/** An answer whose names are still pseudonyms. */
export interface TopicAnswer<T> {
  answer: T;
  restore(text: string): string;
}

/**
 * The model's answer, stored or new. Undefined without a model, when the model does not answer, and when it takes too long. In the last
 * case `later` is called with the answer, which is also stored for the next time. Throws DatabaseUnavailable.
 */
export type AskTopic = <T>(topic: Topic<T>, later?: (reply: TopicAnswer<T>) => Promise<void>) => Promise<TopicAnswer<T> | undefined>;

export interface AskTopicDeps {
  setups: Pick<ModelSetups, 'current'>;
  questions: Pick<Questions, 'hiding'>;
  ask: Ask;
  waitMs: number;
  log: Logger;
}

/**
 * Asks questions for people, within the same limits as all other questions. People who ask the same question at the same time share one
 * call.
 */
export function topicAsker({ setups, questions, ask, waitMs, log }: AskTopicDeps): AskTopic {
  const underWay = new Map<string, ReturnType<Ask>>();

  return async <T>(topic: Topic<T>, later?: (reply: TopicAnswer<T>) => Promise<void>) => {
    const model = await setups.current();
    if (!model) return undefined;
    const pseudonyms = await questions.hiding(topic.names);
    const question = topic.question(pseudonyms, [model.setup.provider, model.setup.model]);
    const { fingerprint } = question;
    const asking = (underWay.get(fingerprint) as ReturnType<typeof ask<T>> | undefined) ?? ask(model, question);
    underWay.set(fingerprint, asking);
    const reply = asking
      .finally(() => underWay.delete(fingerprint))
      .then((came): TopicAnswer<T> | undefined =>
        came.kind === 'answered' ? { answer: came.answer, restore: (text) => pseudonyms.restore(text) } : undefined,
      )
      .catch((error: unknown) => {
        log.warn({ err: error }, 'the model could not be asked');
        return undefined;
      });
    const made = await within(waitMs, reply);
    if (made !== 'late') return made;
    void reply.then((late) => late && later?.(late)).catch((error: unknown) => log.warn({ err: error }, 'a late answer is lost'));
    return undefined;
  };
}
