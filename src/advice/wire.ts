import type { Config } from '../config.ts';
import { adviceRepository } from '../db/advice.ts';
import { failureHistoryRepository } from '../db/failure-history.ts';
import { adviceSuppressionRepository } from '../db/suppressible.ts';
import type { Fence } from '../db/leadership.ts';
import type { Storage } from '../db/storage.ts';
import type { Hub } from '../events.ts';
import type { KubeClient } from '../kube/client.ts';
import type { Logger } from '../log.ts';
import type { AskTopic } from '../models/ask-topic.ts';
import { adviser, type AdviceDeps } from './advise.ts';
import { explanations } from './explanations.ts';
import { adviceController } from './loop.ts';

export interface AdviceWiring extends Pick<AdviceDeps, 'suppressionOf'> {
  config: Pick<Config, 'clusterName' | 'watchNamespaces' | 'hiddenNamespaces' | 'readSecretNames' | 'scanIntervalSeconds'>;
  storage: Pick<Storage, 'advice' | 'adviceSuppressions' | 'failureHistory'>;
  models: { askTopic: AskTopic };
  hub: Hub;
  now(): Date;
  log: Logger;
}

/** Advice about workloads. */
export function wireAdvice({ config, storage, models, suppressionOf, hub, now, log }: AdviceWiring) {
  const { clusterName: cluster, watchNamespaces, hiddenNamespaces, readSecretNames, scanIntervalSeconds } = config;
  return {
    explainAdvice: explanations({ askTopic: models.askTopic, advice: storage.advice, hub }),
    /** Runs only on the leader: examines the whole cluster at intervals. */
    lead({ client, fence }: { client: KubeClient; fence: Fence }): { stop(): Promise<void> } {
      const advice = fence(adviceRepository, ['store']);
      const adviceSuppressions = { ...storage.adviceSuppressions, ...fence(adviceSuppressionRepository, ['set']) };
      const failureHistory = { ...storage.failureHistory, ...fence(failureHistoryRepository, ['noteImages']) };
      const loop = adviceController({
        client,
        advise: adviser({
          client,
          advice,
          adviceSuppressions,
          failureHistory,
          cluster,
          hiddenNamespaces,
          readSecretNames,
          suppressionOf,
          hub,
          now,
          log,
        }),
        kept: () => storage.advice.namespaces(cluster),
        watchNamespaces,
        timing: { intervalMs: scanIntervalSeconds * 1000 },
        now,
        log,
      });
      loop.start();
      return loop;
    },
  };
}
