import { existing, type MissingObject, type Reference, referencesIn } from '../facts/references.ts';
import { code } from '../rendering/quote.ts';
import { change, type ContainerPlace, type RuleInput } from '../rules/rule.ts';
import type { Correction } from './correction.ts';
import { nearest, nearestName } from './nearest.ts';

const NOT_RUN = 'A mirror may not use a Secret that the source does not name.';
const SHOWN_KEYS = 20;

/** Corrections for an object or key that does not exist, in every place of the pod that names it; the likeliest first. */
export function otherReferences(input: RuleInput, missing: MissingObject): Correction[] {
  const place = input.place();
  const references = place ? referencesTo(place, missing) : [];
  if (!place || references.length === 0) return [];
  return [
    ...(missing.key === null ? otherKind(input, place, missing, references) : []),
    ...(missing.key === null ? otherNames(input, place, missing, references) : otherKeys(input, place, missing, references)),
    ...optional(place, missing, references),
  ];
}

/** The keys of an existing ConfigMap or Secret as a sentence; undefined when they are not known. */
export function keysText({ subject }: RuleInput, { what, name }: MissingObject): string | undefined {
  const keys = existing(subject.surroundings ?? {}, what)?.find((one) => one.name === name)?.keys ?? [];
  if (keys.length === 0) return undefined;
  const shown = keys.slice(0, SHOWN_KEYS).map((key) => code(key, 60));
  return `${what} ${code(name)} has the ${keys.length === 1 ? 'key' : 'keys'} ${shown.join(', ')}${keys.length > SHOWN_KEYS ? ', …' : ''}.`;
}

/** All references to the object; for a key, those to this key. */
function referencesTo({ spec, specPath }: ContainerPlace, { what, name, key }: MissingObject): Reference[] {
  const own = referencesIn(spec, specPath).filter((one) => one.what === what && one.name === name);
  if (key !== null) return own.filter((one) => one.key === key);
  return own.filter(({ namePath }) => namePath !== '');
}

/** Fields that several references share are changed once. */
function inEach(references: Reference[], pathOf: (reference: Reference) => string | null): string[] {
  return [...new Set(references.flatMap((reference) => pathOf(reference) ?? []))];
}

function otherNames(input: RuleInput, place: ContainerPlace, { what, name }: MissingObject, references: Reference[]): Correction[] {
  const wanted = references.flatMap(({ key, optional: isOptional }) => (key === null || isOptional ? [] : [key]));
  // A Secret without keys is known by its name only: a recording may leave out its data.
  const isFit = ({ keys }: { keys: string[] }) =>
    (what === 'Secret' && keys.length === 0) || wanted.every((key) => keys.includes(key) || nearestName(key, keys).length > 0);
  const names = (existing(input.subject.surroundings ?? {}, what) ?? []).flatMap((other) => (isFit(other) ? [other.name] : []));
  const guesses = nearestName(name, names).slice(0, 2);
  return guesses.map((guess) => ({
    title: `Use ${what} ${code(guess)}`,
    changes: inEach(references, ({ namePath }) => namePath).map((path) =>
      change(place, path, guess, `${code(name)} looks like a typo of ${code(guess)}, which exists`),
    ),
    confidence: likelihood(name, guesses),
    explanation: what === 'Secret' ? NOT_RUN : 'The namespace has a ConfigMap with a similar name.',
    mirrorable: what === 'ConfigMap',
  }));
}

