import { pathSteps } from '../../crd/field-path.ts';
import { isMapping } from '../../crd/mapping.ts';
import { podSpecIn } from '../facts/manifest.ts';

/** The fields by which a person knows an entry of these lists, and what an entry is called. */
const KNOWN_BY: Readonly<Record<string, readonly [field: string, what: string]>> = {
  containers: ['name', 'container'],
  initContainers: ['name', 'init container'],
  env: ['name', 'variable'],
  volumes: ['name', 'volume'],
  volumeMounts: ['mountPath', 'mounted at'],
};

/** An entry of a list by the name that people know it by. */
export interface NamedEntry {
  what: string;
  name: string;
}

/**
 * The list entries that a path of the manifest only counts, the innermost first: the variable `DB_HOST` and the container `app` for
 * `spec.containers[1].env[0].value`. The container is named only where the pod has several. Never throws.
 */
export function entryNames(manifest: object | undefined, path: string): NamedEntry[] {
  const { containers = [], initContainers = [] } = (manifest && podSpecIn(manifest)?.spec) ?? {};
  const hasOne = containers.length + initContainers.length < 2;
  const names: NamedEntry[] = [];
  let [here, list]: [unknown, string] = [manifest, ''];
  for (const step of pathSteps(path)) {
    here = (isMapping(here) || Array.isArray(here)) && Object.hasOwn(here, step) ? (here as Record<string | number, unknown>)[step] : null;
    const [field = '', what = ''] = KNOWN_BY[list] ?? [];
    const name = typeof step === 'number' && isMapping(here) ? here[field] : undefined;
    if (typeof name === 'string' && !(hasOne && /ontainers$/.test(list))) names.unshift({ what, name });
    list = String(step);
  }
  return names;
}
