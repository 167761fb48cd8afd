import { badRequest } from '../api/errors.ts';
import { parseLabels } from './labels.ts';
import type { Loose, Stored } from './object.ts';

/** Whether an object is meant. */
export type Selector = (object: Stored) => boolean;

/** A condition on one label. */
export interface Requirement {
  key: string;
  operator: 'In' | 'NotIn' | 'Exists' | 'DoesNotExist' | 'Gt' | 'Lt';
  values?: string[];
}

function meets(labels: Record<string, string>, { key, operator, values = [] }: Requirement): boolean {
  const value = labels[key];
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return Number(value) > Number(values[0]);
    case 'Lt':
      return Number(value) < Number(values[0]);
  }
}

/** Whether the labels satisfy every requirement (`matchExpressions` of label and node selectors). */
export const meetsAll = (labels: Record<string, string> | undefined, requirements: Requirement[] | undefined): boolean =>
  (requirements ?? []).every((requirement) => meets(labels ?? {}, requirement));

/** metav1.LabelSelector; an empty one means everything, an absent one nothing. */
export function matchesSelector(selector: Loose, labels: Record<string, string> | undefined): boolean {
  if (!selector) return false;
  const exact = Object.entries((selector.matchLabels ?? {}) as Record<string, string>);
  return exact.every(([key, value]) => labels?.[key] === value) && meetsAll(labels, selector.matchExpressions);
}

/** A label selector in its query form: `a=b,c!=d,e in (f,g),!h`. Throws a 400. */
export function labelSelector(text: string): Selector {
  const requirements = parseLabels(text);
  return (object) => meetsAll(object.metadata.labels, requirements);
}

const INVOLVED = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath'];
const FIELDS: Record<string, string[]> = {
  Pod: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
  ],
  Event: [...INVOLVED.map((f) => `involvedObject.${f}`), ...['reason', 'reportingComponent', 'source', 'type']],
  'Event.events.k8s.io': [...INVOLVED.map((f) => `regarding.${f}`), ...['reason', 'reportingController', 'type']],
  Namespace: ['status.phase'],
  Node: ['spec.unschedulable'],
  Secret: ['type'],
  Job: ['status.successful'],
  ReplicaSet: ['status.replicas'],
};

/** The value at a dotted path. An event's `source` means its `source.component`, or its reporting component if that is empty. */
function fieldOf(object: Stored, path: string): string {
  if (path === 'source') return object.source?.component || object.reportingComponent || '';
  if (path.startsWith('regarding.')) return fieldOf(object, path.replace('regarding', 'involvedObject'));
  if (path === 'reportingController') return object.reportingComponent ?? '';
  const value = path.split('.').reduce<Loose>((at, key) => at?.[key], object);
  if (value === undefined && path === 'spec.unschedulable') return 'false';
  return value === undefined || value === null ? '' : String(value);
}

/** A field selector (`=`, `==`, `!=` on the fields the kind supports). Throws a 400 naming the unknown field. */
export function fieldSelector(text: string, { kind, group, isCustom }: { kind: string; group: string; isCustom?: boolean }): Selector {
  const own = FIELDS[group ? `${kind}.${group}` : kind] ?? FIELDS[group === 'events.k8s.io' ? '' : kind];
  const known = new Set(['metadata.name', 'metadata.namespace', ...(own ?? [])]);
  const terms = text
    .split(/(?<!\\),/)
    .filter(Boolean)
    .map((term) => {
      const parsed = /^([^=!]+)(==|=|!=)(.*)$/.exec(term);
      if (!parsed) throw badRequest(`invalid selector: '${term}'; can't understand '${term}'`);
      const [, path, operator, value] = parsed as unknown as [string, string, string, string];
      if (!known.has(path))
        throw badRequest(
          own || isCustom
            ? `field label not supported: ${path}`
            : `${JSON.stringify(path)} is not a known field selector: only "metadata.name", "metadata.namespace"`,
        );
      // A backslash stands before a comma, an equals sign or a backslash that belongs to the value.
      return { path, wanted: operator !== '!=', value: value.replace(/\\([\\,=])/g, '$1') };
    });
  return (object) => terms.every(({ path, wanted, value }) => (fieldOf(object, path) === value) === wanted);
}
