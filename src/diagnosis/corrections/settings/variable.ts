import { isSameMeaning, meaningOf } from '../synonyms.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import type { EnvVar } from '../../../crd/kubernetes.ts';
import { type DataKind, existing, leftOutOf, type MissingObject, referencesIn } from '../../facts/references.ts';
import { MASK } from '../../../redact/keys.ts';
import { code } from '../../rendering/quote.ts';
import { change, appended } from '../change.ts';
import { type ContainerPlace, type RuleInput } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';
import { missingField } from './missing-field.ts';
import { nearVariables } from './near-variable.ts';
import { renamed } from './rename.ts';
import { asPodName, ofPod } from './variable-of-pod.ts';
import { nearest } from '../similar-names.ts';
import { NOT_TRIED, otherReferences } from '../references.ts';

/** A variable that the program misses, in the container that should have it. */
export interface Wanted {
  input: RuleInput;
  place: ContainerPlace;
  env: EnvVar[];
  name: string;
}

/**
 * For a variable that the program needs: what keeps it from the container (an optional reference that leads nowhere, an empty value over a good one, a
 * prefix, a setting of the pod), one with a similar name to rename, or a ConfigMap, Secret or container that has it.
 */
export function missingVariable(input: RuleInput, setting: string): Correction[] {
  const place = input.place();
  if (!place?.container) return [];
  const name = variableName(setting);
  const wanted: Wanted = { input, place, env: place.container.env ?? [], name };
  const quiet = optionalReferences(wanted);
  if (quiet.length > 0) return quiet;
  const kept = [...emptyOverride(wanted), ...missingField(wanted), ...serviceVariables(wanted), ...indexedJob(wanted)];
  if (kept.length > 0) return kept;
  const near = otherName(wanted);
  if (wanted.env.some((variable) => variable.name === name)) return near;
  return [
    ...asBefore(wanted),
    ...near,
    ...(near.length > 0 ? [] : byItsKey(wanted)),
    ...otherPrefix(wanted),
    ...orElse(orElse(fromSources(wanted), besideSibling(wanted)), nearKey(wanted)),
    ...fromOtherContainer(wanted),
    ...ofPod(place, name),
    ...asPodName(place, name),
    ...portOfService(wanted),
  ];
}

/** The variable as the previous revision of the workload had it. */
function asBefore({ input: { subject }, place, name }: Wanted): Correction[] {
  const { previous, before = 0, worked = false } = subject.surroundings?.revisions ?? {};
  const old = [...(previous?.containers ?? []), ...(previous?.initContainers ?? [])].find((one) => one.name === place.container?.name);
  const entry = old?.env?.find((one) => one.name === name);
  if (!entry || JSON.stringify(entry).includes(MASK)) return [];
  return [
    {
      title: `Set ${code(name)} as in revision ${before}`,
      changes: [appended(place, fieldPath(place.path, 'env'), place.container?.env, entry, `revision ${before} had it`)],
      confidence: worked ? 'likely' : 'guess',
      explanation: 'The newest revision has lost it.',
      mirrorable: entry.valueFrom?.secretKeyRef === undefined,
    },
  ];
}

/** Whether the container has a variable of this name with a value, from `env` or from a known source of `envFrom`. */
export function isSet(input: RuleInput, name: string): boolean {
  const place = input.place();
  const env = place?.container?.env ?? [];
  const own = env.find((variable) => variable.name === name);
  if (own) return own.valueFrom !== undefined || Boolean(own.value);
  return (
    place !== undefined && sourcesOf({ input, place, env, name }).some(({ prefix, keys }) => keys.some((key) => prefix + key === name))
  );
}

