import type { PolicyRule, RbacBinding, RbacSubject } from '../access/objects.ts';
import { listOf } from '../access/rules.ts';
import { accountOfUser, accountsNamespaceOf } from '../access/subjects.ts';
import { MAX_DEPTH } from '../crd/depth.ts';
import type { KubeObject } from '../crd/kubernetes.ts';
import { MASK } from '../redact/keys.ts';

export type IsHidden = (namespace: string) => boolean;

/** Fields, labels and variables whose value is the name of a namespace: `namespace`, `secretNamespace`, `POD_NAMESPACE`. */
const NAMES_NAMESPACE = /namespaces?$/i;
/** The label with the name of the namespace, which Kubernetes gives every namespace. */
const NAME_LABEL = 'kubernetes.io/metadata.name';
/** Texts that hold the name of a namespace: user names and groups of accounts, addresses of Services, flags. */
const IN_TEXT = [
  /(?<=system:serviceaccounts?:)[a-z0-9-]+/g,
  /(?<=\.)[a-z0-9-]+(?=\.svc(?![a-z0-9-]))/g,
  /(?<=namespaces?["']?\s?[=:\s]\s?["']?)[a-z0-9-]+/gi,
];

/**
 * Removes the names of hidden namespaces from a live object. Subjects of hidden namespaces are left out. Any other name is replaced by
 * `***`, because a policy without the entry would mean something else. Undefined for an object that belongs to a hidden namespace as a
 * whole, such as the volume of one of its claims. An object that names no hidden namespace is returned itself.
 */
export function withoutHiddenNames<T extends KubeObject>(object: T, isHidden: IsHidden): T | undefined {
  const { namespace } = object.metadata;
  const claim = (object as { spec?: { claimRef?: { namespace?: string } } }).spec?.claimRef?.namespace;
  if ([namespace, claim].some((one) => one !== undefined && isHidden(one))) return undefined;
  const { subjects } = object as Partial<RbacBinding>;
  const shown = Array.isArray(subjects) ? subjects.filter((one) => !isOfNamespace(one, isHidden)) : [];
  const kept = Array.isArray(subjects) && shown.length < subjects.length ? { ...object, subjects: shown } : object;
  return hidden(kept, '', isHidden, 0) as T;
}

/** Whether a subject is an account of a hidden namespace, or the group of all its accounts. */
export function isOfNamespace({ kind, name, namespace }: RbacSubject, isHidden: IsHidden): boolean {
  if (kind === 'ServiceAccount') return namespace !== undefined && isHidden(namespace);
  if (typeof name !== 'string') return false;
  const of = kind === 'Group' ? accountsNamespaceOf(name) : accountOfUser(name)?.namespace;
  return of !== undefined && isHidden(of);
}

/** The rules with `***` in place of hidden namespaces. Returns the same list if it names none. */
export function withoutHiddenRules(rules: PolicyRule[], isHidden: IsHidden): PolicyRule[] {
  return hidden(rules, '', isHidden, 0) as PolicyRule[];
}

/** A value without the names of hidden namespaces. `key` is the name of its field. Parts that name none are not copied. */
function hidden(value: unknown, key: string, isHidden: IsHidden, depth: number): unknown {
  if (typeof value === 'string') return NAMES_NAMESPACE.test(key) && isHidden(value) ? MASK : hiddenInText(value, isHidden);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return MASK;
  if (Array.isArray(value)) {
    // The value of a flag may be an argument of its own.
    const after = (index: number): string => (typeof value[index - 1] === 'string' && /^-/.test(value[index - 1]) ? value[index - 1] : key);
    const shown: unknown[] = value.map((one, index) => hidden(one, after(index), isHidden, depth + 1));
    return shown.every((one, index) => one === value[index]) ? value : shown;
  }
  const fields = Object.entries(value);
  const shown = fields.map(([field, content]) => [field, hidden(content, nameOf(value, field), isHidden, depth + 1)] as const);
  return shown.every(([, content], index) => content === fields[index]?.[1]) ? value : Object.fromEntries(shown);
}

/** The name under which the value of a field is compared with `NAMES_NAMESPACE`. */
function nameOf(fields: { name?: unknown; key?: unknown; resources?: string[] }, field: string): string {
  if (field === NAME_LABEL || (field === 'values' && fields.key === NAME_LABEL)) return 'namespace';
  if (field === 'value' && typeof fields.name === 'string') return fields.name;
  const resources = field === 'resourceNames' ? listOf(fields.resources) : [];
  return resources.some((one) => one === '*' || /^namespaces(\/|$)/.test(one)) ? 'namespace' : field;
}

function hiddenInText(text: string, isHidden: IsHidden): string {
  return IN_TEXT.reduce((shown, form) => shown.replace(form, (name) => (isHidden(name) ? MASK : name)), text);
}
