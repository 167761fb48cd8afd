import Type from 'typebox';
import { DNS_LABEL } from './fields.ts';
import { Nullable } from './nullable.ts';

/** How a secret is shown. Sent back, it means the secret that is there. */
export const MASK = '***';

/** A notification setting (specification, "Other resources"). Secrets in `config` come back masked; a masked one sent back stays what it is. */
export const NotificationSetting = Type.Object({
  provider: Type.String({ maxLength: 63, pattern: DNS_LABEL, description: 'name of the provider' }),
  type: Type.Optional(Type.String({ description: 'absent: the name' })),
  enabled: Type.Boolean(),
  config: Type.Record(Type.String(), Type.Unknown(), {
    description:
      '`webhook_url`, and what the type needs besides: `token`, `signing_secret`, `channel`, `filter`, `grouping`, `quietHours`, `chat`',
  }),
  source: Type.Optional(Type.String({ description: '`api`, `kubectl`, or the tool that manages it; only in answers' })),
});

/** What a service said about a test message. */
export const TestResult = Type.Object({
  delivered: Type.Boolean(),
  reason: Nullable(
    Type.String({ description: 'why not, as one word: `RateLimited`, `CredentialsRefused`, `NoSuchChannel`, `TooLarge`, `Timeout` …' }),
  ),
  detail: Type.String({ description: "the service's own word; secrets are masked" }),
});

/** A message to a provider, and what became of it. */
export const Delivery = Type.Object({
  id: Type.Integer(),
  event: Type.String(),
  title: Type.String(),
  state: Type.Enum(['pending', 'delivered', 'accepted', 'dead', 'dropped'], { description: '`dead` ones can be sent again' }),
  attempts: Type.Integer(),
  reason: Nullable(Type.String()),
  detail: Nullable(Type.String()),
  created_at: Type.String(),
  ended_at: Nullable(Type.String()),
});
