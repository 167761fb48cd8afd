import type { Change } from '../../../contract/failure.ts';
import { fieldPath } from '../../../crd/field-path.ts';
import { formatResource, parseQuantity } from '../../../crd/quantity.ts';
import type { FactOf } from '../../facts/facts.ts';
import { code } from '../../rendering/quote.ts';
import { kubectl } from '../commands.ts';
import { change, factOf, type RuleAnswer, type RuleInput } from '../rule.ts';
import { cannotCreate } from './answer.ts';

/** A container's request or limit lies outside the namespace's LimitRange. */
export function exceededLimitRange(input: RuleInput): RuleAnswer | undefined {
  const fact = factOf(input, 'limit-range');
  if (!fact) return undefined;
  const { bound, allowed, resource, given } = fact;
  const requested = given ? `, but the container has ${code(given)}` : '';
  return cannotCreate(input, `the namespace allows a ${bound} of ${code(allowed)} ${code(resource)} for a container${requested}`, {
    culprit: `${resource} ${given || 'limit'} (${bound} ${allowed})`,
    evidence: [fact.evidence],
    advice: ['Stay within the LimitRange of the namespace, or have it changed.'],
    commands: [kubectl(input.subject, 'describe', 'limitranges')],
    corrections: [
      {
        title: `Stay within ${code(allowed)}`,
        changes: withinRange(input, fact),
        confidence: 'certain',
        explanation: 'The API server then accepts the pods.',
        mirrorable: false,
      },
    ],
  });
}

/** A limit is more times its request than the namespace's LimitRange allows. */
export function exceededRatio(input: RuleInput): RuleAnswer | undefined {
  const fact = factOf(input, 'limit-ratio');
  if (!fact) return undefined;
  const { resource, most } = fact;
  return cannotCreate(input, `the namespace allows a ${code(resource)} limit of at most ${code(most)} times its request`, {
    culprit: `${resource}: limit to request ratio above ${most}`,
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

function withinRatio(input: RuleInput, resource: string, most: number): Change[] {
  const place = input.place(null);
  return (place?.spec.containers ?? []).flatMap(({ resources }, index) => {
    const [limit, request] = [parseQuantity(resources?.limits?.[resource]), parseQuantity(resources?.requests?.[resource])];
    if (!place || limit === undefined || (request ?? 0) * most >= limit) return [];
    const path = fieldPath(place.specPath, 'containers', index, 'resources', 'requests', resource);
    return [change(place, path, formatResource(resource, limit / most), `its limit may be ${code(most)} times as much`)];
  });
}

/** Sets every request and limit that lies outside; where the message gives no number, the field that the range asks for. */
function withinRange(input: RuleInput, { bound, allowed, resource, given }: FactOf<'limit-range'>): Change[] {
  const place = input.place();
  if (!place) return [];
  const border = parseQuantity(allowed) ?? 0;
  const isOutside = (quantity: string | number | undefined): boolean => {
    const own = parseQuantity(quantity);
    return own !== undefined && (bound === 'maximum' ? own > border : own < border);
  };
  const required = bound === 'maximum' ? ('limits' as const) : ('requests' as const);
  return place.spec.containers.flatMap(({ resources }, index) => {
    const outside = (['limits', 'requests'] as const).filter((field) => isOutside(resources?.[field]?.[resource]));
    const fields = outside.length > 0 || given !== '' ? outside : [required];
    return fields.map((field) => {
      const path = fieldPath(place.specPath, 'containers', index, 'resources', field, resource);
      return change(place, path, allowed, `the namespace allows a ${bound} of ${code(allowed)}`);
    });
  });
}
