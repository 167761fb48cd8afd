import type { PolicyRule } from './objects.ts';

/**
 * A request for a resource, as the API server's authorizer sees it. `verb` is get, list, watch, create, update, patch, delete,
 * deletecollection or a special one (bind, escalate, impersonate, use). Without a namespace it asks for the whole cluster or for a cluster-scoped
 * resource; a request for one Namespace carries that namespace. Without a name it asks for any object.
 */
export interface ResourceRequest {
  verb: string;
  group: string;
  resource: string;
  subresource?: string | undefined;
  name?: string | undefined;
  namespace?: string | undefined;
}

/** A request for a path that is no resource, such as `/healthz`. `verb` is the HTTP method in lower case. */
export interface PathRequest {
  verb: string;
  path: string;
}

export type AccessRequest = ResourceRequest | PathRequest;

/** Whether a request is for a path and not for a resource. */
export function isPathRequest(request: AccessRequest): request is PathRequest {
  return 'path' in request;
}

/**
 * Whether one rule allows a request, as the Kubernetes RBAC authorizer decides. Where the rule holds depends on its binding and is checked
 * elsewhere.
 */
export function ruleAllows(rule: PolicyRule, request: AccessRequest): boolean {
  if (!holds(rule.verbs, request.verb)) return false;
  if (isPathRequest(request)) return listOf(rule.nonResourceURLs).some((pattern) => matchesPath(pattern, request.path));
  return (
    holds(rule.apiGroups, request.group) &&
    listOf(rule.resources).some((resource) => matchesResource(resource, request)) &&
    matchesName(rule, request.name)
  );
}

/** `pods` does not cover `pods/log`; `*` covers both; a star before the slash stands for any resource with this subresource. */
function matchesResource(pattern: string, { resource, subresource }: ResourceRequest): boolean {
  if (pattern === '*') return true;
  if (!subresource) return pattern === resource;
  return pattern === `${resource}/${subresource}` || pattern === `*/${subresource}`;
}

/** A rule with names does not allow requests without a name: no list, and no create, because the name is not known at that point. */
function matchesName(rule: PolicyRule, name = ''): boolean {
  const names = listOf(rule.resourceNames);
  return names.length === 0 || names.includes(name);
}

function matchesPath(pattern: string, path: string): boolean {
  return pattern === '*' || pattern === path || (pattern.endsWith('*') && path.startsWith(pattern.replace(/\*+$/, '')));
}

function holds(list: string[] | null | undefined, wanted: string): boolean {
  return listOf(list).some((one) => one === '*' || one === wanted);
}

/** The strings of a list that may be absent, null or malformed, because YAML files can contain anything. */
export function listOf(list: readonly string[] | null | undefined): string[] {
  return Array.isArray(list) ? (list as unknown[]).filter((one) => typeof one === 'string') : [];
}
