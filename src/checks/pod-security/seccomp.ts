import type { PodTemplate } from '../../crd/kubernetes.ts';
import { fieldPath } from '../../crd/field-path.ts';
import type { PodSecurityCheck, Violation } from '../check.ts';
import { contextsOf, isWindows, mapping, owner, placesOf, type ContextPlace } from '../containers.ts';
import { STANDARD, WINDOWS_EXEMPT } from './standard.ts';

const ALLOWED = new Set<unknown>(['RuntimeDefault', 'Localhost']);
const POD_ANNOTATION = 'seccomp.security.alpha.kubernetes.io/pod';
const CONTAINER_ANNOTATION = 'container.seccomp.security.alpha.kubernetes.io/';
/** Since v1.19 the standard reads fields; before that it read annotations. */
const FIELDS_SINCE = 19;
const REFERENCES = [STANDARD, 'https://kubernetes.io/docs/tutorials/security/seccomp/'];

export const seccomp: PodSecurityCheck = {
  id: 'seccomp',
  title: 'Seccomp switched off',
  severity: 'medium',
  rationale: "Without a seccomp profile a container may make every system call, and most of the kernel's known holes are in rare ones.",
  remediation: 'Use `RuntimeDefault`, or a profile of the node with `Localhost`.',
  references: REFERENCES,
  frameworks: { pod_security: 'baseline', nsa: ['Hardening container environments'], cis: ['5.7.2'], mitre: ['T1611'] },
  control: { level: 'baseline', since: 0 },
  run: ({ template, minor }) => (minor < FIELDS_SINCE ? annotated(template) : contextsOf(template).flatMap(refused)),
};

export const seccompRestricted: PodSecurityCheck = {
  id: 'seccomp-restricted',
  title: 'No seccomp profile',
  severity: 'low',
  rationale: 'A pod that names no seccomp profile runs unconfined, unless the kubelet of its node is set up to choose one.',
  remediation: 'Set `securityContext.seccompProfile.type: RuntimeDefault` on the pod.',
  references: REFERENCES,
  frameworks: { pod_security: 'restricted', nsa: ['Hardening container environments'], cis: ['5.7.2'], mitre: ['T1611'] },
  control: { level: 'restricted', since: FIELDS_SINCE, replaces: 'seccomp' },
  run: ({ template, minor }) => (isWindows(template) && minor >= WINDOWS_EXEMPT ? [] : required(template)),
};

const profileOf = ({ context }: ContextPlace): unknown => mapping<{ type: string }>(context.seccompProfile).type;

/** Whether the profile is neither of the two allowed ones. */
function refused(one: ContextPlace): Violation[] {
  const { context, path, place } = one;
  if (!context.seccompProfile || ALLOWED.has(profileOf(one))) return [];
  const cures = place?.isFixed ? [] : [{ path: `${path}.seccompProfile`, to: { type: 'RuntimeDefault' } }];
  return [{ ...owner(place), path: `${path}.seccompProfile.type`, problem: `has seccomp profile ${String(profileOf(one))}`, cures }];
}

/** A container may inherit the profile of its pod. A wrong profile of the pod is a violation even if no container inherits it. */
function required(template: PodTemplate): Violation[] {
  const [pod, ...containers] = contextsOf(template) as [ContextPlace, ...ContextPlace[]];
  const missing = pod.context.seccompProfile ? [] : containers.filter(({ context }) => !context.seccompProfile);
  return [
    ...[pod, ...containers].flatMap(refused),
    ...missing.map(({ path, place }) => ({
      ...owner(place),
      path: `${path}.seccompProfile`,
      problem: 'has no seccomp profile, and its pod has none',
      cures: place?.isFixed ? [] : [{ path: `${path}.seccompProfile`, to: { type: 'RuntimeDefault' } }],
    })),
  ];
}

function annotated(template: PodTemplate): Violation[] {
  const annotations = mapping<Record<string, string>>(template.metadata?.annotations);
  const keys = [
    { key: POD_ANNOTATION, container: undefined },
    ...placesOf(template).map((place) => ({ key: `${CONTAINER_ANNOTATION}${place.container.name}`, container: place })),
  ];
  return keys.flatMap(({ key, container }) => {
    const value = Object.hasOwn(annotations, key) ? annotations[key] : undefined;
    if (value === undefined || isAllowedAnnotation(String(value))) return [];
    const path = fieldPath('metadata.annotations', key);
    return [{ ...owner(container), path, problem: `has seccomp profile ${value}`, cures: [{ path, to: 'runtime/default' }] }];
  });
}

const isAllowedAnnotation = (value: string): boolean =>
  value === 'runtime/default' || value === 'docker/default' || value.startsWith('localhost/');
