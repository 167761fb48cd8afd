import type { Case } from './case.ts';
import { gatherFacts } from './facts.ts';
import type { Quote } from './facts/message.ts';
import { oneLine } from './quote.ts';
import type { Diagnosis, RuleCorrection } from './rules/answer.ts';
import { describe } from './rules/commands.ts';
import { generic } from './rules/generic.ts';
import { RULES } from './rules/list.ts';
import { type Answer, type Rule, sceneOf } from './rules/rule.ts';

export type { Diagnosis } from './rules/answer.ts';

const RANKS: Record<RuleCorrection['confidence'], number> = { certain: 0, likely: 1, guess: 2 };
/** More candidates than these nobody tries. */
const MAX_CORRECTIONS = 5;

/** Says why a case fails and what cures it. Pure and total: the same case gives the same answer, and no input makes it throw. */
export function diagnose(subject: Case): Diagnosis {
  const scene = sceneOf(subject, gatherFacts(subject));
  for (const rule of rulesFor(subject.reason)) {
    const answer = rule.answer(scene);
    if (answer) return finish(subject, answer);
  }
  return generic(subject);
}

/** Rules that know the reason are asked first, then all others: a reporter's word may be vague. */
function* rulesFor(reason: string): Generator<Rule> {
  const knows = (rule: Rule) => rule.reasons.includes(reason);
  yield* RULES.filter(knows);
  yield* RULES.filter((rule) => !knows(rule));
}

function finish(subject: Case, answer: Answer): Diagnosis {
  const corrections = distinct(answer.corrections ?? [])
    .toSorted((a, b) => RANKS[a.confidence] - RANKS[b.confidence])
    .slice(0, MAX_CORRECTIONS);
  return {
    summary: answer.summary,
    evidence: [...new Set(answer.evidence.map(quoted))],
    culprit: answer.culprit === null ? null : oneLine(answer.culprit) || null,
    advice: answer.advice,
    commands: [...new Set(answer.commands ?? [describe(subject)])],
    corrections,
    noCure:
      corrections.length > 0
        ? null
        : (answer.noCure ?? { why: 'No field of the manifest is known to be wrong.', whereToLook: 'the events and the logs' }),
  };
}

/** Without changes there is nothing to correct; two that change the same to the same are one. */
function distinct(corrections: RuleCorrection[]): RuleCorrection[] {
  const changing = corrections.filter(({ changes }) => changes.length > 0);
  return [
    ...new Map(
      changing.toReversed().map((correction) => [JSON.stringify(correction.changes.map(({ path, to }) => [path, to])), correction]),
    ).values(),
  ].toReversed();
}

function quoted({ from, text }: Quote): string {
  return `${oneLine(from, 120)}: ${oneLine(text, 600)}`;
}
