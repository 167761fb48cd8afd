import { type Dispatch, type SetStateAction, useEffect, useState } from 'react';
import { usePerson } from './current-user.ts';

/**
 * State that survives the end of the session and a reload, for this person and this window. `clear` removes it. Not for passwords or keys,
 * because it is stored unencrypted.
 */
export function useDraft<T extends object>(name: string, initial: T): [T, Dispatch<SetStateAction<T>>, () => void] {
  const key = useKey(name);
  const [draft, set] = useState<T>(() => ({ ...initial, ...stored(key) }));
  useEffect(() => {
    const text = JSON.stringify(draft);
    if (text === JSON.stringify(initial)) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
    // The initial state is the same each time.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [draft, key]);
  const clear = (): void => {
    // Here too: whoever clears it may be about to disappear, and then the effect does not run.
    sessionStorage.removeItem(key);
    set(initial);
  };
  return [draft, set, clear];
}

/** Whether something is written there: then its form is open again when somebody comes back. */
export function useHasDraft(name: string): boolean {
  return sessionStorage.getItem(useKey(name)) !== null;
}

function useKey(name: string): string {
  return `draft:${usePerson().id}:${name}`;
}

/** The stored value of the key; empty if it is unreadable. */
function stored(key: string): object {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(key) ?? '{}');
    return typeof found === 'object' && found !== null ? found : {};
  } catch {
    return {};
  }
}
