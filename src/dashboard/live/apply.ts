import type { Finding } from '../../contract/finding.ts';
import type { MirrorRecord } from '../../contract/mirror.ts';

/** The live mirrors after a message about one, newest first; ended ones are left out. */
export function applyToMirrors(mirrors: MirrorRecord[], record: MirrorRecord): MirrorRecord[] {
  const others = mirrors.filter(({ mirror_id }) => mirror_id !== record.mirror_id);
  if (record.status === 'Expired') return others;
  return [...others, record].sort((a, b) => b.created_at.localeCompare(a.created_at));
}

/** A list of findings: its state (empty for active) and its namespace, if limited to one. */
export interface FindingList {
  status: '' | 'dismissed' | 'suppressed' | 'resolved';
  namespace?: string | undefined;
}

/** A list of findings, newest first, after a message about one. `isDeleted` means that it is no longer active. */
export function applyToFindings(known: readonly Finding[], finding: Finding, isDeleted: boolean, list: FindingList): Finding[] {
  const isHere = listOf(finding, isDeleted) === list.status && (list.namespace === undefined || list.namespace === finding.namespace);
  const others = known.filter(({ id }) => id !== finding.id);
  if (!isHere) return others;
  const at = others.findIndex(({ id }) => id < finding.id);
  return at < 0 ? [...others, finding] : others.toSpliced(at, 0, finding);
}

/** The list that contains it; undefined if none does, because its resource is gone. */
function listOf({ status, suppressed_by: by }: Finding, isDeleted: boolean): FindingList['status'] | undefined {
  if (status === 'dismissed' || status === 'resolved') return status;
  if (by !== null) return 'suppressed';
  return isDeleted ? undefined : '';
}
