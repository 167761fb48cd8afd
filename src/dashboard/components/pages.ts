import { useInfiniteQuery } from '@tanstack/react-query';
import { askPage } from '../live/ask.ts';

/** What one page of a list holds. */
const PAGE = 50;

/** A list of the API, page by page. `path` has no `limit`; `key` is its key in the cache, by which it is asked for again. */
export function usePages<T>(key: readonly unknown[], path: string, isEnabled = true) {
  const query = useInfiniteQuery({
    queryKey: key,
    queryFn: ({ pageParam, signal }) => askPage<T[]>(pageParam, { signal }),
    initialPageParam: `${path}${path.includes('?') ? '&' : '?'}limit=${PAGE}`,
    getNextPageParam: ({ next }) => next,
    enabled: isEnabled,
  });
  return { ...query, rows: query.data?.pages.flatMap(({ body }) => body) };
}

/** The query of an address: what has no value is left out. */
export function queryOf(values: Readonly<Record<string, string | undefined>>): string {
  const query = new URLSearchParams(Object.entries(values).flatMap(([name, value]) => (value ? [[name, value]] : []))).toString();
  return query && `?${query}`;
}