/** A variable asks a Secret for what a ConfigMap of the same name has, or the other way round. */
function otherKind(input: RuleInput, place: ContainerPlace, { what, name }: MissingObject, references: Reference[]): Correction[] {
  const other = what === 'Secret' ? 'ConfigMap' : 'Secret';
  const [from, to] = what === 'Secret' ? ['secretKeyRef', 'configMapKeyRef'] : ['configMapKeyRef', 'secretKeyRef'];
  const keys = existing(input.subject.surroundings ?? {}, other)?.find((one) => one.name === name)?.keys ?? [];
  const isVariable = ({ namePath, key }: Reference) => namePath.endsWith(`.valueFrom.${from}.name`) && key !== null && keys.includes(key);
  if (!references.every(isVariable)) return [];
  return [
    {
      title: `Ask the ${other} ${code(name)}`,
      changes: references.map(({ namePath, key }) =>
        change(place, namePath.replace(`.${from}.name`, ''), { [to]: { name, key } }, `${code(name)} is a ${other} and has this key`),
      ),
      confidence: 'likely',
      explanation: `There is no ${what} of this name, but a ${other}.${other === 'Secret' ? ` ${NOT_RUN}` : ''}`,
      mirrorable: other === 'ConfigMap',
    },
  ];
}

/** Of several names that only share words with the wanted one, none is more likely than the others. */
function likelihood(name: string, guesses: string[]): Correction['confidence'] {
  return guesses.length > 1 && nearest(name, guesses).length === 0 ? 'guess' : 'likely';
}

function otherKeys(input: RuleInput, place: ContainerPlace, missing: MissingObject, references: Reference[]): Correction[] {
  const { what, name } = missing;
  const key = missing.key ?? '';
  const all = existing(input.subject.surroundings ?? {}, what) ?? [];
  const keys = all.find((other) => other.name === name)?.keys ?? [];
  const near = nearestName(key, keys).slice(0, 2);
  const typos = near.map((guess): Correction => ({
    title: `Use the key ${code(guess)}`,
    changes: inEach(references, ({ keyPath }) => keyPath).map((path) =>
      change(place, path, guess, `${code(key)} looks like a typo of ${code(guess)}`),
    ),
    confidence: likelihood(key, near),
    explanation: keysText(input, missing) ?? '',
    mirrorable: true,
  }));
  const movable = references.filter(({ namePath }) => namePath !== '');
  const elsewhere = (movable.length < references.length ? [] : all)
    .filter((other) => other.name !== name && other.keys.includes(key))
    .slice(0, 1)
    .map((other): Correction => ({
      title: `Take the key from ${what} ${code(other.name)}`,
      changes: inEach(movable, ({ namePath }) => namePath).map((path) => change(place, path, other.name, `it has the key ${code(key)}`)),
      confidence: 'guess',
      explanation: `${what} ${code(name)} does not have this key, but ${code(other.name)} does.${what === 'Secret' ? ` ${NOT_RUN}` : ''}`,
      mirrorable: what === 'ConfigMap',
    }));
  return [...typos, ...(typos.length > 0 ? [] : sameEnding(place, missing, { keys, references })), ...elsewhere];
}

/** The only key with the same ending: a certificate is `tls.crt` in one Secret and `server.crt` in another. */
function sameEnding(
  place: ContainerPlace,
  { what, name, key }: MissingObject,
  { keys, references }: { keys: string[]; references: Reference[] },
): Correction[] {
  const ending = /\.[a-z]{2,5}$/i.exec(key ?? '')?.[0];
  const [only, ...others] = ending ? keys.filter((one) => one.endsWith(ending)) : [];
  if (only === undefined || others.length > 0) return [];
  return [
    {
      title: `Use the key ${code(only)}`,
      changes: inEach(references, ({ keyPath }) => keyPath).map((path) =>
        change(place, path, only, `it is the only key that ends with ${code(ending ?? '')}`),
      ),
      confidence: 'guess',
      explanation: `${what} ${code(name)} has no key ${code(key ?? '')}.`,
      mirrorable: true,
    },
  ];
}

function optional(place: ContainerPlace, { what, name, key }: MissingObject, references: Reference[]): Correction[] {
  if (references.some(({ optionalPath }) => optionalPath === null)) return [];
  return [
    {
      title: 'Let the pod start without it',
      changes: inEach(references, ({ optionalPath }) => optionalPath).map((path) =>
        change(place, path, true, `then ${key === null ? `${what} ${code(name)}` : `key ${code(key)}`} may be missing`),
      ),
      confidence: 'guess',
      explanation: 'The container then starts. A mirror shows whether the program can work without the value.',
      mirrorable: true,
    },
  ];
}
