import type { Advice } from '../../contract/advice.ts';

/** Pieces of advice that say the same about different workloads. */
export type Group = readonly [Advice, ...Advice[]];

/** The list with what has the same title and severity together, in the order in which the first of each comes. */
export function groupsOf(list: readonly Advice[]): Group[] {
  const groups = new Map<string, [Advice, ...Advice[]]>();
  for (const one of list) {
    const key = `${one.severity} ${one.title}`;
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return [...groups.values()];
}
