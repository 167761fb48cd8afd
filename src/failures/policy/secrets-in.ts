import type { FailureReport } from '../../contract/failure.ts';
import type { KubeObject } from '../../crd/kubernetes.ts';
import type { Case } from '../../diagnosis/case.ts';
import { hiddenValues } from '../../redact/source-mask.ts';

/** What another thread has made of a report that takes too long here. */
export interface ReadReport {
  /** The report with everything masked: the report itself if it has no secrets. */
  masked: FailureReport;
  /** What `secretsIn` finds. */
  secrets: readonly string[];
  /** The object in its manifest. */
  manifest: KubeObject | undefined;
}

/** The secrets of a case whose sender masked nothing, as texts about it could repeat them. */
export function secretsIn({ message, logs, events, statuses, labels, manifest }: Case): string[] {
  return hiddenValues({ texts: [message, logs, ...events.map((event) => event.message ?? '')], objects: [statuses, labels, manifest()] });
}
