import { type ChatAction, CHAT_ACTIONS } from '../contract/chat.ts';
import type { FailureDiagnosis } from '../contract/diagnosis.ts';
import type { FailureDetail } from '../contract/failure.ts';
import type { MirrorRecord } from '../contract/mirror.ts';
import { Refusal } from '../contract/refusal.ts';
import type { AuditRepository } from '../db/audit.ts';
import type { ChatTargetRepository } from '../db/chat-targets.ts';
import type { FailureRepository } from '../db/failures.ts';
import type { Hub } from '../events.ts';
import { ClusterUnavailable, KubeError } from '../kube/errors.ts';
import type { PodLogs } from '../kube/pod-logs.ts';
import type { Mirrors } from '../mirrors/deploy.ts';
import type { IncidentView } from '../notifications/policy/view.ts';
import { maskText } from '../redact/text.ts';
import type { SuppressionList } from '../suppressions/list.ts';
import { nameOf } from '../suppressions/policy/exclusion-entries.ts';
import { matchOf } from '../suppressions/policy/suppression-record.ts';
import { aboutIncident, type Links, patchMessage } from './policy/answers.ts';
import { ignoreBody } from './policy/suppression-body.ts';
import { type ChatMessage, tailOf } from './policy/message.ts';
import type { ChatPerson, Standing } from './policy/role.ts';

/** Who acts, from where. */
export interface Actor {
  person: ChatPerson;
  standing: Standing;
  /** `slack` or `teams`. */
  chat: string;
  provider: string;
  address: string;
}

export interface ActDeps {
  failures: Pick<FailureRepository, 'detail' | 'setStatus'>;
  targets: Pick<ChatTargetRepository, 'openRecords'>;
  mirrors: Pick<Mirrors, 'deploy' | 'requested'>;
  suppressions: Pick<SuppressionList, 'add' | 'list'>;
  logs: Pick<PodLogs, 'read'>;
  explain(detail: FailureDetail): Promise<FailureDiagnosis>;
  audit: Pick<AuditRepository, 'insert'>;
  hub: Pick<Hub, 'publish'>;
  links: Links;
  now(): Date;
}

/** The result of an action. `done` is false when nothing was changed. With a `mirrorId`, a verdict follows later. */
export interface Outcome {
  message: ChatMessage;
  done: boolean;
  mirrorId?: string;
}

/** An action on an incident. `request` is the id of the chat's request in the database; the same request never acts twice. */
export interface Deed {
  action: ChatAction;
  incident: IncidentView;
  actor: Actor;
  request: number;
  /** Set when an earlier process died while it performed this action: the time since when the action may have happened. */
  since?: Date;
}

const LOG_LINES = 60;
/** Two presses of "ignore" within this time set the same end of the Suppression. */
const SAME_END_MS = 10 * 60_000;

/**
 * Performs the action that a person asked for in a chat, in the same way as the API. Refusals become messages. Rejects while the database
 * is away.
 */
export function acting(deps: ActDeps): (deed: Deed) => Promise<Outcome> {
  return async (deed) => {
    const { incident, action } = deed;
    if (incident.open === 0 || incident.recordId === null)
      return { message: { title: `It is over: ${aboutIncident(incident)} fails no more.`, lines: [] }, done: false };
    try {
      return await DEEDS[action](deps, deed, incident.recordId);
    } catch (error) {
      if (error instanceof Refusal) return undone(deed, error.message);
      if (error instanceof ClusterUnavailable || error instanceof KubeError)
        return undone(deed, 'the cluster does not answer. Try again later.');
      throw error;
    }
  };
}

function undone({ action, incident }: Deed, why: string): Outcome {
  return { message: { title: `Not done: ${CHAT_ACTIONS[action].title}, ${aboutIncident(incident)}`, lines: [why] }, done: false };
}

type Do = (deps: ActDeps, deed: Deed, record: number) => Promise<Outcome>;

const DEEDS: Record<ChatAction, Do> = {
  acknowledge: (deps, deed) => setStatus(deps, deed, 'investigating'),
  resolve: (deps, deed) => setStatus(deps, deed, 'resolved'),
  ignore_1d: (deps, deed) => ignore(deps, deed, 1),
  ignore_7d: (deps, deed) => ignore(deps, deed, 7),
  try: tryCorrection,
  logs: showLogs,
  patch: showPatch,
};

/** One row of the audit log, with both names. */
export async function noteDeed(
  { audit, now }: Pick<ActDeps, 'audit' | 'now'>,
  actor: Actor,
  row: { action: string; target: string; details?: object },
) {
  const { person, standing, chat, provider, address } = actor;
  const names = { chat, provider, chat_user_id: person.id, chat_user: person.name, podmend_user: standing.user?.username ?? null };
  const { action, target, details } = row;
  const username = standing.user?.username ?? `${chat}:${person.id}`;
  await audit.insert({ userId: standing.user?.id ?? null, username, address, action, target, details: { ...names, ...details } }, now());
}

const by = ({ person, standing }: Actor): string =>
  standing.user && standing.user.username !== person.name ? `${person.name} (${standing.user.username})` : person.name;

const podOf = ({ namespace, pod }: IncidentView): string => `${namespace}/${pod}`;

