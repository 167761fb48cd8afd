import type { Config } from '../config.ts';
import type { Storage } from '../db/storage.ts';
import type { Cluster, ClusterAccess } from '../kube/cluster.ts';
import { type DeployDeps, mirrors } from './deploy.ts';
import { previewer, type PreviewDeps } from './preview.ts';

export interface MirrorsWiring extends Pick<DeployDeps, 'locate'> {
  config: Pick<Config, 'mirrorsEnabled' | 'mirrorDeniedNamespaces' | 'mirrorLimits'>;
  storage: Pick<Storage, 'failures' | 'previews' | 'settings'>;
  cluster: Cluster;
  models: Pick<PreviewDeps, 'diagnose'>;
  now(): Date;
}

/** What the API needs for mirrors, and what the leader's passes over MirrorPods need. */
export function wireMirrors({ config, storage, cluster, models, locate, now }: MirrorsWiring) {
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
    previewer: previewer({ client, previews, settings, surroundings, diagnose: models.diagnose }),
  });
  const interactive = over(cluster.interactive);
  return {
    previewer: interactive.previewer,
    mirrors: mirrors({ ...interactive, locate }),
    /** For the passes over MirrorPods. */
    passes: over(cluster.background),
  };
}
