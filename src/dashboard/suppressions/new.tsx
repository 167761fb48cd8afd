import { Button, Group, SegmentedControl, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useId } from 'react';
import type { SuppressionPreview, SuppressionRecord } from '../../contract/suppression.ts';
import { useDraft } from '../components/draft.ts';
import { ErrorNotice } from '../components/error-notice.tsx';
import { Notice } from '../components/notice.tsx';
import { ask } from '../live/request.ts';
import { bodyOf, type Draft, EMPTY, FIELDS } from './match.ts';
import classes from './suppressions.module.css';

const LABELS: Record<(typeof FIELDS)[number], [label: string, example: string]> = {
  namespaces: ['Namespaces', 'shop-preview, team-*'],
  pods: ['Pods', 'canary-*'],
  failure_reasons: ['Reasons of failures', 'ImagePullBackOff'],
  images: ['Images', 'registry.example/team/*'],
  checks: ['Security checks and advice', 'missing-limits'],
};
const ENDS = [
  { value: '1', label: '1 day' },
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '', label: 'No end' },
];

/** The form for a new Suppression. It can be saved only after the preview of what it would hide. */
export function NewSuppression({ onDone }: { onDone(): void }) {
  const client = useQueryClient();
  const ends = useId();
  const [draft, setDraft, clear] = useDraft<Draft>('suppression', EMPTY);
  const body = bodyOf(draft);
  const asked = JSON.stringify(body);
  const preview = useMutation({
    mutationFn: async () => ({
      asked,
      would: await ask<SuppressionPreview>('/api/suppressions/preview', { method: 'POST', body }),
    }),
  });
  const save = useMutation({
    mutationFn: () => ask<SuppressionRecord>('/api/suppressions', { method: 'POST', body }),
    onSuccess: async () => {
      await client.invalidateQueries({ queryKey: ['suppressions'] });
      clear();
      onDone();
    },
  });
  const seen = preview.data?.asked === asked ? preview.data.would : undefined;
  const type = (field: keyof Draft) => (event: { currentTarget: { value: string } }) => {
    const { value } = event.currentTarget;
    setDraft((now) => ({ ...now, [field]: value }));
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (seen) save.mutate();
    else preview.mutate();
  };
  return (
    <form className={classes['form']} onSubmit={submit} aria-label="New Suppression">
      <TextInput
        label="Why"
        description="For people who read it later"
        required
        minLength={3}
        maxLength={1024}
        autoFocus
        value={draft.reason}
        onChange={type('reason')}
      />
      <Text size="sm" c="dimmed">
        It hides what matches all fields that you fill in. Commas separate alternatives; <code>*</code> stands for any text.
      </Text>
      <div className={classes['fields']}>
        {FIELDS.map((field) => (
          <TextInput
            key={field}
            label={LABELS[field][0]}
            placeholder={LABELS[field][1]}
            maxLength={4096}
            value={draft[field]}
            onChange={type(field)}
          />
        ))}
        <TextInput label="Ticket" placeholder="https://…" maxLength={1024} value={draft.ticket} onChange={type('ticket')} />
      </div>
      <div>
        <Text size="sm" fw={500} id={ends} mb={4}>
          Ends after
        </Text>
        <SegmentedControl
          size="xs"
          aria-labelledby={ends}
          data={ENDS}
          value={draft.days}
          onChange={(days) => setDraft((now) => ({ ...now, days }))}
        />
      </div>
      {seen && <Would would={seen} />}
      <ErrorNotice error={save.error ?? preview.error} />
      <Group gap="sm">
        <Button type="submit" loading={preview.isPending || save.isPending}>
          {seen ? 'Save' : 'What would this hide?'}
        </Button>
        <Button
          variant="subtle"
          color="gray"
          onClick={() => {
            clear();
            onDone();
          }}
        >
          Discard
        </Button>
      </Group>
    </form>
  );
}

/** The records that a Suppression would hide now. */
function Would({ would }: { would: SuppressionPreview }) {
  const [all, fresh] = [would.matched_failures + would.matched_findings, would.newly_hidden + would.newly_hidden_findings];
  const shown = would.failures.length + would.findings.length;
  return (
    <Notice
      tone={fresh > 20 ? 'unsure' : 'plain'}
      role="status"
      title={all === 0 ? 'Now it would hide nothing' : `It would hide ${count(would)}`}
    >
      {all === 0 ? (
        'It hides what comes later and matches.'
      ) : (
        <>
          {fresh < all && <span>{all - fresh} of them are hidden already.</span>}
          <ul className={classes['would']} tabIndex={0} aria-label="What it would hide">
            {would.failures.map(({ id, namespace, pod_name: pod, failure_reason: reason }) => (
              <li key={`failure-${id}`}>
                <bdi>{pod}</bdi> in {namespace}: {reason}
              </li>
            ))}
            {would.findings.map(({ id, namespace, resource_type: kind, resource_name: name, check_name: check, severity }) => (
              <li key={`finding-${id}`}>
                {kind} <bdi>{name}</bdi> in {namespace}: {check}, {severity}
              </li>
            ))}
            {all > shown && <li>and {all - shown} more</li>}
          </ul>
        </>
      )}
    </Notice>
  );
}

function count({ matched_failures: failures, matched_findings: findings }: SuppressionPreview): string {
  const parts = [
    ...(failures > 0 ? [`${failures} ${failures === 1 ? 'failure' : 'failures'}`] : []),
    ...(findings > 0 ? [`${findings} ${findings === 1 ? 'finding' : 'findings'}`] : []),
  ];
  return parts.join(' and ');
}
