import type { Level } from '../../../checks/check.ts';
import { podSecurityViolations } from '../../../checks/pod-security/index.ts';
import { code } from '../../rendering/quote.ts';
import type { Change } from '../../../contract/failure.ts';
import type { Confidence } from '../../../contract/mirror.ts';
import type { PodTemplate } from '../../../crd/kubernetes.ts';
import { fieldPath, valueAt } from '../../../crd/field-path.ts';
import { change } from '../change.ts';
import { type ContainerPlace } from '../../facts/input.ts';

/** A user that is not root and that no image needs for itself. */
const ORDINARY_USER = 1000;

/**
 * The changes that make the pod meet the level, as the newest admission checks it. `complete`: no violation is left. They never add rights.
 * `runAsNonRoot` alone stops an image whose user is root, so a pod that names no user gets one.
 */
export function podSecurityChanges(place: ContainerPlace, level: Level): { changes: Change[]; complete: boolean } {
  const base = place.specPath.replace(/\.?spec$/, '');
  const template: PodTemplate = { metadata: metadataOf(place, base), spec: place.spec };
  const violations = podSecurityViolations(template, level, Infinity);
  const cures = violations.flatMap(({ cures: all, container, about, problem }) => {
    const who = about ?? (container === undefined ? 'the pod' : code(container));
    return all.map((cure) => ({ ...cure, why: `the level forbids that ${who} ${problem}` }));
  });
  const changes = cures.map(({ path, to, why }) => change(place, base === '' ? path : `${base}.${path}`, to, why));
  const isRootForbidden = changes.some(({ path, to }) => path.endsWith('.runAsNonRoot') && to === true);
  const user = isRootForbidden && !namesUser(place) ? [asOrdinaryUser(place)] : [];
  return { changes: [...changes, ...user], complete: violations.every((violation) => violation.cures.length > 0) };
}

/** Fields that the author set because the program needs them. Nobody else knows what breaks without them. */
const NEEDED = /\.(?:hostNetwork|hostPID|hostIPC|hostProcess|privileged|procMount|capabilities\.add)$|\.volumes\b|\.seLinuxOptions\b/;
/** Commands that only root may run. */
const BY_ROOT =
  /\b(?:chown|chgrp|chroot|mount|umount|iptables|ip6tables|nft|sysctl|modprobe|insmod|setcap|apk|apt|apt-get|yum|dnf|adduser|useradd|su-exec|gosu|setpriv|runuser|sudo|su|mknod|nsenter|tcpdump|ping|dockerd|containerd|sshd|crond|cron)\b/;
/** Images whose program starts as root and then drops its rights, or writes where only root may. */
const ROOT_IMAGES =
  /(?:^|\/)(?:nginx|httpd|postgres|postgis|mysql|mariadb|percona|mongo|rabbitmq|wordpress|nextcloud|drupal|ghost|php|sonarqube|haproxy|squid|vsftpd|openssh-server|docker|kaniko-executor)(?::|@|$)/;

/**
 * How likely the pod works after the changes. The API server accepts it, but only a run shows whether the program works with fewer rights.
 * So the answer is `likely` at best. Rights that the author named are there on purpose.
 */
export function securitySureness(place: ContainerPlace, changes: Change[]): Confidence {
  const isLess = changes.some(({ path }) => /\.(?:runAsUser|runAsNonRoot|drop|allowPrivilegeEscalation)$/.test(path));
  return takesRights(place, changes) || (isLess && needsRoot(place)) ? 'guess' : 'likely';
}

/** Whether the changes take away rights that the manifest grants by name. */
export function takesRights(place: ContainerPlace, changes: Change[]): boolean {
  return changes.some(({ path, from }) => from !== null && NEEDED.test(path) && !isWithoutEffect(place, path));
}

/** Added capabilities have no effect for a user other than root. */
function isWithoutEffect({ object, spec }: ContainerPlace, path: string): boolean {
  const context = path.replace(/\.capabilities\.add$/, '');
  if (context === path) return false;
  const user = valueAt(object, fieldPath(context, 'runAsUser')) ?? spec.securityContext?.runAsUser;
  return typeof user === 'number' && user !== 0;
}

/**
 * Whether a container of the pod needs root: its user is root, its command does what only root may do, or its image is known to start as
 * root.
 */
export function needsRoot({ spec }: ContainerPlace): boolean {
  return [...(spec.initContainers ?? []), ...spec.containers].some(({ command, args, image = '', securityContext }) => {
    const user = securityContext?.runAsUser ?? spec.securityContext?.runAsUser;
    const words = [...(command ?? []), ...(args ?? [])].join(' ').slice(0, 20_000);
    return user === 0 || (user === undefined && (BY_ROOT.test(words) || ROOT_IMAGES.test(image)));
  });
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
