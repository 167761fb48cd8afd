import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/** The search part of the address: filters, sorting and tabs stand there, so that they can be sent to a colleague. */
export type Search = Readonly<Record<string, string | undefined>>;

/**
 * The search part of the address and how to change some of it. `undefined` and the empty string remove a name. A change replaces the
 * address unless `push` says that Back leads to what was before. The scroll position stays.
 */
export function useAddress(): [Search, (changes: Search, how?: 'replace' | 'push') => void] {
  const search: Search = useSearch({ strict: false });
  const navigate = useNavigate();
  const change = useCallback(
    (changes: Search, how: 'replace' | 'push' = 'replace') => {
      const next = (before: Search): Search => ({ ...before, ...changes });
      void navigate({ to: '.', search: next as never, replace: how === 'replace', resetScroll: false });
    },
    [navigate],
  );
  return [search, change];
}

/** The namespace that the top bar limits every screen to; undefined for all. */
export function useScope(): string | undefined {
  const { namespace }: Search = useSearch({ strict: false });
  return namespace === '' ? undefined : namespace;
}
