import type { Change } from '../contract/failure.ts';

/** A change whose path is not a path, or leads through a value that is not a mapping or list. */
export class ChangeError extends Error {}

/**
 * A deep copy of `manifest` with the changes, made in their order, but without those of its owner. Paths start at the given object (`spec.containers[0].image`; keys with dots
 * are in brackets and quotes: `spec.nodeSelector["kubernetes.io/os"]`). `to` null removes a field or a list entry. An index at or beyond the end
 * of a list appends. Missing mappings and lists are created. Throws `ChangeError`.
 */
export function applyChanges<T>(manifest: T, changes: readonly Pick<Change, 'path' | 'to' | 'of'>[]): T {
  const copy = structuredClone(manifest);
  for (const change of changes) if (change.of !== 'owner') applyOne(copy, change);
  return copy;
}

/** The changes of the owner, as changes of the owner's own manifest. */
export function changesOfOwner(changes: readonly Change[]): Change[] {
  return changes.flatMap(({ of, ...change }) => (of === 'owner' ? [change] : []));
}

/** A path as text, from its steps: numbers are list indexes, texts are keys. */
export function fieldPath(base: string, ...steps: (string | number)[]): string {
  return steps.reduce<string>((path, step) => {
    if (typeof step === 'number') return `${path}[${step}]`;
    return PLAIN_KEY.test(step) ? `${path}.${step}` : `${path}[${JSON.stringify(step)}]`;
  }, base);
}

const PLAIN_KEY = /^[A-Za-z0-9_-]+$/;
/** Whether a step may be written. `__proto__` would reach a prototype. Other special names may be labels, so they are allowed. */
export const isSafe = (step: string | number): boolean => step !== '__proto__';

type Branch = Record<string | number, unknown>;

function applyOne(root: unknown, { path, to }: Pick<Change, 'path' | 'to'>): void {
  const steps = pathSteps(path);
  if (!steps.every(isSafe)) throw new ChangeError(`not a field of a manifest: ${path}`);
  const last = steps.pop() as string | number;
  let here = branchAt(root, path);
  for (const [index, step] of steps.entries()) {
    const next = Object.hasOwn(here, step) ? here[step] : undefined;
    if (next === undefined || next === null) {
      if (to === null || to === undefined) return;
      here[checkedStep(here, step, path)] = typeof (steps[index + 1] ?? last) === 'number' ? [] : {};
    }
    here = branchAt(here[step], path);
  }
  if (to !== null && to !== undefined) here[checkedStep(here, last, path)] = structuredClone(to);
  else if (Array.isArray(here)) here.splice(checkedStep(here, last, path) as number, 1);
  else delete here[last];
}

/** The steps of a path: keys as texts, indexes as numbers. Throws `ChangeError` when it is none. */
export function pathSteps(path: string): (string | number)[] {
  const steps: (string | number)[] = [];
  const step = /\.?([A-Za-z0-9_-]+)|\[(\d{1,6})\]|\[("(?:[^"\\]|\\.)*")\]/y;
  while (step.lastIndex < path.length) {
    const found = step.exec(path);
    if (!found) throw new ChangeError(`not a field path: ${path}`);
    const [, key, index, quoted] = found;
    const name = key ?? (quoted === undefined ? Number(index) : (JSON.parse(quoted) as string));
    steps.push(name);
  }
  if (steps.length === 0) throw new ChangeError('a change needs a field path');
  return steps;
}

function branchAt(value: unknown, path: string): Branch {
  if (typeof value !== 'object' || value === null) throw new ChangeError(`${path} leads through a value that has no fields`);
  return value as Branch;
}

function checkedStep(branch: Branch, step: string | number, path: string): string | number {
  const isIndex = typeof step === 'number';
  if (Array.isArray(branch) !== isIndex) throw new ChangeError(`${path}: ${isIndex ? 'an index into a mapping' : 'a key in a list'}`);
  // The list may be shorter than the one in the change, because a template lacks the volumes that admission adds to pods.
  return isIndex ? Math.min(step, (branch as unknown as unknown[]).length) : step;
}

/** The value at a path of `manifest`, null when there is none. Throws `ChangeError` when the path is not a path. */
export function valueAt(manifest: unknown, path: string): unknown {
  let here: unknown = manifest;
  for (const step of pathSteps(path)) {
    if (typeof here !== 'object' || here === null || !Object.hasOwn(here, step)) return null;
    here = (here as Branch)[step];
  }
  return here ?? null;
}
