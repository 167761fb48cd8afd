import { pathSteps } from '../../crd/field-path.ts';
import { isMapping } from '../../crd/mapping.ts';
import { podSpecIn } from '../facts/manifest.ts';

/** The fields by which a person knows an entry of these lists. */
const KNOWN_BY: Readonly<Record<string, string>> = {
  containers: 'name',
  initContainers: 'name',
  env: 'name',
  volumes: 'name',
  volumeMounts: 'mountPath',
};

/**
 * The names of the list entries that a path of the manifest only counts, the innermost first: `['DB_HOST', 'app']` for
 * `spec.containers[1].env[0].value`. The container is named only where the pod has several. Never throws.
 */
export function entryNames(manifest: object | undefined, path: string): string[] {
  const { containers = [], initContainers = [] } = (manifest && podSpecIn(manifest)?.spec) ?? {};
  const hasOne = containers.length + initContainers.length < 2;
  const names: string[] = [];
  let [here, list]: [unknown, string] = [manifest, ''];
  for (const step of pathSteps(path)) {
    here = (isMapping(here) || Array.isArray(here)) && Object.hasOwn(here, step) ? (here as Record<string | number, unknown>)[step] : null;
    const name = typeof step === 'number' && isMapping(here) ? here[KNOWN_BY[list] ?? ''] : undefined;
    if (typeof name === 'string' && !(hasOne && /ontainers$/.test(list))) names.unshift(name);
    list = String(step);
  }
  return names;
}
