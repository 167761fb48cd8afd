import { backoffMs } from '../async/backoff.ts';
import { every } from '../async/repeat.ts';
import type { ChatAction } from '../contract/chat.ts';
import { CHAT_ACTIONS } from '../contract/chat.ts';
import type { Trial } from '../contract/failure.ts';
import type { MirrorRecord } from '../contract/mirror.ts';
import type { ChatRequestRepository, ChatRequestRow } from '../db/chat-requests.ts';
import type { Logger } from '../log.ts';
import { type ActDeps, type Actor, acting, noteDeed, type Outcome } from './act.ts';
import { type AskDeps, asking } from './which-incident.ts';
import { type ToldTrial, trialNews } from './policy/answers.ts';
import type { ChatMessage } from './policy/message.ts';
import type { ChatPlace, Wish } from './policy/request.ts';
import { type ChatPerson, may, permissionOf, refusalText, type Standing } from './policy/role.ts';
import type { ChatProvider, ChatProviders } from './providers.ts';
import type { Told, Teller } from './send-message.ts';
import type { ChatWorker } from './webhooks.ts';

export interface WorkDeps extends Omit<ActDeps, 'failures' | 'targets'>, Omit<AskDeps, 'failures' | 'targets'> {
  failures: ActDeps['failures'] & AskDeps['failures'];
  targets: AskDeps['targets'];
  providers: Pick<ChatProviders, 'byName' | 'mayExist'>;
  rows: ChatRequestRepository;
  tell: Teller;
  standing(chat: ChatProvider, person: ChatPerson): Promise<Standing>;
  /** The names of mapped chat users whose role permits the action. */
  able(chat: ChatProvider, action: ChatAction | 'question'): Promise<string[]>;
  trial(mirrorId: string): Promise<Trial | undefined>;
  mirror(mirrorId: string): Promise<MirrorRecord | undefined>;
  /** The name of this process; it differs after each start. */
  holder: string;
  log: Logger;
  pollMs?: number;
}

/** A process whose lease on a request is older than this has died. */
const LEASE_MS = 60_000;
const RENEW_MS = 20_000;
const POLL_MS = 2_000;
/** A request that has not started within this time is answered as not done, because people have moved on. */
const STALE_MS = 10 * 60_000;
const RETRY = { firstMs: 2_000, maxMs: 60_000 };
const MAX_TRIES = 12;
/** How often the cluster is asked about a mirror without a verdict. */
const LOOK_MS = 15_000;

/** The state of a row. `result` is the message to post once the action was performed. */
interface Memory {
  result?: ChatMessage;
  isPrivate?: boolean;
  done?: boolean;
  trial?: ToldTrial;
  lookedAt?: string;
}

/** How a step ended. */
type Step = Parameters<ChatRequestRepository['step']>[2];

export interface ChatWork extends ChatWorker {
  /** Looks for work now and then regularly. */
  start(): void;
  /** Starts nothing more. Resolves when running work has ended. */
  stop(): Promise<void>;
}

/**
 * Works through the requests of chats, in every replica. One process holds a row at a time; if it dies, another one takes over. A result is
 * stored before it is posted.
 */
export function chatWork(deps: WorkDeps): ChatWork {
  const { rows, holder, now, log } = deps;
  const working = new Set<Promise<void>>();
  const waiting = new Map<number, (message: ChatMessage) => void>();
  let stopped = false;
  let timer: { stop(): void } | undefined;
  const until = () => new Date(now().getTime() + LEASE_MS);

  const work = async (row: ChatRequestRow): Promise<void> => {
    const renewing = every(RENEW_MS, async () => void (await rows.step(row.id, holder, { state: row.state, dueAt: until() }, now())), log);
    try {
      const step = await stepOf({ ...deps, waiting }, row);
      renewing.stop();
      await rows.step(row.id, holder, step, now());
    } finally {
      renewing.stop();
    }
  };
  const keep = (task: Promise<void>): void => {
    const kept = task
      .catch((error: unknown) => log.warn({ err: error }, 'a request of a chat waits for another try'))
      .finally(() => working.delete(kept));
    working.add(kept);
  };
  const claim = async (limit: number, id?: number): Promise<void> => {
    const taken = await rows.claim({ holder, until: until(), limit, ...(id !== undefined && { id }) }, now());
    for (const row of taken) keep(work(row));
  };

  return {
    begin(row) {
      if (!stopped) keep(claim(1, row.id));
    },

    answerWithin(row, ms) {
      const { promise, resolve } = Promise.withResolvers<ChatMessage | undefined>();
      const late = setTimeout(() => {
        waiting.delete(row.id);
        resolve(undefined);
      }, ms);
      waiting.set(row.id, (message) => {
        clearTimeout(late);
        waiting.delete(row.id);
        resolve(message);
      });
      this.begin(row);
      return promise;
    },

    async tellBusy(row, by) {
      const { name = 'Somebody' } = (by ?? {}) as Partial<ChatPerson>;
      const title = `${name} has asked for “${CHAT_ACTIONS[row.action as ChatAction].title}” already: it is under way.`;
      const chat = await deps.providers.byName(row.provider).catch(() => undefined);
      const place = row.place as ChatPlace;
      if (chat && place.chat === 'slack')
        await deps.tell.whisper(chat, { place, user: (row.person as ChatPerson).id }, { title, lines: [] });
      return { title, lines: [] };
    },

    start() {
      timer ??= every(
        deps.pollMs ?? POLL_MS,
        async () => {
          if (!stopped && deps.providers.mayExist()) await claim(20);
        },
        log,
      );
    },

    async stop() {
      stopped = true;
      timer?.stop();
      while (working.size > 0) await Promise.all(working);
    },
  };
}

