import dagre from '@dagrejs/dagre';
import { GAP, NODE, packed, type Places, partsOf, type Shape } from './positions.ts';

/** A layout similar to ELK's, but faster and simpler. */
export function dagrePlaces(shape: Shape): Places {
  const blocks = partsOf(shape).map(({ ids, edges }): Places => {
    const graph = new dagre.graphlib.Graph();
    graph.setGraph({ rankdir: 'LR', nodesep: GAP.node, ranksep: GAP.layer });
    graph.setDefaultEdgeLabel(() => ({}));
    for (const id of ids) graph.setNode(id, { ...NODE });
    for (const { source, target } of edges) graph.setEdge(source, target);
    dagre.layout(graph);
    return Object.fromEntries(
      ids.map((id) => {
        const { x = 0, y = 0 } = graph.node(id) as { x?: number; y?: number };
        return [id, { x: x - NODE.width / 2, y: y - NODE.height / 2 }];
      }),
    );
  });
  return packed(blocks, shape.ratio);
}
