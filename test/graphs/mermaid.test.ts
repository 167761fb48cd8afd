import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Graph } from '../../src/contract/graph.ts';
import { asMermaid } from '../../src/graphs/mermaid.ts';

// The expected texts follow Mermaid's documentation, "Flowcharts - Basic Syntax".

const test = suite('graphs as Mermaid');
const node = (kind: string, name: string, status: 'healthy' | 'failing' | 'missing' = 'healthy') => ({
  id: `${kind}/shop/${name}`,
  kind,
  name,
  namespace: 'shop',
  status,
});
const edge = (source: string, kind: string, target: string) => ({ id: `${source}|${kind}|${target}`, source, target, kind });

test('groups, nodes, relations and what is not healthy', () => {
  const graph: Graph = {
    nodes: [node('Deployment', 'web'), node('Pod', 'web-1', 'failing'), { ...node('Secret', 'key', 'missing') }],
    edges: [edge('Deployment/shop/web', 'owns', 'Pod/shop/web-1'), edge('Pod/shop/web-1', 'uses', 'Secret/shop/key')],
    groups: [{ id: 'g', label: 'web', members: ['Deployment/shop/web', 'Pod/shop/web-1'] }],
  };
  const text = asMermaid(graph);
  const expected = `flowchart LR
  subgraph g0["web"]
    n0["Deployment<br/>shop/web"]
    n1["Pod<br/>shop/web-1<br/>failing"]:::failing
  end
  n2["Secret<br/>shop/key<br/>missing"]:::missing
  n0 -->|"owns"| n1
  n1 -->|"uses"| n2
`;
  assert.is(text.slice(0, expected.length), expected);
  assert.match(text, /^ {2}classDef failing /m);
});

test('each state has its style, a cluster-scoped node has only its name, and an edge to nothing is left out', () => {
  const states = ['progressing', 'failing', 'unknown', 'missing'] as const;
  const nodes = [...states.map((status) => ({ ...node('Pod', status), status })), { ...node('Node', 'n1'), namespace: 'cluster-wide' }];
  const lines = asMermaid({ nodes, edges: [edge('Pod/shop/gone', 'uses', 'Pod/shop/failing')], groups: [] }).split('\n');
  for (const [index, status] of states.entries()) {
    assert.ok(lines.includes(`  n${index}["Pod<br/>shop/${status}<br/>${status}"]:::${status}`), status);
    assert.ok(
      lines.some((line) => line.startsWith(`  classDef ${status} stroke`)),
      status,
    );
  }
  assert.ok(lines.includes('  n4["Node<br/>n1"]'));
  assert.not.ok(lines.some((line) => line.includes('-->')));
  const { status: _, ...plain } = node('Pod', 'a');
  assert.match(
    asMermaid({ nodes: [plain], edges: [], groups: [{ id: 'g', label: 'none', members: ['x'] }] }),
    /^flowchart LR\n  n0\["Pod<br\/>shop\/a"\]\n  classDef/,
  );
});

test('names cannot break out of their labels', () => {
  const evil = 'a"]; click n0 "javascript:alert(1)" <b>\n  end';
  const text = asMermaid({ nodes: [node('Pod', evil)], edges: [], groups: [{ id: 'g', label: evil, members: ['Pod/shop/' + evil] }] });
  assert.is(text.split('\n').filter((line) => /^ *(?:end|click)/.test(line)).length, 1);
  assert.not.match(text, /<b>|alert\(|"\];/);
});

test('a node in two groups is drawn once, and an empty graph is valid', () => {
  const pod = node('Pod', 'web');
  const groups = ['a', 'b'].map((id) => ({ id, label: id, members: [pod.id] }));
  assert.is(asMermaid({ nodes: [pod], edges: [], groups }).match(/n0\[/g)?.length, 1);
  assert.match(asMermaid({ nodes: [], edges: [], groups: [] }), /^flowchart LR\n/);
});

test.run();
