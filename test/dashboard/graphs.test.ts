import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Graph, GraphNode } from '../../src/contract/graph.ts';
import { queryOf } from '../../src/dashboard/components/query-of.ts';
import { dagrePlaces } from '../../src/dashboard/graphs/layout/dagre.ts';
import {
  type Arrow,
  boundsOf,
  elkGraph,
  GAP,
  neighbourAt,
  NODE,
  packed,
  partsOf,
  placesOf,
  shapeKey,
  viewportFor,
} from '../../src/dashboard/graphs/layout/positions.ts';
import { arrange, type Job } from '../../src/dashboard/graphs/layout/race.ts';
import { reachPath, sidesOf } from '../../src/dashboard/graphs/reach-address.ts';
import { pictureOf } from '../../src/dashboard/graphs/svg.ts';
import { idParts, pathOf, wantedOf } from '../../src/dashboard/graphs/url-state.ts';
import {
  countsOf,
  factsOf,
  failureOf,
  groupOf,
  hiddenIn,
  listed,
  matches,
  partOf,
  relationsOf,
  stateOf,
  statusOf,
  titleOf,
} from '../../src/dashboard/graphs/visible-part.ts';

// What a graph shows, where, and which address asks for it, tested without a browser.

const test = suite('graphs of the dashboard');

const node = (id: string, over: Partial<GraphNode> = {}): GraphNode => {
  const [kind = '', namespace = '', name = ''] = id.split('/');
  return { id, kind, namespace, name, status: 'healthy', ...over };
};
const edge = (source: string, kind: string, target: string) => ({ id: `${source}|${kind}|${target}`, source, kind, target });
const ids = (nodes: readonly GraphNode[]): string[] => nodes.map(({ id }) => id);

for (const [sentence, search, scope, path] of [
  [
    'both ends with their namespaces',
    { from: 'shop/web', to: 'back/db', port: '5432' },
    undefined,
    '?from=shop%2Fweb&to=back%2Fdb&port=5432',
  ],
  ['ends of the chosen namespace', { from: ' web ', to: 'db' }, 'shop', '?from=shop%2Fweb&to=shop%2Fdb'],
  ['an own namespace before the chosen one', { from: 'back/web', to: 'db' }, 'shop', '?from=back%2Fweb&to=shop%2Fdb'],
  ['a port of five digits', { from: 'a/b', to: 'c/d', port: '65535' }, undefined, '?from=a%2Fb&to=c%2Fd&port=65535'],
  ['no port of six digits', { from: 'a/b', to: 'c/d', port: '655350' }, undefined, '?from=a%2Fb&to=c%2Fd'],
  ['no port that is none', { from: 'a/b', to: 'c/d', port: '8x' }, undefined, '?from=a%2Fb&to=c%2Fd'],
  ['nothing without an end', { from: 'a/b' }, 'shop', undefined],
  ['nothing without a beginning', { to: 'a/b' }, 'shop', undefined],
  ['nothing without a namespace', { from: 'web', to: 'a/b' }, undefined, undefined],
  ['nothing for two slashes', { from: 'a/b/c', to: 'a/b' }, undefined, undefined],
  ['nothing for blanks within', { from: 'a b', to: 'a/b' }, 'shop', undefined],
] as const)
  test(`who reaches whom is asked for ${sentence}`, () => assert.is(reachPath(search, scope), path && `/api/access/can-reach${path}`));

test('each direction names its policies, and whether they have a rule for the other end', () => {
  const side = (restricted_by: string[], allowed_by: string[] = []) => ({ reach: 'allowed' as const, restricted_by, allowed_by });
  assert.equal(sidesOf({ egress: side([]), ingress: side(['shop/a', 'shop/b']) }), [
    'Sending: no NetworkPolicy restricts it.',
    'Receiving: restricted by shop/a, shop/b; none has a rule for the other end.',
  ]);
  assert.equal(sidesOf({ egress: side(['a/a'], ['a/a']), ingress: side(['a/a', 'a/b'], ['a/a', 'a/b']) }), [
    'Sending: restricted by a/a; a/a has a rule for the other end.',
    'Receiving: restricted by a/a, a/b; a/a, a/b have a rule for the other end.',
  ]);
});

