import type { Change } from '../../../contract/failure.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import { parseQuantity } from '../../../crd/quantity.ts';
import { code } from '../../rendering/quote.ts';
import { change } from '../change.ts';
import { type ContainerPlace } from '../../facts/input.ts';
import type { Correction } from '../correction.ts';

/** How large a value may be at most, or must be at least, where the message says so. `to` is in the message's own unit. */
interface Bound {
  at: number;
  kind: 'most' | 'least';
  /** Whether the bound is exclusive: `<`, not `<=`. */
  isOpen: boolean;
  to: string;
  unit: string;
}

const NUMBER = String.raw`[<"'(]{0,2}(\d{1,12}(?:\.\d{1,6})?(?:[KMGTP]i?|m)?) ?(s|secs?|seconds?|mins?|minutes?|h|hours?)?\b`;
/** Words before a number, each with what they mean. */
const BEFORE: readonly [kind: Bound['kind'], isOpen: boolean, words: string][] = [
  ['most', false, String.raw`(?:not|never) (?:exceed|be (?:more|greater|higher|larger|longer) than|be above|go above)`],
  ['least', false, String.raw`(?:not|never) (?:be (?:less|lower|smaller|shorter|fewer) than|be below|fall below)`],
  ['most', false, String.raw`(?:at most|no more than|no longer than|less than or equal to|up to|limited to|capped at)`],
  ['least', false, String.raw`(?:at least|no less than|greater than or equal to|more than or equal to)`],
  [
    'most',
    false,
    String.raw`(?:exceeds|(?:is|are) (?:greater|higher|more|larger|longer) than|(?:is|are) above)(?: the)?(?: (?:allowed|maximum|max|limit|value))*(?: of)?`,
  ],
  [
    'least',
    false,
    String.raw`(?:is|are) (?:less|lower|smaller|shorter|below|under)(?: than)?(?: the)?(?: (?:allowed|minimum|min|value))*(?: of)?`,
  ],
  ['most', true, String.raw`(?:must|should|has to|have to) be (?:less than|lower than|below|under|smaller than|shorter than)`],
  ['least', true, String.raw`(?:must|should|has to|have to) be (?:more than|greater than|higher than|above|larger than|longer than)`],
  ['most', false, String.raw`(?:maximum|max)(?: allowed)?(?: value)?(?: is| of|:)?`],
  ['least', false, String.raw`(?:minimum|min)(?: allowed)?(?: value)?(?: is| of|:)?`],
];
const BOUNDS: readonly { kind: Bound['kind']; isOpen: boolean; pattern: RegExp }[] = [
  ...BEFORE.map(([kind, isOpen, words]) => ({ kind, isOpen, pattern: new RegExp(String.raw`\b${words}:? ?${NUMBER}`, 'gi') })),
  { kind: 'most', isOpen: false, pattern: new RegExp(`<= ?${NUMBER}`, 'g') },
  { kind: 'least', isOpen: false, pattern: new RegExp(`>= ?${NUMBER}`, 'g') },
  { kind: 'most', isOpen: true, pattern: new RegExp(` < ${NUMBER}`, 'g') },
  { kind: 'least', isOpen: true, pattern: new RegExp(` > ${NUMBER}`, 'g') },
  { kind: 'most', isOpen: false, pattern: new RegExp(`${NUMBER} (?:at most|or less|or fewer|or lower|maximum)`, 'gi') },
  { kind: 'least', isOpen: false, pattern: new RegExp(`${NUMBER} (?:at least|or more|or higher|minimum)`, 'gi') },
  { kind: 'least', isOpen: false, pattern: new RegExp(String.raw`\bbetween ${NUMBER}`, 'gi') },
  { kind: 'most', isOpen: false, pattern: new RegExp(String.raw`\bbetween [\w.]{1,20} ?\w{0,8} and ${NUMBER}`, 'gi') },
];
/** A bound stands so near to the field that it is about. */
const MAX_BETWEEN = 100;
/** Messages are longer only when they list several policies. */
const MAX_MESSAGE = 1000;

/** For a policy whose message names a field of the pod and its bound, which the pod does not keep: the bound. */
export function withinBound(place: ContainerPlace, message: string): Correction | undefined {
  const text = message.slice(0, MAX_MESSAGE);
  const bounds = boundsIn(text);
  if (bounds.length === 0) return undefined;
  const wrong = numbersIn(place).flatMap((field) => {
    const [mention, ...more] = mentionsOf(field, text);
    const near = mention === undefined || more.length > 3 ? [] : nearestBounds([mention, ...more], bounds);
    const to = near.map((bound) => keptValue(field, bound)).find((one) => one !== undefined);
    return to === undefined ? [] : [{ ...field, to }];
  });
  const changes = wrong.map(({ path, to }) => change(place, path, to, WHY));
  if (changes.length === 0) return undefined;
  const names = [...new Set(wrong.map(({ key }) => code(key)))];
  return {
    title: `Set ${names.join(' and ')} as the policy says`,
    changes: [...changes, ...requestsBelow(place, changes)],
    // Other values may matter to the program itself.
    confidence: wrong.every(({ key }) => /Seconds$|Threshold$/.test(key)) ? 'likely' : 'guess',
    explanation: 'The API server then accepts the pods, if the policy asks nothing else.',
    mirrorable: false,
  };
}

const WHY = 'the message of the policy names this bound';

/** A field with a number: its path, the name under which a message speaks of it, and its value. */
interface NumberField {
  path: string;
  key: string;
  value: number | string;
}

