import type { Usage } from '../access/usage.ts';
import type { Severity } from '../contract/finding.ts';
import type { KubeObject, PodTemplate } from '../crd/kubernetes.ts';
import type { LabelSelector } from '../crd/selector.ts';

/** The levels of the Pod Security Standards that have restrictions. */
export type Level = 'baseline' | 'restricted';

/** The sections of well-known frameworks that describe a check. */
export interface Frameworks {
  /** The level of the Pod Security Standards that the check belongs to. */
  pod_security?: Level;
  /** Sections of the NSA/CISA Kubernetes Hardening Guide 1.2. */
  nsa?: string[];
  /** Controls of the CIS Kubernetes Benchmark 1.10; a section, if none of its controls names the problem. */
  cis?: string[];
  /** Techniques of MITRE ATT&CK for containers. */
  mitre?: string[];
}

/** The input of a control of the Pod Security Standards. */
export interface PodSubject {
  template: PodTemplate;
  /** The minor version of Kubernetes whose rules apply (34 for v1.34); Infinity is the newest. */
  minor: number;
}

/** What is known about the objects around a workload. Checks that need an absent field find nothing. */
export interface Around {
  /** Trusted registries, written as in the API's list: a host, optionally with a port and the beginning of a path. */
  trustedRegistries?: readonly string[];
  /** The selectors of the NetworkPolicies of the namespace. */
  policySelectors?: readonly LabelSelector[];
  /** The level of Pod Security that the API server enforces because of the label of the namespace. */
  enforced?: { level: Level; minor: number };
  /** The service accounts of the namespace that mount no token unless a pod asks for one. */
  quietAccounts?: ReadonlySet<string>;
  /** Whether an account exists, in any namespace; undefined if that is not known. */
  hasAccount?: (namespace: string, name: string) => boolean | undefined;
  /** Whether a binding, or an aggregated role, gives the role to somebody. */
  isBound?: (role: KubeObject) => boolean;
  /** The rights of a binding that requests have used, and the time span. Only set if an audit log was read. */
  usage?: { span: string; of(binding: KubeObject): Usage | undefined };
  /** The admission objects of the cluster that would examine the object if it were written now. */
  reviewed?: (object: KubeObject, minor: number) => { denies: ReadonlyMap<string, string>; may: readonly string[] };
}

/** A pod template and where it comes from. */
export interface Subject extends PodSubject {
  /** The kind of the object that holds the template: `Deployment`. */
  kind: string;
  /** Empty if the manifest gives no name. */
  namespace: string;
  around: Around;
}

/** A change that removes a violation. `to` null removes the field. Paths are as in a violation. */
export interface Cure {
  path: string;
  to: unknown;
}

/** One field that breaks a check. */
export interface Violation {
  /** Relative to the template: `spec.containers[0].image`. */
  path: string;
  /** The container's name; absent when the field belongs to the pod. */
  container?: string;
  /** The subject of the sentence, if it is neither the container nor the pod: `Volume data`. */
  about?: string;
  /** The rest of that sentence: `is privileged`. It never contains the value of a secret. */
  problem: string;
  cures: Cure[];
}

/** A control of the Pod Security Standards. */
export interface Control {
  level: Level;
  /** The first minor version whose standard contains it. */
  since: number;
  /** The baseline control that this one replaces when a pod is checked against restricted. */
  replaces?: string;
}

/** The description of a check for people. */
export interface CheckTexts {
  /** Stable and unique, because findings, Suppressions and reports contain it. */
  id: string;
  title: string;
  severity: Severity;
  /** What an attacker can do when the rule is violated. */
  rationale: string;
  /** What to do, for people. */
  remediation: string;
  references: string[];
  frameworks: Frameworks;
}

/** A rule about pods. `run` is pure and total: it accepts any parsed YAML. */
export interface Check extends CheckTexts {
  run(subject: Subject): Violation[];
}

/** A rule about pods that is a control of the Pod Security Standards. It reads only the template. */
export interface PodSecurityCheck extends CheckTexts {
  control: Control;
  run(subject: PodSubject): Violation[];
}

/** A rule about other objects. The paths of its violations start at the object. */
export interface ObjectCheck extends CheckTexts {
  /** The kinds that it examines; absent means all. */
  kinds?: readonly string[];
  look(object: KubeObject, around: Around): Violation[];
}
