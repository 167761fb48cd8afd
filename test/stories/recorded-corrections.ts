/** A manual change of the pod of a case: fields of its first container, of its first init container, of its spec. */
export interface Edit {
  container?: object;
  init?: object;
  spec?: object;
}

/** A recorded case, and what a mirror must say about corrections of it. */
export type Case =
  /** Nothing fails, or the failing pod no longer exists. */
  | 'healthy'
  | 'gone'
  | {
      /** The label of the failing pod. */
      reason: string;
      /** The correction that cures it: the rules' own one, or a manual one if the rules cannot know the answer. */
      right: 'rules' | Edit;
      /** A correction that does not cure it. The mirror then gives the reason `still`. */
      wrong: 'rules' | Edit;
      still: string;
      /** Absent: the API deploys the mirror. `kubectl`: the API refuses such a source, so a user of the cluster creates the mirror. */
      through?: 'kubectl';
    }
  /** No change of the manifest cures it, and the preview says so. */
  | { reason: string; none: string }
  /** There is a correction, but a mirror cannot prove it, and the preview says so. */
  | { reason: string; unmirrorable: string };

const sleep = { container: { command: ['sleep', '3600'] } };

/** The cases of all recordings in `test/captures`. The manifests that made them are in `test/sandbox/cases`. */
export const RECORDED_CORRECTIONS: Record<string, Case> = {
  'command-missing': {
    reason: 'StartError',
    right: sleep,
    wrong: { container: { command: ['nodejs', 'server.js'] } },
    still: 'StartError',
  },
  'command-missing-once': {
    reason: 'StartError',
    right: 'rules',
    wrong: { container: { command: ['/app/begin'] } },
    still: 'StartError',
  },
  'command-not-executable': {
    reason: 'StartError',
    right: sleep,
    wrong: { container: { command: ['/etc/group'] } },
    still: 'StartError',
  },
  'configmap-key-missing': {
    reason: 'CreateContainerConfigError',
    right: 'rules',
    wrong: { container: { env: [{ name: 'SIZE', valueFrom: { configMapKeyRef: { name: 'settings', key: 'sizes' } } }] } },
    still: 'CreateContainerConfigError',
  },
  'crash-loop': {
    reason: 'CrashLoopBackOff',
    right: { container: { command: ['sh', '-c', 'echo connected; sleep 3600'] } },
    wrong: { container: { env: [{ name: 'DATABASE_URL', value: 'postgres://db/shop' }] } },
    still: 'CrashLoopBackOff',
  },
  'crash-loop-between': {
    reason: 'CrashLoopBackOff',
    right: { container: { command: ['sh', '-c', 'test -n "$DATABASE_URL" && sleep 3600'], env: [{ name: 'DATABASE_URL', value: 'db' }] } },
    wrong: { container: { command: ['sh', '-c', 'test -n "$DATABASE_URL" && sleep 3600'], env: [{ name: 'DATABASE', value: 'db' }] } },
    still: 'CrashLoopBackOff',
  },
  'deadline-exceeded': { reason: 'DeadlineExceeded', unmirrorable: 'a mirror has a deadline of its own' },
  'deployment-pod-security': { reason: 'FailedCreate', unmirrorable: 'what fails is the controller, and mirrors copy pods' },
  'deployment-quota': { reason: 'FailedCreate', none: 'the quota is used up' },
  'deployment-stuck': { reason: 'ImagePullBackOff', right: 'rules', wrong: { container: { image: 'web:8' } }, still: 'ImagePullBackOff' },
  'evicted-container-storage': {
    reason: 'Evicted',
    right: 'rules',
    wrong: { container: { resources: { limits: { 'ephemeral-storage': '2Mi' } } } },
    still: 'Evicted',
  },
  'exit-error': {
    reason: 'Error',
    right: { container: { command: ['sh', '-c', 'echo done'] } },
    wrong: { container: { command: ['sh', '-c', 'echo "panic: nil"; exit 4'] } },
    still: 'Error',
  },
  'exit-success': 'healthy',
  healthy: 'healthy',
  'image-name-invalid': { reason: 'InvalidImageName', right: 'rules', wrong: { container: { image: 'Web:1' } }, still: 'InvalidImageName' },
  // The correction of the rules lets the node pull an image that no registry has.
  'image-never-pull': {
    reason: 'ErrImageNeverPull',
    right: { container: { image: 'web:1', imagePullPolicy: 'IfNotPresent' } },
    wrong: 'rules',
    still: 'ImagePullBackOff',
  },
  'image-private': { reason: 'ImagePullBackOff', none: 'credentials are missing' },
  'image-pull-secret-missing': { reason: 'ImagePullBackOff', none: 'the secret with the credentials is missing' },
  'image-repository-missing': {
    reason: 'ImagePullBackOff',
    right: { container: { image: 'web:1' } },
    wrong: { container: { image: 'acme/something:1' } },
    still: 'ImagePullBackOff',
  },
  'image-tag-missing': { reason: 'ImagePullBackOff', right: 'rules', wrong: { container: { image: 'web:8' } }, still: 'ImagePullBackOff' },
  'init-crash-loop': {
    reason: 'CrashLoopBackOff',
    right: { init: { command: ['sh', '-c', 'echo migrated'] } },
    wrong: { init: { command: ['sh', '-c', 'echo "relation orders does not exist"; exit 3'] } },
    still: 'CrashLoopBackOff',
  },
  'init-error': {
    reason: 'Error',
    right: { init: { command: ['sh', '-c', 'echo migrated'] }, container: { image: 'busybox:1.35', command: ['true'] } },
    wrong: { init: { command: ['sh', '-c', 'echo "relation orders does not exist"; exit 3'] } },
    still: 'Error',
  },
  'job-backoff-limit': {
    reason: 'BackoffLimitExceeded',
    right: { container: { command: ['sh', '-c', 'echo done'] } },
    wrong: { container: { command: ['sh', '-c', 'echo "still no input"; exit 1'] } },
    still: 'Error',
  },
  'liveness-failing': {
    reason: 'Unhealthy',
    right: 'rules',
    wrong: { container: { livenessProbe: { httpGet: { path: '/status/404', port: 80 }, periodSeconds: 1, failureThreshold: 2 } } },
    still: 'Unhealthy',
  },
  'mount-configmap-missing': {
    reason: 'FailedMount',
    right: 'rules',
    wrong: { spec: { volumes: [{ name: 'settings', configMap: { name: 'setting' } }] } },
    still: 'FailedMount',
  },
  // The source violates Pod Security baseline, so the API does not mirror it. A user who may create pods can mirror it. The mirror keeps a
  // host folder that is only read, and does not replace it by an empty one.
  'mount-host-path-missing': {
    reason: 'FailedMount',
    right: { spec: { volumes: [{ name: 'data', emptyDir: {} }] } },
    wrong: { container: { volumeMounts: [{ name: 'data', mountPath: '/data', readOnly: true }] } },
    still: 'FailedMount',
    through: 'kubectl',
  },
  // Another Secret would give more power. Another key of the same Secret does not.
  'mount-secret-missing': {
    reason: 'FailedMount',
    right: 'rules',
    wrong: { spec: { volumes: [{ name: 'tls', secret: { secretName: 'web-tls', items: [{ key: 'tls.crt', path: 'tls.crt' }] } }] } },
    still: 'FailedMount',
  },
  'no-command': {
    reason: 'CreateContainerError',
    right: { container: { image: 'web:1' } },
    wrong: { container: { args: [] } },
    still: 'CreateContainerError',
  },
  // The program reads an endless file, so no limit is enough.
  'oom-killed': { reason: 'OOMKilled', right: sleep, wrong: 'rules', still: 'OOMKilled' },
  'oom-killed-once': { reason: 'OOMKilled', right: { container: { command: ['true'] } }, wrong: 'rules', still: 'OOMKilled' },
  // Its `mkdir` fails, because the correction of the rules creates the folder before.
  'permission-denied': {
    reason: 'CrashLoopBackOff',
    right: { container: { command: ['sh', '-c', 'mkdir /tmp/data && sleep 3600'] } },
    wrong: 'rules',
    still: 'CrashLoopBackOff',
  },
  'post-start-failing': {
    reason: 'PostStartHookError',
    right: 'rules',
    wrong: { container: { lifecycle: { postStart: { exec: { command: ['false'] } } } } },
    still: 'PostStartHookError',
  },
  'pre-stop-failing': {
    reason: 'Unhealthy',
    right: 'rules',
    wrong: { container: { livenessProbe: { exec: { command: ['cat', '/tmp/alive'] }, periodSeconds: 1, failureThreshold: 1 } } },
    still: 'Unhealthy',
  },
  // The pod that preempts it removes it, and its record is closed.
  preempted: 'gone',
  'readiness-command': {
    reason: 'Unhealthy',
    right: 'rules',
    wrong: { container: { readinessProbe: { exec: { command: ['cat', '/tmp/started'] }, periodSeconds: 1 } } },
    still: 'Unhealthy',
  },
  'readiness-failing': {
    reason: 'Unhealthy',
    right: 'rules',
    wrong: { container: { readinessProbe: { httpGet: { path: '/status/500', port: 80 }, periodSeconds: 1 } } },
    still: 'Unhealthy',
  },
  'readiness-refused': {
    reason: 'Unhealthy',
    right: 'rules',
    wrong: { container: { readinessProbe: { httpGet: { path: '/', port: 8081 }, periodSeconds: 1 } } },
    still: 'Unhealthy',
  },
  'rejected-out-of-cpu': {
    reason: 'OutOfcpu',
    right: 'rules',
    wrong: { container: { resources: { requests: { cpu: '400' } } } },
    still: 'Unschedulable',
  },
  'run-as-root-refused': {
    reason: 'CreateContainerConfigError',
    right: 'rules',
    wrong: { container: { securityContext: { allowPrivilegeEscalation: false } } },
    still: 'CreateContainerConfigError',
  },
  'sandbox-runtime-missing': { reason: 'FailedCreatePodSandBox', unmirrorable: 'another runtime class is another power' },
  'scheduling-gated': 'healthy',
  'secret-key-missing': {
    reason: 'CreateContainerConfigError',
    right: 'rules',
    wrong: { container: { env: [{ name: 'PASSWORD', valueFrom: { secretKeyRef: { name: 'credentials', key: 'passwd' } } }] } },
    still: 'CreateContainerConfigError',
  },
  'unschedulable-affinity': {
    reason: 'Unschedulable',
    right: 'rules',
    wrong: {
      spec: {
        affinity: {
          nodeAffinity: {
            requiredDuringSchedulingIgnoredDuringExecution: {
              nodeSelectorTerms: [{ matchExpressions: [{ key: 'zone', operator: 'In', values: ['b'] }] }],
            },
          },
        },
      },
    },
    still: 'Unschedulable',
  },
  'unschedulable-claim-missing': { reason: 'Unschedulable', none: 'the claim is missing' },
  'unschedulable-claim-unbound': { reason: 'Unschedulable', none: 'the claim has no volume' },
  'unschedulable-cpu': {
    reason: 'Unschedulable',
    right: 'rules',
    wrong: { container: { resources: { requests: { cpu: '400' } } } },
    still: 'Unschedulable',
  },
  'unschedulable-device': {
    reason: 'Unschedulable',
    right: 'rules',
    wrong: { container: { resources: { limits: { 'example.com/gpu': 2 } } } },
    still: 'Unschedulable',
  },
  'unschedulable-selector': {
    reason: 'Unschedulable',
    right: 'rules',
    wrong: { spec: { nodeSelector: { disk: 'nvme' } } },
    still: 'Unschedulable',
  },
};
