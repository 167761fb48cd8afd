import Type, { type Static } from 'typebox';
import { MAX_LABEL_LENGTH, MAX_NAME_LENGTH, NamespaceGlob, WRITTEN, WRITTEN_LINE } from './fields.ts';
import { Nullable } from './nullable.ts';

/** A list of globs in which `*` stands for any text, slashes included. */
const globs = (what: string, maxLength = MAX_NAME_LENGTH) =>
  Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength }), { minItems: 1, maxItems: 64, uniqueItems: true, description: what }));

/** `spec.match` in JSON: one entry of a list must match, and all given fields must match. At least one field is given. */
export const SuppressionMatchBody = Type.Object({
  namespaces: Type.Optional(
    Type.Array(NamespaceGlob, {
      minItems: 1,
      maxItems: 64,
      uniqueItems: true,
      description: 'namespaces, as globs',
    }),
  ),
  pods: globs('pod names, as globs'),
  label_selector: Type.Optional(
    Type.Object(
      {
        match_labels: Type.Optional(Type.Record(Type.String(), Type.String({ maxLength: MAX_LABEL_LENGTH }))),
        match_expressions: Type.Optional(
          Type.Array(
            Type.Object({
              key: Type.String({ minLength: 1, maxLength: 317 }),
              operator: Type.Enum(['In', 'NotIn', 'Exists', 'DoesNotExist']),
              values: Type.Optional(Type.Array(Type.String({ maxLength: MAX_LABEL_LENGTH }), { maxItems: 64 })),
            }),
            { maxItems: 32 },
          ),
        ),
      },
      { description: 'labels of the pod; not empty' },
    ),
  ),
  failure_reasons: globs('reasons of failures, as globs'),
  checks: globs('security checks and advice detectors, as globs'),
  images: globs('images of the failing container or the finding, as globs', 512),
});
export type SuppressionMatchBody = Static<typeof SuppressionMatchBody>;

/** Ten years. For more leave the end out. */
const LONGEST_SECONDS = 10 * 366 * 24 * 3600;

/**
 * Body of `POST /api/suppressions` and its preview. `expires_at` and `ttl_seconds` exclude each other. Without either, the Suppression
 * holds until it is removed.
 */
export const SuppressionBody = Type.Object({
  reason: Type.String({ minLength: 3, maxLength: 1024, pattern: WRITTEN, description: 'why, for people who read it later' }),
  owner: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: MAX_NAME_LENGTH,
      pattern: WRITTEN_LINE,
      description: 'who answers for it; by default who asks',
    }),
  ),
  ticket: Type.Optional(Type.String({ minLength: 1, maxLength: 1024, pattern: WRITTEN_LINE, description: 'where it is discussed' })),
  expires_at: Type.Optional(Type.String({ maxLength: 64, description: 'from this instant (RFC 3339) on it has no effect' })),
  ttl_seconds: Type.Optional(Type.Integer({ minimum: 1, maximum: LONGEST_SECONDS, description: 'the same, counted from now' })),
  namespace: Type.Optional(Type.String({ description: "Podmend's own namespace, the only one in which the API makes any" })),
  match: SuppressionMatchBody,
});
export type SuppressionBody = Static<typeof SuppressionBody>;

/** A Suppression as the API shows it. `source` is `api`, `kubectl`, or the name of the tool that manages it. */
export const SuppressionRecord = Type.Object({
  name: Type.String(),
  namespace: Type.String(),
  reason: Type.String(),
  owner: Nullable(Type.String()),
  ticket: Nullable(Type.String()),
  expires_at: Nullable(Type.String()),
  suspend: Type.Boolean(),
  active: Type.Boolean(),
  active_reason: Type.String({ description: 'InEffect, or why not: Suspended, Expired, InvalidMatch, InvalidTime, TenantRule' }),
  matched_failures: Type.Integer({ description: 'open failures that it hid when last counted' }),
  matched_findings: Type.Integer({ description: 'the same of findings' }),
  last_matched_at: Nullable(Type.String()),
  match: SuppressionMatchBody,
  source: Type.String(),
  created_at: Type.String(),
});
export type SuppressionRecord = Static<typeof SuppressionRecord>;

/** Answer of `POST /api/suppressions/preview`: what such a Suppression would hide now. */
export const SuppressionPreview = Type.Object({
  name: Type.String({ description: 'the name it would have' }),
  matched_failures: Type.Integer({ description: 'open failures that it matches' }),
  newly_hidden: Type.Integer({ description: 'those of them that nothing hides yet' }),
  failures: Type.Array(
    Type.Object({
      id: Type.Integer(),
      namespace: Type.String(),
      pod_name: Type.String(),
      failure_reason: Type.String(),
      suppressed_by: Nullable(Type.String()),
    }),
    { description: 'the newest 100' },
  ),
  matched_findings: Type.Integer({ description: 'open findings that it matches' }),
  newly_hidden_findings: Type.Integer({ description: 'those of them that nothing hides yet' }),
  findings: Type.Array(
    Type.Object({
      id: Type.Integer(),
      namespace: Type.String(),
      resource_type: Type.String(),
      resource_name: Type.String(),
      check_name: Type.String(),
      severity: Type.String(),
      suppressed_by: Nullable(Type.String()),
    }),
    { description: 'the newest 100' },
  ),
});
export type SuppressionPreview = Static<typeof SuppressionPreview>;

/** Why a record is hidden: the Suppression in `suppressed_by`, and why this one if several match. */
export const SuppressedBy = Type.Object({
  name: Type.String(),
  namespace: Type.String(),
  reason: Type.String(),
  expires_at: Nullable(Type.String()),
  why: Type.String({ description: 'why this one and not one of the others' }),
  others: Type.Array(Type.Object({ name: Type.String(), namespace: Type.String() }), { description: 'which would hide it too' }),
});
export type SuppressedBy = Static<typeof SuppressedBy>;

/** Entries of the admin lists. Each is one Suppression of a fixed shape. */
export const ExcludedNamespace = Type.Object({ namespace: Type.String(), source: Type.String(), created_at: Type.String() });
export type ExcludedNamespace = Static<typeof ExcludedNamespace>;
export const ExcludedPod = Type.Object({ pod_name: Type.String(), source: Type.String(), created_at: Type.String() });
export type ExcludedPod = Static<typeof ExcludedPod>;
export const TrustedRegistry = Type.Object({ registry: Type.String(), source: Type.String(), created_at: Type.String() });
export type TrustedRegistry = Static<typeof TrustedRegistry>;
