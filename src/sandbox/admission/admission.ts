import type { Clock } from '../clock.ts';
import { randomSuffix } from './field-defaults.ts';
import { forbidden, notFound } from '../api/errors.ts';
import type { Kind, Registry } from '../kinds/kinds.ts';
import type { Loose, Stored } from '../store/object.ts';
import { podSecurityViolations } from './podsecurity.ts';
import { quantity, unitsOf, unitsText } from '../store/quantity.ts';
import type { Store } from '../store/store.ts';

/** What admission needs to judge a new object before it is validated and stored. */
export interface AdmissionDeps {
  store: Store;
  registry: Registry;
  clock: Clock;
}

const SYSTEM_PRIORITIES: Record<string, number> = { 'system-cluster-critical': 2_000_000_000, 'system-node-critical': 2_000_001_000 };
const DEFAULT_TOLERATIONS = ['node.kubernetes.io/not-ready', 'node.kubernetes.io/unreachable'];

function admitPriority({ store, registry }: AdmissionDeps, kind: Kind, pod: Stored): void {
  const { spec } = pod;
  const classes = registry.builtin('priorityclasses').storage;
  const name = spec.priorityClassName || store.list(classes).find((c) => c.globalDefault)?.metadata.name;
  const found = name ? store.get(classes, name) : undefined;
  if (name && !found && SYSTEM_PRIORITIES[name] === undefined)
    throw forbidden(kind, pod.metadata.name, `no PriorityClass with name ${name} was found`);
  if (name) spec.priorityClassName = name;
  const priority = found?.value ?? SYSTEM_PRIORITIES[name ?? ''] ?? 0;
  if (spec.priority !== undefined && spec.priority !== priority)
    throw forbidden(
      kind,
      pod.metadata.name,
      `the integer value of priority (${spec.priority}) must not be provided in pod spec; priority admission controller computed ${priority} from the given PriorityClass name`,
    );
  spec.priority = priority;
  spec.preemptionPolicy ??= found?.preemptionPolicy ?? 'PreemptLowerPriority';
}

/** By default, pods tolerate for five minutes that their node is unreachable. */
export function admitTolerations(spec: Loose): void {
  spec.tolerations ??= [];
  for (const key of DEFAULT_TOLERATIONS)
    if (!spec.tolerations.some((t: Loose) => (!t.key || t.key === key) && (!t.effect || t.effect === 'NoExecute')))
      spec.tolerations.push({ key, operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 });
}

