import type { KubeObject, PodSpec } from './kubernetes.ts';
import { parseQuantity } from './quantity.ts';
import { listOf } from './pod-template.ts';

/** v1 ResourceQuota. */
export interface ResourceQuota extends KubeObject {
  spec?: { scopes?: string[]; scopeSelector?: object };
  status?: { hard?: Record<string, string>; used?: Record<string, string> };
}

/** What a quota lacks for one more pod like this: `requests.cpu: 500m asked, 200m left`. Empty when there is room. */
export function shortages(spec: PodSpec, { spec: rules, status }: ResourceQuota): string[] {
  // Which pods a scoped quota counts does not depend on the spec alone.
  if (rules?.scopes?.length || rules?.scopeSelector) return [];
  return Object.entries(status?.hard ?? {}).flatMap(([resource, hard]) => {
    const left = (parseQuantity(hard) ?? Infinity) - (parseQuantity(status?.used?.[resource]) ?? 0);
    const asked = askedOf(spec, resource);
    // Sums of decimal fractions have small errors.
    return asked - left > 1e-9 ? [`${resource}: ${rounded(asked)} asked, ${rounded(Math.max(0, left))} left`] : [];
  });
}

/** How much of a quota's resource one pod takes. */
export function askedOf(spec: PodSpec, resource: string): number {
  if (resource === 'pods' || resource === 'count/pods') return 1;
  const found = /^(?:(requests|limits)\.)?(cpu|memory|ephemeral-storage)$/.exec(resource);
  if (!found) return 0;
  const [, kind = 'requests', name = ''] = found;
  const of = (list: PodSpec['containers'] | undefined): number[] =>
    listOf(list).map(({ resources }) => {
      const { requests, limits } = resources ?? {};
      // Without a request, the limit is the request.
      return parseQuantity((kind === 'limits' ? limits : (requests ?? limits))?.[name] ?? limits?.[name]) ?? 0;
    });
  const sum = of(spec.containers).reduce((all, one) => all + one, 0);
  return Math.max(sum, ...of(spec.initContainers));
}

const rounded = (amount: number): string => String(Math.round(amount * 1000) / 1000);
