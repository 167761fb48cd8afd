import Type, { type Static } from 'typebox';
import { Change, Evidence, FailureStatus, Revision, Trial, WorkloadRef } from './failure.ts';
import { MIRROR_TTL } from './mirror-ttl.ts';
import { Nullable } from './nullable.ts';

/** `certain`: nothing else can be wrong; `likely`: the evidence points here; `guess`: worth trying. */
export const Confidence = Type.Enum(['certain', 'likely', 'guess']);
export type Confidence = 'certain' | 'likely' | 'guess';

/** The patch or manifest with which `kubectl` corrects the owner of a pod. */
export const OwnerPatch = Type.Object({
  api_version: Type.String(),
  kind: Type.String({ description: 'a workload; `Pod` when nothing controls the pod' }),
  name: Type.String(),
  namespace: Type.String(),
  type: Type.Enum(['json', 'replace'], {
    description:
      '`json`: `body` is a JSON Patch; `replace`: it cannot be changed, `body` is the manifest (YAML) that it is made again from',
  }),
  body: Type.String(),
  command: Type.String({ description: 'ready for a shell: it applies `body`, and does what else the change needs to take effect' }),
  note: Type.String({ description: 'what else happens, or has to; empty when nothing does' }),
});
export type OwnerPatch = Static<typeof OwnerPatch>;

const OwnerPatchOrNull = Type.Union([OwnerPatch, Type.Null()], {
  description: 'null when the owner is gone, is of a kind that is not known, or has changed since and lacks what the correction changes',
});

/** One possible correction, best first in a preview's `candidates`. */
export const PreviewCorrection = Type.Object({
  title: Type.String(),
  fixed_manifest: Type.String(),
  owner_patch: OwnerPatchOrNull,
  explanation: Type.String(),
  changes: Type.Array(Change),
  diff: Type.String({ description: 'unified diff of the YAML' }),
  confidence: Confidence,
  is_fallback: Type.Boolean({ description: 'whether the rules propose it, and no model' }),
  mirrorable: Type.Boolean({ description: 'false: shown, but a mirror cannot prove it, or may not run it' }),
  written_for: Type.Optional(Type.String({ description: 'the mirror that somebody wrote it for; absent when Podmend proposes it' })),
});
export type PreviewCorrection = Static<typeof PreviewCorrection>;

/** A template that somebody wrote for a mirror, as stored: the specs of the source and of the mirror, secrets masked. */
export interface WrittenManifest {
  before: object;
  after: object;
  /** The paths of changed values that the mask hides. */
  hidden: string[];
}
/** The same, with the mirror that ran it. */
export interface WrittenTrial extends WrittenManifest {
  mirror_id: string;
}

/** Answer of `POST /api/mirror/preview/{pod_id}`. */
export const MirrorPreview = Type.Object({
  id: Type.Integer(),
  fixed_manifest: Type.String(),
  owner_patch: OwnerPatchOrNull,
  explanation: Type.String(),
  is_fallback: Type.Boolean(),
  changes: Type.Array(Change),
  diff: Type.String(),
  confidence: Confidence,
  mirrorable: Type.Boolean(),
  candidates: Type.Array(PreviewCorrection),
  risks: Type.Array(Type.String()),
  suggested_ttl_seconds: Type.Integer(),
});
export type MirrorPreview = Static<typeof MirrorPreview>;

/** Body of `POST /api/mirror/deploy/{pod_id}`. The `default` makes the description say that it is optional. */
export const DeployMirror = Type.Object(
  {
    ttl_seconds: Type.Optional(Type.Integer({ minimum: MIRROR_TTL.min, maximum: MIRROR_TTL.max })),
    manifest: Type.Optional(Type.String({ minLength: 1 })),
    candidate: Type.Optional(Type.Integer({ minimum: 0 })),
    acknowledge_side_effects: Type.Optional(Type.Boolean()),
  },
  { default: {} },
);
export type DeployMirror = Static<typeof DeployMirror>;

/** Answer of `POST /api/mirror/check/{pod_id}` if a mirror would be created. Otherwise the answer is the refusal of a deploy. */
export const MirrorCheck = Type.Object({ risks: Type.Array(Type.String()) });
export type MirrorCheck = Static<typeof MirrorCheck>;

export const MirrorCondition = Type.Object({
  type: Type.String(),
  status: Type.String(),
  reason: Type.String(),
  message: Type.String(),
  last_transition_time: Type.String(),
});

/** A mirror as every mirror endpoint and `mirror_status` show it. `status` is the MirrorPod's phase. */
export const MirrorRecord = Type.Object({
  mirror_id: Type.String(),
  name: Type.String({ description: 'name of the MirrorPod' }),
  mirror_pod_name: Type.String({ description: 'empty until the pod is created' }),
  source_pod_name: Type.String(),
  pod_id: Type.Union([Type.Integer(), Type.Null()]),
  namespace: Type.String(),
  status: Type.String(),
  verdict: Type.Union([Type.String(), Type.Null()]),
  ttl_seconds: Type.Integer(),
  created_at: Type.String(),
  expires_at: Type.Union([Type.String(), Type.Null()]),
  fixed_manifest: Type.String(),
  explanation: Type.String(),
  risks: Type.Optional(Type.Array(Type.String(), { description: 'only in the answer to a deploy' })),
  evidence: Type.Union([Evidence, Type.Null()]),
  revisions: Type.Array(Revision, { description: 'oldest first' }),
  final: Type.Boolean({ description: 'the mirror has ended, and its verdict is the last one' }),
  conditions: Type.Array(MirrorCondition),
  events: Type.Array(Type.Object({ type: Type.String(), reason: Type.String(), message: Type.String(), timestamp: Type.String() })),
});
export type MirrorRecord = Static<typeof MirrorRecord>;

/** An ended mirror: its trial, and the failure that it was for. It is kept as long as the record of that failure. */
export const PastMirror = Type.Object({
  id: Type.Integer({ description: 'where its page begins: see `before`' }),
  pod_id: Type.Integer(),
  source_pod_name: Type.String(),
  namespace: Type.String(),
  workload: Nullable(WorkloadRef),
  failure_reason: Type.String({ description: 'what the record says today' }),
  failure_status: FailureStatus,
  is_open: Type.Boolean({ description: 'the pod still fails or has not recovered' }),
  ...Trial.properties,
});
export type PastMirror = Static<typeof PastMirror>;

/** The limits for mirrors, and how many are alive now. */
export const MirrorUse = Type.Object({
  enabled: Type.Boolean({ description: 'whether this installation runs mirrors' }),
  live: Type.Integer({ description: 'those that run or wait for their pod' }),
  limit: Type.Integer({ description: 'how many may live at a time' }),
  limit_per_namespace: Type.Integer(),
  limit_per_incident: Type.Integer(),
  namespaces: Type.Array(Type.Object({ namespace: Type.String(), live: Type.Integer() }), { description: 'those with a live mirror' }),
});
export type MirrorUse = Static<typeof MirrorUse>;
