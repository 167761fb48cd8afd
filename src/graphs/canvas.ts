import type { Graph, GraphEdge, GraphNode } from '../contract/graph.ts';

/** The id of a node. Only names in access rights may contain a slash, so the name is the last part. */
export function nodeId({ kind, namespace, name }: Pick<GraphNode, 'kind' | 'namespace' | 'name'>): string {
  return `${kind}/${namespace}/${name}`;
}

/** A graph that is being drawn. The first node with an id stays; an edge is drawn once. */
export interface Canvas {
  node(id: string): GraphNode | undefined;
  nodes(): GraphNode[];
  edges(): GraphEdge[];
  /** Adds a node unless the canvas has one with this id, and returns the node of the canvas. */
  draw(node: Omit<GraphNode, 'id'>): GraphNode;
  connect(source: string, kind: string, target: string): void;
  graph(): Pick<Graph, 'nodes' | 'edges'>;
}

/** An empty canvas. */
export function canvas(): Canvas {
  const nodes = new Map<string, GraphNode>();
  const edges = new Map<string, GraphEdge>();
  return {
    node: (id) => nodes.get(id),
    nodes: () => [...nodes.values()],
    edges: () => [...edges.values()],
    draw(node) {
      const id = nodeId(node);
      const known = nodes.get(id);
      if (known) return known;
      const drawn = { id, ...node };
      nodes.set(id, drawn);
      return drawn;
    },
    connect(source, kind, target) {
      const id = edgeId(source, kind, target);
      if (!edges.has(id)) edges.set(id, { id, source, target, kind });
    },
    graph: () => ({ nodes: [...nodes.values()], edges: [...edges.values()] }),
  };
}

/** The id of an edge. */
export function edgeId(source: string, kind: string, target: string): string {
  return `${source}|${kind}|${target}`;
}
