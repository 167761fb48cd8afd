import type { Container, PodSpec, PodTemplate, SecurityContext } from '../../crd/kubernetes.ts';
import { fieldPath } from '../../crd/field-path.ts';
import { nameSet } from '../../crd/name-set.ts';
import { canonical } from '../../crd/canonical.ts';
import { APPARMOR_ANNOTATION } from '../pod-security/standard.ts';
import type { Flag, Pair } from './power.ts';
import { allContainers, listOf } from '../../crd/pod-template.ts';

const CONTAINER_FIELDS = nameSet(`
  privileged allowPrivilegeEscalation runAsUser runAsGroup runAsNonRoot procMount capabilities seccompProfile
  appArmorProfile seLinuxOptions windowsOptions readOnlyRootFilesystem`);
const POD_FIELDS = nameSet(`
  fsGroup fsGroupChangePolicy supplementalGroups sysctls runAsUser runAsGroup runAsNonRoot seccompProfile
  appArmorProfile seLinuxOptions windowsOptions`);

/** Compares groups and sysctls, which belong to the pod as a whole. */
export function podContextPower(source: PodSpec, template: PodSpec, flag: Flag): void {
  const [had, wants] = [source.securityContext ?? {}, template.securityContext ?? {}];
  const at = 'spec.securityContext';
  const sysctls = new Set(listOf(had.sysctls).map(canonical));
  for (const [index, sysctl] of listOf(wants.sysctls).entries()) if (!sysctls.has(canonical(sysctl))) flag(`${at}.sysctls[${index}]`);
  const groups = new Set([...(had.supplementalGroups ?? []), had.fsGroup]);
  for (const group of wants.supplementalGroups ?? []) if (!groups.has(group)) flag(`${at}.supplementalGroups`);
  if (isLooserGroup(had.fsGroup, wants.fsGroup)) flag(`${at}.fsGroup`);
  otherFields(had, wants, POD_FIELDS, (field) => flag(`${at}.${field}`));
}

/** A first fsGroup gives access to the pod's own volumes. Another fsGroup, or that of root, gives access to files of others. */
function isLooserGroup(had: number | undefined, wants: number | undefined): boolean {
  return wants !== undefined && wants !== had && (had !== undefined || wants === 0);
}

/** Unknown fields that were changed or left out. An unknown field may be one that restricts the source. */
function otherFields(had: object, wants: object, known: ReadonlySet<string>, found: (field: string) => void): void {
  const [before, after] = [had as Record<string, unknown>, wants as Record<string, unknown>];
  for (const field of new Set([...Object.keys(before), ...Object.keys(after)]))
    if (!known.has(field) && canonical(after[field]) !== canonical(before[field])) found(field);
}

/** The settings with which a container runs, from its own context or from the pod's. */
interface Standing {
  container: SecurityContext;
  effective(field: keyof SecurityContext): unknown;
  appArmor: string;
  /** The key of the annotation with its AppArmor profile. */
  annotation: string | undefined;
}

function standingOf(template: PodTemplate, container: Container): Standing {
  const own = container.securityContext ?? {};
  const pod = (template.spec.securityContext ?? {}) as SecurityContext;
  const effective = (field: keyof SecurityContext): unknown => own[field] ?? pod[field];
  const key = `${APPARMOR_ANNOTATION}${container.name}`;
  const legacy = template.metadata?.annotations?.[key];
  const appArmor = appArmorOf(effective('appArmorProfile') as Profile, legacy);
  return { container: own, effective, appArmor, annotation: legacy === undefined ? undefined : key };
}

type Profile = { type?: string; localhostProfile?: string } | undefined;

/** The AppArmor profile as one word. Without a profile, the runtime's default applies. Kubernetes before 1.30 used annotations. */
function appArmorOf(profile: Profile, legacy: string | undefined): string {
  if (profile) return profile.type === 'Localhost' ? `localhost/${profile.localhostProfile}` : (profile.type ?? 'RuntimeDefault');
  if (!legacy || legacy === 'runtime/default') return 'RuntimeDefault';
  return legacy === 'unconfined' ? 'Unconfined' : legacy;
}

type Rule = (had: Standing, wants: Standing) => boolean;

/** Whether a user id may change: `0` may become any id, an unset id any id except root's, and any other id must stay. */
const isLooserId = (had: unknown, wants: unknown): boolean =>
  had === undefined || had === null ? wants === 0 : had !== 0 && wants !== had;

