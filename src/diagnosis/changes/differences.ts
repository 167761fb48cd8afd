import { isDeepStrictEqual } from 'node:util';
import type { Container, PodSpec } from '../../crd/kubernetes.ts';
import { isMapping } from '../../crd/mapping.ts';

/** One step of a path: a key, or a list entry by its name or mount path. */
export type PathStep = string | { by: 'name' | 'mountPath'; is: string };

/** A field that differs between two revisions. A missing value is null. */
export interface Difference {
  /** The container that the field belongs to; null for fields of the pod. */
  container: string | null;
  /** The first key below the container or the pod, such as `env`, `resources` or `volumes`. */
  field: string;
  /** From the pod's spec. */
  steps: PathStep[];
  before: unknown;
  after: unknown;
}

/** Fields that can make a container fail. */
const CONTAINER_FIELDS =
  'image imagePullPolicy command args workingDir env envFrom resources livenessProbe readinessProbe startupProbe lifecycle ports volumeMounts securityContext'.split(
    ' ',
  );
const POD_FIELDS = 'nodeSelector affinity topologySpreadConstraints volumes securityContext serviceAccountName runtimeClassName'.split(' ');
/** Lists whose entries are compared by name. All other lists are compared as a whole. */
const NAMED = new Map<string, 'name' | 'mountPath'>([
  ['env', 'name'],
  ['volumes', 'name'],
  ['volumeMounts', 'mountPath'],
]);

/** The differences between the pods of two revisions, container by container. `before` is the older one. */
export function differences(before: PodSpec, after: PodSpec): Difference[] {
  return [
    ...(['initContainers', 'containers'] as const).flatMap((list) => inContainers(list, before[list] ?? [], after[list] ?? [])),
    ...POD_FIELDS.flatMap((field) =>
      compare([field], get(before, field), get(after, field)).map((found) => ({ container: null, field, ...found })),
    ),
  ];
}

function inContainers(list: string, before: Container[], after: Container[]): Difference[] {
  const names = [...new Set([...before, ...after].map(({ name }) => name))];
  return names.flatMap((name): Difference[] => {
    const [old, young] = [before, after].map((containers) => containers.find((container) => container.name === name));
    const steps: PathStep[] = [list, { by: 'name', is: name }];
    if (!old || !young) return [{ container: name, field: '', steps, before: old ?? null, after: young ?? null }];
    return CONTAINER_FIELDS.flatMap((field) =>
      compare([...steps, field], get(old, field), get(young, field)).map((found) => ({ container: name, field, ...found })),
    );
  });
}

type ChangedPart = Pick<Difference, 'steps' | 'before' | 'after'>;

/** The smallest parts that differ. Missing and empty values are equal. */
function compare(steps: PathStep[], before: unknown, after: unknown): ChangedPart[] {
  const [old, young] = [orNull(before), orNull(after)];
  if (isDeepStrictEqual(old, young)) return [];
  const by = NAMED.get(keyOf(steps));
  const [olds, youngs] = [old ?? [], young ?? []];
  if (by && isNamedList(olds) && isNamedList(youngs)) return compareNamed(steps, by, olds, youngs);
  if (!isMapping(old) || !isMapping(young) || !isDivisible(steps)) return [{ steps, before: old, after: young }];
  const keys = [...new Set([...Object.keys(old), ...Object.keys(young)])];
  return keys.flatMap((key) => compare([...steps, key], get(old, key), get(young, key)));
}

function compareNamed(steps: PathStep[], by: 'name' | 'mountPath', before: object[], after: object[]): ChangedPart[] {
  const names = [...new Set([...before, ...after].map((entry) => get(entry, by)))].filter((name) => typeof name === 'string');
  return names.flatMap((is) => {
    const [old, young] = [before, after].map((entries) => entries.find((entry) => get(entry, by) === is) ?? null);
    const here: PathStep[] = [...steps, { by, is }];
    return isDeepStrictEqual(old, young) ? [] : [{ steps: here, before: old, after: young }];
  });
}

/** Affinities and hooks are only replaced as a whole. */
function isDivisible(steps: PathStep[]): boolean {
  return !['affinity', 'lifecycle'].includes(keyOf(steps));
}

function keyOf(steps: PathStep[]): string {
  const last = steps.at(-1);
  return typeof last === 'string' ? last : '';
}

function orNull(value: unknown): unknown {
  if (value === undefined || value === null) return null;
  return typeof value === 'object' && Object.keys(value).length === 0 ? null : value;
}

function get(value: object, key: string): unknown {
  return Object.hasOwn(value, key) ? (value as Record<string, unknown>)[key] : undefined;
}

const isNamedList = (value: unknown): value is object[] => Array.isArray(value) && value.every(isMapping);
