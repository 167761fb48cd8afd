import type { PodSpec } from '../../crd/kubernetes.ts';
import type { MissingFact } from '../facts/config.ts';
import { fieldPath } from '../../crd/field-path.ts';
import { nearest } from '../corrections/nearest.ts';
import { code } from '../rendering/quote.ts';
import type { Correction } from '../corrections/correction.ts';
import { describe, kubectl } from './commands.ts';
import { change, factOf, type ContainerPlace, type DiagnosisRule, type RuleInput, who } from './rule.ts';

/** A variable or volume names a ConfigMap, a Secret or a key that does not exist. */
export const configMissing: DiagnosisRule = {
  id: 'config-missing',
  reasons: ['CreateContainerConfigError', 'FailedMount'],
  answer(input) {
    const fact = factOf(input, 'missing');
    if (!fact) return undefined;
    const missing = { ...fact, name: fact.name || nameOfVolume(input, fact) };
    const { what, name, key } = missing;
    const thing = key === null ? `${what} ${code(name)}` : `key ${code(key)} in ${what} ${code(name)}`;
    const kind = what.toLowerCase();
    return {
      summary: `${who(input)} cannot start: there is no ${thing}${fact.volume ? `, which volume ${code(fact.volume)} needs` : ''}.`,
      culprit: key === null ? `${what} ${name}` : `key ${key} in ${what} ${name}`,
      evidence: [fact.evidence],
      advice: [
        key === null
          ? `Create the ${what} ${code(name)} in namespace ${code(input.subject.namespace)}, or correct its name.`
          : `Add the key ${code(key)} to ${what} ${code(name)}, or correct the key that the pod names.`,
      ],
      commands: [
        key === null ? kubectl(input.subject, 'get', `${kind}s`) : kubectl(input.subject, 'describe', kind, name),
        describe(input.subject),
      ],
      corrections: corrections(input, missing),
      noCorrection: {
        why: `Somebody must create the ${thing}. The manifest only names it.`,
        whereToLook: `the ${what}s of the namespace, and what should have created this one`,
      },
    };
  },
};

/** One reference of the pod to the missing object, as three paths in the pod: the object's name, the key, and the field `optional`. */
interface ReferencePaths {
  name: string;
  key: string | null;
  optional: string;
}

function corrections(input: RuleInput, missing: MissingFact): Correction[] {
  const place = input.place();
  const references = place ? referencesTo(place, missing) : [];
  if (!place || references.length === 0) return [];
  return [
    ...(missing.key === null ? otherNames(input, place, missing, references) : otherKeys(input, place, missing, missing.key, references)),
    optional(place, missing, references),
  ];
}

function otherNames(input: RuleInput, place: ContainerPlace, { what, name }: MissingFact, references: ReferencePaths[]): Correction[] {
  const wanted = references.flatMap((reference) => (reference.key === null ? [] : [valueOf(place, reference.key)]));
  // A Secret without keys is known by its name only: a recording may leave out its data.
  const isFit = ({ keys }: { keys: string[] }) => (what === 'Secret' && keys.length === 0) || wanted.every((key) => keys.includes(key));
  const names = existing(input, what).flatMap((other) => (isFit(other) ? [other.name] : []));
  return nearest(name, names)
    .slice(0, 2)
    .map((guess) => ({
      title: `Use ${what} ${code(guess)}`,
      changes: references.map((reference) =>
        change(place, reference.name, guess, `${code(name)} looks like a typo of ${code(guess)}, which exists`),
      ),
      confidence: 'likely',
      explanation: what === 'Secret' ? NOT_RUN : `The namespace has a ConfigMap with a similar name.`,
      mirrorable: what === 'ConfigMap',
    }));
}

const NOT_RUN = 'A mirror may not use a Secret that the source does not name.';

function existing({ subject: { surroundings = {} } }: RuleInput, what: MissingFact['what']): { name: string; keys: string[] }[] {
  return (what === 'Secret' ? surroundings.secrets : surroundings.configMaps) ?? [];
}

