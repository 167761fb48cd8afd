import type { PodTemplate } from '../../crd/kubernetes.ts';

/** The page that the controls come from. */
export const STANDARD = 'https://kubernetes.io/docs/concepts/security/pod-security-standards/';

/** Where Kubernetes before 1.30 wrote AppArmor profiles, before the container's name. */
export const APPARMOR_ANNOTATION = 'container.apparmor.security.beta.kubernetes.io/';

/** From v1.35 on, a pod with a user namespace of its own may be root in it and see all of /proc. */
export function hasOwnUsers({ spec }: PodTemplate, minor: number): boolean {
  return minor >= 35 && spec.hostUsers === false;
}

/** From v1.25 on, controls of Linux do not apply to pods that say they are for Windows. */
export const WINDOWS_EXEMPT = 25;
