import type { ContainerPlace, RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { textsOf } from '../container-texts.ts';
import { givenIn, rewritten } from '../given-values.ts';
import { nearest, nearestName } from '../similar-names.ts';
import { mountOf, objectsOf } from './mounted-files.ts';

const FOLDER = /^(?:\/[\w.@-]{1,80}){1,8}\/?$/;
const lastOf = (path: string): string => path.replace(/\/$/, '').split('/').at(-1) ?? '';

/**
 * Finds the only setting that names a folder outside all mounts, if exactly one ConfigMap or Secret volume is mounted at a similar path that
 * nothing in the container names: `--certs-dir=/cockroach/certs` beside a mount at `/cockroach/cockroach-certs`. Sets it to that path.
 */
export function unbroughtFolder(input: RuleInput): { name: string; folder: string; corrections: Correction[] } | undefined {
  const place = input.place();
  const given = place ? givenIn(place) : [];
  const named = given.filter(
    ({ name, value }) => /dir|folder|path|home|certs?$/i.test(name) && FOLDER.test(value) && !mountOf(place, value),
  );
  const pairs = named.flatMap((one) =>
    unnamedMounts(place).flatMap((mount) => (isSimilar(one.value, mount) || isCalledAfter(one.name, mount) ? [{ one, mount }] : [])),
  );
  const [only, ...more] = pairs;
  if (!place || !only || more.length > 0) return undefined;
  const { one, mount } = only;
  return {
    name: one.name,
    folder: one.value,
    corrections: [
      {
        title: `Set ${code(one.name)} to ${code(mount)}`,
        changes: [rewritten(place, one, mount, `a volume is mounted at ${code(mount)}, and nothing in the container names that`)],
        confidence: 'likely',
        explanation: `No volume is mounted at ${code(one.value)}.`,
        mirrorable: true,
      },
    ],
  };
}

/** Mount paths of ConfigMap, Secret and projected volumes (the folder of a single file), that no setting, argument or command of the container contains. */
function unnamedMounts(place: ContainerPlace | undefined): string[] {
  const { container, spec } = place ?? {};
  const texts = textsOf(container);
  return (container?.volumeMounts ?? []).flatMap(({ name, mountPath, subPath }) => {
    const volume = spec?.volumes?.find((one) => one.name === name);
    const whole = mountPath.replace(/\/$/, '');
    const path = subPath ? whole.slice(0, whole.lastIndexOf('/')) : whole;
    const hasKeys = objectsOf(volume);
    return hasKeys && path !== '' && !path.includes('serviceaccount') && !texts.some((text) => text.includes(path)) ? [path] : [];
  });
}

/** Whether two paths differ only by a typo, only in the folder before the same last name, or have similar last names in the same folder. */
function isSimilar(wanted: string, there: string): boolean {
  const [path, last, other] = [wanted.replace(/\/$/, ''), lastOf(wanted), lastOf(there)];
  const isBeside = path.slice(0, -last.length) === there.slice(0, -other.length) && nearestName(last, [other]).length > 0;
  return isBeside || last === other || nearest(path, [there]).length > 0;
}

/** Whether the setting has the last folder of the path in its name: `--profiles-dir` and `/dbt/profiles`. */
function isCalledAfter(name: string, there: string): boolean {
  const last = lastOf(there).toLowerCase();
  return (
    last.length > 4 &&
    name
      .toLowerCase()
      .split(/[^a-z]+/)
      .includes(last)
  );
}
