import type { FailureDetail, FailureRecord } from '../../contract/failure.ts';
import type { ModelPrompt, ModelStatus } from '../../contract/model.ts';
import type { FailureRepository } from '../../db/failures.ts';
import type { ModelAnswerRepository } from '../../db/model-answers.ts';
import type { ModelCallRepository } from '../../db/model-calls.ts';
import type { ModelWorkRepository } from '../../db/model-work.ts';
import type { Hub } from '../../events.ts';
import type { Logger } from '../../log.ts';
import type { Case } from '../case.ts';
import { type Diagnosis, diagnose } from '../diagnose.ts';
import { readAnswer, withModel } from '../model-answer.ts';
import { PROMPT_VERSION } from '../prompt.ts';
import { renderSolution } from '../render.ts';
import { asker } from './ask.ts';
import { type Consult, consultations } from './consult.ts';
import { type QuestionDeps, questions } from './question.ts';
import type { ConfiguredModel, ModelSetups } from './setup.ts';
import { turns } from './turns.ts';
import { waitingRoom, within } from './waiting.ts';

const LOOK_MS = 2_000;
const PATIENCE_MS = 10_000;
/** Turns under way at once in this process; the ledger bounds them over all. */
const LANES = 4;

export interface ModelDeskDeps extends QuestionDeps {
  setups: ModelSetups;
  answers: ModelAnswerRepository;
  calls: ModelCallRepository;
  work: ModelWorkRepository;
  failures: Pick<FailureRepository, 'detail' | 'record' | 'setSolution'>;
  hub: Hub;
  /** How long a report waits. */
  budgetMs: number;
  /** How often the queue is looked at when nobody says that there is something in it. */
  lookMs?: number;
  /** How long somebody waits who asks for an answer: longer than a report. */
  patienceMs?: number;
  holder: string;
  now(): Date;
  log: Logger;
}

/** A solution, and whether the rules made it. */
export interface Solution {
  solution: string;
  isFallback: boolean;
}

/** The language model on its leash. Without one, everything is as the rules say, and costs nothing. */
export interface ModelDesk {
  setups: ModelSetups;
  status(): Promise<ModelStatus>;
  /** What would be sent about a failure, to the letter. */
  prompt(detail: FailureDetail): Promise<ModelPrompt>;
  /** Questions by provider and outcome since the start of this process. */
  tally(): { provider: string; outcome: string; count: number }[];
  /** Puts a record that the rules just answered in the queue. Where it may wait: the record as it is after the budget. Never rejects. */
  offer(record: FailureRecord): Promise<FailureRecord | undefined> | undefined;
  /** A new answer of the model, waited for some seconds; else what there is, or the rules'. */
  solve(detail: FailureDetail): Promise<Solution>;
  /** The rules' answer now, and a place in the queue for the model's. */
  solveSoon(detail: FailureDetail): Promise<Solution>;
  /** The rules' diagnosis of a case, made better by what the model said about its incident. */
  diagnose(subject: Case, incidentId: number | undefined): Promise<Diagnosis>;
  /** Asks what is no failure. */
  consult: Consult;
  start(): void;
  stop(): Promise<void>;
}