interface StepDeps extends WorkDeps {
  waiting: Map<number, (message: ChatMessage) => void>;
}

/** Does the next thing about a request. */
async function stepOf(deps: StepDeps, row: ChatRequestRow): Promise<Step> {
  const chat = await deps.providers.byName(row.provider);
  // Without the provider the result cannot be posted.
  if (!chat) return row.attempts >= MAX_TRIES ? { state: 'undone' } : again(deps, row);
  const memory = (row.told ?? {}) as Memory;
  if (row.state === 'following') return follow(deps, chat, { row, memory });
  if (memory.result) return deliver(deps, chat, { row, memory, mirrorId: row.mirror_id });
  return perform(deps, chat, row);
}

const again = ({ now }: StepDeps, { state, attempts }: ChatRequestRow): Step => ({
  state: state === 'following' ? 'following' : 'running',
  dueAt: new Date(now().getTime() + backoffMs(RETRY, attempts)),
});

async function perform(deps: StepDeps, chat: ChatProvider, row: ChatRequestRow): Promise<Step> {
  const { now, rows, holder } = deps;
  const [wish, person] = [row.command as Wish, row.person as ChatPerson];
  const action = wish.kind === 'action' ? wish.action : 'question';
  const finish = async (memory: Memory, mirrorId: string | null = null): Promise<Step> => {
    // The chat service may be slow or unreachable, so people can send the next command without waiting for its reply. A command that
    // started a mirror counts as running until the mirror ends.
    const held = mirrorId === null ? { frees: true } : { mirrorId };
    const isMine = await rows.step(row.id, holder, { state: 'running', told: memory, ...held }, now());
    // Another process has taken over and posts the result.
    return isMine ? deliver(deps, chat, { row, memory, mirrorId }) : { state: 'running' };
  };
  const title = action === 'question' ? 'your question' : CHAT_ACTIONS[action].title;
  if (row.attempts === 1 && now().getTime() - row.created_at.getTime() > STALE_MS)
    return finish({
      result: { title: `Not done: ${title}`, lines: ['Podmend was not there when you asked. Ask again if you still want it.'] },
    });
  // Otherwise a request that crashes the process would block the same action for everybody.
  if (row.attempts > MAX_TRIES)
    return finish({
      result: { title: `Not done: ${title}`, lines: ['Podmend tried it again and again, and its log says why it failed.'] },
    });
  const standing = await deps.standing(chat, person);
  const actor: Actor = { person, standing, chat: chat.type, provider: row.provider, address: row.address };
  if (!may(standing, permissionOf(action))) {
    const able = await deps.able(chat, action);
    await noteDeed(deps, actor, { action: 'chat.refused', target: action, details: { wish } });
    return finish({ result: { title: refusalText(action, { standing, person, able }), lines: [] }, isPrivate: true });
  }
  if (action === 'question') return finish({ result: await answer(deps, { wish, row, actor }), done: true });
  const outcome = await act(deps, chat, { row, actor, action, wish });
  return finish({ result: outcome.message, done: outcome.done }, outcome.mirrorId ?? null);
}

/** Says that it was heard, then does it. */
async function act(
  deps: StepDeps,
  chat: ChatProvider,
  { row, actor, action, wish }: { row: ChatRequestRow; actor: Actor; action: ChatAction; wish: Wish },
): Promise<Outcome> {
  const { rows, holder, now } = deps;
  const place = row.place as ChatPlace;
  if (wish.kind !== 'action') throw new Error('no action was asked for');
  const found = await asking(deps).find(wish.target, { provider: row.provider, place, isAction: true });
  if ('message' in found) return { message: found.message, done: false };
  const { incident } = found;
  if (row.incident_id === null && !(await rows.aim(row.id, holder, incident.id)))
    return {
      message: { title: `Somebody has asked for “${CHAT_ACTIONS[action].title}” already: it is under way.`, lines: [] },
      done: false,
    };
  if (place.chat === 'slack' && place.message === undefined && incident.open > 0) {
    const heard = await deps.tell.say(chat, place, { title: `${actor.person.name}: ${CHAT_ACTIONS[action].title} …`, lines: [] });
    if (heard.ok) row.place = heard.place;
    await rows.step(row.id, holder, { state: 'running', place: row.place }, now());
  }
  return acting(deps)({ action, incident, actor, request: row.id, ...(row.attempts > 1 && { since: row.created_at }) });
}

