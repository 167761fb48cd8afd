import { useInfiniteQuery } from '@tanstack/react-query';
import { askPage } from '../live/request.ts';

/** One page of a list. */
const PAGE = 50;

/** A list of the API, loaded page by page. `path` has no `limit`; `key` is its cache key. */
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
