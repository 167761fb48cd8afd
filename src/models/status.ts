import type { FailureDetail } from '../contract/failure.ts';
import type { ModelPrompt, ModelStatus } from '../contract/model.ts';
import type { ModelAnswerRepository } from '../db/model-answers.ts';
import type { ModelCallRepository } from '../db/model-calls.ts';
import type { ModelWorkRepository } from '../db/model-work.ts';
import { PROMPT_VERSION } from './policy/prompt.ts';
import type { Questions } from './questions.ts';
import type { ModelSetups } from './setup.ts';

export interface ModelStatusDeps {
  setups: Pick<ModelSetups, 'record' | 'current'>;
  questions: Questions;
  answers: Pick<ModelAnswerRepository, 'has'>;
  calls: Pick<ModelCallRepository, 'state' | 'cost'>;
  work: Pick<ModelWorkRepository, 'pending'>;
  now(): Date;
}

/** The state of the model, and the prompt for a failure, as administrators see them. Throws DatabaseUnavailable. */
export function modelStatus({ setups, questions, answers, calls, work, now }: ModelStatusDeps) {
  return {
    async status(): Promise<ModelStatus> {
      const [record, model, limits, pending, cost] = await Promise.all([
        ...([setups.record(), setups.current(), questions.limits()] as const),
        ...([work.pending(), calls.cost()] as const),
      ]);
      const { held, calls: made, tokens, lastError } = await calls.state(model?.id ?? '', limits, now());
      const hold = model && held ? { held_back: held.why, held_until: held.until.toISOString() } : { held_back: null, held_until: null };
      return {
        ...record,
        available: model !== undefined && !held,
        ...hold,
        calls_last_hour: made,
        tokens_last_hour: tokens,
        pending,
        last_error: lastError,
        cost,
      };
    },

    /** The exact prompt that would be sent about a failure. */
    async prompt(detail: FailureDetail): Promise<ModelPrompt> {
      const model = await setups.current();
      const { prompt } = await questions.about(detail, model?.setup);
      const { system, user, schema, maxTokens, fingerprint } = prompt;
      const request = model?.client.request({ system, user, schema, maxTokens });
      return {
        configured: model !== undefined,
        provider: model?.setup.provider ?? null,
        model: model?.setup.model ?? null,
        url: request?.url ?? null,
        prompt_version: PROMPT_VERSION,
        fingerprint,
        cached: await answers.has(fingerprint),
        system,
        user,
        body: request?.body ?? null,
      };
    },
  };
}
