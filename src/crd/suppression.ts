import type { Condition, KubeObject } from './kubernetes.ts';
import type { LabelSelector } from './selector.ts';

/**
 * `spec.match`: all fields that are set must match, and a list matches if one of its entries does. Entries are globs, and `*` also matches
 * `/`.
 */
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
