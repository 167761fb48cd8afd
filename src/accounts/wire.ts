import { type Config, isInCluster } from '../config.ts';
import type { Storage } from '../db/storage.ts';
import type { Cluster } from '../kube/cluster.ts';
import type { Logger } from '../log.ts';
import { keysInFolder } from './keys-folder.ts';
import { keysInSecret } from './keys-secret.ts';
import { ensureKeys } from './keys.ts';
import { sealer } from './seal.ts';
import { sessions } from './sessions.ts';
import { tokens } from './tokens.ts';
import { accounts } from './users.ts';

export interface AccountsWiring {
  config: Config;
  storage: Pick<Storage, 'users' | 'attempts' | 'sessions' | 'settings' | 'tokens'>;
  cluster: Cluster;
  log: Logger;
}

/** Users, sessions and API tokens, and the keys that sign and encrypt. In a cluster it waits until the keys can be read. */
export async function wireAccounts({ config, storage, cluster, log }: AccountsWiring) {
  const { dataDir, podNamespace: namespace } = config;
  const keys = await ensureKeys(config, () =>
    isInCluster(config) ? keysInSecret({ client: cluster.interactive.client, namespace, log }) : keysInFolder(dataDir),
  );
  return {
    accounts: accounts(storage),
    sessions: sessions(storage.sessions),
    tokens: tokens(storage.tokens, storage.settings),
    sealer: sealer(keys.encryptionKeys),
    sessionSecret: keys.sessionSecret,
  };
}
