import { ActionIcon, VisuallyHidden } from '@mantine/core';
import { useReducedMotion } from '@mantine/hooks';
import {
  type Edge,
  Handle,
  MarkerType,
  type Node,
  type NodeProps,
  type NodeTypes,
  Panel as Corner,
  Position,
  ReactFlow,
  ReactFlowProvider,
  useReactFlow,
  useStore,
  type Viewport,
} from '@xyflow/react';
import '@xyflow/react/dist/base.css';
import { createContext, type KeyboardEvent, memo, type RefObject, use, useEffect, useMemo, useRef, useState } from 'react';
import type { GraphNode } from '../../contract/graph.ts';
import { Expand, Minus, Plus } from '../components/icons.tsx';
import classes from './graphs.module.css';
import { type Arrow, boundsOf, FARTHEST, neighbourAt, NODE, type Places, viewportFor } from './layout/positions.ts';
import { hiddenIn, kindOf, type Part, stateOf, STATUS_WORDS, statusOf, titleOf } from './visible-part.ts';
import { StatusSign } from './status-sign.tsx';

/** With this many nodes, only visible ones are in the document. */
const MANY = 120;
/** Below this zoom only names are readable, so they are drawn larger. */
const FAR = 0.55;
/** The minimum zoom for a node that is focused by keyboard. */
const READABLE = 0.75;

interface CanvasProps {
  part: Part;
  places: Places;
  /** The node whose panel is open. */
  chosen: string | undefined;
  /** Nodes found by a search; all others are dimmed. */
  found: ReadonlySet<string> | undefined;
  /** A new value shows the whole graph; otherwise the visible part stays. */
  subject: string;
  onChoose(id: string): void;
  onExpand(node: GraphNode): void;
}

/** Data that all nodes of the canvas share. */
interface Shared {
  /** The one node that Tab leads to. */
  cursor: string | undefined;
  /** Whether the focused node must take the focus, because it was just rendered. True once. */
  takeFocus(): boolean;
  onChoose(id: string): void;
  onExpand(node: GraphNode): void;
}

const SharedContext = createContext<Shared | null>(null);

/** The drawn graph. Arrow keys move between nodes, Enter opens one. */
export function Canvas(props: CanvasProps) {
  return (
    <ReactFlowProvider>
      <Flow {...props} />
    </ReactFlowProvider>
  );
}

interface CardData extends Record<string, unknown> {
  node: GraphNode;
  isChosen: boolean;
  isDim: boolean;
}
type CardNode = Node<CardData, 'card'>;

const NODE_TYPES: NodeTypes = { card: memo(Card) };

