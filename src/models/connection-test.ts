import Type from 'typebox';
import { Compile } from 'typebox/compile';
import type { ModelTest } from '../contract/model.ts';
import { type ModelClient, ModelError } from './providers/model.ts';

/** How long a person waits for the test. */
const TEST_MS = 20_000;
const Answer = Type.Object({ ok: Type.Boolean() }, { additionalProperties: false });
const isAnswer = Compile(Answer);

/** Asks the model a small question and returns whether that worked. Never throws. */
export async function testConnection(client: ModelClient, model: string): Promise<ModelTest> {
  const begun = performance.now();
  const result = (success: boolean, message: string, reason: string | null): ModelTest => ({
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
      ? result(true, `${model} answers`, null)
      : result(false, 'The model answers, but not in the form that it is asked for', 'malformed');
  } catch (error) {
    if (error instanceof ModelError) return result(false, error.message, error.reason);
    return result(false, 'The question could not be asked', 'bad-request');
  }
}
