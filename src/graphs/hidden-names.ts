import type { PolicyRule, RbacBinding, RbacSubject } from '../access/objects.ts';
import { listOf } from '../access/rules.ts';
import { accountOfUser, accountsNamespaceOf } from '../access/subjects.ts';
import { MAX_DEPTH } from '../crd/depth.ts';
import type { KubeObject } from '../crd/kubernetes.ts';
import { MASK } from '../redact/keys.ts';

export type IsHidden = (namespace: string) => boolean;

/** Fields, labels and variables whose value is the name of a namespace: `namespace`, `secretNamespace`, `POD_NAMESPACE`. */
const NAMES_NAMESPACE = /namespaces?$/i;
/** The label by which every namespace has its own name. */
const NAME_LABEL = 'kubernetes.io/metadata.name';
/** Texts that hold the name of a namespace: user names and groups of accounts, addresses of Services, flags. */
const IN_TEXT = [
  /(?<=system:serviceaccounts?:)[a-z0-9-]+/g,
  /(?<=\.)[a-z0-9-]+(?=\.svc(?![a-z0-9-]))/g,
  /(?<=namespaces?["']?\s?[=:\s]\s?["']?)[a-z0-9-]+/gi,
];

/**
 * A live object without the names of hidden namespaces. Subjects of theirs are left out; any other name is replaced by `***`, because an entry
 * that is missing in a policy would mean something else. Undefined for an object that belongs to a hidden namespace as a whole, such as the
 * volume of one of its claims. The same object when it names none.
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

/** Whether a subject is an account of such a namespace, or the group of all its accounts. */
export function isOfNamespace({ kind, name, namespace }: RbacSubject, isHidden: IsHidden): boolean {
  if (kind === 'ServiceAccount') return namespace !== undefined && isHidden(namespace);
  if (typeof name !== 'string') return false;
  const of = kind === 'Group' ? accountsNamespaceOf(name) : accountOfUser(name)?.namespace;
  return of !== undefined && isHidden(of);
}

/** The rules, with `***` for the hidden ones among the namespaces that they name. The same list when there is none. */
export function withoutHiddenRules(rules: PolicyRule[], isHidden: IsHidden): PolicyRule[] {
  return hidden(rules, '', isHidden, 0) as PolicyRule[];
}

/** What is left of a value; `key` says what it is. Parts without such names stay the same objects. */
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

/** What the value of a field is, for `NAMES_NAMESPACE`. */
function nameOf(fields: { name?: unknown; key?: unknown; resources?: string[] }, field: string): string {
  if (field === NAME_LABEL || (field === 'values' && fields.key === NAME_LABEL)) return 'namespace';
  if (field === 'value' && typeof fields.name === 'string') return fields.name;
  const resources = field === 'resourceNames' ? listOf(fields.resources) : [];
  return resources.some((one) => one === '*' || /^namespaces(\/|$)/.test(one)) ? 'namespace' : field;
}

function hiddenInText(text: string, isHidden: IsHidden): string {
  return IN_TEXT.reduce((shown, form) => shown.replace(form, (name) => (isHidden(name) ? MASK : name)), text);
}
