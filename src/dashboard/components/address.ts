import { useNavigate, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';

/** The search part of the address. Filters, sorting and tabs are in it, so that people can send a link to colleagues. */
export type Search = Readonly<Record<string, string | undefined>>;

/**
 * The search part of the address and a function that changes some of it. `undefined` and the empty string remove a parameter. A change
 * replaces the history entry; with `push` it adds one, so that Back returns. The scroll position stays.
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

/** The namespace in the top bar, to which all screens are limited; undefined for all. */
export function useScope(): string | undefined {
  const { namespace }: Search = useSearch({ strict: false });
  return namespace === '' ? undefined : namespace;
}
