import Type, { type Static } from 'typebox';
import { DNS_LABEL } from './fields.ts';
import { Nullable } from './nullable.ts';

/** The placeholder for a secret in answers. A client that sends it back keeps the stored secret. */
export const MASK = '***';

/** Whether messages are sent, and the results of the last ones. */
const ProviderStatus = Type.Object({
  ready: Type.Boolean({ description: 'whether it can be sent to' }),
  reason: Type.String({ description: 'as one word: `Sending`, `Suspended`, or why it cannot be sent to' }),
  message: Type.String(),
  last_delivery_at: Nullable(Type.String({ description: 'when a message last arrived' })),
  last_error: Nullable(Type.String({ description: 'of the newest message; secrets are masked' })),
});

/**
 * A notification setting (specification, "Other resources"). Secrets in `config` are masked in answers; sending the mask back keeps the
 * secret.
 */
export const NotificationSetting = Type.Object({
  provider: Type.String({ maxLength: 63, pattern: DNS_LABEL, description: 'name of the provider' }),
  type: Type.Optional(Type.String({ description: 'absent: the name' })),
  enabled: Type.Boolean(),
  config: Type.Record(Type.String(), Type.Unknown(), {
    description:
      '`webhook_url`, and what the type needs besides: `token`, `signing_secret`, `channel`, `filter`, `grouping`, `quietHours`, `chat`',
  }),
  source: Type.Optional(Type.String({ description: '`api`, `kubectl`, or the tool that manages it; only in answers' })),
  status: Type.Optional(ProviderStatus),
});
export type NotificationSetting = Static<typeof NotificationSetting>;

/** What would be sent for one event of the example. */
const PreviewedMessage = Type.Object({
  event: Type.String(),
  silence: Nullable(Type.String({ description: 'why nothing is sent' })),
  requests: Type.Array(
    Type.Object({
      method: Type.String(),
      url: Type.String(),
      headers: Type.Record(Type.String(), Type.String()),
      body: Type.String({ description: 'JSON, as the service gets it' }),
    }),
  ),
  mail: Nullable(Type.Object({ from: Type.String(), to: Type.String(), subject: Type.String(), text: Type.String(), html: Type.String() })),
});
export type PreviewedMessage = Static<typeof PreviewedMessage>;

/** What a setting would send about an example incident, from its beginning to its end. It contains no secret of the setting. */
export const NotificationPreview = Type.Object({ type: Type.String(), messages: Type.Array(PreviewedMessage) });
export type NotificationPreview = Static<typeof NotificationPreview>;

/** The answer of a service to a test message. */
export const TestResult = Type.Object({
  delivered: Type.Boolean(),
  reason: Nullable(
    Type.String({ description: 'why not, as one word: `RateLimited`, `CredentialsRefused`, `NoSuchChannel`, `TooLarge`, `Timeout` …' }),
  ),
  detail: Type.String({ description: "the service's own word; secrets are masked" }),
});
export type TestResult = Static<typeof TestResult>;

/** A message to a provider, and what happened to it. */
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
  next_attempt_at: Nullable(Type.String({ description: 'of pending ones' })),
  resendable: Type.Boolean({ description: 'dead, and still worth telling: its incident goes on, or it tells the end' }),
});
export type Delivery = Static<typeof Delivery>;

/** A message about an incident: its provider, and what happened to it. */
export const IncidentMessage = Type.Object({ provider: Type.String(), ...Delivery.properties });
export type IncidentMessage = Static<typeof IncidentMessage>;
