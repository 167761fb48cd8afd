import type { Detector } from './detector.ts';
import { autoscalerAtMaximum } from './autoscaler-at-maximum.ts';
import { autoscalerWithoutRequests } from './autoscaler-without-requests.ts';
import { autoscalerWithoutTarget } from './autoscaler-without-target.ts';
import { barePod } from './bare-pod.ts';
import { budgetBlocksEviction } from './budget-blocks-eviction.ts';
import { budgetSelectsNothing } from './budget-selects-nothing.ts';
import { cronJobOverlap } from './cron-job-overlap.ts';
import { deprecatedApi } from './deprecated-api.ts';
import { fixedReplicasWithAutoscaler } from './fixed-replicas-with-autoscaler.ts';
import { frequentRestarts } from './frequent-restarts.ts';
import { hastyLivenessProbe } from './hasty-liveness-probe.ts';
import { hostPath } from './host-path.ts';
import { jobWithoutDeadline } from './job-without-deadline.ts';
import { jobWithoutTtl } from './job-without-ttl.ts';
import { limitFarAboveRequest } from './limit-far-above-request.ts';
import { livenessEqualsReadiness } from './liveness-equals-readiness.ts';
import { missingDisruptionBudget } from './missing-disruption-budget.ts';
import { missingMemoryLimit } from './missing-memory-limit.ts';
import { missingReadinessProbe } from './missing-readiness-probe.ts';
import { missingRequests } from './missing-requests.ts';
import { missingSpread } from './missing-spread.ts';
import { mutableImageTag } from './mutable-image-tag.ts';
import { noProbes } from './no-probes.ts';
import { overlappingSelectors } from './overlapping-selectors.ts';
import { quotaNearlyFull } from './quota-nearly-full.ts';
import { servicePortWithoutName } from './service-port-without-name.ts';
import { serviceSelectsNothing } from './service-selects-nothing.ts';
import { serviceWithoutReadyPods } from './service-without-ready-pods.ts';
import { sharedSingleWriterClaim } from './shared-single-writer-claim.ts';
import { singleReplica } from './single-replica.ts';
import { stateInEmptyDir } from './state-in-empty-dir.ts';

/** Every detector, by category, the most severe first. */
export const DETECTORS: readonly Detector[] = [
  budgetBlocksEviction,
  singleReplica,
  missingDisruptionBudget,
  missingReadinessProbe,
  budgetSelectsNothing,
  overlappingSelectors,
  frequentRestarts,
  livenessEqualsReadiness,
  hastyLivenessProbe,
  cronJobOverlap,
  noProbes,
  barePod,
  jobWithoutDeadline,
  missingRequests,
  quotaNearlyFull,
  missingMemoryLimit,
  limitFarAboveRequest,
  autoscalerWithoutRequests,
  autoscalerWithoutTarget,
  autoscalerAtMaximum,
  fixedReplicasWithAutoscaler,
  missingSpread,
  serviceSelectsNothing,
  serviceWithoutReadyPods,
  servicePortWithoutName,
  sharedSingleWriterClaim,
  stateInEmptyDir,
  mutableImageTag,
  hostPath,
  deprecatedApi,
  jobWithoutTtl,
];

/** undefined for one that no longer exists. */
export function detectorOf(id: string): Detector | undefined {
  return DETECTORS.find((one) => one.id === id);
}
