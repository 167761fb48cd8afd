import type { FailureDetail } from '../contract/failure.ts';
import type { FailureRepository } from '../db/failures.ts';
import type { ModelAnswerRepository } from '../db/model-answers.ts';
import type { ModelWorkRepository } from '../db/model-work.ts';
import { renderDiagnosis } from '../diagnosis/rendering/render.ts';
import type { Hub } from '../events.ts';
import { type ModelAnswer, readAnswer, withModel } from './policy/answer.ts';
import type { CaseQuestion, Questions } from './questions.ts';
import type { ConfiguredModel, ModelSetups } from './setup.ts';

export interface AnswerDeliveryDeps {
  setups: Pick<ModelSetups, 'current'>;
  answers: Pick<ModelAnswerRepository, 'get'>;
  work: Pick<ModelWorkRepository, 'turn' | 'unanswered'>;
  failures: Pick<FailureRepository, 'detail' | 'setSolution'>;
  questions: Pick<Questions, 'about'>;
  hub: Hub;
  /** Whether a client waits for this record. If so, the record is published with its solution. */
  isWaiting(id: number): boolean;
  now(): Date;
}

export type AnswerDelivery = ReturnType<typeof answerDelivery>;

/** Gives the model's answers to failure records: renders, stores and publishes them. All methods throw DatabaseUnavailable. */
export function answerDelivery({ setups, answers, work, failures, questions, hub, isWaiting, now }: AnswerDeliveryDeps) {
  const give = async ({ id, namespace }: FailureDetail, { subject, prompt }: CaseQuestion, answer: ModelAnswer): Promise<void> => {
    const solution = renderDiagnosis(withModel(answer, { subject, ...prompt }));
    if (!(await failures.setSolution(id, solution, false))) return;
    if (!isWaiting(id)) hub.publish({ type: 'solution_updated', data: { id, solution }, namespace });
  };

  /** The answer that an incident already has. */
  const answerOf = async (incidentId: number): Promise<ModelAnswer | undefined> => {
    const had = await work.turn(incidentId);
    if (had?.state !== 'answered' || !had.fingerprint) return undefined;
    const read = readAnswer(await answers.get(had.fingerprint, now()));
    return 'answer' in read ? read.answer : undefined;
  };

  return {
    answerOf,

    /** Gives the answer to every open record of the incident that still has the rules' answer, except the record `except`. */
    async giveToIncident(incidentId: number, answer: ModelAnswer, model: ConfiguredModel, except?: number): Promise<void> {
      for (const id of await work.unanswered(incidentId)) {
        if (id === except) continue;
        const detail = await failures.detail(id);
        if (detail) await give(detail, await questions.about(detail, model.setup), answer);
      }
    },

    /** Gives a record the answer that its incident already has. Returns false when there is none. */
    async giveKnown({ id, incident_id }: { id: number; incident_id: number }): Promise<boolean> {
      const model = await setups.current();
      const answer = model && (await answerOf(incident_id));
      if (!answer) return false;
      const detail = await failures.detail(id);
      if (detail?.is_fallback) await give(detail, await questions.about(detail, model.setup), answer);
      return true;
    },
  };
}
