import type { PodSpec } from '../../crd/kubernetes.ts';
import type { MissingFact } from '../facts/config.ts';
import { fieldPath } from '../fix/apply.ts';
import { nearest } from '../fix/nearest.ts';
import { code } from '../quote.ts';
import type { RuleCorrection } from './answer.ts';
import { describe, kubectl } from './commands.ts';
import { change, factOf, type Place, type Rule, type Scene, who } from './rule.ts';

/** A ConfigMap, Secret or key that a variable or volume names and that is not there. */
export const configMissing: Rule = {
  id: 'config-missing',
  reasons: ['CreateContainerConfigError', 'FailedMount'],
  answer(scene) {
    const fact = factOf(scene, 'missing');
    if (!fact) return undefined;
    const missing = { ...fact, name: fact.name || nameOfVolume(scene, fact) };
    const { what, name, key } = missing;
    const thing = key === null ? `${what} ${code(name)}` : `key ${code(key)} in ${what} ${code(name)}`;
    const kind = what.toLowerCase();
    return {
      summary: `${who(scene)} cannot start: there is no ${thing}${fact.volume ? `, which volume ${code(fact.volume)} wants` : ''}.`,
      culprit: key === null ? `${what} ${name}` : `key ${key} in ${what} ${name}`,
      evidence: [fact.evidence],
      advice: [
        key === null
          ? `Make the ${what} ${code(name)} in namespace ${code(scene.subject.namespace)}, or correct its name.`
          : `Add the key ${code(key)} to ${what} ${code(name)}, or correct the key that the pod asks for.`,
      ],
      commands: [
        key === null ? kubectl(scene.subject, 'get', `${kind}s`) : kubectl(scene.subject, 'describe', kind, name),
        describe(scene.subject),
      ],
      corrections: corrections(scene, missing),
      noCure: {
        why: `The ${thing} must be made; the manifest only names it.`,
        whereToLook: `the ${what}s of the namespace, and whoever should have made this one`,
      },
    };
  },
};

/** One place of the pod that names the missing thing: paths of the name, the key, and of `optional`. */
interface Reference {
  name: string;
  key: string | null;
  optional: string;
}

function corrections(scene: Scene, missing: MissingFact): RuleCorrection[] {
  const place = scene.place();
  const references = place ? referencesTo(place, missing) : [];
  if (!place || references.length === 0) return [];
  return [
    ...(missing.key === null ? otherNames(scene, place, missing, references) : otherKeys(scene, place, missing, missing.key, references)),
    optional(place, missing, references),
  ];
}

function otherNames(scene: Scene, place: Place, { what, name }: MissingFact, references: Reference[]): RuleCorrection[] {
  const wanted = references.flatMap((reference) => (reference.key === null ? [] : [valueOf(place, reference.key)]));
  // Of a Secret without keys only the name is known: who records one may well leave out its data.
  const isFit = ({ keys }: { keys: string[] }) => (what === 'Secret' && keys.length === 0) || wanted.every((key) => keys.includes(key));
  const names = existing(scene, what).flatMap((other) => (isFit(other) ? [other.name] : []));
  return nearest(name, names)
    .slice(0, 2)
    .map((guess) => ({
      title: `Use ${what} ${code(guess)}`,
      changes: references.map((reference) =>
        change(place, reference.name, guess, `${code(name)} looks like a slip of ${code(guess)}, which exists`),
      ),
      confidence: 'likely',
      explanation: what === 'Secret' ? NOT_RUN : `The namespace has a ConfigMap of nearly that name.`,
      mirrorable: what === 'ConfigMap',
    }));
}

const NOT_RUN = 'A mirror may not use a Secret that the source does not name.';

function existing({ subject: { surroundings = {} } }: Scene, what: MissingFact['what']): { name: string; keys: string[] }[] {
  return (what === 'Secret' ? surroundings.secrets : surroundings.configMaps) ?? [];
}

function otherKeys(scene: Scene, place: Place, { what, name }: MissingFact, key: string, references: Reference[]): RuleCorrection[] {
  const all = existing(scene, what);
  const keys = all.find((other) => other.name === name)?.keys ?? [];
  const slips = nearest(key, keys)
    .slice(0, 2)
    .map((guess): RuleCorrection => ({
      title: `Use the key ${code(guess)}`,
      changes: references.flatMap((reference) =>
        reference.key === null ? [] : [change(place, reference.key, guess, `${code(key)} looks like a slip of ${code(guess)}`)],
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
    .map((other): RuleCorrection => ({
      title: `Take the key from ${what} ${code(other.name)}`,
      changes: references.map((reference) => change(place, reference.name, other.name, `it has the key ${code(key)}`)),
      confidence: 'guess',
      explanation: `${what} ${code(name)} has no such key, ${code(other.name)} has.${what === 'Secret' ? ` ${NOT_RUN}` : ''}`,
      mirrorable: what === 'ConfigMap',
    }));
  return [...slips, ...elsewhere];
}

function optional(place: Place, { what, name, key }: MissingFact, references: Reference[]): RuleCorrection {
  return {
    title: 'Let the pod start without it',
    changes: references.map((reference) =>
      change(place, reference.optional, true, `then ${key === null ? `${what} ${code(name)}` : `key ${code(key)}`} may be missing`),
    ),
    confidence: 'guess',
    explanation: 'The container starts; whether the program can work without the value, a mirror shows.',
    mirrorable: true,
  };
}

function referencesTo(place: Place, missing: MissingFact): Reference[] {
  const isVariable = missing.volume === null;
  const variables = isVariable ? variableReferences(place, missing) : [];
  return variables.length > 0 ? variables : volumeReferences(place, missing);
}

function variableReferences({ container, path }: Place, { what, name, key }: MissingFact): Reference[] {
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

function volumeReferences({ spec, specPath }: Place, { what, name, key, volume: wanted }: MissingFact): Reference[] {
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

function reference(base: string, nameField: string, items: { key: string }[] | null | undefined, key: string | null): Reference {
  const item = key === null ? -1 : (items?.findIndex((entry) => entry.key === key) ?? -1);
  return { name: `${base}.${nameField}`, key: item < 0 ? null : fieldPath(base, 'items', item, 'key'), optional: `${base}.optional` };
}

function nameOfVolume(scene: Scene, { what, volume }: MissingFact): string {
  const spec: PodSpec | undefined = scene.place()?.spec;
  const found = spec?.volumes?.find(({ name }) => name === volume);
  return (what === 'Secret' ? found?.secret?.secretName : found?.configMap?.name) ?? volume ?? '';
}

function valueOf(place: Place, path: string): string {
  return String(change(place, path, null, '').from);
}
