import type { ContainerPlace, RuleInput } from '../../facts/input.ts';
import { mountedFiles } from './mounted-files.ts';
import { stemOf } from './near-file.ts';

/** Other mounted files of the new name, which the container may name by the old one: the key beside a certificate. */
export function withSameStem(input: RuleInput, place: ContainerPlace, file: string, path: string): [from: string, to: string][] {
  const [wanted, there] = [stemOf(file), stemOf(path)];
  if (wanted === there || wanted === file) return [];
  const mounted = mountedFiles(input, place);
  return mounted.flatMap((one): [string, string][] => {
    const old = wanted + one.slice(there.length);
    return one !== path && stemOf(one) === there && !mounted.includes(old) ? [[old, one]] : [];
  });
}
