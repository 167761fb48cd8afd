import { aboveDefaultLimit, exceededClaimRange, exceededLimitRange, exceededRatio } from './failed-create/limit-range.ts';
import { missingObject } from './failed-create/missing-object.ts';
import { outsideConstraints } from './failed-create/openshift.ts';
import { podSecurityViolation } from './failed-create/pod-security.ts';
import { exceededQuota, fieldsForQuota } from './failed-create/quota.ts';
import { refusedPod } from './failed-create/refused.ts';
import type { DiagnosisRule } from './rule.ts';

/** The reasons why a controller cannot create its pods, in the order in which they are checked. */
const CAUSES: readonly DiagnosisRule['answer'][] = [
  exceededQuota,
  fieldsForQuota,
  podSecurityViolation,
  missingObject,
  exceededRatio,
  exceededLimitRange,
  exceededClaimRange,
  aboveDefaultLimit,
  outsideConstraints,
  refusedPod,
];

/** A controller cannot create its pods. A mirror copies a pod, not a controller, so no mirror can prove these corrections. */
export const failedCreate: DiagnosisRule = {
  id: 'failed-create',
  reasons: ['FailedCreate', 'ReplicaFailure'],
  answer(input) {
    for (const answer of CAUSES) {
      const found = answer(input);
      if (found) return found;
    }
    return undefined;
  },
};
