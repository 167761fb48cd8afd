import Type, { type Static } from 'typebox';
import { allowedChanges } from './allowed-changes.ts';
import type { Case } from '../../diagnosis/case.ts';
import { Changes, CHANGES_SCHEMA, Explanation, answerReader, modelChangesOf } from './answer-schema.ts';
import { plainMarkdown } from './markdown.ts';
import type { Diagnosis } from '../../diagnosis/diagnosis.ts';
import type { Correction } from '../../diagnosis/corrections/correction.ts';

/** The schema of an answer, limited to what the structured output of every provider supports. It has no bounds: this file checks them. */
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

/** The form of a model's answer. */
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

/** Reads and checks a model's answer. */
export const readAnswer = answerReader(ModelAnswer);

/** The data for applying a model's answer to a case. */
export interface AnswerContext {
  subject: Case;
  /** The rules' own answer. */
  rules: Diagnosis;
  /** The evidence by its indexes. */
  lines: readonly string[];
  /** Replaces pseudonyms by the real names. */
  restore(text: string): string;
}

/**
 * Merges the model's answer into the rules' diagnosis: its explanation becomes the summary, the evidence it cites comes first, and its
 * changes become the first correction if all of them are allowed. Everything that the rules found stays.
 */
export function withModel({ explanation, evidence, changes, confidence }: ModelAnswer, context: AnswerContext): Diagnosis {
  const { subject, rules, lines, restore } = context;
  const say = (text: string, max: number): string => plainMarkdown(restore(text), max);
  const allowed = allowedChanges(modelChangesOf(changes, restore), subject, rules);
  const correction: Correction | undefined = allowed && {
    title: "The model's correction",
    changes: allowed,
    confidence,
    explanation: 'The reasons of the model stand beside each change.',
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
    noCorrection: correction ? null : rules.noCorrection,
  };
}

function isSame(one: Correction, other: Correction): boolean {
  const effectOf = ({ changes }: Correction): string => JSON.stringify(changes.map(({ path, to }) => [path, to]));
  return effectOf(one) === effectOf(other);
}
