import { Button, Group } from '@mantine/core';
import { Notice } from './notice.tsx';

interface ErrorNoticeProps {
  /** What went wrong; nothing is shown without. */
  error: Error | null;
  onRetry?: () => void;
}

/** A refusal in the server's own words, and a way to ask again. */
export function ErrorNotice({ error, onRetry }: ErrorNoticeProps) {
  if (!error) return null;
  return (
    <Notice tone="bad" role="alert">
      <Group justify="space-between" gap="xs">
        <span>{error.message}</span>
        {onRetry && (
          <Button size="xs" variant="default" onClick={onRetry}>
            Try again
          </Button>
        )}
      </Group>
    </Notice>
  );
}
