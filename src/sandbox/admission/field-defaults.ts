import { randomBytes } from 'node:crypto';
import type { Loose, Stored } from '../store/object.ts';
import { quantityText } from '../store/quantity.ts';
import { isMap } from '../store/object.ts';
import type { Schema } from '../kinds/schema.ts';
import { memberOf, resolve } from '../kinds/schema.ts';

/** The letters of generated names: no vowels, and no letters that look alike. */
const LETTERS = 'bcdfghjklmnpqrstvwxz2456789';

/** `length` random letters as the real server appends to `generateName`. */
export const randomSuffix = (length = 5): string => [...randomBytes(length)].map((byte) => LETTERS[byte % LETTERS.length]).join('');

/** Sets only what is absent. */
function fill(target: Loose, values: Record<string, Loose>): void {
  for (const [key, value] of Object.entries(values)) target[key] ??= value;
}

function fillProbe(probe: Loose): void {
  if (!probe) return;
  fill(probe, { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 });
  if (probe.httpGet) fill(probe.httpGet, { path: '/', scheme: 'HTTP' });
  if (probe.grpc) fill(probe.grpc, { service: '' });
}

/** An image without a tag, or with the tag `latest`, is always pulled. */
const pullPolicy = (image: string): string =>
  /:[^/@]+$/.test(image) && !/:latest$/.test(image) ? 'IfNotPresent' : /@/.test(image) ? 'IfNotPresent' : 'Always';

/** If only limits are set, requests equal them. Quantities are stored as text. */
function fillResources(container: Loose): void {
  container.resources ??= {};
  const { resources } = container;
  for (const part of ['limits', 'requests'])
    for (const name of Object.keys(resources[part] ?? {})) resources[part][name] = quantityText(resources[part][name]);
  if (!resources.limits) return;
  resources.requests = { ...resources.limits, ...resources.requests };
}

function fillContainer(container: Loose): void {
  fill(container, { terminationMessagePath: '/dev/termination-log', terminationMessagePolicy: 'File' });
  if (typeof container.image === 'string') container.imagePullPolicy ??= pullPolicy(container.image);
  fillResources(container);
  for (const port of container.ports ?? []) port.protocol ??= 'TCP';
  for (const probe of ['livenessProbe', 'readinessProbe', 'startupProbe']) fillProbe(container[probe]);
  for (const hook of ['postStart', 'preStop']) {
    const get = container.lifecycle?.[hook]?.httpGet;
    if (get) fill(get, { path: '/', scheme: 'HTTP' });
  }
  for (const { valueFrom } of container.env ?? []) {
    if (valueFrom?.fieldRef) valueFrom.fieldRef.apiVersion ??= 'v1';
    if (valueFrom?.resourceFieldRef) valueFrom.resourceFieldRef.divisor ??= '0';
  }
}

const VOLUME_DEFAULTS: Record<string, Record<string, Loose>> = {
  secret: { defaultMode: 420 },
  configMap: { defaultMode: 420 },
  downwardAPI: { defaultMode: 420 },
  projected: { defaultMode: 420 },
  hostPath: { type: '' },
};

function fillVolume(volume: Loose): void {
  if (Object.keys(volume).length === 1) volume.emptyDir = {};
  for (const { fieldRef } of volume.downwardAPI?.items ?? []) if (fieldRef) fieldRef.apiVersion ??= 'v1';
  for (const [type, values] of Object.entries(VOLUME_DEFAULTS)) if (volume[type]) fill(volume[type], values);
  for (const source of volume.projected?.sources ?? [])
    if (source.serviceAccountToken) source.serviceAccountToken.expirationSeconds ??= 3600;
}

/** Sets the defaults of a pod's spec, also within a workload's template. */
function fillPodSpec(spec: Loose): void {
  if (!spec) return;
  fill(spec, {
    restartPolicy: 'Always',
    terminationGracePeriodSeconds: 30,
    dnsPolicy: 'ClusterFirst',
    schedulerName: 'default-scheduler',
    securityContext: {},
  });
  if (spec.serviceAccountName) spec.serviceAccount ??= spec.serviceAccountName;
  else if (spec.serviceAccount) spec.serviceAccountName = spec.serviceAccount;
  for (const container of [...(spec.initContainers ?? []), ...(spec.containers ?? [])]) fillContainer(container);
  for (const volume of spec.volumes ?? []) fillVolume(volume);
}

