import { Button, Checkbox, SegmentedControl, Skeleton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense, useState } from 'react';
import type { Graph, GraphNode } from '../../contract/graph.ts';
import { rightsAddress } from '../components/access-address.ts';
import { useAddress } from '../components/address.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { isWorkload } from '../components/graph-address.ts';
import { useKeys } from '../components/use-keys.ts';
import { Notice } from '../components/notice.tsx';
import { PageHead } from '../components/page-head.tsx';
import { SearchField } from '../components/search.tsx';
import { ask } from '../live/request.ts';
import { ChooseNamespace, ChooseRole } from './choose-namespace.tsx';
import { Export } from './export.tsx';
import classes from './graphs.module.css';
import type { Places } from './layout/positions.ts';
import { NodeList } from './node-list.tsx';
import { NodePanel } from './node-panel.tsx';
import { countsOf, groupOf, hiddenIn, matches, type Part, partOf, STATUS_WORDS, titleOf } from './visible-part.ts';
import { Reach } from './reach.tsx';
import { StatusSign } from './status-sign.tsx';
import { idParts, pathOf, type View, type Wanted, wantedOf } from './url-state.ts';

// The canvas and the layout are large chunks, which the list and the questions do not need.
const Drawing = lazy(async () => ({ default: (await import('./drawing.tsx')).Drawing }));

/** How soon changes without a socket message appear, such as a new ConfigMap. */
const REFRESH_MS = 30_000;
/** The maximum number of nodes that are drawn. Larger graphs are only listed. */
const MOST_DRAWN = 1_500;

const NAMES: Record<View, string> = { workloads: 'Workloads', network: 'Network', roles: 'Roles' };

/** Three graphs: which objects belong together, which pods may communicate, and who has which rights. */
export function Screen() {
  const [search, change] = useAddress();
  const wanted = wantedOf(search);
  return (
    <>
      <PageHead
        title="Graphs"
        beside={
          <SegmentedControl
            size="xs"
            aria-label="Which graph"
            data={Object.entries(NAMES).map(([value, label]) => ({ value, label }))}
            value={wanted.view}
            onChange={(graph) => change({ graph, node: undefined, near: undefined, q: undefined }, 'push')}
          />
        }
      />
      <OneGraph wanted={wanted} />
    </>
  );
}

function OneGraph({ wanted }: { wanted: Wanted }) {
  const path = pathOf(wanted);
  const { data, error, refetch, isPlaceholderData } = useQuery({
    queryKey: ['graph', path],
    queryFn: ({ signal }) => ask<Graph>(path ?? '', { signal }),
    enabled: path !== undefined,
    refetchInterval: REFRESH_MS,
    placeholderData: keepPreviousData,
  });
  const isRoles = wanted.view === 'roles';
  return (
    <>
      {wanted.view === 'network' && <Reach namespace={wanted.namespace} />}
      {isRoles && <ChooseRole namespace={wanted.namespace} role={wanted.role} />}
      {path === undefined && !isRoles && <ChooseNamespace />}
      {path !== undefined && <ErrorNotice error={error} onRetry={() => void refetch()} />}
      {path !== undefined && !data && !error && <Skeleton height={420} role="img" aria-label="Loading the graph" />}
      {path !== undefined && data && !(error && isPlaceholderData) && <Shown graph={data} wanted={wanted} path={path} />}
    </>
  );
}

interface ShownProps {
  graph: Graph;
  wanted: Wanted;
  path: string;
}

function Shown({ graph, wanted, path }: ShownProps) {
  const [, change] = useAddress();
  const [places, setPlaces] = useState<Places>();
  const { view, isNear, isWhole, folded, typed } = wanted;
  const node = graph.nodes.find(({ id }) => id === wanted.node);
  const part = partOf(graph, {
    isNetwork: view === 'network',
    isWhole: isWhole || view === 'roles',
    folded,
    near: isNear ? node?.id : undefined,
  });
  const found = matches(part.nodes, typed);
  const isTooMuch = part.nodes.length > MOST_DRAWN;
  // On a screen this narrow, a whole graph is unreadable.
  const isNarrow = useMediaQuery('(max-width: 47.99em)', false, { getInitialValueInEffect: false });
  const isWanted = wanted.as === undefined ? isNarrow : wanted.as === 'list';
  const isList = isWanted || isTooMuch;
  const subject = JSON.stringify([path.replace(/\?.*/, ''), view, isNear && node?.id, isWhole]);
  return (
    <>
      <Toolbar graph={graph} part={part} found={found} wanted={wanted} isList={isWanted}>
        <Export path={path} drawn={isList || !places ? undefined : { part, places }} name={nameOf(wanted)} />
      </Toolbar>
      {graph.missing_rights && (
        <Notice tone="unsure">
          Podmend may not {graph.missing_rights.join(', ')}: the graph lacks what these would show. An administrator can grant it.
        </Notice>
      )}
      {wanted.node && !node && <Gone id={wanted.node} onClose={() => change({ node: undefined, near: undefined })} />}
      {isTooMuch && !isWanted && (
        <Notice tone="plain">{part.nodes.length.toLocaleString()} nodes are too many to draw: here they are as a list.</Notice>
      )}
      {part.nodes.length === 0 ? (
        <EmptyState title={graph.nodes.length === 0 ? 'Nothing is here' : 'Nothing of this kind is here'}>
          {view === 'network'
            ? 'This namespace has no pods, Services, Ingresses and NetworkPolicies.'
            : 'As soon as there are workloads in this namespace, they are drawn here.'}
        </EmptyState>
      ) : (
        <Stage graph={graph} part={part} wanted={wanted} found={found} node={node} isList={isList} subject={subject} onPlaces={setPlaces} />
      )}
    </>
  );
}

