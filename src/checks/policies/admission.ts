import type { KubeObject } from '../../crd/kubernetes.ts';
import { type LabelSelector, selects } from '../../crd/selector.ts';
import { CHECKS } from '../list.ts';
import { indexed, mapping, texts } from '../containers.ts';
import type { PolicyOptions } from './cel.ts';
import { CHECK_LABEL, policyOf, type PolicySpec } from './policies.ts';

// Which admission objects of a cluster would examine an object. CEL is not evaluated. If a policy equals one of ours word for word, the
// result of our check holds for it. Of all other policies only rules and selectors are read.

/** The objects of a cluster that decide about admission. */
export interface AdmissionObjects {
  policies: readonly KubeObject[];
  bindings: readonly KubeObject[];
  webhooks: readonly KubeObject[];
}

/** The policies and webhooks that would examine an object. */
export interface Reviewed {
  /** For each check id, the name of its policy, if that is unchanged and bound with Deny. */
  denies: ReadonlyMap<string, string>;
  /** Other policies and webhooks that match, as `Kind name`. They may refuse the object for any reason. */
  may: readonly string[];
}

/** An object as admission sees it. `labelsOfNamespace` is undefined when they are not known. */
export interface Reviewable {
  apiVersion: string;
  kind: string;
  name: string;
  /** Empty for cluster-scoped objects. */
  namespace: string;
  labels: Record<string, string>;
  labelsOfNamespace: Record<string, string> | undefined;
}

/** metav1 MatchResources, and the same fields of a webhook. */
interface Match {
  resourceRules?: Rule[] | undefined;
  excludeResourceRules?: Rule[];
  namespaceSelector?: LabelSelector;
  objectSelector?: LabelSelector;
  matchPolicy?: string;
}

interface Rule {
  apiGroups?: string[];
  apiVersions?: string[];
  operations?: string[];
  resources?: string[];
  resourceNames?: string[];
  scope?: string;
}

interface Binding {
  policyName: string;
  validationActions: string[];
  matchResources: Match;
}

/** Reviews many objects. Create a new reviewer when the admission objects or the options change. */
export function reviewer({ policies, bindings, webhooks }: AdmissionObjects, options: PolicyOptions): (object: Reviewable) => Reviewed {
  const denying = bindings.map((binding) => specOf<Binding>(binding)).filter((spec) => texts(spec.validationActions).includes('Deny'));
  const known = policies.map((policy) => ({
    name: policy.metadata.name ?? '',
    check: checkOf(policy, options),
    constraints: mapping<Match>(specOf<{ matchConstraints: unknown }>(policy).matchConstraints),
    bound: denying
      .filter(({ policyName }) => policyName === policy.metadata.name)
      .map(({ matchResources }) => mapping<Match>(matchResources)),
  }));
  const hooks = webhooks.map((config) => ({
    name: config.metadata.name ?? '',
    matches: indexed((config as { webhooks?: (Match & { rules?: Rule[] })[] }).webhooks).map(([{ rules, ...hook }]): Match => ({
      ...hook,
      resourceRules: rules ?? [],
    })),
  }));
  return (object) => {
    const denies = new Map<string, string>();
    const may: string[] = [];
    for (const { name, check, constraints, bound } of known) {
      const answers = bound.map((match) => least(matches(constraints, object), matches({ resourceRules: undefined, ...match }, object)));
      if (check !== undefined && answers.includes('yes')) denies.set(check, name);
      else if (answers.some((answer) => answer !== 'no')) may.push(`ValidatingAdmissionPolicy ${name}`);
    }
    for (const { name, matches: some } of hooks)
      if (some.some((match) => matches(match, object) !== 'no')) may.push(`ValidatingWebhookConfiguration ${name}`);
    return { denies, may };
  };
}

/** The check whose policy this is; undefined if it is not one of ours, or if it was changed. */
function checkOf(policy: KubeObject, options: PolicyOptions): string | undefined {
  const check = CHECKS.find(({ id }) => id === policy.metadata.labels?.[CHECK_LABEL]);
  const ours = check && policyOf(check, options);
  if (!ours || 'none' in ours) return undefined;
  return said(ours.policy.spec) === said(specOf<PolicySpec>(policy)) ? check.id : undefined;
}

/** The parts of a policy that affect decisions, without its texts. */
function said({ failurePolicy, matchConditions, variables, validations }: Partial<PolicySpec>): string {
  const pairs = (list: { name?: string; expression: string }[] | undefined) =>
    indexed(list).map(([{ name, expression }]) => [name, expression]);
  return JSON.stringify([failurePolicy, pairs(matchConditions), pairs(variables), pairs(validations)]);
}

type Answer = 'yes' | 'no' | 'unknown';

function least(one: Answer, other: Answer): Answer {
  if (one === 'no' || other === 'no') return 'no';
  return one === 'unknown' || other === 'unknown' ? 'unknown' : 'yes';
}

/** Without `resourceRules`, every resource matches. */
function matches(
  { resourceRules, excludeResourceRules, namespaceSelector, objectSelector, matchPolicy }: Match,
  object: Reviewable,
): Answer {
  const isAny = matchPolicy !== 'Exact';
  const isNamed = resourceRules === undefined || indexed(resourceRules).some(([rule]) => ruleMatches(rule, object, isAny));
  if (!isNamed || indexed(excludeResourceRules).some(([rule]) => ruleMatches(rule, object, isAny))) return 'no';
  if (!selects(objectSelector, object.labels)) return 'no';
  return object.namespace === '' ? 'yes' : namespaceMatches(namespaceSelector, object);
}

const NAME_LABEL = 'kubernetes.io/metadata.name';

function namespaceMatches(selector: LabelSelector | undefined, { namespace, labelsOfNamespace }: Reviewable): Answer {
  const keys = [...Object.keys(selector?.matchLabels ?? {}), ...(selector?.matchExpressions ?? []).map(({ key }) => key)];
  if (!labelsOfNamespace && keys.some((key) => key !== NAME_LABEL)) return 'unknown';
  return selects(selector, { ...labelsOfNamespace, [NAME_LABEL]: namespace }) ? 'yes' : 'no';
}

/**
 * Whether the rule covers writing the object. Unless `matchPolicy` is Exact, the API server converts the object to the version in the rule.
 */
function ruleMatches(rule: Rule, { apiVersion, kind, name, namespace }: Reviewable, isAnyVersion: boolean): boolean {
  const [version = '', group = ''] = apiVersion.split('/').reverse();
  const holds = (list: string[] | undefined, ...wanted: string[]): boolean =>
    texts(list).some((one) => one === '*' || wanted.includes(one));
  const names = texts(rule.resourceNames);
  return (
    holds(rule.operations, 'CREATE', 'UPDATE') &&
    holds(rule.apiGroups, group) &&
    (isAnyVersion || holds(rule.apiVersions, version)) &&
    holds(rule.resources, `${kind.toLowerCase()}s`, '*/*') &&
    (names.length === 0 || names.includes(name)) &&
    (rule.scope === undefined || rule.scope === '*' || (rule.scope === 'Namespaced') === (namespace !== ''))
  );
}

function specOf<T extends object>(object: KubeObject): Partial<T> {
  return mapping<T>((object as { spec?: unknown }).spec);
}
