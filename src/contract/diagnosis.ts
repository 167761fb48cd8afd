import Type, { type Static } from 'typebox';
import { MirrorPreview, PreviewCorrection } from './mirror.ts';
import { Nullable } from './nullable.ts';

/** The place of a line of evidence in the record (`GET /api/pods/failed/{id}`), so that people can see it in context. */
export const EvidencePlace = Type.Object({
  in: Type.Enum(['log', 'events', 'containers', 'manifest']),
  index: Type.Integer({ minimum: 0, description: 'the line of the log or the manifest, or the place in the list, counted from 0' }),
});
export type EvidencePlace = Static<typeof EvidencePlace>;

/** One line that the diagnosis rests on. */
export const EvidenceLine = Type.Object({
  source: Nullable(Type.String({ description: 'event Unhealthy, log of app (previous), manifest…' })),
  text: Type.String(),
  place: Nullable(EvidencePlace),
});
export type EvidenceLine = Static<typeof EvidenceLine>;

/** A correction in a format that people can apply. */
export const PatchFormat = Type.Object({
  name: Type.Enum(['kubectl patch', 'YAML', 'Git diff', 'Pull request']),
  about: Type.String({ description: 'what it is for, in one sentence' }),
  text: Type.String(),
});
export type PatchFormat = Static<typeof PatchFormat>;

/** One possible correction, and whether a mirror has tried exactly this one. */
export const OfferedCorrection = Type.Object({
  ...PreviewCorrection.properties,
  tried: Nullable(Type.String({ description: 'the newest mirror that tried it: one of the record’s trials' })),
  formats: Type.Array(PatchFormat, { description: 'the patch as a command, as YAML, as a diff and as a text for a pull request' }),
});
export type OfferedCorrection = Static<typeof OfferedCorrection>;

const { id: _, ...preview } = MirrorPreview.properties;

/** Answer of `GET /api/pods/failed/{id}/diagnosis`: why the pod fails and what would correct it, at this moment. Nothing is stored. */
export const FailureDiagnosis = Type.Object({
  summary: Type.String({ description: 'what happened, in one sentence; Markdown within a line' }),
  culprit: Nullable(Type.String({ description: 'the key, image, limit or probe that causes it' })),
  evidence: Type.Array(EvidenceLine, { description: 'the most telling first' }),
  changed: Nullable(
    Type.Object(
      { since: Type.String(), lines: Type.Array(Type.String()) },
      { description: 'how the revision differs from the one before, where both are known' },
    ),
  ),
  advice: Type.Array(Type.String()),
  commands: Type.Array(Type.String({ description: 'safe to paste into a shell' })),
  no_correction: Nullable(
    Type.Object(
      { why: Type.String(), where_to_look: Type.String() },
      { description: 'set when no change to the manifest ends the failure' },
    ),
  ),
  source: Type.Enum(['live', 'gone', 'unknown'], {
    description: 'whether the pod or its workload is there now; unknown: the cluster did not answer, and what was reported is shown',
  }),
  manifest: Type.String({ description: 'what the corrections change, as YAML with secrets masked; empty when nothing is known' }),
  preview: Type.Object(
    { ...preview, candidates: Type.Array(OfferedCorrection) },
    { description: 'the corrections, as a preview would show them' },
  ),
});
export type FailureDiagnosis = Static<typeof FailureDiagnosis>;
