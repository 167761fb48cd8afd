import { type Dispatch, type SetStateAction, useEffect, useState } from 'react';
import { usePerson } from './current-user.ts';

/**
 * A state that survives the end of the session and a reload of the page, for this person in this window. `clear` forgets it. Never for
 * passwords or keys: it is stored as it is.
 */
export function useDraft<T extends object>(name: string, initial: T): [T, Dispatch<SetStateAction<T>>, () => void] {
  const key = `draft:${usePerson().id}:${name}`;
  const [draft, set] = useState<T>(() => ({ ...initial, ...stored(key) }));
  useEffect(() => {
    const text = JSON.stringify(draft);
    if (text === JSON.stringify(initial)) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
    // The initial state is the same each time.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [draft, key]);
  return [draft, set, () => set(initial)];
}

/** The stored value of the key; nothing when it is not readable. */
function stored(key: string): object {
  try {
    const found: unknown = JSON.parse(sessionStorage.getItem(key) ?? '{}');
    return typeof found === 'object' && found !== null ? found : {};
  } catch {
    return {};
  }
}
