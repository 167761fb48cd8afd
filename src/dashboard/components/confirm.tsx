import { Button, type ButtonProps } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';

interface ConfirmProps extends ButtonProps {
  /** The action as a verb. */
  children: string;
  /** The text of the second button: the action and its object. */
  sure: string;
  title?: string | undefined;
  onConfirm(): void;
}

/** A button for something that cannot be undone: the first click asks, the second confirms. Escape or leaving the page cancels. */
export function ConfirmButton({ children, sure, onConfirm, disabled, ...button }: ConfirmProps) {
  const [isAsking, ask] = useState(false);
  const again = useRef<HTMLButtonElement>(null);
  const first = useRef<HTMLButtonElement>(null);
  const wasAsking = useRef(false);
  useEffect(() => {
    if (isAsking) again.current?.focus();
    else if (wasAsking.current && document.activeElement === document.body) first.current?.focus();
    wasAsking.current = isAsking;
  }, [isAsking]);
  if (isAsking && !disabled)
    return (
      <Button
        size="compact-sm"
        {...button}
        ref={again}
        color="red"
        variant="filled"
        onBlur={() => ask(false)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') ask(false);
        }}
        onClick={() => {
          ask(false);
          onConfirm();
        }}
      >
        {sure}
      </Button>
    );
  return (
    <Button variant="default" size="compact-sm" {...button} disabled={disabled ?? false} ref={first} onClick={() => ask(true)}>
      {children}
    </Button>
  );
}
