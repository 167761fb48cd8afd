import type { Usage } from '../access/usage.ts';
import type { Severity } from '../contract/finding.ts';
import type { KubeObject, PodTemplate } from '../crd/kubernetes.ts';
import type { LabelSelector } from '../crd/selector.ts';

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

/** What a control of the Pod Security Standards looks at. */
export interface PodSubject {
  template: PodTemplate;
  /** The minor version of Kubernetes whose rules apply (34 for v1.34); Infinity is the newest. */
  minor: number;
}

/** What the objects around a workload say. What is absent is unknown, and the checks that need it find nothing. */
export interface Around {
  /** Entries as the API's list of trusted registries has them: a host, perhaps with a port and the beginning of a path. */
  trustedRegistries?: readonly string[];
  /** The selectors of the NetworkPolicies of the namespace. */
  policySelectors?: readonly LabelSelector[];
  /** What the namespace's label makes the API server refuse. */
  enforced?: { level: Level; minor: number };
  /** The service accounts of the namespace that mount no token unless a pod asks for it. */
  quietAccounts?: ReadonlySet<string>;
  /** Whether an account exists in any namespace; undefined where that is not known. */
  hasAccount?: (namespace: string, name: string) => boolean | undefined;
  /** Whether anything gives the role to somebody. */
  isBound?: (role: KubeObject) => boolean;
  /** What requests used of the rights of a binding, and in which time span; only where an audit log was read. */
  usage?: { span: string; of(binding: KubeObject): Usage | undefined };
  /** What in the cluster would look at the object when it is written now. */
  reviewed?: (object: KubeObject, minor: number) => { denies: ReadonlyMap<string, string>; may: readonly string[] };
}

/** A pod template with where it comes from. */
export interface Subject extends PodSubject {
  /** The kind of the object that holds the template: `Deployment`. */
  kind: string;
  /** Empty when the manifest names none. */
  namespace: string;
  around: Around;
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
  /** What the sentence is about, when that is neither the container nor the pod: `Volume data`. */
  about?: string;
  /** The violation as the rest of that sentence: `is privileged`. Never the value of a secret. */
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

/** What people are told of a check. */
export interface CheckTexts {
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
}

/** A rule about pods. `run` is pure and total: any parsed YAML may come. */
export interface Check extends CheckTexts {
  run(subject: Subject): Violation[];
}

/** A rule about pods that is a control of the Pod Security Standards: it looks at nothing but the template. */
export interface PodSecurityCheck extends CheckTexts {
  control: Control;
  run(subject: PodSubject): Violation[];
}

/** A rule about other objects; the paths of its violations begin at the object. */
export interface ObjectCheck extends CheckTexts {
  /** Kinds that it looks at; absent means all. */
  kinds?: readonly string[];
  look(object: KubeObject, around: Around): Violation[];
}
