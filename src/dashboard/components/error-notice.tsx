import { Anchor, Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Refused } from '../live/ask.ts';
import { useNow } from './ago.tsx';
import { Notice } from './notice.tsx';

interface ErrorNoticeProps {
  /** What went wrong; nothing is shown without. */
  error: Error | null;
  onRetry?: () => void;
}

/** A refusal in the server's own words, and a way to ask again: after the wait that the server asks for, if it does. */
export function ErrorNotice({ error, onRetry }: ErrorNoticeProps) {
  if (!error) return null;
  const { status, againAt } = error instanceof Refused ? error : { status: undefined, againAt: null };
  return (
    <Notice tone="bad" role="alert">
      <Group justify="space-between" gap="xs">
        <span>{error.message}</span>
        {againAt !== null ? (
          <Wait key={againAt} until={againAt} onRetry={onRetry} />
        ) : status === 404 ? (
          <Anchor component={Link} to="/" size="sm">
            Back to the beginning
          </Anchor>
        ) : (
          onRetry && <Retry onRetry={onRetry} />
        )}
      </Group>
    </Notice>
  );
}

function Retry({ onRetry, wait = 0 }: { onRetry(): void; wait?: number }) {
  return (
    <Button size="xs" variant="default" disabled={wait > 0} onClick={onRetry}>
      {wait > 0 ? `Try again in ${wait} s` : 'Try again'}
    </Button>
  );
}

/** Counts down to the time, in milliseconds since 1970, at which the server may be asked again. Not in the alert's own text: every second would be read out. */
export function Wait({ until, onRetry }: { until: number; onRetry?: (() => void) | undefined }) {
  const now = useNow(1000);
  const wait = Math.max(0, Math.ceil((until - now.getTime()) / 1000));
  if (onRetry) return <Retry onRetry={onRetry} wait={wait} />;
  return <span aria-live="off">{wait > 0 ? `Try again in ${wait} s.` : 'Try again now.'}</span>;
}
