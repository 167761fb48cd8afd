import { setTimeout as sleep } from 'node:timers/promises';
import { adviceRepository } from './advice.ts';
import { agentRepository } from './agents.ts';
import { alertRepository } from './alerts.ts';
import { chatRequestRepository } from './chat-requests.ts';
import { loginAttemptRepository } from './login-attempts.ts';
import { assigneeRepository } from './assignees.ts';
import { auditRepository } from './audit.ts';
import { commentRepository } from './comments.ts';
import { openStore, type StoreOptions } from './connect.ts';
import { DatabaseUnavailable } from './errors.ts';
import { failureHistoryRepository } from './failure-history.ts';
import { failureRepository } from './failures.ts';
import { findingRepository } from './findings.ts';
import { adviceSuppressionRepository, findingSuppressionRepository, failureSuppressionRepository } from './suppressible.ts';
import { incidentHistoryRepository } from './incident-history.ts';
import { incidentListRepository } from './incident-list.ts';
import { incidentRepository } from './incidents.ts';
import { leadershipRepository } from './leadership.ts';
import { migrate } from './migrate.ts';
import { modelAnswerRepository } from './model-answers.ts';
import { modelCallRepository } from './model-calls.ts';
import { modelConfigRepository } from './model-config.ts';
import { modelWorkRepository } from './model-work.ts';
import { previewRepository } from './previews.ts';
import { reportRepository } from './failure-reports.ts';
import { scanRepository } from './scans.ts';
import { sessionRepository } from './sessions.ts';
import { settingRepository } from './settings.ts';
import { replicaChannel } from './replica-channel.ts';
import { replicaMessageRepository } from './replica-messages.ts';
import { tokenRepository } from './tokens.ts';
import { trialRepository } from './trials.ts';
import { userRepository } from './users.ts';

const RETRY_MS = 2_000;

/** The database with every repository over it. */
export type Storage = Awaited<ReturnType<typeof openStorage>>;

/**
 * Opens the database and migrates its schema. Waits while PostgreSQL is away, because everything else needs it. Throws when only a person
 * can repair the cause: another process has the folder, or the password is refused.
 */
export async function openStorage(options: StoreOptions & { leaseName: string; clusterName: string; agentSilentMs?: number }) {
  const store = await openStore(options);
  const { db } = store;
  for (;;) {
    try {
      await migrate(db);
      break;
    } catch (error) {
      if (!(error instanceof DatabaseUnavailable)) {
        await store.close();
        throw error;
      }
      options.log.warn({ retry_in_ms: RETRY_MS }, 'waiting for the database');
      await sleep(RETRY_MS);
    }
  }
  const { databaseUrl, leaseName, log } = options;
  const replicaMessages = replicaMessageRepository(db, leaseName);
  return {
    close: store.close,
    /** The channel to the other replicas; undefined for the embedded database, which has only one process. */
    channel: databaseUrl ? replicaChannel({ databaseUrl, name: leaseName, messages: replicaMessages, log }) : undefined,
    replicaMessages,
    pool: store.pool,
    db,
    advice: adviceRepository(db),
    adviceSuppressions: adviceSuppressionRepository(db),
    agents: agentRepository(db, options.agentSilentMs),
    alerts: alertRepository(db, options.clusterName),
    assignees: assigneeRepository(db),
    attempts: loginAttemptRepository(db),
    audit: auditRepository(db),
    chatRequests: chatRequestRepository(db, options.clusterName),
    comments: commentRepository(db),
    failureHistory: failureHistoryRepository(db),
    failures: failureRepository(db),
    findings: findingRepository(db),
    findingSuppressions: findingSuppressionRepository(db),
    failureSuppressions: failureSuppressionRepository(db),
    incidentHistory: incidentHistoryRepository(db),
    incidentList: incidentListRepository(db),
    incidents: incidentRepository(db),
    leadership: leadershipRepository(db, options.leaseName),
    modelAnswers: modelAnswerRepository(db),
    modelCalls: modelCallRepository(db),
    modelConfig: modelConfigRepository(db),
    modelWork: modelWorkRepository(db),
    previews: previewRepository(db),
    reports: reportRepository(db),
    scans: scanRepository(db),
    sessions: sessionRepository(db),
    settings: settingRepository(db),
    tokens: tokenRepository(db),
    trials: trialRepository(db),
    users: userRepository(db),
  };
}
