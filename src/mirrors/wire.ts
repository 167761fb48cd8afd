import type { Config } from '../config.ts';
import type { Storage } from '../db/storage.ts';
import type { Cluster, ClusterAccess } from '../kube/cluster.ts';
import { type DeployDeps, mirrors } from './deploy.ts';
import type { Logger } from '../log.ts';
import { lastLogs } from './last-log.ts';
import { previewer, type PreviewDeps } from './preview.ts';

export interface MirrorsWiring extends Pick<DeployDeps, 'locate'> {
  config: Pick<Config, 'mirrorsEnabled' | 'mirrorDeniedNamespaces' | 'mirrorLimits'>;
  storage: Pick<Storage, 'failures' | 'previews' | 'settings' | 'trials'>;
  cluster: Cluster;
  models: Pick<PreviewDeps, 'diagnose'>;
  now(): Date;
  log: Logger;
}

/** Builds the parts for mirrors: those of the API, and those of the leader's passes over MirrorPods. */
export function wireMirrors({ config, storage, cluster, models, locate, now, log }: MirrorsWiring) {
  const { failures, previews, settings } = storage;
  const common = {
    failures,
    previews,
    settings,
    enabled: config.mirrorsEnabled,
    deniedNamespaces: config.mirrorDeniedNamespaces,
    limits: config.mirrorLimits,
    now,
  };
  const over = ({ client, surroundings }: ClusterAccess) => ({
    ...common,
    client,
    previewer: previewer({ client, previews, settings, trials: storage.trials, surroundings, diagnose: models.diagnose }),
  });
  const interactive = over(cluster.interactive);
  return {
    previewer: interactive.previewer,
    mirrors: mirrors({ ...interactive, locate, lastLogs: lastLogs({ client: interactive.client, trials: storage.trials, now, log }) }),
    /** The parts for the passes over MirrorPods. */
    passes: over(cluster.background),
  };
}
