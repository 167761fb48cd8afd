/** The API server's refusal: `code` is the HTTP status, `reason` the word of its Status (`NotFound`, `Conflict`, `Invalid`). */
export class KubeError extends Error {
  readonly code: number;
  readonly reason: string;
  constructor(code: number, reason: string, message: string) {
    super(message);
    this.name = 'KubeError';
    this.code = code;
    this.reason = reason;
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

/** What a Status body says; for bodies that are none, the status code speaks. */
export function kubeErrorOf(code: number, body: string): KubeError {
  const status = statusOf(body);
  const message = status.message ?? (body.slice(0, 4000) || `the API server answered ${code}`);
  return new KubeError(code, status.reason ?? 'Unknown', message);
}

function statusOf(body: string): { reason?: string; message?: string } {
  try {
    const parsed: unknown = JSON.parse(body);
    return typeof parsed === 'object' && parsed !== null ? parsed : {};
  } catch {
    return {};
  }
}
