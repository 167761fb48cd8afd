import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Graph, GraphNode, NodeStatus } from '../../src/contract/graph.ts';
import { addressOfPod } from '../../src/dashboard/components/graph-address.ts';
import { dagrePlaces } from '../../src/dashboard/graphs/layout/dagre.ts';
import {
  type Arrow,
  boundsOf,
  boxesOf,
  elkGraph,
  neighbourAt,
  NODE,
  packed,
  partsOf,
  type Places,
  placesOf,
  type Shape,
  shapeKey,
  viewportFor,
} from '../../src/dashboard/graphs/layout/places.ts';
import { arrange, type Job } from '../../src/dashboard/graphs/layout/race.ts';
import {
  countsOf,
  factsOf,
  listed,
  matches,
  partOf,
  quietEdges,
  relationsOf,
  type Shown,
  stateOf,
} from '../../src/dashboard/graphs/part.ts';
import { pictureOf } from '../../src/dashboard/graphs/picture.ts';
import { reachPath, sidesOf } from '../../src/dashboard/graphs/reach-address.ts';
import { pathOf, wantedOf } from '../../src/dashboard/graphs/wanted.ts';
import { groupsOf } from '../../src/graphs/groups.ts';

// What the screen Graphs works out, without a browser.

const node = (id: string, status?: NodeStatus, metadata?: Record<string, unknown>): GraphNode => {
  const [kind = '', namespace = '', name = ''] = id.split('/');
  return { id, kind, namespace, name, ...(status ? { status } : {}), ...(metadata ? { metadata } : {}) };
};
const edge = (source: string, kind: string, target: string) => ({ id: `${source}|${kind}|${target}`, source, target, kind });
const graphOf = (nodes: GraphNode[], edges: ReturnType<typeof edge>[]): Graph => ({ nodes, edges, groups: groupsOf(nodes, edges) });
const names = (nodes: readonly GraphNode[]) => nodes.map(({ kind, name }) => `${kind} ${name}`).join(', ');

const SHOP = graphOf(
  [
    node('Deployment/shop/web', 'failing', { reason: 'Crash' }),
    node('ReplicaSet/shop/web-1', 'failing', { reason: 'Crash' }),
    node('Pod/shop/web-1-a', 'failing', { reason: 'Crash', failure_id: 7, restarts: 3 }),
    node('Service/shop/web', 'healthy'),
    node('ConfigMap/shop/settings', 'missing'),
    node('ConfigMap/shop/kube-root-ca.crt', 'healthy'),
    node('ServiceAccount/shop/default', 'healthy'),
    node('Node/cluster-wide/a', 'healthy'),
    node('Node/cluster-wide/b', 'failing'),
  ],
  [
    edge('Deployment/shop/web', 'owns', 'ReplicaSet/shop/web-1'),
    edge('ReplicaSet/shop/web-1', 'owns', 'Pod/shop/web-1-a'),
    edge('Service/shop/web', 'selects', 'Pod/shop/web-1-a'),
    edge('Pod/shop/web-1-a', 'mounts', 'ConfigMap/shop/settings'),
    edge('Pod/shop/web-1-a', 'runs-on', 'Node/cluster-wide/a'),
  ],
);
const PLAIN: Shown = { isNetwork: false, isWhole: false, folded: [], near: undefined };

const parts = suite('what is shown of a graph');
for (const [sentence, shown, expected] of [
  [
    'what every pod has is left out while it is well',
    PLAIN,
    'Deployment web, ReplicaSet web-1, Pod web-1-a, Service web, ConfigMap settings, Node b',
  ],
  ['a network has neither owners nor settings', { ...PLAIN, isNetwork: true }, 'Pod web-1-a, Service web'],
  ['neighbours of a pod', { ...PLAIN, near: 'Pod/shop/web-1-a' }, 'ReplicaSet web-1, Pod web-1-a, Service web, ConfigMap settings'],
  [
    'a folded workload stands for its pods',
    { ...PLAIN, folded: ['owner/Deployment/shop/web'] },
    'Deployment web, Service web, ConfigMap settings, Node b',
  ],
  ['a group that is not there folds nothing', { ...PLAIN, isNetwork: true, folded: ['owner/Job/shop/x'] }, 'Pod web-1-a, Service web'],
  ['of a neighbour that is gone all is shown', { ...PLAIN, isNetwork: true, near: 'Pod/shop/gone' }, 'Pod web-1-a, Service web'],
] as [string, Shown, string][])
  parts(sentence, () => assert.is(names(partOf(SHOP, shown).nodes), expected));

