import type { Change } from '../../contract/failure.ts';
import { valueAt } from '../../crd/field-path.ts';
import { type DataKind, existing, type MissingObject, type Reference, referencesIn } from '../facts/references.ts';
import { code } from '../rendering/quote.ts';
import { change } from './change.ts';
import { stemOf } from './files/near-file.ts';
import { isCalledLike } from './settings/better-key.ts';
import { type ContainerPlace, type RuleInput } from '../facts/input.ts';
import type { Correction } from './correction.ts';
import { likeness, nearest, nearestName } from './similar-names.ts';

/** Why a correction with another Secret is not tried (`checks/power/`). */
export const NOT_TRIED = 'Podmend cannot try this: a mirror, its copy of the pod, may only use Secrets that the pod already names.';
const SHOWN_KEYS = 20;

/** Corrections for a missing object or key, in every place of the pod that names it; most likely first. */
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

/** Whether the object is known to have the key. */
export function hasKey({ subject }: RuleInput, { what, name, key }: MissingObject): boolean {
  const found = existing(subject.surroundings ?? {}, what)?.find((one) => one.name === name);
  return key !== null && found?.keys.includes(key) === true;
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
  // A Secret without keys counts as unknown: a recording may omit its data.
  const isFit = ({ keys }: { keys: string[] }) =>
    (what === 'Secret' && keys.length === 0) || wanted.every((key) => keys.includes(key) || nearestName(key, keys).length > 0);
  const names = (existing(input.subject.surroundings ?? {}, what) ?? []).flatMap((other) => (isFit(other) ? [other.name] : []));
  const near = nearestName(name, names).slice(0, 2);
  // If no name is similar: the only object that has all requested keys.
  const having = (existing(input.subject.surroundings ?? {}, what) ?? []).filter(
    ({ name: other, keys }) => wanted.length > 0 && !other.startsWith('kube-') && wanted.every((key) => keys.includes(key)),
  );
  const known = near.length > 0 || having.length !== 1 ? near : having.map((one) => one.name);
  const guesses = known.length > 0 ? known : ofSameOwner(name, names);
  return guesses.map((guess) => ({
    title: `Use ${what} ${code(guess)}`,
    changes: inEach(references, ({ namePath }) => namePath).map((path) =>
      change(
        place,
        path,
        guess,
        near.length > 0
          ? `${likeness(name, guess)}, which exists`
          : known.length > 0
            ? `${code(guess)} has what is asked of it`
            : `${code(guess)} begins with the same words`,
      ),
    ),
    confidence: known.length > 0 ? likelihood(name, guesses) : 'guess',
    explanation:
      what === 'Secret'
        ? NOT_TRIED
        : near.length > 0
          ? `The namespace has the ConfigMap ${code(guess)}.`
          : 'The namespace has a ConfigMap with these keys.',
    mirrorable: what === 'ConfigMap',
  }));
}

/** The only name that begins with the same two words: `webhook-serving-cert` of an owner `quota-webhook`, for `quota-webhook-tls`. */
function ofSameOwner(name: string, names: string[]): string[] {
  const begin = /^[a-z\d]+[-.][a-z\d]+[-.]/.exec(name)?.[0];
  const same = names.filter((other) => begin !== undefined && other !== name && other.startsWith(begin));
  return same.length === 1 ? same : [];
}

/** Variables or volumes refer to a Secret, but a ConfigMap of the same name has what they need, or the other way round. */
function otherKind(input: RuleInput, place: ContainerPlace, { what, name }: MissingObject, references: Reference[]): Correction[] {
  const other = what === 'Secret' ? 'ConfigMap' : 'Secret';
  const keys = existing(input.subject.surroundings ?? {}, other)?.find((one) => one.name === name)?.keys;
  if (!keys || references.some(({ key }) => key !== null && keys.length > 0 && !keys.includes(key))) return [];
  const changes = references.map((reference) => asOtherKind(place, reference, other));
  if (changes.some((one) => one.length === 0)) return [];
  const made = new Map(changes.flat().map((one) => [one.path, one]));
  return [
    {
      title: `Take it from the ${other} ${code(name)}`,
      changes: [...made.values()],
      confidence: 'likely',
      explanation: `A ${other} has this name.${other === 'Secret' ? ` ${NOT_TRIED}` : ''}`,
      mirrorable: other === 'ConfigMap',
    },
  ];
}

