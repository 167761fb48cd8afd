import { createHash } from 'node:crypto';
import { canonical } from '../../crd/canonical.ts';
import type { Pod, PodTemplate } from '../../crd/kubernetes.ts';
import type { MirrorCorrection, MirrorPodStatus } from '../../crd/mirrorpod.ts';
import { withoutUndefined } from '../../crd/without-undefined.ts';
import Type from 'typebox';
import { Compile } from 'typebox/compile';
import type { SourceHistory } from './observation-window.ts';

const SOURCE = 'podmend.dev/source-pod';
const SOURCE_LABELS = 'podmend.dev/source-labels';
const TEMPLATE_HASH = 'podmend.dev/template-hash';
const FAILURE_ID = 'podmend.dev/failure';
const REASON_BEFORE = 'podmend.dev/reason-before';
const HISTORY = 'podmend.dev/source-history';
const BACKOFF_LIMIT = 'podmend.dev/backoff-limit';
const STRIPPED_CAUSE = 'podmend.dev/untried-cause';
const REPLACED_VOLUMES = 'podmend.dev/replaced-volumes';
const CORRECTION = 'podmend.dev/correction';

/** Facts in the annotations of a mirror pod. Because of them, a verdict needs neither the source nor the database. */
export interface MirrorNotes {
  templateHash: string;
  /** Id of the failure record that the mirror tests. */
  failureId?: number;
  /** The label of the source's failure. */
  reasonBefore?: string;
  /** The known runs of the source. */
  history: SourceHistory;
  /** The `backoffLimit` of the Job that owns the source. */
  backoffLimit?: number;
  /** The cause of the failure, if isolation removes it (`strippedCause`). */
  strippedCause?: string;
  /** The correction as the status shows it. */
  correction?: MirrorCorrection;
}

/** The notes as annotations of a mirror pod, with the name of the source and of the volumes that were replaced. */
export function annotationsOf(notes: MirrorNotes, sourceName: string, replacedVolumes: string[]): Record<string, string> {
  return {
    [SOURCE]: sourceName,
    [TEMPLATE_HASH]: notes.templateHash,
    [HISTORY]: JSON.stringify(notes.history),
    ...withoutUndefined({
      [FAILURE_ID]: notes.failureId?.toString(),
      [REASON_BEFORE]: notes.reasonBefore,
      [BACKOFF_LIMIT]: notes.backoffLimit?.toString(),
      [STRIPPED_CAUSE]: notes.strippedCause,
      [CORRECTION]: notes.correction && JSON.stringify(notes.correction),
      [REPLACED_VOLUMES]: replacedVolumes.join(',') || undefined,
    }),
  } as Record<string, string>;
}

/**
 * The source's labels as annotations. Labels with a domain share one annotation, because a tool might react to an annotation with the name
 * of such a label.
 */
export function labelAnnotations(labels: Record<string, string> = {}): Record<string, string> {
  const entries = Object.entries(labels);
  const qualified = entries.filter(([key]) => /[./]/.test(key));
  return {
    ...Object.fromEntries(entries.filter(([key]) => !/[./]/.test(key))),
    ...(qualified.length > 0 ? { [SOURCE_LABELS]: JSON.stringify(Object.fromEntries(qualified)) } : {}),
  };
}

/** Reads the notes of a mirror pod. Anybody may have edited them, so their format is checked. */
export function notesOf({ metadata }: Pod): MirrorNotes {
  const all = metadata.annotations ?? {};
  const failureId = Number(all[FAILURE_ID]);
  return {
    templateHash: all[TEMPLATE_HASH] ?? '',
    history: historyIn(all[HISTORY]),
    ...withoutUndefined({
      failureId: all[FAILURE_ID] && Number.isSafeInteger(failureId) ? failureId : undefined,
      reasonBefore: all[REASON_BEFORE] || undefined,
      backoffLimit: /^\d{1,9}$/.test(all[BACKOFF_LIMIT] ?? '') ? Number(all[BACKOFF_LIMIT]) : undefined,
      strippedCause: all[STRIPPED_CAUSE] || undefined,
      correction: correctionIn(all[CORRECTION]),
    }),
  };
}

const HistoryShape = Compile(
  Type.Object({
    containers: Type.Array(
      Type.Object({
        name: Type.String(),
        hasRun: Type.Boolean(),
        longestToMemoryKillSeconds: Type.Optional(Type.Number({ minimum: 0 })),
        memoryLimit: Type.Optional(Type.Number({ minimum: 0 })),
      }),
    ),
    knownRuns: Type.Integer({ minimum: 0 }),
    endedRuns: Type.Integer({ minimum: 0 }),
    longestRunSeconds: Type.Number({ minimum: 0 }),
  }),
);

/** Reads a history. An unreadable history counts as an unknown one, which is the cautious choice. */
function historyIn(text: string | undefined): SourceHistory {
  const unknown: SourceHistory = { containers: [], knownRuns: 0, endedRuns: 0, longestRunSeconds: 0 };
  try {
    const read: unknown = text ? JSON.parse(text) : undefined;
    return HistoryShape.Check(read) ? (read as SourceHistory) : unknown;
  } catch {
    return unknown;
  }
}

function correctionIn(text: string | undefined): MirrorCorrection | undefined {
  try {
    return text ? (JSON.parse(text) as MirrorCorrection) : undefined;
  } catch {
    return undefined;
  }
}

/** Names of the volumes that are replaced by an empty volume in this mirror pod. */
export function replacedVolumes(pod: Pod): string[] {
  return pod.metadata.annotations?.[REPLACED_VOLUMES]?.split(',').filter(Boolean) ?? [];
}

/** The facts that the status takes from the pod. */
export function factsOf(pod: Pod): Pick<MirrorPodStatus, 'podName' | 'startTime' | 'templateHash' | 'correction'> {
  const { name = '', creationTimestamp } = pod.metadata;
  const { templateHash, correction } = notesOf(pod);
  return {
    podName: name,
    ...(correction ? { correction } : {}),
    ...(creationTimestamp ? { startTime: creationTimestamp } : {}),
    ...(templateHash ? { templateHash } : {}),
  };
}

/** Identifies the content of a template, whatever the order of its keys: the first 16 hex digits of the SHA-256 of its canonical JSON. */
export function hashTemplate(template: PodTemplate): string {
  return createHash('sha256').update(canonical(template)).digest('hex').slice(0, 16);
}
