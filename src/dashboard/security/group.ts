import type { Finding, Severity } from '../../contract/finding.ts';
import { SEVERITIES } from '../components/severity.ts';
import { titleOf } from './facts.ts';

/** A finding of the list. `gone`: it left the list after it was shown; `done`: this person removed it, so it is hidden. */
export interface Entry {
  finding: Finding;
  state: 'here' | 'gone' | 'done';
}

/** The head of a group: a workload with its checks, or a check with its workloads. */
export interface GroupLine {
  kind: 'group';
  key: string;
  /** `Deployment`; empty for a check. */
  what: string;
  name: string;
  /** Its namespace, or the check's name. */
  where: string;
  counts: Record<Severity, number>;
  isOpen: boolean;
}

/** One check of one workload, with a finding for each container. */
export interface RowLine {
  kind: 'row';
  key: string;
  entries: readonly [Entry, ...Entry[]];
  severity: Severity;
}

/** Represents all groups in `kube-*` namespaces. */
export interface KubeLine {
  kind: 'kube';
  key: 'kube';
  size: number;
  isOpen: boolean;
}
export type Line = GroupLine | RowLine | KubeLine;

export interface GroupOptions {
  by: 'workload' | 'check';
  /** Whether groups of `kube-*` namespaces are folded into one line. */
  foldsKube: boolean;
  hasKube: boolean;
  /** Groups that a person opened or closed; others are open if `usual` says so. */
  opened: ReadonlyMap<string, boolean>;
  usual(worst: Severity): boolean;
  /** The selected finding. Its group is open unless a person closed it. */
  shown?: number | undefined;
}

const rank = (severity: Severity): number => SEVERITIES.indexOf(severity);
const isKube = ({ namespace }: Finding): boolean => namespace.startsWith('kube-');

/** The key of a finding's group. */
export function groupOf({ resource_type, namespace, resource_name, check_name }: Finding, by: 'workload' | 'check'): string {
  return by === 'check' ? check_name : `${resource_type}/${namespace}/${resource_name}`;
}

/** The list as lines, worst first. The order considers all entries, including removed ones, so that the remaining ones do not move. */
export function linesOf(entries: readonly Entry[], options: GroupOptions): Line[] {
  const { by, foldsKube, hasKube } = options;
  const [folded, open] = partition(entries, ({ finding }) => foldsKube && isKube(finding));
  const lines = groupsOf(open, by).flatMap((group) => linesOfGroup(group, options));
  const size = folded.filter(isThere).length;
  if (size === 0) return lines;
  const kube: KubeLine = { kind: 'kube', key: 'kube', size, isOpen: hasKube };
  return [
    ...lines,
    kube,
    ...(hasKube ? groupsOf(folded, by, by === 'check' ? 'kube:' : '').flatMap((group) => linesOfGroup(group, options)) : []),
  ];
}

/** The row in which a finding stands. */
export function rowWith(lines: readonly Line[], id: number): RowLine | undefined {
  return lines.find((line): line is RowLine => line.kind === 'row' && line.entries.some(({ finding }) => finding.id === id));
}

/** The number of findings by severity. */
export function countsOf(findings: readonly Finding[]): Record<Severity, number> {
  const counts: Record<Severity, number> = { critical: 0, high: 0, medium: 0, low: 0, info: 0 };
  for (const { severity } of findings) counts[severity] += 1;
  return counts;
}

interface Group {
  key: string;
  by: 'workload' | 'check';
  entries: [Entry, ...Entry[]];
}

const isThere = ({ state }: Entry): boolean => state !== 'done';

/** `within`: a check may stand in the list twice, and its lines are opened apart. */
function groupsOf(entries: readonly Entry[], by: 'workload' | 'check', within = ''): Group[] {
  const groups = grouped(entries, ({ finding }) => groupOf(finding, by));
  return [...groups].map(([key, some]): Group => ({ key: `${by}:${within}${key}`, by, entries: some })).sort(worstFirst);
}

/** By the number of the most severe findings, then the next severity; ties by name. */
function worstFirst(one: Group, other: Group): number {
  const [mine, theirs] = [one, other].map((group) => countsOf(group.entries.map(({ finding }) => finding)));
  for (const severity of SEVERITIES) {
    const difference = (theirs?.[severity] ?? 0) - (mine?.[severity] ?? 0);
    if (difference !== 0) return difference;
  }
  return one.key < other.key ? -1 : 1;
}

function linesOfGroup({ key, by, entries }: Group, { opened, usual, shown }: GroupOptions): Line[] {
  const there = entries.filter(isThere);
  if (there.length === 0) return [];
  const [{ finding: first }] = entries;
  const worst = entries.reduce<Severity>((most, { finding }) => (rank(finding.severity) < rank(most) ? finding.severity : most), 'info');
  const isOpen = opened.get(key) ?? (usual(worst) || there.some(({ finding }) => finding.id === shown));
  const head: GroupLine = {
    kind: 'group',
    key,
    ...(by === 'check'
      ? { what: '', name: titleOf(first), where: first.check_name }
      : { what: first.resource_type, name: first.resource_name, where: first.namespace }),
    counts: countsOf(there.filter(({ state }) => state === 'here').map(({ finding }) => finding)),
    isOpen,
  };
  return isOpen ? [head, ...rowsOf(key, by, there)] : [head];
}

function rowsOf(group: string, by: 'workload' | 'check', entries: readonly Entry[]): RowLine[] {
  const rows = grouped(entries, ({ finding }) => groupOf(finding, by === 'check' ? 'workload' : 'check'));
  return [...rows]
    .map(([key, some]): RowLine => {
      const sorted = some.toSorted((a, b) => a.finding.id - b.finding.id) as [Entry, ...Entry[]];
      const severity = some.reduce(
        (most, { finding }) => (rank(finding.severity) < rank(most) ? finding.severity : most),
        some[0].finding.severity,
      );
      return { kind: 'row', key: `${group}|${key}`, entries: sorted, severity };
    })
    .sort((one, other) => rank(one.severity) - rank(other.severity) || (one.key < other.key ? -1 : 1));
}

function grouped<T>(all: readonly T[], keyOf: (one: T) => string): Map<string, [T, ...T[]]> {
  const groups = new Map<string, [T, ...T[]]>();
  for (const one of all) {
    const key = keyOf(one);
    const some = groups.get(key);
    if (some) some.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}

function partition<T>(all: readonly T[], is: (one: T) => boolean): [T[], T[]] {
  const [yes, no]: [T[], T[]] = [[], []];
  for (const one of all) (is(one) ? yes : no).push(one);
  return [yes, no];
}
