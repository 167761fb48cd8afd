import { fieldPath, valueAt } from '../../../crd/field-path.ts';
import type { EnvVar } from '../../../crd/kubernetes.ts';
import type { ContainerPlace, RuleInput } from '../../facts/input.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import type { Correction } from '../correction.ts';
import { nearest } from '../similar-names.ts';

const FIELD = /^metadata\.(labels|annotations)\['([^']{1,317})'\]$/;

/** The label or annotation that a variable takes its value from, where the pod does not have it. */
function fieldOf(
  { object, specPath }: ContainerPlace,
  variable: EnvVar | undefined,
): { map: 'labels' | 'annotations'; key: string; base: string; own: string[] } | undefined {
  const [, map, key] = FIELD.exec(variable?.valueFrom?.fieldRef?.fieldPath ?? '') ?? [];
  if ((map !== 'labels' && map !== 'annotations') || key === undefined) return undefined;
  const base = `${specPath.replace(/spec$/, '')}metadata.${map}`;
  const own = Object.keys((valueAt(object, base) ?? {}) as Record<string, unknown>);
  return own.includes(key) ? undefined : { map, key, base, own };
}

/** For a variable from a label or an annotation that the pod does not have, so that it is empty: a similar one, or the one of the workload. */
export function missingField({
  input,
  place,
  env,
  name,
}: {
  input: RuleInput;
  place: ContainerPlace;
  env: EnvVar[];
  name: string;
}): Correction[] {
  const index = env.findIndex((variable) => variable.name === name);
  const field = fieldOf(place, env[index]);
  if (!field) return [];
  const { map, key, base, own } = field;
  const what = map === 'labels' ? 'label' : 'annotation';
  const near = similarKey(key, own);
  const path = fieldPath(place.path, 'env', index, 'valueFrom', 'fieldRef', 'fieldPath');
  if (near !== undefined)
    return [
      {
        title: `Take ${code(name)} from the ${what} ${code(near)}`,
        changes: [change(place, path, `metadata.${map}['${near}']`, `the pod has no ${what} ${code(key)}`)],
        confidence: 'likely',
        explanation: `${code(key)} looks like another name of ${code(near)}.`,
        mirrorable: true,
      },
    ];
  const ofOwner = input.subject.owner?.metadata[map]?.[key];
  return [
    {
      title: `Give the pod the ${what} ${code(key)}`,
      changes: [change(place, fieldPath(base, key), ofOwner ?? valueFor(input, place, key), `${code(name)} takes its value from it`)],
      confidence: ofOwner === undefined ? 'guess' : 'likely',
      explanation:
        ofOwner === undefined
          ? 'Only those who wrote the program know which value is right.'
          : `The workload has it, and not the template of its pods.`,
      mirrorable: true,
    },
  ];
}

/** The only variable of the container that is empty because the pod has not the label or annotation behind it. */
export function emptyVariable(input: RuleInput): { name: string; key: string; corrections: Correction[] } | undefined {
  const place = input.place();
  const env = place?.container?.env ?? [];
  const [only, ...more] = env.flatMap((variable) => {
    const field = place && fieldOf(place, variable);
    return field ? [{ name: variable.name, key: field.key }] : [];
  });
  return place && only && more.length === 0 ? { ...only, corrections: missingField({ input, place, env, name: only.name }) } : undefined;
}

/** A key with the same name after its prefix, or with a typo of it. */
function similarKey(key: string, keys: string[]): string | undefined {
  const nameOf = (one: string) => one.slice(one.lastIndexOf('/') + 1);
  return [...keys.filter((one) => nameOf(one) === nameOf(key)), ...nearest(key, keys)][0];
}

/** A value for a missing label: the image's tag for a version, otherwise the workload's name. */
function valueFor({ subject }: RuleInput, { container }: ContainerPlace, key: string): string {
  const tag = /:([\w][\w.-]{0,62})$/.exec(container?.image ?? '')?.[1];
  return (/version|release|tag/i.test(key) ? tag : undefined) ?? subject.workload?.name ?? container?.name ?? key;
}
