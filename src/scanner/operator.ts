import { CLUSTER_WIDE, type RescanStatus, type ResourceFindings } from '../contract/finding.ts';
import { HttpError, type Http } from '../http.ts';
import type { Logger } from '../log.ts';

export interface OperatorDeps {
  http: Http;
  /** Without a trailing slash. */
  backendUrl: string;
  serviceToken: string;
  log: Logger;
}

/** Thrown if the operator cannot be reached or is not ready. The request must be sent again. */
export class OperatorAway extends Error {}

/** The scanner's client of the operator. All methods throw OperatorAway; requests that the operator rejects for good are logged. */
export interface Operator {
  /** Replaces all findings of this scanner about a resource. */
  replace(key: string, findings: ResourceFindings['findings']): Promise<void>;
  /** Removes the findings of a resource that was deleted. */
  remove(key: string): Promise<void>;
  /** Starts a new scan: findings of this scanner that are not reported again are resolved. */
  clear(): Promise<void>;
  status(status: RescanStatus): Promise<void>;
  duration(seconds: number): Promise<void>;
}

/** The source name under which findings are stored, apart from those of other scanners. */
const SOURCE = 'podmend';
/** The API's maximum number of findings of one resource. */
const MOST = 500;

export function operator({ http, backendUrl, serviceToken, log }: OperatorDeps): Operator {
  const send = async (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: object): Promise<void> => {
    const headers = { 'content-type': 'application/json', 'x-service-token': serviceToken };
    const text = body ? { body: JSON.stringify(body) } : {};
    const { status } = await reached(() =>
      http(backendUrl + path, { method, headers: body ? headers : { 'x-service-token': serviceToken }, ...text }),
    );
    if (status < 300) return;
    if (status === 401) throw new OperatorAway('the operator refused our SERVICE_TOKEN');
    if (status >= 500 || status === 429 || status === 408) throw new OperatorAway(`the operator answered ${status}`);
    log.warn({ status, path }, 'operator refused a message: it is dropped');
  };
  return {
    replace: (key, findings) => send('PUT', pathOf(key), { source: SOURCE, findings: findings.slice(0, MOST) }),
    remove: (key) => send('DELETE', `${pathOf(key)}?source=${SOURCE}`),
    clear: () => send('POST', `/api/security/scan/clear?source=${SOURCE}`),
    status: (status) => send('POST', '/api/security/rescan-status', status),
    duration: (seconds) => send('POST', '/api/metrics/security-scan-duration', { duration_seconds: seconds }),
  };
}

function pathOf(key: string): string {
  const [kind = '', namespace = '', name = ''] = key.split('/');
  return `/api/security/findings/resource/${[kind, namespace || CLUSTER_WIDE, name].map(encodeURIComponent).join('/')}`;
}

async function reached<T>(ask: () => Promise<T>): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (error instanceof HttpError) throw new OperatorAway(error.message);
    throw error;
  }
}
