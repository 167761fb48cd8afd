import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Graph, GraphNode } from '../../src/contract/graph.ts';
import { fold } from '../../src/graphs/fold.ts';
import { grouped } from '../../src/graphs/groups.ts';

const folding = suite('folding');

const node = (kind: string, name: string, more: Partial<GraphNode> = {}): GraphNode => ({
  id: `${kind}/shop/${name}`,
  kind,
  name,
  namespace: 'shop',
  status: 'healthy',
  metadata: {},
  ...more,
});
const edge = (source: string, kind: string, target: string) => ({ id: `${source}|${kind}|${target}`, source, kind, target });

/** `counts[i]` pods of Deployment `d<i>`, which all use one ConfigMap. In the Deployments of `failing`, the last pod fails. */
function aTeam(counts: number[], { failing = [], application }: { failing?: number[]; application?: string } = {}): Graph {
  const metadata = application ? { application } : {};
  const nodes = [node('ConfigMap', 'shared')];
  const edges = [];
  for (const [number, count] of counts.entries()) {
    nodes.push(node('Deployment', `d${number}`, { metadata }));
    for (let pod = 0; pod < count; pod++) {
      const name = `d${number}-${pod}`;
      nodes.push(node('Pod', name, { metadata, status: failing.includes(number) && pod === count - 1 ? 'failing' : 'healthy' }));
      edges.push(edge(`Deployment/shop/d${number}`, 'owns', `Pod/shop/${name}`), edge(`Pod/shop/${name}`, 'uses', 'ConfigMap/shop/shared'));
    }
  }
  return grouped({ nodes, edges });
}

/** Asserts that edges and members name only nodes of the graph, and that no id occurs twice. */
function isWhole({ nodes, edges, groups }: Graph): void {
  const ids = new Set(nodes.map(({ id }) => id));
  assert.is(ids.size, nodes.length, 'no id comes twice');
  assert.is(new Set(edges.map(({ id }) => id)).size, edges.length, 'no edge comes twice');
  for (const { source, target } of edges) assert.ok(ids.has(source) && ids.has(target), `${source} ${target}`);
  for (const { members } of groups) for (const id of members) assert.ok(ids.has(id), id);
}

folding('a small graph stays as it is', () => {
  const graph = aTeam([3, 4]);
  assert.is(fold(graph), graph);
});

folding('owners that just fit are not folded further', () => {
  const graph = fold(aTeam([3, 4], { application: 'shop' }), { limit: 3 });
  assert.equal(
    graph.nodes.map(({ id }) => id),
    ['ConfigMap/shop/shared', 'Deployment/shop/d0', 'Deployment/shop/d1'],
  );
});

folding('owners replace their pods and take over their edges', () => {
  const graph = fold(aTeam([3, 4]), { limit: 5 });
  isWhole(graph);
  assert.equal(
    graph.nodes.map(({ id }) => id),
    ['ConfigMap/shop/shared', 'Deployment/shop/d0', 'Deployment/shop/d1'],
  );
  assert.equal(
    graph.nodes.map(({ metadata }) => metadata?.['folded']),
    [undefined, 3, 4],
  );
  assert.equal(
    graph.edges.map(({ id }) => id),
    ['Deployment/shop/d0|uses|ConfigMap/shop/shared', 'Deployment/shop/d1|uses|ConfigMap/shop/shared'],
  );
  assert.equal(
    graph.groups.map(({ id, metadata }) => [id, metadata?.folded, metadata?.size]),
    [
      ['owner/Deployment/shop/d0', true, 4],
      ['owner/Deployment/shop/d1', true, 5],
    ],
  );
});

folding('a requested group is complete, however large', () => {
  const graph = fold(aTeam([3, 4]), { limit: 5, expand: ['owner/Deployment/shop/d1'] });
  isWhole(graph);
  assert.is(graph.nodes.length, 1 + 1 + 5);
  assert.equal(
    graph.groups.map(({ metadata }) => metadata?.folded),
    [true, false],
  );
});

