import type { Migration } from 'kysely/migration';
import * as begin from './001-begin.ts';
import * as tokens from './002-tokens.ts';
import * as trialEvidence from './003-trial-evidence.ts';
import * as findings from './004-findings.ts';
import * as leadership from './005-leadership.ts';
import * as lists from './006-lists.ts';
import * as models from './007-models.ts';
import * as advice from './008-advice.ts';
import * as findingsAsText from './009-findings-as-text.ts';
import * as verdicts from './010-verdicts.ts';
import * as briefRecords from './011-brief-records.ts';
import * as notifications from './012-notifications.ts';
import * as pastMirrors from './013-past-mirrors.ts';
import * as ignoredAdvice from './014-ignored-advice.ts';
import * as replicaMessages from './014-replica-messages.ts';
import * as incidentLists from './015-incident-lists.ts';
import * as chat from './016-chat.ts';
import * as modelClaims from './017-model-claims.ts';
import * as findingSources from './018-finding-sources.ts';
import * as findingMessages from './019-finding-messages.ts';
import * as workloadImages from './020-workload-images.ts';
import * as jobRecords from './021-job-records.ts';
import * as mirrorLogs from './022-mirror-logs.ts';
import * as writtenManifests from './023-written-manifests.ts';
import * as triage from './024-triage.ts';
import * as occurrenceHours from './025-occurrence-hours.ts';
import * as endedJobs from './026-ended-jobs.ts';

/** Every migration in order. Migrations only go forward: a published one is never edited, a later one corrects it. */
export const MIGRATIONS: Record<string, Migration> = {
  '001-begin': begin,
  '002-tokens': tokens,
  '003-trial-evidence': trialEvidence,
  '004-findings': findings,
  '005-leadership': leadership,
  '006-lists': lists,
  '007-models': models,
  '008-advice': advice,
  '009-findings-as-text': findingsAsText,
  '010-verdicts': verdicts,
  '011-brief-records': briefRecords,
  '012-notifications': notifications,
  '013-past-mirrors': pastMirrors,
  '014-ignored-advice': ignoredAdvice,
  '014-replica-messages': replicaMessages,
  '015-incident-lists': incidentLists,
  '016-chat': chat,
  '017-model-claims': modelClaims,
  '018-finding-sources': findingSources,
  '019-finding-messages': findingMessages,
  '020-workload-images': workloadImages,
  '021-job-records': jobRecords,
  '022-mirror-logs': mirrorLogs,
  '023-written-manifests': writtenManifests,
  '024-triage': triage,
  '025-occurrence-hours': occurrenceHours,
  '026-ended-jobs': endedJobs,
};
