import Type, { type Static } from 'typebox';
import { WRITTEN } from './fields.ts';
import { Severity } from './finding.ts';
import { Nullable } from './nullable.ts';

/** `ignored` until it is restored; `resolved` when its detector no longer finds it. */
export const ADVICE_STATUSES = ['open', 'ignored', 'resolved'] as const;
export const AdviceStatus = Type.Enum([...ADVICE_STATUSES]);
export type AdviceStatus = (typeof ADVICE_STATUSES)[number];

/** What a piece of advice is about. */
export const ADVICE_CATEGORIES = [
  'availability',
  'reliability',
  'resources',
  'scaling',
  'scheduling',
  'networking',
  'storage',
  'supply-chain',
  'security',
  'lifecycle',
] as const;
export const AdviceCategory = Type.Enum([...ADVICE_CATEGORIES]);
export type AdviceCategory = (typeof ADVICE_CATEGORIES)[number];

/** How a list of advice is sorted: the most severe first, or the newest. */
export const ADVICE_SORTS = ['newest', 'severity'] as const;
export type AdviceSort = (typeof ADVICE_SORTS)[number];

/** A piece of advice on one object. `created_at` is ISO 8601. */
export const Advice = Type.Object({
  id: Type.Integer(),
  detector_id: Type.String(),
  severity: Severity,
  category: AdviceCategory,
  title: Type.String(),
  summary: Type.String({ description: 'one sentence with the numbers that matter' }),
  resource_kind: Type.String(),
  resource_name: Type.String(),
  namespace: Type.String(),
  evidence: Type.Record(Type.String(), Type.Unknown(), { description: 'what was seen, with numbers' }),
  recommended_change: Type.String({ description: 'Markdown' }),
  explanation: Nullable(Type.String({ description: 'Markdown; null until somebody asks for it' })),
  is_fallback: Type.Boolean({ description: 'true when rules wrote the explanation, not a model' }),
  status: AdviceStatus,
  ignored_reason: Nullable(Type.String({ description: 'why it is ignored, in the words of whoever did it' })),
  ignored_by: Nullable(Type.String()),
  ignored_at: Nullable(Type.String()),
  suppressed_by: Nullable(Type.String({ description: 'name of the Suppression that hides it' })),
  created_at: Type.String(),
});
export type Advice = Static<typeof Advice>;

/** Body of `PUT /api/advice/findings/{id}/ignore`; optional. */
export const IgnoreAdvice = Type.Object(
  { reason: Type.Optional(Type.String({ maxLength: 1024, pattern: WRITTEN, description: 'why, for people who read it later' })) },
  { default: {} },
);

/** A detector, as `GET /api/advice/detectors` lists it. */
export const AdviceDetector = Type.Object({
  id: Type.String(),
  title: Type.String(),
  category: AdviceCategory,
  severity: Severity,
  enabled: Type.Boolean({
    description: 'false: what it requires may not be read somewhere, or does not answer, so that it cannot decide there',
  }),
  requires: Type.Array(Type.String(), { description: 'the kinds of objects that it looks at' }),
  history_days: Type.Integer({ description: "days of a workload's stored failures that it needs at least; 0: it does not look back" }),
});
export type AdviceDetector = Static<typeof AdviceDetector>;
