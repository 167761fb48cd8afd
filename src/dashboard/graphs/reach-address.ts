import type { CanReach } from '../../contract/access.ts';
import { queryOf } from '../components/query-of.ts';
import type { Search } from '../components/address.ts';

/**
 * The API path of the question whether one pod reaches another. A pod without a namespace is in `scope`. Undefined while an end is missing.
 */
export function reachPath({ from, to, port }: Search, scope: string | undefined): string | undefined {
  const [source, target] = [podIn(from, scope), podIn(to, scope)];
  if (source === undefined || target === undefined) return undefined;
  return `/api/access/can-reach${queryOf({ from: source, to: target, port: /^\d{1,5}$/.test(port ?? '') ? port : undefined })}`;
}

function podIn(text: string | undefined, scope: string | undefined): string | undefined {
  const [, namespace = scope, pod] = /^(?:([^/\s]+)\/)?([^/\s]+)$/.exec(text?.trim() ?? '') ?? [];
  return namespace && pod ? `${namespace}/${pod}` : undefined;
}

/** The policies that decide each direction, one line for each direction. */
export function sidesOf({ egress, ingress }: Pick<CanReach, 'egress' | 'ingress'>): string[] {
  const side = (what: string, { restricted_by: by, allowed_by: rules }: CanReach['egress']): string => {
    if (by.length === 0) return `${what}: no NetworkPolicy restricts it.`;
    const exception =
      rules.length > 0
        ? `${rules.join(', ')} ${rules.length > 1 ? 'have' : 'has'} a rule for the other end`
        : 'none has a rule for the other end';
    return `${what}: restricted by ${by.join(', ')}; ${exception}.`;
  };
  return [side('Sending', egress), side('Receiving', ingress)];
}
