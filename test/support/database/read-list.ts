import type { PagedList } from '../../../src/db/paged-list.ts';

/** The rows of a page as the wire shows them. Without `page`, all rows. */
export async function readList<P, T>(list: PagedList<P, T>, page: P = {} as P): Promise<T[]> {
  return (await list.page(page)).rows.map((row) => JSON.parse(row) as T);
}