/** All numbers and quantities of the pod's spec, except what the program itself gets. */
function numbersIn({ spec, specPath }: ContainerPlace): NumberField[] {
  const found: NumberField[] = [];
  const walk = (value: unknown, path: string, key: string, depth: number): void => {
    if (depth > 8 || found.length > 500) return;
    if (Array.isArray(value)) for (const [index, one] of value.entries()) walk(one, fieldPath(path, index), key, depth + 1);
    else if (typeof value === 'object' && value !== null)
      for (const [name, one] of Object.entries(value))
        if (!NOT_OF_POD.has(name))
          walk(one, fieldPath(path, name), /^(?:cpu|memory|ephemeral-storage)$/.test(name) ? `${key}.${name}` : name, depth + 1);
    if (typeof value === 'number' || (typeof value === 'string' && /^\d/.test(value) && parseQuantity(value) !== undefined))
      found.push({ path, key, value });
  };
  walk(spec, specPath, '', 0);
  return found;
}

const NOT_OF_POD = new Set(['env', 'envFrom', 'command', 'args', 'nodeSelector', 'affinity', 'labels', 'annotations', 'value', 'image']);

/** Where a message speaks of a field: by its name, or as `memory limit` of `limits.memory`. */
function mentionsOf({ key }: NumberField, text: string): number[] {
  const [list, resource] = key.split('.');
  const said = resource ? String.raw`${list}\.${resource}|${resource} ${list?.slice(0, -1)}s?` : key;
  return key.length < 4 ? [] : [...text.matchAll(new RegExp(String.raw`(?<![\w-])(?:${said})(?![\w-])`, 'g'))].map(({ index }) => index);
}

function boundsIn(text: string): Bound[] {
  const found = BOUNDS.flatMap(({ kind, isOpen, pattern }) =>
    [...text.matchAll(pattern)].map((match): Bound => ({ at: match.index, kind, isOpen, to: match[1] ?? '', unit: match[2] ?? '' })),
  );
  // Of two readings at one place the earlier pattern counts: `not be more than` before `more than`.
  return found.filter(
    (bound, index) =>
      !found.slice(0, index).some((other) => Math.abs(other.at - bound.at) < 12 && other.kind !== bound.kind && other.to === bound.to),
  );
}

/** The bounds behind the first mention that has some, up to the next field; else those before a mention. */
function nearestBounds(mentions: number[], bounds: Bound[]): Bound[] {
  const [first = 0] = mentions;
  const behind = bounds.filter(({ at }) => at > first && at - first < MAX_BETWEEN).toSorted((a, b) => a.at - b.at);
  const [next] = behind;
  if (next) return behind.filter(({ at }) => at - next.at < 3);
  return bounds.filter(({ at }) => at < first && first - at < MAX_BETWEEN);
}

/** The nearest value within the bound, in the field's own format; undefined if the field is within it already. */
function keptValue({ key, value }: NumberField, { kind, isOpen, to, unit }: Bound): number | string | undefined {
  const isSeconds = /Seconds$/.test(key);
  // Of a time, `1m` is a minute. Of all else, `m` is a thousandth.
  const isMinutes = isSeconds && (to.endsWith('m') || /^m/.test(unit));
  const bound = parseQuantity(isSeconds ? to.replace(/m$/, '') : to);
  const own = parseQuantity(String(value));
  if (bound === undefined || own === undefined) return undefined;
  const scale = isMinutes ? 60 : isSeconds && /^h/.test(unit) ? 3600 : 1;
  const edge = bound * scale;
  const isKept = kind === 'most' ? (isOpen ? own < edge : own <= edge) : isOpen ? own > edge : own >= edge;
  if (isKept) return undefined;
  if (typeof value === 'number') return isOpen ? edge + (kind === 'most' ? -1 : 1) : edge;
  return isOpen || scale !== 1 ? undefined : to;
}

/** A request may not be larger than its limit. */
function requestsBelow(place: ContainerPlace, changes: Change[]): Change[] {
  return changes.flatMap(({ path, to }) => {
    const [, list, index, resource] = /\.(containers|initContainers)\[(\d{1,4})\]\.resources\.limits\.(\w{1,20})$/.exec(path) ?? [];
    const container = list === undefined ? undefined : place.spec[list as 'containers']?.[Number(index)];
    const request = resource === undefined ? undefined : container?.resources?.requests?.[resource];
    const isAbove = request !== undefined && (parseQuantity(String(request)) ?? 0) > (parseQuantity(String(to)) ?? Infinity);
    return isAbove ? [change(place, path.replace('.limits.', '.requests.'), to, 'a request may not be larger than its limit')] : [];
  });
}

const PULL = /\bimagePullPolicy\b[^.\n]{0,60}?(?:must be|:|to|=|==|be)\s{0,3}(?:set to |equal to )?["'`]?(Always|IfNotPresent|Never)\b/;

/** For a policy that says how images are pulled. */
export function pulledAsSaid(place: ContainerPlace, message: string): Correction | undefined {
  const to = PULL.exec(message.slice(0, MAX_MESSAGE))?.[1];
  const changes = (['initContainers', 'containers'] as const).flatMap((list) =>
    (place.spec[list] ?? []).flatMap(({ imagePullPolicy }, index) =>
      to === undefined || imagePullPolicy === to
        ? []
        : [change(place, fieldPath(place.specPath, list, index, 'imagePullPolicy'), to, 'the message of the policy says so')],
    ),
  );
  if (to === undefined || changes.length === 0) return undefined;
  return {
    title: `Set ${code('imagePullPolicy')} to ${code(to)}`,
    changes,
    confidence: to === 'Always' ? 'likely' : 'guess',
    explanation: 'The API server then accepts the pods, if the policy asks nothing else.',
    mirrorable: false,
  };
}
