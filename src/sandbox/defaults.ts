import { randomBytes } from 'node:crypto';
import type { Loose, Stored } from './object.ts';

/** The letters of generated names: no vowels, nothing that looks like another. */
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

/** An image without tag, or tagged `latest`, is pulled always. */
const pullPolicy = (image: string): string =>
  /:[^/@]+$/.test(image) && !/:latest$/.test(image) ? 'IfNotPresent' : /@/.test(image) ? 'IfNotPresent' : 'Always';

/** Requests follow limits where only these are set; quantities are text. */
function fillResources(container: Loose): void {
  container.resources ??= {};
  const { resources } = container;
  for (const part of ['limits', 'requests'])
    for (const name of Object.keys(resources[part] ?? {})) resources[part][name] = String(resources[part][name]);
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
  for (const variable of container.env ?? []) if (variable.valueFrom?.fieldRef) variable.valueFrom.fieldRef.apiVersion ??= 'v1';
}

const VOLUME_DEFAULTS: Record<string, Record<string, Loose>> = {
  secret: { defaultMode: 420 },
  configMap: { defaultMode: 420 },
  downwardAPI: { defaultMode: 420 },
  projected: { defaultMode: 420 },
  hostPath: { type: '' },
};

/** The defaults of a pod's spec, also those inside a workload's template. */
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
  for (const volume of spec.volumes ?? []) {
    if (Object.keys(volume).length === 1) volume.emptyDir = {};
    for (const [type, values] of Object.entries(VOLUME_DEFAULTS)) if (volume[type]) fill(volume[type], values);
    for (const source of volume.projected?.sources ?? [])
      if (source.serviceAccountToken) source.serviceAccountToken.expirationSeconds ??= 3600;
  }
}

function fillPod(pod: Loose): void {
  fillPodSpec(pod.spec);
  if (pod.spec) pod.spec.enableServiceLinks ??= true;
}

const FILL: Record<string, (object: Loose) => void> = {
  Pod: fillPod,
  Deployment: ({ spec }) => {
    fill(spec, { replicas: 1, progressDeadlineSeconds: 600, revisionHistoryLimit: 10, strategy: { type: 'RollingUpdate' } });
    if (spec.strategy.type === 'RollingUpdate') {
      spec.strategy.rollingUpdate ??= {};
      fill(spec.strategy.rollingUpdate, { maxSurge: '25%', maxUnavailable: '25%' });
    }
    fillPodSpec(spec.template?.spec);
  },
  ReplicaSet: ({ spec }) => {
    fill(spec, { replicas: 1 });
    fillPodSpec(spec.template?.spec);
  },
  StatefulSet: ({ spec }) => {
    fill(spec, {
      replicas: 1,
      podManagementPolicy: 'OrderedReady',
      revisionHistoryLimit: 10,
      updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 0 } },
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
    });
    fillPodSpec(spec.template?.spec);
  },
  DaemonSet: ({ spec }) => {
    fill(spec, { revisionHistoryLimit: 10, updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } } });
    fillPodSpec(spec.template?.spec);
  },
  Job: (job) => fillJob(job),
  CronJob: ({ spec }) => {
    fill(spec, { concurrencyPolicy: 'Allow', suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 });
    fillPodSpec(spec.jobTemplate?.spec?.template?.spec);
  },
  Service: ({ spec }) => {
    fill(spec, {
      type: 'ClusterIP',
      sessionAffinity: 'None',
      ipFamilies: ['IPv4'],
      ipFamilyPolicy: 'SingleStack',
      internalTrafficPolicy: 'Cluster',
    });
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
    namespace.spec = { finalizers: ['kubernetes'], ...namespace.spec };
    namespace.status = { phase: 'Active', ...namespace.status };
  },
  NetworkPolicy: ({ spec }) => {
    spec.policyTypes ??= spec.egress ? ['Ingress', 'Egress'] : ['Ingress'];
    for (const rule of [...(spec.ingress ?? []), ...(spec.egress ?? [])]) for (const port of rule.ports ?? []) port.protocol ??= 'TCP';
  },
  PersistentVolumeClaim: (claim) => {
    fill(claim.spec, { volumeMode: 'Filesystem' });
    claim.status ??= { phase: 'Pending' };
  },
  PriorityClass: (priority) => fill(priority, { preemptionPolicy: 'PreemptLowerPriority' }),
  ResourceQuota: ({ spec }) => {
    for (const name of Object.keys(spec?.hard ?? {})) spec.hard[name] = String(spec.hard[name]);
  },
};

function fillJob(job: Loose): void {
  const { spec, metadata } = job;
  fill(spec, {
    backoffLimit: 6,
    completions: 1,
    parallelism: 1,
    completionMode: 'NonIndexed',
    suspend: false,
    manualSelector: false,
    podReplacementPolicy: 'TerminatingOrFailed',
  });
  if (metadata.uid && !spec.selector) {
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
  fillPodSpec(spec.template?.spec);
}

/** Fills in place what the real server fills for a builtin kind, as far as it can be observed in what Podmend reads. */
export function fillDefaults(object: Stored): void {
  if (object.kind !== 'Namespace' && object.kind !== 'Secret' && object.kind !== 'PriorityClass' && !object.spec) return;
  FILL[object.kind]?.(object);
}
