import type { Advice } from '../../contract/advice.ts';

/** Pieces of advice that say the same about different workloads. */
export type Group = readonly [Advice, ...Advice[]];

/** Groups advice with the same title and severity. The groups keep the order of their first entries. */
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
