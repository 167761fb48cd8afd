import type { PodTemplate } from '../../crd/kubernetes.ts';
import type { Level, PodSecurityCheck, Violation } from '../check.ts';
import { appArmor } from './app-armor.ts';
import { capabilities } from './capabilities.ts';
import { capabilitiesRestricted } from './capabilities-restricted.ts';
import { hostNamespaces } from './host-namespaces.ts';
import { hostPath } from './host-path.ts';
import { hostPorts } from './host-ports.ts';
import { hostProbes } from './host-probes.ts';
import { hostProcess } from './host-process.ts';
import { privilegeEscalation } from './privilege-escalation.ts';
import { privileged } from './privileged.ts';
import { procMount, procMountRestricted } from './proc-mount.ts';
import { runAsNonRoot } from './run-as-non-root.ts';
import { runAsUser } from './run-as-user.ts';
import { seccomp, seccompRestricted } from './seccomp.ts';
import { seLinux } from './se-linux.ts';
import { sysctls } from './sysctls.ts';
import { volumeTypes } from './volume-types.ts';

/** Every control of the Pod Security Standards, baseline first, in the order of the standard. */
export const POD_SECURITY_CHECKS: readonly PodSecurityCheck[] = [
  hostProcess,
  hostNamespaces,
  privileged,
  capabilities,
  hostPath,
  hostPorts,
  hostProbes,
  appArmor,
  seLinux,
  procMount,
  seccomp,
  sysctls,
  volumeTypes,
  privilegeEscalation,
  runAsNonRoot,
  runAsUser,
  seccompRestricted,
  capabilitiesRestricted,
  procMountRestricted,
];

/**
 * The controls of a level in a version: those of baseline, and for restricted also its own, some of which replace a control of baseline.
 */
export function controlsOf(level: Level, minor: number): PodSecurityCheck[] {
  const there = POD_SECURITY_CHECKS.filter(({ control }) => control.since <= minor && (level === 'restricted' || control.level === level));
  const replaced = new Set(there.map(({ control }) => control.replaces));
  return there.filter(({ id }) => !replaced.has(id));
}

/** The violations for which Pod Security admission of that version and level refuses the pod, with their controls. Empty if it admits the pod. */
export function podSecurityViolations(template: PodTemplate, level: Level, minor: number): (Violation & { check: PodSecurityCheck })[] {
  return controlsOf(level, minor).flatMap((check) => check.run({ template, minor }).map((violation) => ({ ...violation, check })));
}
