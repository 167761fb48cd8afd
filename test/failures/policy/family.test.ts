import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { familyOf } from '../../../src/failures/policy/family.ts';

const families: [sentence: string, report: Parameters<typeof familyOf>[0], family: string][] = [
  ['a pull error', { reason: 'ImagePullBackOff' }, 'image'],
  ['a refusal for a resource of any name', { reason: 'OutOfexample.com/gpu' }, 'node'],
  ['a deadline of a pod', { reason: 'DeadlineExceeded', resource_kind: 'Pod' }, 'node'],
  ['a deadline of a Job', { reason: 'DeadlineExceeded', resource_kind: 'Job' }, 'controller'],
  ['anything of a ReplicaSet', { reason: 'FailedCreate', resource_kind: 'ReplicaSet' }, 'controller'],
  ['a word nobody knows', { reason: 'Weird' }, 'other'],
  ['a name that objects have', { reason: 'constructor' }, 'other'],
  ['an unready container', { reason: 'Unhealthy', container: 'app', container_statuses: [{ name: 'app', state: 'running' }] }, 'unready'],
  [
    'a killed container',
    { reason: 'Unhealthy', container: 'app', container_statuses: [{ name: 'app', state: 'waiting', last_state: { exit_code: 137 } }] },
    'crash',
  ],
  [
    'a killed container that runs again',
    {
      reason: 'Unhealthy',
      container: 'app',
      container_statuses: [{ name: 'app', state: 'running', last_state: { exit_code: 137 } }],
      events: [{ reason: 'Unhealthy', message: 'Startup probe failed: x' }],
    },
    'crash',
  ],
  [
    'an unready container that crashed once',
    {
      reason: 'Unhealthy',
      container: 'app',
      container_statuses: [{ name: 'app', state: 'running', last_state: { exit_code: 1 } }],
      events: [{ reason: 'Unhealthy', message: 'Readiness probe failed: x' }],
    },
    'unready',
  ],
  [
    'a container killed for its liveness whose readiness fails as well',
    {
      reason: 'Unhealthy',
      failure_message: 'Liveness probe failed: x',
      container: 'app',
      container_statuses: [{ name: 'app', state: 'running', last_state: { exit_code: 137 } }],
      events: [
        { reason: 'Unhealthy', message: 'Liveness probe failed: x' },
        { reason: 'Killing', message: 'Container app failed liveness probe, will be restarted' },
        { reason: 'Unhealthy', message: 'Readiness probe failed: x' },
      ],
    },
    'crash',
  ],
  ['a probe without any evidence', { reason: 'Unhealthy' }, 'unready'],
];
const LABELS: Record<string, string> = {
  image: 'InvalidImageName ErrImageNeverPull ImageInspectError ImagePullBackOff ErrImagePull RegistryUnavailable SignatureValidationFailed',
  create: 'CreateContainerConfigError CreateContainerError PreCreateHookError',
  start: 'StartError RunContainerError ContainerCannotRun PreStartHookError',
  crash: 'OOMKilled PostStartHookError CrashLoopBackOff Error ContainerStatusUnknown',
  unready: 'ReadinessGatesNotReady',
  waiting: 'Unschedulable SchedulerError PodInitializing ContainerCreating Pending',
  volume:
    'FailedMount FailedMapVolume FailedAttachVolume FailedCreatePodSandBox FailedCreatePodContainer NetworkNotReady FailedPrepareDynamicResources',
  node:
    'Evicted Preempted Preempting NodeLost DeadlineExceeded UnexpectedAdmissionError NodeAffinity NodeSelectorMismatching NodePorts NodeName ' +
    'NodeShutdown Shutdown Terminated TopologyAffinityError ResourceAllocationError SysctlForbidden AppArmor ' +
    'PodOSSelectorNodeLabelDoesNotMatch PodOSNotSupported PodLevelResourcesNotSupported OutOfcpu OutOfpods',
  controller: 'BackoffLimitExceeded PodFailurePolicy FailedIndexes MaxFailedIndexesExceeded FailedCreate',
};
for (const [family, labels] of Object.entries(LABELS))
  for (const reason of labels.split(' ')) test(`${reason} is of family ${family}`, () => assert.is(familyOf({ reason }), family));

for (const [sentence, report, family] of families) test(`${sentence} is of family ${family}`, () => assert.is(familyOf(report), family));

test.run();
