import type { PodTemplate } from '../../crd/kubernetes.ts';
import { fieldPath } from '../../crd/field-path.ts';
import type { PodSecurityCheck, Violation } from '../check.ts';
import { contextsOf, mapping, owner } from '../containers.ts';
import { APPARMOR_ANNOTATION, STANDARD } from './standard.ts';

const ALLOWED = new Set<unknown>(['RuntimeDefault', 'Localhost']);

export const appArmor: PodSecurityCheck = {
  id: 'app-armor',
  title: 'AppArmor switched off',
  severity: 'medium',
  rationale:
    "The runtime's AppArmor profile stops writes to dangerous files below /proc and /sys, and mounts. Without it a bug is worth more.",
  remediation: 'Use `RuntimeDefault`, or a profile of the node with `Localhost`.',
  references: [STANDARD, 'https://kubernetes.io/docs/tutorials/security/apparmor/'],
  frameworks: { pod_security: 'baseline', nsa: ['Hardening container environments'], cis: ['5.7.3'], mitre: ['T1611'] },
  control: { level: 'baseline', since: 0 },
  run: ({ template }) => [...fields(template), ...annotations(template)],
};

function fields(template: PodTemplate): Violation[] {
  return contextsOf(template).flatMap(({ context, path, place }) => {
    if (!context.appArmorProfile) return [];
    const { type } = mapping<{ type: string }>(context.appArmorProfile);
    if (ALLOWED.has(type)) return [];
    const cures = place?.isFixed ? [] : [{ path: `${path}.appArmorProfile`, to: { type: 'RuntimeDefault' } }];
    return [{ ...owner(place), path: `${path}.appArmorProfile.type`, problem: `has AppArmor profile ${type}`, cures }];
  });
}

/** The key of the annotation contains the container's name. */
function annotations({ metadata }: PodTemplate): Violation[] {
  return Object.entries(mapping<Record<string, string>>(metadata?.annotations)).flatMap(([key, value = '']) => {
    if (!key.startsWith(APPARMOR_ANNOTATION) || isAllowed(String(value))) return [];
    const path = fieldPath('metadata.annotations', key);
    const container = key.slice(APPARMOR_ANNOTATION.length);
    return [{ container, path, problem: `has AppArmor profile ${value}`, cures: [{ path, to: null }] }];
  });
}

const isAllowed = (value: string): boolean => value === '' || value === 'runtime/default' || value.startsWith('localhost/');