interface StageProps {
  graph: Graph;
  part: Part;
  wanted: Wanted;
  found: ReadonlySet<string> | undefined;
  /** Whose panel is open. */
  node: GraphNode | undefined;
  isList: boolean;
  subject: string;
  onPlaces(places: Places): void;
}

/** The canvas or list, with the panel beside it. */
function Stage({ graph, part, wanted, found, node, isList, subject, onPlaces }: StageProps) {
  const [, change] = useAddress();
  const choose = (id: string): void => {
    // If the selected node is not visible, show it.
    const isDrawn = part.nodes.some((one) => one.id === id);
    change({ node: id, ...(isDrawn ? {} : { all: '1', near: undefined, ...(wanted.view === 'network' ? { graph: undefined } : {}) }) });
  };
  const close = (): void => change({ node: undefined, near: undefined });
  useKeys(node ? { Escape: close } : {});
  const shown = { part, chosen: node?.id, found, onChoose: choose };
  return (
    <div className={classes['stage']} data-panel={node !== undefined || undefined}>
      {isList ? (
        <NodeList {...shown} />
      ) : (
        <Suspense fallback={<Skeleton height="100%" role="img" aria-label="Loading the graph" />}>
          <Drawing {...shown} subject={subject} onExpand={(one) => change(expanding(one, graph, wanted))} onPlaces={onPlaces} />
        </Suspense>
      )}
      {node && (
        <NodePanel
          key={node.id}
          node={part.nodes.find(({ id }) => id === node.id) ?? node}
          graph={graph}
          onChoose={choose}
          onClose={close}
          actions={<NodeActions node={node} graph={graph} wanted={wanted} part={part} />}
        />
      )}
    </div>
  );
}

/** Of files: `graph-shop`. */
function nameOf({ view, namespace, role, workload }: Wanted): string {
  const about = view === 'roles' ? idParts(role)?.name : (idParts(workload)?.name ?? namespace);
  return `graph-${(about ?? 'cluster').replace(/[^A-Za-z0-9.-]/g, '-')}`;
}

/** The URL parameters that expand a folded node. They undo a fold by the user (`fold`), by the API (`expand`), or both. */
function expanding(node: GraphNode, graph: Graph, { expanded, folded }: Wanted): Record<string, string | undefined> {
  const id = groupOf(node, graph.groups)?.id ?? '';
  const isByHand = folded.includes(id);
  const isByApi = graph.groups.find((group) => group.id === id)?.metadata?.folded === true;
  return {
    ...(isByHand ? { fold: folded.filter((one) => one !== id).join(',') } : {}),
    ...(isByApi ? { expand: [...new Set([...expanded, id])].join(',') } : {}),
  };
}

interface NodeActionsProps {
  node: GraphNode;
  graph: Graph;
  wanted: Wanted;
  part: Part;
}