/** The mode 0644, which is the API server's default. */
const USUAL_MODE = 420;

/** The fields that refer to each kind: in a variable, in `envFrom`, in a volume, in a projected volume. */
const KIND_FIELDS: readonly { ConfigMap: string; Secret: string; nameOf: Record<DataKind, string> }[] = [
  { ConfigMap: 'configMapKeyRef', Secret: 'secretKeyRef', nameOf: { ConfigMap: 'name', Secret: 'name' } },
  { ConfigMap: 'configMapRef', Secret: 'secretRef', nameOf: { ConfigMap: 'name', Secret: 'name' } },
  { ConfigMap: 'configMap', Secret: 'secret', nameOf: { ConfigMap: 'name', Secret: 'secretName' } },
];

/** The changes that make a reference point to the other kind. Everything except the kind stays. */
function asOtherKind(place: ContainerPlace, { what, name, namePath }: Reference, other: DataKind): Change[] {
  for (const fields of KIND_FIELDS) {
    const isProjected = namePath.includes('.projected.');
    const [own, to] = isProjected ? ['name', 'name'] : [fields.nameOf[what], fields.nameOf[other]];
    const end = `.${fields[what]}.${own}`;
    if (!namePath.endsWith(end)) continue;
    const base = namePath.slice(0, -end.length);
    const { [own]: _, defaultMode, ...more } = (valueAt(place.object, `${base}.${fields[what]}`) ?? {}) as Record<string, unknown>;
    const rest = { ...more, ...(defaultMode === undefined || defaultMode === USUAL_MODE ? {} : { defaultMode }) };
    const why = `there is a ${other} of this name`;
    return [change(place, `${base}.${fields[what]}`, null, why), change(place, `${base}.${fields[other]}`, { ...rest, [to]: name }, why)];
  }
  return [];
}

/** If several names share only some words with the wanted one, none is more likely than the others. */
function likelihood(name: string, guesses: string[]): Correction['confidence'] {
  return guesses.length > 1 && nearest(name, guesses).length === 0 ? 'guess' : 'likely';
}

function otherKeys(input: RuleInput, place: ContainerPlace, missing: MissingObject, references: Reference[]): Correction[] {
  const { what, name } = missing;
  const key = missing.key ?? '';
  const all = existing(input.subject.surroundings ?? {}, what) ?? [];
  const keys = all.find((other) => other.name === name)?.keys ?? [];
  const { guesses, isSame, isLast } = likeKeys(place, missing, { keys, references });
  const typos = guesses.map((guess): Correction => ({
    title: `Use the key ${code(guess)}`,
    changes: inEach(references, ({ keyPath }) => keyPath).map((path) =>
      change(place, path, guess, isSame ? `it holds the same as ${code(key)}` : likeness(key, guess)),
    ),
    confidence: isSame && !isLast ? 'guess' : likelihood(key, guesses),
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
      explanation: `${what} ${code(name)} does not have this key, but ${code(other.name)} does.${what === 'Secret' ? ` ${NOT_TRIED}` : ''}`,
      mirrorable: what === 'ConfigMap',
    }));
  const others = typos.length > 0 ? [] : sameEnding(place, missing, { keys, references });
  const last = typos.length + others.length + elsewhere.length > 0 ? [] : onlyKey(input, place, missing, { keys, references });
  return [...typos, ...others, ...elsewhere, ...last];
}

/** The only key of the object, whatever its name. */
function onlyKey(
  input: RuleInput,
  place: ContainerPlace,
  missing: MissingObject,
  { keys, references }: { keys: string[]; references: Reference[] },
): Correction[] {
  const [only, ...more] = keys;
  if (only === undefined || more.length > 0) return [];
  return [
    {
      title: `Use the key ${code(only)}`,
      changes: inEach(references, ({ keyPath }) => keyPath).map((path) => change(place, path, only, 'it is the only key')),
      confidence: 'guess',
      explanation: keysText(input, missing) ?? '',
      mirrorable: true,
    },
  ];
}

/** Keys that hold the whole address of a server. */
const ADDRESS = /(?:^|[_.-])(?:uri|url|dsn|connection[_.-]?string|conn[_.-]?str)$/i;

/** Keys that hold a password. */
const PASSWORD = /(?:pass(?:w(?:or)?d)?|pwd|pw)$/i;

/** Endings of files with certificates. */
const CERTIFICATE = /\.(?:pem|crt|cer|cert)$/i;

