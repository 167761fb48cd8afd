import type { FailureDetail } from '../contract/failure.ts';
import type { FailureRepository } from '../db/failures.ts';
import type { ModelWorkRepository } from '../db/model-work.ts';
import { renderDiagnosis } from '../diagnosis/rendering/render.ts';
import type { Hub } from '../events.ts';
import type { Logger } from '../log.ts';
import type { Ask } from './ask.ts';
import type { AnswerDelivery } from './delivery.ts';
import { withModel } from './policy/answer.ts';
import type { Questions } from './questions.ts';
import type { ConfiguredModel, ModelSetups } from './setup.ts';
import { within } from './wait-budget.ts';

/** The text of a solution, and whether the rules made it. */
export interface SolutionText {
  solution: string;
  isFallback: boolean;
}

export interface SolveDeps {
  setups: Pick<ModelSetups, 'current' | 'latest'>;
  /** Namespaces whose records get the rules' answer only. */
  hiddenNamespaces: readonly string[];
  questions: Questions;
  ask: Ask;
  delivery: Pick<AnswerDelivery, 'giveToIncident'>;
  work: Pick<ModelWorkRepository, 'answered' | 'offer'>;
  failures: Pick<FailureRepository, 'setSolution'>;
  hub: Hub;
  /** How long a person waits for the model. */
  waitMs: number;
  now(): Date;
  log: Logger;
}

/** Answers requests of people for a solution. Throws DatabaseUnavailable. */
export function solver({ setups, hiddenNamespaces, questions, ask, delivery, work, failures, hub, waitMs, now, log }: SolveDeps) {
  const byRules = async (detail: FailureDetail): Promise<SolutionText> => {
    const { prompt } = await questions.about(detail, undefined);
    return { solution: renderDiagnosis(prompt.rules), isFallback: true };
  };

  const askAgain = async (detail: FailureDetail, model: ConfiguredModel): Promise<string | undefined> => {
    const { subject, prompt } = await questions.about(detail, model.setup);
    const outcome = await ask(model, prompt, { anew: true });
    if (outcome.kind !== 'answered') return undefined;
    await work.answered(detail.incident_id, detail.id, prompt.fingerprint, now());
    await delivery.giveToIncident(detail.incident_id, outcome.answer, model, detail.id);
    return renderDiagnosis(withModel(outcome.answer, { subject, ...prompt }));
  };

  const storeLater = async ({ id, namespace }: FailureDetail, solution: string): Promise<void> => {
    const stored = await failures.setSolution(id, solution, false).catch(() => false);
    if (stored) hub.publish({ type: 'solution_updated', data: { id, solution }, namespace });
  };

  return {
    /** The model's new answer if it comes within some seconds; otherwise the record's present answer, or the rules' answer. */
    async solve(detail: FailureDetail): Promise<SolutionText> {
      const model = await setups.current();
      if (!model || hiddenNamespaces.includes(detail.namespace)) return byRules(detail);
      const asking = askAgain(detail, model).catch((error: unknown) => {
        log.warn({ err: error }, 'the model gave no new answer');
        return undefined;
      });
      const solution = await within(waitMs, asking);
      if (solution === 'late') void asking.then((later) => (later === undefined ? undefined : storeLater(detail, later)));
      else if (solution) return { solution, isFallback: false };
      return detail.solution !== null && !detail.is_fallback ? { solution: detail.solution, isFallback: false } : byRules(detail);
    },

    /** The rules' answer. The record also joins the queue for the model's answer. */
    async solveSoon(detail: FailureDetail): Promise<SolutionText> {
      const solution = await byRules(detail);
      if (setups.latest() && !hiddenNamespaces.includes(detail.namespace)) await work.offer(detail.incident_id, detail.id, now());
      return solution;
    },
  };
}
