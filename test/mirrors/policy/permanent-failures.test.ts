import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Failure } from '../../../src/failures/detect/view.ts';
import { causeInTheCopy, isOwnEviction, isRefusedForGood } from '../../../src/mirrors/policy/permanent-failures.ts';

const test = suite('failures that time does not mend');

const failure = (family: Failure['family'], reason: string, message = ''): Failure => ({ family, reason, message });

const REFUSED: [sentence: string, failure: Failure, isForGood: boolean][] = [
  ['a name that is none', failure('image', 'InvalidImageName'), true],
  ['an image that may only be on the node', failure('image', 'ErrImageNeverPull'), true],
  ['an image that is not found', failure('image', 'ErrImagePull', 'docker.io/library/web:9: not found'), true],
  ['a registry that does not know the image while it is busy', failure('image', 'ErrImagePull', '404 Not Found: toomanyrequests'), false],
  ['a registry that cannot be reached', failure('image', 'ErrImagePull', 'dial tcp: i/o timeout'), false],
  ['a registry that says nothing', failure('image', 'ImagePullBackOff', 'Back-off pulling image "web:9"'), false],
  ['a ConfigMap that is not there', failure('create', 'CreateContainerConfigError', 'configmap "web" not found'), true],
  ['a ConfigMap that was not read in time', failure('create', 'CreateContainerConfigError', 'configmap "web" not found: timed out'), false],
  ['a container that cannot be made', failure('create', 'CreateContainerError', 'something new'), false],
  ['a Secret of a volume', failure('volume', 'FailedMount', 'secret "tls" not found'), true],
  [
    'a driver that is not registered yet',
    failure('volume', 'FailedMount', 'driver name x not found in the list of registered CSI drivers'),
    false,
  ],
  ['a volume that takes long', failure('volume', 'FailedMount', 'timed out waiting for the condition'), false],
  ['a placement', failure('waiting', 'Unschedulable', '0/1 nodes are available: 1 Insufficient cpu.'), true],
  ['no scheduler', failure('waiting', 'Unschedulable', 'no scheduler named slow has looked at the pod'), false],
  ['waiting for anything else', failure('waiting', 'Pending', 'the pod waits'), false],
  ['the node refuses the pod', failure('node', 'OutOfcpu', 'Node did not have enough resource: cpu'), true],
  [
    'the time of the pod is over',
    failure('node', 'DeadlineExceeded', 'Pod was active on the node longer than the specified deadline'),
    false,
  ],
  ['a crash', failure('crash', 'CrashLoopBackOff', 'not found'), false],
];
for (const [sentence, one, isForGood] of REFUSED)
  test(`${sentence}: ${isForGood ? 'for good' : 'may pass'}`, () => assert.is(isRefusedForGood(one), isForGood));

const ROOM = '0/1 nodes are available: 1 Insufficient cpu.';
const COPY: [sentence: string, failure: Failure, before: string | undefined, cause: RegExp | undefined][] = [
  ['a port of the source', failure('waiting', 'Unschedulable', "1 node(s) didn't have free ports"), 'Error', /port of the node/],
  ['rules about pods', failure('waiting', 'Unschedulable', "didn't match pod anti-affinity rules"), 'Error', /rules about other pods/],
  ['a volume of the source', failure('volume', 'FailedAttachVolume', 'Multi-Attach error for volume'), 'Error', /in use by the source/],
  ['preemption', failure('node', 'Preempted', 'by a pod'), 'Preempted', /from outside/],
  ['a deadline', failure('node', 'DeadlineExceeded'), 'DeadlineExceeded', /from outside/],
  ['an eviction by the node', failure('node', 'Evicted', 'The node was low on resource: memory.'), 'Error', /the node, not the pod/],
  ['an eviction by the node, as before', failure('node', 'Evicted', 'The node was low on resource: memory.'), 'Evicted', undefined],
  ['an eviction for its own use', failure('node', 'Evicted', 'Usage of EmptyDir volume "a" exceeds the limit "1Mi".'), 'Error', undefined],
  ['no room for two', failure('waiting', 'Unschedulable', ROOM), 'Error', /second copy/],
  ['no room, and nothing is known of the source', failure('waiting', 'Unschedulable', ROOM), undefined, /second copy/],
  ['no room, as for the source', failure('waiting', 'Unschedulable', ROOM), 'Unschedulable', undefined],
  ['no room, as a kubelet told the source', failure('waiting', 'Unschedulable', ROOM), 'OutOfcpu', undefined],
  ['no node of that label', failure('waiting', 'Unschedulable', "0/1 nodes didn't match the node selector"), 'Error', undefined],
  ['a crash', failure('crash', 'CrashLoopBackOff', 'exit code 1'), 'Error', undefined],
];
for (const [sentence, one, before, cause] of COPY)
  test(`${sentence}, before: ${before}`, () => {
    if (cause) assert.match(causeInTheCopy(one, before) ?? '', cause);
    else assert.is(causeInTheCopy(one, before), undefined);
  });

test('only an eviction for its own use is its own', () => {
  assert.is(isOwnEviction(failure('node', 'Evicted', 'Container app exceeded its local ephemeral storage limit')), true);
  assert.is(isOwnEviction(failure('node', 'Evicted', 'The node was low on resource')), false);
  assert.is(isOwnEviction(failure('crash', 'Error', 'quota exceeded')), false);
});

test.run();
