import type { ElkNode } from 'elkjs/lib/elk-api.js';

// Computes the positions of a graph's nodes, in layers from left to right. Works without a browser.

/** Size of a node on the canvas, in pixels. */
export const NODE = { width: 236, height: 58 } as const;
/** The distances between layers, between nodes of a layer, and between unconnected parts. */
export const GAP = { layer: 64, node: 16, part: 28 } as const;

/** The input of a layout. */
export interface Shape {
  ids: string[];
  edges: { source: string; target: string }[];
  /** Width of the canvas divided by its height. */
  ratio: number;
}

export type Places = Record<string, { x: number; y: number }>;

/** Graphs with the same key have the same layout. */
export function shapeKey({ ids, edges }: Pick<Shape, 'ids' | 'edges'>): string {
  return JSON.stringify([ids.toSorted(), edges.map(({ source, target }) => `${source}|${target}`).toSorted()]);
}

/** The question to ELK. */
export function elkGraph({ ids, edges }: Shape): ElkNode {
  return {
    id: 'root',
    layoutOptions: {
      'elk.algorithm': 'layered',
      'elk.direction': 'RIGHT',
      'elk.spacing.nodeNode': String(GAP.node),
      'elk.layered.spacing.nodeNodeBetweenLayers': String(GAP.layer),
      'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
      // The API's order breaks ties, so that a new node moves the others little.
      'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
    },
    children: ids.map((id) => ({ id, ...NODE })),
    edges: edges.map(({ source, target }, index) => ({ id: String(index), sources: [source], targets: [target] })),
  };
}

/** ELK's answer with the parts of the graph packed again. */
export function placesOf({ children = [] }: ElkNode, shape: Shape): Places {
  const found = new Map(children.map(({ id, x = 0, y = 0 }) => [id, { x, y }]));
  const blocks = partsOf(shape).map(({ ids }) => Object.fromEntries(ids.map((id) => [id, found.get(id) ?? { x: 0, y: 0 }])));
  return packed(blocks, shape.ratio);
}

/** The connected components of the graph, largest first. */
export function partsOf({ ids, edges }: Pick<Shape, 'ids' | 'edges'>): Pick<Shape, 'ids' | 'edges'>[] {
  const near = new Map<string, string[]>(ids.map((id) => [id, []]));
  const within = edges.filter(({ source, target }) => near.has(source) && near.has(target));
  for (const { source, target } of within) {
    near.get(source)?.push(target);
    near.get(target)?.push(source);
  }
  const partOf = new Map<string, number>();
  const parts: Pick<Shape, 'ids' | 'edges'>[] = [];
  for (const id of ids) {
    if (partOf.has(id)) continue;
    partOf.set(id, parts.length);
    parts.push({ ids: [], edges: [] });
    const waiting = [id];
    for (let one = waiting.pop(); one !== undefined; one = waiting.pop())
      for (const other of near.get(one) ?? []) {
        if (partOf.has(other)) continue;
        partOf.set(other, parts.length - 1);
        waiting.push(other);
      }
  }
  for (const [id, index] of partOf) parts[index]?.ids.push(id);
  for (const edge of within) parts[partOf.get(edge.source) ?? 0]?.edges.push(edge);
  return parts.sort((a, b) => b.ids.length - a.ids.length);
}

/** So many columns are tried. */
const MOST_COLUMNS = 12;

/** Parts arranged so that they appear as large as possible on a canvas of that ratio. */
export function packed(parts: readonly Places[], ratio: number): Places {
  const blocks = parts.map((places) => ({ places, box: boundsOf(places) }));
  const widths = blocks.map(({ box }) => box.width).sort((a, b) => a - b);
  const columns = [widths[0], widths[Math.floor(widths.length / 2)], widths.at(-1)].map((width = 0) => width + GAP.part);
  const tried = columns.flatMap((width) => Array.from({ length: MOST_COLUMNS }, (_, index) => inRows(blocks, width * (index + 1))));
  const sizeOf = (places: Places): number => {
    const { width, height } = boundsOf(places);
    return Math.max(width / ratio, height);
  };
  return tried.reduce((best, one) => (sizeOf(one) < sizeOf(best) ? one : best));
}

/** Puts blocks side by side until a row is full. */
function inRows(blocks: readonly { places: Places; box: ReturnType<typeof boundsOf> }[], most: number): Places {
  const found: Places = {};
  let [left, top, rowHeight] = [0, 0, 0];
  for (const { places, box } of blocks) {
    if (left > 0 && left + box.width > most) [left, top, rowHeight] = [0, top + rowHeight + GAP.part, 0];
    for (const [id, { x, y }] of Object.entries(places)) found[id] = { x: x - box.x + left, y: y - box.y + top };
    left += box.width + GAP.part;
    rowHeight = Math.max(rowHeight, box.height);
  }
  return found;
}

/** The box around all places, in pixels. */
export function boundsOf(places: Places): { x: number; y: number; width: number; height: number } {
  const all = Object.values(places);
  if (all.length === 0) return { x: 0, y: 0, width: 0, height: 0 };
  const [x, y] = [Math.min(...all.map((one) => one.x)), Math.min(...all.map((one) => one.y))];
  return {
    x,
    y,
    width: Math.max(...all.map((one) => one.x)) + NODE.width - x,
    height: Math.max(...all.map((one) => one.y)) + NODE.height - y,
  };
}

/** As small as a graph is shown. */
export const FARTHEST = 0.05;
const MARGIN = 20;

/** The viewport that centres a whole box, without enlarging it. */
export function viewportFor(box: ReturnType<typeof boundsOf>, { width, height }: { width: number; height: number }) {
  const fitting = Math.min((width - 2 * MARGIN) / Math.max(1, box.width), (height - 2 * MARGIN) / Math.max(1, box.height));
  const zoom = Math.min(1, Math.max(FARTHEST, fitting));
  return { x: width / 2 - (box.x + box.width / 2) * zoom, y: height / 2 - (box.y + box.height / 2) * zoom, zoom };
}

export type Arrow = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown';

/** The node that an arrow key selects: the nearest in that direction, preferring nodes straight ahead. Undefined at the edge. */
export function neighbourAt(places: Places, from: string, key: Arrow): string | undefined {
  const start = places[from];
  if (!start) return undefined;
  const distance = ({ x, y }: { x: number; y: number }): number => {
    const [dx, dy] = [x - start.x, y - start.y];
    const [ahead, aside] = { ArrowRight: [dx, dy], ArrowLeft: [-dx, dy], ArrowDown: [dy, dx], ArrowUp: [-dy, dx] }[key] as [number, number];
    return ahead <= 1 ? Infinity : ahead + Math.abs(aside) * 2;
  };
  const [nearest] = Object.entries(places)
    .map(([id, place]) => ({ id, far: distance(place) }))
    .filter(({ far }) => Number.isFinite(far))
    .sort((a, b) => a.far - b.far);
  return nearest?.id;
}
