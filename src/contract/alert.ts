import Type, { type Static } from 'typebox';
import { Nullable } from './nullable.ts';

/** How many alerts of one message are read. Alertmanager can be configured to send no more (`max_alerts`). */
export const MAX_ALERTS = 1_000;

const Pairs = Type.Record(Type.String(), Type.String());

/** One alert in a message from Alertmanager. While it fires, `endsAt` is in the year 1. */
const ReceivedAlert = Type.Object({
  status: Type.Enum(['firing', 'resolved']),
  labels: Pairs,
  annotations: Type.Optional(Pairs),
  startsAt: Type.String({ maxLength: 64 }),
  endsAt: Type.Optional(Type.String({ maxLength: 64 })),
  generatorURL: Type.Optional(Type.String()),
  fingerprint: Type.String({ minLength: 1, maxLength: 64 }),
});
export type ReceivedAlert = Static<typeof ReceivedAlert>;

/** Body of `POST /api/alerts/alertmanager`: the fields of Alertmanager's webhook (version 4) that are read. */
export const AlertmanagerMessage = Type.Object({
  version: Type.Literal('4', { description: 'the version of the webhook' }),
  groupKey: Type.String({ maxLength: 16_384 }),
  truncatedAlerts: Type.Optional(Type.Integer({ minimum: 0 })),
  receiver: Type.Optional(Type.String()),
  alerts: Type.Array(ReceivedAlert, { description: `the first ${MAX_ALERTS} are looked at` }),
});
export type AlertmanagerMessage = Static<typeof AlertmanagerMessage>;

/**
 * What happened to the alerts of a message. `joined` belong to incidents, `unknown` to nothing that fails here, `ignored` are Podmend's own
 * or hidden.
 */
export const AlertsTaken = Type.Object({ joined: Type.Integer(), unknown: Type.Integer(), ignored: Type.Integer() });
export type AlertsTaken = Static<typeof AlertsTaken>;

/** An alert as the API shows it, masked. */
export const Alert = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  status: Type.Enum(['firing', 'resolved']),
  severity: Nullable(Type.String()),
  summary: Type.String(),
  labels: Pairs,
  annotations: Pairs,
  incident_id: Nullable(Type.Integer({ description: 'null: it is about nothing that fails here' })),
  source_url: Nullable(Type.String()),
  starts_at: Type.String(),
  ended_at: Nullable(Type.String()),
  last_seen: Type.String(),
});
export type Alert = Static<typeof Alert>;
