import type { Logger } from '../../log.ts';
import type { Pseudonyms } from '../../redact/pseudonyms.ts';
import type { Ask } from './ask.ts';
import type { Asking } from './asking.ts';
import type { Questions } from './question.ts';
import type { ModelSetups } from './setup.ts';
import { within } from './waiting.ts';

/** What a person wants to hear of the model now: anything but why a pod fails. */
export interface Matter<T> {
  /** Of the objects in it: hidden when names are. */
  names: readonly string[];
  question(pseudonyms: Pseudonyms, model: readonly string[]): Asking<T>;
}

/** An answer in which pseudonyms are still to be turned back. */
export interface Counsel<T> {
  answer: T;
  restore(text: string): string;
}

/**
 * The model's answer, kept or new; undefined without a model, when it does not answer, and when it takes too long: then `later` is told, and the
 * answer is kept for the next time. Throws DatabaseUnavailable.
 */
export type Consult = <T>(matter: Matter<T>, later?: (counsel: Counsel<T>) => Promise<void>) => Promise<Counsel<T> | undefined>;

export interface ConsultDeps {
  setups: Pick<ModelSetups, 'current'>;
  questions: Pick<Questions, 'hiding'>;
  ask: Ask;
  waitMs: number;
  log: Logger;
}

/** Asks for people: on the same leash as everybody, and once for all who ask the same thing at the same time. */
export function consultations({ setups, questions, ask, waitMs, log }: ConsultDeps): Consult {
  const underWay = new Map<string, ReturnType<Ask>>();

  return async <T>(matter: Matter<T>, later?: (counsel: Counsel<T>) => Promise<void>) => {
    const model = await setups.current();
    if (!model) return undefined;
    const pseudonyms = await questions.hiding(matter.names);
    const question = matter.question(pseudonyms, [model.setup.provider, model.setup.model]);
    const { fingerprint } = question;
    const asking = (underWay.get(fingerprint) as ReturnType<typeof ask<T>> | undefined) ?? ask(model, question);
    underWay.set(fingerprint, asking);
    const counsel = asking
      .finally(() => underWay.delete(fingerprint))
      .then((came): Counsel<T> | undefined =>
        came.kind === 'answered' ? { answer: came.answer, restore: (text) => pseudonyms.restore(text) } : undefined,
      )
      .catch((error: unknown) => {
        log.warn({ err: error }, 'the model could not be consulted');
        return undefined;
      });
    const made = await within(waitMs, counsel);
    if (made !== 'late') return made;
    void counsel.then((late) => late && later?.(late)).catch((error: unknown) => log.warn({ err: error }, 'a late answer is lost'));
    return undefined;
  };
}