test('a query has the values that are there, in order', () => {
  assert.is(queryOf({ b: 'x y', a: '1', none: undefined, empty: '' }), '?b=x+y&a=1');
  assert.is(queryOf({ none: undefined }), '');
});

/** Two layouts that the test ends, and the wait between them. */
function layouts() {
  const told: string[] = [];
  const ends: Record<string, { resolve(): void; reject(): void }> = {};
  const job = (by: string) => (): Job => {
    told.push(`${by} starts`);
    return {
      places: new Promise(
        (resolve, reject) => (ends[by] = { resolve: () => resolve({ [by]: { x: 0, y: 0 } }), reject: () => reject(new Error(by)) }),
      ),
      stop: () => void told.push(`${by} stops`),
    };
  };
  const giveUp = new AbortController();
  const wait = (ms: number) => new Promise<void>((resolve) => (ends['wait'] = { resolve, reject: () => void told.push(String(ms)) }));
  const made = arrange({ ids: [], edges: [], ratio: 1 }, { elk: job('elk'), dagre: job('dagre'), wait }, giveUp.signal);
  return {
    told,
    made,
    giveUp,
    end: (by: string) => ends[by]?.resolve(),
    fail: (by: string) => ends[by]?.reject(),
    turn: () => new Promise(setImmediate),
  };
}

test('the better layout is taken if it is in time; its worker is given back', async () => {
  const { told, made, end, fail } = layouts();
  fail('wait');
  end('elk');
  assert.equal(await made, { by: 'elk', places: { elk: { x: 0, y: 0 } } });
  assert.equal(told, ['elk starts', '500', 'elk stops']);
});

test('after half a second the faster layout starts too, and the first one wins', async () => {
  for (const winner of ['dagre', 'elk']) {
    const { told, made, end, turn } = layouts();
    end('wait');
    await turn();
    end(winner);
    assert.is((await made)?.by, winner);
    assert.equal(told, ['elk starts', 'dagre starts', 'elk stops', 'dagre stops']);
  }
});

test('if the better layout fails, the faster one is made at once; if both fail, it is an error', async () => {
  const one = layouts();
  one.fail('elk');
  await one.turn();
  one.end('dagre');
  assert.is((await one.made)?.by, 'dagre');
  const both = layouts();
  both.fail('elk');
  await both.turn();
  both.fail('dagre');
  assert.ok((await both.made.catch((error: unknown) => error)) instanceof Error);
});

test('a layout that nobody wants any more ends without a result, and starts no other', async () => {
  const early = layouts();
  early.giveUp.abort();
  early.end('wait');
  assert.is(await early.made, undefined);
  assert.equal(early.told, ['elk starts', 'elk stops']);
  const late = layouts();
  late.end('wait');
  await late.turn();
  late.giveUp.abort();
  late.end('dagre');
  assert.is(await late.made, undefined);
  assert.equal(late.told, ['elk starts', 'dagre starts', 'elk stops', 'dagre stops']);
});

test('graphs of the same nodes and edges have the same layout, in whatever order they come', () => {
  const edges = [edge('a', 'owns', 'b'), edge('a', 'owns', 'c')];
  const key = shapeKey({ ids: ['a', 'b', 'c'], edges });
  assert.is(shapeKey({ ids: ['c', 'a', 'b'], edges: edges.toReversed() }), key);
  for (const other of [
    { ids: ['a', 'b'], edges },
    { ids: ['a', 'b', 'c'], edges: edges.slice(1) },
    { ids: ['a', 'b', 'c'], edges: [edge('b', 'owns', 'a'), edges[1]!] },
  ])
    assert.is.not(shapeKey(other), key);
});

test('a graph falls into parts, the largest first, each with its edges', () => {
  const shape = { ids: ['x', 'a', 'b', 'c'], edges: [edge('a', 'k', 'b'), edge('c', 'k', 'b'), edge('a', 'k', 'gone')] };
  assert.equal(
    partsOf(shape).map((part) => [part.ids, part.edges.map(({ source, target }) => `${source}|k|${target}`)]),
    [
      [
        ['a', 'b', 'c'],
        ['a|k|b', 'c|k|b'],
      ],
      [['x'], []],
    ],
  );
});

