import type { Graph, GraphNode, NodeStatus } from '../contract/graph.ts';

/** The colours of unhealthy nodes, as Mermaid styles. The status is also written as text, so that nobody depends on the colour. */
const STYLES: Partial<Record<NodeStatus, string>> = {
  progressing: 'stroke:#1971c2',
  failing: 'stroke:#c92a2a,stroke-width:3px',
  unknown: 'stroke-dasharray:2 2',
  missing: 'stroke:#c92a2a,stroke-dasharray:5 5',
};

/** The graph as text that Mermaid draws ("Flowcharts - Basic Syntax"): groups as subgraphs, relations as labels of arrows. */
export function asMermaid({ nodes, edges, groups }: Graph): string {
  const shortIds = new Map(nodes.map(({ id }, index) => [id, `n${index}`]));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const drawn = new Set<string>();
  const draw = (id: string, indent: string): string[] => {
    const node = byId.get(id);
    // A node is drawn where it is first named, because Mermaid knows only one group for each node.
    if (!node || drawn.has(id)) return [];
    drawn.add(id);
    return [`${indent}${shortIds.get(id)}${labelOf(node)}${STYLES[node.status ?? 'healthy'] ? `:::${node.status}` : ''}`];
  };
  const inGroups = groups.flatMap(({ label, members }, index) => {
    const lines = members.flatMap((id) => draw(id, '    '));
    return lines.length > 0 ? [`  subgraph g${index}["${escaped(label)}"]`, ...lines, '  end'] : [];
  });
  const others = nodes.flatMap(({ id }) => draw(id, '  '));
  const arrows = edges.flatMap(({ source, target, kind }) => {
    const [from, to] = [shortIds.get(source), shortIds.get(target)];
    return from && to ? [`  ${from} -->|"${escaped(kind)}"| ${to}`] : [];
  });
  const styles = Object.entries(STYLES).map(([status, style]) => `  classDef ${status} ${style}`);
  return `${['flowchart LR', ...inGroups, ...others, ...arrows, ...styles].join('\n')}\n`;
}

function labelOf({ kind, namespace, name, status = 'healthy' }: GraphNode): string {
  const state = status === 'healthy' ? '' : `<br/>${status}`;
  return `["${escaped(kind)}<br/>${escaped(namespace === 'cluster-wide' ? name : `${namespace}/${name}`)}${state}"]`;
}

/**
 * Names come from the cluster, so everything in them that Mermaid or HTML would interpret is escaped. Mermaid writes such characters as
 * `#<code>;`.
 */
function escaped(text: string): string {
  return text.replace(/[^\p{L}\p{N} ._/:-]/gu, (character) => `#${character.codePointAt(0)};`);
}
