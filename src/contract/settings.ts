import Type, { type Static } from 'typebox';
import { MAX_TOKEN_DAYS } from './auth.ts';
import { MIRROR_TTL } from './mirror-ttl.ts';

/** An application setting: a whole number kept as text. Bounds are inclusive. The unit `switch` is 0 = no, 1 = yes. */
export interface SettingRule {
  default: string;
  min: number;
  max: number;
  unit: string;
  /** What it is, for people. */
  about: string;
}

const CENTURY_MINUTES = 100 * 366 * 24 * 60;
const retention = { default: '43200', min: 0, max: CENTURY_MINUTES, unit: 'minutes' } as const;

/**
 * The known setting keys (specification, "Known setting keys" and "Mirror TTL setting"). 0 minutes of retention means: keep.
 * `tenant_suppressions_hide_high`: whether Suppressions outside the operator's namespace may hide findings of severity high and critical.
 * `model_hide_…`: whether the language model sees pseudonyms of objects' names, e-mail and IP addresses; the other `model_…` bound its calls over all
 * replicas. `api_token_max_days`: how long an API token may live.
 */
export const SETTINGS = {
  history_retention_minutes: {
    ...retention,
    about: 'how long failures, findings and advice are kept after they are resolved; 0 keeps them forever',
  },
  ignored_retention_minutes: { ...retention, about: 'how long ignored failures are kept; 0 keeps them forever' },
  tenant_suppressions_hide_high: {
    default: '0',
    min: 0,
    max: 1,
    unit: 'switch',
    about: "whether Suppressions outside Podmend's own namespace may hide findings with severity high or critical",
  },
  model_hide_names: {
    default: '0',
    min: 0,
    max: 1,
    unit: 'switch',
    about: 'whether the model sees pseudonyms instead of the names of pods, namespaces, nodes and other objects',
  },
  model_hide_emails: {
    default: '1',
    min: 0,
    max: 1,
    unit: 'switch',
    about: 'whether the model sees pseudonyms instead of e-mail addresses',
  },
  model_hide_addresses: {
    default: '1',
    min: 0,
    max: 1,
    unit: 'switch',
    about: 'whether the model sees pseudonyms instead of IP addresses',
  },
  model_concurrency: {
    default: '4',
    min: 1,
    max: 64,
    unit: 'calls at once',
    about: 'how many calls to the model may run at once, across all replicas',
  },
  model_calls_per_hour: { default: '120', min: 0, max: 100_000, unit: 'calls', about: 'how many calls to the model are allowed per hour' },
  model_tokens_per_hour: {
    default: '1000000',
    min: 0,
    max: 1_000_000_000,
    unit: 'tokens',
    about: 'how many tokens these calls may use per hour',
  },
  api_token_max_days: {
    default: '90',
    min: 1,
    max: MAX_TOKEN_DAYS,
    unit: 'days',
    about: 'maximum and default lifetime of an API token',
  },
  'mirror-ttl': {
    default: String(MIRROR_TTL.default),
    min: MIRROR_TTL.min,
    max: MIRROR_TTL.max,
    unit: 'seconds',
    about: 'how long a mirror lives by default',
  },
} as const satisfies Record<string, SettingRule>;
export type SettingKey = keyof typeof SETTINGS;

/** Answer of `GET` and `POST /api/admin/settings/{key}`. */
export const SettingRecord = Type.Object({ key: Type.String(), value: Type.String() });

/** A setting with its bounds and default, as `GET /api/admin/settings` lists it. */
export const SettingEntry = Type.Object({
  ...SettingRecord.properties,
  default: Type.String(),
  min: Type.Integer(),
  max: Type.Integer(),
  unit: Type.String({ description: 'what is counted; `switch`: 0 = no, 1 = yes' }),
  about: Type.String(),
});
export type SettingEntry = Static<typeof SettingEntry>;

/** Body and answer of `/api/admin/settings/mirror-ttl`. */
export const MirrorTtl = Type.Object({ seconds: Type.Integer({ minimum: MIRROR_TTL.min, maximum: MIRROR_TTL.max }) });

/** Answer of `GET /api/config`. */
export const AppStatus = Type.Object({
  version: Type.String(),
  cluster: Type.String(),
  ai_enabled: Type.Boolean(),
  ai_provider: Type.Union([Type.String(), Type.Null()]),
  ai_model: Type.Union([Type.String(), Type.Null()]),
  mirror_ttl_seconds: Type.Integer(),
  features: Type.Record(Type.String(), Type.Boolean()),
});
export type AppStatus = Static<typeof AppStatus>;
