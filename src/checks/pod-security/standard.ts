import type { PodTemplate } from '../../crd/kubernetes.ts';

/** The page that the controls come from. */
export const STANDARD = 'https://kubernetes.io/docs/concepts/security/pod-security-standards/';

/** The prefix of the annotation with which Kubernetes before 1.30 set AppArmor profiles. The container's name follows it. */
export const APPARMOR_ANNOTATION = 'container.apparmor.security.beta.kubernetes.io/';

/** From v1.35 on, a pod with its own user namespace may be root in it and may see all of /proc. */
export function hasOwnUsers({ spec }: PodTemplate, minor: number): boolean {
  return minor >= 35 && spec.hostUsers === false;
}

/** From v1.25 on, Linux controls do not apply to pods that declare that they are for Windows. */
export const WINDOWS_EXEMPT = 25;
