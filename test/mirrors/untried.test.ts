import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Pod } from '../../src/crd/kubernetes.ts';
import { untriedCause } from '../../src/mirrors/untried.ts';
import { judge } from '../../src/mirrors/verdict.ts';
import { aMirrorsPod, aSource, aTemplate, at } from '../support/mirror.ts';

const test = suite('untried causes');

const unschedulable = (message: string): Pod => ({
  metadata: {},
  spec: { containers: [] },
  status: { conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }] },
});
const gated: Pod = {
  metadata: {},
  spec: { containers: [] },
  status: { conditions: [{ type: 'Ready', status: 'False', reason: 'ReadinessGatesNotReady' }] },
};

/** What the source shows, its pod, its record, the template, the cause. */
const CASES: [
  what: string,
  pod: Pod | undefined,
  record: Parameters<typeof untriedCause>[1],
  nodeName: string | undefined,
  cause: string | undefined,
][] = [
  ['a crash', undefined, { failure_reason: 'CrashLoopBackOff', failure_message: 'exit code 1' }, undefined, undefined],
  ['no room', unschedulable('0/1 nodes are available: 1 Insufficient cpu.'), {}, undefined, undefined],
  [
    'a taken host port',
    unschedulable("0/1 nodes: 1 node(s) didn't have free ports for the requested pod ports"),
    {},
    undefined,
    'its host port',
  ],
  ['a taken host port, the pod gone', undefined, { failure_message: "1 node(s) didn't have free ports" }, undefined, 'its host port'],
  ['a host port refused by the node', undefined, { failure_reason: 'NodePorts' }, undefined, 'its host port'],
  ['a gate that nobody opened', gated, {}, undefined, 'its readiness gates'],
  [
    'other pods that keep away from its labels',
    unschedulable("1 node(s) didn't satisfy existing pods anti-affinity rules"),
    {},
    undefined,
    'the labels by which other pods keep away from it',
  ],
  [
    'spreading',
    unschedulable("1 node(s) didn't match pod topology spread constraints"),
    {},
    undefined,
    'the labels by which its pods are spread',
  ],
  ['a full quota', undefined, { failure_message: 'exceeded quota: small' }, undefined, 'the room that a quota leaves'],
  ['preemption', undefined, { failure_reason: 'Preempted' }, undefined, 'its priority'],
  ['a node that refuses it', undefined, { failure_reason: 'OutOfcpu' }, 'node-1', 'its choice of a node'],
  ['a node that refuses it, left to the scheduler', undefined, { failure_reason: 'OutOfcpu' }, undefined, undefined],
];
for (const [what, pod, record, nodeName, cause] of CASES)
  test(`${what}: ${cause ?? 'a mirror can meet it'}`, () => {
    const template = aTemplate(nodeName ? { nodeName } : {});
    assert.is(untriedCause(aSource(aTemplate(), pod ? { pod } : {}), record, template), cause);
  });

test('a mirror that does well without the cause proves nothing, one that fails still fails', () => {
  const view = {
    events: [],
    now: at(60),
    graces: { pendingSeconds: 120, unreadySeconds: 60 },
    ttlSeconds: 180,
    jobLike: false,
    failSeconds: 0,
  };
  const verdictOf = (pod: Pod, untried?: string) => judge({ ...view, pod, ...(untried ? { untried } : {}) }).judgement?.verdict;
  const failing = aMirrorsPod({
    ready: false,
    containerStatuses: [{ name: 'app', ready: false, restartCount: 0, image: 'web:1', state: { waiting: { reason: 'ErrImagePull' } } }],
  });
  assert.is(verdictOf(aMirrorsPod()), 'Fixed');
  assert.is(verdictOf(aMirrorsPod(), 'its host port'), 'Inconclusive');
  assert.is(verdictOf(failing, 'its host port'), 'StillFailing');
});

test.run();
