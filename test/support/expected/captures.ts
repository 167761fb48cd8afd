import type { Diagnosis } from '../../../src/diagnosis/diagnose.ts';
import type { Recording } from '../../../src/failures/detect/recording.ts';
import { capture } from './recordings.ts';

/** What the diagnosis of a recording must say. */
export interface Expected {
  /** The reason of each failing object, in the order of the recording. */
  reason: string | string[];
  culprit: RegExp;
  /** `path=to` of each change of the best correction; null: no change to the manifest cures it. */
  best: Record<string, unknown> | null;
  mirrorable?: boolean;
}

const image = 'spec.containers[0].image';
const command = 'spec.containers[0].command';
const memory = 'spec.containers[0].resources.limits.memory';

/** Every recording of the real node, with the expected culprit and correction. */
export const EXPECTED: Record<string, Expected | 'healthy'> = {
  'command-missing': { reason: 'StartError', culprit: /^node$/, best: { [command]: null } },
  'command-missing-once': { reason: 'StartError', culprit: /\/app\/start/, best: { [command]: null } },
  'command-not-executable': { reason: 'StartError', culprit: /\/etc\/passwd/, best: { [command]: null } },
  'configmap-key-missing': {
    reason: 'CreateContainerConfigError',
    culprit: /key size in ConfigMap settings/,
    best: { 'spec.containers[0].env[0].valueFrom.configMapKeyRef.optional': true },
  },
  'crash-loop': { reason: 'CrashLoopBackOff', culprit: /DATABASE_URL/, best: null },
  'crash-loop-between': { reason: 'CrashLoopBackOff', culprit: /DATABASE_URL/, best: null },
  'deadline-exceeded': {
    reason: 'DeadlineExceeded',
    culprit: /activeDeadlineSeconds 5/,
    best: { 'spec.activeDeadlineSeconds': null },
    mirrorable: false,
  },
  'deployment-pod-security': {
    reason: 'FailedCreate',
    culprit: /restricted.*allowPrivilegeEscalation.*capabilities.*runAsNonRoot.*seccompProfile/,
    best: {
      'spec.template.spec.containers[0].securityContext.allowPrivilegeEscalation': false,
      'spec.template.spec.containers[0].securityContext.capabilities.drop': ['ALL'],
      'spec.template.spec.containers[0].securityContext.runAsNonRoot': true,
      'spec.template.spec.containers[0].securityContext.seccompProfile': { type: 'RuntimeDefault' },
      'spec.template.spec.securityContext.runAsUser': 1000,
    },
    mirrorable: false,
  },
  'deployment-quota': { reason: 'FailedCreate', culprit: /quota none/, best: null },
  'deployment-stuck': { reason: 'ImagePullBackOff', culprit: /web:9/, best: { [image]: 'web:latest' } },
  'evicted-container-storage': {
    reason: 'Evicted',
    culprit: /ephemeral-storage limit 1Mi/,
    best: { 'spec.containers[0].resources.limits.ephemeral-storage': '256Mi' },
  },
  'exit-error': { reason: 'Error', culprit: /panic: index out of range/, best: null },
  'exit-success': 'healthy',
  healthy: 'healthy',
  'image-name-invalid': { reason: 'InvalidImageName', culprit: /Web:1:2/, best: { [image]: 'web:1' } },
  'image-never-pull': {
    reason: 'ErrImageNeverPull',
    culprit: /absent:1/,
    best: { 'spec.containers[0].imagePullPolicy': 'IfNotPresent' },
  },
  'image-private': { reason: 'ImagePullBackOff', culprit: /private\/app:1/, best: null },
  'image-pull-secret-missing': { reason: 'ImagePullBackOff', culprit: /pull secret registry/, best: null },
  'image-repository-missing': { reason: 'ImagePullBackOff', culprit: /acme\/nothing:1/, best: null },
  'image-tag-missing': { reason: 'ImagePullBackOff', culprit: /web:9/, best: { [image]: 'web:latest' } },
  'init-crash-loop': { reason: 'CrashLoopBackOff', culprit: /users/, best: null },
  'init-error': { reason: 'Error', culprit: /users/, best: null },
  'job-backoff-limit': { reason: 'BackoffLimitExceeded', culprit: /no input/, best: null },
  'liveness-failing': {
    reason: 'Unhealthy',
    culprit: /liveness probe GET \/status\/500 :80 \(status 500\)/,
    best: { 'spec.containers[0].livenessProbe.httpGet.path': '/' },
  },
  'mount-configmap-missing': { reason: 'FailedMount', culprit: /ConfigMap settings/, best: { 'spec.volumes[0].configMap.optional': true } },
  'mount-host-path-missing': {
    reason: 'FailedMount',
    culprit: /\/srv\/absent/,
    best: { 'spec.volumes[0].hostPath.type': 'DirectoryOrCreate' },
    mirrorable: false,
  },
  'mount-secret-missing': { reason: 'FailedMount', culprit: /Secret web-tls/, best: { 'spec.volumes[0].secret.optional': true } },
  'no-command': { reason: 'CreateContainerError', culprit: /no command in image no-command:1/, best: null },
  'oom-killed': { reason: 'OOMKilled', culprit: /memory limit 16Mi/, best: { [memory]: '256Mi' } },
  'oom-killed-once': { reason: 'OOMKilled', culprit: /memory limit 16Mi/, best: { [memory]: '256Mi' } },
  'permission-denied': {
    reason: 'CrashLoopBackOff',
    culprit: /\/data/,
    best: {
      'spec.volumes[1]': { name: 'writable-data', emptyDir: {} },
      'spec.containers[0].volumeMounts[1]': { name: 'writable-data', mountPath: '/data' },
    },
  },
  'post-start-failing': {
    reason: 'PostStartHookError',
    culprit: /postStart hook: cannot register/,
    best: { 'spec.containers[0].lifecycle.postStart': null },
  },
  'pre-stop-failing': {
    reason: 'Unhealthy',
    culprit: /liveness probe exec false/,
    best: { 'spec.containers[0].livenessProbe': null },
  },
  preempted: { reason: 'Preempted', culprit: /preemption/, best: null },
  'readiness-command': {
    reason: 'Unhealthy',
    culprit: /readiness probe exec cat \/tmp\/ready/,
    best: { 'spec.containers[0].readinessProbe': null },
  },
  'readiness-failing': {
    reason: 'Unhealthy',
    culprit: /readiness probe GET \/status\/503 :80 \(status 503\)/,
    best: { 'spec.containers[0].readinessProbe.httpGet.path': '/' },
  },
  'readiness-refused': {
    reason: 'Unhealthy',
    culprit: /readiness probe GET \/ :8080/,
    best: { 'spec.containers[0].readinessProbe.httpGet.port': 80 },
  },
  'rejected-out-of-cpu': { reason: 'OutOfcpu', culprit: /cpu request 500/, best: { 'spec.containers[0].resources.requests.cpu': '500m' } },
  'run-as-root-refused': {
    reason: 'CreateContainerConfigError',
    culprit: /runAsNonRoot/,
    best: { 'spec.securityContext.runAsUser': 1000 },
  },
  'sandbox-runtime-missing': {
    reason: 'FailedCreatePodSandBox',
    culprit: /runsc/,
    best: { 'spec.runtimeClassName': null },
    mirrorable: false,
  },
  'scheduling-gated': 'healthy',
  'secret-key-missing': {
    reason: 'CreateContainerConfigError',
    culprit: /key password in Secret credentials/,
    best: { 'spec.containers[0].env[0].valueFrom.secretKeyRef.optional': true },
  },
  'unschedulable-affinity': {
    reason: 'Unschedulable',
    culprit: /zone In a/,
    best: { 'spec.affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution': null },
  },
  'unschedulable-claim-missing': { reason: 'Unschedulable', culprit: /PersistentVolumeClaim data/, best: null },
  'unschedulable-claim-unbound': { reason: 'Unschedulable', culprit: /PersistentVolumeClaim data/, best: null },
  'unschedulable-cpu': {
    reason: 'Unschedulable',
    culprit: /cpu request 500/,
    best: { 'spec.containers[0].resources.requests.cpu': '500m' },
  },
  'unschedulable-device': {
    reason: 'Unschedulable',
    culprit: /example.com\/gpu/,
    best: {
      'spec.containers[0].resources.limits["example.com/gpu"]': null,
      'spec.containers[0].resources.requests["example.com/gpu"]': null,
    },
  },
  'unschedulable-selector': { reason: 'Unschedulable', culprit: /disk=ssd/, best: { 'spec.nodeSelector.disk': null } },
};