function otherKeys(
  input: RuleInput,
  place: ContainerPlace,
  { what, name }: MissingFact,
  key: string,
  references: ReferencePaths[],
): Correction[] {
  const all = existing(input, what);
  const keys = all.find((other) => other.name === name)?.keys ?? [];
  const typos = nearest(key, keys)
    .slice(0, 2)
    .map((guess): Correction => ({
      title: `Use the key ${code(guess)}`,
      changes: references.flatMap((reference) =>
        reference.key === null ? [] : [change(place, reference.key, guess, `${code(key)} looks like a typo of ${code(guess)}`)],
      ),
      confidence: 'likely',
      explanation: `${what} ${code(name)} has the keys ${keys
        .slice(0, 20)
        .map((other) => code(other, 60))
        .join(', ')}.`,
      mirrorable: true,
    }));
  const elsewhere = all
    .filter((other) => other.name !== name && other.keys.includes(key))
    .slice(0, 1)
    .map((other): Correction => ({
      title: `Take the key from ${what} ${code(other.name)}`,
      changes: references.map((reference) => change(place, reference.name, other.name, `it has the key ${code(key)}`)),
      confidence: 'guess',
      explanation: `${what} ${code(name)} does not have this key, but ${code(other.name)} does.${what === 'Secret' ? ` ${NOT_RUN}` : ''}`,
      mirrorable: what === 'ConfigMap',
    }));
  return [...typos, ...elsewhere];
}

function optional(place: ContainerPlace, { what, name, key }: MissingFact, references: ReferencePaths[]): Correction {
  return {
    title: 'Let the pod start without it',
    changes: references.map((reference) =>
      change(place, reference.optional, true, `then ${key === null ? `${what} ${code(name)}` : `key ${code(key)}`} may be missing`),
    ),
    confidence: 'guess',
    explanation: 'The container then starts. A mirror shows whether the program can work without the value.',
    mirrorable: true,
  };
}

function referencesTo(place: ContainerPlace, missing: MissingFact): ReferencePaths[] {
  const isVariable = missing.volume === null;
  const variables = isVariable ? variableReferences(place, missing) : [];
  return variables.length > 0 ? variables : volumeReferences(place, missing);
}

function variableReferences({ container, path }: ContainerPlace, { what, name, key }: MissingFact): ReferencePaths[] {
  const [keyRef, mapRef] = what === 'Secret' ? (['secretKeyRef', 'secretRef'] as const) : (['configMapKeyRef', 'configMapRef'] as const);
  const single = (container?.env ?? []).flatMap((variable, index) => {
    const source = variable.valueFrom?.[keyRef];
    if (source?.name !== name || (key !== null && source.key !== key)) return [];
    const base = fieldPath(path, 'env', index, 'valueFrom', keyRef);
    return [{ name: `${base}.name`, key: `${base}.key`, optional: `${base}.optional` }];
  });
  const whole = (container?.envFrom ?? []).flatMap((source, index) => {
    if (key !== null || source[mapRef]?.name !== name) return [];
    const base = fieldPath(path, 'envFrom', index, mapRef);
    return [{ name: `${base}.name`, key: null, optional: `${base}.optional` }];
  });
  return [...single, ...whole];
}

function volumeReferences({ spec, specPath }: ContainerPlace, { what, name, key, volume: wanted }: MissingFact): ReferencePaths[] {
  return (spec.volumes ?? []).flatMap((volume, index) => {
    if (wanted !== null && volume.name !== wanted) return [];
    const field = what === 'Secret' ? 'secret' : 'configMap';
    const nameField = what === 'Secret' ? 'secretName' : 'name';
    const source = volume[field] as { name?: string; secretName?: string; items?: { key: string }[] } | null | undefined;
    const base = fieldPath(specPath, 'volumes', index);
    if (source?.[nameField] === name) return [reference(fieldPath(base, field), nameField, source.items, key)];
    return (volume.projected?.sources ?? []).flatMap((projection, at) => {
      const projected = projection[field];
      return projected?.name === name ? [reference(fieldPath(base, 'projected', 'sources', at, field), 'name', projected.items, key)] : [];
    });
  });
}

function reference(base: string, nameField: string, items: { key: string }[] | null | undefined, key: string | null): ReferencePaths {
  const item = key === null ? -1 : (items?.findIndex((entry) => entry.key === key) ?? -1);
  return { name: `${base}.${nameField}`, key: item < 0 ? null : fieldPath(base, 'items', item, 'key'), optional: `${base}.optional` };
}

function nameOfVolume(input: RuleInput, { what, volume }: MissingFact): string {
  const spec: PodSpec | undefined = input.place()?.spec;
  const found = spec?.volumes?.find(({ name }) => name === volume);
  return (what === 'Secret' ? found?.secret?.secretName : found?.configMap?.name) ?? volume ?? '';
}

function valueOf(place: ContainerPlace, path: string): string {
  return String(change(place, path, null, '').from);
}
