import type { ModelAnswerRepository } from '../db/model-answers.ts';
import { CALL_MS, type CallDeps, caller, type Unanswered } from './call.ts';
import type { CachedQuestion } from './policy/question.ts';
import type { ConfiguredModel } from './setup.ts';

export type { Unanswered } from './call.ts';

/** What asking came to. */
export type AskOutcome<T> = { kind: 'answered'; answer: T; cached: boolean } | Unanswered;

export interface AskDeps extends CallDeps {
  answers: ModelAnswerRepository;
}

export type Ask = <T>(
  model: ConfiguredModel,
  question: CachedQuestion<T>,
  options?: { anew?: boolean; signal?: AbortSignal },
) => Promise<AskOutcome<T>>;

/**
 * Asks a model. A stored answer is used unless `anew` is set; an answer in the wrong form is asked for once more. The limits in the settings
 * hold for every call. Throws DatabaseUnavailable.
 */
export function asker(deps: AskDeps): Ask {
  const { answers, count, now } = deps;
  const call = caller(deps);

  return async (model, question, { anew = false, signal } = {}) => {
    const { fingerprint, system, user, schema, maxTokens, read } = question;
    const sent = { system, user, schema, maxTokens };
    const { provider, model: name } = model.setup;
    const stored = anew ? undefined : read(await answers.get(fingerprint, now()));
    if (stored && 'answer' in stored) {
      count(provider, 'cached');
      return { kind: 'answered', answer: stored.answer, cached: true };
    }
    const until = AbortSignal.any([AbortSignal.timeout(CALL_MS), ...(signal ? [signal] : [])]);
    let outcome = await call(model, sent, read, until);
    const wrong = whatIsWrong(outcome);
    if (wrong !== undefined) outcome = await call(model, { ...sent, user: user + onceMore(wrong) }, read, until);
    if ('answer' in outcome) {
      await answers.put({ fingerprint, answer: outcome.answer, provider, model: name }, now());
      return { kind: 'answered', answer: outcome.answer, cached: false };
    }
    const stillWrong = whatIsWrong(outcome);
    if (stillWrong !== undefined)
      return { kind: 'failed', reason: 'malformed', message: `The answer has the wrong form: ${stillWrong}`, retryAt: undefined };
    return outcome as Unanswered;
  };
}

/** What is wrong with the form of an answer; undefined for a good answer, and for none. */
function whatIsWrong(outcome: Awaited<ReturnType<ReturnType<typeof caller>>>): string | undefined {
  if ('wrong' in outcome) return outcome.wrong;
  return 'kind' in outcome && outcome.kind === 'failed' && outcome.reason === 'malformed' ? 'it was no whole JSON object' : undefined;
}

function onceMore(wrong: string): string {
  return `\n\nAn earlier answer could not be used: ${wrong}. Answer with the JSON object alone, in exactly the form given above.`;
}
