import type { PodTemplate } from '../crd/kubernetes.ts';
import { allContainers, listOf } from '../crd/pod-template.ts';
import { podSecurityViolations } from './pod-security/index.ts';

/**
 * Paths of the fields that violate the newest Pod Security baseline; empty if the pod passes. Ephemeral containers do not count, because
 * copies of a pod do not have them.
 */
export function baselineViolations({ metadata, spec }: PodTemplate): string[] {
  const template = { ...(metadata && { metadata }), spec: { ...spec, ephemeralContainers: [] } };
  return podSecurityViolations(template, 'baseline', Infinity).map(({ path }) => path);
}

/** The host ports of all containers of the template. Two copies with the same host port cannot run on one node. */
export function hostPortsOf({ spec }: PodTemplate): number[] {
  return allContainers(spec).flatMap((container) => listOf(container.ports).flatMap(({ hostPort }) => (hostPort ? [hostPort] : [])));
}
