import { type HttpRequest, type Http } from '../../http.ts';
import { countOf, errorOf, fieldOf, ModelError, type ModelClientFactory, reached } from './model.ts';
import type { Question } from '../policy/question.ts';

const BASE = 'https://api.anthropic.com';
const TOOL = 'answer';

/** Claude, through Anthropic's SDK. The answer is the input of a tool that the model must call. */
export const anthropic: ModelClientFactory = (setup, http) => {
  const baseURL = setup.baseUrl ?? BASE;
  const bodyOf = ({ system, user, schema, maxTokens }: Question) => ({
    model: setup.model,
    max_tokens: maxTokens,
    system,
    messages: [{ role: 'user' as const, content: user }],
    tools: [{ name: TOOL, description: 'Gives the answer.', input_schema: { type: 'object' as const, ...schema } }],
    tool_choice: { type: 'tool' as const, name: TOOL },
  });
  return {
    request: (question) => ({ url: `${baseURL}/v1/messages`, body: bodyOf(question) }),
    async ask(question, signal) {
      // Loading the SDK takes a tenth of a second, so it is loaded by the first question only.
      const { default: Anthropic, APIError } = await import('@anthropic-ai/sdk');
      let failure: ModelError | undefined;
      const client = new Anthropic({
        // If these are not set, the SDK reads them from the environment.
        apiKey: setup.apiKey,
        baseURL,
        // The library's timeout is per attempt, the HTTP client's is for the whole call. The queue repeats calls.
        maxRetries: 0,
        logLevel: 'off',
        fetch: async (input, init) => {
          const answer = await reached(http(addressOf(input), plain(init))).catch((error: unknown) => {
            if (error instanceof ModelError) failure = error;
            throw error;
          });
          if (answer.status !== 200) failure = errorOf(answer.status, answer.headers, answer.body);
          return new Response(answer.body, { status: answer.status, headers: answer.headers });
        },
      });
      const message = await client.messages.create(bodyOf(question), signal ? { signal } : {}).catch((error: unknown): never => {
        if (failure) throw failure;
        if (signal?.aborted) throw new ModelError('timeout', `${baseURL} did not answer in time`);
        throw error instanceof APIError || error instanceof SyntaxError
          ? new ModelError('malformed', 'The answer is not one of this interface')
          : error;
      });
      return replyOf(message);
    },
  };
};

function replyOf(message: unknown) {
  const tokens = { inputTokens: countOf(message, 'usage', 'input_tokens'), outputTokens: countOf(message, 'usage', 'output_tokens') };
  const stopped = fieldOf(message, 'stop_reason');
  if (stopped === 'refusal') throw new ModelError('refused', 'The model refuses to answer', tokens);
  if (stopped === 'max_tokens') throw new ModelError('malformed', 'The answer was cut: it is too long', tokens);
  const content = fieldOf(message, 'content');
  const used: unknown = Array.isArray(content) ? content.find((block) => fieldOf(block, 'type') === 'tool_use') : undefined;
  if (used === undefined) throw new ModelError('malformed', 'The answer holds no object', tokens);
  return { value: fieldOf(used, 'input'), ...tokens };
}

function addressOf(input: string | URL | Request): string {
  return input instanceof Request ? input.url : String(input);
}

/** Converts the SDK's request for the project's HTTP client. */
function plain(init: RequestInit | undefined): HttpRequest & Parameters<Http>[1] {
  const headers = Object.fromEntries(new Headers(init?.headers).entries());
  const body = typeof init?.body === 'string' ? init.body : null;
  return { method: 'POST', headers, body, ...(init?.signal ? { signal: init.signal } : {}) };
}