test('ELK is asked for layers from left to right, with the distances and the size of a node', () => {
  const { layoutOptions, children, edges } = elkGraph({ ids: ['a', 'b'], edges: [edge('a', 'k', 'b')], ratio: 1 });
  assert.equal(
    ['elk.algorithm', 'elk.direction', 'elk.spacing.nodeNode', 'elk.layered.spacing.nodeNodeBetweenLayers'].map(
      (name) => layoutOptions?.[name],
    ),
    ['layered', 'RIGHT', '16', '64'],
  );
  assert.equal(children, [
    { id: 'a', width: 236, height: 58 },
    { id: 'b', width: 236, height: 58 },
  ]);
  assert.equal(edges, [{ id: '0', sources: ['a'], targets: ['b'] }]);
});

test('parts stand side by side while there is room, and begin at the top left corner', () => {
  const one = { a: { x: 50, y: 70 } };
  assert.equal(packed([one], 1), { a: { x: 0, y: 0 } });
  assert.equal(packed([], 1), {});
  const both = [one, { b: { x: 5, y: 5 } }];
  assert.equal(packed(both, 10), { a: { x: 0, y: 0 }, b: { x: NODE.width + GAP.part, y: 0 } });
  assert.equal(packed(both, 0.5), { a: { x: 0, y: 0 }, b: { x: 0, y: NODE.height + GAP.part } });
  const root = {
    id: 'root',
    children: [
      { id: 'a', x: 7, y: 9 },
      { id: 'b', x: 307, y: 9 },
    ],
  };
  assert.equal(placesOf(root, { ids: ['a', 'b'], edges: [edge('a', 'k', 'b')], ratio: 1 }), { a: { x: 0, y: 0 }, b: { x: 300, y: 0 } });
});

test('the faster layout puts what is owned right of its owner', () => {
  const places = dagrePlaces({ ids: ['a', 'b', 'c'], edges: [edge('a', 'k', 'b'), edge('a', 'k', 'c')], ratio: 3 });
  assert.is(places['b']?.x, (places['a']?.x ?? 0) + NODE.width + GAP.layer);
  assert.is(places['b']?.x, places['c']?.x);
  assert.is(Math.abs((places['b']?.y ?? 0) - (places['c']?.y ?? 0)), NODE.height + GAP.node);
});

test('the box around all places, and the view that shows it whole without enlarging it', () => {
  assert.equal(boundsOf({ a: { x: 10, y: 20 }, b: { x: 110, y: 5 } }), { x: 10, y: 5, width: 100 + 236, height: 15 + 58 });
  assert.equal(boundsOf({}), { x: 0, y: 0, width: 0, height: 0 });
  assert.equal(viewportFor({ x: 0, y: 0, width: 100, height: 50 }, { width: 640, height: 440 }), { x: 270, y: 195, zoom: 1 });
  assert.equal(viewportFor({ x: 0, y: 0, width: 1200, height: 50 }, { width: 640, height: 440 }), { x: 20, y: 207.5, zoom: 0.5 });
  assert.is(viewportFor({ x: 0, y: 0, width: 50, height: 1600 }, { width: 640, height: 440 }).zoom, 0.25);
  assert.is(viewportFor({ x: 0, y: 0, width: 1e6, height: 1 }, { width: 640, height: 440 }).zoom, 0.05);
});

for (const [key, to] of [
  ['ArrowRight', 'right'],
  ['ArrowLeft', 'left'],
  ['ArrowDown', 'down'],
  ['ArrowUp', 'up'],
] as [Arrow, string][])
  test(`${key} selects the nearest node that way, before one that is nearer but aside`, () => {
    const places = {
      me: { x: 0, y: 0 },
      right: { x: 90, y: 0 },
      left: { x: -90, y: 0 },
      down: { x: 0, y: 90 },
      up: { x: 0, y: -90 },
      aside: { x: 60, y: 60 },
      other: { x: -60, y: -60 },
    };
    assert.is(neighbourAt(places, 'me', key), to);
    assert.is(neighbourAt({ me: { x: 0, y: 0 } }, 'me', key), undefined);
    assert.is(neighbourAt(places, 'gone', key), undefined);
  });

