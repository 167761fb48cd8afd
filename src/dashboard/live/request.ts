import { HEADERS, takeEarly } from './early.ts';

/**
 * The server refused the request or did not answer. `message` is the server's `detail`; `status` is 0 without an answer. `againAt` is the
 * time to retry, in milliseconds since 1970, if the server gave one.
 */
export class Refused extends Error {
  readonly status: number;
  readonly againAt: number | null;
  constructor(status: number, detail: string, againAt: number | null = null) {
    super(detail);
    this.name = 'Refused';
    this.status = status;
    this.againAt = againAt;
  }
}

export interface Question {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  body?: object;
  signal?: AbortSignal;
}

/** Sends a request to the API and returns the answer's body; undefined for an empty one. Throws Refused. */
export async function ask<T>(path: string, question: Question = {}): Promise<T> {
  return (await askPage<T>(path, question)).body;
}

/** The same, with the address of the next page if the server gives one. */
export async function askPage<T>(path: string, question: Question = {}): Promise<{ body: T; next: string | null }> {
  const answer = await answerTo(path, question);
  const json: unknown = await answer.json().catch(() => undefined);
  return { body: json as T, next: /<([^>]+)>;\s*rel="next"/.exec(answer.headers.get('link') ?? '')?.[1] ?? null };
}

/** A text answer, such as YAML. Throws Refused. */
export async function askText(path: string, question: Pick<Question, 'signal'> = {}): Promise<string> {
  return (await answerTo(path, question)).text();
}

/** Throws Refused for every answer other than success. */
async function answerTo(path: string, { method = 'GET', body, signal }: Question): Promise<Response> {
  const early = method === 'GET' ? takeEarly(path) : undefined;
  const sent =
    early ??
    fetch(path, {
      method,
      headers: { ...HEADERS, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      ...(signal && { signal }),
    });
  const answer = await sent.catch((error: unknown) => {
    if (signal?.aborted) throw error;
    throw new Refused(0, 'Podmend does not answer. Check your connection.');
  });
  if (answer.ok) return answer;
  const json: unknown = await answer.json().catch(() => undefined);
  throw new Refused(answer.status, detailOf(json) ?? `The server answered ${answer.status}`, againAt(answer.headers));
}

function detailOf(json: unknown): string | undefined {
  const detail = (json as { detail?: unknown } | undefined)?.detail;
  return typeof detail === 'string' ? detail : undefined;
}

/** `Retry-After` in seconds, the only form that this server uses. */
function againAt(headers: Headers): number | null {
  const text = headers.get('retry-after') ?? '';
  return /^\d{1,6}$/.test(text) ? Date.now() + Number(text) * 1000 : null;
}
