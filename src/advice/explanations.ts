import { hash } from 'node:crypto';
import Type, { type Static } from 'typebox';
import { explanationOf } from './detectors/explain.ts';
import { detectorOf } from './detectors/list.ts';
import type { Advice } from '../contract/advice.ts';
import type { AdviceRepository } from '../db/advice.ts';
import type { Hub } from '../events.ts';
import { Explanation, answerReader } from '../models/policy/answer-schema.ts';
import { plainMarkdown } from '../models/policy/markdown.ts';
import type { AskTopic, TopicAnswer, Topic } from '../models/ask-topic.ts';
import { namesInData } from '../models/policy/names.ts';
import { MARKS, untrusted, UNTRUSTED } from '../models/policy/untrusted.ts';

/** Raise this number when the question or its form changes. Podmend then asks again instead of using a kept answer. */
const VERSION = 1;
const MAX_TOKENS = 8192;

const SYSTEM = `You explain to the engineer who runs a Kubernetes workload why a piece of advice matters for it.

You get, ${MARKS} about it: the object, what a detector saw ("evidence"), why such things matter in general ("why") and the change that it recommends. ${UNTRUSTED}

Answer with one JSON object with exactly one field, "explanation": Markdown, two to six sentences: what may happen to this very object and when, and what to mind when the recommended change is made. Do not propose another change. No links, no headings. Say so when the evidence is not enough.`;

const Words = Type.Object({ explanation: Explanation }, { additionalProperties: false });
type Words = Static<typeof Words>;
const readWords = answerReader(Words);
const SCHEMA = {
  type: 'object',
  properties: { explanation: { type: 'string', description: 'Markdown, two to six sentences' } },
  required: ['explanation'],
  additionalProperties: false,
};

export interface ExplainDeps {
  askTopic: AskTopic;
  advice: Pick<AdviceRepository, 'explain' | 'byId'>;
  hub: Pick<Hub, 'publish'>;
}

/** Explains advice. If there is a model, it says why the advice matters. The evidence and what to do always come from the detector. */
export function explanations({ askTopic, advice, hub }: ExplainDeps) {
  return async (one: Advice): Promise<{ explanation: string; isFallback: boolean }> => {
    const reply = await askTopic(topicOf(one), async (late) => {
      const explanation = wordsIn(late, one);
      if (explanation === undefined) return;
      await advice.explain(one, explanation, false);
      const now = await advice.byId(one.id);
      if (now && now.suppressed_by === null) hub.publish({ type: 'advice_finding', data: now });
    });
    const explanation = reply && wordsIn(reply, one);
    return { explanation: explanation ?? explanationOf(one), isFallback: explanation === undefined };
  };
}

function wordsIn({ answer, restore }: TopicAnswer<Words>, one: Advice): string | undefined {
  const why = plainMarkdown(restore(answer.explanation));
  return why === '' ? undefined : explanationOf(one, why);
}

function topicOf(one: Advice): Topic<Words> {
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
