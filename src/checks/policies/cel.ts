/** The options that decide whether and how a check can be written as a policy. */
export interface PolicyOptions {
  /** The minor version of Kubernetes whose rules apply; Infinity is the newest. */
  minor: number;
  trustedRegistries: readonly string[];
}

/** The CEL expression that is true when the check passes, over `variables` and `object`; or why CEL cannot express it. */
export type Expression = ((options: PolicyOptions) => string) | { none: string };

/** A list literal in CEL: `['a', 'b']`. */
export function celList(texts: Iterable<string>): string {
  return `[${Array.from(texts, celText).join(', ')}]`;
}

/** A string literal in CEL. A raw string keeps the backslashes of regular expressions. */
export function celText(text: string): string {
  return text.includes("'") || /[^ -~]/.test(text) ? JSON.stringify(text) : `${text.includes('\\') ? 'r' : ''}'${text}'`;
}

/**
 * Names for the parts of an object that the expressions read. Without `dyn`, the API server would warn that some kinds lack a field. `.?`
 * reads fields that may be absent. The API server drops fields that are null.
 */
const VARIABLES: Record<string, string> = {
  template:
    "object.kind == 'Pod' ? dyn(object) : object.kind == 'CronJob' ? dyn(object).spec.jobTemplate.spec.template : dyn(object).spec.template",
  spec: 'variables.template.spec',
  annotations: 'variables.template.?metadata.?annotations.orValue({})',
  windows: "variables.spec.?os.?name.orValue('') == 'windows'",
  volumes: 'variables.spec.?volumes.orValue([])',
  fixable: 'variables.spec.?initContainers.orValue([]) + variables.spec.containers',
  containers: 'variables.fixable + variables.spec.?ephemeralContainers.orValue([])',
  images: "variables.containers.map(c, c.?image.orValue('')).filter(i, i != '')",
  pod: 'variables.spec.?securityContext.orValue({})',
  contexts: 'variables.containers.map(c, c.?securityContext.orValue({}))',
  all: '[variables.pod] + variables.contexts',
  service: 'dyn(object).spec',
  rules: `dyn(object).?rules.orValue([]).filter(r, !(${everything('r')}))`,
  subjects: 'dyn(object).?subjects.orValue([])',
};

/** Whether a rule of a role allows everything. */
export function everything(rule: string): string {
  const stars = ['verbs', 'apiGroups', 'resources'].map((field) => `'*' in ${rule}.?${field}.orValue([])`);
  return [...stars, `size(${rule}.?resourceNames.orValue([])) == 0`].join(' && ');
}

/** The variables that an expression uses, in an order in which each follows the variables that it uses itself. */
export function variablesOf(expression: string): { name: string; expression: string }[] {
  const needed = new Set<string>();
  const look = (text: string): void => {
    for (const [, name = ''] of text.matchAll(/\bvariables\.(\w+)/g)) {
      if (needed.has(name)) continue;
      look(VARIABLES[name] ?? '');
      needed.add(name);
    }
  };
  look(expression);
  return [...needed].map((name) => ({ name, expression: VARIABLES[name] ?? '' }));
}