test('an address selects a graph; what is not of the chosen namespace is dropped', () => {
  const plain = wantedOf({});
  assert.equal(
    [plain.view, plain.namespace, plain.as, plain.isNear, plain.isWhole, plain.expanded, plain.folded, plain.typed],
    ['workloads', undefined, undefined, false, false, [], [], undefined],
  );
  const wanted = wantedOf({
    ...{
      graph: 'network',
      namespace: 'shop',
      workload: 'Job/shop/a',
      role: 'ClusterRole/cluster-wide/b',
      node: 'Pod/x/y',
      near: '1',
      all: '1',
    },
    ...{ as: 'list', expand: 'a,,b', fold: 'c', q: 'z' },
  });
  assert.equal(wanted, {
    ...{
      view: 'network',
      namespace: 'shop',
      workload: 'Job/shop/a',
      role: 'ClusterRole/cluster-wide/b',
      node: 'Pod/x/y',
      isNear: true,
      isWhole: true,
    },
    ...{ as: 'list', expanded: ['a', 'b'], folded: ['c'], typed: 'z' },
  });
  const others = wantedOf({
    graph: 'x',
    namespace: 'shop',
    workload: 'Job/back/a',
    role: 'Role/back/b',
    node: 'Pod',
    near: 'yes',
    all: 'x',
    as: 'y',
  });
  assert.equal(
    [others.view, others.workload, others.role, others.node, others.isNear, others.isWhole, others.as],
    ['workloads', undefined, undefined, undefined, false, false, undefined],
  );
  assert.is(wantedOf({ as: 'graph' }).as, 'graph');
  assert.is(wantedOf({ graph: 'roles', role: 'Role/back/b' }).role, 'Role/back/b');
});

for (const [search, path] of [
  [{}, undefined],
  [{ namespace: 'a b' }, 'namespace/a%20b'],
  [{ namespace: 'shop', workload: 'Deployment/shop/web' }, 'workload/shop/Deployment/web'],
  [{ graph: 'network', namespace: 'shop' }, 'namespace/shop'],
  [{ graph: 'roles', namespace: 'shop' }, undefined],
  [{ graph: 'roles', role: 'ClusterRole/cluster-wide/system:x' }, 'clusterrole/system%3Ax'],
  [{ graph: 'roles', role: 'Role/shop/a' }, 'role/shop/a'],
  [{ namespace: 'shop', expand: 'x,y' }, 'namespace/shop?expand=x%2Cy'],
] as const)
  test(`${JSON.stringify(search)} asks for ${String(path)}`, () => assert.is(pathOf(wantedOf(search)), path && `/api/diagram/${path}`));

test('an id has three parts, and the name may have slashes', () => {
  assert.equal(idParts('Permission/shop/get /healthz'), { kind: 'Permission', namespace: 'shop', name: 'get /healthz' });
  for (const id of [undefined, '', 'a/b', 'a//c', '/b/c', 'a/b/']) assert.is(idParts(id), undefined, id);
});

test('the state of a node is its reason, its status, or what it allows', () => {
  const none = node('Permission/shop/p', { metadata: { verbs: ['get', 'list'] } });
  delete none.status;
  for (const [one, status, state] of [
    [node('Pod/shop/a'), 'healthy', 'Healthy'],
    [node('Pod/shop/a', { status: 'failing', metadata: { reason: 'OOMKilled' } }), 'failing', 'OOMKilled'],
    [node('Pod/shop/a', { status: 'missing' }), 'missing', 'Missing'],
    [node('Pod/shop/a', { status: 'progressing' }), 'progressing', 'Progressing'],
    [node('Pod/shop/a', { status: 'unknown', metadata: { reason: 7 } }), 'unknown', 'Unknown'],
    [node('Subject:User/cluster-wide/ann', { status: 'unknown' }), 'healthy', ''],
    [node('Subject:Group/cluster-wide/dev', { status: 'unknown' }), 'healthy', ''],
    [none, 'healthy', 'get, list'],
  ] as const) {
    assert.is(statusOf(one), status, one.id);
    assert.is(stateOf(one), state, one.id);
  }
  assert.is(titleOf({ kind: 'Subject:User', name: 'ann' }), 'User ann');
  assert.equal([hiddenIn(node('a/b/c', { metadata: { folded: 3 } })), hiddenIn(node('a/b/c', { metadata: { folded: 'x' } }))], [3, 0]);
  assert.equal(
    [failureOf(node('a/b/c', { metadata: { failure_id: 3 } })), failureOf(node('a/b/c', { metadata: { failure_id: '3' } }))],
    [3, undefined],
  );
});