async function answer(deps: StepDeps, { wish, row, actor }: { wish: Wish; row: ChatRequestRow; actor: Actor }): Promise<ChatMessage> {
  const ask = asking(deps);
  await noteDeed(deps, actor, { action: 'chat.question', target: wish.kind, details: { wish } });
  if (wish.kind === 'failing') return ask.failing(wish.namespace);
  if (wish.kind !== 'why' && wish.kind !== 'changed') return ask.help;
  const found = await ask.find(wish.target, { provider: row.provider, place: row.place as ChatPlace, isAction: false });
  if ('message' in found) return found.message;
  await deps.rows.aim(row.id, deps.holder, found.incident.id);
  return wish.kind === 'why' ? ask.why(found.incident) : ask.changed(found.incident);
}

/** Posts the result. A mirror is followed from then on. */
async function deliver(
  deps: StepDeps,
  chat: ChatProvider,
  { row, memory, mirrorId }: { row: ChatRequestRow; memory: Memory; mirrorId: string | null },
): Promise<Step> {
  const place = row.place as ChatPlace;
  const { result = { title: '-', lines: [] }, isPrivate = false, done = false } = memory;
  const waits = deps.waiting.get(row.id);
  let told: Told = { ok: true, place };
  if (waits) waits(result);
  else if (isPrivate) told = await deps.tell.whisper(chat, { place, user: (row.person as ChatPerson).id }, result);
  else told = await deps.tell.update(chat, place, result);
  if (!told.ok && row.attempts < MAX_TRIES && mirrorId === null) return retry(deps, row, told);
  if (!told.ok) deps.log.warn({ provider: row.provider, reason: told.reason }, 'a chat could not be told what became of a request');
  if (mirrorId === null) return { state: done ? 'done' : 'undone' };
  const trial: ToldTrial = { verdict: null, revisions: 0, final: false };
  return { state: 'following', dueAt: deps.now(), mirrorId, told: { ...memory, trial }, ...(told.ok && { place: told.place }) };
}

function retry(deps: StepDeps, row: ChatRequestRow, { retryAfterMs = 0 }: { retryAfterMs?: number }): Step {
  const { state, dueAt } = again(deps, row);
  return { state, dueAt: new Date(Math.max(dueAt?.getTime() ?? 0, deps.now().getTime() + retryAfterMs)) };
}

/** Follows the mirror of a trial: posts its verdict and each revision until it has ended. */
async function follow(deps: StepDeps, chat: ChatProvider, { row, memory }: { row: ChatRequestRow; memory: Memory }): Promise<Step> {
  const { now } = deps;
  const before = memory.trial ?? { verdict: null, revisions: 0, final: false };
  const soon = new Date(now().getTime() + (deps.pollMs ?? POLL_MS));
  const mirrorId = row.mirror_id ?? '';
  const trial = await deps.trial(mirrorId);
  const news = trial && trialNews(trial, before);
  if (trial && news) {
    const told = await deps.tell.say(chat, row.place as ChatPlace, news);
    if (!told.ok && row.attempts < 1_000)
      return { state: 'following', dueAt: new Date(now().getTime() + Math.max(RETRY.firstMs, told.retryAfterMs ?? 0)) };
    const { verdict, revisions, final } = trial;
    return {
      state: final ? 'done' : 'following',
      dueAt: soon,
      told: { ...memory, trial: { verdict, revisions: revisions.length, final } },
    };
  }
  if (trial?.final && trial.verdict !== null) return { state: 'done' };
  if (now().getTime() - Date.parse(memory.lookedAt ?? row.created_at.toISOString()) < LOOK_MS) return { state: 'following', dueAt: soon };
  const mirror = await deps.mirror(mirrorId).catch(() => null);
  const ended = mirror === null ? undefined : endOf(mirror, trial);
  if (ended === undefined) return { state: 'following', dueAt: soon, told: { ...memory, lookedAt: now().toISOString() } };
  if (ended) await deps.tell.say(chat, row.place as ChatPlace, ended);
  return { state: 'done' };
}

/** The last message about a mirror that will get no further verdict. Undefined while it may get one, null when everything was posted. */
function endOf(mirror: MirrorRecord | undefined, trial: Trial | undefined): ChatMessage | null | undefined {
  if (mirror && mirror.status !== 'Rejected' && mirror.status !== 'Expired') return undefined;
  if (trial && trial.verdict !== null) return null;
  const why = mirror?.conditions.find(({ type }) => type === 'Stalled')?.message ?? 'It ended before it could be judged.';
  return { title: 'The mirror has no verdict.', lines: [why] };
}
