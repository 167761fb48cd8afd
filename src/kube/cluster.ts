import { type Config, ConfigError } from '../config.ts';
import type { Logger } from '../log.ts';
import { connect, type KubeClient, BACKGROUND_SILENCE_MS } from './client.ts';
import { type GraphReader, graphReader } from './graph-reader.ts';
import { secretNamesOf } from './secret-names.ts';
import { type Around, surroundingsOf } from './surroundings.ts';

/** A client, and the function that reads the surroundings of a failure through it. */
export interface ClusterAccess {
  client: KubeClient;
  surroundings: Around;
}

/** The operator's two clients of its cluster. */
export interface Cluster {
  /** For requests that somebody waits for. It fails within two seconds when the cluster does not respond. */
  interactive: ClusterAccess;
  /** For background work. It waits longer for a slow API server. */
  background: ClusterAccess;
  /** Reads the objects of graphs, for people who wait. */
  graphs: GraphReader;
  close(): void;
}

export interface ClusterOptions {
  config: Pick<Config, 'kubeconfig' | 'watchNamespaces' | 'hiddenNamespaces' | 'readSecretNames' | 'graces'>;
  now(): Date;
  log: Logger;
}

/** Makes the clients. They connect at their first request. Throws ConfigError when the kubeconfig cannot be read. */
export function openCluster({ config, now, log }: ClusterOptions): Cluster {
  const { watchNamespaces, hiddenNamespaces, readSecretNames, graces } = config;
  const interactive = clientOf(config);
  const background = clientOf(config, BACKGROUND_SILENCE_MS);
  const secretNames = readSecretNames ? secretNamesOf({ client: background, log }) : undefined;
  const access = (client: KubeClient): ClusterAccess => ({
    client,
    surroundings: surroundingsOf({ client, watchNamespaces, hiddenNamespaces, secretNames, now }),
  });
  return {
    interactive: access(interactive),
    background: access(background),
    graphs: graphReader({ client: interactive, watchNamespaces, secretNames, graces, now }),
    close() {
      interactive.close();
      background.close();
    },
  };
}

function clientOf({ kubeconfig, watchNamespaces }: ClusterOptions['config'], silenceMs?: number): KubeClient {
  try {
    return connect({ kubeconfig, namespaces: [...new Set(watchNamespaces)], ...(silenceMs ? { silenceMs } : {}) });
  } catch (error) {
    throw new ConfigError([
      `KUBECONFIG must name a kubeconfig that can be read (${error instanceof Error ? error.message.split('\n')[0] : 'unknown'})`,
    ]);
  }
}
