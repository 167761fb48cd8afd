import type { CallLimits, HeldBack, ModelCallRepository } from '../db/model-calls.ts';
import type { Logger } from '../log.ts';
import type { CachedQuestion, Question } from './policy/question.ts';
import { ModelError, type ModelErrorReason } from './providers/model.ts';
import type { ConfiguredModel } from './setup.ts';

/** How long one call may take; the HTTP client has a longer timeout. */
export const CALL_MS = 120_000;
/** After this time the call of a process that died no longer counts as running. */
const LEASE_MS = CALL_MS + 10_000;

/** No answer. `held`: nothing was asked. */
export type Unanswered =
  | { kind: 'held'; by: HeldBack }
  | { kind: 'failed'; reason: ModelErrorReason; message: string; retryAt: Date | undefined };

/** The result of one call: an answer, an answer in the wrong form (`wrong` says what is wrong), or none. */
export type CallOutcome<T> = { answer: T } | { wrong: string } | Unanswered;

export interface CallDeps {
  calls: ModelCallRepository;
  limits(): Promise<CallLimits>;
  /** Called once per question with its outcome. */
  count(provider: string, outcome: string): void;
  now(): Date;
  log: Logger;
}

/** Makes one call if the limits allow it, and records it in the ledger of calls. Throws DatabaseUnavailable. */
export function caller({ calls, limits, count, now, log }: CallDeps) {
  const failureOf = (error: unknown, provider: string): ModelError => {
    if (error instanceof ModelError) return error;
    log.error({ err: error, provider }, 'a model could not be asked');
    return new ModelError('bad-request', 'The question could not be asked');
  };

  return async <T>(
    model: ConfiguredModel,
    question: Question,
    read: CachedQuestion<T>['read'],
    signal: AbortSignal,
  ): Promise<CallOutcome<T>> => {
    const { provider } = model.setup;
    const leave = await calls.begin({ setup: model.id, provider }, await limits(), now(), LEASE_MS);
    if (!('id' in leave)) {
      count(provider, 'held-back');
      return { kind: 'held', by: leave };
    }
    try {
      const { value, inputTokens, outputTokens } = await model.client.ask(question, signal);
      const parsed = read(value);
      const outcome = 'answer' in parsed ? 'answered' : 'malformed';
      const message = 'wrong' in parsed ? `The answer has the wrong form: ${parsed.wrong}` : null;
      await calls.end(leave.id, { outcome, inputTokens, outputTokens, retryAt: null, message }, now());
      count(provider, outcome);
      return parsed;
    } catch (error) {
      const { reason, message, tokens, retryAfterMs } = failureOf(error, provider);
      const retryAt = retryAfterMs === undefined ? undefined : new Date(now().getTime() + retryAfterMs);
      await calls.end(leave.id, { outcome: reason, ...tokens, retryAt: retryAt ?? null, message }, now());
      count(provider, reason);
      return { kind: 'failed', reason, message, retryAt };
    }
  };
}
