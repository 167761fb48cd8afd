// oxlint-disable-next-line typescript/no-explicit-any
export type Loose = any;

/** One request. A step that needs an earlier answer (a uid, a continue token) is a function of the earlier bodies. */
export interface Step {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  path: string;
  code: number;
  body?: Loose;
  headers?: Record<string, string>;
  /** Reduces the answer to what the sandbox claims to have. For lists of everything that a server serves. */
  only?: (body: Loose) => Loose;
  /** Repeats the request until the code is right: servers see their own definitions, quotas and namespaces through watches. */
  isEventual?: boolean;
}

/** A sentence about the API, and the requests that show it. `answers/` has the expected answers. */
export interface Case {
  sentence: string;
  steps: (Step | ((earlier: Loose[]) => Step))[];
}

export const JSON_PATCH = 'application/json-patch+json';
export const MERGE = 'application/merge-patch+json';
export const STRATEGIC = 'application/strategic-merge-patch+json';
export const APPLY = 'application/apply-patch+yaml';

export const NAMESPACE = '/api/v1/namespaces/default';
export const MAPS = `${NAMESPACE}/configmaps`;
export const PODS = `${NAMESPACE}/pods`;
export const WIDGETS = '/apis/test.dev/v1/namespaces/default/widgets';
export const DEPLOYMENTS = '/apis/apps/v1/namespaces/default/deployments';

export const get = (path: string, code = 200): Step => ({ method: 'GET', path, code });
export const post = (path: string, body: Loose, code = 201): Step => ({ method: 'POST', path, body, code });
export const put = (path: string, body: Loose, code = 200): Step => ({ method: 'PUT', path, body, code });
export const remove = (path: string, body?: Loose, code = 200): Step => ({ method: 'DELETE', path, body, code });
export const patch = (type: string, path: string, body: Loose, code = 200): Step => ({
  method: 'PATCH',
  path,
  body,
  code,
  headers: { 'content-type': type },
});
/** Server-side apply. `query` names the field manager. */
export const apply = (path: string, query: string, body: Loose, code = 200): Step => patch(APPLY, `${path}?${query}`, body, code);
export const accepting = (accept: string, step: Step): Step => ({ ...step, headers: { ...step.headers, accept } });

export const map = (name: string, data: Record<string, Loose> = {}, labels?: Record<string, string>): Loose => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...(labels && { labels }) },
  data,
});
export const widget = (name: string, spec: Loose): Loose => ({ apiVersion: 'test.dev/v1', kind: 'Widget', metadata: { name }, spec });
export const pod = (name: string, spec: Loose = {}, metadata: Loose = {}): Loose => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, ...metadata },
  spec: { containers: [{ name: 'app', image: 'web:1' }], automountServiceAccountToken: false, ...spec },
});
export const deployment = (name: string, container: Loose = {}, spec: Loose = {}): Loose => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name },
  spec: {
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name } }, spec: { containers: [{ name: 'app', image: 'web:1', ...container }] } },
    ...spec,
  },
});
