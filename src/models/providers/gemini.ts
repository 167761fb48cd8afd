import { countOf, fieldOf, ModelError, type ModelClientFactory, objectIn, postJson, type Reply } from './model.ts';
import type { Question } from '../policy/question.ts';

const BASE = 'https://generativelanguage.googleapis.com';
const REFUSALS = new Set(['SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'LANGUAGE']);

/** Gemini. The key is sent in a header, because proxies log addresses. */
export const gemini: ModelClientFactory = (setup, http) => {
  const request = ({ system, user, schema, maxTokens }: Question) => ({
    url: `${setup.baseUrl ?? BASE}/v1beta/models/${encodeURIComponent(setup.model.replace(/^models\//, ''))}:generateContent`,
    body: {
      systemInstruction: { parts: [{ text: system }] },
      contents: [{ role: 'user', parts: [{ text: user }] }],
      generationConfig: { responseMimeType: 'application/json', responseJsonSchema: schema, maxOutputTokens: maxTokens },
    },
  });
  return {
    request,
    ask: async (question, signal) => replyOf(await postJson(http, request(question), { 'x-goog-api-key': setup.apiKey }, signal)),
  };
};

function replyOf(answer: unknown): Reply {
  const tokens = {
    inputTokens: countOf(answer, 'usageMetadata', 'promptTokenCount'),
    outputTokens: countOf(answer, 'usageMetadata', 'candidatesTokenCount') + countOf(answer, 'usageMetadata', 'thoughtsTokenCount'),
  };
  const candidate = fieldOf(answer, 'candidates', 0);
  const ended = fieldOf(candidate, 'finishReason');
  if (fieldOf(answer, 'promptFeedback', 'blockReason') !== undefined || (typeof ended === 'string' && REFUSALS.has(ended)))
    throw new ModelError('refused', 'The model refuses to answer', tokens);
  if (ended === 'MAX_TOKENS') throw new ModelError('malformed', 'The answer was cut: it is too long', tokens);
  const parts = fieldOf(candidate, 'content', 'parts');
  const texts = (Array.isArray(parts) ? parts : [])
    .filter((part) => fieldOf(part, 'thought') !== true)
    .map((part) => fieldOf(part, 'text'));
  const text = texts.filter((one) => typeof one === 'string').join('');
  if (text === '') throw new ModelError('malformed', 'The answer is not one of this interface', tokens);
  return { value: objectIn(text, tokens), ...tokens };
}
