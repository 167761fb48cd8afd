import { Agent, request } from 'undici';

export interface HttpRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  headers?: Record<string, string>;
  body?: string | null;
  signal?: AbortSignal;
}

export interface HttpAnswer {
  status: number;
  /** Names in lower case; a repeated header's values are joined with `, `. */
  headers: Record<string, string>;
  body: string;
}

/** Asks `url` and answers whatever the server said, any status; redirects are not followed. Throws HttpError when there is no whole answer. */
export type Http = (url: string, options?: HttpRequest) => Promise<HttpAnswer>;

/** No whole answer came. `code` is the network's word (`ECONNREFUSED`), `TIMEOUT`, `TOO_LARGE` or `ABORTED`. */
export class HttpError extends Error {
  readonly code: string;
  readonly address: string;
  constructor(address: string, code: string, what: string) {
    super(`${address}: ${what}`);
    this.name = 'HttpError';
    this.code = code;
    this.address = address;
  }
}

/** The one way out of the building: `timeoutMs` covers the whole exchange, `maxBytes` the answer's body. */
export function httpClient({ timeoutMs, maxBytes }: { timeoutMs: number; maxBytes: number }): Http {
  // One deadline covers the whole exchange, so the time-outs of its parts are off; a connection that never opens must not outlive it.
  const dispatcher = new Agent({ connect: { timeout: timeoutMs }, headersTimeout: 0, bodyTimeout: 0, connections: 16 });
  return async (url, options = {}) => {
    const address = publicPart(url);
    const { signal } = options;
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      const either = signal ? AbortSignal.any([deadline, signal]) : deadline;
      const answer = await request(url, { ...options, dispatcher, signal: either });
      return { status: answer.statusCode, headers: flat(answer.headers), body: await bounded(answer.body, maxBytes, address) };
    } catch (error) {
      if (error instanceof HttpError) throw error;
      if (signal?.aborted) throw new HttpError(address, 'ABORTED', 'given up by the caller');
      if (deadline.aborted) throw new HttpError(address, 'TIMEOUT', `no answer within ${timeoutMs} ms`);
      // The library's message may quote the request, so only its code leaves.
      throw new HttpError(address, codeOf(error), `no answer (${codeOf(error)})`);
    }
  };
}

/** Address without user, password, query and fragment: all four may be secrets. */
function publicPart(url: string): string {
  if (!URL.canParse(url)) return 'an address that is no URL';
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}

function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : 'UNKNOWN';
}

function flat(headers: Record<string, string | string[] | undefined>): Record<string, string> {
  const pairs = Object.entries(headers).filter((pair): pair is [string, string | string[]] => pair[1] !== undefined);
  return Object.fromEntries(pairs.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : value]));
}

/** Leaving the loop early destroys the body, and with it the connection. */
async function bounded(body: AsyncIterable<Buffer>, maxBytes: number, address: string): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw new HttpError(address, 'TOO_LARGE', `the answer is larger than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
