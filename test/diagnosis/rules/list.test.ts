import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { RULES } from '../../../src/diagnosis/rules/list.ts';

const list = suite('the list of rules');

/** The rules in their order, each with the reasons for which it is asked first. */
const REASONS: [rule: string, reasons: string][] = [
  ['failed-create', 'FailedCreate ReplicaFailure'],
  ['job-failed', 'BackoffLimitExceeded PodFailurePolicy FailedIndexes MaxFailedIndexesExceeded'],
  ['tiny-memory', 'FailedMount FailedCreatePodSandBox'],
  ['evicted', 'Evicted TaintManagerEviction EvictionByEvictionAPI'],
  [
    'rejected',
    'OutOfcpu OutOfmemory OutOfpods OutOfephemeral-storage NodeAffinity NodePorts UnexpectedAdmissionError TopologyAffinityError AppArmor SysctlForbidden PodOSNotSupported ResourceAllocationError TaintToleration NodeUnschedulable',
  ],
  ['preempted', 'Preempted Preempting'],
  ['deadline', 'DeadlineExceeded'],
  ['node-lost', 'NodeLost NodeShutdown Shutdown Terminated'],
  ['image-name', 'InvalidImageName InspectFailed'],
  ['image-never-pull', 'ErrImageNeverPull'],
  ['image-pull', 'ImagePullBackOff ErrImagePull ImageInspectError RegistryUnavailable SignatureValidationFailed'],
  ['config-missing', 'CreateContainerConfigError FailedMount'],
  ['run-as-root', 'CreateContainerConfigError'],
  [
    'pod-field',
    'CreateContainerConfigError CreateContainerError StartError RunContainerError FailedMount ContainerCreating FailedPrepareDynamicResources',
  ],
  ['create', 'CreateContainerError CreateContainerConfigError PreCreateHookError'],
  ['start', 'StartError RunContainerError ContainerCannotRun CrashLoopBackOff Error PreStartHookError'],
  ['out-of-memory', 'OOMKilled CrashLoopBackOff Error'],
  ['hook', 'PostStartHookError'],
  ['ordered-peers', 'Unhealthy CrashLoopBackOff Error'],
  ['probe', 'Unhealthy'],
  ['init-waiting', 'PodInitializing ContainerCreating'],
  ['left-running', 'NotReady'],
  ['readiness-gate', 'ReadinessGatesNotReady'],
  ['missing-node', 'Pending'],
  ['mount', 'FailedMount FailedAttachVolume FailedMapVolume ContainerCreating'],
  ['sandbox', 'FailedCreatePodSandBox NetworkNotReady ContainerCreating'],
  ['crash', 'CrashLoopBackOff Error OOMKilled ContainerStatusUnknown BackoffLimitExceeded'],
  ['unschedulable', 'Unschedulable SchedulerError Pending'],
];

list('each rule is asked first for its reasons, in this order', () =>
  assert.equal(
    RULES.map(({ id, reasons }) => [id, reasons.join(' ')]),
    REASONS,
  ),
);

list.run();
