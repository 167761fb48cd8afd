import { Button, Checkbox, Group, List, NumberInput, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import type { FailureRecord } from '../../contract/failure.ts';
import type { Candidate, DeployMirror, MirrorPreview, MirrorRecord } from '../../contract/mirror.ts';
import { ask } from '../ask.ts';
import { applyToMirrors } from '../live/apply.ts';
import { Notice } from '../notice.tsx';
import { Trouble } from '../trouble.tsx';

/** Kinds whose pods do their work once: the server wants to hear that doing it again is meant. */
const ONCE = ['Job', 'CronJob'];
const SHORTEST_SECONDS = 30;
const LONGEST_SECONDS = 3600;

interface DeployProps {
  preview: MirrorPreview;
  candidate: Candidate;
  index: number;
  failure: FailureRecord;
  areMirrorsOn: boolean;
}

/** Runs a correction on a mirror, once its risks were shown. */
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
        // The socket may have been quicker, with later news.
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
  const isTtlRight = Number.isInteger(ttl) && Number(ttl) >= SHORTEST_SECONDS && Number(ttl) <= LONGEST_SECONDS;
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
              label="Its work may be done a second time: I know, and it may"
              checked={isAcknowledged}
              onChange={(event) => acknowledge(event.currentTarget.checked)}
            />
          )}
          <Group align="end" gap="sm">
            <NumberInput
              label="Runs for at most"
              description={`seconds, ${SHORTEST_SECONDS} to ${LONGEST_SECONDS}`}
              min={SHORTEST_SECONDS}
              max={LONGEST_SECONDS}
              step={30}
              allowDecimal={false}
              value={ttl}
              onChange={setTtl}
              error={isTtlRight ? undefined : `${SHORTEST_SECONDS} to ${LONGEST_SECONDS}`}
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
      <Trouble error={deploy.error} />
    </Stack>
  );
}
