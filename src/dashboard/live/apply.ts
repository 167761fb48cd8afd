import type { MirrorRecord } from '../../contract/mirror.ts';

/** The live mirrors after news of one, newest first. One whose time is over is not among them. */
export function applyToMirrors(mirrors: MirrorRecord[], record: MirrorRecord): MirrorRecord[] {
  const others = mirrors.filter(({ mirror_id }) => mirror_id !== record.mirror_id);
  if (record.status === 'Expired') return others;
  return [...others, record].sort((a, b) => b.created_at.localeCompare(a.created_at));
}
