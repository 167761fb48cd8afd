import { setTimeout as sleep } from 'node:timers/promises';
import { adviceRepository } from '../db/advice.ts';
import { agentRepository } from '../db/agents.ts';
import { attemptRepository } from '../db/attempts.ts';
import { auditRepository } from '../db/audit.ts';
import { openStore, type StoreOptions } from '../db/connect.ts';
import { DatabaseUnavailable } from '../db/errors.ts';
import { failureRepository } from '../db/failures.ts';
import { findingRepository } from '../db/findings.ts';
import { adviceHidingRepository, findingHidingRepository, hidingRepository } from '../db/hiding.ts';
import { incidentRepository } from '../db/incidents.ts';
import { leadershipRepository } from '../db/leadership.ts';
import { migrate } from '../db/migrate.ts';
import { modelAnswerRepository } from '../db/model-answers.ts';
import { modelCallRepository } from '../db/model-calls.ts';
import { modelConfigRepository } from '../db/model-config.ts';
import { modelWorkRepository } from '../db/model-work.ts';
import { previewRepository } from '../db/previews.ts';
import { reportRepository } from '../db/reports.ts';
import { scanRepository } from '../db/scans.ts';
import { sessionRepository } from '../db/sessions.ts';
import { settingRepository } from '../db/settings.ts';
import { tokenRepository } from '../db/tokens.ts';
import { trialRepository } from '../db/trials.ts';
import { userRepository } from '../db/users.ts';

const RETRY_MS = 2_000;

/**
 * The database, open and up to date, with every repository over it. Waits for a PostgreSQL that is away, because everything else needs it;
 * throws what only people can mend (a folder in use, a refused password).
 */
export async function openStorage(options: StoreOptions & { leaseName: string; agentSilentMs?: number }) {
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
  return {
    close: store.close,
    pool: store.pool,
    db,
    advice: adviceRepository(db),
    adviceHiding: adviceHidingRepository(db),
    agents: agentRepository(db, options.agentSilentMs),
    attempts: attemptRepository(db),
    audit: auditRepository(db),
    failures: failureRepository(db),
    findings: findingRepository(db),
    findingHiding: findingHidingRepository(db),
    hiding: hidingRepository(db),
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
