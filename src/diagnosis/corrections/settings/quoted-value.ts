import { quotedLine } from '../../facts/phrase.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import type { EnvVar } from '../../../crd/kubernetes.ts';
import { type DataKind, existing } from '../../facts/references.ts';
import { logSections } from '../../facts/log-sections.ts';
import { code } from '../../rendering/quote.ts';
import { kubectl } from '../../rendering/commands.ts';
import { change, appended } from '../change.ts';
import { type ContainerPlace, type RuleInput } from '../../facts/input.ts';
import type { Meaning } from '../meaning.ts';
import type { Correction } from '../correction.ts';

/** The text without quotes and white space around it. Quotes inside, as in `"a" "b"`, belong to it. */
export function withoutQuotes(text: string): string {
  const [, , inner] = /^(["'])(.*)\1$/s.exec(text.trim()) ?? [];
  return (inner === undefined || /["']/.test(inner) ? text : inner).trim();
}

const VALUE = String.raw`([^\s"'\\$][^"'\\$\n]{0,200})`;

/** How programs print a value that contains quotes: inside other quotes, or where they print none. */
const IN_QUOTES: readonly RegExp[] = [
  new RegExp(String.raw`"\\"${VALUE}\\""`),
  new RegExp(String.raw`'"${VALUE}"'`),
  new RegExp(String.raw`"'${VALUE}'"`),
  new RegExp(String.raw`""${VALUE}""`),
  new RegExp(String.raw`(?:ENOTFOUND|EAI_AGAIN|\blookup|[Ii]llegal number:) "${VALUE}"`),
  new RegExp(String.raw`"${VALUE}": (?:bad number|invalid number|integer expression expected)`),
];
/** How programs print a value that ends with a line break. */
const WITH_BREAK = /(["'])([^\s"'\\$]{1,200})(?:\\[nrt]){1,3}\1/;
const REFUSES = /pars|invalid|convert|literal|format|expected|not a\b|illegal|unknown|malformed|cannot|could not/i;

interface Shown {
  value: string;
  /** What is around it. */
  what: 'quotes' | 'a line break';
}

function shownIn(line: string): Shown | undefined {
  const quoted = IN_QUOTES.map((pattern) => pattern.exec(line)?.[1]).find((value) => value !== undefined);
  if (quoted !== undefined) return { value: quoted.trim(), what: 'quotes' };
  const broken = REFUSES.test(line) ? WITH_BREAK.exec(line)?.[2] : undefined;
  return broken === undefined ? undefined : { value: broken, what: 'a line break' };
}

/** A variable of the container, and the key that it takes its value from. `index`: its place in `env`; null for one of `envFrom`. */
interface Taken {
  name: string;
  index: number | null;
  what: DataKind;
  of: string;
  key: string;
}

/** What a line says about a ConfigMap or Secret value that contains quotes or a line break. Undefined if it shows none. */
export function quotedElsewhere(input: RuleInput, place: ContainerPlace, line: string): Meaning | undefined {
  const shown = shownIn(line);
  const all = shown ? takenVariables(input, place) : [];
  const [first] = all;
  if (!shown || !first) return undefined;
  const taken = takenVariable(input, all, { ...shown, line });
  if (!taken) return OF_SETTING.test(shown.value) ? ofNobody(input, first, { ...shown, line }) : undefined;
  const { value, what } = shown;
  const { name, of, key } = taken;
  const written = `${what === 'quotes' ? `"${value}"` : `${value}\\n`}`;
  const isOpen = taken.what === 'ConfigMap';
  return {
    because: `the value of ${code(name)} contains ${what}: ${quotedLine(line)}`,
    culprit: `${name}=${written} (${taken.what} ${of})`,
    advice: [
      `Write the value of the key ${code(key)} in ${taken.what} ${code(of)} without ${what}${isOpen ? `: ${code(value)}` : ''}. The container gets it when it starts again.`,
    ],
    commands: isOpen
      ? [kubectl(input.subject, 'patch', 'configmap', of, '--type=merge', '-p', JSON.stringify({ data: { [key]: value } }))]
      : [kubectl(input.subject, 'edit', 'secret', of)],
    corrections: isOpen ? [override(place, taken, shown)] : [],
    whereToLook: `the key ${code(key)} of ${taken.what} ${code(of)}`,
  };
}

/** The same, if the variable that holds the value is unknown. */
function ofNobody({ subject }: RuleInput, { what: kind, of }: Taken, { value, what, line }: Shown & { line: string }): Meaning {
  return {
    because: `a value that it reads contains ${what}: ${quotedLine(line)}`,
    culprit: line.slice(0, 200),
    advice: [
      `Find the value ${code(value)} in ${kind} ${code(of)} and write it without ${what}. The container gets it when it starts again.`,
    ],
    commands: [kubectl(subject, 'edit', kind.toLowerCase(), of)],
    whereToLook: `the values of ${kind} ${code(of)} and of the container's other sources`,
  };
}

/** Sets the value on the container, where it overrides the ConfigMap. */
function override(place: ContainerPlace, { name, index, of, key }: Taken, { value, what }: Shown): Correction {
  const env = place.container?.env;
  const path = fieldPath(place.path, 'env');
  const why = `ConfigMap ${code(of)} has ${what} around the value`;
  return {
    title: `Set ${code(name)} to ${code(value)}`,
    changes:
      index === null
        ? [appended(place, path, env, { name, value }, why)]
        : [
            change(place, fieldPath(path, index, 'value'), value, why),
            change(place, fieldPath(path, index, 'valueFrom'), null, 'a variable has a value or a source'),
          ],
    confidence: 'likely',
    explanation: `This value stands in for the key ${code(key)} of ConfigMap ${code(of)}, which it replaces. Better correct the key itself, if others do not read it as it is.`,
    mirrorable: true,
  };
}

/** The variables that ConfigMaps and Secrets bring, as far as their keys are known. */
function takenVariables(input: RuleInput, { container }: ContainerPlace): Taken[] {
  const [env, envFrom] = [container?.env ?? [], container?.envFrom ?? []];
  const alone = env.flatMap(({ name, valueFrom }: EnvVar, index): Taken[] => {
    const { configMapKeyRef, secretKeyRef } = valueFrom ?? {};
    const [what, from] = secretKeyRef ? (['Secret', secretKeyRef] as const) : (['ConfigMap', configMapKeyRef] as const);
    return from?.name && from.key ? [{ name, index, what, of: from.name, key: from.key }] : [];
  });
  const together = envFrom.flatMap(({ prefix, configMapRef, secretRef }): Taken[] => {
    const [what, from] = secretRef ? (['Secret', secretRef] as const) : (['ConfigMap', configMapRef] as const);
    const keys = existing(input.subject.surroundings ?? {}, what)?.find(({ name }) => name === from?.name)?.keys ?? [];
    return keys.map((key) => ({ name: `${prefix ?? ''}${key}`, index: null, what, of: from?.name ?? '', key }));
  });
  return [...alone, ...together.filter((one) => !env.some(({ name }) => name === one.name))];
}

/** Values that are typical of settings: numbers, booleans, addresses, paths. */
const OF_SETTING = /^(?:-?\d{1,12}(?:\.\d{1,12})?|true|false|yes|no|on|off|[a-z][\w+.-]{1,20}:\/\/.{1,200}|\/[\w./-]{1,200})$/i;

/** Common names of numeric settings. */
const OF_NUMBERS =
  /(?:port|count|size|workers?|threads?|timeout|limit|max|min|interval|ttl|retries|pool|seconds|number|num|replicas|concurrency|level|connections)(?:[_.-](?:ms|s|sec|seconds|mb))?$/i;

/** The variable that holds the value: the one in the line, otherwise the one in the log, otherwise the only one. */
function takenVariable(input: RuleInput, all: Taken[], { value, line }: Shown & { line: string }): Taken | undefined {
  const texts = [line, ...logSections(input.subject).map(({ text }) => text.slice(0, 20_000))];
  for (const text of texts) {
    const named = all.filter(({ name }) => new RegExp(`(?<![\\w-])${name.replaceAll(/\W/g, '.')}(?![\\w-])`).test(text));
    if (named.length > 0) return named.length === 1 ? named[0] : undefined;
  }
  const names = /\bport\b/i.test(line) ? /port$/i : OF_NUMBERS;
  const fit = all.length > 1 && /^\d{1,12}$/.test(value) ? all.filter(({ name }) => names.test(name)) : all;
  return fit.length === 1 && OF_SETTING.test(value) ? fit[0] : undefined;
}
