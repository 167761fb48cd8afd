import type { VerdictCase, VerdictClass } from './case.ts';

/** The result of one case. Seconds count from the creation of the mirror pod. */
export interface CaseResult {
  name: string;
  class: VerdictClass;
  truth: VerdictCase['truth'];
  verdicts: { at: number; verdict: string; reason: string }[];
  /** The last verdict. Absent if there was none. */
  last?: string;
  isFinal?: boolean;
  windowSeconds: number;
  /** When it was first Ready. */
  readyAt?: number;
}

/** The result of a run of the corpus. */
export interface Score {
  falseFixed: string[];
  falseStillFailing: string[];
  /** Cases in which the truth differs. */
  inconclusive: string[];
  withoutEnd: string[];
  lines: string[];
}

/** Rates the verdicts: figures for people, and what fails the run. */
export function score(results: readonly CaseResult[]): Score {
  const named = (wanted: (one: CaseResult) => boolean): string[] =>
    results
      .filter(wanted)
      .map(
        ({ name, verdicts }) =>
          `${name}: ${verdicts.map(({ at, verdict, reason }) => `${at} s ${verdict}/${reason}`).join(', ') || 'no verdict'}`,
      );
  const falseFixed = named(({ last, truth }) => last === 'Fixed' && truth !== 'Fixed');
  const falseStillFailing = named(({ last, truth }) => last === 'StillFailing' && truth !== 'StillFailing');
  const inconclusive = named(({ last, truth }) => last === 'Inconclusive' && truth !== 'Inconclusive');
  const withoutEnd = named(({ last, isFinal }) => last === undefined || isFinal !== true);
  const classes = [...new Set(results.map((one) => one.class))];
  const shares = classes.map((one) => {
    const all = results.filter((result) => result.class === one);
    const count = all.filter(({ last, truth }) => last === 'Inconclusive' && truth !== 'Inconclusive').length;
    return `${one} ${count} of ${all.length}`;
  });
  const times = results.flatMap(({ verdicts: [first] }) => (first ? [first.at] : [])).sort((a, b) => a - b);
  const ratios = results.flatMap(timeRatio).sort((a, b) => a - b);
  const revised = results.filter(({ verdicts }) => verdicts.length > 1).length;
  return {
    falseFixed,
    falseStillFailing,
    inconclusive,
    withoutEnd,
    lines: [
      `${results.length} cases: ${falseFixed.length} false Fixed, ${falseStillFailing.length} false StillFailing, ${inconclusive.length} Inconclusive where the truth is another`,
      `Inconclusive by class: ${shares.join(', ')}`,
      `first verdict after ${middle(times)} s (median), ${times.at(-1) ?? 0} s (worst)`,
      `first Fixed, as a part of start + 1.2 windows: ${middle(ratios)} (median), ${round(ratios.at(-1) ?? 0)} (worst)`,
      `first verdicts revised: ${revised} of ${results.length} (${Math.round((100 * revised) / Math.max(1, results.length))} %)`,
    ],
  };
}

/** The time to the verdict of a mirror that was Ready and whose first verdict is Fixed. 1 means the start plus 1.2 windows. */
function timeRatio({ verdicts: [first], readyAt, windowSeconds }: CaseResult): number[] {
  if (first?.verdict !== 'Fixed' || first.reason !== 'PodReady' || readyAt === undefined) return [];
  return [first.at / (readyAt + 1.2 * windowSeconds)];
}

const middle = (sorted: number[]): number => round(sorted[Math.floor(sorted.length / 2)] ?? 0);
const round = (value: number): number => Math.round(value * 100) / 100;