export function modelDesk(deps: ModelDeskDeps): ModelDesk {
  const { setups, answers, calls, work, failures, hub, now, log, budgetMs, holder } = deps;
  const counts = new Map<string, { provider: string; outcome: string; count: number }>();
  const count = (provider: string, outcome: string): void => {
    const key = `${provider}\n${outcome}`;
    const entry = counts.get(key) ?? { provider, outcome, count: 0 };
    counts.set(key, { ...entry, count: entry.count + 1 });
  };
  const { lookMs = LOOK_MS, patienceMs = Math.max(PATIENCE_MS, budgetMs) } = deps;
  const room = waitingRoom(budgetMs);
  const asks = questions(deps);
  const ask = asker({ answers, calls, limits: asks.limits, count, now, log });
  let heldUntil = 0;
  const heldBack = (until: Date): void => void (heldUntil = Math.max(heldUntil, until.getTime()));
  const under = turns({ setups, work, failures, questions: asks, ask, hub, isHeld: room.has, heldBack, holder, now, log });

  let timer: NodeJS.Timeout | undefined;
  const lanes = new Set<Promise<void>>();
  const wake = (): void => {
    if (timer === undefined || lanes.size >= LANES || !setups.latest()) return;
    const lane: Promise<void> = under
      .turn()
      .then((had) => void (had && setImmediate(wake)))
      .catch((error: unknown) => log.debug({ err: error }, 'no turn at the model'))
      .finally(() => lanes.delete(lane));
    lanes.add(lane);
  };
  const look = (): void => void setups.current().then(wake, () => {});

  /** Puts the incident in the queue and takes its turn; an answer that it has already is given to the record. */
  const take = async (record: FailureRecord): Promise<void> => {
    await work.offer(record.incident_id, record.id, now());
    if (await under.turn(record.incident_id)) return;
    await under.underWay(record.incident_id);
    await shareAnswer(record);
  };
  /** False when the incident has no answer yet. */
  const shareAnswer = async ({ id, incident_id }: FailureRecord): Promise<boolean> => {
    const model = await setups.current();
    const answer = model && (await answerOf(incident_id));
    if (!answer) return false;
    const detail = await failures.detail(id);
    if (detail?.is_fallback) await under.give(detail, await asks.about(detail, model.setup), answer);
    return true;
  };
  const answerOf = async (incidentId: number) => {
    const had = await work.turn(incidentId);
    const read = had?.state === 'answered' && had.fingerprint ? readAnswer(await answers.get(had.fingerprint, now())) : undefined;
    return read && 'answer' in read ? read.answer : undefined;
  };

  const byRules = async (detail: FailureDetail): Promise<Solution> => {
    const { prompt } = await asks.about(detail, undefined);
    return { solution: renderSolution(prompt.rules), isFallback: true };
  };

  const askAnew = async (detail: FailureDetail, model: ConfiguredModel): Promise<Solution | undefined> => {
    const { subject, prompt } = await asks.about(detail, model.setup);
    const came = await ask(model, prompt, { anew: true });
    if (came.kind !== 'answered') return undefined;
    await work.answered(detail.incident_id, detail.id, prompt.fingerprint, now());
    await under.giveAll(detail.incident_id, came.answer, model, detail.id);
    return { solution: renderSolution(withModel(came.answer, { subject, ...prompt })), isFallback: false };
  };

  return {
    setups: {
      ...setups,
      async save(body, at) {
        const record = await setups.save(body, at);
        heldUntil = 0;
        await work.renew(at);
        wake();
        return record;
      },
    },

    async status() {
      const [record, model, limits, pending] = await Promise.all([setups.record(), setups.current(), asks.limits(), work.pending()]);
      const { held, calls: made, tokens, lastError } = await calls.state(model?.id ?? '', limits, now());
      const hold = model && held ? { held_back: held.why, held_until: held.until.toISOString() } : { held_back: null, held_until: null };
      return {
        ...record,
        available: model !== undefined && !held,
        ...hold,
        calls_last_hour: made,
        tokens_last_hour: tokens,
        pending,
        last_error: lastError,
      };
    },

    async prompt(detail) {
      const model = await setups.current();
      const { prompt } = await asks.about(detail, model?.setup);
      const { system, user, schema, maxTokens, fingerprint } = prompt;
      const request = model?.client.request({ system, user, schema, maxTokens });
      return {
        configured: model !== undefined,
        provider: model?.setup.provider ?? null,
        model: model?.setup.model ?? null,
        url: request?.url ?? null,
        prompt_version: PROMPT_VERSION,
        fingerprint,
        cached: await answers.has(fingerprint),
        system,
        user,
        body: request?.body ?? null,
      };
    },

    tally: () => [...counts.values()],

    offer(record) {
      if (!setups.latest()) return undefined;
      const begun = heldUntil > now().getTime() ? undefined : room.wait(record.id, () => take(record));
      if (begun) return begun.then(() => failures.record(record.id)).catch(() => undefined);
      work
        .offer(record.incident_id, record.id, now())
        .then(async () => {
          // The incident may have had its turn before this record came.
          if (!(await shareAnswer(record))) wake();
        })
        .catch((error: unknown) => log.warn({ err: error, failure: record.id }, 'a failure is not told to the model'));
      return undefined;
    },

    async solve(detail) {
      const model = await setups.current();
      if (!model) return byRules(detail);
      const anew = askAnew(detail, model).catch(noAnswer(log));
      const made = await within(patienceMs, anew);
      if (made === 'late') void anew.then((later) => later && tellLater(detail, later.solution));
      else if (made) return made;
      return detail.solution !== null && !detail.is_fallback ? { solution: detail.solution, isFallback: false } : byRules(detail);
    },

    async solveSoon(detail) {
      const made = await byRules(detail);
      if (setups.latest()) await work.offer(detail.incident_id, detail.id, now());
      return made;
    },

    async diagnose(subject, incidentId) {
      const model = incidentId === undefined ? undefined : await setups.current();
      const answer = model && incidentId !== undefined ? await answerOf(incidentId) : undefined;
      if (!answer) return diagnose(subject);
      const { prompt } = await asks.of(subject, model?.setup);
      return withModel(answer, { subject, ...prompt });
    },

    consult: consultations({ setups, questions: asks, ask, waitMs: patienceMs, log }),

    start() {
      timer ??= setInterval(look, lookMs);
      look();
    },

    async stop() {
      clearInterval(timer);
      timer = undefined;
      under.stop();
      await Promise.all(lanes);
      await work.release(holder).catch(() => {});
    },
  };

  async function tellLater({ id, namespace }: FailureDetail, solution: string): Promise<void> {
    const stored = await failures.setSolution(id, solution, false).catch(() => false);
    if (stored) hub.publish({ type: 'solution_updated', data: { id, solution }, namespace });
  }
}

function noAnswer(log: Logger) {
  return (error: unknown): undefined => {
    log.warn({ err: error }, 'no new answer of the model');
    return undefined;
  };
}
