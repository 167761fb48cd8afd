import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ModelAnswerRepository } from '../db/model-answers.ts';
import { CALL_MS, type CallDeps, caller, type Unanswered } from './call.ts';
import type { CachedQuestion } from './policy/question.ts';
import type { ConfiguredModel } from './setup.ts';

export type { Unanswered } from './call.ts';

/** The result of asking a model. */
export type AskOutcome<T> = { kind: 'answered'; answer: T; cached: boolean } | Unanswered;

export interface AskDeps extends CallDeps {
  answers: ModelAnswerRepository;
}

export type Ask = <T>(
  model: ConfiguredModel,
  question: CachedQuestion<T>,
  options?: { anew?: boolean; signal?: AbortSignal },
) => Promise<AskOutcome<T>>;

/** While another replica asks the same question, the database is checked for its answer at this interval. */
const LOOK_MS = 250;
/** After this time the claim of a process that died expires. */
const CLAIM_MS = CALL_MS + 10_000;

/**
 * Asks a model. A stored answer is used unless `anew` is set. If an answer has the wrong form, the model is asked once more. Callers with
 * the same question, in any replica, wait for the answer to the first one. The limits in the settings apply to every call. Throws
 * DatabaseUnavailable.
 */
export function asker(deps: AskDeps): Ask {
  const { answers, count, now } = deps;
  const call = caller(deps);

  const storedAnswer = async <T>(
    { setup }: ConfiguredModel,
    { fingerprint, read }: CachedQuestion<T>,
  ): Promise<AskOutcome<T> | undefined> => {
    const stored = read(await answers.get(fingerprint, now()));
    if (!('answer' in stored)) return undefined;
    count(setup.provider, 'cached');
    return { kind: 'answered', answer: stored.answer, cached: true };
  };
  const askNow = async <T>(model: ConfiguredModel, question: CachedQuestion<T>, until: AbortSignal): Promise<AskOutcome<T>> => {
    const { fingerprint, system, user, schema, maxTokens, read } = question;
    const sent = { system, user, schema, maxTokens };
    const { provider, model: name } = model.setup;
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
  /** Waits while another caller asks the same question. Returns whether it had to wait; undefined if it waited too long. */
  const claim = async (fingerprint: string, holder: string, until: AbortSignal): Promise<'at once' | 'later' | undefined> => {
    for (let tries = 0; !until.aborted; tries++) {
      const at = now();
      const mine = { now: at, until: new Date(at.getTime() + CLAIM_MS) };
      if (await answers.claim(fingerprint, holder, mine)) return tries === 0 ? 'at once' : 'later';
      await sleep(LOOK_MS, undefined, { signal: until }).catch(() => undefined);
    }
    return undefined;
  };

  return async (model, question, { anew = false, signal } = {}) => {
    const stored = anew ? undefined : await storedAnswer(model, question);
    if (stored) return stored;
    const until = AbortSignal.any([AbortSignal.timeout(CALL_MS), ...(signal ? [signal] : [])]);
    const holder = randomUUID();
    const { fingerprint } = question;
    const claimed = await claim(fingerprint, holder, until);
    if (!claimed) return { kind: 'held', by: { why: 'concurrency', until: new Date(now().getTime() + CLAIM_MS) } };
    try {
      // If we had to wait, the other process has stored its answer, if it got one.
      const found = anew && claimed === 'at once' ? undefined : await storedAnswer(model, question);
      return found ?? (await askNow(model, question, until));
    } finally {
      // The claim expires by itself while the database is unavailable.
      await answers.release(fingerprint, holder).catch(() => undefined);
    }
  };
}

/** Describes the mistake in the form of an answer; undefined for a well-formed answer and for no answer. */
function whatIsWrong(outcome: Awaited<ReturnType<ReturnType<typeof caller>>>): string | undefined {
  if ('wrong' in outcome) return outcome.wrong;
  return 'kind' in outcome && outcome.kind === 'failed' && outcome.reason === 'malformed' ? 'it was no whole JSON object' : undefined;
}

function onceMore(wrong: string): string {
  return `\n\nAn earlier answer could not be used: ${wrong}. Answer with the JSON object alone, in exactly the form given above.`;
}
