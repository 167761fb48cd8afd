import { Anchor, Button, Group } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { Refused } from '../live/request.ts';
import { useNow } from './ago.tsx';
import { Notice } from './notice.tsx';

interface ErrorNoticeProps {
  /** The error; if null, nothing is shown. */
  error: Error | null;
  onRetry?: () => void;
}

/** A refusal in the server's words with a retry button, which waits as long as the server asks. */
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
            Go to the overview
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

/**
 * A countdown to the time (milliseconds since 1970) of the next permitted request. It is outside the alert, because each second would be
 * read out.
 */
export function Wait({ until, onRetry }: { until: number; onRetry?: (() => void) | undefined }) {
  const now = useNow(1000);
  const wait = Math.max(0, Math.ceil((until - now.getTime()) / 1000));
  if (onRetry) return <Retry onRetry={onRetry} wait={wait} />;
  return <span aria-live="off">{wait > 0 ? `Try again in ${wait} s.` : 'Try again now.'}</span>;
}
