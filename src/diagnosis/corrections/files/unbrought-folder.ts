import type { ContainerPlace, RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import type { Correction } from '../correction.ts';
import { type Given, givenIn, rewritten } from '../given-values.ts';
import { nearest, nearestName } from '../similar-names.ts';
import { mountOf } from './mounted-files.ts';

const FOLDER = /^(?:\/[\w.@-]{1,80}){1,8}\/?$/;
const lastOf = (path: string): string => path.replace(/\/$/, '').split('/').at(-1) ?? '';

/**
 * The one setting that names a folder below no mount, where exactly one volume with keys of a Secret or ConfigMap is mounted under a similar path that
 * nothing in the container names: `--certs-dir=/cockroach/certs` for a mount at `/cockroach/cockroach-certs`.
 */
export function unbroughtFolder(input: RuleInput): { name: string; folder: string; corrections: Correction[] } | undefined {
  const place = input.place();
  const given = place ? givenIn(place) : [];
  const named = given.filter(({ name, value }) => /dir|folder|path|certs?$/i.test(name) && FOLDER.test(value) && !mountOf(place, value));
  const pairs = named.flatMap((one) =>
    unnamedMounts(place, given).flatMap((mount) => (isSimilar(one.value, mount) ? [{ one, mount }] : [])),
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

/** Where volumes with keys are mounted whole, if no setting or word names a path in them. */
function unnamedMounts(place: ContainerPlace | undefined, given: readonly Given[]): string[] {
  const { container, spec } = place ?? {};
  const texts = [...given.map(({ value }) => value), ...(container?.args ?? []), ...(container?.command ?? [])];
  return (container?.volumeMounts ?? []).flatMap(({ name, mountPath, subPath }) => {
    const volume = spec?.volumes?.find((one) => one.name === name);
    const path = mountPath.replace(/\/$/, '');
    const hasKeys = volume?.secret ?? volume?.configMap ?? volume?.projected;
    return hasKeys && !subPath && !path.includes('serviceaccount') && !texts.some((text) => text.includes(path)) ? [path] : [];
  });
}

/** Whether two paths differ in a slip, or in the last name of the same folder or the folder of the same name. */
function isSimilar(wanted: string, there: string): boolean {
  const [path, last, other] = [wanted.replace(/\/$/, ''), lastOf(wanted), lastOf(there)];
  const isBeside = path.slice(0, -last.length) === there.slice(0, -other.length) && nearestName(last, [other]).length > 0;
  return isBeside || last === other || nearest(path, [there]).length > 0;
}
