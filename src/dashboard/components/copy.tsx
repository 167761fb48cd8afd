import { Button, type ButtonProps } from '@mantine/core';
import { useEffect, useState } from 'react';
import { Check, Copy } from './icons.tsx';

const SHOWN_MS = 2_500;

/** Copies a text to the clipboard. Where the browser denies access (plain HTTP), it selects the text and runs the copy command. Throws. */
export async function copyText(text: string): Promise<void> {
  if (globalThis.isSecureContext) return navigator.clipboard.writeText(text);
  const before = document.activeElement;
  const field = document.createElement('textarea');
  field.value = text;
  field.readOnly = true;
  field.className = 'offscreen';
  document.body.append(field);
  field.select();
  const isDone = document.execCommand('copy');
  field.remove();
  if (before instanceof HTMLElement) before.focus({ preventScroll: true });
  if (!isDone) throw new Error('The browser did not allow copying. Select the text and copy it.');
}

interface CopyButtonProps extends ButtonProps {
  /** The text to copy. */
  text: string;
  children: string;
}

/** A function that copies a text, and the result to show for a moment afterwards; empty before. */
export function useCopy(text: string): { said: '' | 'Copied' | 'Not copied'; copy(): void } {
  const [said, say] = useState<'' | 'Copied' | 'Not copied'>('');
  useEffect(() => {
    if (!said) return;
    const timer = setTimeout(() => say(''), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = (): void => {
    copyText(text).then(
      () => say('Copied'),
      () => say('Not copied'),
    );
  };
  return { said, copy };
}

/** Copies a text and confirms it, also to screen readers. */
export function CopyButton({ text, children, ...button }: CopyButtonProps) {
  const { said, copy } = useCopy(text);
  return (
    <Button
      variant="default"
      size="compact-sm"
      leftSection={said === 'Copied' ? <Check size={14} /> : <Copy size={14} />}
      {...button}
      onClick={copy}
    >
      <span aria-live="polite">{said || children}</span>
    </Button>
  );
}
