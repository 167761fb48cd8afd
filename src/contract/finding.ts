import Type, { type Static } from 'typebox';
import { SEEN_OR_NONE, ShownName } from './fields.ts';
import { Change } from './failure.ts';

/** Severities, the most severe first. */
export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;
export const Severity = Type.Enum([...SEVERITIES]);
export type Severity = (typeof SEVERITIES)[number];

/** `open` and `reopened` are active. `resolved`: no longer found. `reopened`: found again after it was resolved. */
export const FINDING_STATUSES = ['open', 'dismissed', 'resolved', 'reopened'] as const;
export const FindingStatus = Type.Enum([...FINDING_STATUSES]);
export type FindingStatus = (typeof FINDING_STATUSES)[number];

/** The namespace of cluster-scoped resources. */
export const CLUSTER_WIDE = 'cluster-wide';

const MAX_SOURCE_LENGTH = 63;

/** The scanner that sends the findings. It neither replaces nor resolves findings of other scanners. */
export const FindingSource = Type.Optional(
  Type.String({
    maxLength: MAX_SOURCE_LENGTH,
    pattern: SEEN_OR_NONE,
    description: 'which scanner reports it; it replaces and clears only its own findings. Absent: one without a name',
  }),
);

/** The deepest nesting of lists and objects in details. */
export const DETAILS_DEPTH = 100;

/** What a check found on a resource. */
const FOUND = {
  check_name: ShownName('which check'),
  severity: Severity,
  message: Type.Optional(Type.String({ maxLength: 16_384 })),
  remediation: Type.Optional(Type.String({ maxLength: 16_384 })),
  details: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), {
      description: `free, nested at most ${DETAILS_DEPTH} times; \`key\` or \`container\` tells findings of one check on one resource apart, \`images\` are what Suppressions look at`,
    }),
  ),
};

/** Body of `POST /api/security/findings` (specification, "Security finding"). */
export const FindingReport = Type.Object({
  resource_type: ShownName('kind of the audited resource'),
  resource_name: ShownName('its name'),
  namespace: ShownName(`\`${CLUSTER_WIDE}\` for what has none`),
  source: FindingSource,
  ...FOUND,
});
export type FindingReport = Static<typeof FindingReport>;

/** Body of `PUT /api/security/findings/resource/{type}/{ns}/{name}`: everything that the scanner finds about the resource now. */
export const ResourceFindings = Type.Object({ source: FindingSource, findings: Type.Array(Type.Object(FOUND), { maxItems: 500 }) });
export type ResourceFindings = Static<typeof ResourceFindings>;

/** A finding as the API shows it. Times are ISO 8601; `timestamp` is `first_seen`. */
export const Finding = Type.Object({
  id: Type.Integer(),
  cluster: Type.String(),
  resource_type: Type.String(),
  resource_name: Type.String(),
  namespace: Type.String(),
  check_name: Type.String(),
  source: Type.String({ description: 'which scanner reports it; empty for one without a name' }),
  severity: Severity,
  message: Type.String(),
  remediation: Type.String(),
  details: Type.Record(Type.String(), Type.Unknown()),
  status: FindingStatus,
  first_seen: Type.String(),
  last_seen: Type.String(),
  timestamp: Type.String(),
  resolved_at: Type.Union([Type.String(), Type.Null()]),
  suppressed_by: Type.Union([Type.String(), Type.Null()], { description: 'name of the Suppression that hides it' }),
});
export type Finding = Static<typeof Finding>;

/** Answer of `POST /api/security/findings/{id}/fix`. If no change helps: the unchanged manifest, and an empty `patch` and `diff`. */
export const FindingFix = Type.Object({
  finding_id: Type.Integer(),
  fixed_manifest: Type.String({ description: 'YAML' }),
  patch: Type.Array(Change),
  diff: Type.String({ description: 'unified' }),
  command: Type.String({ description: 'a `kubectl` command that makes the change; empty where none does' }),
  note: Type.String({ description: 'what else happens with the command, or has to; empty when nothing does' }),
  explanation: Type.String({ description: 'Markdown' }),
  is_fallback: Type.Boolean({ description: 'true when rules made it, not a model' }),
});
export type FindingFix = Static<typeof FindingFix>;

/** Body of `POST /api/security/rescan-status`. */
export const RescanStatus = Type.Object({
  status: Type.Enum(['started', 'completed', 'failed']),
  reason: Type.Optional(Type.String({ maxLength: 1024 })),
});
export type RescanStatus = Static<typeof RescanStatus>;

/** Body of `POST /api/metrics/security-scan-duration`. */
export const ScanDuration = Type.Object({ duration_seconds: Type.Number({ minimum: 0, maximum: 86_400 }) });
