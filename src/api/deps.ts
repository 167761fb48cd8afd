import type { Sessions } from '../accounts/sessions.ts';
import type { Tokens } from '../accounts/tokens.ts';
import type { Accounts } from '../accounts/users.ts';
import type { Advice } from '../contract/advice.ts';
import type { Finding, FindingFix } from '../contract/finding.ts';
import type { SettingKey } from '../contract/settings.ts';
import type { HiddenBy } from '../contract/suppression.ts';
import type { Config } from '../config.ts';
import type { AdviceRepository } from '../db/advice.ts';
import type { AgentRepository } from '../db/agents.ts';
import type { AuditRepository } from '../db/audit.ts';
import type { FailureRepository } from '../db/failures.ts';
import type { FindingRepository } from '../db/findings.ts';
import type { SettingRepository } from '../db/settings.ts';
import type { Hub } from '../events.ts';
import type { Intake } from '../failures/intake.ts';
import type { PodLogs } from '../failures/pod-logs.ts';
import type { Recovery } from '../failures/recovery.ts';
import type { KubeObject } from '../crd/kubernetes.ts';
import type { FindingIntake } from '../findings/intake.ts';
import type { Scans } from '../findings/scans.ts';
import type { Subject } from '../failures/suppress.ts';
import type { Logger } from '../log.ts';
import type { ModelDesk } from '../solutions/models/desk.ts';
import type { ExclusionRoutesDeps } from './exclusions.ts';
import type { Measured } from './gauges.ts';
import type { MirrorRoutesDeps } from './mirrors.ts';
import type { SuppressionRoutesDeps } from './suppressions.ts';

/** Everything the facade needs; `modes/` fills it. */
export interface AppDeps extends Pick<Measured, 'mirrorCounts' | 'queues' | 'databasePool'> {
  version: string;
  /** The folder of the built dashboard, whether it is there or not. */
  dashboard: string;
  config: FacadeConfig;
  log: Logger;
  now(): Date;
  hub: Hub;
  audit: AuditRepository;
  settings: SettingRepository;
  /** Told after a setting was changed here, so that what depends on it need not wait. */
  settingChanged(key: SettingKey): void;
  failures: FailureRepository;
  agents: Pick<AgentRepository, 'list'>;
  accounts: Accounts;
  sessions: Sessions;
  tokens: Tokens;
  intake: Intake;
  recovery: Recovery;
  /** Makes solutions anew; shows which model is asked and what it is told. */
  models: Pick<ModelDesk, 'setups' | 'status' | 'prompt' | 'tally' | 'solve'>;
  /** Each rejects while its part does not answer. */
  checks: { database(): Promise<void>; cluster(): Promise<void> };
  findings: FindingRepository;
  advice: Pick<AdviceRepository, 'list' | 'byId' | 'ignore' | 'restore' | 'explain' | 'unreadable' | 'countBySeverity'>;
  /** Why a piece of advice matters and what to do, in Markdown. */
  explainAdvice(advice: Advice): Promise<{ explanation: string; isFallback: boolean }>;
  findingIntake: FindingIntake;
  scans: Scans;
  /** What mends a finding; `live` is null for kinds that nobody here may read. */
  fixFinding(finding: Finding, live: KubeObject | null): Promise<FindingFix>;
  /** The live object of a finding: undefined when it is gone; null for kinds that nobody here may read. */
  readResource(kind: string, namespace: string, name: string): Promise<KubeObject | undefined | null>;
  logs: PodLogs;
  previewer: MirrorRoutesDeps['previewer'];
  mirrors: MirrorRoutesDeps['mirrors'];
  exclusions: ExclusionRoutesDeps['exclusions'];
  suppressions: SuppressionRoutesDeps['suppressions'];
  /** Which Suppression hides a failure now, and why that one; null for none. */
  explainHiding(subject: Subject): HiddenBy | null;
}

export type FacadeConfig = Pick<
  Config,
  'baseUrl' | 'trustProxy' | 'clusterName' | 'serviceTokens' | 'setupToken' | 'mirrorsEnabled' | 'hiddenNamespaces'
> & {
  /** Signs the session cookie; made and kept by the mode when the environment gives none. */
  sessionSecret: string;
};
