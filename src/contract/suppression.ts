import Type, { type Static } from 'typebox';

/** A Suppression as the API shows it. `source` is `api`, `kubectl`, or the name of the tool that manages it. */
export const SuppressionRecord = Type.Object({
  name: Type.String(),
  namespace: Type.String(),
  reason: Type.String(),
  owner: Type.Union([Type.String(), Type.Null()]),
  ticket: Type.Union([Type.String(), Type.Null()]),
  expires_at: Type.Union([Type.String(), Type.Null()]),
  suspend: Type.Boolean(),
  active: Type.Boolean(),
  match: Type.Record(Type.String(), Type.Unknown()),
  source: Type.String(),
  created_at: Type.String(),
});
export type SuppressionRecord = Static<typeof SuppressionRecord>;

/** Entries of the admin lists: one Suppression of a fixed shape each. */
export const ExcludedNamespace = Type.Object({ namespace: Type.String(), source: Type.String(), created_at: Type.String() });
export type ExcludedNamespace = Static<typeof ExcludedNamespace>;
export const ExcludedPod = Type.Object({ pod_name: Type.String(), source: Type.String(), created_at: Type.String() });
export type ExcludedPod = Static<typeof ExcludedPod>;
