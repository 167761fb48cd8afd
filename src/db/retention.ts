import type { SettingKey } from '../contract/settings.ts';
import type { AdviceRepository } from './advice.ts';
import type { AgentRepository } from './agents.ts';
import type { AlertRepository } from './alerts.ts';
import type { AuditRepository } from './audit.ts';
import type { ChatRequestRepository } from './chat-requests.ts';
import type { LoginAttemptRepository } from './login-attempts.ts';
import type { FailureHistoryRepository } from './failure-history.ts';
import type { FailureRepository } from './failures.ts';
import type { FindingRepository } from './findings.ts';
import type { IncidentRepository } from './incidents.ts';
import type { PreviewRepository } from './previews.ts';
import { STALE_MINUTES } from './stale-findings.ts';
import type { ReplicaMessageRepository } from './replica-messages.ts';
import type { ScanRepository } from './scans.ts';
import type { ModelAnswerRepository } from './model-answers.ts';
import type { ModelCallRepository } from './model-calls.ts';
import type { ModelWorkRepository } from './model-work.ts';
import type { SessionRepository } from './sessions.ts';
import { type SettingRepository, settingValue } from './settings.ts';
import type { TokenRepository } from './tokens.ts';

/** How many rows one statement deletes. The number is small, so that no other statement waits long. */
const BATCH = 500;
const MINUTE_MS = 60_000;
/** How long a preview is kept. People look at one for minutes, so a day is ample. */
const PREVIEW_MS = 24 * 60 * MINUTE_MS;
/** How long an expired API token is still listed for its owner, as expired. */
const TOKEN_MS = 30 * 24 * 60 * MINUTE_MS;
const AUDIT_MS = 366 * 24 * 60 * MINUTE_MS;
const STALE_MS = STALE_MINUTES * MINUTE_MS;
const RESCAN_MS = 24 * 60 * MINUTE_MS;
/** How long calls to the model are kept. Limits need only the last hour; people may want to see more. */
const MODEL_CALL_MS = 7 * 24 * 60 * MINUTE_MS;
/** How long an answer of the model is kept after its last use. */
const MODEL_ANSWER_MS = 30 * 24 * 60 * MINUTE_MS;
/** An agent without a heartbeat for this long is deleted, because its node is gone or was renamed. */
const AGENT_MS = 7 * 24 * 60 * MINUTE_MS;
/** How long an alert is kept that belongs to no incident. */
const ALERT_MS = 24 * 60 * MINUTE_MS;
/** How long requests from chats are kept, to recognise replays. The audit log records what people did. */
const CHAT_MS = 7 * 24 * 60 * MINUTE_MS;
/** How long login attempts are kept: longer than any window in which they are counted. */
const ATTEMPT_MS = 60 * MINUTE_MS;
/** How long images of templates are kept: twice as long as advice looks back. */
const IMAGES_MS = 60 * 24 * 60 * MINUTE_MS;
/** How long messages between replicas are kept. Other replicas read a message within seconds. */
const REPLICA_MESSAGE_MS = 5 * MINUTE_MS;

export interface RetentionDeps {
  failures: Pick<FailureRepository, 'deleteOld'>;
  failureHistory: Pick<FailureHistoryRepository, 'deleteOld'>;
  incidents: Pick<IncidentRepository, 'abandoned' | 'closeEmpty' | 'deleteForgotten'>;
  previews: Pick<PreviewRepository, 'deleteOld'>;
  sessions: Pick<SessionRepository, 'deleteExpired'>;
  tokens: Pick<TokenRepository, 'deleteExpired'>;
  agents: Pick<AgentRepository, 'deleteSilent'>;
  audit: Pick<AuditRepository, 'deleteOld'>;
  alerts: Pick<AlertRepository, 'deleteOld'>;
  chatRequests: Pick<ChatRequestRepository, 'deleteOld'>;
  advice: Pick<AdviceRepository, 'deleteVanished'>;
  findings: Pick<FindingRepository, 'resolveStale' | 'deleteVanished'>;
  scans: Pick<ScanRepository, 'deleteOld'>;
  attempts: Pick<LoginAttemptRepository, 'deleteOld'>;
  settings: Pick<SettingRepository, 'get'>;
  modelAnswers: Pick<ModelAnswerRepository, 'deleteOld'>;
  modelCalls: Pick<ModelCallRepository, 'deleteOld'>;
  modelWork: Pick<ModelWorkRepository, 'deleteOver'>;
  replicaMessages: Pick<ReplicaMessageRepository, 'deleteOld'>;
}

