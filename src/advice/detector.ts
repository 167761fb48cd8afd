import type { AdviceCategory } from '../contract/advice.ts';
import type { Severity } from '../contract/finding.ts';
import type { KindName, Subject, View } from './view.ts';

/** One thing that is worth doing about one object. */
export interface Found {
  kind: string;
  name: string;
  /** One sentence with the numbers that matter; it changes only when they do. */
  summary: string;
  evidence: Record<string, unknown>;
  /** What to do, in Markdown. */
  change: string;
  /** Of its pods: what Suppressions look at. */
  labels?: Record<string, string>;
  images?: string[];
}

/** Looks at all of a namespace at once; pure and total. */
export interface Detector {
  id: string;
  title: string;
  category: AdviceCategory;
  severity: Severity;
  /** The kinds it looks at: where one of them may not be read it decides nothing. */
  requires: readonly KindName[];
  /** Why it matters, in sentences for people who have not met it before. */
  why: string;
  run(view: View, now: Date): Found[];
}

/** A finding about a workload, with what Suppressions look at. */
export function about({ kind, name, labels, spec }: Subject, found: Pick<Found, 'summary' | 'evidence' | 'change'>): Found {
  const images = [...(spec.initContainers ?? []), ...spec.containers].flatMap(({ image }) => (image ? [image] : []));
  return { kind, name, labels, images: [...new Set(images)], ...found };
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
