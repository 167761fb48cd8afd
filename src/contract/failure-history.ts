/** A record of a failure, as far as detectors look back at it. */
export interface PastFailure {
  /** The workload that finally owns the pod; the pod where there is none. */
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
  /** When the runs ended that failed, oldest first. */
  ends: Date[];
  /** False when runs ended before these that are not known any more. */
  is_whole: boolean;
}

/** The images that a workload's template named for a time. */
export interface ImageRevision {
  kind: string;
  name: string;
  images: string[];
  since: Date;
  /** When they were last seen in the template; with the next revision's `since` it says how exactly the change is known. */
  seen_at: Date;
}

/** The stored failures of a namespace, without those that people ignored or suppressed. */
export interface FailureHistory {
  /** From then on nothing was deleted, and nothing was left out because it is too much. */
  since: Date;
  failures: PastFailure[];
  /** Oldest first. The first of a workload says since when it is watched. */
  revisions: ImageRevision[];
}
