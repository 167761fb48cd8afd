import { hostname } from 'node:os';
import type { wireAdvice } from '../../advice/wire.ts';
import type { wireLeaderWatch } from '../../agent/wire.ts';
import type { Config } from '../../config.ts';
import { findingSuppressionRepository, failureSuppressionRepository, adviceSuppressionRepository } from '../../db/suppressible.ts';
import type { Fence } from '../../db/leadership.ts';
import type { Storage } from '../../db/storage.ts';
import { trialRepository } from '../../db/trials.ts';
import type { Hub } from '../../events.ts';
import type { Cluster } from '../../kube/cluster.ts';
import type { Logger } from '../../log.ts';
import type { wireMirrors } from '../../mirrors/wire.ts';
import type { Models } from '../../models/wire.ts';
import { type MirrorController, mirrorController } from '../../reconcilers/mirrorpod-controller.ts';
import type { Notifications } from '../../reconcilers/notificationprovider-controller.ts';
import type { Suppressions } from '../../reconcilers/suppression-controller.ts';
import type { LeaderTasks, Leading } from './leader.ts';
import { leadingClient } from './leading-client.ts';

export interface LeaderTasksDeps {
  config: Config;
  storage: Storage;
  cluster: Cluster;
  hub: Hub;
  mirrors: ReturnType<typeof wireMirrors>;
  suppressions: Suppressions;
  advice: ReturnType<typeof wireAdvice>;
  models: Models;
  leaderWatch: ReturnType<typeof wireLeaderWatch>;
  notifications: Notifications;
  now(): Date;
  log: Logger;
}

/** The leader's tasks, and what its cache of MirrorPods knows. */
export type OperatorTasks = LeaderTasks & Pick<MirrorController, 'counts' | 'locate' | 'tally'>;

/** Starts the leader's tasks, once for each term. The client and the repositories refuse writes after the term is over. */
export function leaderTasks(deps: LeaderTasksDeps): (term: Leading) => OperatorTasks {
  const { config, storage, cluster, hub, mirrors, now, log } = deps;
  const { graces, watchNamespaces, hiddenNamespaces } = config;
  return (term) => {
    const client = leadingClient(cluster.background.client, term);
    const fence: Fence = (make, methods) => storage.leadership.fenced(term, make, methods);
    const trials = { ...storage.trials, ...fence(trialRepository, ['insert', 'update', 'end', 'keepLog']) };
    const suppressible = {
      failures: { ...storage.failureSuppressions, ...fence(failureSuppressionRepository, ['set']) },
      findings: { ...storage.findingSuppressions, ...fence(findingSuppressionRepository, ['set']) },
      advice: { ...storage.adviceSuppressions, ...fence(adviceSuppressionRepository, ['set']) },
    };
    const mirrorPods = mirrorController({
      ...mirrors.passes,
      ...{ client, hub, trials, graces, watchNamespaces, hiddenNamespaces, instance: hostname(), now, log },
    });
    void mirrorPods.start();
    const tasks = [
      mirrorPods,
      deps.suppressions.lead(client, suppressible),
      deps.leaderWatch.lead({ client }),
      deps.advice.lead({ client, fence }),
      deps.models.lead(fence),
      deps.notifications.lead({ client, fence, isCurrent: term.isCurrent }),
    ];
    return {
      counts: mirrorPods.counts,
      locate: mirrorPods.locate,
      tally: mirrorPods.tally,
      stop: async () => void (await Promise.all(tasks.map(async (task) => task.stop()))),
    };
  };
}
