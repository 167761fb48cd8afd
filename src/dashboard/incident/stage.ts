import type { FailureDiagnosis, OfferedCorrection } from '../../contract/diagnosis.ts';
import type { FailureRecord, Trial } from '../../contract/failure.ts';
import type { MirrorRecord } from '../../contract/mirror.ts';

/** A correction with its trial. `index` is its place among the corrections. */
export interface Offered {
  index: number;
  correction: OfferedCorrection;
  /** The newest trial of exactly this correction. */
  trial: Tried | undefined;
}

/** The result of a mirror. */
export type Tried = Pick<Trial, 'verdict' | 'strength' | 'final'>;

/** A mirror that this window started. It is known here before the record mentions it. */
export interface Started {
  title: string;
  mirrorId: string;
}

/** The next thing to do. */
export type Stage =
  /** No change of the manifest is known to help. */
  | { kind: 'nothing' }
  /** A mirror can try the chosen correction. */
  | { kind: 'try'; offered: Offered }
  /** A mirror runs, and has no verdict yet. */
  | { kind: 'watching'; mirror: MirrorRecord }
  /** A mirror has proven the chosen correction. */
  | { kind: 'proven'; offered: Offered; trial: Tried }
  /** It can only be taken: it cannot be tried on a mirror, or mirrors are off. */
  | { kind: 'take'; offered: Offered };

/** The corrections, each with its newest trial. */
export function offeredOf(
  { preview }: FailureDiagnosis,
  { trials }: Pick<FailureRecord, 'trials'>,
  { mirrors, started }: { mirrors: readonly MirrorRecord[]; started: Started | undefined },
): Offered[] {
  return preview.candidates.map((correction, index) => {
    const mirrorId = started?.title === correction.title ? started.mirrorId : correction.tried;
    const trial = trials.find(({ mirror_id }) => mirror_id === mirrorId);
    const mirror = mirrors.find(({ mirror_id }) => mirror_id === mirrorId);
    return { index, correction, trial: trial?.verdict || !mirror ? trial : triedBy(mirror) };
  });
}

function triedBy({ verdict, evidence, final }: MirrorRecord): Tried {
  return { verdict, strength: evidence?.strength ?? null, final };
}

const has = (verdict: string) => (one: Offered) => one.trial?.verdict === verdict;

/** The index of the correction that is selected by default: a proven one, or the first that no mirror has refuted. */
export function preferred(all: readonly Offered[]): number {
  const best = all.find(has('Fixed')) ?? all.find((one) => one.correction.mirrorable && !has('StillFailing')(one)) ?? all[0];
  return best?.index ?? 0;
}

/** Whether a mirror is running without a verdict. A refused mirror has ended. */
export function isWatched({ verdict, status, final }: MirrorRecord): boolean {
  return verdict === null && !final && !['Rejected', 'Expired', 'Failed'].includes(status);
}

/** The stage of the selected correction. A running mirror comes first. */
export function stageOf(chosen: Offered | undefined, mirrors: readonly MirrorRecord[], areMirrorsOn: boolean): Stage {
  const running = mirrors.find(isWatched);
  if (running) return { kind: 'watching', mirror: running };
  if (!chosen) return { kind: 'nothing' };
  if (chosen.trial?.verdict === 'Fixed') return { kind: 'proven', offered: chosen, trial: chosen.trial };
  return chosen.correction.mirrorable && areMirrorsOn ? { kind: 'try', offered: chosen } : { kind: 'take', offered: chosen };
}

/** The state of the whole incident in a few words, shown first. */
export interface Headline {
  tone: 'good' | 'bad' | 'unsure' | 'plain';
  text: string;
  /** The verdict that it says. Nothing else on the screen repeats it. */
  verdict?: 'Fixed';
}

/** The state of the incident; the most certain fact wins. A mirror tells its verdict before the record has it. */
export function headlineOf(
  { status, trials }: Pick<FailureRecord, 'status' | 'trials'>,
  diagnosis: FailureDiagnosis | undefined,
  mirrors: readonly MirrorRecord[],
): Headline {
  if (status === 'resolved') return { tone: 'good', text: 'Resolved' };
  if (mirrors.some(isWatched)) return { tone: 'plain', text: 'A correction is being tried' };
  const isKnown = (id: string): boolean => trials.some(({ mirror_id, verdict }) => mirror_id === id && verdict !== null);
  const told = mirrors.filter(({ mirror_id, verdict }) => verdict !== null && !isKnown(mirror_id)).map(triedBy);
  const newest: Tried[] = [...told, ...trials.toSorted((a, b) => b.started_at.localeCompare(a.started_at))];
  const proven = newest.find(({ verdict }) => verdict === 'Fixed');
  if (proven) {
    const text = proven.strength === 'Weak' ? 'Fixed on a mirror, by weak evidence' : 'Fixed on a mirror';
    return { tone: 'good', text, verdict: 'Fixed' };
  }
  if (!diagnosis) return { tone: 'plain', text: 'Failing' };
  const { candidates } = diagnosis.preview;
  if (candidates.length === 0) return { tone: 'unsure', text: 'No change of the manifest helps' };
  const [last] = newest.filter(({ verdict }) => verdict !== null);
  if (last?.verdict === 'StillFailing') return { tone: 'bad', text: 'Still failing with what was tried' };
  if (last?.verdict === 'Inconclusive') return { tone: 'unsure', text: 'What was tried proved nothing' };
  return {
    tone: 'bad',
    text: candidates.length === 1 ? 'Failing, a correction is known' : `Failing, ${candidates.length} corrections are known`,
  };
}
