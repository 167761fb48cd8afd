import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { diagnose, type Diagnosis } from '../../src/solutions/diagnose.ts';
import { applyChanges } from '../../src/solutions/fix/apply.ts';
import { failingCases } from '../../src/solutions/recording.ts';
import { capture, captureNames } from '../support/captures.ts';

interface Expected {
  /** The reason each failing object has, in the order of the recording. */
  reason: string | string[];
  culprit: RegExp;
  /** `path=to` of each change of the best correction; null: no change to the manifest cures it. */
  best: Record<string, unknown> | null;
  mirrorable?: boolean;
}

const image = 'spec.containers[0].image';
const command = 'spec.containers[0].command';
const memory = 'spec.containers[0].resources.limits.memory';

/** Every recording of the real node: who is to blame, and what cures it. */
const EXPECTED: Record<string, Expected | 'healthy'> = {
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
      'spec.template.spec.securityContext.runAsNonRoot': true,
      'spec.template.spec.securityContext.seccompProfile': { type: 'RuntimeDefault' },
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
  'job-backoff-limit': { reason: ['Error', 'BackoffLimitExceeded'], culprit: /no input/, best: null },
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
  'oom-killed': { reason: 'OOMKilled', culprit: /memory limit 16Mi/, best: { [memory]: '64Mi' } },
  'oom-killed-once': { reason: 'OOMKilled', culprit: /memory limit 16Mi/, best: { [memory]: '64Mi' } },
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

const captures = suite('every recording of a real node');

captures('has its expectation here', () => {
  assert.equal(captureNames().toSorted(), Object.keys(EXPECTED).toSorted());
});

for (const [name, expected] of Object.entries(EXPECTED)) {
  captures(`${name}: ${expected === 'healthy' ? 'does not fail' : String(expected.culprit)}`, () => {
    const cases = failingCases(recordingOf(name));
    if (expected === 'healthy')
      return assert.equal(
        cases.map(({ reason }) => reason),
        [],
      );
    assert.equal(
      cases.map(({ reason }) => reason),
      [expected.reason].flat(),
    );
    for (const subject of cases) {
      const diagnosis = diagnose(subject);
      assert.match(diagnosis.culprit ?? '', expected.culprit);
      assert.equal(changesOf(diagnosis), expected.best);
      assert.is(diagnosis.noCure === null, expected.best !== null, 'either a correction or the plain word that there is none');
      if (expected.best) assert.is(diagnosis.corrections[0]?.mirrorable, expected.mirrorable ?? true);
      assert.ok(diagnosis.evidence.length > 0, 'evidence is quoted');
      assert.ok(
        diagnosis.commands.every((line) => line.includes('kubectl') || line.startsWith('skopeo')),
        diagnosis.commands.join('\n'),
      );
      for (const { changes } of diagnosis.corrections) applyChanges(subject.manifest(), changes);
    }
  });
}

captures.run();

function recordingOf(name: string) {
  const { pod, events, others, logs } = capture(name);
  const spoken = logs.filter(({ exitCode }) => exitCode === 0).map(({ stdout, ...log }) => ({ ...log, text: stdout }));
  return { objects: [...(pod ? [pod] : []), ...events, ...others], logs: spoken };
}

function changesOf({ corrections }: Diagnosis): Record<string, unknown> | null {
  const [best] = corrections;
  return best ? Object.fromEntries(best.changes.map(({ path, to }) => [path, to])) : null;
}
