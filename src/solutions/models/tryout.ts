import Type from 'typebox';
import { Compile } from 'typebox/compile';
import type { ModelTest } from '../../contract/model.ts';
import { type ModelClient, ModelError } from '../llm/model.ts';

/** How long somebody watches a test. */
const TEST_MS = 20_000;
const Answer = Type.Object({ ok: Type.Boolean() }, { additionalProperties: false });
const isAnswer = Compile(Answer);

/** Asks a model one small question of the kind that it will be asked later, and says in words how that went. Never throws. */
export async function tryModel(client: ModelClient, model: string): Promise<ModelTest> {
  const begun = performance.now();
  const told = (success: boolean, message: string, reason: string | null): ModelTest => ({
    success,
    message,
    reason,
    duration_ms: Math.round(performance.now() - begun),
  });
  const question = {
    system: 'You answer in JSON.',
    user: 'Answer with {"ok": true} as JSON, and nothing else.',
    schema: Answer,
    maxTokens: 1024,
  };
  try {
    const { value } = await client.ask(question, AbortSignal.timeout(TEST_MS));
    return isAnswer.Check(value)
      ? told(true, `${model} answers`, null)
      : told(false, 'The model answers, but not in the form that it is asked for', 'malformed');
  } catch (error) {
    if (error instanceof ModelError) return told(false, error.message, error.reason);
    return told(false, 'The question could not be asked', 'bad-request');
  }
}
