import type { Question } from '../policy/question.ts';
import type { Provider } from '../../contract/model.ts';
import { type Http, type HttpAnswer, HttpError } from '../../http.ts';

/** How to reach a model. */
export interface ModelSetup {
  provider: Provider;
  model: string;
  /** Empty for a server that needs no key. */
  apiKey: string;
  /** Without a slash at its end; null for the provider's own address. */
  baseUrl: string | null;
}

/** A model's reply. `value` is the object that it sent, not yet validated. */
export interface Reply {
  value: unknown;
  inputTokens: number;
  outputTokens: number;
}

/** The request as the provider receives it, without the key. */
export interface ModelRequest {
  url: string;
  body: Record<string, unknown>;
}

/** One provider's interface: `request` builds the request (pure), `ask` sends it. `ask` throws ModelError. */
export interface ModelClient {
  request(question: Question): ModelRequest;
  ask(question: Question, signal?: AbortSignal): Promise<Reply>;
}

/** Makes the client of one provider. */
export type ModelClientFactory = (setup: ModelSetup, http: Http) => ModelClient;

export type ModelErrorReason =
  | 'unauthorized'
  | 'unknown-model'
  | 'rate-limited'
  | 'unreachable'
  | 'tls'
  | 'timeout'
  | 'refused-address'
  | 'malformed'
  | 'server'
  | 'refused'
  | 'bad-request';

/** Why a model gave no answer. The message is for people; it contains no part of the question or the answer. */
export class ModelError extends Error {
  readonly reason: ModelErrorReason;
  /** How long the provider asks to wait. */
  readonly retryAfterMs: number | undefined;
  /** The tokens that the attempt used. */
  readonly tokens: { inputTokens: number; outputTokens: number };
  constructor(
    reason: ModelErrorReason,
    message: string,
    more: { retryAfterMs?: number | undefined; inputTokens?: number; outputTokens?: number } = {},
  ) {
    super(message);
    this.name = 'ModelError';
    this.reason = reason;
    this.retryAfterMs = more.retryAfterMs;
    this.tokens = { inputTokens: more.inputTokens ?? 0, outputTokens: more.outputTokens ?? 0 };
  }
}

/** Posts JSON and returns the parsed body of a 200. Throws ModelError for everything else. */
export async function postJson(
  http: Http,
  { url, body }: ModelRequest,
  headers: Record<string, string>,
  signal?: AbortSignal,
): Promise<unknown> {
  const answer = await reached(
    http(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
      ...(signal ? { signal } : {}),
    }),
  );
  if (answer.status !== 200) throw errorOf(answer.status, answer.headers, answer.body);
  return parsed(answer.body);
}

/** Turns a failed network call into a ModelError with a message for people. */
export async function reached(asking: Promise<HttpAnswer>): Promise<HttpAnswer> {
  try {
    return await asking;
  } catch (error) {
    throw error instanceof HttpError ? unreached(error) : error;
  }
}

const TLS = /^(?:CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|ERR_TLS_|ERR_SSL_|EPROTO|HOSTNAME_MISMATCH|INVALID_CA)/;

function unreached({ code, address }: HttpError): ModelError {
  if (code === 'TIMEOUT' || code === 'ABORTED' || code === 'UND_ERR_CONNECT_TIMEOUT')
    return new ModelError('timeout', `${address} did not answer in time`);
  if (code === 'PRIVATE')
    return new ModelError(
      'refused-address',
      `${address} is not a public address: ALLOW_PRIVATE_ADDRESSES names the ranges that may be reached besides`,
    );
  if (code === 'TOO_LARGE') return new ModelError('malformed', `${address} answered more than an answer can be`);
  if (TLS.test(code)) return new ModelError('tls', `${address} has no certificate that is trusted here (${code})`);
  return new ModelError('unreachable', `${address} cannot be reached (${code})`);
}

/** The error for a status other than 200. Only the kind of error is taken from the body. */
export function errorOf(status: number, headers: Record<string, string>, body: string): ModelError {
  const retryAfterMs = retryAfter(headers['retry-after']);
  const kind = kindOf(body);
  const said = kind ? ` (${kind})` : '';
  if (status === 401 || status === 403) return new ModelError('unauthorized', `The provider refuses the key: ${status}${said}`);
  // Some providers answer 400 for a wrong key.
  if (status === 400 && /api[_ ]?key[_ ]?(?:not[_ ]valid|invalid)/i.test(body))
    return new ModelError('unauthorized', `The provider refuses the key: ${status}${said}`);
  if (status === 404)
    return new ModelError('unknown-model', `The provider does not know the model, or the address is not its interface: 404${said}`);
  if (status === 400 && /model[_ ](?:not[_ ]found|does not exist|decommissioned)|unknown[_ ]model|invalid model/i.test(body))
    return new ModelError('unknown-model', `The provider does not know the model: 400${said}`);
  if (status === 429) return new ModelError('rate-limited', `The provider wants fewer questions: 429${said}`, { retryAfterMs });
  if (status >= 500) return new ModelError('server', `The provider has trouble of its own: ${status}${said}`, { retryAfterMs });
  if (status >= 300 && status < 400)
    return new ModelError('bad-request', `The address answers with a redirect (${status}), which is not followed: name where it leads to`);
  return new ModelError('bad-request', `The provider does not take the question: ${status}${said}`);
}

const LONGEST_RETRY_MS = 3_600_000;

/** Reads `Retry-After`, in seconds or as a date. The result is limited, because the value comes from outside. */
function retryAfter(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const ms = /^\d{1,9}(?:\.\d{1,3})?$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isFinite(ms) ? Math.min(LONGEST_RETRY_MS, Math.max(0, ms)) : undefined;
}

/**
 * The kind of an error: `error.type`, `error.code` or `error.status`, if it is a single word. Messages are not used, because they may quote
 * the key or the question.
 */
function kindOf(body: string): string | undefined {
  let error: unknown;
  try {
    error = fieldOf(JSON.parse(body), 'error');
  } catch {
    return undefined;
  }
  const words = ['code', 'type', 'status'].map((name) => fieldOf(error, name));
  return words.find((word): word is string => typeof word === 'string' && /^[A-Za-z_]{3,60}$/.test(word));
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    throw new ModelError('malformed', 'The answer is no JSON: it was cut, or the address is not the provider’s interface');
  }
}

/** The object in a model's text: JSON, with or without a Markdown fence. Throws ModelError. */
export function objectIn(text: string, tokens: { inputTokens: number; outputTokens: number }): unknown {
  const [, fenced] = /^\s*```(?:json)?[ \t]*\n([\s\S]*?)\n?```\s*$/.exec(text) ?? [];
  try {
    return JSON.parse(fenced ?? text) as unknown;
  } catch {
    throw new ModelError('malformed', 'The model’s answer is no JSON', tokens);
  }
}

/** The value at a path of keys and indexes; undefined if there is none. */
export function fieldOf(value: unknown, ...path: (string | number)[]): unknown {
  return path.reduce<unknown>(
    (here, step) => (typeof here === 'object' && here !== null ? (here as Record<string | number, unknown>)[step] : undefined),
    value,
  );
}

/** A count in a provider's answer; 0 when it is not a number. */
export function countOf(value: unknown, ...path: (string | number)[]): number {
  const count = fieldOf(value, ...path);
  return typeof count === 'number' && Number.isSafeInteger(count) && count > 0 ? Math.min(count, 1e9) : 0;
}
