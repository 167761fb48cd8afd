import type { Level } from '../../checks/check.ts';
import { podSecurityViolations } from '../../checks/pod-security/index.ts';
import type { Change } from '../../contract/failure.ts';
import type { PodTemplate } from '../../crd/kubernetes.ts';
import { fieldPath } from '../../crd/field-path.ts';
import { change, type ContainerPlace } from '../rules/rule.ts';

/** A user that is not root and that no image needs for itself. */
const ORDINARY_USER = 1000;

/**
 * The changes by which the pod meets the level, as the newest admission judges it; `complete` when nothing is left. They never add rights. An
 * image whose user is root does not start with `runAsNonRoot` alone, so a pod that names no user gets one.
 */
export function podSecurityChanges(place: ContainerPlace, level: Level): { changes: Change[]; complete: boolean } {
  const base = place.specPath.replace(/\.?spec$/, '');
  const template: PodTemplate = { metadata: metadataOf(place, base), spec: place.spec };
  const violations = podSecurityViolations(template, level, Infinity);
  const cures = violations.flatMap(({ cures: all, problem }) => all.map((cure) => ({ ...cure, why: `the level forbids it: ${problem}` })));
  const changes = cures.map(({ path, to, why }) => change(place, base === '' ? path : `${base}.${path}`, to, why));
  const isRootForbidden = changes.some(({ path, to }) => path.endsWith('.runAsNonRoot') && to === true);
  const user = isRootForbidden && !namesUser(place) ? [asOrdinaryUser(place)] : [];
  return { changes: [...changes, ...user], complete: violations.every((violation) => violation.cures.length > 0) };
}

function asOrdinaryUser(place: ContainerPlace): Change {
  const path = fieldPath(place.specPath, 'securityContext', 'runAsUser');
  return change(place, path, ORDINARY_USER, 'an image whose user is root does not start as another one by itself');
}

function namesUser({ spec }: ContainerPlace): boolean {
  const contexts = [spec.securityContext, ...[...(spec.initContainers ?? []), ...spec.containers].map((one) => one.securityContext)];
  return contexts.some((context) => typeof context?.runAsUser === 'number');
}

function metadataOf({ object }: ContainerPlace, base: string): NonNullable<PodTemplate['metadata']> {
  const at = base.split('.').filter(Boolean);
  const template = at.reduce<unknown>((here, key) => (here as Record<string, unknown> | undefined)?.[key], object);
  return (template as PodTemplate | undefined)?.metadata ?? {};
}