function fillPod(pod: Loose): void {
  const { status } = pod;
  if (status?.podIP) status.podIPs ??= [{ ip: status.podIP }];
  for (const condition of status?.conditions ?? []) fill(condition, { lastProbeTime: null, lastTransitionTime: null });
  fillPodSpec(pod.spec);
  if (!pod.spec) return;
  pod.spec.enableServiceLinks ??= true;
  if (pod.spec.hostNetwork)
    for (const container of pod.spec.containers ?? []) for (const port of container.ports ?? []) port.hostPort ??= port.containerPort;
}

const WITHOUT_SPEC = new Set([
  'Namespace',
  'Secret',
  'PriorityClass',
  'Event',
  'StorageClass',
  'EndpointSlice',
  'Endpoints',
  'RoleBinding',
  'ClusterRoleBinding',
]);
const FILL: Record<string, (object: Loose) => void> = {
  Pod: fillPod,
  Deployment: ({ spec }) => {
    fill(spec, { replicas: 1, progressDeadlineSeconds: 600, revisionHistoryLimit: 10 });
    fill(spec.strategy, { type: 'RollingUpdate' });
    if (spec.strategy.type === 'RollingUpdate') {
      spec.strategy.rollingUpdate ??= {};
      fill(spec.strategy.rollingUpdate, { maxSurge: '25%', maxUnavailable: '25%' });
    }
    fillPodSpec(spec.template?.spec);
  },
  ReplicaSet: ({ spec, status }) => {
    fill(status, { replicas: 0 });
    fill(spec, { replicas: 1 });
    fillPodSpec(spec.template?.spec);
  },
  StatefulSet: ({ spec, status }) => {
    fill(status, { replicas: 0, availableReplicas: 0 });
    fill(spec, {
      replicas: 1,
      podManagementPolicy: 'OrderedReady',
      revisionHistoryLimit: 10,
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
    });
    fill(spec.updateStrategy, { type: 'RollingUpdate' });
    if (spec.updateStrategy.type === 'RollingUpdate') spec.updateStrategy.rollingUpdate ??= { partition: 0 };
    fillPodSpec(spec.template?.spec);
  },
  DaemonSet: ({ spec, status, metadata }) => {
    fill(status, { currentNumberScheduled: 0, desiredNumberScheduled: 0, numberMisscheduled: 0, numberReady: 0 });
    metadata.annotations = { 'deprecated.daemonset.template.generation': '1', ...metadata.annotations };
    fill(spec, { revisionHistoryLimit: 10 });
    fill(spec.updateStrategy, { type: 'RollingUpdate' });
    if (spec.updateStrategy.type === 'RollingUpdate') spec.updateStrategy.rollingUpdate ??= { maxSurge: 0, maxUnavailable: 1 };
    fillPodSpec(spec.template?.spec);
  },
  Job: (job) => fillJob(job),
  CronJob: ({ spec }) => {
    fill(spec, { concurrencyPolicy: 'Allow', suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 });
    if (spec.jobTemplate) spec.jobTemplate.metadata ??= {};
    fillPodSpec(spec.jobTemplate?.spec?.template?.spec);
  },
  Service: ({ spec }) => {
    fill(spec, { type: 'ClusterIP', sessionAffinity: 'None' });
    if (spec.type !== 'ExternalName') spec.internalTrafficPolicy ??= 'Cluster';
    for (const port of spec.ports ?? []) fill(port, { protocol: 'TCP', targetPort: port.port });
  },
  Secret: (secret) => {
    secret.type ??= 'Opaque';
    for (const [key, text] of Object.entries((secret.stringData ?? {}) as Record<string, string>))
      secret.data = { ...secret.data, [key]: Buffer.from(text).toString('base64') };
    delete secret.stringData;
  },
  Namespace: (namespace) => {
    namespace.metadata.labels = { ...namespace.metadata.labels, 'kubernetes.io/metadata.name': namespace.metadata.name };
  },
  NetworkPolicy: ({ spec }) => {
    spec.policyTypes ??= spec.egress ? ['Ingress', 'Egress'] : ['Ingress'];
    for (const rule of [...(spec.ingress ?? []), ...(spec.egress ?? [])]) for (const port of rule.ports ?? []) port.protocol ??= 'TCP';
  },
  CustomResourceDefinition: ({ spec }) => {
    if (spec.names?.kind) fill(spec.names, { singular: String(spec.names.kind).toLowerCase(), listKind: `${spec.names.kind}List` });
    fill(spec, { conversion: { strategy: 'None' } });
  },
  PersistentVolumeClaim: (claim) => {
    fill(claim.spec, { volumeMode: 'Filesystem' });
    fill(claim.status, { phase: 'Pending' });
  },
  Event: (event) => {
    const {
      eventTime = null,
      firstTimestamp = null,
      lastTimestamp = null,
      reportingComponent = '',
      reportingInstance = '',
      source = {},
    } = event;
    Object.assign(event, { eventTime, firstTimestamp, lastTimestamp, reportingComponent, reportingInstance, source });
  },
  PodDisruptionBudget: ({ status }) => fill(status, { currentHealthy: 0, desiredHealthy: 0, disruptionsAllowed: 0, expectedPods: 0 }),
  EndpointSlice: ({ ports }) => {
    for (const port of ports ?? []) fill(port, { name: '', protocol: 'TCP' });
  },
  Endpoints: ({ subsets }) => {
    for (const { ports } of subsets ?? []) for (const port of ports ?? []) port.protocol ??= 'TCP';
  },
  HorizontalPodAutoscaler: ({ spec, status }) => {
    const target = { averageUtilization: 80, type: 'Utilization' };
    fill(spec, { minReplicas: 1, metrics: [{ type: 'Resource', resource: { name: 'cpu', target } }] });
    fill(status, { currentMetrics: null, desiredReplicas: 0 });
  },
  StorageClass: (storage) => fill(storage, { reclaimPolicy: 'Delete', volumeBindingMode: 'Immediate' }),
  ValidatingAdmissionPolicy: ({ spec }) => {
    fill(spec, { failurePolicy: 'Fail' });
    if (!spec.matchConstraints) return;
    fill(spec.matchConstraints, { matchPolicy: 'Equivalent', namespaceSelector: {}, objectSelector: {} });
    for (const rule of spec.matchConstraints.resourceRules ?? []) rule.scope ??= '*';
  },
  PriorityClass: (priority) => fill(priority, { preemptionPolicy: 'PreemptLowerPriority' }),
  ResourceQuota: ({ spec }) => {
    for (const name of Object.keys(spec?.hard ?? {})) spec.hard[name] = quantityText(spec.hard[name]);
  },
};

