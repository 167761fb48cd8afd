import type { Case } from './case.ts';
import { whatChanged } from './change/changed.ts';
import { factsOfCase } from './facts.ts';
import type { Quote } from './facts/message.ts';
import { oneLine } from './quote.ts';
import type { Diagnosis, RuleCorrection } from './rules/answer.ts';
import { describe } from './rules/commands.ts';
import { generic } from './rules/generic.ts';
import { RULES } from './rules/list.ts';
import { type Answer, type Rule, type Scene, sceneOf } from './rules/rule.ts';

export type { Diagnosis } from './rules/answer.ts';

const RANKS: Record<RuleCorrection['confidence'], number> = { certain: 0, likely: 1, guess: 2 };
/** More candidates than these nobody tries. */
const MAX_CORRECTIONS = 5;

/** Says why a case fails and what cures it. Pure and total: the same case gives the same answer, and no input makes it throw. */
export function diagnose(subject: Case): Diagnosis {
  const scene = sceneOf(subject, factsOfCase(subject));
  for (const rule of rulesFor(subject.reason)) {
    const answer = rule.answer(scene);
    if (answer) return finish(scene, answer);
  }
  return finish(scene, generic(subject));
}

/** Rules that know the reason are asked first, then all others: a reporter's word may be vague. */
function* rulesFor(reason: string): Generator<Rule> {
  const knows = (rule: Rule) => rule.reasons.includes(reason);
  yield* RULES.filter(knows);
  yield* RULES.filter((rule) => !knows(rule));
}

function finish(scene: Scene, answer: Answer | Diagnosis): Diagnosis {
  const { subject } = scene;
  const changed = whatChanged(scene);
  // What a rule knows of the cause comes first among equals: it changes less.
  const corrections = distinct([...agreed(answer.corrections ?? [], changed?.corrections ?? []), ...(changed?.corrections ?? [])])
    .toSorted((a, b) => RANKS[a.confidence] - RANKS[b.confidence])
    .slice(0, MAX_CORRECTIONS);
  return {
    ...(changed ? { changed: changed.told } : {}),
    summary: answer.summary,
    evidence: [...new Set(answer.evidence.map((line) => (typeof line === 'string' ? line : quoted(line))))],
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

/** A rule's correction that is the way back as well is told as that, with the surer of both confidences. */
function agreed(corrections: RuleCorrection[], back: RuleCorrection[]): RuleCorrection[] {
  return corrections.map((one) => {
    const same = back.find((other) => effectOf(other) === effectOf(one));
    return same ? { ...same, confidence: RANKS[one.confidence] < RANKS[same.confidence] ? one.confidence : same.confidence } : one;
  });
}

const effectOf = ({ changes }: RuleCorrection): string => JSON.stringify(changes.map(({ path, to }) => [path, to]));

/** Without changes there is nothing to correct; two that change the same to the same are one. */
function distinct(corrections: RuleCorrection[]): RuleCorrection[] {
  const changing = corrections.filter(({ changes }) => changes.length > 0);
  return [...new Map(changing.toReversed().map((correction) => [effectOf(correction), correction])).values()].toReversed();
}

function quoted({ from, text }: Quote): string {
  return `${oneLine(from, 120)}: ${oneLine(text, 600)}`;
}
