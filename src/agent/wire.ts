import type { Config } from '../config.ts';
import type { Storage } from '../db/storage.ts';
import type { Intake } from '../failures/intake.ts';
import type { Recovery } from '../failures/recovery.ts';
import type { KubeClient } from '../kube/client.ts';
import type { Logger } from '../log.ts';
import { leaderWatch } from './leader-watch.ts';

export interface LeaderWatchWiring {
  config: Pick<Config, 'clusterName' | 'watchNamespaces' | 'graces' | 'agentSilentSeconds'>;
  storage: Pick<Storage, 'agents' | 'failures'>;
  failures: { intake: Intake; recovery: Recovery };
  now(): Date;
  log: Logger;
}

/** The leader's watch over nodes without an agent. It reports like an agent, so its writes need no fence. */
export function wireLeaderWatch({ config, storage, failures, now, log }: LeaderWatchWiring) {
  return {
    lead({ client }: { client: KubeClient }): { stop(): Promise<void> } {
      const watch = leaderWatch({
        client,
        cluster: config.clusterName,
        watchNamespaces: config.watchNamespaces,
        graces: config.graces,
        now,
        log,
        liveNodes: storage.agents.live,
        silentMs: config.agentSilentSeconds * 1000,
        report: async (report, seenAt) => {
          const outcome = await failures.intake.report(report, now(), seenAt);
          return outcome.kind === 'stored' ? outcome : undefined;
        },
        gone: (message, seenAt) => failures.recovery.gone(message, seenAt),
        openRecords: storage.failures.openObjects,
      });
      watch.start();
      return watch;
    },
  };
}
