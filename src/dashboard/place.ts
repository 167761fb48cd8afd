import type { ListName } from './live/apply.ts';

/** Where the screen is: which list, and which failure is open. It stands in the address, so that it can be sent to a colleague. */
export interface Place {
  list: ListName;
  failure: number | null;
}

const LISTS: ListName[] = ['failed', 'ignored', 'history'];

/** Reads an address. An address that makes no sense shows the list of active failures. */
export function placeOf(pathname: string, search: string): Place {
  const failure = Number(/^\/failures\/([1-9]\d{0,15})$/.exec(pathname)?.[1] ?? 0);
  const wanted = new URLSearchParams(search).get('list');
  return {
    list: LISTS.find((name) => name === wanted) ?? 'failed',
    failure: Number.isSafeInteger(failure) && failure > 0 ? failure : null,
  };
}

export function addressOf({ list, failure }: Place): string {
  return (failure === null ? '/' : `/failures/${failure}`) + (list === 'failed' ? '' : `?list=${list}`);
}
