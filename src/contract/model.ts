import Type, { type Static } from 'typebox';
import { NOT_BLANK } from './fields.ts';
import { Nullable } from './nullable.ts';

/** The API that a model uses. `openai-compatible`: Ollama, vLLM, Groq, GitHub Models and others. */
export const PROVIDERS = ['anthropic', 'openai', 'openai-compatible', 'azure', 'gemini'] as const;
export type Provider = (typeof PROVIDERS)[number];

/** Whether the text names a provider. */
export function isProvider(text: string): text is Provider {
  return (PROVIDERS as readonly string[]).includes(text);
}

/** A self-hosted server may need no key. */
export const needsKey = (provider: Provider): boolean => provider !== 'openai-compatible';
/** Providers whose address must be configured. */
export const needsAddress = (provider: Provider): boolean => provider === 'azure' || provider === 'openai-compatible';

/** Body of `POST /api/admin/llm/config` and `/test`. */
export const ModelConfigBody = Type.Object({
  provider: Type.Enum([...PROVIDERS]),
  api_key: Type.Optional(
    Type.String({
      maxLength: 8192,
      description: 'a masked one sent back stands for the key that is kept; self-hosted servers may need none',
    }),
  ),
  model: Type.String({
    minLength: 1,
    maxLength: 256,
    pattern: NOT_BLANK,
    description: 'as its provider names it; with Azure, the deployment',
  }),
  base_url: Type.Optional(Nullable(Type.String({ maxLength: 2048, description: 'absent: the provider’s own' }))),
});
export type ModelConfigBody = Static<typeof ModelConfigBody>;

/** The configured model, as administrators see it. */
export const ModelConfigRecord = Type.Object({
  configured: Type.Boolean({ description: 'whether there is one that can be asked' }),
  provider: Nullable(Type.String()),
  model: Nullable(Type.String()),
  base_url: Nullable(Type.String()),
  api_key: Nullable(Type.String({ description: 'masked' })),
  source: Nullable(Type.String({ description: 'database, which wins, or environment' })),
  updated_at: Nullable(Type.String()),
  problem: Nullable(Type.String({ description: 'why the configuration cannot be used' })),
});
export type ModelConfigRecord = Static<typeof ModelConfigRecord>;

const Cost = {
  calls: Type.Integer(),
  failed: Type.Integer({ description: 'those of them that brought no answer' }),
  input_tokens: Type.Integer(),
  output_tokens: Type.Integer(),
};

/** The cost of the calls so far. Calls are kept for a week. */
export const ModelCost = Type.Object({
  ...Cost,
  since: Nullable(Type.String({ description: 'when the first of them began' })),
  days: Type.Array(Type.Object({ day: Type.String({ description: 'UTC, such as 2026-05-01' }), ...Cost }), {
    description: 'oldest first; days without a call are left out',
  }),
});
export type ModelCost = Static<typeof ModelCost>;

/** Answer of `GET /api/admin/llm/status`: the configuration and how it works. */
export const ModelStatus = Type.Object({
  ...ModelConfigRecord.properties,
  available: Type.Boolean({ description: 'configured, and nothing holds questions back now' }),
  held_back: Nullable(Type.String({ description: 'why no question is asked now: breaker, hourly limit, provider’s limit' })),
  held_until: Nullable(Type.String()),
  calls_last_hour: Type.Integer(),
  tokens_last_hour: Type.Integer(),
  pending: Type.Integer({ description: 'incidents that wait for an answer' }),
  last_error: Nullable(Type.String()),
  cost: ModelCost,
});
export type ModelStatus = Static<typeof ModelStatus>;

/** Answer of `POST /api/admin/llm/test`. */
export const ModelTest = Type.Object({
  success: Type.Boolean(),
  message: Type.String({ description: 'for people: what answered, or what is wrong' }),
  reason: Nullable(
    Type.String({
      description:
        'unauthorized, unknown-model, rate-limited, unreachable, tls, timeout, refused-address, malformed, server, refused, bad-request',
    }),
  ),
  duration_ms: Type.Integer(),
});
export type ModelTest = Static<typeof ModelTest>;

/** Answer of `GET /api/pods/failed/{id}/prompt`: exactly what would be sent to the model about a failure. */
export const ModelPrompt = Type.Object({
  configured: Type.Boolean(),
  provider: Nullable(Type.String()),
  model: Nullable(Type.String()),
  url: Nullable(Type.String({ description: 'where to; absent without a model' })),
  prompt_version: Type.Integer(),
  fingerprint: Type.String({ description: 'equal ones share an answer' }),
  cached: Type.Boolean({ description: 'an answer is kept: nothing would be sent' }),
  system: Type.String(),
  user: Type.String(),
  body: Type.Unknown({ description: 'the whole request as the provider gets it; null without a model' }),
});
export type ModelPrompt = Static<typeof ModelPrompt>;