parts('a folded workload keeps the edges of its pods, and says how many it hides', () => {
  const { nodes, edges } = partOf(SHOP, { ...PLAIN, folded: ['owner/Deployment/shop/web'] });
  assert.is(nodes[0]?.metadata?.['folded'], 2);
  assert.equal(
    edges.map(({ id }) => id),
    ['Service/shop/web|selects|Deployment/shop/web', 'Deployment/shop/web|mounts|ConfigMap/shop/settings'],
  );
});

parts('an owner that fails because of its pod is not counted beside it', () => {
  assert.equal(countsOf(SHOP), [
    ['failing', 2],
    ['missing', 1],
    ['healthy', 4],
  ]);
});

for (const [typed, expected] of [
  ['', undefined],
  ['  ', undefined],
  ['POD crash', ['Pod/shop/web-1-a']],
  ['missing', ['ConfigMap/shop/settings']],
  ['no such thing', []],
  ['<script>', []],
] as const)
  parts(`a search for “${typed}”`, () => {
    const found = matches(SHOP.nodes, typed);
    assert.equal(found && [...found], expected);
  });

parts('a list begins with what is not well', () => {
  assert.is(names(listed(SHOP.nodes).slice(0, 5)), 'Deployment web, Node b, Pod web-1-a, ReplicaSet web-1, ConfigMap settings');
});

parts('of a pod the panel tells what it is connected to, and what is known', () => {
  const relations = relationsOf(SHOP, 'Pod/shop/web-1-a').map(
    ({ kind, isOutgoing, other }) => `${isOutgoing ? '>' : '<'} ${kind} ${other.name}`,
  );
  assert.equal(relations, ['< owns web-1', '> mounts settings', '> runs-on a', '< selects web']);
  assert.equal(factsOf(SHOP.nodes[2] as GraphNode), [
    ['namespace', 'shop'],
    ['restarts', '3'],
  ]);
});

parts('a permission shows its verbs; a person has no status', () => {
  assert.is(stateOf(node('Permission/shop/pods', undefined, { verbs: ['get', 'list'] })), 'get, list');
  assert.is(stateOf(node('Subject:User/cluster-wide/ann', 'unknown')), '');
  assert.is(stateOf(node('Subject:ServiceAccount/shop/x', 'unknown')), 'Unknown');
});

const workloads = (count: number) =>
  Array.from({ length: count }, (_, index) => [node(`Deployment/shop/d${index}`, 'healthy'), node(`Pod/shop/p${index}`, 'healthy')]).flat();
const ownership = (count: number) =>
  Array.from({ length: count }, (_, index) => edge(`Deployment/shop/d${index}`, 'owns', `Pod/shop/p${index}`));
for (const [count, quiet] of [
  [8, 0],
  [9, 9],
] as const)
  parts(`a policy for ${count} workloads has ${quiet} quiet edges`, () => {
    const policy = node('NetworkPolicy/shop/all', 'healthy');
    const applies = Array.from({ length: count }, (_, index) => edge(policy.id, 'applies-to', `Pod/shop/p${index}`));
    assert.is(quietEdges({ nodes: [...workloads(count), policy], edges: [...ownership(count), ...applies] }).size, quiet);
  });
