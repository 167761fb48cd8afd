import { Button, Group, Loader, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { MirrorRecord } from '../../contract/mirror.ts';
import { ask } from '../live/ask.ts';
import { Check, Cross, Pending } from '../components/icons.tsx';
import { useCanWrite } from '../components/current-user.ts';
import { useNow } from '../components/ago.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { type Step, stepsOf } from './steps.ts';
import { EvidenceShown } from './trial-evidence.tsx';
import { progressOf } from './progress.ts';
import { Verdict } from '../components/verdict.tsx';

const DRAWN: Record<Step['state'], () => ReactNode> = {
  done: () => <Check size={16} />,
  active: () => <Loader size={14} />,
  waiting: () => <Pending size={16} />,
  stopped: () => <Cross size={16} />,
};

/** A live mirror: its progress, and its verdict as soon as there is one. */
export function Mirror({ mirror }: { mirror: MirrorRecord }) {
  const canWrite = useCanWrite();
  const client = useQueryClient();
  const left = useSecondsLeft(mirror);
  const now = useNow(1000);
  const progress = mirror.verdict ? undefined : progressOf(mirror.evidence, now);
  const end = useMutation({
    mutationFn: () => ask<undefined>(`/api/mirror/${mirror.mirror_id}`, { method: 'DELETE' }),
    onSuccess: () => client.invalidateQueries({ queryKey: ['mirrors'] }),
  });
  return (
    <div className="mirror" data-verdict={mirror.verdict}>
      <Group justify="space-between" align="start" wrap="nowrap">
        <div aria-live="polite">
          {mirror.verdict ? (
            <Verdict verdict={mirror.verdict} />
          ) : (
            <Text fw={600}>{mirror.status === 'Rejected' ? 'The mirror was refused' : 'A mirror is trying it now'}</Text>
          )}
        </div>
        {canWrite && (
          <Button variant="default" size="compact-sm" loading={end.isPending} onClick={() => end.mutate()}>
            End it
          </Button>
        )}
      </Group>
      <ol className="steps">
        {stepsOf(mirror).map(({ title, state, message }) => (
          <li key={title} data-state={state}>
            <span className="step-icon">{DRAWN[state]()}</span>
            <span>
              {title}
              {message && <span className="step-message">{message}</span>}
            </span>
          </li>
        ))}
      </ol>
      <EvidenceShown evidence={mirror.evidence} revisions={mirror.revisions} />
      <Text c="dimmed" size="xs">
        {progress && `${progress} · `}
        <span className="mono">{mirror.mirror_pod_name || mirror.name}</span>
        {left !== null && ` · ends in ${left} s`}
      </Text>
      <ErrorNotice error={end.error} />
    </div>
  );
}

function useSecondsLeft({ expires_at: expiresAt }: MirrorRecord): number | null {
  const now = useNow(1000);
  return expiresAt === null ? null : Math.max(0, Math.ceil((Date.parse(expiresAt) - now.getTime()) / 1000));
}
