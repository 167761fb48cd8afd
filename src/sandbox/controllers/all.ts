import type { Api } from '../api/api.ts';
import { startClaims } from './claims.ts';
import { startCollector } from './collector.ts';
import { startDeployments } from './deployment.ts';
import { startEndpoints } from './endpoints.ts';
import { startJobs } from './job.ts';
import { startNamespaces } from './namespaces.ts';
import { startQuotas } from './quota.ts';
import { startReplicaSets } from './replicaset.ts';
import { startDaemonSets, startStatefulSets } from './sets.ts';

const CONTROLLERS = [
  startNamespaces,
  startCollector,
  startDeployments,
  startReplicaSets,
  startStatefulSets,
  startDaemonSets,
  startJobs,
  startEndpoints,
  startQuotas,
  startClaims,
];

/** Starts every controller; the returned function ends them. */
export function startControllers(api: Api): () => void {
  const stops = CONTROLLERS.map((start) => start(api));
  return () => {
    for (const stop of stops) stop();
  };
}
