import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Pod, Workload } from '../../../src/crd/kubernetes.ts';
import { strippedCause, templateOf } from '../../../src/mirrors/policy/source.ts';
import { aSource, aTemplate } from '../../support/builders/mirror.ts';

const test = suite('strippedCause causes');

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

/** What the source shows; its pod; its record; the node that the template names; the cause. */
const CASES: [
  what: string,
  pod: Pod | undefined,
  record: Parameters<typeof strippedCause>[1],
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
  ['a readiness gate that nobody set to True', gated, {}, undefined, 'its readiness gates'],
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
    assert.is(strippedCause(aSource(aTemplate(), pod ? { pod } : {}), record, template), cause);
  });

test.run();

const templates = suite('the template of a workload');

const claims = (...names: string[]) => names.map((name) => ({ metadata: { name } }));
const data = { name: 'data', persistentVolumeClaim: { claimName: 'data-web-0' } };
const cache = { name: 'cache', emptyDir: {} };

/** The kind, its claim templates, the volumes of its template, and the volumes of its pod `web-0`. */
const VOLUMES: [sentence: string, kind: string, claims: object[] | undefined, before: object[] | undefined, after: object[] | undefined][] =
  [
    ['a StatefulSet adds a volume for a claim template', 'StatefulSet', claims('data'), undefined, [data]],
    ['other volumes stay', 'StatefulSet', claims('data'), [cache], [cache, data]],
    ['a volume of the same name is replaced', 'StatefulSet', claims('data'), [{ name: 'data', emptyDir: {} }, cache], [cache, data]],
    ['a StatefulSet without claim templates adds none', 'StatefulSet', undefined, [cache], [cache]],
    ['another kind adds none', 'Deployment', claims('data'), [cache], [cache]],
  ];
for (const [sentence, kind, volumeClaimTemplates, volumes, expected] of VOLUMES)
  templates(sentence, () => {
    const template = aTemplate(volumes ? ({ volumes } as object) : {});
    const workload: Workload = {
      kind,
      metadata: { name: 'web' },
      spec: { template, ...(volumeClaimTemplates && { volumeClaimTemplates }) },
    };
    assert.equal(templateOf(workload, 'web-0').spec.volumes, expected);
  });

templates.run();