parts('a Service of many pods of one workload has no quiet edges, and neither has a role with many permissions', () => {
  const pods = Array.from({ length: 40 }, (_, index) => node(`Pod/shop/p${index}`, 'healthy'));
  const edges = pods.flatMap(({ id }) => [edge('ReplicaSet/shop/r', 'owns', id), edge('Service/shop/s', 'selects', id)]);
  assert.is(quietEdges({ nodes: [node('ReplicaSet/shop/r'), node('Service/shop/s'), ...pods], edges }).size, 0);
  const grants = pods.map(({ id }) => edge('Role/shop/r', 'grants', id.replace('Pod', 'Permission')));
  assert.is(quietEdges({ nodes: [], edges: grants }).size, 0);
});
parts.run();

const addresses = suite('addresses of graphs');
for (const [search, path] of [
  [{}, undefined],
  [{ namespace: 'shop' }, '/api/diagram/namespace/shop'],
  [{ namespace: '../x' }, '/api/diagram/namespace/..%2Fx'],
  [{ namespace: 'shop', expand: 'owner/Deployment/shop/web,' }, '/api/diagram/namespace/shop?expand=owner%2FDeployment%2Fshop%2Fweb'],
  [{ namespace: 'shop', workload: 'Deployment/shop/web' }, '/api/diagram/workload/shop/Deployment/web'],
  // The scope has changed: the workload of another namespace is none of it.
  [{ namespace: 'bank', workload: 'Deployment/shop/web' }, '/api/diagram/namespace/bank'],
  [{ namespace: 'shop', workload: 'nonsense' }, '/api/diagram/namespace/shop'],
  [{ graph: 'roles' }, undefined],
  [{ graph: 'roles', namespace: 'shop', role: 'Role/shop/ops:a/b' }, '/api/diagram/role/shop/ops%3Aa%2Fb'],
  [{ graph: 'roles', namespace: 'shop', role: 'ClusterRole/cluster-wide/view' }, '/api/diagram/clusterrole/view'],
  [{ graph: 'nonsense', namespace: 'shop' }, '/api/diagram/namespace/shop'],
] as const)
  addresses(`${JSON.stringify(search)} asks for ${path}`, () => assert.is(pathOf(wantedOf(search)), path));

addresses('a pod is shown with its workload, or with its neighbours where no graph is drawn around the workload', () => {
  const pod = { namespace: 'shop', pod_name: 'web-1' };
  const shown = { namespace: 'shop', node: 'Pod/shop/web-1' };
  assert.equal(addressOfPod({ ...pod, workload: { kind: 'Deployment', name: 'web' } }), { ...shown, workload: 'Deployment/shop/web' });
  for (const workload of [null, { kind: 'Rollout', name: 'web' }])
    assert.equal(addressOfPod({ ...pod, workload }), { ...shown, near: '1' });
});

for (const [asked, scope, path] of [
  [{}, 'shop', undefined],
  [{ from: 'a/web' }, 'shop', undefined],
  [{ from: 'web', to: 'b/db' }, undefined, undefined],
  [{ from: ' web ', to: 'b/db', port: '5432' }, 'shop', '/api/access/can-reach?from=shop%2Fweb&to=b%2Fdb&port=5432'],
  [{ from: 'a/web', to: 'b/db', port: 'http' }, undefined, '/api/access/can-reach?from=a%2Fweb&to=b%2Fdb'],
  [{ from: 'a/b/c', to: 'b/db' }, 'shop', undefined],
] as const)
  addresses(`can ${asked.from} reach ${asked.to} in ${scope}: ${path}`, () => assert.is(reachPath(asked, scope), path));

addresses('each direction says what decides it', () => {
  const free = { reach: 'allowed', restricted_by: [], allowed_by: [] } as const;
  const shut = { reach: 'refused', restricted_by: ['shop/db', 'shop/all'], allowed_by: ['shop/db'] } as const;
  assert.equal(
    sidesOf({
      egress: { ...free, restricted_by: [], allowed_by: [] },
      ingress: { ...shut, restricted_by: [...shut.restricted_by], allowed_by: [...shut.allowed_by] },
    }),
    ['Sending: no NetworkPolicy restricts it.', 'Receiving: restricted by shop/db, shop/all; shop/db has a rule for the other end.'],
  );
});
addresses.run();