/** How many rows a sweep deleted. */
export interface Swept {
  resolved: number;
  ignored: number;
  previews: number;
  sessions: number;
  tokens: number;
  audit: number;
  findings: number;
  advice: number;
}

/**
 * Deletes what has been kept long enough: resolved and ignored records by their settings (minutes, 0 keeps them), vanished findings and advice
 * like resolved records, previews after a day, ended sessions, API tokens a month after their end, agents a week
 * after their last heartbeat, the audit log after a year. Call it every minute or so; running it twice, or in two processes, does no harm.
 */
export function retention(deps: RetentionDeps) {
  const { failures, incidents, previews, sessions, tokens, audit, advice, findings, scans, attempts, settings } = deps;
  /** Deletes rows that are older than a setting allows. */
  const expire = async (key: SettingKey, now: Date, deleteOld: (before: Date, limit: number) => Promise<number>) => {
    const minutes = await settingValue(settings, key);
    if (!(minutes > 0)) return 0;
    const before = new Date(now.getTime() - minutes * MINUTE_MS);
    return repeatedly((limit) => deleteOld(before, limit));
  };

  return {
    async sweep(now: Date): Promise<Swept> {
      const ago = (ms: number): Date => new Date(now.getTime() - ms);
      const swept = {
        resolved: await expire('history_retention_minutes', now, (before, limit) =>
          failures.deleteOld({ status: 'resolved', statusBefore: before }, limit),
        ),
        ignored: await expire('ignored_retention_minutes', now, (before, limit) =>
          failures.deleteOld({ status: 'ignored', statusBefore: before, lastSeenBefore: before }, limit),
        ),
        findings: await expire('history_retention_minutes', now, findings.deleteVanished),
        advice: await expire('history_retention_minutes', now, advice.deleteVanished),
        previews: await repeatedly((limit) => previews.deleteOld(ago(PREVIEW_MS), limit)),
        sessions: await sessions.deleteExpired(now),
        tokens: await tokens.deleteExpired(ago(TOKEN_MS)),
        audit: await repeatedly((limit) => audit.deleteOld(ago(AUDIT_MS), limit)),
      };
      await repeatedly((limit) => findings.resolveStale(ago(STALE_MS), now, limit));
      await scans.deleteOld(ago(RESCAN_MS));
      await attempts.deleteOld(ago(ATTEMPT_MS));
      await repeatedly((limit) => deps.alerts.deleteOld(ago(ALERT_MS), limit));
      await repeatedly((limit) => deps.chatRequests.deleteOld(ago(CHAT_MS), limit));
      await deps.agents.deleteSilent(ago(AGENT_MS));
      await repeatedly((limit) => deps.modelCalls.deleteOld(ago(MODEL_CALL_MS), limit));
      await repeatedly((limit) => deps.modelAnswers.deleteOld(ago(MODEL_ANSWER_MS), limit));
      await repeatedly((limit) => deps.modelWork.deleteOver(limit));
      await repeatedly((limit) => deps.failureHistory.deleteOld(ago(IMAGES_MS), limit));
      await repeatedly((limit) => deps.replicaMessages.deleteOld(ago(REPLICA_MESSAGE_MS), limit));
      const abandoned = await incidents.abandoned(BATCH);
      if (abandoned.length > 0) await incidents.closeEmpty(abandoned, now);
      await repeatedly((limit) => incidents.deleteForgotten(limit));
      return swept;
    },
  };
}

/** Deletes batch by batch, until a batch is not full. */
async function repeatedly(deleteSome: (limit: number) => Promise<number>): Promise<number> {
  for (let total = 0; ;) {
    const deleted = await deleteSome(BATCH);
    total += deleted;
    if (deleted < BATCH) return total;
  }
}
