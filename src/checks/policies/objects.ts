import { ANONYMOUS, EVERYBODY } from '../roles/bindings.ts';
import { POWERS, type Right } from '../roles/powers.ts';
import { celList, celText, everything, type Expression } from './cel.ts';

/** The checks of Services and other objects that are not workloads. */
export const OBJECT_EXPRESSIONS: Record<string, Expression> = {
  'external-ips': () => 'size(variables.service.?externalIPs.orValue([])) == 0',
  'node-port': () => "variables.service.?type.orValue('') != 'NodePort'",
  'load-balancer-sources': () =>
    "variables.service.?type.orValue('') != 'LoadBalancer' || size(variables.service.?loadBalancerSourceRanges.orValue([])) > 0",
  'removed-api': { none: 'the API server refuses such versions itself' },
};

/** The checks of roles. */
export const ROLE_EXPRESSIONS: Record<string, Expression> = {
  'unbound-role': { none: 'it depends on bindings, which a policy cannot read' },
  'role-everything': () => `!dyn(object).?rules.orValue([]).exists(r, ${everything('r')})`,
  'role-wildcard': () => "!variables.rules.exists(r, '*' in r.?resources.orValue([]) || '*' in r.?verbs.orValue([]))",
  ...Object.fromEntries(POWERS.map(({ id, rights }) => [id, () => `!(${rights.map(granted).join(' && ')})`])),
};

/** Whether a rule grants the right. */
function granted({ group = '', resources, verbs, named }: Right): string {
  const subresources = resources.flatMap((one) => (one.includes('/') ? [one.replace(/^[^/]*/, '*')] : []));
  const meets = (field: string, texts: string[]): string => `r.?${field}.orValue([]).exists(x, x in ${celList(['*', ...texts])})`;
  const parts = [
    meets('apiGroups', [group]),
    meets('resources', [...resources, ...new Set(subresources)]),
    meets('verbs', verbs),
    ...(named ? [] : ['size(r.?resourceNames.orValue([])) == 0']),
  ];
  return `variables.rules.exists(r, ${parts.join(' && ')})`;
}

/** The checks of bindings. */
export const BINDING_EXPRESSIONS: Record<string, Expression> = {
  'admin-binding': () => "dyn(object).roleRef.name != 'cluster-admin' || variables.subjects.all(s, s.name == 'system:masters')",
  'anonymous-binding': () => `!variables.subjects.exists(s, s.name in ${celList(ANONYMOUS)})`,
  'everybody-binding': () => `!variables.subjects.exists(s, s.kind == 'Group' && s.name in ${celList(EVERYBODY)})`,
  'default-account-binding': () => `!variables.subjects.exists(s, s.kind == 'ServiceAccount' && s.name == ${celText('default')})`,
  'unused-rights': { none: 'it depends on an audit log' },
  'missing-account': { none: 'it depends on service accounts, which a policy cannot read' },
};