function fillJob(job: Loose): void {
  const { spec } = job;
  fill(spec, {
    backoffLimit: 6,
    ...(spec.parallelism === undefined && { completions: 1 }),
    parallelism: 1,
    completionMode: 'NonIndexed',
    suspend: false,
    manualSelector: false,
    podReplacementPolicy: 'TerminatingOrFailed',
  });
  fillPodSpec(spec.template?.spec);
}

/** The labels with which a new Job selects its pods. */
export function labelJob({ spec, metadata }: Loose): void {
  if (!spec.selector) {
    const labels = {
      'batch.kubernetes.io/controller-uid': metadata.uid,
      'batch.kubernetes.io/job-name': metadata.name,
      'controller-uid': metadata.uid,
      'job-name': metadata.name,
    };
    spec.selector = { matchLabels: { 'batch.kubernetes.io/controller-uid': metadata.uid } };
    spec.template.metadata ??= {};
    spec.template.metadata.labels = { ...spec.template.metadata.labels, ...labels };
    metadata.labels ??= { ...spec.template.metadata.labels };
  }
}

/** Members that Go's types always have: structs, for which the schema has the default `{}`. */
function fillStructs(schema: Schema | string | undefined, value: Loose): void {
  const node = resolve(schema as Schema);
  if (Array.isArray(value)) for (const item of value) fillStructs(node?.items, item);
  if (!isMap(value)) return;
  for (const [key, member] of Object.entries((node?.properties ?? {}) as Record<string, Schema>))
    if (isMap(member.default) && key !== 'metadata') value[key] ??= {};
  for (const [key, child] of Object.entries(value)) fillStructs(memberOf(node, key), child);
}

/** Sets in place the defaults that the real server sets for a builtin kind, as far as Podmend can observe them. */
export function fillDefaults(object: Stored, schema: string): void {
  if (object.kind !== 'Event') fillStructs(schema, object);
  if (!object.spec && !WITHOUT_SPEC.has(object.kind)) return;
  FILL[object.kind]?.(object);
}