/** The port of the Service that the variable beside it names: `API_PORT` beside `API_HOST`. */
function portOfService({ input, place, env, name }: Wanted): Correction[] {
  const prefix = /^(\w{1,80})_PORT$/.exec(name)?.[1];
  const hosts = ['_HOST', '_HOSTNAME', '_SERVER', '_ADDR', '_ADDRESS', '_SERVICE'].map((end) => `${prefix ?? ''}${end}`);
  const host = prefix === undefined ? undefined : env.find((variable) => hosts.includes(variable.name))?.value;
  const service = input.subject.surroundings?.services?.find((one) => one.name === host?.split('.', 1)[0]);
  const [port, ...more] = service?.ports ?? [];
  if (!service || port === undefined || more.length > 0) return [];
  return [
    {
      title: `Set ${code(name)} to ${code(port)}`,
      changes: [
        appended(
          place,
          fieldPath(place.path, 'env'),
          place.container?.env,
          { name, value: String(port) },
          `it is the port of Service ${code(service.name)}`,
        ),
      ],
      confidence: 'guess',
      explanation: `The variable beside it names the Service ${code(service.name)}, which has this port only.`,
      mirrorable: true,
    },
  ];
}

function otherName({ place, env, name }: Wanted): Correction[] {
  const names = env.map((variable) => variable.name);
  return nearVariables(name, names)
    .slice(0, 1)
    .map(({ name: near, confidence }) =>
      renamed(
        place,
        { from: near, to: name },
        { why: `the program reads ${code(name)}`, explanation: `The container sets ${code(near)} instead.`, confidence },
      ),
    );
}

/** The only variable whose key has the wanted name: `DJANGO_SECRET` from the key `django-secret-key`, for `SECRET_KEY`. */
function byItsKey({ place, env, name }: Wanted): Correction[] {
  const meaning = `_${meaningOf(name).join('_')}`;
  const found = env.flatMap(({ name: from, valueFrom }) => {
    const key = (valueFrom?.secretKeyRef ?? valueFrom?.configMapKeyRef)?.key ?? '';
    return meaning.lastIndexOf('_') > 0 && `_${meaningOf(key).join('_')}`.endsWith(meaning) ? [{ from, key }] : [];
  });
  const [only, ...more] = found;
  if (!only || more.length > 0) return [];
  const why = `it comes from the key ${code(only.key)}`;
  return [
    renamed(
      place,
      { from: only.from, to: name },
      { why, explanation: `${code(only.from)} has the value, under a name that the program does not read.` },
    ),
  ];
}

/** An optional reference to something missing silently leaves the variable out. */
function optionalReferences({ input, place, env, name }: Wanted): Correction[] {
  const { surroundings } = input.subject;
  if (!surroundings) return [];
  const index = env.findIndex((variable) => variable.name === name && variable.valueFrom);
  const ofVariable = fieldPath(place.path, 'env', Math.max(0, index));
  const references = referencesIn(place.spec, place.specPath).filter(({ namePath }) =>
    namePath.startsWith(ofVariable) ? index >= 0 : namePath.startsWith(`${place.path}.envFrom[`),
  );
  const missing = leftOutOf(references, surroundings);
  const found = missing.flatMap((one) =>
    one.key === null && index < 0 ? sourceWith({ input, place, env, name }, one) : otherReferences(input, one),
  );
  const sure = found.filter(({ confidence }) => confidence !== 'guess');
  // The variable's own reference is wrong, whatever was meant.
  return (sure.length > 0 || index < 0 ? sure : found).slice(0, 2);
}

/** For a missing object of which the container takes all variables: the only one that has the variable, or else one of a similar name whose keys nobody knows. */
function sourceWith({ input, place, name }: Wanted, { what, name: object }: MissingObject): Correction[] {
  const all = existing(input.subject.surroundings ?? {}, what) ?? [];
  const from = (place.container?.envFrom ?? []).findIndex((one) => (what === 'Secret' ? one.secretRef : one.configMapRef)?.name === object);
  const prefix = place.container?.envFrom?.[from]?.prefix ?? '';
  const [only, ...more] = all.filter(({ keys }) => keys.some((key) => prefix + key === name));
  if (!only || more.length > 0) {
    const isUnknown = (to: unknown): boolean => all.some((one) => one.name === to && one.keys.length === 0);
    return otherReferences(input, { what, name: object, key: null }).filter(({ changes }) => changes.every(({ to }) => isUnknown(to)));
  }
  const path = fieldPath(place.path, 'envFrom', from, what === 'Secret' ? 'secretRef' : 'configMapRef', 'name');
  return [
    {
      title: `Use ${what} ${code(only.name)}`,
      changes: [change(place, path, only.name, `it has the key ${code(name)}, and there is no ${what} ${code(object)}`)],
      confidence: 'likely',
      explanation: what === 'Secret' ? NOT_TRIED : `The namespace has one ${what} with this key.`,
      mirrorable: what === 'ConfigMap',
    },
  ];
}

