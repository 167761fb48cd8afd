import * as assert from 'uvu/assert';
import type { Correction } from '../../../src/diagnosis/corrections/correction.ts';
import type { RuleAnswer } from '../../../src/diagnosis/rules/rule.ts';

/** A correction in short: its confidence, its title, its new values by their paths (from the first container), and whether a mirror must not try it. */
type ShortCorrection = [confidence: string, title: string, changes: Record<string, unknown>, noMirror?: 'no mirror'];

/** The parts of a rule's answer that a person reads. */
export interface Told {
  summary: string;
  culprit: string | null;
  /** Each line with its source: "event Failed: no space left". */
  evidence: string[];
  advice: string[];
  commands: string[];
  corrections: ShortCorrection[];
  /** Why there is no correction, where to look instead, and whether the cause stays open. */
  why: string | undefined;
  look: string | undefined;
  isOpen: boolean;
}

/** A rule's answer in short; undefined when the rule does not answer. */
export function told(answer: RuleAnswer | undefined): Told | undefined {
  if (!answer) return undefined;
  return {
    summary: answer.summary,
    culprit: answer.culprit,
    evidence: answer.evidence.map(({ from, text }) => `${from}: ${text}`),
    advice: answer.advice,
    commands: answer.commands ?? [],
    corrections: shortOf(answer.corrections ?? []),
    why: answer.noCorrection?.why,
    look: answer.noCorrection?.whereToLook,
    isOpen: answer.noCorrection?.isOpen === true,
  };
}

/** Corrections in short. */
export function shortOf(corrections: readonly Correction[]): ShortCorrection[] {
  return corrections.map(({ confidence, title, changes, mirrorable }) => {
    const values = Object.fromEntries(
      changes.map(({ path, to }) => [path.replace(/^(?:spec\.template\.)?spec\.containers\[0\]\./, ''), to]),
    );
    return mirrorable ? [confidence, title, values] : [confidence, title, values, 'no mirror'];
  });
}

/** Compares the given parts of an answer. `undefined` expects that the rule does not answer. */
export function tells(answer: RuleAnswer | undefined, expected: Partial<Told> | undefined): void {
  const actual = told(answer);
  if (!expected || !actual) assert.equal(actual, expected);
  else assert.equal(Object.fromEntries(Object.keys(expected).map((key) => [key, actual[key as keyof Told]])), expected);
}
