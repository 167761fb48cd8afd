import type { FailureRecord, FailureStatus } from '../../contract/failure.ts';
import type { MirrorRecord } from '../../contract/mirror.ts';
import type { SocketMessage } from '../../contract/socket.ts';

/** The lists of failures: the last part of their address below `/api/pods`. */
export type ListName = 'failed' | 'ignored' | 'history';

/** One page of a list, newest first, and the address of the next. */
export interface Page {
  body: FailureRecord[];
  next: string | null;
}

const ACTIVE: FailureStatus[] = ['new', 'investigating'];

/** Which list shows a record of that status. */
export function listOf(status: FailureStatus): ListName {
  if (ACTIVE.includes(status)) return 'failed';
  return status === 'ignored' ? 'ignored' : 'history';
}

/** Whether a record is among what is searched for, as the server's `q` has it. */
function matches({ pod_name, namespace, failure_reason, failure_message }: FailureRecord, search: string): boolean {
  const wanted = search.toLowerCase();
  return [pod_name, namespace, failure_reason, failure_message].some((text) => text.toLowerCase().includes(wanted));
}

/**
 * The pages of a list after a message: the same array when nothing in it changes, `reload` when only the server knows what belongs in
 * it now.
 */
export function applyToPages(
  pages: Page[],
  message: SocketMessage,
  { list, search, namespace }: { list: ListName; search: string; namespace?: string | undefined },
): Page[] | 'reload' {
  const records = (change: (record: FailureRecord) => FailureRecord[]): Page[] => changed(pages, change);
  switch (message.type) {
    case 'pod_failure': {
      const { reason: _, ...record } = message.data;
      const isHere = pages.some(({ body }) => body.some(({ id }) => id === record.id));
      const isElsewhere = namespace !== undefined && record.namespace !== namespace;
      if (isElsewhere || listOf(record.status) !== list || !matches(record, search))
        return isHere ? records((one) => (one.id === record.id ? [] : [one])) : pages;
      return isHere ? records((one) => [one.id === record.id ? record : one]) : inserted(pages, record);
    }
    case 'pod_status_change': {
      const { id, status } = message.data;
      const isHere = pages.some(({ body }) => body.some((one) => one.id === id));
      if (listOf(status) !== list) return isHere ? records((one) => (one.id === id ? [] : [one])) : pages;
      return isHere ? records((one) => [one.id === id && one.status !== status ? { ...one, status } : one]) : 'reload';
    }
    case 'pod_deleted': {
      const { namespace, pod_name } = message.data;
      if (list === 'history') return 'reload';
      return records((one) => (one.namespace === namespace && one.pod_name === pod_name ? [] : [one]));
    }
    case 'solution_updated': {
      const { id, solution } = message.data;
      return records((one) => [one.id === id ? { ...one, solution } : one]);
    }
    case 'suppression_change':
    case 'namespace_exclusion':
      return 'reload';
    default:
      return pages;
  }
}

/** Ids only grow, so a record's place is known; one older than the pages that are loaded comes with the next. */
function inserted(pages: Page[], record: FailureRecord): Page[] {
  const index = pages.findIndex(({ body, next }) => next === null || (body.at(-1)?.id ?? 0) < record.id);
  if (index < 0) return pages;
  return pages.map((page, at) => (at === index ? { ...page, body: [...page.body, record].sort((a, b) => b.id - a.id) } : page));
}

function changed(pages: Page[], change: (record: FailureRecord) => FailureRecord[]): Page[] {
  let isSame = true;
  const next = pages.map((page) => {
    const body = page.body.flatMap(change);
    if (body.length === page.body.length && body.every((record, index) => record === page.body[index])) return page;
    isSame = false;
    return { ...page, body };
  });
  return isSame ? pages : next;
}

/** The live mirrors after news of one, newest first. One whose time is over is not among them. */
export function applyToMirrors(mirrors: MirrorRecord[], record: MirrorRecord): MirrorRecord[] {
  const others = mirrors.filter(({ mirror_id }) => mirror_id !== record.mirror_id);
  if (record.status === 'Expired') return others;
  return [...others, record].sort((a, b) => b.created_at.localeCompare(a.created_at));
}
