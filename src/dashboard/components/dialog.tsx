import { ActionIcon, Title } from '@mantine/core';
import { type ReactNode, useId, useLayoutEffect, useRef } from 'react';
import classes from './dialog.module.css';
import { Cross } from './icons.tsx';

interface DialogProps {
  title: string;
  onClose(): void;
  children: ReactNode;
}

/**
 * A dialog over the page while it is rendered. The browser keeps the focus inside and restores it; Escape closes it. The focus starts at
 * the element with `data-autofocus`, because `autoFocus` would run before the dialog is shown.
 */
export function Dialog({ title, onClose, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  // Close before the dialog leaves the document; only then does the browser restore the focus.
  useLayoutEffect(() => {
    const shown = dialog.current;
    shown?.showModal();
    shown?.querySelector<HTMLElement>('[data-autofocus]')?.focus();
    return () => shown?.close();
  }, []);
  return (
    <dialog ref={dialog} className={classes['dialog']} aria-labelledby={id} closedby="any" onClose={onClose}>
      <div className={classes['head']}>
        <Title order={2} id={id}>
          {title}
        </Title>
        <ActionIcon variant="subtle" color="gray" aria-label="Close" onClick={() => dialog.current?.close()}>
          <Cross />
        </ActionIcon>
      </div>
      {children}
    </dialog>
  );
}