/** The ConfigMaps and Secrets from which the container takes all variables, with their keys. */
export function sourcesOf({ input, place }: Wanted): { index: number; prefix: string; keys: string[] }[] {
  return (place.container?.envFrom ?? []).map(({ prefix, configMapRef, secretRef }, index) => {
    const what: DataKind = secretRef ? 'Secret' : 'ConfigMap';
    const name = (secretRef ?? configMapRef)?.name;
    const keys = existing(input.subject.surroundings ?? {}, what)?.find((one) => one.name === name)?.keys ?? [];
    return { index, prefix: prefix ?? '', keys };
  });
}

/** A variable with an empty value overrides the one from `envFrom`. */
function emptyOverride(wanted: Wanted): Correction[] {
  const { place, env, name } = wanted;
  const index = env.findIndex((variable) => variable.name === name && !variable.valueFrom && (variable.value ?? '').trim() === '');
  if (index < 0 || !sourcesOf(wanted).some(({ prefix, keys }) => keys.some((key) => prefix + key === name))) return [];
  const path = fieldPath(place.path, 'env');
  return [
    {
      title: `Remove the empty variable ${code(name)}`,
      changes: [
        change(
          place,
          env.length === 1 ? path : fieldPath(path, index),
          null,
          `\`envFrom\` brings ${code(name)}, and \`env\` stands over it`,
        ),
      ],
      confidence: 'likely',
      explanation: 'A variable of `env` counts before one of the same name from `envFrom`.',
      mirrorable: true,
    },
  ];
}

const OF_SERVICE = /^([A-Z][A-Z0-9_]{0,80}?)_(?:SERVICE_(?:HOST|PORT(?:_\w{1,20})?)|PORT(?:_\d{1,5}_(?:TCP|UDP|SCTP)(?:_\w{1,8})?)?)$/;

/** The variables that Kubernetes sets for each Service, in a pod that disables them. */
function serviceVariables({ input, place, name }: Wanted): Correction[] {
  const prefix = OF_SERVICE.exec(name)?.[1];
  const service = input.subject.surroundings?.services?.find((one) => one.name.toUpperCase().replaceAll('-', '_') === prefix);
  if (!service || place.spec.enableServiceLinks !== false) return [];
  return [
    {
      title: 'Switch on the variables of Services',
      changes: [change(place, fieldPath(place.specPath, 'enableServiceLinks'), true, `Kubernetes then sets ${code(name)}`)],
      confidence: 'likely',
      explanation: `There is a Service ${code(service.name)}, and the pod switches these variables off.`,
      mirrorable: true,
    },
  ];
}

/** Only the pods of an indexed Job know their number. */
function indexedJob({ place, name }: Wanted): Correction[] {
  const { kind, spec } = place.object as { kind?: string; spec?: { completionMode?: string; completions?: number } };
  if (name !== 'JOB_COMPLETION_INDEX' || kind !== 'Job' || spec?.completionMode === 'Indexed') return [];
  const why = 'only then each pod has a number';
  return [
    {
      title: 'Make the Job an indexed one',
      changes: [
        change(place, 'spec.completionMode', 'Indexed', why),
        ...(spec?.completions === undefined ? [change(place, 'spec.completions', 1, 'an indexed Job says how many pods there are')] : []),
      ],
      confidence: 'likely',
      explanation: 'Kubernetes sets `JOB_COMPLETION_INDEX` for the pods of indexed Jobs only.',
      mirrorable: false,
    },
  ];
}

/** A setting's name, and the `envFrom` prefix that changes it. */
export function withPrefix(input: RuleInput, setting: string): string {
  const place = input.place();
  if (!place?.container) return setting;
  const name = variableName(setting);
  const own = sourcesOf({ input, place, env: [], name }).find(({ prefix, keys }) => prefix !== '' && keys.includes(name));
  return own ? `${setting}: the prefix ${own.prefix} of envFrom` : setting;
}