const layouts = suite('where nodes stand');
const shape = (ids: string[], edges: [string, string][] = [], urgent: string[] = []): Shape => ({
  ids,
  edges: edges.map(([source, target]) => ({ source, target })),
  urgent,
  ratio: 1.6,
});
const overlaps = (places: Places): string[] => {
  const all = Object.entries(places);
  return all.flatMap(([id, one], index) =>
    all
      .slice(index + 1)
      .filter(([, other]) => Math.abs(one.x - other.x) < NODE.width && Math.abs(one.y - other.y) < NODE.height)
      .map(([other]) => `${id} ${other}`),
  );
};
const many = Array.from({ length: 50 }, (_, index) => `p${index}`);
const fan = shape(
  ['root', ...many, 'alone'],
  many.map((id): [string, string] => ['root', id]),
);

layouts('dagre: from left to right, every node once, none on another', () => {
  const places = dagrePlaces(fan);
  assert.equal(Object.keys(places).sort(), [...fan.ids].sort());
  assert.equal(overlaps(places), []);
  for (const id of many) assert.ok((places[id]?.x ?? 0) > (places['root']?.x ?? 0), id);
});

layouts('nodes with the same neighbours are one box, a grid; others have a box each', () => {
  const { boxes, edges } = boxesOf(fan);
  assert.equal(
    boxes.map(({ members }) => members.length).sort((a, b) => a - b),
    [1, 1, 50],
  );
  assert.is(edges.length, 1);
  assert.is(elkGraph(fan).children?.length, 3);
  assert.is(
    boxesOf(
      shape(
        ['a', 'b', 'c'],
        [
          ['a', 'b'],
          ['a', 'c'],
        ],
      ),
    ).boxes.length,
    3,
  );
  // An edge to what is not drawn is none.
  assert.is(boxesOf(shape(['a'], [['a', 'gone']])).edges.length, 0);
});

layouts('an answer of ELK becomes places of all members', () => {
  const { children = [] } = elkGraph(fan);
  const answer = { id: 'root', children: children.map((child, index) => ({ ...child, x: index * 5_000, y: 0 })) };
  const places = placesOf(answer, fan);
  assert.equal(Object.keys(places).sort(), [...fan.ids].sort());
  assert.equal(overlaps(places), []);
});

layouts('what fails comes first, then what is large', () => {
  const three = shape(
    ['a', 'b', 'c', 'd', 'e', 'f'],
    [
      ['b', 'c'],
      ['d', 'e'],
      ['e', 'f'],
    ],
    ['a'],
  );
  assert.equal(
    partsOf(three).map(({ ids }) => ids.join('')),
    ['a', 'def', 'bc'],
  );
});

layouts('parts are packed so that they fill the canvas', () => {
  const parts = Array.from({ length: 12 }, (_, index): Places => ({ [`a${index}`]: { x: 7, y: 9 }, [`b${index}`]: { x: 300, y: 9 } }));
  const places = packed(parts, 1.6);
  assert.equal(overlaps(places), []);
  const { width, height } = boundsOf(places);
  assert.ok(width / height > 0.6 && width / height < 4, `${width} × ${height}`);
  assert.equal(packed([], 1.6), {});
});

layouts('the view holds everything, never larger than it is; what would be too small begins at its beginning', () => {
  const box = { x: 100, y: 50, width: 2_000, height: 1_000 };
  assert.equal(viewportFor(box, { width: 1_040, height: 900 }), { x: 520 - 1_100 * 0.5, y: 450 - 550 * 0.5, zoom: 0.5 });
  assert.is(viewportFor({ x: 0, y: 0, width: 10, height: 10 }, { width: 1_000, height: 900 }).zoom, 1);
  const large = viewportFor({ x: 0, y: 0, width: 90_000, height: 100 }, { width: 1_000, height: 900 }, 0.4);
  assert.equal([large.zoom, large.x], [0.4, 20]);
});

