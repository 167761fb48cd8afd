import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Provider } from '../../../src/contract/model.ts';

/** What a model server received. */
export interface Asked {
  url: string;
  headers: IncomingHttpHeaders;
  text: string;
  body: Record<string, unknown>;
}

/** How the server reacts: it answers, stays silent until the caller gives up, or breaks the connection in the middle of the answer. */
export type Answered = { status?: number; headers?: Record<string, string>; body: string } | 'hang' | 'break';

export interface ModelServer {
  url: string;
  asked: Asked[];
  /** Called for every question, in order. */
  answer: (asked: Asked) => Answered | Promise<Answered>;
  close(): Promise<void>;
}

/** A fake model server on 127.0.0.1. */
export async function modelServer(answer: ModelServer['answer']): Promise<ModelServer> {
  const fake: ModelServer = { url: '', asked: [], answer, close: async () => {} };
  const server = createServer((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => (text += chunk.toString()));
    request.on('end', () => {
      const asked = { url: request.url ?? '', headers: request.headers, text, body: JSON.parse(text || '{}') as Record<string, unknown> };
      fake.asked.push(asked);
      void Promise.resolve(fake.answer(asked)).then((answered) => {
        if (answered === 'hang') return;
        if (answered === 'break') {
          response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
          response.write('{"half":');
          setImmediate(() => response.destroy());
          return;
        }
        response.writeHead(answered.status ?? 200, { 'content-type': 'application/json', ...answered.headers });
        response.end(answered.body);
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  fake.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  fake.close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return fake;
}

/** How each interface wraps the answer of a model. `text` is the object as the model wrote it. */
export const SAYS: Record<
  Provider,
  { said(text: string): string; cut: string; refuses: string; error(status: number): string; path: string; key: string }
> = (() => {
  const chat = (choice: object): string =>
    JSON.stringify({
      id: 'c1',
      object: 'chat.completion',
      choices: [{ index: 0, ...choice }],
      usage: { prompt_tokens: 11, completion_tokens: 7 },
    });
  const openai = {
    said: (text: string) => chat({ finish_reason: 'stop', message: { role: 'assistant', content: text, refusal: null } }),
    cut: chat({ finish_reason: 'length', message: { role: 'assistant', content: '{"expl' } }),
    refuses: chat({ finish_reason: 'stop', message: { role: 'assistant', content: null, refusal: 'I cannot help with that' } }),
    error: (status: number) =>
      JSON.stringify({
        error: {
          message: 'the key sk-leaked is wrong',
          type: 'invalid_request_error',
          code: status === 404 ? 'model_not_found' : 'some_error',
        },
      }),
  };
  const message = (more: object): string =>
    JSON.stringify({
      id: 'm1',
      type: 'message',
      role: 'assistant',
      model: 'claude',
      usage: { input_tokens: 11, output_tokens: 7 },
      ...more,
    });
  const parsed = (text: string): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      return text;
    }
  };
  const generated = (candidate: object): string =>
    JSON.stringify({ candidates: [candidate], usageMetadata: { promptTokenCount: 11, candidatesTokenCount: 7 } });
  return {
    anthropic: {
      said: (text) =>
        message({
          stop_reason: 'tool_use',
          content: [
            { type: 'text', text: 'Here.' },
            { type: 'tool_use', id: 't1', name: 'answer', input: parsed(text) },
          ],
        }),
      cut: message({ stop_reason: 'max_tokens', content: [{ type: 'tool_use', id: 't1', name: 'answer', input: {} }] }),
      refuses: message({ stop_reason: 'refusal', content: [] }),
      error: (status) =>
        JSON.stringify({
          type: 'error',
          error: { type: status === 404 ? 'not_found_error' : 'some_error', message: 'the key sk-leaked is wrong' },
        }),
      path: '/v1/messages',
      key: 'authorization',
    },
    openai: { ...openai, path: '/chat/completions', key: 'authorization' },
    'openai-compatible': { ...openai, path: '/chat/completions', key: 'authorization' },
    azure: { ...openai, path: '/openai/v1/chat/completions', key: 'api-key' },
    gemini: {
      said: (text) => generated({ finishReason: 'STOP', content: { parts: [{ text: 'thinking', thought: true }, { text }] } }),
      cut: generated({ finishReason: 'MAX_TOKENS', content: { parts: [{ text: '{"expl' }] } }),
      refuses: JSON.stringify({ promptFeedback: { blockReason: 'SAFETY' } }),
      error: (status) => JSON.stringify({ error: { code: status, message: 'the key sk-leaked is wrong', status: 'SOME_ERROR' } }),
      path: '/v1beta/models/the-model:generateContent',
      key: 'x-goog-api-key',
    },
  };
})();

/** A right answer, with some changes. */
export function aModelAnswer(over: object = {}): string {
  return JSON.stringify({ explanation: 'The model says why.', evidence: [0], changes: [], confidence: 'likely', ...over });
}
