import type { Condition, KubeObject } from './kubernetes.ts';

/** metav1.LabelSelector: all requirements must hold. `operator` is In, NotIn, Exists or DoesNotExist. */
export interface LabelSelector {
  matchLabels?: Record<string, string>;
  matchExpressions?: { key: string; operator: string; values?: string[] }[];
}

/** `spec.match`: lists are OR, fields are AND; entries are globs, `*` crosses `/`. DESIGN section 3. */
export interface SuppressionMatch {
  namespaces?: string[];
  pods?: string[];
  labelSelector?: LabelSelector;
  failureReasons?: string[];
  checks?: string[];
  images?: string[];
}

export interface SuppressionSpec {
  reason: string;
  owner?: string;
  ticket?: string;
  expirationTime?: string;
  suspend?: boolean;
  match: SuppressionMatch;
}

export interface SuppressionStatus {
  observedGeneration?: number;
  matchedFailures?: number;
  matchedFindings?: number;
  lastMatchedTime?: string;
  conditions?: Condition[];
}

export interface Suppression extends KubeObject {
  spec: SuppressionSpec;
  status?: SuppressionStatus;
}