const square: Places = { a: { x: 0, y: 0 }, b: { x: 300, y: 10 }, c: { x: 0, y: 80 }, d: { x: 300, y: 90 } };
for (const [from, key, to] of [
  ['a', 'ArrowRight', 'b'],
  ['a', 'ArrowDown', 'c'],
  ['d', 'ArrowLeft', 'c'],
  ['d', 'ArrowUp', 'b'],
  ['a', 'ArrowLeft', undefined],
  ['a', 'ArrowUp', undefined],
  ['gone', 'ArrowUp', undefined],
] as [string, Arrow, string | undefined][])
  layouts(`${key} leads from ${from} to ${to}`, () => assert.is(neighbourAt(square, from, key), to));

layouts('another order is the same shape, another edge is not', () => {
  const one = shape(['a', 'b'], [['a', 'b']]);
  assert.is(shapeKey(one), shapeKey({ ...one, ids: ['b', 'a'] }));
  assert.is.not(shapeKey(one), shapeKey(shape(['a', 'b'], [['b', 'a']])));
});

/** A job that ends when the test says so. */
function job(): Job & { end: PromiseWithResolvers<Places>; isStopped: boolean } {
  const end = Promise.withResolvers<Places>();
  const made = { places: end.promise, end, isStopped: false, stop: () => void (made.isStopped = true) };
  return made;
}

function race() {
  const [elk, dagre] = [job(), job()];
  const late = Promise.withResolvers<void>();
  let isAsked = false;
  const given = new AbortController();
  const makeDagre = () => {
    isAsked = true;
    return dagre;
  };
  const result = arrange(shape(['a']), { elk: () => elk, dagre: makeDagre, wait: () => late.promise }, given.signal);
  return { elk, dagre, late, result, given, isAsked: () => isAsked };
}
const PLACE: Places = { a: { x: 0, y: 0 } };

layouts('ELK in time is enough', async () => {
  const { elk, result, isAsked } = race();
  elk.end.resolve(PLACE);
  assert.equal(await result, { places: PLACE, by: 'elk' });
  assert.equal([isAsked(), elk.isStopped], [false, true]);
});
layouts('when ELK takes too long dagre wins, and ELK is stopped', async () => {
  const { elk, dagre, late, result } = race();
  late.resolve();
  dagre.end.resolve(PLACE);
  assert.is((await result).by, 'dagre');
  assert.equal([elk.isStopped, dagre.isStopped], [true, true]);
});
layouts('ELK that is late, and yet before dagre, wins', async () => {
  const { elk, late, result } = race();
  late.resolve();
  await late.promise;
  elk.end.resolve(PLACE);
  assert.is((await result).by, 'elk');
});
layouts('when ELK fails dagre does it; when both fail, that is said', async () => {
  const one = race();
  one.elk.end.reject(new Error('no worker'));
  one.dagre.end.resolve(PLACE);
  assert.is((await one.result).by, 'dagre');
  const two = race();
  two.elk.end.reject(new Error('no worker'));
  two.dagre.end.reject(new Error('no worker either'));
  assert.ok((await two.result.catch((error: unknown) => error)) instanceof Error);
});
layouts('whoever leaves stops the work', async () => {
  const { elk, given, result } = race();
  given.abort();
  assert.ok(elk.isStopped);
  elk.end.resolve(PLACE);
  await result;
});

layouts('a picture holds names as text, and nothing of them as markup', () => {
  const evil = node('Pod/shop/<script>&"\u0007', 'failing', { reason: '</text>' });
  const svg = pictureOf(
    { nodes: [evil, node('Pod/shop/b', 'healthy')], edges: [edge(evil.id, 'owns', 'Pod/shop/b')] },
    { [evil.id]: { x: 0, y: 0 }, 'Pod/shop/b': { x: 400, y: 0 } },
  );
  assert.not.match(svg, /<script|<\/text><\/text>/);
  assert.not.ok(svg.includes('\u0007'));
  assert.match(svg, '&#60;script&#62;');
  assert.is((svg.match(/<path /g) ?? []).length, 1);
  assert.match(pictureOf({ nodes: [], edges: [] }, {}), '</svg>');
});
layouts.run();