function Flow({ part, places, chosen, found, subject, onChoose, onExpand }: CanvasProps) {
  const flow = useReactFlow();
  const isStill = useReducedMotion() ?? false;
  const isFar = useStore(({ transform }) => transform[2] < FAR);
  const box = useRef<HTMLDivElement>(null);
  const focusWanted = useRef(false);
  const [moved, move] = useState<string>();
  const first = part.nodes.find((node) => statusOf(node) !== 'healthy') ?? part.nodes[0];
  const cursor = [moved, chosen].find((id) => id !== undefined && places[id]) ?? first?.id;
  const showAll = useInSight({ places, subject, chosen }, box);
  useEffect(() => {
    const place = chosen === undefined ? undefined : places[chosen];
    if (!place) return;
    // The panel first takes its space from the canvas.
    const frame = requestAnimationFrame(() => {
      if (!isInSight(place, box.current, flow))
        void flow.setCenter(place.x + NODE.width / 2, place.y + NODE.height / 2, { zoom: flow.getZoom(), duration: isStill ? 0 : 150 });
    });
    return () => cancelAnimationFrame(frame);
    // The code above keeps the node in sight when the graph is arranged anew.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [chosen]);

  const nodes = useMemo(
    () =>
      part.nodes.flatMap((node): CardNode[] => {
        const position = places[node.id];
        const isDim = found !== undefined && !found.has(node.id);
        const data = { node, isChosen: node.id === chosen, isDim };
        const about = { ariaRole: 'group' as const, ariaLabel: titleOf(node) };
        return position ? [{ id: node.id, type: 'card', position, data, ...NODE, ...about }] : [];
      }),
    [part, places, chosen, found],
  );
  const edges = useMemo(() => edgesOf(part, chosen), [part, chosen]);

  const goTo = (id: string): void => {
    const place = places[id];
    if (!place) return;
    move(id);
    focusWanted.current = true;
    const zoom = flow.getZoom();
    if (zoom < READABLE || !isInSight(place, box.current, flow))
      void flow.setCenter(place.x + NODE.width / 2, place.y + NODE.height / 2, {
        zoom: Math.max(zoom, READABLE),
        duration: isStill ? 0 : 150,
      });
  };
  const pressed = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const step = event.key.startsWith('Arrow') ? cursor && neighbourAt(places, cursor, event.key as Arrow) : endOf(event.key, nodes);
    if (step) goTo(step);
    if (event.key === '+') void flow.zoomIn();
    if (event.key === '-') void flow.zoomOut();
    if (event.key === '0') showAll();
    const node = part.nodes.find(({ id }) => id === cursor);
    if (event.key === 'e' && node && hiddenIn(node) > 0) onExpand(node);
    if (step || '+-0e'.includes(event.key)) {
      event.preventDefault();
      event.stopPropagation();
    }
  };
  const takeFocus = (): boolean => {
    const isWanted = focusWanted.current;
    focusWanted.current = false;
    return isWanted;
  };
  return (
    <SharedContext value={{ cursor, takeFocus, onChoose, onExpand }}>
      <div ref={box} className={classes['canvas']} data-far={isFar || undefined}>
        <p id="graph-keys" hidden>
          Arrow keys go from node to node, Enter opens one, e expands a folded one, plus and minus zoom, 0 shows everything.
        </p>
        <ReactFlow
          aria-label="Graph"
          aria-describedby="graph-keys"
          onKeyDown={pressed}
          nodes={nodes}
          edges={edges}
          nodeTypes={NODE_TYPES}
          minZoom={FARTHEST}
          maxZoom={2}
          nodesDraggable={false}
          nodesConnectable={false}
          nodesFocusable={false}
          edgesFocusable={false}
          elementsSelectable={false}
          disableKeyboardA11y
          attributionPosition="bottom-left"
          zoomOnDoubleClick={false}
          onlyRenderVisibleElements={nodes.length > MANY}
        >
          <Corner position="bottom-right" className={classes['zoom'] ?? ''}>
            <ActionIcon variant="default" aria-label="Zoom in" onClick={() => void flow.zoomIn()}>
              <Plus />
            </ActionIcon>
            <ActionIcon variant="default" aria-label="Zoom out" onClick={() => void flow.zoomOut()}>
              <Minus />
            </ActionIcon>
            <ActionIcon variant="default" aria-label="Show everything" onClick={showAll}>
              <Expand />
            </ActionIcon>
          </Corner>
        </ReactFlow>
      </div>
    </SharedContext>
  );
}

/** Home and End: the first and last node in the API's order. */
function endOf(key: string, nodes: readonly CardNode[]): string | undefined {
  return key === 'Home' ? nodes[0]?.id : key === 'End' ? nodes.at(-1)?.id : undefined;
}

function isInSight({ x, y }: { x: number; y: number }, box: Element | null, flow: ReturnType<typeof useReactFlow>): boolean {
  const seen = box?.getBoundingClientRect();
  if (!seen) return false;
  const [start, end] = [flow.flowToScreenPosition({ x, y }), flow.flowToScreenPosition({ x: x + NODE.width, y: y + NODE.height })];
  return start.x >= seen.left && start.y >= seen.top && end.x <= seen.right && end.y <= seen.bottom;
}

/**
 * Shows the whole graph of a new subject, and again when the window changes, unless somebody has moved it. When the same graph gets a new layout, the selected node keeps its place on the screen. Returns a
 * function that shows everything again.
 */
function useInSight(
  { places, subject, chosen }: Pick<CanvasProps, 'places' | 'subject' | 'chosen'>,
  box: RefObject<Element | null>,
): () => void {
  const flow = useReactFlow();
  const before = useRef<{ subject: string; places: Places }>(undefined);
  const whole = useRef<Viewport>(undefined);
  const showAll = (): void => {
    const { clientWidth: width = 0, clientHeight: height = 0 } = box.current ?? {};
    whole.current = viewportFor(boundsOf(places), { width, height });
    void flow.setViewport(whole.current);
  };
  useEffect(() => {
    const resized = (): void => {
      if (whole.current && isSame(flow.getViewport(), whole.current)) showAll();
    };
    addEventListener('resize', resized);
    return () => removeEventListener('resize', resized);
  });
  useEffect(() => {
    const known = before.current;
    before.current = { subject, places };
    if (known?.places === places && known.subject === subject) return;
    if (known?.subject !== subject) return showAll();
    const anchor = [chosen, ...Object.keys(places)].find((id) => id !== undefined && places[id] && known.places[id]);
    const [from, to] = [known.places[anchor ?? ''], places[anchor ?? '']];
    if (!from || !to) return;
    const { x, y, zoom } = flow.getViewport();
    void flow.setViewport({ x: x + (from.x - to.x) * zoom, y: y + (from.y - to.y) * zoom, zoom });
  });
  return showAll;
}

/** The canvas may round. */
function isSame(one: Viewport, other: Viewport): boolean {
  return Math.hypot(one.x - other.x, one.y - other.y) < 1 && Math.abs(one.zoom - other.zoom) < 0.001;
}

/** Edges of the selected node are highlighted and labelled. */
function edgesOf({ edges, nodes }: Part, chosen: string | undefined): Edge[] {
  const missing = new Set(nodes.filter((node) => statusOf(node) === 'missing').map(({ id }) => id));
  return edges.map(({ id, source, target, kind }) => {
    const isOfChosen = source === chosen || target === chosen;
    const kindClass = missing.has(target) || missing.has(source) ? 'edge-missing' : isOfChosen ? 'edge-chosen' : 'edge';
    return {
      id,
      source,
      target,
      className: classes[kindClass] ?? '',
      domAttributes: { 'aria-hidden': true },
      markerEnd: { type: MarkerType.ArrowClosed, width: 14, height: 14, color: 'context-stroke' },
      ...(isOfChosen ? { label: kind, zIndex: 1 } : {}),
    };
  });
}

function Card({ data: { node, isChosen, isDim } }: NodeProps<CardNode>) {
  const shared = use(SharedContext);
  const button = useRef<HTMLButtonElement>(null);
  const isCursor = shared?.cursor === node.id;
  useEffect(() => {
    if (isCursor && shared.takeFocus()) button.current?.focus({ preventScroll: true });
  });
  const status = statusOf(node);
  const more = hiddenIn(node);
  const state = stateOf(node);
  return (
    <div className={classes['card']} data-status={status} data-chosen={isChosen || undefined} data-dim={isDim || undefined}>
      <Handle type="target" position={Position.Left} isConnectable={false} />
      <button
        ref={button}
        type="button"
        className={`${classes['card-button']} nodrag nopan`}
        tabIndex={isCursor ? 0 : -1}
        aria-current={isChosen || undefined}
        title={state === '' ? node.id : `${node.id} · ${state}`}
        onClick={() => shared?.onChoose(node.id)}
      >
        <span className={classes['card-kind']}>{kindOf(node.kind)}</span> <bdi className={classes['card-name']}>{node.name}</bdi>{' '}
        <span className={classes['card-state']}>
          {node.status !== undefined && state !== '' && <StatusSign status={status} size={12} />}
          {node.status !== undefined && state !== STATUS_WORDS[status] && <VisuallyHidden>{STATUS_WORDS[status]}: </VisuallyHidden>}
          <bdi>{state}</bdi>
        </span>
      </button>
      {more > 0 && (
        <button
          type="button"
          className={`${classes['card-more']} nodrag nopan`}
          tabIndex={-1}
          aria-label={`Expand ${titleOf(node)}: ${more} more`}
          title={`Expand: ${more} more`}
          onClick={() => shared?.onExpand(node)}
        >
          +{more.toLocaleString()}
        </button>
      )}
      <Handle type="source" position={Position.Right} isConnectable={false} />
    </div>
  );
}
