import type { Severity } from '../contract/finding.ts';
import type { PodTemplate } from '../crd/kubernetes.ts';

/** The levels of the Pod Security Standards that forbid something. */
export type Level = 'baseline' | 'restricted';

/** Where the frameworks of the field speak of a check. */
export interface Frameworks {
  /** The level of the Pod Security Standards that the check belongs to. */
  pod_security?: Level;
  /** Sections of the NSA/CISA Kubernetes Hardening Guide 1.2. */
  nsa?: string[];
  /** Controls of the CIS Kubernetes Benchmark 1.10. */
  cis?: string[];
  /** Techniques of MITRE ATT&CK for containers. */
  mitre?: string[];
}

/** What a check looks at. */
export interface Subject {
  template: PodTemplate;
  /** The minor version of Kubernetes whose rules apply (34 for v1.34); Infinity is the newest. */
  minor: number;
}

/** A change that cures a violation; `to` null removes the field. Paths are as in a violation. */
export interface Cure {
  path: string;
  to: unknown;
}

/** One field that breaks a check. */
export interface Violation {
  /** From the template on: `spec.containers[0].image`. */
  path: string;
  /** The container's name; absent when the field is the pod's. */
  container?: string;
  /** What is wrong with the field. A lower-case clause for people, never the value of a secret. */
  problem: string;
  cures: Cure[];
}

/** A control of the Pod Security Standards. */
export interface Control {
  level: Level;
  /** The first minor version whose standard has it. */
  since: number;
  /** The baseline control that is not looked at when a pod is held to restricted, because this one is there. */
  replaces?: string;
}

/** A rule about pods. `run` is pure and total: any parsed YAML may come. */
export interface Check {
  /** Stable and unique: findings, Suppressions and reports name it. */
  id: string;
  title: string;
  severity: Severity;
  /** What somebody can do where the rule is broken. */
  rationale: string;
  /** What to do, for people. */
  remediation: string;
  references: string[];
  frameworks: Frameworks;
  /** Only controls of the Pod Security Standards have it. */
  control?: Control;
  run(subject: Subject): Violation[];
}
