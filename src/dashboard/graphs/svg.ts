import type { GraphNode, NodeStatus } from '../../contract/graph.ts';
import { boundsOf, NODE, type Places } from './layout/positions.ts';
import { hiddenIn, kindOf, type Part, stateOf, statusOf } from './visible-part.ts';

const MARGIN = 24;
const STROKES: Record<NodeStatus, string> = {
  failing: 'stroke="#b42318" stroke-width="2.5"',
  missing: 'stroke="#b42318" stroke-width="2" stroke-dasharray="6 4"',
  progressing: 'stroke="#1864ab" stroke-width="2"',
  unknown: 'stroke="#5b6169" stroke-width="1.5" stroke-dasharray="2 3"',
  healthy: 'stroke="#ced4da" stroke-width="1.5"',
};
/** As many characters fit into a node. */
const FITTING = { small: 30, large: 25 };

/** The graph as a standalone SVG on white. Statuses are written out. */
export function pictureOf({ nodes, edges }: Part, places: Places): string {
  const { x, y, width, height } = boundsOf(places);
  const [w, h] = [Math.ceil(width + 2 * MARGIN), Math.ceil(height + 2 * MARGIN)];
  const lines = edges.flatMap(({ source, target, kind }) => {
    const [from, to] = [places[source], places[target]];
    return from && to ? [`<path d="${curve(from, to)}"><title>${escaped(`${source} ${kind} ${target}`)}</title></path>`] : [];
  });
  const boxes = nodes.flatMap((node) => {
    const place = places[node.id];
    return place ? [box(node, place)] : [];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${w}" height="${h}" viewBox="${x - MARGIN} ${y - MARGIN} ${w} ${h}" font-family="system-ui, sans-serif">`,
    `<rect x="${x - MARGIN}" y="${y - MARGIN}" width="${w}" height="${h}" fill="#fff"/>`,
    `<g fill="none" stroke="#868e96" stroke-width="1.2">${lines.join('')}</g>`,
    ...boxes,
    '</svg>',
  ].join('\n');
}

function curve(from: { x: number; y: number }, to: { x: number; y: number }): string {
  const [x1, y1, x2, y2] = [from.x + NODE.width, from.y + NODE.height / 2, to.x, to.y + NODE.height / 2];
  const bend = Math.max(30, Math.abs(x2 - x1) / 2);
  return `M${x1},${y1} C${x1 + bend},${y1} ${x2 - bend},${y2} ${x2},${y2}`;
}

function box(node: GraphNode, { x, y }: { x: number; y: number }): string {
  const status = statusOf(node);
  const state = stateOf(node);
  const more = hiddenIn(node);
  const kind = `${kindOf(node.kind)}${more > 0 ? ` +${more}` : ''}`;
  return [
    `<g transform="translate(${x},${y})"><title>${escaped(node.id)}</title>`,
    `<rect width="${NODE.width}" height="${NODE.height}" rx="8" fill="#fff" ${STROKES[status]}/>`,
    `<text x="12" y="17" font-size="11" fill="#5b6169">${escaped(short(kind, FITTING.small))}</text>`,
    `<text x="12" y="34" font-size="13" font-weight="600" fill="#212529">${escaped(short(node.name, FITTING.large))}</text>`,
    `<text x="12" y="50" font-size="11" fill="${status === 'failing' || status === 'missing' ? '#b42318' : '#5b6169'}">${escaped(short(state, FITTING.small))}</text>`,
    '</g>',
  ].join('');
}

const short = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most - 1)}…` : text);

/** Names come from the cluster: escape markup and drop control characters. */
function escaped(text: string): string {
  return text.replace(/[\p{Cc}\p{Cs}\uFFFE\uFFFF]/gu, ' ').replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
