import { baselineViolations } from '../../checks/baseline.ts';
import { podSecurityViolations } from '../../checks/pod-security/index.ts';
import { fieldPath } from '../../crd/field-path.ts';
import type { KubeObject, PodSpec } from '../../crd/kubernetes.ts';
import { formatResource, parseQuantity } from '../../crd/quantity.ts';
import { askedOf } from '../../crd/quota.ts';
import type { LimitRangeAround } from '../case.ts';
import type { Correction } from '../corrections/correction.ts';
import { podSecurityChanges, securitySureness } from '../corrections/admission/pod-security.ts';
import { podSpecIn } from '../facts/manifest.ts';
import { code } from '../rendering/quote.ts';
import { change } from '../corrections/change.ts';
import { type ContainerPlace, type RuleInput } from '../facts/input.ts';
import type { Obstacle } from './on-paper.ts';

// What the API server checks before it creates the corrected pod.

/**
 * What the namespace's Pod Security level refuses in the corrected pod. If the level is unknown, only what a correction adds to the pod's
 * own violations of `baseline` counts.
 */
export function refusedSecurity(before: RuleInput, after: RuleInput): Obstacle | undefined {
  const enforced = after.subject.surroundings?.podSecurity;
  if (enforced === null) return undefined;
  if (enforced === undefined) return newViolation(before, after);
  const [place, object] = [after.place(null), after.subject.manifest()];
  if (!place || !object) return undefined;
  const { level, minor } = enforced;
  const [violation] = podSecurityViolations({ metadata: object.metadata, spec: place.spec }, level, minor);
  if (!violation) return undefined;
  const { changes, complete } = podSecurityChanges(place, level);
  const remains = `The namespace enforces Pod Security level ${code(level)}, which refuses ${code(violation.path)}.`;
  if (!complete || changes.length === 0) return { remains };
  const isGentle = !changes.some(({ path }) => /\.runAsUser$|\.runAsNonRoot$/.test(path));
  const correction: Correction = {
    title: `Meet Pod Security level ${code(level)}`,
    changes,
    confidence: isGentle ? securitySureness(place, changes) : 'guess',
    explanation: remains,
    mirrorable: false,
  };
  return { correction, remains };
}

function newViolation(before: RuleInput, after: RuleInput): Obstacle | undefined {
  const [old, now] = [violationsIn(before.subject.manifest()), violationsIn(after.subject.manifest())];
  const added = now.find((field) => !old.includes(field));
  return added === undefined ? undefined : { remains: `A namespace with Pod Security level \`baseline\` refuses ${code(added)}.` };
}

function violationsIn(object: KubeObject | undefined): string[] {
  const spec: PodSpec | undefined = object && podSpecIn(object)?.spec;
  return object && spec ? baselineViolations({ metadata: object.metadata, spec }) : [];
}

/** A request or limit outside the namespace's LimitRanges. It is set to the bound, unless that would undo the correction. */
export function outsideRange(after: RuleInput, correction: Correction): Obstacle | undefined {
  const place = after.place(null);
  for (const range of place ? (after.subject.surroundings?.limitRanges ?? []) : []) {
    const found = place && firstOutside(place, range);
    if (!found) continue;
    const { path, bound, resource, word } = found;
    const own = correction.changes.find((one) => one.path === path);
    const was = parseQuantity(own?.from as string | undefined);
    const isUndone = own !== undefined && was !== undefined && was === parseQuantity(bound);
    const remains = `LimitRange ${code(range.name)} allows a container ${word} ${code(bound)} of ${code(resource)}.`;
    const set: Correction = {
      title: `Stay within ${code(bound)}`,
      changes: [change(place, path, bound, `the namespace allows ${word} ${code(bound)}`)],
      confidence: 'likely',
      explanation: remains,
      mirrorable: true,
    };
    return isUndone ? { remains } : { correction: set, remains };
  }
  return undefined;
}

interface Outside {
  path: string;
  resource: string;
  bound: string;
  word: 'at most' | 'at least';
}

function firstOutside(place: ContainerPlace, { min, max }: LimitRangeAround): Outside | undefined {
  return writtenIn(place).flatMap(({ path, resource, amount }): Outside[] => {
    if (amount > (parseQuantity(max[resource]) ?? Infinity)) return [{ path, resource, bound: max[resource] as string, word: 'at most' }];
    return amount < (parseQuantity(min[resource]) ?? 0) ? [{ path, resource, bound: min[resource] as string, word: 'at least' }] : [];
  })[0];
}

/** All requests and limits of the pod's containers. */
function writtenIn({ spec, specPath }: ContainerPlace): { path: string; resource: string; amount: number }[] {
  return (['containers', 'initContainers'] as const).flatMap((list) =>
    (spec[list] ?? []).flatMap(({ resources }, index) =>
      (['limits', 'requests'] as const).flatMap((field) =>
        Object.entries(resources?.[field] ?? {}).flatMap(([resource, quantity]) => {
          const amount = parseQuantity(quantity);
          const path = fieldPath(specPath, list, index, 'resources', field, resource);
          return amount === undefined ? [] : [{ path, resource, amount }];
        }),
      ),
    ),
  );
}

/** A quota that has room for the pod as it is but not for the corrected one. What the pod already uses counts as free. */
export function quotaExceeded(before: RuleInput, after: RuleInput): Obstacle | undefined {
  const [old, young] = [before.place(null)?.spec, after.place(null)?.spec];
  if (!old || !young) return undefined;
  // A pod that could not be created uses nothing.
  const isThere = before.subject.resource_kind === 'Pod';
  for (const { name, scopes, hard, used } of after.subject.surroundings?.quotas ?? []) {
    for (const [resource, most] of scopes.length > 0 ? [] : Object.entries(hard)) {
      const [was, asks] = [askedOf(old, resource), askedOf(young, resource)];
      const left = (parseQuantity(most) ?? Infinity) - (parseQuantity(used[resource]) ?? 0) + (isThere ? was : 0);
      if (asks <= was || asks - left <= 1e-9) continue;
      return {
        remains: `Quota ${code(name)} has ${code(left > 0 ? formatResource(resource, left) : '0')} of ${code(resource)} left for it, and it asks for ${code(formatResource(resource, asks))}.`,
      };
    }
  }
  return undefined;
}
