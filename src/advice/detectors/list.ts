import type { ClusterDetector, Detector, DetectorTexts } from './detector.ts';
import { autoscalerAtMaximum } from './autoscaler-at-maximum.ts';
import { autoscalerWithoutRequests } from './autoscaler-without-requests.ts';
import { autoscalerWithoutTarget } from './autoscaler-without-target.ts';
import { barePod } from './bare-pod.ts';
import { budgetBlocksEviction } from './budget-blocks-eviction.ts';
import { budgetSelectsNothing } from './budget-selects-nothing.ts';
import { caBundleExpiring } from './ca-bundle-expiring.ts';
import { certificateNotRenewed } from './certificate-not-renewed.ts';
import { configNotTakenUp } from './config-not-taken-up.ts';
import { cronJobOverlap } from './cron-job-overlap.ts';
import { deprecatedApi } from './deprecated-api.ts';
import { failingSinceImage } from './failing-since-image.ts';
import { failsOnOneNode } from './fails-on-one-node.ts';
import { failuresAtSameHour } from './failures-at-same-hour.ts';
import { fixedReplicasWithAutoscaler } from './fixed-replicas-with-autoscaler.ts';
import { frequentRestarts } from './frequent-restarts.ts';
import { hastyLivenessProbe } from './hasty-liveness-probe.ts';
import { jobWithoutDeadline } from './job-without-deadline.ts';
import { jobWithoutTtl } from './job-without-ttl.ts';
import { limitFarAboveRequest } from './limit-far-above-request.ts';
import { livenessEqualsReadiness } from './liveness-equals-readiness.ts';
import { memoryNearLimit } from './memory-near-limit.ts';
import { missingDisruptionBudget } from './missing-disruption-budget.ts';
import { missingReadinessProbe } from './missing-readiness-probe.ts';
import { missingSpread } from './missing-spread.ts';
import { noProbes } from './no-probes.ts';
import { overlappingSelectors } from './overlapping-selectors.ts';
import { quotaNearlyFull } from './quota-nearly-full.ts';
import { requestsFarFromUse } from './requests-far-from-use.ts';
import { restartsGrowing } from './restarts-growing.ts';
import { servicePortWithoutName } from './service-port-without-name.ts';
import { serviceSelectsNothing } from './service-selects-nothing.ts';
import { serviceWithoutReadyPods } from './service-without-ready-pods.ts';
import { sharedSingleWriterClaim } from './shared-single-writer-claim.ts';
import { singleReplica } from './single-replica.ts';
import { slowImagePull } from './slow-image-pull.ts';
import { stateInEmptyDir } from './state-in-empty-dir.ts';

/** Every detector of namespaces, by category, the most severe first. */
export const DETECTORS: readonly Detector[] = [
  budgetBlocksEviction,
  singleReplica,
  missingDisruptionBudget,
  missingReadinessProbe,
  budgetSelectsNothing,
  slowImagePull,
  overlappingSelectors,
  failingSinceImage,
  frequentRestarts,
  restartsGrowing,
  failuresAtSameHour,
  livenessEqualsReadiness,
  hastyLivenessProbe,
  cronJobOverlap,
  configNotTakenUp,
  noProbes,
  barePod,
  jobWithoutDeadline,
  quotaNearlyFull,
  memoryNearLimit,
  limitFarAboveRequest,
  requestsFarFromUse,
  autoscalerWithoutRequests,
  autoscalerWithoutTarget,
  autoscalerAtMaximum,
  fixedReplicasWithAutoscaler,
  missingSpread,
  failsOnOneNode,
  serviceSelectsNothing,
  serviceWithoutReadyPods,
  servicePortWithoutName,
  sharedSingleWriterClaim,
  stateInEmptyDir,
  certificateNotRenewed,
  deprecatedApi,
  jobWithoutTtl,
];

/** Detectors of cluster-wide objects. */
export const CLUSTER_DETECTORS: readonly ClusterDetector[] = [caBundleExpiring];

/** Detectors that became security checks. The next pass resolves their advice. */
export const RETIRED: readonly string[] = ['missing-requests', 'missing-memory-limit', 'mutable-image-tag', 'host-path'];

/** Undefined for a detector that no longer exists. */
export function detectorOf(id: string): DetectorTexts | undefined {
  return [...DETECTORS, ...CLUSTER_DETECTORS].find((one) => one.id === id);
}