test('facts of a node are its namespace and what is known of it, but not what stands elsewhere', () => {
  const metadata = {
    ready_replicas: 2,
    list: ['a', 1],
    empty: null,
    more: { a: 1 },
    reason: 'r',
    failure_id: 1,
    folded: 2,
    group: 'g',
    application: 'x',
  };
  assert.equal(factsOf(node('Pod/shop/a', { metadata })), [
    ['namespace', 'shop'],
    ['ready replicas', '2'],
    ['list', 'a, 1'],
    ['more', '{"a":1}'],
  ]);
  assert.equal(factsOf(node('Node/cluster-wide/n')), []);
});

const [web, set, one, two] = ['Deployment/shop/web', 'ReplicaSet/shop/web-1', 'Pod/shop/web-1-a', 'Pod/shop/web-1-b'] as const;
const GRAPH: Graph = {
  nodes: [
    node(web),
    node(set),
    node(one),
    node(two, { status: 'failing', metadata: { reason: 'OOMKilled' } }),
    node('Service/shop/web'),
    node('Node/cluster-wide/n1'),
    node('Node/cluster-wide/n2', { status: 'failing' }),
    node('ServiceAccount/shop/default'),
    node('ServiceAccount/shop/own'),
    node('ConfigMap/shop/kube-root-ca.crt'),
    node('ConfigMap/shop/settings', { status: 'missing' }),
    node('EndpointSlice/shop/e'),
  ],
  edges: [
    edge(web, 'owns', set),
    edge(set, 'owns', one),
    edge(set, 'owns', two),
    edge('Service/shop/web', 'selects', one),
    edge(two, 'mounts', 'ConfigMap/shop/settings'),
    edge(one, 'runs on', 'Node/cluster-wide/n1'),
  ],
  groups: [{ id: `owner/${web}`, label: 'web', members: [web, set, one, two] }],
};
const SHOWN = { isNetwork: false, isWhole: false, folded: [], near: undefined };

test('what nearly every pod has is left out unless it is wrong, wanted or chosen', () => {
  const part = partOf(GRAPH, SHOWN);
  const named = [node('Pod/shop/default'), node('Secret/shop/kube-root-ca.crt'), node('ConfigMap/shop/default')];
  assert.equal(partOf({ nodes: named, edges: [], groups: [] }, SHOWN).nodes, named);
  assert.equal(ids(part.nodes).slice(4), [
    'Service/shop/web',
    'Node/cluster-wide/n2',
    'ServiceAccount/shop/own',
    'ConfigMap/shop/settings',
  ]);
  assert.is(part.edges.length, 5);
  assert.is(partOf(GRAPH, { ...SHOWN, isWhole: true }).nodes.length, GRAPH.nodes.length);
  assert.equal(ids(partOf(GRAPH, { ...SHOWN, near: 'Node/cluster-wide/n1' }).nodes), [one, 'Node/cluster-wide/n1']);
  assert.equal(ids(partOf(GRAPH, { ...SHOWN, isNetwork: true }).nodes), [one, two, 'Service/shop/web']);
  assert.is(partOf(GRAPH, { ...SHOWN, near: 'gone' }).nodes.length, part.nodes.length);
});

test('near a node there is what it leads to and what leads to it', () =>
  assert.equal(ids(partOf(GRAPH, { ...SHOWN, near: set }).nodes), [web, set, one, two]));

