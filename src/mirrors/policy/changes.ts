import type { Change } from '../../contract/failure.ts';
import { fieldPath } from '../../crd/field-path.ts';
import { canonical } from '../../crd/canonical.ts';
import { isMapping } from '../../crd/mapping.ts';

/** The most changes that `status.correction.changes` holds. */
export const MAX_CHANGES = 64;

/**
 * The fields in which `after` differs from `before`, at most 64, with `why` for each. Entries of lists are compared by their name
 * if they have one, or else by position. Paths are paths in `after`, except those of removed fields, which are paths in `before`.
 */
export function changesBetween(before: object, after: object, why: string, base: string): Change[] {
  return allChanges(before, after, why, base).slice(0, MAX_CHANGES);
}

/** Like `changesBetween`, without a limit. */
export function allChanges(before: object, after: object, why: string, base: string): Change[] {
  const changes: Change[] = [];
  collect(before, after, base, (path, from, to) => void changes.push({ path, from: from ?? null, to: to ?? null, why }));
  return changes;
}

/** Adds fields to `after` that it leaves out, if their value in `before` is the API server's default. */
export function keepDefaults(before: object, after: object): object {
  return kept(before, after) as object;
}

function kept(before: unknown, after: unknown): unknown {
  if (isNamedList(before) && isNamedList(after)) {
    return after.map((entry) =>
      kept(
        before.find(({ name }) => name === entry.name),
        entry,
      ),
    );
  }
  if (!isMapping(before) || !isMapping(after)) return after;
  const isLeftOut = (key: string): boolean => !Object.hasOwn(after, key) && isDefault(key, before[key]);
  const known = Object.keys(before).filter((key) => Object.hasOwn(after, key) || isLeftOut(key));
  const fields = [...known, ...Object.keys(after).filter((key) => !Object.hasOwn(before, key))];
  return Object.fromEntries(fields.map((key) => [key, isLeftOut(key) ? before[key] : kept(before[key], after[key])]));
}

/** The API server's defaults by the field's name. The default of `imagePullPolicy` depends on the image. */
const DEFAULTS: Record<string, unknown> = {
  restartPolicy: 'Always',
  dnsPolicy: 'ClusterFirst',
  schedulerName: 'default-scheduler',
  serviceAccountName: 'default',
  terminationGracePeriodSeconds: 30,
  enableServiceLinks: true,
  securityContext: {},
  resources: {},
  terminationMessagePath: '/dev/termination-log',
  terminationMessagePolicy: 'File',
  protocol: 'TCP',
  scheme: 'HTTP',
  timeoutSeconds: 1,
  periodSeconds: 10,
  successThreshold: 1,
  failureThreshold: 3,
  defaultMode: 420,
};

/** Whether the value is the default of the field. */
function isDefault(field: string, value: unknown): boolean {
  const isEmptyList = Array.isArray(value) && value.length === 0;
  return isEmptyList || field === 'imagePullPolicy' || (field in DEFAULTS && canonical(DEFAULTS[field]) === canonical(value));
}

type OnChange = (path: string, from: unknown, to: unknown) => void;

function collect(before: unknown, after: unknown, path: string, onChange: OnChange): void {
  if (canonical(before) === canonical(after)) return;
  if (isNamedList(before) && isNamedList(after)) return collectLists(before, after, path, onChange);
  if (!isMapping(before) || !isMapping(after)) return onChange(path, before, after);
  for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
    const [from, to] = [before[key], after[key]];
    if ((to === undefined && isDefault(key, from)) || (from === undefined && isDefault(key, to))) continue;
    collect(from, to, fieldPath(path, key), onChange);
  }
}

function collectLists(before: Named[], after: Named[], path: string, onChange: OnChange): void {
  for (const [index, entry] of after.entries())
    collect(
      before.find(({ name }) => name === entry.name),
      entry,
      `${path}[${index}]`,
      onChange,
    );
  for (const [index, entry] of before.entries())
    if (!after.some(({ name }) => name === entry.name)) onChange(`${path}[${index}]`, entry, undefined);
}

interface Named {
  name: string;
}

const isNamedList = (value: unknown): value is Named[] =>
  Array.isArray(value) && value.every((entry) => isMapping(entry) && typeof entry['name'] === 'string');
