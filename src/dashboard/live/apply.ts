import type { Finding } from '../../contract/finding.ts';
import type { MirrorRecord } from '../../contract/mirror.ts';

/** The live mirrors after news of one, newest first. One whose time is over is not among them. */
export function applyToMirrors(mirrors: MirrorRecord[], record: MirrorRecord): MirrorRecord[] {
  const others = mirrors.filter(({ mirror_id }) => mirror_id !== record.mirror_id);
  if (record.status === 'Expired') return others;
  return [...others, record].sort((a, b) => b.created_at.localeCompare(a.created_at));
}

/** Which list of findings: its state (empty: the active ones) and the namespace; of all without one. */
export interface FindingList {
  status: '' | 'dismissed' | 'suppressed' | 'resolved';
  namespace?: string | undefined;
}

/** A list of findings, the newest first, after news of one. `isDeleted`: it left the active ones. */
export function applyToFindings(known: readonly Finding[], finding: Finding, isDeleted: boolean, list: FindingList): Finding[] {
  const isHere = listOf(finding, isDeleted) === list.status && (list.namespace === undefined || list.namespace === finding.namespace);
  const others = known.filter(({ id }) => id !== finding.id);
  if (!isHere) return others;
  const at = others.findIndex(({ id }) => id < finding.id);
  return at < 0 ? [...others, finding] : others.toSpliced(at, 0, finding);
}

/** The list that shows it; undefined where none does: its resource is gone. */
function listOf({ status, suppressed_by: by }: Finding, isDeleted: boolean): FindingList['status'] | undefined {
  if (status === 'dismissed' || status === 'resolved') return status;
  if (by !== null) return 'suppressed';
  return isDeleted ? undefined : '';
}
