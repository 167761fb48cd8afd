import { hash } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { explanationOf } from '../advice/explain.ts';
import { detectorOf } from '../advice/list.ts';
import type { Advice } from '../contract/advice.ts';
import type { AdviceRepository } from '../db/advice.ts';
import type { Hub } from '../events.ts';
import { Explanation, formReader } from '../solutions/form.ts';
import { plainMarkdown } from '../solutions/markdown.ts';
import type { Consult, Counsel, Matter } from '../solutions/models/consult.ts';
import { namesInData } from '../solutions/names.ts';
import { MARKS, untrusted, UNTRUSTED } from '../solutions/untrusted.ts';

/** Goes up with every change of what is asked or how. */
const VERSION = 1;
const MAX_TOKENS = 8192;

const SYSTEM = `You explain to the engineer who runs a Kubernetes workload why a piece of advice matters for it.

You get, ${MARKS} about it: the object, what a detector saw ("evidence"), why such things matter in general ("why") and the change that it recommends. ${UNTRUSTED}

Answer with one JSON object with exactly one field, "explanation": Markdown, two to six sentences: what may happen to this very object and when, and what to mind when the recommended change is made. Do not propose another change. No links, no headings. Say so when the evidence is not enough.`;

const Words = Type.Object({ explanation: Explanation }, { additionalProperties: false });
type Words = Static<typeof Words>;
const readWords = formReader(Words);
const SCHEMA = {
  type: 'object',
  properties: { explanation: { type: 'string', description: 'Markdown, two to six sentences' } },
  required: ['explanation'],
  additionalProperties: false,
};

export interface ExplainDeps {
  consult: Consult;
  advice: Pick<AdviceRepository, 'explain' | 'byId'>;
  hub: Pick<Hub, 'publish'>;
}

/** Explains advice: why it matters in the model's words, else in the rules'; what was seen and what to do stay the rules'. */
export function explanations({ consult, advice, hub }: ExplainDeps) {
  return async (one: Advice): Promise<{ explanation: string; isFallback: boolean }> => {
    const counsel = await consult(matterOf(one), async (late) => {
      const explanation = toldBy(late, one);
      if (explanation === undefined) return;
      await advice.explain(one, explanation, false);
      const now = await advice.byId(one.id);
      if (now && now.suppressed_by === null) hub.publish({ type: 'advice_finding', data: now });
    });
    const explanation = counsel && toldBy(counsel, one);
    return { explanation: explanation ?? explanationOf(one), isFallback: explanation === undefined };
  };
}

function toldBy({ answer, restore }: Counsel<Words>, one: Advice): string | undefined {
  const why = plainMarkdown(restore(answer.explanation));
  return why === '' ? undefined : explanationOf(one, why);
}

function matterOf(one: Advice): Matter<Words> {
  const { detector_id, title, severity, category, resource_kind, resource_name, namespace, summary, evidence, recommended_change } = one;
  const data = {
    advice: { detector: detector_id, title, severity, category, summary, evidence, recommended_change },
    on: { kind: resource_kind, name: resource_name, in_namespace: namespace },
    why: detectorOf(detector_id)?.why ?? null,
  };
  return {
    names: [resource_name, namespace, ...namesInData(evidence)],
    question(pseudonyms, model) {
      const { json, text } = untrusted(data, pseudonyms);
      return {
        system: SYSTEM,
        user: `${text}\n\nWhy does it matter here? Answer with the JSON object.`,
        schema: SCHEMA,
        maxTokens: MAX_TOKENS,
        read: readWords,
        fingerprint: hash('sha256', JSON.stringify(['advice', VERSION, ...model, json])),
      };
    },
  };
}
