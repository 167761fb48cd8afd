/** The fields of a failure record that detectors of past failures read. */
export interface PastFailure {
  /** The workload that owns the pod, directly or through other owners; otherwise the pod. */
  kind: string;
  name: string;
  container: string | null;
  family: string;
  reason: string;
  /** The same for all records of one pod. */
  pod: string;
  pod_name: string;
  node: string | null;
  images: string[];
  occurrences: number;
  first_at: Date;
  last_at: Date;
  /** The times when the failed runs ended, oldest first. */
  ends: Date[];
  /** False if earlier runs ended that are no longer known. */
  is_whole: boolean;
}

/** The images that a workload's template named for a time. */
export interface ImageRevision {
  kind: string;
  name: string;
  images: string[];
  since: Date;
  /** When they were last seen in the template. Together with the next revision's `since`, this bounds the time of the change. */
  seen_at: Date;
}

/** The stored failures of a namespace, without those that people ignored or suppressed. */
export interface FailureHistory {
  /** From this time on, nothing was deleted, and nothing was omitted because there was too much. */
  since: Date;
  failures: PastFailure[];
  /** Oldest first. The first revision of a workload shows since when it is watched. */
  revisions: ImageRevision[];
}
