import { useLayoutEffect, useRef } from 'react';

/** Handlers by the value of `KeyboardEvent.key`. */
export type Keys = Readonly<Record<string, (event: KeyboardEvent) => void>>;

/** Whether the focused field or menu handles the key itself. */
function isTaken({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || !(target instanceof Element)) return true;
  return target.closest('input:not([type=checkbox]), textarea, select, [contenteditable=true], [role=menu], [role=listbox]') !== null;
}

/**
 * Keyboard shortcuts while the component is mounted. They are inactive while the user is typing or a menu or dialog is open. They work
 * before the component is painted: who sees a row may press a key.
 */
export function useKeys(keys: Keys): void {
  const latest = useRef(keys);
  useLayoutEffect(() => {
    latest.current = keys;
  });
  useLayoutEffect(() => {
    const pressed = (event: KeyboardEvent): void => {
      // A dialog that has just closed may still have the focus for a moment. It takes no keys.
      if (event.defaultPrevented || isTaken(event) || document.querySelector('dialog[open]')) return;
      const action = Object.hasOwn(latest.current, event.key) ? latest.current[event.key] : undefined;
      if (!action) return;
      event.preventDefault();
      action(event);
    };
    document.addEventListener('keydown', pressed);
    return () => document.removeEventListener('keydown', pressed);
  }, []);
}
