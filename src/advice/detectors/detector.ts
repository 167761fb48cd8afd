import type { AdviceCategory } from '../../contract/advice.ts';
import type { Severity } from '../../contract/finding.ts';
import type { ClusterKindName, ClusterView } from './cluster-view.ts';
import type { KindName, Subject, View } from './view.ts';

/** What a detector advises about one object. */
export interface DetectorResult {
  kind: string;
  name: string;
  /** One sentence with the relevant numbers. It changes only when they change. */
  summary: string;
  evidence: Record<string, unknown>;
  /** What to do, in Markdown. */
  change: string;
  /** The labels of its pods, which Suppressions match. */
  labels?: Record<string, string>;
  images?: string[];
}

/** Examines a namespace as a whole. Pure and total. */
export interface Detector extends DetectorTexts {
  /** The kinds that it examines. If one of them may not be read, it decides nothing. */
  requires: readonly KindName[];
  run(view: View, now: Date): DetectorResult[];
}

/** Examines cluster-wide objects. Pure and total. */
export interface ClusterDetector extends DetectorTexts {
  requires: readonly ClusterKindName[];
  run(view: ClusterView, now: Date): DetectorResult[];
}

/** What people are told of a detector. */
export interface DetectorTexts {
  id: string;
  title: string;
  category: AdviceCategory;
  severity: Severity;
  /** How many days of stored failures it needs. It says nothing about a workload that has been watched for less. */
  historyDays?: number;
  /** Why it matters, for readers who meet it for the first time. */
  why: string;
}

/** Advice about a workload, with the fields that Suppressions match. */
export function about(subject: Subject, found: Pick<DetectorResult, 'summary' | 'evidence' | 'change'>): DetectorResult {
  const { kind, name, labels } = subject;
  return { kind, name, labels, images: imagesOf(subject), ...found };
}

/** The images that its pods run, each once. */
export function imagesOf({ spec }: Subject): string[] {
  const images = [...(spec.initContainers ?? []), ...spec.containers].flatMap(({ image }) => (image ? [image] : []));
  return [...new Set(images)];
}

/** `app`, `app and db`, `app, db and 3 more`. */
export function named(names: readonly string[]): string {
  const [shown, rest] = names.length > 4 ? [names.slice(0, 3), names.length - 3] : [names, 0];
  if (rest > 0) return `${shown.join(', ')} and ${rest} more`;
  return shown.length > 1 ? `${shown.slice(0, -1).join(', ')} and ${shown.at(-1)}` : (shown[0] ?? '');
}

/** `1 replica`, `3 replicas`. */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

/** YAML in Markdown. */
export function yaml(text: string): string {
  return `\`\`\`yaml\n${text.trim()}\n\`\`\``;
}
