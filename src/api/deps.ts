import type { Sessions } from '../accounts/sessions.ts';
import type { Tokens } from '../accounts/tokens.ts';
import type { Accounts } from '../accounts/users.ts';
import type { Advice } from '../contract/advice.ts';
import type { Finding, FindingFix } from '../contract/finding.ts';
import type { SuppressedBy } from '../contract/suppression.ts';
import type { Config } from '../config.ts';
import type { AdviceRepository } from '../db/advice.ts';
import type { AgentRepository } from '../db/agents.ts';
import type { AuditRepository } from '../db/audit.ts';
import type { FailureRepository } from '../db/failures.ts';
import type { FindingRepository } from '../db/findings.ts';
import type { IncidentHistoryRepository } from '../db/incident-history.ts';
import type { IncidentListRepository } from '../db/incident-list.ts';
import type { SettingRepository } from '../db/settings.ts';
import type { Hub, InternalBus } from '../events.ts';
import type { Intake } from '../failures/intake.ts';
import type { GraphReader } from '../kube/graph-reader.ts';
import type { PodLogs } from '../kube/pod-logs.ts';
import type { Recovery } from '../failures/recovery.ts';
import type { Triage } from '../failures/triage.ts';
import type { KubeObject } from '../crd/kubernetes.ts';
import type { FindingIntake } from '../findings/intake.ts';
import type { Scans } from '../findings/scans.ts';
import type { Subject } from '../crd/suppression-subject.ts';
import type { Logger } from '../log.ts';
import type { LanguageModel } from '../models/language-model.ts';
import type { AlertRoutesDeps } from './alerts.ts';
import type { ChatRoutesDeps } from './chatops.ts';
import type { ExclusionRoutesDeps } from './exclusions.ts';
import type { Measured } from './gauges.ts';
import type { ListPatience } from './lists.ts';
import type { MirrorRoutesDeps } from './mirrors.ts';
import type { NotificationRoutesDeps } from './notifications.ts';
import type { SuppressionRoutesDeps } from './suppressions.ts';

/** Everything that the API needs; `modes/` provides it. */
export interface AppDeps extends Pick<Measured, 'mirrorCounts' | 'mirrorVerdicts' | 'queues' | 'databasePool'> {
  version: string;
  /** The folder of the built dashboard, whether it is there or not. */
  dashboard: string;
  config: FacadeConfig;
  log: Logger;
  now(): Date;
  /** Sockets are pinged at this interval. A client that did not answer the last ping is disconnected. Default: 30 s. */
  pingMs?: number;
  /** How long a long list waits for its reader. The defaults are in `STREAMS`. */
  listPatience?: Partial<ListPatience>;
  hub: Hub;
  bus: Pick<InternalBus, 'emit'>;
  audit: AuditRepository;
  settings: SettingRepository;
  failures: FailureRepository;
  incidentList: IncidentListRepository;
  incidentHistory: IncidentHistoryRepository;
  triage: Triage;
  agents: Pick<AgentRepository, 'list'>;
  accounts: Accounts;
  sessions: Sessions;
  tokens: Tokens;
  intake: Intake;
  recovery: Recovery;
  /** Makes new solutions, and shows the current model and the prompt. */
  models: Pick<LanguageModel, 'setups' | 'status' | 'prompt' | 'tally' | 'solve'>;
  /** Each check rejects while its part does not respond. */
  checks: { database(): Promise<void>; cluster(): Promise<void>; replicas(): Promise<void> };
  findings: FindingRepository;
  advice: Pick<AdviceRepository, 'list' | 'byId' | 'ignore' | 'restore' | 'explain' | 'unreadable' | 'countBySeverity'>;
  /** Why a piece of advice matters and what to do, in Markdown. */
  explainAdvice(advice: Advice): Promise<{ explanation: string; isFallback: boolean }>;
  findingIntake: FindingIntake;
  scans: Scans;
  /** The correction of a finding; `live` is null for kinds that Podmend may not read. */
  fixFinding(finding: Finding, live: KubeObject | null): Promise<FindingFix>;
  /** The live object of a finding: undefined when it is gone; null for kinds that Podmend may not read. */
  readResource(kind: string, namespace: string, name: string): Promise<KubeObject | undefined | null>;
  logs: PodLogs;
  /** Reads what graphs are drawn from. */
  graphs: GraphReader;
  previewer: MirrorRoutesDeps['previewer'];
  mirrors: MirrorRoutesDeps['mirrors'];
  trials: MirrorRoutesDeps['trials'];
  exclusions: ExclusionRoutesDeps['exclusions'];
  suppressions: SuppressionRoutesDeps['suppressions'];
  notifications: NotificationRoutesDeps['notifications'];
  chat: ChatRoutesDeps['chat'];
  alerts: AlertRoutesDeps['alerts'];
  /** The Suppression that hides a failure now, and why it applies; null if none does. */
  explainSuppression(subject: Subject): SuppressedBy | null;
}

export type FacadeConfig = Pick<
  Config,
  | 'baseUrl'
  | 'host'
  | 'trustProxy'
  | 'clusterName'
  | 'serviceTokens'
  | 'setupToken'
  | 'mirrorsEnabled'
  | 'hiddenNamespaces'
  | 'watchNamespaces'
> & {
  /** Signs the session cookie. If the environment sets none, the mode generates and stores one. */
  sessionSecret: string;
};
