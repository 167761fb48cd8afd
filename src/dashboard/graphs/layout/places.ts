import type { ElkNode } from 'elkjs/lib/elk-api.js';

// Where the nodes of a graph stand: from left to right, in layers. Works without a browser.

/** Size of a node on the canvas, in pixels. */
export const NODE = { width: 236, height: 58 } as const;
/** Between layers, between nodes of a layer, and between parts that are not connected. */
export const GAP = { layer: 64, node: 16, part: 28 } as const;

/** What a layout needs to know. */
export interface Shape {
  ids: string[];
  edges: { source: string; target: string }[];
  /** Nodes whose parts of the graph come first. */
  urgent: string[];
  /** Width of the canvas divided by its height. */
  ratio: number;
}

export type Places = Record<string, { x: number; y: number }>;

/** Two graphs with the same key have the same layout. */
export function shapeKey({ ids, edges }: Pick<Shape, 'ids' | 'edges'>): string {
  return JSON.stringify([ids.toSorted(), edges.map(({ source, target }) => `${source}|${target}`).toSorted()]);
}

/** What is laid out as one: a node, or a grid of nodes that have the same neighbours, such as the pods of a ReplicaSet. */
export interface Box {
  /** The id of its first member. */
  id: string;
  members: string[];
  columns: number;
  width: number;
  height: number;
}

/** So many nodes with the same neighbours stand below each other; more stand in a grid. */
const MOST_BELOW = 6;
/** A grid is about so many times as wide as it is high. */
const GRID_RATIO = 1.4;

/** The boxes of a graph, and the edges between them. */
export function boxesOf({ ids, edges }: Pick<Shape, 'ids' | 'edges'>): { boxes: Box[]; edges: Shape['edges'] } {
  const known = new Set(ids);
  const within = edges.filter(({ source, target }) => known.has(source) && known.has(target));
  const near = new Map<string, string[]>(ids.map((id) => [id, []]));
  for (const { source, target } of within) {
    near.get(source)?.push(`>${target}`);
    near.get(target)?.push(`<${source}`);
  }
  const alike = new Map<string, string[]>();
  for (const id of ids) {
    const others = near.get(id) ?? [];
    const key = others.length === 0 ? id : [...new Set(others)].sort().join(' ');
    alike.set(key, [...(alike.get(key) ?? []), id]);
  }
  const groups = [...alike.values()].flatMap((members) => (members.length > MOST_BELOW ? [members] : members.map((id) => [id])));
  const boxes = groups.map(boxOf);
  const boxIds = new Map(boxes.flatMap(({ id, members }) => members.map((member) => [member, id] as const)));
  const joined = new Map(
    within.map(({ source, target }) => {
      const ends = { source: boxIds.get(source) ?? source, target: boxIds.get(target) ?? target };
      return [`${ends.source} ${ends.target}`, ends];
    }),
  );
  return { boxes, edges: [...joined.values()] };
}

function boxOf(members: string[]): Box {
  const [width, height] = [NODE.width + GAP.node, NODE.height + GAP.node];
  const columns = members.length === 1 ? 1 : Math.ceil(Math.sqrt((members.length * GRID_RATIO * height) / width));
  const rows = Math.ceil(members.length / columns);
  return { id: members[0] ?? '', members, columns, width: columns * width - GAP.node, height: rows * height - GAP.node };
}

/** Where the members of a box stand, when its upper left corner is there. */
export function membersAt({ members, columns }: Box, { x, y }: { x: number; y: number }): Places {
  return Object.fromEntries(
    members.map((id, index) => [
      id,
      { x: x + (index % columns) * (NODE.width + GAP.node), y: y + Math.floor(index / columns) * (NODE.height + GAP.node) },
    ]),
  );
}

/** The question to ELK. */
export function elkGraph(shape: Shape): ElkNode {
  const { boxes, edges } = boxesOf(shape);
  return {
    id: 'root',
    layoutOptions: {
      'elk.algorithm': 'layered',
      'elk.direction': 'RIGHT',
      'elk.spacing.nodeNode': String(GAP.node),
      'elk.layered.spacing.nodeNodeBetweenLayers': String(GAP.layer),
      'elk.layered.nodePlacement.strategy': 'NETWORK_SIMPLEX',
      // The order in which the API answers breaks ties, so that a node that comes moves the others little.
      'elk.layered.considerModelOrder.strategy': 'NODES_AND_EDGES',
    },
    children: boxes.map(({ id, width, height }) => ({ id, width, height })),
    edges: edges.map(({ source, target }, index) => ({ id: String(index), sources: [source], targets: [target] })),
  };
}

/** ELK's answer, with the parts of the graph packed anew. */
export function placesOf({ children = [] }: ElkNode, shape: Shape): Places {
  const found = new Map(children.map(({ id, x = 0, y = 0 }) => [id, { x, y }]));
  const places = Object.assign({}, ...boxesOf(shape).boxes.map((box) => membersAt(box, found.get(box.id) ?? { x: 0, y: 0 }))) as Places;
  const parts = partsOf(shape).map(({ ids }) => Object.fromEntries(ids.map((id) => [id, places[id] ?? { x: 0, y: 0 }])));
  return packed(parts, shape.ratio);
}

/** The parts of a graph between which there is no edge: the urgent ones first, then the largest. */
export function partsOf({ ids, edges, urgent }: Omit<Shape, 'ratio'>): Pick<Shape, 'ids' | 'edges'>[] {
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
  const isUrgent = new Set(urgent.map((id) => parts[partOf.get(id) ?? -1]));
  return parts.sort((a, b) => Number(isUrgent.has(b)) - Number(isUrgent.has(a)) || b.ids.length - a.ids.length);
}

/** So many columns are tried. */
const MOST_COLUMNS = 12;

/** Parts beside and below each other, so that all of them are as large as possible on a canvas of that ratio. */
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

/** Blocks beside each other until a row is full. */
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

/**
 * Where the canvas looks so that all of a box is in its middle, and never larger than it is. What would be smaller than `least` is shown
 * from its beginning.
 */
export function viewportFor(box: ReturnType<typeof boundsOf>, { width, height }: { width: number; height: number }, least = FARTHEST) {
  const fitting = Math.min((width - 2 * MARGIN) / Math.max(1, box.width), (height - 2 * MARGIN) / Math.max(1, box.height));
  const zoom = Math.min(1, Math.max(least, fitting));
  const start = (room: number, from: number, length: number): number =>
    length * zoom <= room ? room / 2 - (from + length / 2) * zoom : MARGIN - from * zoom;
  return { x: start(width, box.x, box.width), y: start(height, box.y, box.height), zoom };
}

export type Arrow = 'ArrowLeft' | 'ArrowRight' | 'ArrowUp' | 'ArrowDown';

/**
 * The node that an arrow key leads to: the nearest one on that side, where what lies straight ahead is nearer than what lies aside.
 * Undefined at the edge.
 */
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
