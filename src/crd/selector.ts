/** metav1.LabelSelector: all requirements must hold. `operator` is In, NotIn, Exists or DoesNotExist. */
export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

/** Whether a selector chooses these labels, as `metav1.LabelSelector` says; an empty one chooses all. */
export function selects(selector: LabelSelector | undefined, labels: Record<string, string>): boolean {
  const equal = Object.entries(selector?.matchLabels ?? {}).every(([key, value]) => valueOf(labels, key) === value);
  return equal && (selector?.matchExpressions ?? []).every((expression) => expressionHolds(expression, labels));
}

/** Whether a selector has no requirement, and so chooses every object. */
export function isEmptySelector({ matchLabels = {}, matchExpressions = [] }: LabelSelector = {}): boolean {
  return Object.keys(matchLabels).length === 0 && matchExpressions.length === 0;
}

/** A key like `constructor` exists on every JavaScript object, but is not a label. */
const valueOf = (labels: Record<string, string>, key: string): string | undefined => (Object.hasOwn(labels, key) ? labels[key] : undefined);

function expressionHolds(expression: { key: string; operator: string; values?: string[] }, labels: Record<string, string>): boolean {
  const value = valueOf(labels, expression.key);
  const listed = value !== undefined && (expression.values ?? []).includes(value);
  switch (expression.operator) {
    case 'In':
      return listed;
    case 'NotIn':
      return !listed;
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    default:
      return false;
  }
}
