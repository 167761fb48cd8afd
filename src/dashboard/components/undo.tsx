import { Button, Group } from '@mantine/core';
import { notifications } from '@mantine/notifications';

/** Long enough to read it and reach the button by keyboard. Hovering pauses the time. */
const SHOWN_MS = 10_000;

interface Done {
  /** The action that was done: `3 incidents dismissed`. */
  message: string;
  /** The error, if the action failed for some of them. */
  error?: Error | null;
  undo?: (() => Promise<void>) | undefined;
}

/** A note about an action, with a button to undo it. */
export function showDone({ message, error, undo }: Done): void {
  const id = notifications.show({
    autoClose: SHOWN_MS,
    color: error ? 'red' : 'gray',
    role: error ? 'alert' : 'status',
    withBorder: true,
    closeButtonProps: { 'aria-label': 'Close' },
    message: (
      <Group justify="space-between" gap="sm">
        <span>
          {message}
          {error && `. ${error.message}`}
        </span>
        {undo && (
          <Button
            size="compact-sm"
            variant="default"
            onClick={() => {
              notifications.hide(id);
              undo().then(
                () => showDone({ message: 'Undone' }),
                (failure: Error) => showDone({ message: 'Not undone', error: failure }),
              );
            }}
          >
            Undo
          </Button>
        )}
      </Group>
    ),
  });
}
