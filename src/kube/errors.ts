/** The API server's refusal: `code` is the HTTP status, `reason` the word of its Status (`NotFound`, `Conflict`, `Invalid`). */
export class KubeError extends Error {
  readonly code: number;
  readonly reason: string;
  /** How long the API server asks to wait before the next request; 0 when it does not ask. */
  readonly retryAfterMs: number;
  constructor(code: number, reason: string, message: string, retryAfterMs = 0) {
    super(message);
    this.name = 'KubeError';
    this.code = code;
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The cluster did not answer: no address, or a refused, slow or cut connection. `why` is the network error. The API answers 503. */
export class ClusterUnavailable extends Error {
  readonly why: string;
  constructor(why: string) {
    super('Kubernetes client not available');
    this.name = 'ClusterUnavailable';
    this.why = why;
  }
}

/** There are no credentials for the cluster. `why` is one line for the person whose kubeconfig it is. */
export class CredentialsUnavailable extends ClusterUnavailable {
  constructor(why: string) {
    super(why);
    this.name = 'CredentialsUnavailable';
  }
}

/** The API server answers, but does not serve the kind. */
export class KindNotServed extends ClusterUnavailable {
  constructor(plural: string) {
    super(`the API server serves no ${plural}`);
    this.name = 'KindNotServed';
  }
}

/** Whether the error is a `KubeError` with this HTTP status. */
export function isKubeError(error: unknown, code: number): error is KubeError {
  return error instanceof KubeError && error.code === code;
}

/** A longer `Retry-After` is cut to this. */
const LONGEST_RETRY_AFTER_MS = 60_000;

/** How many milliseconds to wait before the next try, as the API server asks in the error; 0 if it does not ask. */
export function retryAfterOf(error: unknown): number {
  return error instanceof KubeError ? error.retryAfterMs : 0;
}

/** Reads a Status body and the `Retry-After` header. When the body is not a Status, the HTTP code decides. */
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
