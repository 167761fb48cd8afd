import type { Container, KubeObject, PodSpec } from '../crd/kubernetes.ts';
import { podSpecPlace } from './facts/shape.ts';
import { ChangeError, fieldPath, isSafe, valueAt } from './fix/apply.ts';

/** A change as a model proposes it: entries of lists by their names, `containers[app].env[LOG_LEVEL].value`, counted from the pod's spec. */
export interface Proposal {
  path: string;
  to: string | number | boolean | null;
  why: string;
}

/** A place in a pod's spec that a proposal names. */
interface Located {
  /** From the pod's spec. */
  steps: (string | number)[];
  /** The path without what stands in its brackets. */
  form: string;
  /** What stood in the brackets. */
  names: string[];
}

/** A proposal at its place in an object. */
export interface Placed extends Located {
  proposal: Proposal;
  /** From the object itself. */
  path: string;
  /** What stands there now, null for nothing. */
  from: unknown;
}

/** The proposals at their places; undefined when there are none, or one names what is not there, changes nothing, or holds a mask. */
export function placed(proposals: readonly Proposal[], object: KubeObject | undefined): Placed[] | undefined {
  const place = object && podSpecPlace(object);
  if (!place || proposals.length === 0) return undefined;
  const all: Placed[] = [];
  for (const proposal of proposals) {
    const { path, to } = proposal;
    const found = locate(path, place.spec);
    if (!found || (typeof to === 'string' && to.includes('***'))) return undefined;
    const full = fieldPath(place.path, ...found.steps);
    const from = standing(object, full);
    if (from === undefined || from === to) return undefined;
    all.push({ ...found, proposal, path: full, from });
  }
  return all;
}

/** undefined for a path that no manifest has. */
function standing(object: KubeObject, path: string): unknown {
  try {
    return valueAt(object, path);
  } catch (error) {
    if (error instanceof ChangeError) return undefined;
    throw error;
  }
}

/** A path of the rules as a model names it: counted from the pod's spec, entries of lists by their names. */
export function proposalPath(path: string, object: KubeObject | undefined): string {
  const place = object && podSpecPlace(object);
  if (!place || !path.startsWith(`${place.path}.`)) return path;
  let here: unknown = place.spec;
  return path
    .slice(place.path.length + 1)
    .replace(/\.?([A-Za-z0-9_-]+)|\[(\d+)\]|\["((?:[^"\\]|\\.)*)"\]/g, (all, key?: string, index?: string, quoted?: string) => {
      here = ownField(here, index === undefined ? (key ?? quoted ?? '') : Number(index));
      const name = index === undefined ? undefined : ownField(here, 'name');
      return quoted === undefined ? (typeof name === 'string' ? `[${name}]` : all) : `[${quoted}]`;
    });
}

/** What may have to be made and is no list. */
const MAPPINGS = new Set<string | number | undefined>(['nodeSelector', 'limits', 'requests']);

/** Finds the place; lists must hold the entry, mappings below it may still have to be made. */
function locate(path: string, spec: PodSpec): Located | undefined {
  const parts = [...path.matchAll(/(?:^|\.)([A-Za-z][A-Za-z-]{0,40})|\[([^\]\n]{1,253})\]/g)];
  if (parts.map(([all]) => all).join('') !== path || path.length > 500) return undefined;
  const steps: (string | number)[] = [];
  const names: string[] = [];
  let here: unknown = spec;
  for (const [, key, entry] of parts) {
    if (key !== undefined) {
      const field = key === 'containers' && steps.length === 0 && isInit(parts[1]?.[2], spec) ? 'initContainers' : key;
      steps.push(field);
      here = ownField(here, field);
      continue;
    }
    const name = (entry ?? '').replace(/^(["'])(.*)\1$/, '$2');
    names.push(name);
    const step = Array.isArray(here) ? indexOf(here, name) : here === undefined && !MAPPINGS.has(steps.at(-1)) ? undefined : name;
    if (step === undefined || !isSafe(step)) return undefined;
    steps.push(step);
    here = ownField(here, step);
  }
  return { steps, names, form: path.replace(/\[[^\]]*\]/g, '[]').replace(/^initContainers/, 'containers') };
}

function isInit(name: string | undefined, { initContainers }: PodSpec): boolean {
  return (initContainers ?? []).some((container: Container) => container.name === name);
}

function indexOf(list: unknown[], name: string): number | undefined {
  const at = list.findIndex((entry) => ownField(entry, 'name') === name);
  if (at >= 0) return at;
  const index = /^\d{1,4}$/.test(name) ? Number(name) : list.length;
  return index < list.length ? index : undefined;
}

function ownField(value: unknown, key: string | number): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string | number, unknown>)[key]
    : undefined;
}