const isLooserSeccomp = (had: Profile, wants: Profile): boolean => {
  const [before, after] = [canonical(had ?? {}), canonical(wants ?? {})];
  if (before === after || had?.type === 'Unconfined') return false;
  return had !== undefined || wants?.type !== 'RuntimeDefault';
};

/** Whether `wants` is looser than `had`, field by field. */
const LOOSER: Record<string, Rule> = {
  runAsUser: (had, wants) => isLooserId(had.effective('runAsUser'), wants.effective('runAsUser')),
  runAsGroup: (had, wants) => isLooserId(had.effective('runAsGroup'), wants.effective('runAsGroup')),
  runAsNonRoot: (had, wants) => had.effective('runAsNonRoot') === true && wants.effective('runAsNonRoot') !== true,
  allowPrivilegeEscalation: (had, wants) =>
    had.container.allowPrivilegeEscalation === false && wants.container.allowPrivilegeEscalation !== false,
  seccompProfile: (had, wants) => isLooserSeccomp(had.effective('seccompProfile') as Profile, wants.effective('seccompProfile') as Profile),
  appArmorProfile: (had, wants) => had.appArmor !== wants.appArmor && had.appArmor !== 'Unconfined',
  'capabilities.drop': (had, wants) => {
    const kept = capabilities(wants.container.capabilities?.drop);
    return !kept.has('ALL') && [...capabilities(had.container.capabilities?.drop)].some((name) => !kept.has(name));
  },
};

/** Reports settings that a container may not add. If the source has no such container, it is compared with an empty context. */
const ADDED: Record<string, Rule> = {
  privileged: (had, wants) => wants.container.privileged === true && had.container.privileged !== true,
  procMount: (had, wants) =>
    (wants.container.procMount ?? 'Default') !== 'Default' && wants.container.procMount !== had.container.procMount,
  'capabilities.add': (had, wants) => {
    const known = capabilities(had.container.capabilities?.add);
    return !known.has('ALL') && [...capabilities(wants.container.capabilities?.add)].some((name) => !known.has(name));
  },
  seLinuxOptions: (had, wants) => canonical(had.effective('seLinuxOptions') ?? {}) !== canonical(wants.effective('seLinuxOptions') ?? {}),
  windowsOptions: (had, wants) => canonical(had.effective('windowsOptions') ?? {}) !== canonical(wants.effective('windowsOptions') ?? {}),
};

/** The name of a capability in one spelling: `CAP_NET_ADMIN`, `net_admin` and `NET_ADMIN` mean the same. */
function capabilities(names: string[] | undefined): Set<string> {
  return new Set((Array.isArray(names) ? names : []).map((name) => String(name).toUpperCase().replace(/^CAP_/, '')));
}

/**
 * Compares the security contexts of containers. A new container may add nothing, and must be restricted at least as much as one container
 * of the source.
 */
export function securityPower(source: PodTemplate, template: PodTemplate, pairs: readonly Pair[], flag: Flag): void {
  const standings = allContainers(source.spec).map((container) => standingOf(source, container));
  const none = standingOf({ spec: { ...source.spec } }, { name: '' });
  for (const pair of pairs) {
    const wants = standingOf(template, pair.container);
    const before = pair.source ? standingOf(source, pair.source) : none;
    const tellAt = (field: string): void => flag(contextPath(pair, before, wants, field));
    for (const [field, isAdded] of Object.entries(ADDED)) if (isAdded(before, wants)) tellAt(field);
    for (const field of looserFields(pair.source ? [before] : standings, wants)) tellAt(field);
    otherFields(before.container, wants.container, CONTAINER_FIELDS, tellAt);
  }
}

/** The fields in which `wants` is looser than the most similar one of `models`. */
function looserFields(models: Standing[], wants: Standing): string[] {
  const faults = models.map((had) => Object.entries(LOOSER).flatMap(([field, isLooser]) => (isLooser(had, wants) ? [field] : [])));
  return faults.sort((a, b) => a.length - b.length)[0] ?? [];
}

/** The path where the field is set, or was set: the container's context takes precedence over the pod's. */
function contextPath(pair: Pair, had: Standing, wants: Standing, field: string): string {
  const key = field.split('.')[0] ?? field;
  if (key === 'appArmorProfile' && !wants.effective(key) && wants.annotation) return fieldPath('metadata.annotations', wants.annotation);
  const isPods = POD_FIELDS.has(key) && !(key in wants.container) && !(key in had.container);
  return `${isPods ? 'spec' : pair.path}.securityContext.${field}`;
}
