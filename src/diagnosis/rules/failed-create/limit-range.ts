import type { Change } from '../../../contract/failure.ts';
import type { Confidence } from '../../../contract/mirror.ts';
import type { Container } from '../../../crd/kubernetes.ts';
import { fieldPath, valueAt } from '../../../crd/field-path.ts';
import { formatResource, parseQuantity } from '../../../crd/quantity.ts';
import { isMuchLessMemory, scaled } from '../../corrections/placement/requests.ts';
import type { FactOf } from '../../facts/facts.ts';
import { code } from '../../rendering/quote.ts';
import { kubectl } from '../../rendering/commands.ts';
import { change } from '../../corrections/change.ts';
import { factOf, factsOf, type RuleInput } from '../../facts/input.ts';
import { type RuleAnswer } from '../rule.ts';
import { cannotCreate } from './answer.ts';

/** A container's request or limit lies outside the namespace's LimitRange. */
export function exceededLimitRange(input: RuleInput): RuleAnswer | undefined {
  const fact = factOf(input, 'limit-range');
  if (!fact) return undefined;
  const { bound, allowed, resource, given, of } = fact;
  const all = factsOf(input, 'limit-range').filter(({ evidence }) => evidence === fact.evidence);
  const changes = all.flatMap((one) => (one.of === 'Pod' ? withinRangeOfPod(input, one) : withinRange(input, one)));
  const outside = [...new Set(all.flatMap((one) => (one.of === 'Pod' ? [] : outsideOf(input, one).map(({ name }) => name))))];
  const named = of === 'Container' && outside.length > 0 ? outside.map((name) => code(name)).join(', ') : `the ${of.toLowerCase()}`;
  const requested =
    outside.length > 1 ? `, but ${named} have ${bound === 'maximum' ? 'more' : 'less'}` : given ? `, but ${named} has ${code(given)}` : '';
  return cannotCreate(
    input,
    `the namespace allows a ${bound} of ${code(allowed)} ${code(resource)} for a ${of.toLowerCase()}${requested}`,
    {
      culprit: `${all.map((one) => `${one.resource} ${one.given || (one.bound === 'minimum' ? 'request' : 'limit')} (${one.bound} ${one.allowed})`).join(', ')}${outside.length > 0 ? ` of ${outside.join(', ')}` : ''}`,
      evidence: [fact.evidence],
      advice: ['Stay within the LimitRange of the namespace, or have it changed.'],
      commands: [kubectl(input.subject, 'describe', 'limitranges')],
      corrections: [
        {
          title: `Stay within ${all.map((one) => code(one.allowed)).join(' and ')}`,
          changes,
          confidence: surenessOf(changes),
          explanation: changes.some(isMuchLess)
            ? 'The API server then accepts the pods. Whether the program does with so much less shows only when it runs.'
            : 'The API server then accepts the pods.',
          mirrorable: false,
        },
      ],
    },
  );
}

/** Whether a change lowers a memory limit to less than half of what the author set. */
const isMuchLess = (change: Change): boolean => change.path.endsWith('.limits.memory') && isMuchLessMemory(change);

/** How sure it is that the program still gets enough. A program that gets less than before may fail. */
function surenessOf(changes: Change[]): Confidence {
  if (changes.some(isMuchLess)) return 'guess';
  const isLess = ({ from, to }: Change) =>
    (parseQuantity(from as string | undefined) ?? Infinity) > (parseQuantity(to as string | undefined) ?? 0);
  return changes.some(isLess) ? 'likely' : 'certain';
}

/** The ratio of a limit to its request exceeds what the namespace's LimitRange allows. */
export function exceededRatio(input: RuleInput): RuleAnswer | undefined {
  const fact = factOf(input, 'limit-ratio');
  if (!fact) return undefined;
  const { resource, most } = fact;
  const above = aboveRatio(input, resource, most);
  const names = above.map(({ name }) => name);
  const given = above.map(({ name, resources }) => {
    const request = resources?.requests?.[resource];
    return `${code(name)} has ${code(resources?.limits?.[resource] ?? '')} and ${request === undefined ? 'requests nothing itself' : `requests ${code(request)}`}`;
  });
  const allowed = `the namespace allows a ${code(resource)} limit of at most ${code(most)} times its request`;
  return cannotCreate(input, [allowed, ...given.slice(0, 1)].join(', but '), {
    culprit: `${resource}: limit to request ratio above ${most}${names.length > 0 ? ` of ${names.join(', ')}` : ''}`,
    evidence: [fact.evidence],
    advice: ['Bring request and limit closer together, or have the LimitRange changed.'],
    commands: [kubectl(input.subject, 'describe', 'limitranges')],
    corrections: [
      {
        title: `Request at least 1/${most} of the limit`,
        changes: withinRatio(input, resource, most),
        confidence: 'likely',
        explanation: 'The API server then accepts the pods.',
        mirrorable: false,
      },
    ],
  });
}

/** The containers whose limit is too many times their request. */
function aboveRatio(input: RuleInput, resource: string, most: number) {
  return containersOf(input).filter(({ resources }) => {
    const [limit, request] = [parseQuantity(resources?.limits?.[resource]), parseQuantity(resources?.requests?.[resource])];
    return limit !== undefined && (request ?? 0) * most < limit;
  });
}

function withinRatio(input: RuleInput, resource: string, most: number): Change[] {
  const place = input.place(null);
  return aboveRatio(input, resource, most).flatMap(({ path, resources }) => {
    const limit = parseQuantity(resources?.limits?.[resource]) ?? 0;
    const at = fieldPath(path, 'requests', resource);
    return place ? [change(place, at, formatResource(resource, limit / most), `its limit may be ${code(most)} times as much`)] : [];
  });
}

