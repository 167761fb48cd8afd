import type { EscalationPaths, Rights, Through } from '../../contract/access.ts';

export type Path = EscalationPaths['paths'][number];
type Step = Path['steps'][number];
type Right = Rights['rights'][number];
export type Subject = Through['subject'];
type Named = Through['binding'];

/** `ServiceAccount shop/web`, `User ann`. */
export function nameOf({ kind, name, namespace }: Named | Subject): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}

/** The rights at the end of a path. */
export function targetText({ target, namespace }: Pick<Path, 'target' | 'namespace'>): string {
  if (target === 'cluster-admin') return 'everything, as cluster-admin';
  if (target === 'node') return 'a node, with every pod on it';
  return namespace === undefined || namespace === '*' ? 'the Secrets of all namespaces' : `the Secrets of namespace ${namespace}`;
}

/** One link of the chain: an identity and its steps to the next one. */
export interface ChainLink {
  who: string;
  steps: Pick<Step, 'does' | 'through'>[];
}

/** A path as a chain: consecutive steps of the same identity are grouped under its name. */
export function chainOf({ subject, steps }: Pick<Path, 'subject' | 'steps'>): ChainLink[] {
  const links: ChainLink[] = [];
  for (const { as, does, through } of steps) {
    const last = links.at(-1);
    if (last?.who === as) last.steps.push({ does, through });
    else links.push({ who: as, steps: [{ does, through }] });
  }
  return links.length > 0 ? links : [{ who: nameOf(subject), steps: [] }];
}

/** A key that is unique among paths listed together. */
export function keyOf({ subject, target, namespace = '' }: Pick<Path, 'subject' | 'target' | 'namespace'>): string {
  return `${nameOf(subject)} > ${target} ${namespace}`;
}

/** The command that removes a binding. */
export function removalOf({ kind, name, namespace }: Named): string {
  return ['kubectl', 'delete', kind.toLowerCase(), quoted(name), ...(namespace === undefined ? [] : ['-n', quoted(namespace)])].join(' ');
}

function quoted(word: string): string {
  return /^[\w.:@-]+$/.test(word) && !word.startsWith('-') ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

/** The rules that one binding grants to a subject. */
export interface RightsThrough {
  key: string;
  namespace: string;
  through: Through;
  /** Each rule as part of a sentence: `get, list pods, pods/log`. */
  rules: string[];
}

/** Rights by binding: first bindings that name the subject itself, then those of its groups. */
export function byBinding(rights: readonly Right[]): RightsThrough[] {
  const found = new Map<string, RightsThrough>();
  for (const right of rights) {
    const { namespace, through } = right;
    const key = `${nameOf(through.binding)} ${nameOf(through.subject)}`;
    const one = found.get(key) ?? { key, namespace, through, rules: [] };
    found.set(key, one);
    const rule = ruleText(right);
    if (!one.rules.includes(rule)) one.rules.push(rule);
  }
  const isOfGroup = ({ through }: RightsThrough): number => (through.subject.kind === 'Group' ? 1 : 0);
  return [...found.values()].sort((a, b) => isOfGroup(a) - isOfGroup(b));
}

/** The content of a rule in kubectl's words: `get, list deployments.apps named web`. */
export function ruleText({ verbs, api_groups: groups, resources, resource_names: names, non_resource_urls: urls }: Right): string {
  const verb = verbs.includes('*') ? 'do anything to' : verbs.join(', ');
  if (urls.length > 0) return `${verbs.includes('*') ? 'ask anything of' : verb} ${urls.includes('*') ? 'any path' : urls.join(', ')}`;
  const what = resources.includes('*') ? everyResource(groups) : resources.flatMap((one) => inGroups(one, groups)).join(', ');
  return [verb, what, ...(names.length > 0 ? ['named', names.join(', ')] : [])].join(' ');
}

function everyResource(groups: readonly string[]): string {
  if (groups.includes('*')) return 'every resource';
  return `every resource of ${groups.map((group) => group || 'the core group').join(', ')}`;
}

function inGroups(resource: string, groups: readonly string[]): string[] {
  const [plural = '', ...subresource] = resource.split('/');
  const named = (group: string): string => [group === '' || group === '*' ? plural : `${plural}.${group}`, ...subresource].join('/');
  return [...new Set(groups.map(named))];
}
