import type { CallLimits, HeldBack, ModelCallRepository } from '../../db/model-calls.ts';
import type { ModelAnswerRepository } from '../../db/model-answers.ts';
import type { Logger } from '../../log.ts';
import { ModelError, type ModelErrorReason, type Question, type Reply } from '../llm/model.ts';
import type { Asking } from './asking.ts';
import type { ConfiguredModel } from './setup.ts';

/** How long one call may take; the HTTP client's own bound lies above. */
const CALL_MS = 120_000;
/** A call of a process that died counts as under way until then. */
const LEASE_MS = CALL_MS + 10_000;

/** What asking came to. `held`: nothing was asked. */
export type Asked<T> = { kind: 'answered'; answer: T; cached: boolean } | Unanswered;
export type Unanswered =
  | { kind: 'held'; by: HeldBack }
  | { kind: 'failed'; reason: ModelErrorReason; message: string; retryAt: Date | undefined };

export interface AskDeps {
  answers: ModelAnswerRepository;
  calls: ModelCallRepository;
  limits(): Promise<CallLimits>;
  /** Told of every question by what became of it. */
  count(provider: string, outcome: string): void;
  now(): Date;
  log: Logger;
}

export type Ask = <T>(model: ConfiguredModel, question: Asking<T>, options?: { anew?: boolean; signal?: AbortSignal }) => Promise<Asked<T>>;

/**
 * Asks a model, on its leash: an answer that is kept is taken from there (not when it is asked `anew`), the ledger gives leave or not, and
 * an answer in the wrong form is asked for once more. Throws DatabaseUnavailable.
 */
export function asker({ answers, calls, limits, count, now, log }: AskDeps): Ask {
  const callOnce = async (
    model: ConfiguredModel,
    question: Question,
    read: Asking<unknown>['read'],
    signal: AbortSignal,
  ): Promise<Reply | Unanswered> => {
    const { provider } = model.setup;
    const leave = await calls.begin({ setup: model.id, provider }, await limits(), now(), LEASE_MS);
    if (!('id' in leave)) {
      count(provider, 'held-back');
      return { kind: 'held', by: leave };
    }
    try {
      const reply = await model.client.ask(question, signal);
      const { inputTokens, outputTokens } = reply;
      const form = read(reply.value);
      const outcome = 'answer' in form ? 'answered' : 'malformed';
      await calls.end(
        leave.id,
        {
          outcome,
          inputTokens,
          outputTokens,
          retryAt: null,
          message: 'wrong' in form ? `The answer has the wrong form: ${form.wrong}` : null,
        },
        now(),
      );
      count(provider, outcome);
      return reply;
    } catch (error) {
      const failure = error instanceof ModelError ? error : new ModelError('bad-request', 'The question could not be asked');
      if (failure !== error) log.error({ err: error, provider }, 'a model could not be asked');
      const retryAt = failure.retryAfterMs === undefined ? undefined : new Date(now().getTime() + failure.retryAfterMs);
      await calls.end(leave.id, { outcome: failure.reason, ...failure.tokens, retryAt: retryAt ?? null, message: failure.message }, now());
      count(provider, failure.reason);
      return { kind: 'failed', reason: failure.reason, message: failure.message, retryAt };
    }
  };

  return async (model, question, { anew = false, signal } = {}) => {
    const { fingerprint, system, user, schema, maxTokens, read } = question;
    const kept = anew ? undefined : read(await answers.get(fingerprint, now()));
    if (kept && 'answer' in kept) {
      count(model.setup.provider, 'cached');
      return { kind: 'answered', answer: kept.answer, cached: true };
    }
    const until = AbortSignal.any([AbortSignal.timeout(CALL_MS), ...(signal ? [signal] : [])]);
    let more = '';
    for (let attempt = 1; ; attempt++) {
      const reply = await callOnce(model, { system, user: user + more, schema, maxTokens }, read, until);
      const form = 'kind' in reply ? undefined : read(reply.value);
      if (form && 'answer' in form) {
        await answers.put({ fingerprint, answer: form.answer, provider: model.setup.provider, model: model.setup.model }, now());
        return { kind: 'answered', answer: form.answer, cached: false };
      }
      const isMalformed = form !== undefined || ('kind' in reply && reply.kind === 'failed' && reply.reason === 'malformed');
      const wrong = form && 'wrong' in form ? form.wrong : 'it was no whole JSON object';
      if ('kind' in reply && !isMalformed) return reply;
      if (attempt === 2)
        return { kind: 'failed', reason: 'malformed', message: `The answer has the wrong form: ${wrong}`, retryAt: undefined };
      more = `\n\nAn earlier answer could not be used: ${wrong}. Answer with the JSON object alone, in exactly the form given above.`;
    }
  };
}