/** The near prefix that several variables of the container have; empty if there is none. */
function usualPrefix({ env }: Wanted, prefix: string): string {
  const prefixes = env.flatMap((one) => /^[A-Z\d]+_/.exec(one.name)?.[0] ?? []);
  const usual = new Set(prefixes.filter((one, index) => one !== prefix && prefixes.indexOf(one) !== index));
  const [near] = [...usual].filter((one) => one.slice(0, 4) === prefix.slice(0, 4) || nearest(prefix, [one]).length > 0);
  return prefix === '' ? '' : (near ?? '');
}

/** Replaces an `envFrom` prefix that turns the keys into names which the program does not read. */
function otherPrefix(wanted: Wanted): Correction[] {
  const { place, name } = wanted;
  const found = sourcesOf(wanted).flatMap(({ index, prefix, keys }) => {
    // The longest key: the shortest prefix.
    const [key] = keys.filter((one) => name.endsWith(one)).sort((a, b) => b.length - a.length);
    const to = key === name ? usualPrefix(wanted, prefix) : key === undefined ? undefined : name.slice(0, name.length - key.length);
    return key === undefined || to === undefined || to === prefix || (to !== '' && !/[._-]$/.test(to))
      ? []
      : [{ index, key, to, from: `${prefix}${key}` }];
  });
  return found.slice(0, 1).map(({ index, key, to, from }) => ({
    title: to === '' ? `Take ${code(key)} without a prefix` : `Take ${code(key)} with the prefix ${code(to)}`,
    changes: [
      change(
        place,
        fieldPath(place.path, 'envFrom', index, 'prefix'),
        to === '' ? null : to,
        key === name && to !== ''
          ? `other variables of the container begin with ${code(to)}`
          : `the program reads ${code(name)}, and the key is ${code(key)}`,
      ),
    ],
    confidence: 'likely',
    explanation: `Now it comes as ${code(from)}.`,
    mirrorable: true,
  }));
}

/** How a setting may be written as a key. */
export function formsOf(name: string): string[] {
  const words = name.split(/[_.-]/);
  return [name, ...['_', '-', '.'].flatMap((between) => [words.join(between).toLowerCase(), words.join(between).toUpperCase()])];
}

/** The name of a variable for a setting in any spelling: Spring reads `orders.queue` from `ORDERS_QUEUE`, .NET reads `Orders:Queue` from `Orders__Queue`. */
export function variableName(name: string): string {
  if (name.includes(':')) return name.replaceAll(/:+/g, '__');
  return /[.-]/.test(name) ? name.toUpperCase().replaceAll(/[.-]/g, '_') : name;
}

export const SOURCES = [
  { what: 'ConfigMap', field: 'configMapKeyRef' },
  { what: 'Secret', field: 'secretKeyRef' },
] as const;
export const OF_SECRET = ` ${NOT_TRIED}`;

/** Takes the variable from a ConfigMap that has a key of that name, or from a Secret if the keys of Secrets are known. */
function fromSources({ input, place, env, name }: Wanted): Correction[] {
  const forms = formsOf(name);
  const all = SOURCES.flatMap(({ what, field }) =>
    (existing(input.subject.surroundings ?? {}, what) ?? []).flatMap((one) =>
      one.keys.map((key) => ({ what, field, name: one.name, key })),
    ),
  );
  const named = all.filter(({ key }) => forms.includes(key));
  // `REDIS_URI` for `REDIS_URL`.
  const sources = named.length > 0 ? named : all.filter(({ key }) => isSameMeaning(key, name));
  return sources.slice(0, 2).map(({ what, field, ...source }) => ({
    title: `Take ${code(name)} from ${what} ${code(source.name)}`,
    changes: [
      appended(
        place,
        fieldPath(place.path, 'env'),
        place.container?.env && env,
        { name, valueFrom: { [field]: source } },
        `the ${what} has a key of that name`,
      ),
    ],
    confidence: 'likely',
    explanation: `Nothing sets ${code(name)} for this container.${what === 'Secret' ? OF_SECRET : ''}`,
    mirrorable: what === 'ConfigMap',
  }));
}