const tokenVolume = (name: string) => ({
  name,
  projected: {
    defaultMode: 420,
    sources: [
      { serviceAccountToken: { expirationSeconds: 3607, path: 'token' } },
      { configMap: { items: [{ key: 'ca.crt', path: 'ca.crt' }], name: 'kube-root-ca.crt' } },
      { downwardAPI: { items: [{ fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' }, path: 'namespace' }] } },
    ],
  },
});

function admitServiceAccount({ store, registry }: AdmissionDeps, kind: Kind, pod: Stored): void {
  const { spec, metadata } = pod;
  const name = (spec.serviceAccountName ||= 'default');
  spec.serviceAccount = name;
  const account = store.get(registry.builtin('serviceaccounts').storage, `${metadata.namespace}/${name}`);
  if (!account)
    throw forbidden(
      kind,
      metadata.name,
      `error looking up service account ${metadata.namespace}/${name}: serviceaccount "${name}" not found`,
    );
  if (!spec.imagePullSecrets && account.imagePullSecrets) spec.imagePullSecrets = account.imagePullSecrets;
  if (!(spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true)) return;
  const mountPath = '/var/run/secrets/kubernetes.io/serviceaccount';
  const existing = (spec.volumes ?? []).find((v: Loose) => v.name.startsWith('kube-api-access-') && v.projected)?.name;
  const volume = existing ?? `kube-api-access-${randomSuffix()}`;
  let used = false;
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) {
    if (container.volumeMounts?.some((mount: Loose) => mount.mountPath === mountPath)) continue;
    container.volumeMounts = [...(container.volumeMounts ?? []), { name: volume, readOnly: true, mountPath }];
    used = true;
  }
  if (used && !existing) spec.volumes = [...(spec.volumes ?? []), tokenVolume(volume)];
}

/** How much of each resource of a quota a pod uses, in whole units, by the quota's names. */
export function podUsage(pod: Stored): Record<string, number> {
  const usage: Record<string, number> = { pods: 1, 'count/pods': 1 };
  for (const container of pod.spec.containers as Loose[])
    for (const part of ['requests', 'limits'])
      for (const [name, value] of Object.entries((container.resources?.[part] ?? {}) as Record<string, string>)) {
        const amount = unitsOf(name, value);
        usage[`${part}.${name}`] = (usage[`${part}.${name}`] ?? 0) + amount;
        if (part === 'requests') usage[name] = (usage[name] ?? 0) + amount;
      }
  return usage;
}

function admitQuota({ store, registry }: AdmissionDeps, kind: Kind, pod: Stored): void {
  const namespace = pod.metadata.namespace;
  const live = store.list(kind.storage, namespace).filter((p) => !['Succeeded', 'Failed'].includes(p.status?.phase));
  const wanted = podUsage(pod);
  for (const quota of store.list(registry.builtin('resourcequotas').storage, namespace)) {
    const hard = (quota.spec?.hard ?? {}) as Record<string, string>;
    const missing = Object.keys(hard)
      .filter((name) => /^(requests\.|limits\.)?(cpu|memory)$/.test(name) && wanted[name] === undefined)
      .sort();
    if (missing.length)
      throw forbidden(
        kind,
        pod.metadata.name,
        `failed quota: ${quota.metadata.name}: must specify ${missing.map((m) => `${m} for: ${pod.spec.containers.map((c: Loose) => c.name).join(',')}`).join('; ')}`,
      );
    const over = Object.keys(hard)
      .sort()
      .map((name) => ({
        name,
        asked: wanted[name] ?? 0,
        used: live.reduce((sum, p) => sum + (podUsage(p)[name] ?? 0), 0),
        limit: hard[name] as string,
      }))
      .filter(({ name, asked, used, limit }) => asked > 0 && asked + used > unitsOf(name, limit));
    if (over.length === 0) continue;
    const each = (of: (o: (typeof over)[number]) => string | number) => over.map((o) => `${o.name}=${of(o)}`).join(',');
    throw forbidden(
      kind,
      pod.metadata.name,
      `exceeded quota: ${quota.metadata.name}, requested: ${each((o) => unitsText(o.name, o.asked))}, used: ${each((o) => unitsText(o.name, o.used))}, limited: ${each((o) => o.limit)}`,
    );
  }
}

function admitPodSecurity({ store, registry }: AdmissionDeps, kind: Kind, pod: Stored, warnings: string[]): void {
  const labels = store.get(registry.builtin('namespaces').storage, pod.metadata.namespace ?? '')?.metadata.labels ?? {};
  const broken = (mode: 'enforce' | 'warn'): string | undefined => {
    const level = labels[`pod-security.kubernetes.io/${mode}`];
    if (level !== 'baseline' && level !== 'restricted') return undefined;
    const violations = podSecurityViolations(pod.spec, level);
    const version = labels[`pod-security.kubernetes.io/${mode}-version`] ?? 'latest';
    return violations.length ? `PodSecurity "${level}:${version}": ${violations.join(', ')}` : undefined;
  };
  const [refused, warned] = [broken('enforce'), broken('warn')];
  if (refused) throw forbidden(kind, pod.metadata.name, `violates ${refused}`);
  if (warned) warnings.push(`would violate ${warned}`);
}

/** `Guaranteed`, `Burstable` or `BestEffort`. */
export function qosClass(spec: Loose): string {
  const containers = [...(spec.initContainers ?? []), ...spec.containers] as Loose[];
  const set = containers.flatMap((c) =>
    ['requests', 'limits'].flatMap((part) => Object.keys(c.resources?.[part] ?? {}).filter((n) => n === 'cpu' || n === 'memory')),
  );
  if (set.length === 0) return 'BestEffort';
  const isFull = (c: Loose) =>
    ['cpu', 'memory'].every(
      (n) => c.resources?.limits?.[n] !== undefined && quantity(c.resources.limits[n]) === quantity(c.resources.requests?.[n]),
    );
  return containers.every(isFull) ? 'Guaranteed' : 'Burstable';
}

/** The namespace of a new object must exist and must not be terminating. */
export function admitNamespace({ store, registry }: AdmissionDeps, kind: Kind, object: Stored): void {
  const { namespace, name } = object.metadata;
  if (namespace === undefined) return;
  const namespaces = registry.builtin('namespaces');
  const found = store.get(namespaces.storage, namespace);
  if (!found) throw notFound(namespaces, namespace);
  if (found.metadata.deletionTimestamp)
    throw forbidden(kind, name, `unable to create new content in namespace ${namespace} because it is being terminated`, [
      { reason: 'NamespaceTerminating', message: `namespace ${namespace} is being terminated`, field: 'metadata.namespace' },
    ]);
}

/** The admission of a new pod, in the order of the real server: priority, tolerations, service account, security level, quota. */
export function admitPod(deps: AdmissionDeps, kind: Kind, pod: Stored, warnings: string[]): void {
  admitServiceAccount(deps, kind, pod);
  admitPriority(deps, kind, pod);
  admitTolerations(pod.spec);
  pod.status = { phase: 'Pending', qosClass: qosClass(pod.spec), ...gated(deps, pod) };
  admitPodSecurity(deps, kind, pod, warnings);
  admitQuota(deps, kind, pod);
}

function gated({ clock }: AdmissionDeps, pod: Stored): Loose {
  if (!pod.spec.schedulingGates?.length) return {};
  const message = 'Scheduling is blocked due to non-empty scheduling gates';
  const lastTransitionTime = `${clock.now().toISOString().slice(0, 19)}Z`;
  return {
    conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated', message, lastProbeTime: null, lastTransitionTime }],
  };
}
