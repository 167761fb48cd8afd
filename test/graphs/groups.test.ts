import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { GraphNode, NodeStatus } from '../../src/contract/graph.ts';
import { groupsOf, worstOf } from '../../src/graphs/groups.ts';

const test = suite('groups of a graph');

const node = (kind: string, name: string, more: Partial<GraphNode> = {}): GraphNode => ({
  id: `${kind}/shop/${name}`,
  kind,
  name,
  namespace: 'shop',
  ...more,
});
const edge = (source: string, kind: string, target: string) => ({ id: `${source}|${kind}|${target}`, source, kind, target });

const WORST: [statuses: (NodeStatus | undefined)[], worst: NodeStatus][] = [
  [[], 'healthy'],
  [[undefined], 'healthy'],
  [['healthy', 'unknown'], 'unknown'],
  [['progressing', 'unknown', 'healthy'], 'progressing'],
  [['progressing', 'missing'], 'failing'],
  [['missing', 'failing', 'progressing'], 'failing'],
];
for (const [statuses, worst] of WORST)
  test(`${statuses.join(', ') || 'nothing'} together: ${worst}`, () =>
    assert.is(worstOf(statuses.map((status) => node('Pod', 'x', status ? { status } : {}))), worst));

test('an owner with all below it, and the nodes of an application; nothing alone is a group', () => {
  const nodes = [
    node('Deployment', 'web', { metadata: { application: 'till' } }),
    node('ReplicaSet', 'web-1'),
    node('Pod', 'web-1-a', { status: 'failing', metadata: { application: 'till' } }),
    node('Job', 'alone', { metadata: { application: 'other' } }),
    node('Pod', 'orphan'),
  ];
  const edges = [
    edge('Deployment/shop/web', 'owns', 'ReplicaSet/shop/web-1'),
    edge('ReplicaSet/shop/web-1', 'owns', 'Pod/shop/web-1-a'),
    edge('Pod/shop/orphan', 'uses', 'Job/shop/alone'),
  ];
  const groups = groupsOf(nodes, edges).map((group) => ({ ...group, members: group.members.toSorted() }));
  assert.equal(groups, [
    {
      id: 'owner/Deployment/shop/web',
      label: 'Deployment web',
      members: ['Deployment/shop/web', 'Pod/shop/web-1-a', 'ReplicaSet/shop/web-1'],
      status: 'failing',
      metadata: { folded: false, size: 3 },
    },
    {
      id: 'app/shop/till',
      label: 'till',
      members: ['Deployment/shop/web', 'Pod/shop/web-1-a'],
      status: 'failing',
      metadata: { folded: false, size: 2 },
    },
  ]);
});

test('of several owners the first counts; what hangs below a circle has no root', () => {
  const nodes = ['a', 'b', 'c'].map((name) => node('Pod', name));
  const id = (name: string) => `Pod/shop/${name}`;
  const two = groupsOf(nodes, [edge(id('a'), 'owns', id('c')), edge(id('b'), 'owns', id('c'))]);
  assert.equal(
    two.map(({ members }) => members.toSorted()),
    [[id('a'), id('c')]],
  );
  assert.equal(groupsOf(nodes, [edge(id('a'), 'owns', id('b')), edge(id('b'), 'owns', id('a')), edge(id('b'), 'owns', id('c'))]), []);
});

test.run();
