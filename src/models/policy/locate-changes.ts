import type { Container, KubeObject, PodSpec } from '../../crd/kubernetes.ts';
import { podSpecIn } from '../../diagnosis/facts/manifest.ts';
import { ChangeError, fieldPath, isSafe, valueAt } from '../../crd/field-path.ts';

/** A change as a model writes it. Its path starts at the pod's spec and names list entries: `containers[app].env[LOG_LEVEL].value`. */
export interface ModelChange {
  path: string;
  to: string | number | boolean | null;
  why: string;
}

/** A field of a pod's spec that a model's change names. */
interface LocatedField {
  /** The path from the pod's spec. */
  steps: (string | number)[];
  /** The path with empty brackets. */
  form: string;
  /** The names in the brackets. */
  names: string[];
}

/** A model's change with its field in an object. */
export interface LocatedChange extends LocatedField {
  change: ModelChange;
  /** The path from the object itself. */
  path: string;
  /** The current value, null for none. */
  from: unknown;
}

/**
 * Finds the fields of all changes. Returns undefined when there are none, or when one names a missing entry, changes nothing, or contains a
 * mask.
 */
export function locateChanges(modelChanges: readonly ModelChange[], object: KubeObject | undefined): LocatedChange[] | undefined {
  const place = object && podSpecIn(object);
  if (!place || modelChanges.length === 0) return undefined;
  const all: LocatedChange[] = [];
  for (const change of modelChanges) {
    const { path, to } = change;
    const found = locate(path, place.spec);
    if (!found || (typeof to === 'string' && to.includes('***'))) return undefined;
    const full = fieldPath(place.path, ...found.steps);
    const from = currentValue(object, full);
    if (from === undefined || from === to) return undefined;
    all.push({ ...found, change, path: full, from });
  }
  return all;
}

/** The current value at a path; undefined for a path that no manifest can have. */
function currentValue(object: KubeObject, path: string): unknown {
  try {
    return valueAt(object, path);
  } catch (error) {
    if (error instanceof ChangeError) return undefined;
    throw error;
  }
}

/** Turns a path of the rules into the form that models use: it starts at the pod's spec and names list entries. */
export function modelPath(path: string, object: KubeObject | undefined): string {
  const place = object && podSpecIn(object);
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

/** Mappings that can be created if they are missing. */
const MAPPINGS = new Set<string | number | undefined>(['nodeSelector', 'limits', 'requests']);

/** Finds a field. Lists must contain the named entry; mappings below it may be missing. */
function locate(path: string, spec: PodSpec): LocatedField | undefined {
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