function NodeActions({ node, graph, wanted, part }: NodeActionsProps) {
  const [, change] = useAddress();
  const { isNear, expanded, folded, view, workload } = wanted;
  const drawn = part.nodes.find(({ id }) => id === node.id) ?? node;
  const group = groupOf(drawn, graph.groups);
  const account = subjectOf(node);
  const fold = (id: string): void =>
    change({ expand: expanded.filter((one) => one !== id).join(','), fold: [...new Set([...folded, id])].join(',') });
  return (
    <>
      <Button size="compact-sm" variant="default" aria-pressed={isNear} onClick={() => change({ near: isNear ? undefined : '1' })}>
        {isNear ? 'Show all' : 'Only neighbours'}
      </Button>
      {hiddenIn(drawn) > 0 ? (
        <Button size="compact-sm" variant="default" onClick={() => change(expanding(drawn, graph, wanted))}>
          Expand
        </Button>
      ) : (
        group?.id.startsWith('owner/') && (
          <Button size="compact-sm" variant="default" onClick={() => fold(group.id)}>
            Fold
          </Button>
        )
      )}
      {view === 'workloads' && isWorkload(node.kind) && workload !== node.id && node.status !== 'missing' && (
        <Button size="compact-sm" variant="default" onClick={() => change({ workload: node.id, near: undefined }, 'push')}>
          Only this workload
        </Button>
      )}
      {node.kind === 'Pod' && (
        <Button
          size="compact-sm"
          variant="default"
          onClick={() => change({ graph: 'network', from: `${node.namespace}/${node.name}`, to: undefined, near: undefined }, 'push')}
        >
          What can it reach?
        </Button>
      )}
      {account && (
        <Button component={Link} size="compact-sm" variant="default" {...rightsAddress(account)}>
          What can it do?
        </Button>
      )}
    </>
  );
}

/** Whom roles can be bound to. */
function subjectOf({ kind, namespace, name }: GraphNode): Parameters<typeof rightsAddress>[0] | undefined {
  const [, subject = kind] = /^Subject:(.+)$/.exec(kind) ?? [];
  if (subject === 'ServiceAccount') return { kind: subject, namespace, name };
  return kind !== subject && (subject === 'User' || subject === 'Group') ? { kind: subject, name } : undefined;
}

function Gone({ id, onClose }: { id: string; onClose(): void }) {
  const parts = idParts(id);
  return (
    <Notice tone="plain" role="status">
      {parts ? titleOf(parts) : id} is not in this graph: it may have been deleted, or belong to another namespace.{' '}
      <Button size="compact-xs" variant="default" onClick={onClose}>
        Show the graph
      </Button>
    </Notice>
  );
}

interface ToolbarProps {
  graph: Graph;
  part: Part;
  found: ReadonlySet<string> | undefined;
  wanted: Wanted;
  isList: boolean;
  children: React.ReactNode;
}

function Toolbar({ graph, part, found, wanted, isList, children }: ToolbarProps) {
  const [, change] = useAddress();
  const { view, workload, expanded, folded, typed, isWhole } = wanted;
  const labels = new Map(graph.groups.map(({ id, label }) => [id, label]));
  const chips = [
    ...(workload && view !== 'roles'
      ? [{ key: 'workload', text: `Only ${titleOf(idParts(workload) ?? { kind: '', name: '' })}`, off: { workload: undefined } }]
      : []),
    ...expanded.map((id) => ({
      key: id,
      text: `Expanded: ${labels.get(id) ?? id}`,
      off: { expand: expanded.filter((one) => one !== id).join(',') },
    })),
    ...folded.map((id) => ({
      key: id,
      text: `Folded: ${labels.get(id) ?? id}`,
      off: { fold: folded.filter((one) => one !== id).join(',') },
    })),
  ];
  return (
    <div className={classes['toolbar']}>
      <p className={classes['counts']} role="status">
        {found
          ? `${found.size} of ${part.nodes.length} found`
          : countsOf(part).map(([status, count]) => (
              <span key={status} className={classes['state']} data-status={status}>
                <StatusSign status={status} /> {count.toLocaleString()} {STATUS_WORDS[status].toLowerCase()}
              </span>
            ))}
      </p>
      {chips.map(({ key, text, off }) => (
        <Button
          key={key}
          size="compact-xs"
          variant="light"
          rightSection={<span aria-hidden="true">×</span>}
          aria-label={`${text}: undo`}
          onClick={() => change(off)}
        >
          {text}
        </Button>
      ))}
      <div className={classes['tools']}>
        <SearchField
          className={classes['search'] ?? ''}
          aria-label="Search the graph"
          placeholder="Kind, name, reason"
          value={typed}
          onSearch={(q) => change({ q })}
          data-search
        />
        {view === 'workloads' && (
          <Checkbox
            size="xs"
            label="Show what every pod has"
            title="Also nodes, default ServiceAccounts, the cluster's certificate and EndpointSlices"
            checked={isWhole}
            onChange={(event) => change({ all: event.currentTarget.checked ? '1' : undefined })}
          />
        )}
        <SegmentedControl
          size="xs"
          aria-label="How it is shown"
          data={[
            { value: 'graph', label: 'Graph' },
            { value: 'list', label: 'List' },
          ]}
          value={isList ? 'list' : 'graph'}
          onChange={(as) => change({ as })}
        />
        {children}
      </div>
    </div>
  );
}
