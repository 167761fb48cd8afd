import type { KubeObject } from './kubernetes.ts';

/** The level that a namespace's label enforces, and the minor version of Kubernetes whose rules apply. */
export interface EnforcedLevel {
  level: 'baseline' | 'restricted';
  minor: number;
}

const LABEL = 'pod-security.kubernetes.io/enforce';

/** The level that the label of a namespace enforces; undefined for privileged. Without a version it is the newest (Kubernetes, "Pod Security Admission"). */
export function enforcedLevelOf({ metadata }: KubeObject): EnforcedLevel | undefined {
  const labels: Record<string, unknown> = typeof metadata.labels === 'object' ? { ...metadata.labels } : {};
  const level = labels[LABEL];
  if (level !== 'baseline' && level !== 'restricted') return undefined;
  const minor = /^v1\.(\d{1,3})$/.exec(String(labels[`${LABEL}-version`]))?.[1];
  return { level, minor: minor === undefined ? Infinity : Number(minor) };
}