/** For a limit on the pod as a whole: lowers or raises every container by the same share. */
function withinRangeOfPod(input: RuleInput, { bound, allowed, resource, evidence }: FactOf<'limit-range'>): Change[] {
  const place = input.place(null);
  const to = parseQuantity(allowed);
  if (!place || to === undefined) return [];
  const field =
    /but request is/.test(evidence.text) || (bound === 'minimum' && !/but limit is/.test(evidence.text)) ? 'requests' : 'limits';
  if (bound === 'maximum') return scaled(place, { field, resource, to });
  const amounts = place.spec.containers.map(({ resources }) => parseQuantity(resources?.[field]?.[resource]) ?? 0);
  const total = amounts.reduce((sum, amount) => sum + amount, 0);
  return amounts.flatMap((amount, index) => {
    // A container without the field needs none if others have it.
    if (total > 0 && amount === 0) return [];
    const share = formatResource(resource, total > 0 ? (amount * to) / total : to / amounts.length);
    const path = fieldPath(place.specPath, 'containers', index, 'resources', field, resource);
    return [change(place, path, share, `all containers together need ${code(allowed)}`)];
  });
}

/** The claim that a StatefulSet makes is larger or smaller than the namespace's LimitRange allows. Its templates cannot be changed. */
export function exceededClaimRange(input: RuleInput): RuleAnswer | undefined {
  const fact = factOf(input, 'claim-range');
  if (!fact) return undefined;
  const { claim, bound, allowed, given, evidence } = fact;
  const most = `${bound === 'maximum' ? 'at most' : 'at least'} ${code(allowed)}`;
  return cannotCreate(input, `its claim ${code(claim)} asks for ${code(given)}, and the namespace allows ${most} for a claim`, {
    culprit: `claim ${claim}: storage ${given} (${bound} ${allowed})`,
    evidence: [evidence],
    advice: [
      `Ask for ${most} in ${code('spec.volumeClaimTemplates')}, or have the LimitRange changed. The templates of a StatefulSet cannot be changed: ` +
        `delete it with ${code('--cascade=orphan')} and create it again.`,
    ],
    commands: [kubectl(input.subject, 'describe', 'limitranges')],
    noCorrection: {
      why: 'The size stands in the template of the claims, which cannot be changed in a StatefulSet that exists.',
      whereToLook: 'the LimitRange of the namespace',
    },
  });
}

/** A request exceeds the default limit that the namespace gives to a container without a limit of its own. */
export function aboveDefaultLimit(input: RuleInput): RuleAnswer | undefined {
  const fact = factOf(input, 'above-limit');
  if (!fact) return undefined;
  const { path, resource, request, evidence } = fact;
  const place = input.place(null);
  const at = place && `${place.specPath}.${path}.resources.limits.${resource}`;
  const isDefault = place && at && valueAt(place.object, at) === null;
  const limit = isDefault ? 'the limit that the LimitRange of the namespace gives it, since it sets none' : 'its limit';
  return cannotCreate(input, `a container requests ${code(request)} of ${code(resource)}, more than ${limit}`, {
    culprit: `requests.${resource} ${request} above the ${resource} limit`,
    evidence: [evidence],
    advice: ['Give the container a limit of its own. Without one it gets the default of the LimitRange of the namespace.'],
    commands: [kubectl(input.subject, 'describe', 'limitranges')],
    corrections: at
      ? [
          {
            title: `Set the limit to ${code(request)}`,
            changes: [change(place, at, request, 'a request may not be above its limit')],
            confidence: 'likely',
            explanation: 'The API server then accepts the pods.',
            mirrorable: false,
          },
        ]
      : [],
  });
}

/** The containers whose request or limit is out of range, with the fields that are. */
function outsideOf(input: RuleInput, { bound, allowed, resource }: FactOf<'limit-range'>) {
  const border = parseQuantity(allowed) ?? 0;
  const isOutside = (quantity: string | number | undefined): boolean => {
    const own = parseQuantity(quantity);
    return own !== undefined && (bound === 'maximum' ? own > border : own < border);
  };
  return containersOf(input).flatMap((one) => {
    const fields = (['limits', 'requests'] as const).filter((field) => isOutside(one.resources?.[field]?.[resource]));
    return fields.length > 0 ? [{ ...one, fields }] : [];
  });
}

/** All containers of the pod with their paths. A LimitRange applies to init containers too. */
function containersOf(input: RuleInput): { name: string; path: string; resources: Container['resources'] }[] {
  const place = input.place(null);
  return (['initContainers', 'containers'] as const).flatMap((list) =>
    (place?.spec[list] ?? []).map(({ name, resources }, index) => ({
      name,
      path: fieldPath(place?.specPath ?? '', list, index, 'resources'),
      resources,
    })),
  );
}

/** Sets every request and limit that is out of range. If the message gives no number, it sets the field that the range requires. */
function withinRange(input: RuleInput, fact: FactOf<'limit-range'>): Change[] {
  const place = input.place(null);
  if (!place) return [];
  const { bound, allowed, resource, given } = fact;
  const outside = outsideOf(input, fact);
  const required = bound === 'maximum' ? ('limits' as const) : ('requests' as const);
  const lacking = containersOf(input).filter(({ resources }) => given === '' && resources?.[required]?.[resource] === undefined);
  return [...outside, ...lacking.map((one) => ({ ...one, fields: [required] }))].flatMap(({ path, fields }) =>
    fields.map((field) => change(place, fieldPath(path, field, resource), allowed, `the namespace allows a ${bound} of ${code(allowed)}`)),
  );
}
