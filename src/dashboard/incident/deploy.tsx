import { Button, Checkbox, Group, List, NumberInput, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { FailureRecord } from '../../contract/failure.ts';
import type { DeployMirror, MirrorPreview, MirrorRecord, PreviewCorrection } from '../../contract/mirror.ts';
import type { MIRROR_TTL } from '../../contract/mirror-ttl.ts';
import { ask } from '../live/ask.ts';
import { applyToMirrors } from '../live/apply.ts';
import { Notice } from '../components/notice.tsx';
import { ErrorNotice } from '../components/error-notice.tsx';

/** Kinds whose pods do their work once: the server asks for a confirmation before it runs a second time. */
const ONCE = ['Job', 'CronJob'];
/** The compiler holds these to the contract, of which the dashboard loads only types. */
const TTL: Pick<typeof MIRROR_TTL, 'min' | 'max'> = { min: 30, max: 3600 };

interface DeployProps {
  preview: MirrorPreview;
  candidate: PreviewCorrection;
  index: number;
  failure: FailureRecord;
  areMirrorsOn: boolean;
}

/** Runs a correction on a mirror after it has shown the risks. */
export function Deploy({ preview, candidate, index, failure, areMirrorsOn }: DeployProps) {
  const client = useQueryClient();
  const [ttl, setTtl] = useState<number | string>(preview.suggested_ttl_seconds);
  const [isAcknowledged, acknowledge] = useState(false);
  const deploy = useMutation({
    mutationFn: () => {
      const wish: DeployMirror = {
        candidate: index,
        ttl_seconds: Number(ttl),
        ...(isAcknowledged && { acknowledge_side_effects: true }),
      };
      return ask<MirrorRecord>(`/api/mirror/deploy/${failure.id}`, { method: 'POST', body: wish });
    },
    onSuccess: (record) =>
      client.setQueryData<MirrorRecord[]>(['mirrors'], (known = []) =>
        // The socket may have delivered a newer state already.
        known.some(({ mirror_id }) => mirror_id === record.mirror_id) ? known : applyToMirrors(known, record),
      ),
  });
  if (!areMirrorsOn)
    return (
      <Text c="dimmed" size="sm">
        Mirrors are switched off in this installation, so it cannot be tried from here.
      </Text>
    );
  const isRefusedForIt = deploy.error?.message.includes('acknowledge_side_effects') ?? false;
  const mustAcknowledge = isRefusedForIt || ONCE.includes(failure.workload?.kind ?? failure.resource_kind);
  const isTtlRight = Number.isInteger(ttl) && Number(ttl) >= TTL.min && Number(ttl) <= TTL.max;
  return (
    <Stack gap="sm">
      {preview.risks.length > 0 && (
        <Notice tone="unsure" title="Before you run it">
          <List size="sm" spacing={4}>
            {preview.risks.map((risk) => (
              <List.Item key={risk}>{risk}</List.Item>
            ))}
          </List>
        </Notice>
      )}
      {candidate.mirrorable ? (
        <>
          {mustAcknowledge && (
            <Checkbox
              label="I know that its work may run a second time"
              checked={isAcknowledged}
              onChange={(event) => acknowledge(event.currentTarget.checked)}
            />
          )}
          <Group align="end" gap="sm">
            <NumberInput
              label="Run for at most"
              description={`seconds, ${TTL.min} to ${TTL.max}`}
              min={TTL.min}
              max={TTL.max}
              step={30}
              allowDecimal={false}
              value={ttl}
              onChange={setTtl}
              error={isTtlRight ? undefined : `${TTL.min} to ${TTL.max}`}
              w={170}
            />
            <Button
              loading={deploy.isPending}
              disabled={!isTtlRight || (mustAcknowledge && !isAcknowledged)}
              onClick={() => deploy.mutate()}
            >
              Try it on a mirror
            </Button>
          </Group>
          <Text c="dimmed" size="sm">
            A mirror is a short-lived copy of the pod. The workload itself is not touched.
          </Text>
        </>
      ) : (
        <Text c="dimmed" size="sm">
          A mirror cannot prove this one, or may not run it: apply it where the workload is kept.
        </Text>
      )}
      <ErrorNotice error={deploy.error} />
    </Stack>
  );
}
