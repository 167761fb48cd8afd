import type { Search } from '../components/address.ts';

// Views that somebody has saved of the list: each is a name for the filters that stand in an address. Works without a browser.

/** A saved view. `query` is the search part of an address. */
export interface SavedView {
  name: string;
  query: string;
}

/** The parameters of an address that a view stores, in order. */
const NAMES = ['list', 'namespace', 'q', 'reason', 'status', 'verdict', 'assignee', 'sort', 'order'] as const;
export const LONGEST_NAME = 60;

/** The part of an address that a view stores; empty without filters and sorting. The same filters always give the same text. */
export function queryOfView(search: Search): string {
  const asked = new URLSearchParams();
  for (const name of NAMES) if (search[name]) asked.set(name, search[name]);
  return asked.toString();
}

/** The changes of an address that open a view; parameters that it does not name are cleared. */
export function searchOfView(query: string): Search {
  const asked = new URLSearchParams(query);
  return Object.fromEntries(NAMES.map((name) => [name, asked.get(name) ?? undefined]));
}

/** The stored views by name. Unreadable ones are dropped. */
export function storedViews(text: string | null): SavedView[] {
  let found: unknown;
  try {
    found = JSON.parse(text ?? '[]');
  } catch {
    return [];
  }
  if (!Array.isArray(found)) return [];
  return found.flatMap((one: unknown) => {
    const { name, query } = (one ?? {}) as Record<string, unknown>;
    return typeof name === 'string' && name !== '' && typeof query === 'string' ? [{ name, query }] : [];
  });
}

/** The views with one added. A view of the same name, in any case, is replaced. */
export function withView(views: readonly SavedView[], view: SavedView): SavedView[] {
  return [...withoutView(views, view.name), view].sort((a, b) => a.name.localeCompare(b.name));
}

/** The views without that one. */
export function withoutView(views: readonly SavedView[], name: string): SavedView[] {
  return views.filter((one) => !isCalled(one, name));
}

/** Whether the view has that name, in any case. */
export function isCalled(view: SavedView, name: string): boolean {
  return view.name.toLowerCase() === name.toLowerCase();
}