async function setStatus(deps: ActDeps, { incident, actor }: Deed, status: 'investigating' | 'resolved'): Promise<Outcome> {
  const { failures, hub, now } = deps;
  const word = status === 'resolved' ? 'resolved' : 'acknowledged';
  const isOther = (one: { status: string }): boolean =>
    status === 'resolved' ? one.status !== 'resolved' : one.status === 'new' || one.status === 'ignored';
  const records = (await deps.targets.openRecords(incident.id)).filter(isOther);
  if (records.length === 0) return { message: { title: `${aboutIncident(incident)} is ${word} already.`, lines: [] }, done: false };
  for (const { id } of records) {
    const judged = await failures.setStatus(id, status, now());
    for (const data of judged?.changed ?? []) hub.publish({ type: 'pod_status_change', data, namespace: incident.namespace });
  }
  await noteDeed(deps, actor, { action: 'failure.status', target: podOf(incident), details: { incident: incident.id, status } });
  const more = status === 'resolved' ? ['If it fails again, it is told again.'] : [];
  return { message: { title: `${by(actor)} ${word} ${aboutIncident(incident)}.`, lines: more }, done: true };
}

async function ignore(deps: ActDeps, { incident, actor }: Deed, days: number): Promise<Outcome> {
  const records = await deps.targets.openRecords(incident.id);
  const reasons = records.map(({ failure_reason }) => failure_reason);
  const now = deps.now();
  const body = ignoreBody(incident, { days, person: actor.person, chat: actor.chat, reasons, now });
  const until = now.getTime() + days * 86_400_000;
  const name = nameOf(matchOf(body.match));
  const held = deps.suppressions.list().find((one) => one.name === name && one.active);
  if (held && (held.expires_at === null || Date.parse(held.expires_at) >= until - SAME_END_MS)) {
    const end = held.expires_at ?? 'it is removed';
    return { message: { title: `${aboutIncident(incident)} is ignored already, until ${end}.`, lines: [held.reason] }, done: false };
  }
  const made = await deps.suppressions.add(body, actor.person.name);
  const details = { incident: incident.id, reason: made.reason, expires_at: made.expires_at, match: made.match };
  await noteDeed(deps, actor, { action: 'suppression.add', target: made.name, details });
  const what = `Suppression ${made.name}: pods ${body.match.pods?.join(', ')} with ${body.match.failure_reasons?.join(', ')}`;
  return { message: { title: `${by(actor)} ignores ${aboutIncident(incident)} until ${made.expires_at}.`, lines: [what] }, done: true };
}

async function tryCorrection(deps: ActDeps, deed: Deed, record: number): Promise<Outcome> {
  const { incident, actor, request, since } = deed;
  const detail = await deps.failures.detail(record);
  if (!detail) return undone(deed, 'its record is gone.');
  const id = `chat-${request}`;
  const made = await deps.mirrors.requested(detail.namespace, id);
  // The mirror may have run and ended in the meantime. It is better to report it than to run it twice.
  if (!made && since && detail.trials.some(({ started_at }) => Date.parse(started_at) >= since.getTime()))
    return undone(deed, 'Podmend was restarted meanwhile, and a mirror has run since. Ask again if you want another one.');
  const mirror = made ?? (await deployed(deps, detail, id));
  await noteDeed(deps, actor, {
    action: 'mirror.deploy',
    target: `${mirror.namespace}/${mirror.name}`,
    details: { id: detail.id, incident: incident.id, ttl_seconds: mirror.ttl_seconds },
  });
  const lines = [mirror.explanation, `Mirror ${mirror.name}. Its verdict comes into this thread.`, ...(mirror.risks ?? [])];
  const title = `${by(actor)} tries the correction for ${aboutIncident(incident)} on a mirror.`;
  return { message: { title, lines: lines.filter((one) => one !== '') }, done: true, mirrorId: mirror.mirror_id };
}

const deployed = ({ mirrors }: ActDeps, detail: FailureDetail, request: string): Promise<MirrorRecord> =>
  mirrors.deploy(detail, {}, request);

async function showLogs(deps: ActDeps, { incident, actor }: Deed, record: number): Promise<Outcome> {
  const detail = await deps.failures.detail(record);
  const { namespace, pod } = incident;
  const wish = { namespace, pod_name: pod, container: incident.container || undefined, tailLines: LOG_LINES };
  await noteDeed(deps, actor, { action: 'logs.read', target: podOf(incident), details: { incident: incident.id } });
  // The log of the previous run says why it ended. If the pod is gone, only the reported log is left.
  const live = async (previous: boolean) => (await deps.logs.read(wish, previous).catch(noLog)).logs.trimEnd();
  const log = (await live(true)) || (await live(false)) || detail?.logs || '';
  const title = `Logs of ${pod} in ${namespace}${incident.container ? `, container ${incident.container}` : ''}`;
  const link = deps.links(record);
  if (log === '') return { message: { title, lines: ['There are no logs.'], link }, done: true };
  // Mask before cutting: half a secret is not recognised as one.
  const { text, cut } = tailOf(maskText(log));
  return {
    message: { title, lines: cut > 0 ? [`The last lines; ${cut} before them are cut.`] : [], code: { title: 'Log', text }, link },
    done: true,
  };
}

function noLog(error: unknown): { logs: string } {
  if (error instanceof Refusal || error instanceof ClusterUnavailable || error instanceof KubeError) return { logs: '' };
  throw error;
}

async function showPatch(deps: ActDeps, deed: Deed, record: number): Promise<Outcome> {
  const detail = await deps.failures.detail(record);
  if (!detail) return undone(deed, 'its record is gone.');
  await noteDeed(deps, deed.actor, { action: 'mirror.preview', target: podOf(deed.incident), details: { id: detail.id } });
  return { message: patchMessage(deed.incident, await deps.explain(detail), deps.links), done: true };
}
