/** The API server's refusal: `code` is the HTTP status, `reason` the word of its Status (`NotFound`, `Conflict`, `Invalid`). */
export class KubeError extends Error {
  readonly code: number;
  readonly reason: string;
  /** How long the API server asks to be left alone; 0 when it does not. */
  readonly retryAfterMs: number;
  constructor(code: number, reason: string, message: string, retryAfterMs = 0) {
    super(message);
    this.name = 'KubeError';
    this.code = code;
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

/** No answer from the cluster: refused, unresolved, timed out, cut. `why` is the network's word; the facade answers 503. */
export class ClusterUnavailable extends Error {
  readonly why: string;
  constructor(why: string) {
    super('Kubernetes client not available');
    this.name = 'ClusterUnavailable';
    this.why = why;
  }
}

/** A `KubeError` of that status. */
export function isKubeError(error: unknown, code: number): error is KubeError {
  return error instanceof KubeError && error.code === code;
}

/** What the API server asks for with an error, whatever it asks for: nobody is silenced for longer. */
const LONGEST_RETRY_AFTER_MS = 60_000;

/** How long an error asks to wait before the next try, in milliseconds. */
export function retryAfterOf(error: unknown): number {
  return error instanceof KubeError ? error.retryAfterMs : 0;
}

/** What a Status body and the `Retry-After` header say; for bodies that are none, the status code speaks. */
export function kubeErrorOf(code: number, body: string, headers?: { get(name: string): string | null }): KubeError {
  const status = statusOf(body);
  const message = status.message ?? (body.slice(0, 4000) || `the API server answered ${code}`);
  const seconds = Number(headers?.get('retry-after') ?? status.details?.retryAfterSeconds ?? 0);
  const retryAfterMs = seconds > 0 ? Math.min(seconds * 1000, LONGEST_RETRY_AFTER_MS) : 0;
  return new KubeError(code, status.reason ?? 'Unknown', message, retryAfterMs);
}

function statusOf(body: string): { reason?: string; message?: string; details?: { retryAfterSeconds?: number } } {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}
