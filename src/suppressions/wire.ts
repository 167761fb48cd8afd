import type { Config } from '../config.ts';
import type { Storage } from '../db/storage.ts';
import type { Cluster } from '../kube/cluster.ts';
import { type Exclusions, exclusions } from './exclusions.ts';
import { type SuppressionList, suppressionList, type SuppressionsDeps } from './list.ts';
import { suppressionWrites, type WritesDeps } from './writes.ts';

export interface SuppressionsWiring extends Pick<SuppressionsDeps, 'rules'> {
  config: Pick<Config, 'podNamespace' | 'hiddenNamespaces'>;
  storage: Pick<Storage, 'failureSuppressions' | 'findingSuppressions' | 'findings'>;
  cluster: Cluster;
  cache: SuppressionsDeps['cache'] & WritesDeps['cache'];
  now(): Date;
}

/** Suppressions as people read and write them over the API. */
export function wireSuppressions({ config, storage, cluster, cache, rules, now }: SuppressionsWiring): {
  exclusions: Exclusions;
  suppressions: SuppressionList;
} {
  const { podNamespace: operatorNamespace, hiddenNamespaces } = config;
  const { client } = cluster.interactive;
  const writes = suppressionWrites({ client, cache, operatorNamespace });
  const suppressible = { failures: storage.failureSuppressions, findings: storage.findingSuppressions };
  return {
    exclusions: exclusions({ writes, cache, operatorNamespace, hiddenNamespaces, now }),
    suppressions: suppressionList({ client, writes, cache, suppressible, findings: storage.findings, rules, hiddenNamespaces, now }),
  };
}