/** What a TLS file holds, according to its name. A certificate cannot replace its key, and the key cannot replace the certificate. */
function heldBy(name: string): 'authority' | 'key' | 'certificate' | undefined {
  if (/(?:^|[._-])ca(?:[._-]|$)|ca-?bundle|\broot/i.test(name)) return 'authority';
  if (/(?:^|[._-])(?:key|private|privkey)(?:[._-]|$)/i.test(name)) return 'key';
  return /(?:^|[._-])(?:crt|cert|certs|certificate|chain|fullchain|cer|pem)(?:[._-]|$)/i.test(name) ? 'certificate' : undefined;
}

/**
 * The keys that may be meant. Keys that the pod already uses beside the missing one are left out, and so are TLS keys with different
 * contents. `isSame`: it is the only key with the same contents. `isLast`: all other keys are in use.
 */
function likeKeys(
  place: ContainerPlace,
  { what, name, key }: MissingObject,
  { keys, references }: { keys: string[]; references: Reference[] },
): { guesses: string[]; isSame: boolean; isLast: boolean } {
  const wanted = key ?? '';
  const beside = (one: Reference): boolean => references.some(({ volume }) => volume === one.volume);
  const taken = referencesIn(place.spec, place.specPath).flatMap((one) =>
    one.what === what && one.name === name && one.key !== null && beside(one) ? [one.key] : [],
  );
  const holds = heldBy(wanted);
  const left = keys.filter((one) => !taken.includes(one));
  const fit = left.filter((one) => holds === undefined || heldBy(one) === undefined || heldBy(one) === holds);
  const same = holds === undefined ? [] : fit.filter((one) => heldBy(one) === holds);
  const alike = nearestName(wanted, fit).slice(0, 2);
  const called = fit.filter(
    (one) =>
      isCalledLike(one, wanted) || isCalledLike(wanted, one) || [ADDRESS, PASSWORD].some((kind) => kind.test(one) && kind.test(wanted)),
  );
  const [twin, ...twins] = left.filter(
    (one) => CERTIFICATE.test(one) && CERTIFICATE.test(wanted) && stemOf(one).toLowerCase() === stemOf(wanted).toLowerCase(),
  );
  const other = called.length === 1 ? called : twin !== undefined && twins.length === 0 ? [twin] : [];
  const near = alike.length === 0 ? other : alike;
  const isSame = near.length === 0 && same.length === 1;
  return { guesses: isSame ? same : near, isSame, isLast: left.length === 1 };
}

/** The only key with the same ending: a certificate is `tls.crt` in one Secret and `server.crt` in another. */
function sameEnding(
  place: ContainerPlace,
  { what, name, key }: MissingObject,
  { keys, references }: { keys: string[]; references: Reference[] },
): Correction[] {
  const ending = /\.[a-z]{2,5}$/i.exec(key ?? '')?.[0] ?? /[-_.](?:password|username|user)$/i.exec(key ?? '')?.[0];
  const isRoot = (one: string): boolean => /root|admin|postgres-password/i.test(one);
  const [only, ...others] = ending
    ? keys.filter((one) => one.toLowerCase().endsWith(ending.toLowerCase()) && isRoot(one) === isRoot(key ?? ''))
    : [];
  if (only === undefined || others.length > 0) return [];
  return [
    {
      title: `Use the key ${code(only)}`,
      changes: inEach(references, ({ keyPath }) => keyPath).map((path) =>
        change(place, path, only, `it is the only key that ends with ${code(ending ?? '')}`),
      ),
      // If there is one key, there is no other choice.
      confidence: keys.length === 1 ? 'likely' : 'guess',
      explanation: `${what} ${code(name)} has no key ${code(key ?? '')}.`,
      mirrorable: true,
    },
  ];
}

function optional(place: ContainerPlace, { what, key }: MissingObject, references: Reference[]): Correction[] {
  if (references.some(({ optionalPath }) => optionalPath === null)) return [];
  return [
    {
      title: 'Let the pod start without it',
      changes: inEach(references, ({ optionalPath }) => optionalPath).map((path) =>
        change(place, path, true, `the kubelet does not wait for ${key === null ? `a ${what}` : 'a key'} that is optional`),
      ),
      confidence: 'guess',
      explanation:
        'The container then starts, but what it refers to is not there. Do this only if the program does not need it; a mirror shows whether it does.',
      mirrorable: true,
    },
  ];
}
