import { fieldPath } from '../../../crd/field-path.ts';
import { type DataKind, existing } from '../../facts/references.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { type ContainerPlace, type RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { joined } from '../combine.ts';
import { formsOf, missingVariable, OF_SECRET, SOURCES, sourcesOf, variableName, type Wanted } from './variable.ts';

/**
 * One correction that supplies all variables that the program misses, including `first`. If there is none, a correction for the first one alone is a
 * guess, because the program then fails on the next one.
 */
export function missingVariables(input: RuleInput, first: string, names: readonly string[]): Correction[] {
  const own = missingVariable(input, first);
  const others = [...new Set(names.map((name) => variableName(name)))].filter((name) => name !== variableName(first));
  const place = input.place();
  const isOfAll = own[0]?.changes.some(({ path }) => path.endsWith('.prefix')) === true;
  if (others.length === 0 || isOfAll || !place?.container) return own;
  const all = [variableName(first), ...others];
  const together = [...fromSourcesTogether(input, place, all), ...oneByOne(own[0], others, input)].slice(0, 1);
  if (together.length > 0) return together;
  const rest = others.map((name) => code(name)).join(', ');
  return own.map((one) => ({ ...one, confidence: 'guess', explanation: `${one.explanation} The program also misses ${rest}.` }));
}

/** All variables from the ConfigMap or Secret that has a key for each, else each from the only one that has its key. */
function fromSourcesTogether(input: RuleInput, place: ContainerPlace, names: readonly string[]): Correction[] {
  const env = place.container?.env ?? [];
  const path = fieldPath(place.path, 'env');
  if (names.some((name) => env.some((variable) => variable.name === name))) return [];
  const holders = names.map((name) => holdersOf(input, name));
  const common = (holders[0] ?? []).filter(({ source }) => holders.every((list) => list.some((one) => one.source === source)));
  const chosen =
    common.length > 0
      ? common.map(({ source }) => holders.flatMap((list) => list.find((one) => one.source === source) ?? []))
      : [holders.flatMap((list) => (list.length === 1 ? list : []))];
  return chosen
    .filter((all) => all.length === names.length)
    .slice(0, 2)
    .map((all): Correction => {
      const why = 'it has a key of this name';
      const added = all.map(({ what, field, source, key }, index) => ({
        entry: { name: names[index] ?? key, valueFrom: { [field]: { name: source, key } } },
        why: `${what} ${code(source)} has a key of this name`,
      }));
      return {
        title: `Take ${listed(all.map(({ what, source }, index) => ({ name: names[index] ?? '', of: `${what} ${code(source)}` })))}`,
        changes: place.container?.env
          ? added.map((one, index) => change(place, fieldPath(path, env.length + index), one.entry, one.why))
          : [
              change(
                place,
                path,
                added.map(({ entry }) => entry),
                why,
              ),
            ],
        confidence: 'likely',
        explanation: `The program misses all of them, and nothing sets them for this container.${all.some(({ what }) => what === 'Secret') ? OF_SECRET : ''}`,
        mirrorable: all.every(({ what }) => what === 'ConfigMap'),
      };
    });
}

/** Names the sources in words: `A` and `B` from one, `C` from another. */
function listed(all: { name: string; of: string }[]): string {
  const sources = [...new Set(all.map(({ of }) => of))];
  return sources
    .map((source) => {
      const names = all.filter(({ of }) => of === source).map(({ name }) => code(name));
      return `${names.join(', ')} from ${source}`;
    })
    .join(', ');
}

interface Holder {
  what: DataKind;
  field: 'configMapKeyRef' | 'secretKeyRef';
  source: string;
  key: string;
}

/** The ConfigMaps and Secrets that have a key for the variable. */
function holdersOf(input: RuleInput, name: string): Holder[] {
  const forms = formsOf(name);
  return SOURCES.flatMap(({ what, field }) =>
    (existing(input.subject.surroundings ?? {}, what) ?? []).flatMap((one): Holder[] => {
      const key = one.keys.find((candidate) => forms.includes(candidate));
      return key === undefined ? [] : [{ what, field, source: one.name, key }];
    }),
  );
}

/** The variables that a ConfigMap or Secret of the namespace can supply, if it can supply all of them. */
export function suppliedVariables(input: RuleInput, names: readonly string[]): Correction[] {
  const place = input.place();
  return place?.container && names.length > 0 ? fromSourcesTogether(input, place, names).slice(0, 1) : [];
}

/**
 * For a setting that needs companions (`url`, `username`, `password`): also adds those companions that the container lacks and that the namespace
 * has.
 */
export function missingWith(input: RuleInput, first: string, others: readonly string[]): Correction[] {
  const place = input.place();
  if (!place?.container) return [];
  const env = place.container.env ?? [];
  const wanted: Wanted = { input, place, env, name: variableName(first) };
  const brought = sourcesOf(wanted).flatMap(({ prefix, keys }) => keys.map((key) => prefix + key));
  const lacking = others
    .map((name) => variableName(name))
    .filter((name) => !env.some((variable) => variable.name === name) && !brought.includes(name) && holdersOf(input, name).length > 0);
  return lacking.length > 0 ? missingVariables(input, first, lacking) : missingVariable(input, first);
}

/** The best correction of each variable, if every one has one and they change different fields. */
function oneByOne(first: Correction | undefined, others: readonly string[], input: RuleInput): Correction[] {
  const each = [first, ...others.map((name) => missingVariable(input, name)[0])];
  const found = each.flatMap((one) => (one && one.confidence !== 'guess' ? [one] : []));
  const [one, ...more] = found;
  const paths = found.flatMap(({ changes }) => changes.map(({ path }) => path));
  return one && found.length === each.length && new Set(paths).size === paths.length ? [joined(one, ...more)] : [];
}