folding('a name that is not a group changes nothing', () => {
  assert.equal(fold(aTeam([3, 4]), { limit: 5, expand: ['owner/Deployment/shop/d9', ''] }), fold(aTeam([3, 4]), { limit: 5 }));
});

folding('a failing group is complete while there is room; otherwise it says that it fails', () => {
  const small = fold(aTeam([9, 2], { failing: [1] }), { limit: 6 });
  isWhole(small);
  assert.ok(small.nodes.some(({ id }) => id === 'Pod/shop/d1-1'));
  assert.not(small.nodes.some(({ id }) => id === 'Pod/shop/d0-1'));
  const large = fold(aTeam([2, 9], { failing: [1] }), { limit: 6 });
  isWhole(large);
  assert.equal(
    large.nodes.map(({ name, status }) => [name, status]),
    [
      ['shared', 'healthy'],
      ['d0', 'healthy'],
      ['d1', 'failing'],
    ],
  );
});

folding('objects without an owner are folded by kind when folding by owner is not enough', () => {
  const { nodes, edges } = aTeam([2]);
  const loose = Array.from({ length: 50 }, (_, number) => node('ConfigMap', `c${number}`));
  const graph = fold(grouped({ nodes: [...nodes, ...loose], edges }), { limit: 10 });
  isWhole(graph);
  assert.equal(
    graph.nodes.map(({ id }) => id),
    ['Group/shop/ConfigMap', 'Deployment/shop/d0'],
  );
  assert.ok(graph.groups.some(({ id, metadata }) => id === 'kind/shop/ConfigMap' && metadata?.size === 51));
  const open = fold(grouped({ nodes: [...nodes, ...loose], edges }), { limit: 10, expand: ['kind/shop/ConfigMap'] });
  assert.is(open.nodes.length, 52);
});

folding('many owners of one application are folded into it', () => {
  const graph = fold(
    aTeam(
      Array.from({ length: 40 }, () => 2),
      { application: 'till' },
    ),
    { limit: 10 },
  );
  isWhole(graph);
  assert.equal(
    graph.nodes.map(({ id }) => id),
    ['ConfigMap/shop/shared', 'Group/shop/app till'],
  );
});

folding('owners in a circle make neither a group nor an endless loop', () => {
  const nodes = [node('A', 'a'), node('B', 'b')];
  const edges = [edge('A/shop/a', 'owns', 'B/shop/b'), edge('B/shop/b', 'owns', 'A/shop/a')];
  assert.equal(grouped({ nodes, edges }).groups, []);
});

folding('5,000 pods of 60 workloads are 300 nodes at most', () => {
  const graph = fold(
    aTeam(
      Array.from({ length: 60 }, () => 83),
      { failing: [3, 8, 11] },
    ),
  );
  isWhole(graph);
  assert.ok(graph.nodes.length <= 300, String(graph.nodes.length));
  assert.ok(graph.nodes.length > 200, 'two of the three failing groups fit');
});

folding('a graph of exactly as many nodes as are readable stays as it is', () => {
  const team = aTeam([3, 3]);
  const { length } = team.nodes;
  assert.is(fold(team, { limit: length }), team);
  const folded = fold(team, { limit: length - 1 });
  assert.ok(folded.nodes.length < length);
  isWhole(folded);
});

folding('failing groups are shown in full while there is room, the smallest first', () => {
  const team = aTeam([4, 2, 3], { failing: [0, 1] });
  const pods = (limit: number) =>
    fold(team, { limit })
      .nodes.filter(({ kind }) => kind === 'Pod')
      .map(({ name }) => name.slice(0, 2));
  const [alone, both] = [4 + 2, 4 + 2 + 4];
  assert.equal([pods(alone - 1), pods(alone), pods(both - 1)], [[], ['d1', 'd1'], ['d1', 'd1']]);
  assert.equal(pods(both), ['d0', 'd0', 'd0', 'd0', 'd1', 'd1']);
});

folding.run();