const orElse = (first: Correction[], second: Correction[]): Correction[] => (first.length > 0 ? first : second);

/** A key of the object from which a variable with the same first word comes: `password` for `ES_PASSWORD`, beside `ES_USER` from `username`. */
function besideSibling({ input, place, env, name }: Wanted): Correction[] {
  const [, prefix = '', rest = ''] = /^([A-Z][A-Z\d]*_)(\w+)$/.exec(name) ?? [];
  const found = SOURCES.flatMap(({ what, field }) => {
    const siblings = env
      .filter((one) => prefix !== '' && one.name.startsWith(prefix))
      .flatMap(({ valueFrom }) => valueFrom?.[field]?.name ?? []);
    return [...new Set(siblings)].flatMap((object) =>
      (existing(input.subject.surroundings ?? {}, what)?.find((one) => one.name === object)?.keys ?? [])
        .filter((key) => formsOf(rest).includes(key) || isSameMeaning(key, rest))
        .map((key) => ({ what, field, object, key })),
    );
  });
  const [only, ...more] = found;
  if (!only || more.length > 0) return [];
  const { what, field, object, key } = only;
  const entry = { name, valueFrom: { [field]: { name: object, key } } };
  return [
    {
      title: `Take ${code(name)} from ${what} ${code(object)}`,
      changes: [
        appended(
          place,
          fieldPath(place.path, 'env'),
          env,
          entry,
          `the variables beside it come from there, and it has the key ${code(key)}`,
        ),
      ],
      confidence: 'likely',
      explanation: `Nothing sets ${code(name)} for this container.${what === 'Secret' ? OF_SECRET : ''}`,
      mirrorable: what === 'ConfigMap',
    },
  ];
}

/** The only key of an object that the container takes whole, whose name is nearly that of the variable: `SENDGRID_KEY` for `SENDGRID_API_KEY`. */
function nearKey(wanted: Wanted): Correction[] {
  const { place, env, name } = wanted;
  const found = sourcesOf(wanted).flatMap(({ index, prefix, keys }) =>
    nearVariables(
      name,
      keys.map((key) => prefix + key),
    ).map((near) => ({ ...near, index, key: near.name.slice(prefix.length) })),
  );
  const [only, ...more] = found;
  const { secretRef, configMapRef } = place.container?.envFrom?.[only?.index ?? -1] ?? {};
  const source = secretRef ?? configMapRef;
  if (!only || more.length > 0 || !source?.name) return [];
  const [what, field] = secretRef ? ['Secret', 'secretKeyRef'] : ['ConfigMap', 'configMapKeyRef'];
  const entry = { name, valueFrom: { [field]: { name: source.name, key: only.key } } };
  return [
    {
      title: `Take ${code(name)} from the key ${code(only.key)} of ${what} ${code(source.name)}`,
      changes: [
        appended(
          place,
          fieldPath(place.path, 'env'),
          place.container?.env && env,
          entry,
          `the program reads ${code(name)}, and the key is ${code(only.key)}`,
        ),
      ],
      confidence: only.confidence,
      explanation: `\`envFrom\` brings it as ${code(only.name)}.${secretRef ? OF_SECRET : ''}`,
      mirrorable: !secretRef,
    },
  ];
}

/** Another container of the pod has the variable. */
function fromOtherContainer({ place, env, name }: Wanted): Correction[] {
  const others = [...place.spec.containers, ...(place.spec.initContainers ?? [])].filter((one) => one.name !== place.container?.name);
  const found = others.flatMap((one) =>
    (one.env ?? []).filter((variable) => variable.name === name).map((variable) => ({ one, variable })),
  );
  return found.slice(0, 1).map(({ one, variable }) => ({
    title: `Set ${code(name)} as in container ${code(one.name)}`,
    changes: [appended(place, fieldPath(place.path, 'env'), place.container?.env && env, variable, `container ${code(one.name)} has it`)],
    confidence: 'likely',
    explanation: `Only container ${code(one.name)} gets this variable.`,
    mirrorable: true,
  }));
}
