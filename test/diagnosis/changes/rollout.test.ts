import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject, PodSpec } from '../../../src/crd/kubernetes.ts';
import type { Surroundings } from '../../../src/diagnosis/case.ts';
import { rolloutBlock } from '../../../src/diagnosis/changes/rollout.ts';

const node = (name: string, used?: Record<string, number>, allocatable: Record<string, string> = { cpu: '2', pods: '10' }) => ({
  ...{ name, labels: {}, taints: [], allocatable },
  ...(used ? { used } : {}),
});
const deployment = (
  spec: Partial<PodSpec>,
  { replicas = 1, ...strategy }: { replicas?: number; type?: string; rollingUpdate?: object } = {},
) =>
  ({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop' },
    spec: {
      replicas,
      strategy: { type: 'RollingUpdate', ...strategy },
      template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'app', image: 'web:1' }], ...spec } },
    },
  }) as KubeObject;
const apart = {
  affinity: {
    podAntiAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: [
        { labelSelector: { matchLabels: { app: 'web' } }, topologyKey: 'kubernetes.io/hostname' },
      ],
    },
  },
};
const asks = (cpu: string) => ({ containers: [{ name: 'app', image: 'web:1', resources: { requests: { cpu } } }] });
const port = { containers: [{ name: 'app', image: 'web:1', ports: [{ containerPort: 80, hostPort: 80 }] }] };
const mounts = { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] };
const claim = (accessModes: string[]) => [{ name: 'data', phase: 'Bound', accessModes, usedOn: ['a'] }];
const nodes = [node('a'), node('b')];

type Row = [old: KubeObject, young: KubeObject, around: Surroundings | undefined, says: RegExp | undefined];
const ROWS: Record<string, Row> = {
  'nothing is in the way': [deployment({}), deployment({}), { nodes }, undefined],
  'nothing is known': [deployment(port), deployment(port), undefined, undefined],
  'the only node has the old pod, and anti-affinity separates the pods': [
    deployment(apart),
    deployment(apart),
    { nodes: [node('a')] },
    /anti-affinity/,
  ],
  'there is a second node for a pod with anti-affinity': [deployment(apart), deployment(apart), { nodes }, undefined],
  'as many nodes as pods with anti-affinity': [
    deployment(apart, { replicas: 2 }),
    deployment(apart, { replicas: 2 }),
    { nodes },
    /anti-affinity/,
  ],
  'the anti-affinity is lifted, but old pods still have it': [deployment(apart), deployment({}), undefined, /anti-affinity/],
  'a quarter of four pods may go first': [deployment(apart, { replicas: 4 }), deployment(apart, { replicas: 4 }), { nodes }, undefined],
  'one may go first, as it says': [
    deployment(apart, { rollingUpdate: { maxUnavailable: 1 } }),
    deployment(apart, { rollingUpdate: { maxUnavailable: 1 } }),
    { nodes: [node('a')] },
    undefined,
  ],
  'all go first': [deployment(port, { type: 'Recreate' }), deployment(port, { type: 'Recreate' }), { nodes: [node('a')] }, undefined],
  'the host port of the only node': [deployment(port), deployment(port), { nodes: [node('a')] }, /port 80/],
  'another host port than before': [
    deployment(port),
    deployment({ containers: [{ name: 'app', image: 'web:1', ports: [{ containerPort: 80, hostPort: 81 }] }] }),
    { nodes: [node('a')] },
    undefined,
  ],
  'a ReadWriteOnce volume and two nodes': [
    deployment(mounts),
    deployment(mounts),
    { nodes, claims: claim(['ReadWriteOnce']) },
    /claim data/,
  ],
  'a ReadWriteOnce volume and only one node': [
    deployment(mounts),
    deployment(mounts),
    { nodes: [node('a')], claims: claim(['ReadWriteOnce']) },
    undefined,
  ],
  'a volume of one pod': [
    deployment(mounts),
    deployment(mounts),
    { nodes: [node('a')], claims: claim(['ReadWriteOncePod']) },
    /claim data/,
  ],
  'a volume of many': [deployment(mounts), deployment(mounts), { nodes, claims: claim(['ReadWriteMany']) }, undefined],
  'no room beside the old pod': [
    deployment(asks('1')),
    deployment(asks('1500m')),
    { nodes: [node('a', { cpu: 1, pods: 1 })] },
    /no node has room/,
  ],
  'no pod more on the only node': [deployment({}), deployment({}), { nodes: [node('a', { cpu: 0, pods: 10 })] }, /no node has room/],
  'room beside the old pod': [deployment(asks('1')), deployment(asks('500m')), { nodes: [node('a', { cpu: 1, pods: 1 })] }, undefined],
  'no room without the old pod either': [
    deployment(asks('1')),
    deployment(asks('3')),
    { nodes: [node('a', { cpu: 1, pods: 1 })] },
    undefined,
  ],
  'a quota of one pod': [
    deployment({}),
    deployment({}),
    { quotas: [{ name: 'team', scopes: [], hard: { pods: '1' }, used: { pods: '1' } }] },
    /quota team/,
  ],
  'a quota with room': [
    deployment({}),
    deployment({}),
    { quotas: [{ name: 'team', scopes: [], hard: { pods: '2' }, used: { pods: '1' } }] },
    undefined,
  ],
  'a StatefulSet ends its pods first': [
    { ...deployment(port), kind: 'StatefulSet' },
    { ...deployment(port), kind: 'StatefulSet' },
    { nodes: [node('a')] },
    undefined,
  ],
};

for (const [sentence, [old, young, surroundings, says]] of Object.entries(ROWS))
  test(`a rolling update ${says ? 'waits for ever' : 'goes on'}: ${sentence}`, () => {
    const block = rolloutBlock({ old, young, surroundings });
    if (says) assert.match(block ?? '', says);
    else assert.is(block, undefined);
  });

test.run();
