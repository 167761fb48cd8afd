import type { Sessions } from '../accounts/sessions.ts';
import type { Tokens } from '../accounts/tokens.ts';
import type { Accounts } from '../accounts/users.ts';
import type { FailureDetail } from '../contract/failure.ts';
import type { Config } from '../config.ts';
import type { AgentRepository } from '../db/agents.ts';
import type { AuditRepository } from '../db/audit.ts';
import type { FailureRepository } from '../db/failures.ts';
import type { SettingRepository } from '../db/settings.ts';
import type { Hub } from '../events.ts';
import type { Intake } from '../failures/intake.ts';
import type { Recovery } from '../failures/recovery.ts';
import type { Logger } from '../log.ts';
import type { ExclusionRoutesDeps } from './exclusions.ts';
import type { MirrorRoutesDeps } from './mirrors.ts';

/** Everything the facade needs; `modes/` fills it. */
export interface AppDeps {
  version: string;
  config: FacadeConfig;
  log: Logger;
  now(): Date;
  hub: Hub;
  audit: AuditRepository;
  settings: SettingRepository;
  failures: FailureRepository;
  agents: Pick<AgentRepository, 'list'>;
  accounts: Accounts;
  sessions: Sessions;
  tokens: Tokens;
  intake: Intake;
  recovery: Recovery;
  /** Makes a solution anew, with all that can be known now. */
  solve(detail: FailureDetail): Promise<{ solution: string; isFallback: boolean }>;
  /** Each rejects while its part does not answer. */
  checks: { database(): Promise<void>; cluster(): Promise<void> };
  previewer: MirrorRoutesDeps['previewer'];
  mirrors: MirrorRoutesDeps['mirrors'];
  exclusions: ExclusionRoutesDeps['exclusions'];
  /** Live MirrorPods by phase, for `/metrics`. */
  mirrorsByPhase(): Record<string, number>;
}

export type FacadeConfig = Pick<
  Config,
  'baseUrl' | 'trustProxy' | 'clusterName' | 'serviceTokens' | 'setupToken' | 'mirrorsEnabled' | 'hiddenNamespaces'
> & {
  /** Signs the session cookie; made and kept by the mode when the environment gives none. */
  sessionSecret: string;
};
