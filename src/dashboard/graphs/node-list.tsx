import { Button, Table } from '@mantine/core';
import { useState } from 'react';
import type { GraphNode } from '../../contract/graph.ts';
import classes from './graphs.module.css';
import {
  hiddenIn,
  kindOf,
  listed,
  type Part,
  type Relation,
  relationsOf,
  stateOf,
  STATUS_WORDS,
  statusOf,
  titleOf,
} from './visible-part.ts';
import { StatusSign } from './status-sign.tsx';

/** A page of the list. */
const PAGE = 200;
/** The number of connections in a row; the panel shows all. */
const IN_ROW = 4;

interface NodeListProps {
  part: Part;
  chosen: string | undefined;
  found: ReadonlySet<string> | undefined;
  onChoose(id: string): void;
}

/** The same content as the canvas, as a list, with unhealthy nodes first. */
export function NodeList({ part, chosen, found, onChoose }: NodeListProps) {
  const [most, setMost] = useState(PAGE);
  const nodes = listed(found ? part.nodes.filter(({ id }) => found.has(id)) : part.nodes);
  return (
    <div className={classes['list']} role="region" aria-label="List" tabIndex={0}>
      <Table className="stacked" verticalSpacing={6} aria-label="Nodes of the graph">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Name</Table.Th>
            <Table.Th>Status</Table.Th>
            <Table.Th>Connections</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {nodes.slice(0, most).map((node) => (
            <NodeRow key={node.id} node={node} part={part} isChosen={node.id === chosen} onChoose={onChoose} />
          ))}
        </Table.Tbody>
      </Table>
      {nodes.length > most && (
        <Button size="xs" variant="default" m="sm" onClick={() => setMost(most + PAGE)}>
          Show more of {nodes.length.toLocaleString()}
        </Button>
      )}
    </div>
  );
}

interface NodeRowProps {
  node: GraphNode;
  part: Part;
  isChosen: boolean;
  onChoose(id: string): void;
}

function NodeRow({ node, part, isChosen, onChoose }: NodeRowProps) {
  const status = statusOf(node);
  const state = stateOf(node);
  const relations = relationsOf(part, node.id);
  const more = hiddenIn(node);
  return (
    <Table.Tr data-chosen={isChosen || undefined}>
      <Table.Td data-whole>
        <button
          type="button"
          className={`text-button ${classes['row-name']}`}
          aria-current={isChosen || undefined}
          onClick={() => onChoose(node.id)}
        >
          <span className={classes['card-kind']}>{kindOf(node.kind)}</span> <bdi>{node.name}</bdi>
        </button>
        {more > 0 && <span className={classes['quiet']}> and {more.toLocaleString()} folded</span>}
      </Table.Td>
      <Table.Td>
        {node.status === undefined ? (
          state
        ) : (
          <span className={classes['state']} data-status={status}>
            <StatusSign status={status} />
            {STATUS_WORDS[status]}
            {state !== '' && state !== STATUS_WORDS[status] && `: ${state}`}
          </span>
        )}
      </Table.Td>
      <Table.Td className={classes['row-relations']}>
        {relations.slice(0, IN_ROW).map((relation) => (
          <span key={`${relation.kind} ${String(relation.isOutgoing)} ${relation.other.id}`}>{wordsOf(relation)}</span>
        ))}
        {relations.length > IN_ROW && <span>and {(relations.length - IN_ROW).toLocaleString()} more</span>}
      </Table.Td>
    </Table.Tr>
  );
}

function wordsOf({ kind, isOutgoing, other }: Relation): string {
  const status = statusOf(other);
  const end = `${titleOf(other)}${status === 'missing' ? ' (missing)' : ''}`;
  return isOutgoing ? `${kind} ${end}` : `${titleOf(other)} ${kind} it`;
}
