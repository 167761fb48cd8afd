import { ActionIcon, SegmentedControl, Skeleton } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import type { Finding } from '../../contract/finding.ts';
import { pathsAddress } from '../components/access-address.ts';
import { Ago } from '../components/ago.tsx';
import { CopyButton } from '../components/copy.tsx';
import { useHasDraft } from '../components/draft.ts';
import { EmptyState } from '../components/empty-state.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Facts } from '../components/facts.tsx';
import { addressOfObject } from '../components/graph-address.ts';
import { Cross } from '../components/icons.tsx';
import { Notice } from '../components/notice.tsx';
import { Line, Prose } from '../components/prose.tsx';
import { Tag } from '../components/tag.tsx';
import { type Acted, Actions, SuppressFinding } from './actions.tsx';
import { SEVERITY_NAMES, TONES } from '../components/severity.ts';
import { factsOf } from './facts.ts';
import { FieldPath } from './field-path.tsx';
import { Fix } from './fix.tsx';
import classes from './security.module.css';
import { useOneFinding } from './use-findings.ts';

interface PanelProps extends Acted {
  id: number;
  /** The findings of its row, one for each container; empty if the list does not show it. */
  row: readonly Finding[];
  onOpen(id: number): void;
  onClose(): void;
}

/** One finding: what is wrong, where, why it matters, and how to correct it. */
export function Panel({ id, row, onOpen, onClose, done }: PanelProps) {
  const { finding, isMissing, error } = useOneFinding(
    id,
    row.find((one) => one.id === id),
  );
  const panel = useRef<HTMLElement>(null);
  useEffect(() => panel.current?.focus({ preventScroll: true }), [id]);
  return (
    <aside ref={panel} tabIndex={-1} className={classes['panel']} aria-label="Finding">
      <ActionIcon variant="subtle" color="gray" aria-label="Close the finding" className={classes['close'] ?? ''} onClick={onClose}>
        <Cross />
      </ActionIcon>
      <ErrorNotice error={error} />
      {isMissing && <EmptyState title="Finding not found">It was resolved long ago, or its resource is gone.</EmptyState>}
      {!finding && !isMissing && !error && <Skeleton height={220} role="img" aria-label="Loading the finding" />}
      {finding && <Known key={id} finding={finding} row={row.length > 0 ? row : [finding]} onOpen={onOpen} done={done} />}
    </aside>
  );
}

const ROLE_KINDS = ['Role', 'ClusterRole', 'RoleBinding', 'ClusterRoleBinding'];

function Known({ finding, row, onOpen, done }: Acted & { finding: Finding; row: readonly Finding[]; onOpen(id: number): void }) {
  const draft = `suppress finding ${finding.id}`;
  const [isSuppressing, suppress] = useState(useHasDraft(draft));
  const facts = factsOf(finding);
  const { severity, resource_type: kind, resource_name: name, namespace, message, remediation } = finding;
  return (
    <>
      <header className={classes['panel-head']}>
        <div className={classes['tags']}>
          <Tag tone={TONES[severity]}>{SEVERITY_NAMES[severity]}</Tag>
          <State finding={finding} />
        </div>
        <h2 className={classes['panel-title']}>{facts.title}</h2>
        <p className={classes['text']}>
          {kind} <Drawn kind={kind} name={name} namespace={namespace} />{' '}
          <span className={classes['quiet']}>{namespace === 'cluster-wide' ? 'in the whole cluster' : `in ${namespace}`}</span>
        </p>
      </header>
      {row.length > 1 && (
        <div className={classes['choice']}>
          <SegmentedControl
            size="xs"
            aria-label="Container"
            data={row.map((one) => ({ value: String(one.id), label: factsOf(one).container ?? 'the pod' }))}
            value={String(finding.id)}
            onChange={(value) => onOpen(Number(value))}
          />
        </div>
      )}
      <Actions findings={row as [Finding, ...Finding[]]} done={done} onSuppress={() => suppress(true)} />
      {isSuppressing && <SuppressFinding finding={finding} draft={draft} close={() => suppress(false)} />}
      <Part name="What was found">
        <p className={classes['text']}>
          <Line text={message || facts.title} />
        </p>
        {facts.fields.length > 0 && (
          <ul className={classes['fields']} aria-label="Fields">
            {facts.fields.map((field) => (
              <li key={field}>
                <FieldPath path={field} />
              </li>
            ))}
          </ul>
        )}
        {facts.others.length > 0 && (
          <div className={classes['evidence']}>
            <Facts facts={facts.others.map(([about, values]) => [about, values.join('; ')])} />
          </div>
        )}
      </Part>
      <Enforced by={facts.enforcedBy} maybe={facts.mayBeRefusedBy} />
      {facts.rationale !== '' && (
        <Part name="Why it matters">
          <p className={classes['text']}>
            <Line text={facts.rationale} />
          </p>
        </Part>
      )}
      {remediation !== '' && (
        <Part name="What to do">
          <Prose text={remediation} />
        </Part>
      )}
      {ROLE_KINDS.includes(kind) && (
        <p className={classes['text']}>
          <Link {...pathsAddress()}>Escalation paths</Link> show whether somebody comes to more power by it.
        </p>
      )}
      <Fix finding={finding} changes={facts.changes} />
      {(facts.frameworks.length > 0 || facts.references.length > 0) && (
        <Part name="References">
          <ul className={classes['references']}>
            {facts.frameworks.map((one) => (
              <li key={one}>{one}</li>
            ))}
            {facts.references.map((one) => (
              <li key={one}>
                <a href={one} target="_blank" rel="noreferrer">
                  {one.replace(/^https?:\/\//, '')}
                </a>
              </li>
            ))}
          </ul>
        </Part>
      )}
      <footer className={classes['foot']}>
        <span>
          first seen <Ago at={finding.first_seen} />
        </span>
        <span>
          <code>{finding.check_name}</code>
        </span>
        {finding.source !== '' && finding.source !== 'podmend' && <span>reported by {finding.source}</span>}
        <CopyButton text={location.href} variant="subtle">
          Copy the link
        </CopyButton>
      </footer>
    </>
  );
}

/** The resource's name, with a link to its graph if it has one. */
function Drawn({ kind, name, namespace }: { kind: string; name: string; namespace: string }) {
  const address = addressOfObject({ kind, name, namespace });
  if (!address) return <bdi>{name}</bdi>;
  return (
    <Link to="/graphs" search={address as never} title="Draw it with what belongs to it">
      <bdi>{name}</bdi>
    </Link>
  );
}

function State({ finding: { status, suppressed_by: by } }: { finding: Finding }) {
  if (by !== null) return <Tag>{`Suppressed by ${by}`}</Tag>;
  if (status === 'dismissed') return <Tag>Dismissed</Tag>;
  if (status === 'resolved') return <Tag tone="good">Resolved</Tag>;
  return status === 'reopened' ? <Tag tone="unsure">Reopened</Tag> : null;
}

function Enforced({ by, maybe }: { by: readonly string[]; maybe: readonly string[] }) {
  if (by.length === 0 && maybe.length === 0) return null;
  return (
    <Notice tone="plain" title={by.length > 0 ? 'Already enforced' : 'May be enforced'}>
      {by.length > 0 && <div>A new pod like this is refused today by {by.join(', ')}. What runs stays.</div>}
      {maybe.length > 0 && <div>It may be refused by {maybe.join(', ')}.</div>}
    </Notice>
  );
}

function Part({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section aria-label={name}>
      <h3 className={classes['label']}>{name}</h3>
      {children}
    </section>
  );
}
