import { Paper, Text, Title } from '@mantine/core';
import type { Change, Trial } from '../../contract/failure.ts';
import { Line } from '../components/prose.tsx';
import { Ago } from '../components/ago.tsx';
import { EvidenceShown } from './trial-evidence.tsx';
import { Verdict } from '../components/verdict.tsx';

const ORIGINS: Record<string, string> = { Model: 'proposed by the model', Rules: 'proposed by rules', Given: 'given by hand' };

/** What mirrors proved about this failure, newest first. They stay when the mirrors are gone. */
export function Trials({ trials }: { trials: Trial[] }) {
  if (trials.length === 0) return null;
  const newestFirst = trials.toSorted((a, b) => b.started_at.localeCompare(a.started_at));
  return (
    <Paper component="section" withBorder p="md" aria-labelledby="trials-title">
      <Title order={2} id="trials-title" mb="xs">
        Trials
      </Title>
      <ol className="trials">
        {newestFirst.map((trial) => (
          <li key={trial.mirror_id}>
            {trial.verdict ? (
              <Verdict verdict={trial.verdict} />
            ) : (
              <span className="verdict">Not judged{trial.ended_at ? '' : ' yet'}</span>
            )}
            <Text size="sm" c="dimmed" component="span">
              {' '}
              <Ago at={trial.started_at} />, {ORIGINS[trial.origin] ?? trial.origin}
            </Text>
            <Outcome trial={trial} />
            <EvidenceShown evidence={trial.evidence} revisions={trial.revisions} />
            <Changes changes={trial.changes} />
          </li>
        ))}
      </ol>
    </Paper>
  );
}

function Outcome({ trial: { reason_before: before, reason_after: after, shown_after: shown } }: { trial: Trial }) {
  const lines = [
    after && `${before ?? 'The failure'} became ${after}.`,
    shown &&
      (shown.message ||
        (shown.ready_seconds > 0 &&
          `It was ready for ${shown.ready_seconds} s, ${shown.restarts === 0 ? 'without a restart' : `with ${shown.restarts} restarts`}.`)),
  ].filter(Boolean);
  return lines.length > 0 ? <Text size="sm">{lines.join(' ')}</Text> : null;
}

function Changes({ changes }: { changes: Change[] }) {
  if (changes.length === 0) return null;
  return (
    <ul className="changes">
      {changes.map(({ path, from, to, why }) => (
        <li key={path}>
          <span className="mono">{path}</span>: <del>{valueOf(from)}</del> → <ins>{valueOf(to)}</ins>
          {why && (
            <span className="step-message">
              <Line text={why} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}

function valueOf(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
