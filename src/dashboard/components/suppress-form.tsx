import { Button, Group, NativeSelect, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { FormEvent, ReactNode } from 'react';
import { useDraft } from './draft.ts';
import { ErrorNotice } from './error-notice.tsx';
import { HIDE_FOR, SHORTEST_REASON, USUAL_HIDE_FOR, type Written } from './suppress.ts';

interface SuppressFormProps<T> {
  /** The name of the draft, the same for the same items. */
  draft: string;
  /** Other values that the count depends on. When one changes, the items are counted again. */
  of?: readonly unknown[];
  /** How many items a Suppression would hide. Called before anything is written. */
  count(written: Written, signal: AbortSignal): Promise<number>;
  /** `one open failure`, `7 findings`. */
  counted(hidden: number): string;
  save(written: Written): Promise<T>;
  onDone(saved: T): void;
  close(): void;
  size?: 'xs' | 'sm';
  /** Fields that stand before these. */
  children?: ReactNode;
}

/** A form for the reason, the ticket and the duration of hiding. It shows in advance what would be hidden. */
export function SuppressForm<T>({ draft, of = [], count, counted, save, onDone, close, size = 'xs', children }: SuppressFormProps<T>) {
  const [written, write, clear] = useDraft<Written>(draft, { why: '', ticket: '', seconds: USUAL_HIDE_FOR });
  const { why, ticket, seconds } = written;
  const type =
    (field: keyof Written) =>
    ({ currentTarget: { value } }: { currentTarget: { value: string } }): void =>
      write((now) => ({ ...now, [field]: value }));
  const preview = useQuery({
    queryKey: ['suppressions preview', draft, ...of, seconds],
    queryFn: ({ signal }) => count({ why: 'What it would hide', ticket: '', seconds }, signal),
    placeholderData: (before) => before,
    staleTime: 0,
  });
  const saving = useMutation({
    mutationFn: () => save(written),
    onSuccess: (saved) => {
      clear();
      onDone(saved);
    },
  });
  const isReady = why.trim().length >= SHORTEST_REASON;
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (isReady) saving.mutate();
  };
  return (
    <Stack component="form" gap={size} aria-label="Suppress" onSubmit={submit}>
      {children}
      <TextInput
        size={size}
        label="Why"
        description="For people who read it later"
        required
        autoFocus
        data-autofocus
        maxLength={1024}
        value={why}
        onChange={type('why')}
      />
      <Group grow gap="xs" align="end">
        <TextInput size={size} label="Ticket" maxLength={1024} value={ticket} onChange={type('ticket')} />
        <NativeSelect size={size} label="Hide for" data={HIDE_FOR} value={seconds} onChange={type('seconds')} />
      </Group>
      <Text size="sm" c="dimmed" role="status">
        {preview.data === undefined
          ? !preview.error && 'Counting what it would hide…'
          : `Hides ${counted(preview.data)} now, and those of the same kind that come.`}
      </Text>
      <ErrorNotice error={preview.error ?? saving.error} />
      <Group gap="xs">
        <Button type="submit" size={size} disabled={!isReady} loading={saving.isPending}>
          Suppress
        </Button>
        <Button
          size={size}
          variant="default"
          onClick={() => {
            clear();
            close();
          }}
        >
          Cancel
        </Button>
      </Group>
    </Stack>
  );
}

/** `one open failure`, `7 open failures`. */
export function countedFailures(hidden: number): string {
  return hidden === 1 ? 'one open failure' : `${hidden.toLocaleString('en')} open failures`;
}