/** The same for our own recordings. */
export const OWN: Record<string, Expected | 'healthy'> = {
  'crash-once': 'healthy',
  'deployment-policy': {
    reason: 'FailedCreate',
    culprit: /policy need-limits: every container needs a memory limit/,
    best: { 'spec.template.spec.containers[0].resources.limits.memory': '256Mi' },
    mirrorable: false,
  },
  'deployment-runtime-class': {
    reason: 'FailedCreate',
    culprit: /runtime class gvisor/,
    best: { 'spec.template.spec.runtimeClassName': null },
    mirrorable: false,
  },
  'exit-zero-loop': { reason: 'CrashLoopBackOff', culprit: /exit code 0/, best: { 'spec.restartPolicy': 'OnFailure' } },
  'healthy-deleted': 'healthy',
  'healthy-restarted': 'healthy',
  'healthy-sidecar-job': 'healthy',
  'healthy-slow-start': 'healthy',
  'healthy-unready-once': 'healthy',
  'image-user-unknown': {
    reason: 'CreateContainerError',
    culprit: /user of image unknown-user:1/,
    best: { 'spec.containers[0].securityContext.runAsUser': 1000 },
  },
  'init-script-not-executable': {
    reason: 'StartError',
    culprit: /\/scripts\/run.sh/,
    best: { 'spec.volumes[0].configMap.defaultMode': 0o755 },
  },
  'liveness-grpc': {
    reason: 'Unhealthy',
    culprit: /liveness probe grpc :80/,
    best: {
      'spec.containers[0].livenessProbe': {
        failureThreshold: 2,
        periodSeconds: 1,
        successThreshold: 1,
        timeoutSeconds: 1,
        tcpSocket: { port: 80 },
      },
    },
  },
  'liveness-slow-start': {
    reason: 'Unhealthy',
    culprit: /liveness probe exec cat/,
    best: { 'spec.containers[0].startupProbe': { exec: { command: ['cat', '/tmp/ready'] }, periodSeconds: 10, failureThreshold: 30 } },
  },
  'liveness-timeout': {
    reason: 'Unhealthy',
    culprit: /liveness probe exec sleep 5/,
    best: { 'spec.containers[0].livenessProbe.timeoutSeconds': 5 },
  },
  'memory-too-small': { reason: 'FailedCreatePodSandBox', culprit: /memory limit 512Ki/, best: { [memory]: '64Mi' } },
  'mount-image-missing': {
    reason: 'ImagePullBackOff',
    culprit: /^web:8$/,
    best: { 'spec.volumes[0].image.reference': 'web:latest' },
  },
  'mount-nfs': { reason: 'FailedMount', culprit: /10\.96\.77\.7:\/exports\/app/, best: null },
  'post-start-http': {
    reason: 'PostStartHookError',
    culprit: /postStart hook: GET \/hello :8080/,
    best: { 'spec.containers[0].lifecycle.postStart.httpGet.port': 80 },
  },
  'readiness-timeout': { reason: 'Unhealthy', culprit: /readiness probe GET \/healthz :8080/, best: null },
  'rejected-sysctl': {
    reason: 'SysctlForbidden',
    culprit: /sysctl kernel\.msgmax/,
    best: { 'spec.securityContext.sysctls': null },
  },
  'script-interpreter-missing': {
    reason: 'CrashLoopBackOff',
    culprit: /interpreter of \/scripts\/run\.sh/,
    best: { [command]: ['sh', '/scripts/run.sh'] },
  },
  'seccomp-profile-missing': {
    reason: 'CreateContainerError',
    culprit: /profiles\/strict\.json/,
    best: { 'spec.containers[0].securityContext.seccompProfile': { type: 'RuntimeDefault' } },
    mirrorable: false,
  },
  'sidecar-image-missing': { reason: 'ImagePullBackOff', culprit: /^web:7$/, best: { 'spec.initContainers[0].image': 'web:latest' } },
  'subpath-key-missing': { reason: 'CrashLoopBackOff', culprit: /key config\.yaml in ConfigMap settings/, best: null },
  'unschedulable-scheduler': { reason: 'Unschedulable', culprit: /scheduler batch-scheduler/, best: { 'spec.schedulerName': null } },
  'unschedulable-spread': {
    reason: 'Unschedulable',
    culprit: /topology\.kubernetes\.io\/zone/,
    best: { 'spec.topologySpreadConstraints[0].whenUnsatisfiable': 'ScheduleAnyway' },
    mirrorable: false,
  },
  'working-dir-file': { reason: 'StartError', culprit: /^\/web \(workingDir\)$/, best: { 'spec.containers[0].workingDir': null } },
  'shop-accounts': { reason: 'CrashLoopBackOff', culprit: /users/, best: null },
  'shop-cart': {
    reason: 'CreateContainerConfigError',
    culprit: /key max_items in ConfigMap cart-settings/,
    best: { 'spec.containers[0].env[0].valueFrom.configMapKeyRef.optional': true },
  },
  'shop-catalog': {
    reason: 'Unhealthy',
    culprit: /startup probe exec cat/,
    best: { 'spec.containers[0].startupProbe.failureThreshold': 30 },
  },
  'shop-checkout': { reason: 'ImagePullBackOff', culprit: /web:11/, best: { [image]: 'web:latest' } },
  'shop-inventory': { reason: 'Unschedulable', culprit: /os=Linux/, best: { 'spec.nodeSelector["kubernetes.io/os"]': null } },
  'shop-ledger': { reason: 'CrashLoopBackOff', culprit: /DATABASE_URL/, best: { 'spec.containers[0].env[0].name': 'DATABASE_URL' } },
  'shop-mailer': { reason: 'StartError', culprit: /\/app\/start/, best: { [command]: null } },
  'shop-payments': {
    reason: 'Unhealthy',
    culprit: /readiness probe GET \/ :8080/,
    best: { 'spec.containers[0].readinessProbe.httpGet.port': 80 },
  },
  'shop-recommendations': { reason: 'OOMKilled', culprit: /memory limit 16Mi/, best: { [memory]: '256Mi' } },
  'shop-shipping': 'healthy',
  'shop-storefront': 'healthy',
  'shop-storefront-preview': { reason: 'FailedCreate', culprit: /quota pods/, best: null },
  'shop-tax': { reason: 'CrashLoopBackOff', culprit: /licence/, best: null },
  'story-restart': { reason: 'StartError', culprit: /\/app\/start/, best: { [command]: null } },
  'image-wrong-format': { reason: 'CrashLoopBackOff', culprit: /^\/app: exec format error$/, best: null },
  'init-slow': 'healthy',
  'init-waiting': { reason: 'PodInitializing', culprit: /init container wait: db$/, best: null },
  'job-deadline': {
    reason: 'DeadlineExceeded',
    culprit: /activeDeadlineSeconds 4/,
    best: { 'spec.activeDeadlineSeconds': 600 },
    mirrorable: false,
  },
  'service-account-missing': {
    reason: 'FailedCreate',
    culprit: /service account builder/,
    best: { 'spec.template.spec.serviceAccountName': null, 'spec.template.spec.serviceAccount': null },
    mirrorable: false,
  },
  'sidecar-crash-loop': { reason: 'CrashLoopBackOff', culprit: /no route/, best: null },
  'startup-probe-failing': {
    reason: 'Unhealthy',
    culprit: /startup probe GET \/status\/503 :80 \(status 503\)/,
    best: { 'spec.containers[0].startupProbe.httpGet.path': '/' },
  },
  'subpath-file': {
    reason: 'StartError',
    culprit: /^\/etc \(mountPath\)$/,
    best: { 'spec.containers[0].volumeMounts[0].mountPath': '/etc/size' },
  },
};

/** All recordings with their folders. */
export const CAPTURED = [
  ...Object.entries(EXPECTED).map((entry) => ['captures', ...entry] as const),
  ...Object.entries(OWN).map((entry) => ['captures-own', ...entry] as const),
];

/** A recording as `podmend diagnose` reads it. */
export function recordingOf(name: string, folder: string): Recording {
  const { pod, events, others, logs } = capture(name, folder);
  const spoken = logs.filter(({ exitCode }) => exitCode === 0).map(({ stdout, ...log }) => ({ ...log, text: stdout }));
  return { objects: [...(pod ? [pod] : []), ...events, ...others], logs: spoken };
}

/** `path=to` of each change of the best correction; null when there is none. */
export function changesOf({ corrections }: Diagnosis): Record<string, unknown> | null {
  const [best] = corrections;
  return best ? Object.fromEntries(best.changes.map(({ path, to }) => [path, to])) : null;
}
