import { ActionIcon, Anchor, Button, Group, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { FailureDetail } from '../../contract/failure.ts';
import type { Graph, GraphNode } from '../../contract/graph.ts';
import { Ago } from '../components/ago.tsx';
import { CopyButton } from '../components/copy.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Facts } from '../components/facts.tsx';
import { Cross } from '../components/icons.tsx';
import { withSigns } from '../components/unseen-characters.ts';
import { ask, askText } from '../live/request.ts';
import classes from './graphs.module.css';
import { factsOf, failureOf, groupOf, hiddenIn, kindOf, relationsOf, stateOf, STATUS_WORDS, statusOf, titleOf } from './visible-part.ts';
import { StatusSign } from './status-sign.tsx';

interface NodePanelProps {
  node: GraphNode;
  graph: Graph;
  /** Controls that change what is drawn. */
  actions: ReactNode;
  onChoose(id: string): void;
  onClose(): void;
}

/** Details of one node: state, connections, events and manifest. */
export function NodePanel({ node, graph, actions, onChoose, onClose }: NodePanelProps) {
  const failure = failureOf(node);
  const more = hiddenIn(node);
  const group = groupOf(node, graph.groups);
  const facts = factsOf(node);
  return (
    <aside className={classes['panel']} aria-label={titleOf(node)} key={node.id}>
      <div className={classes['panel-head']}>
        <div>
          <p className={classes['panel-kind']}>{kindOf(node.kind)}</p>
          <h2 className={classes['panel-name']}>
            <bdi>{node.name}</bdi>
          </h2>
        </div>
        <ActionIcon variant="subtle" color="gray" aria-label="Close" onClick={onClose}>
          <Cross />
        </ActionIcon>
      </div>
      <State node={node} />
      {failure !== undefined && (
        <Anchor component={Link} to="/incidents/$id" params={{ id: String(failure) } as never} size="sm" fw={600}>
          Open the incident
        </Anchor>
      )}
      <Group gap="xs">{actions}</Group>
      {more > 0 && (
        <Text size="sm" c="dimmed">
          {more.toLocaleString()} folded{group ? ` of ${group.label}` : ''}.
        </Text>
      )}
      {facts.length > 0 && <Facts facts={facts.map(([name, value]) => [name, <bdi key={name}>{value}</bdi>])} />}
      <Relations node={node} graph={graph} onChoose={onChoose} />
      {failure !== undefined && <Events id={failure} />}
      <Manifest node={node} />
    </aside>
  );
}

function State({ node }: { node: GraphNode }) {
  const status = statusOf(node);
  if (node.status === undefined) return null;
  const state = stateOf(node);
  return (
    <p className={classes['state']} data-status={status}>
      <StatusSign status={status} size={16} /> {STATUS_WORDS[status]}
      {state !== '' && state !== STATUS_WORDS[status] && `: ${state}`}
    </p>
  );
}

/** The number of relations shown, because a cluster node may have thousands. */
const MOST = 40;

function Relations({ node, graph, onChoose }: { node: GraphNode; graph: Graph; onChoose(id: string): void }) {
  const [isWhole, show] = useState(false);
  const relations = relationsOf(graph, node.id);
  if (relations.length === 0) return null;
  const shown = isWhole ? relations : relations.slice(0, MOST);
  return (
    <section aria-label="Connections">
      <h3>Connections</h3>
      <ul className={classes['relations']}>
        {shown.map(({ kind, isOutgoing, other }) => (
          <li key={`${kind} ${String(isOutgoing)} ${other.id}`}>
            <span className={classes['relation']}>{isOutgoing ? `${kind} →` : `← ${kind}`}</span>
            <button
              type="button"
              className={`text-button ${classes['other']}`}
              data-status={statusOf(other)}
              onClick={() => onChoose(other.id)}
            >
              <StatusSign status={statusOf(other)} size={12} />
              <span>
                {kindOf(other.kind)} <bdi>{other.name}</bdi>
                {statusOf(other) !== 'healthy' && ` (${STATUS_WORDS[statusOf(other)].toLowerCase()})`}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {shown.length < relations.length && (
        <Button size="compact-xs" variant="default" onClick={() => show(true)}>
          Show all {relations.length.toLocaleString()}
        </Button>
      )}
    </section>
  );
}

function Events({ id }: { id: number }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['failure', id],
    queryFn: ({ signal }) => ask<FailureDetail>(`/api/pods/failed/${id}`, { signal }),
  });
  return (
    <section aria-label="Events">
      <h3>Events</h3>
      <ErrorNotice error={error} onRetry={() => void refetch()} />
      {!data && !error && <Skeleton height={60} />}
      {data?.events.length === 0 && <p className={classes['quiet']}>No events were reported.</p>}
      {data && data.events.length > 0 && (
        <ol className={classes['events']}>
          {data.events.toReversed().map((event, index) => (
            <li key={index} data-type={event.type}>
              <b>{event.reason}</b> <span className={classes['quiet']}>{event.timestamp && <Ago at={event.timestamp} />}</span>
              <bdi className={classes['event-message']}>{event.message}</bdi>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

/** Why a node has no manifest; undefined if it has one. */
function withoutManifest(node: GraphNode): string | undefined {
  const { kind } = node;
  if (statusOf(node) === 'missing') return 'It does not exist, so it has no manifest.';
  if (kind === 'Secret') return 'Podmend shows no Secrets.';
  if (kind === 'Group') return 'A group of objects has no manifest.';
  if (kind === 'Permission') return 'It stands in the manifest of its role.';
  if (kind === 'Subject:User' || kind === 'Subject:Group') return 'Kubernetes keeps no objects for people and groups.';
  return undefined;
}

function Manifest({ node }: { node: GraphNode }) {
  const [isOpen, open] = useState(false);
  const { namespace, kind, name } = node;
  const hindrance = withoutManifest(node);
  const path = `/api/diagram/manifest/${[namespace, kind, name].map(encodeURIComponent).join('/')}`;
  const { data, error, refetch } = useQuery({
    queryKey: ['graph-manifest', path],
    queryFn: ({ signal }) => askText(path, { signal }),
    enabled: isOpen && hindrance === undefined,
  });
  return (
    <section aria-label="Manifest">
      <h3>Manifest</h3>
      {hindrance !== undefined ? (
        <p className={classes['quiet']}>{hindrance}</p>
      ) : (
        <>
          <Group gap="xs" mb={6}>
            <Button size="compact-sm" variant="default" aria-expanded={isOpen} onClick={() => open(!isOpen)}>
              {isOpen ? 'Hide' : 'Show'}
            </Button>
            {isOpen && data !== undefined && <CopyButton text={data}>Copy</CopyButton>}
          </Group>
          {isOpen && <ErrorNotice error={error} onRetry={() => void refetch()} />}
          {isOpen && data === undefined && !error && <Skeleton height={120} />}
          {isOpen && data !== undefined && (
            <pre className="code-block" tabIndex={0} role="region" aria-label={`Manifest of ${titleOf(node)}`}>
              {withSigns(data)}
            </pre>
          )}
        </>
      )}
    </section>
  );
}
