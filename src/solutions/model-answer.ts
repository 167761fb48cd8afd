import Type, { type Static } from 'typebox';
import { allowedChanges } from './allowed.ts';
import type { Case } from './case.ts';
import { Changes, CHANGES_SCHEMA, Explanation, formReader, proposalsOf } from './form.ts';
import { plainMarkdown } from './markdown.ts';
import type { Diagnosis, RuleCorrection } from './rules/answer.ts';

/** The form of an answer in words that every provider's structured output knows: bounds are checked here and not there. */
export const ANSWER_SCHEMA = {
  type: 'object',
  properties: {
    explanation: { type: 'string', description: 'Markdown, two to six sentences: what happened, why, and what to do' },
    evidence: { type: 'array', items: { type: 'integer' }, description: 'indexes of the evidence lines that prove it, most telling first' },
    changes: CHANGES_SCHEMA,
    confidence: { type: 'string', enum: ['likely', 'guess'] },
  },
  required: ['explanation', 'evidence', 'changes', 'confidence'],
  additionalProperties: false,
};

/** What a model may say. */
const ModelAnswer = Type.Object(
  {
    explanation: Explanation,
    evidence: Type.Array(Type.Integer({ minimum: 0 }), { maxItems: 100 }),
    changes: Changes,
    confidence: Type.Enum(['likely', 'guess']),
  },
  { additionalProperties: false },
);
export type ModelAnswer = Static<typeof ModelAnswer>;

/** The answer in a model's object. */
export const readAnswer = formReader(ModelAnswer);

/** How a model's answer is read for a case. */
export interface Reading {
  subject: Case;
  /** The rules' own answer. */
  rules: Diagnosis;
  /** The evidence by its indexes. */
  lines: readonly string[];
  /** Turns pseudonyms back. */
  restore(text: string): string;
}

/**
 * The rules' answer made better by a model's: its explanation first, the evidence it points at before the rest, and its changes as the
 * first correction, when every one of them is allowed. What the rules know stays.
 */
export function withModel({ explanation, evidence, changes, confidence }: ModelAnswer, reading: Reading): Diagnosis {
  const { subject, rules, lines, restore } = reading;
  const say = (text: string, max: number): string => plainMarkdown(restore(text), max);
  const allowed = allowedChanges(proposalsOf(changes, restore), subject, rules);
  const correction: RuleCorrection | undefined = allowed && {
    title: 'The correction that the model proposes',
    changes: allowed,
    confidence,
    explanation: 'The model proposes it for the reasons given beside each change.',
    mirrorable: true,
    byModel: true,
  };
  const refused = changes.length > 0 && !allowed ? ['The model also proposed changes that it may not make; they are left out.'] : [];
  const pointed = [...new Set(evidence)].flatMap((index) => lines[index] ?? []).slice(0, 8);
  return {
    ...rules,
    summary: say(explanation, 4000) || rules.summary,
    evidence: [...new Set([...pointed, ...rules.evidence])],
    advice: [...rules.advice, ...refused],
    corrections: correction ? [correction, ...rules.corrections.filter((one) => !isSame(one, correction))] : rules.corrections,
    noCure: correction ? null : rules.noCure,
  };
}

function isSame(one: RuleCorrection, other: RuleCorrection): boolean {
  const told = ({ changes }: RuleCorrection): string => JSON.stringify(changes.map(({ path, to }) => [path, to]));
  return told(one) === told(other);
}
