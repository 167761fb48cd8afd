import { Badge, Button, Group, Paper, Stack, Tabs, Text, Title } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import type { FailureRecord } from '../../contract/failure.ts';
import type { PreviewCorrection, MirrorPreview, MirrorRecord } from '../../contract/mirror.ts';
import type { AppStatus } from '../../contract/settings.ts';
import { ask } from '../live/ask.ts';
import { useCanWrite } from '../components/current-user.ts';
import { Line, Prose } from '../components/prose.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Deploy } from './deploy.tsx';
import { Diff } from '../components/diff.tsx';
import { Mirror } from './mirror.tsx';

/** How sure the correction is. */
const SURE: Record<PreviewCorrection['confidence'], string> = { certain: 'Certain', likely: 'Likely', guess: 'Worth a try' };

const ENDS_MS = 5_000;

/** The corrections of a failure: previewed, tried on a mirror, judged. People with the read role only see the mirrors of others. */
export function Fix({ failure }: { failure: FailureRecord }) {
  const canWrite = useCanWrite();
  const preview = useMutation({ mutationFn: () => ask<MirrorPreview>(`/api/mirror/preview/${failure.id}`, { method: 'POST' }) });
  const mirrors = useQuery({
    queryKey: ['mirrors'],
    queryFn: ({ signal }) => ask<MirrorRecord[]>('/api/mirror/active', { signal }),
    // No message announces the end of a mirror, so a shown mirror is polled.
    refetchInterval: ({ state }) => (state.data?.some(({ pod_id }) => pod_id === failure.id) ? ENDS_MS : false),
  });
  const { data: config } = useQuery({ queryKey: ['config'], queryFn: ({ signal }) => ask<AppStatus>('/api/config', { signal }) });
  const own = mirrors.data?.filter(({ pod_id }) => pod_id === failure.id) ?? [];
  if (!canWrite && own.length === 0) return null;
  return (
    <Paper component="section" withBorder p="md" aria-labelledby="fix-title">
      <Group justify="space-between" mb="xs">
        <Title order={2} id="fix-title">
          The fix
        </Title>
        {canWrite && preview.data && (
          <Button variant="subtle" size="compact-sm" loading={preview.isPending} onClick={() => preview.mutate()}>
            Preview again
          </Button>
        )}
      </Group>
      <Stack gap="md">
        {own.map((mirror) => (
          <Mirror key={mirror.mirror_id} mirror={mirror} />
        ))}
        <ErrorNotice error={mirrors.error} onRetry={() => void mirrors.refetch()} />
        {canWrite && !preview.data && (
          <Group gap="md">
            <Button loading={preview.isPending} onClick={() => preview.mutate()}>
              Preview the fix
            </Button>
            <Text c="dimmed" size="sm" className="beside">
              Shows what would change. Nothing is run yet.
            </Text>
          </Group>
        )}
        <ErrorNotice error={preview.error} onRetry={() => preview.mutate()} />
        {preview.data && (
          <Preview key={preview.data.id} preview={preview.data} failure={failure} areMirrorsOn={config?.features['mirrors'] !== false} />
        )}
      </Stack>
    </Paper>
  );
}

interface PreviewProps {
  preview: MirrorPreview;
  failure: FailureRecord;
  areMirrorsOn: boolean;
}

function Preview({ preview, failure, areMirrorsOn }: PreviewProps) {
  const [chosen, choose] = useState('0');
  const { candidates } = preview;
  if (candidates.length === 0) return <Prose text={preview.explanation} />;
  return (
    <Tabs value={chosen} onChange={(value) => choose(value ?? '0')} keepMounted={false}>
      {candidates.length > 1 && (
        <Tabs.List mb="sm">
          {candidates.map(({ title }, index) => (
            <Tabs.Tab key={title} value={String(index)}>
              <Line text={title} />
            </Tabs.Tab>
          ))}
        </Tabs.List>
      )}
      {candidates.map((candidate, index) => {
        const Panel = candidates.length > 1 ? Tabs.Panel : 'div';
        if (String(index) !== chosen) return null;
        return (
          <Panel key={candidate.title} value={String(index)}>
            <Stack gap="sm">
              <Group gap="xs">
                <Badge variant="default">{SURE[candidate.confidence]}</Badge>
                {candidates.length === 1 && (
                  <Text fw={600}>
                    <Line text={candidate.title} />
                  </Text>
                )}
              </Group>
              <Prose text={candidate.explanation} />
              <Diff diff={candidate.diff} />
              <Deploy preview={preview} candidate={candidate} index={index} failure={failure} areMirrorsOn={areMirrorsOn} />
            </Stack>
          </Panel>
        );
      })}
    </Tabs>
  );
}
