import { countOf, fieldOf, ModelError, type ModelClientFactory, type ModelSetup, objectIn, postJson, type Reply } from './model.ts';
import type { Question } from '../policy/question.ts';

/** The differences between servers with OpenAI's chat completions interface. */
interface Dialect {
  url(setup: ModelSetup): string;
  headers(setup: ModelSetup): Record<string, string>;
  /** The request fields that set the format of the answer and limit its length. */
  form(question: Question): Record<string, unknown>;
}

const bearer = ({ apiKey }: ModelSetup): Record<string, string> => (apiKey ? { authorization: `Bearer ${apiKey}` } : {});
const strictForm = ({ schema, maxTokens }: Question) => ({
  max_completion_tokens: maxTokens,
  response_format: { type: 'json_schema', json_schema: { name: 'answer', strict: true, schema } },
});

/** OpenAI itself. */
export const openai = chat({
  url: ({ baseUrl }) => `${baseUrl ?? 'https://api.openai.com/v1'}/chat/completions`,
  headers: bearer,
  form: strictForm,
});

/**
 * Other servers with this interface: Ollama, vLLM, Groq, GitHub Models. All of them support JSON mode, but not all support schemas, so the
 * question names the fields.
 */
export const compatible = chat({
  url: ({ baseUrl }) => `${baseUrl ?? ''}/chat/completions`,
  headers: bearer,
  form: ({ maxTokens }) => ({ max_tokens: maxTokens, response_format: { type: 'json_object' } }),
});

/** Azure: the resource's address, the newest version of its interface, and the deployment's name as the model. */
export const azure = chat({
  url: ({ baseUrl }) => `${(baseUrl ?? '').replace(/\/openai(?:\/v1)?$/, '')}/openai/v1/chat/completions`,
  headers: ({ apiKey }) => ({ 'api-key': apiKey }),
  form: strictForm,
});

function chat(dialect: Dialect): ModelClientFactory {
  return (setup, http) => {
    const request = (question: Question) => ({
      url: dialect.url(setup),
      body: {
        model: setup.model,
        messages: [
          { role: 'system', content: question.system },
          { role: 'user', content: question.user },
        ],
        ...dialect.form(question),
      },
    });
    return { request, ask: async (question, signal) => replyOf(await postJson(http, request(question), dialect.headers(setup), signal)) };
  };
}

function replyOf(answer: unknown): Reply {
  const tokens = { inputTokens: countOf(answer, 'usage', 'prompt_tokens'), outputTokens: countOf(answer, 'usage', 'completion_tokens') };
  const choice = fieldOf(answer, 'choices', 0);
  const ended = fieldOf(choice, 'finish_reason');
  if (typeof fieldOf(choice, 'message', 'refusal') === 'string' || ended === 'content_filter')
    throw new ModelError('refused', 'The model refuses to answer', tokens);
  if (ended === 'length') throw new ModelError('malformed', 'The answer was cut: it is too long', tokens);
  const text = fieldOf(choice, 'message', 'content');
  if (typeof text !== 'string') throw new ModelError('malformed', 'The answer is not one of this interface', tokens);
  return { value: objectIn(text, tokens), ...tokens };
}
