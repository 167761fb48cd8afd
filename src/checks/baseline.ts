import type { PodTemplate } from '../crd/kubernetes.ts';
import { allContainers, listOf } from '../crd/pod-template.ts';
import { podSecurityViolations } from './pod-security/index.ts';

/**
 * Paths of the fields by which a pod fails the newest Pod Security baseline; none means that it passes. Ephemeral containers do not count:
 * no copy of a pod has them.
 */
export function baselineViolations({ metadata, spec }: PodTemplate): string[] {
  const template = { ...(metadata && { metadata }), spec: { ...spec, ephemeralContainers: [] } };
  return podSecurityViolations(template, 'baseline', Infinity).map(({ path }) => path);
}

/** Whether any container of the template takes part of the node for itself, so that two copies cannot live on one node. */
export function hostPortsOf({ spec }: PodTemplate): number[] {
  return allContainers(spec).flatMap((container) => listOf(container.ports).flatMap(({ hostPort }) => (hostPort ? [hostPort] : [])));
}