test('a folded group is its root, with the edges of its members and their number', () => {
  const { nodes, edges } = partOf(GRAPH, { ...SHOWN, folded: [`owner/${web}`] });
  assert.equal(ids(nodes), [web, 'Service/shop/web', 'Node/cluster-wide/n2', 'ServiceAccount/shop/own', 'ConfigMap/shop/settings']);
  assert.equal(nodes[0]?.metadata, { folded: 3, group: `owner/${web}` });
  assert.equal(
    edges.map(({ id }) => id),
    [`Service/shop/web|selects|${web}`, `${web}|mounts|ConfigMap/shop/settings`],
  );
  assert.is(groupOf(nodes[0] ?? node(web), [{ id: `owner/${web}`, label: 'web', members: [web] }])?.label, 'web');
  assert.is(groupOf(node(web), [{ id: `owner/${web}`, label: 'web', members: [web] }]), undefined, 'a group of one');
  assert.is(groupOf(node(one), GRAPH.groups), undefined);
});

test('lists begin with what is wrong', () => {
  assert.equal(
    listed([
      node('Pod/s/b'),
      node('Job/s/z'),
      node('Pod/s/a'),
      node('Pod/s/u', { status: 'unknown' }),
      node('Pod/s/p', { status: 'progressing' }),
      node('Pod/s/m', { status: 'missing' }),
      node('Pod/s/f', { status: 'failing' }),
    ]).map(({ name }) => name),
    ['f', 'm', 'p', 'u', 'z', 'a', 'b'],
  );
  assert.equal(
    relationsOf(GRAPH, one).map(({ kind, isOutgoing, other }) => [kind, isOutgoing, other.name]),
    [
      ['owns', false, 'web-1'],
      ['runs on', true, 'n1'],
      ['selects', false, 'web'],
    ],
  );
  assert.equal(
    relationsOf(GRAPH, set).map(({ other }) => other.id),
    [two, web, one],
  );
});

test('an owner that fails because of its pods is not counted beside them', () => {
  assert.equal(countsOf(GRAPH), [
    ['failing', 2],
    ['missing', 1],
    ['healthy', 9],
  ]);
  const nodes = [node(set, { status: 'failing' }), node(two, { status: 'failing' })];
  assert.equal(countsOf({ nodes, edges: [edge(set, 'owns', two)] }), [['failing', 1]]);
  assert.equal(countsOf({ nodes, edges: [edge(set, 'selects', two)] }), [['failing', 2]]);
});

test('a search finds nodes by kind, name, status and reason, with every word', () => {
  for (const [typed, found] of [
    ['', undefined],
    ['  ', undefined],
    ['OOM pod', [two]],
    ['failing', [two, 'Node/cluster-wide/n2']],
    ['missing settings', ['ConfigMap/shop/settings']],
    ['nothing', []],
  ] as const) {
    const all = matches(GRAPH.nodes, typed);
    assert.equal(all && [...all], found, typed);
  }
});

test('the picture names its nodes and edges, escaped, in its own box', () => {
  const long = 'n'.repeat(40);
  const nodes = [
    node('Pod/shop/<b>&', { name: '<b>&', status: 'failing', metadata: { reason: 'r'.repeat(31) } }),
    node('Job/shop/long', { name: long, status: 'missing', metadata: { folded: 4 } }),
  ];
  const svg = pictureOf(
    { nodes, edges: [edge('Pod/shop/<b>&', 'owns', 'Job/shop/long'), edge('x', 'owns', 'Job/shop/long')] },
    { 'Pod/shop/<b>&': { x: 0, y: 0 }, 'Job/shop/long': { x: 300, y: 100 } },
  );
  const has = (text: string): void => assert.ok(svg.includes(text), `${text} in ${svg}`);
  has(`width="${300 + NODE.width + 48}" height="${100 + NODE.height + 48}" viewBox="-24 -24 `);
  has('<path d="M236,29 C268,29 268,129 300,129"><title>Pod/shop/&#60;b&#62;&#38; owns Job/shop/long</title></path>');
  has('>&#60;b&#62;&#38;</text>');
  has(`>${'n'.repeat(24)}…</text>`);
  has(`fill="#b42318">${'r'.repeat(29)}…</text>`);
  has('>Job +4</text>');
  has('stroke="#b42318" stroke-width="2.5"');
  has('stroke-dasharray="6 4"');
  assert.is(svg.match(/<path/g)?.length, 1, 'an edge without an end is not drawn');
});

test.run();
