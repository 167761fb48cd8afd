import Type, { type TSchema } from 'typebox';

// The parts of the services' published schemas that Podmend uses, with their limits. All have `additionalProperties: false`, because a
// field that a service does not know is a mistake.

const closed = <T extends Record<string, TSchema>>(fields: T) => Type.Object(fields, { additionalProperties: false });
const text = (maxLength: number, minLength = 0) => Type.String({ minLength, maxLength });
const url = Type.String({ pattern: '^https://podmend\\.example/' });
const stamp = Type.String({ pattern: '^\\d{4}-\\d\\d-\\d\\dT[\\d:.]+Z$' });

/** Slack's Block Kit (`@slack/types`): plain_text, sections of 3,000, ten fields of 2,000, a header of 150. */
const slackPlain = (max: number) => closed({ type: Type.Literal('plain_text'), text: text(max, 1), emoji: Type.Literal(false) });
const slackButtons = closed({
  type: Type.Literal('actions'),
  elements: Type.Array(closed({ type: Type.Literal('button'), action_id: text(255, 1), text: slackPlain(75), value: text(2_000, 1) }), {
    minItems: 1,
    maxItems: 25,
  }),
});
const slackLiteral = closed({
  type: Type.Literal('rich_text'),
  elements: Type.Array(
    closed({
      type: Type.Literal('rich_text_preformatted'),
      elements: Type.Array(closed({ type: Type.Literal('text'), text: text(3_000, 1) }), { minItems: 1, maxItems: 1 }),
    }),
    { minItems: 1, maxItems: 1 },
  ),
});
const slackBlock = Type.Union([
  closed({ type: Type.Literal('header'), text: slackPlain(150) }),
  closed({ type: Type.Literal('section'), text: slackPlain(3_000) }),
  closed({ type: Type.Literal('section'), fields: Type.Array(slackPlain(2_000), { minItems: 1, maxItems: 10 }) }),
  closed({
    type: Type.Literal('section'),
    text: closed({
      type: Type.Literal('mrkdwn'),
      verbatim: Type.Literal(true),
      text: Type.String({ pattern: '^<https://podmend\\.example/[a-z0-9/]*\\|Open in Podmend>$' }),
    }),
  }),
  slackLiteral,
  slackButtons,
]);
const slackQuiet = {
  unfurl_links: Type.Literal(false),
  unfurl_media: Type.Literal(false),
  parse: Type.Literal('none'),
  link_names: Type.Literal(false),
  mrkdwn: Type.Literal(false),
};
const slack = Type.Union([
  closed({
    channel: Type.Optional(text(80, 1)),
    ts: Type.Optional(text(30, 1)),
    ...slackQuiet,
    text: text(4_000, 1),
    blocks: Type.Array(slackBlock, { minItems: 1, maxItems: 50 }),
    thread_ts: Type.Optional(text(30, 1)),
    user: Type.Optional(text(30, 1)),
  }),
  closed({ channel: text(80, 1), thread_ts: text(30, 1), ...slackQuiet, text: text(4_000, 1) }),
]);

/** Adaptive Cards 1.5. Only its RichTextBlock shows a text unchanged. */
const teamsRun = closed({
  type: Type.Literal('TextRun'),
  text: Type.String({ minLength: 1 }),
  size: Type.Optional(Type.Literal('Large')),
  weight: Type.Optional(Type.Literal('Bolder')),
  fontType: Type.Optional(Type.Literal('Monospace')),
});
const teams = closed({
  type: Type.Literal('message'),
  attachments: Type.Array(
    closed({
      contentType: Type.Literal('application/vnd.microsoft.card.adaptive'),
      contentUrl: Type.Null(),
      content: closed({
        $schema: Type.Literal('http://adaptivecards.io/schemas/adaptive-card.json'),
        type: Type.Literal('AdaptiveCard'),
        version: Type.Literal('1.5'),
        msteams: closed({ width: Type.Literal('Full') }),
        body: Type.Array(closed({ type: Type.Literal('RichTextBlock'), inlines: Type.Array(teamsRun, { minItems: 1 }) }), { minItems: 1 }),
        actions: Type.Optional(Type.Array(closed({ type: Type.Literal('Action.OpenUrl'), title: text(40, 1), url }), { maxItems: 6 })),
      }),
    }),
    { minItems: 1, maxItems: 1 },
  ),
});

/** Discord's OpenAPI: one embed with at most 25 fields. The test itself adds up the length of all texts. */
const discord = closed({
  embeds: Type.Array(
    closed({
      title: text(256, 1),
      description: Type.Optional(text(4_096, 1)),
      url: Type.Optional(url),
      color: Type.Integer({ minimum: 0, maximum: 0xff_ff_ff }),
      timestamp: stamp,
      fields: Type.Array(closed({ name: text(256, 1), value: text(1_024, 1), inline: Type.Boolean() }), { maxItems: 25 }),
    }),
    { minItems: 1, maxItems: 10 },
  ),
  allowed_mentions: closed({ parse: Type.Array(Type.String(), { maxItems: 0 }) }),
});

const mattermost = closed({ text: text(16_383, 1), channel: Type.Optional(text(64, 1)) });

const chatText = closed({ textParagraph: closed({ text: Type.String({ minLength: 1 }) }) });
const chatButton = closed({
  buttonList: closed({
    buttons: Type.Array(closed({ text: text(40, 1), onClick: closed({ openLink: closed({ url }) }) }), { minItems: 1 }),
  }),
});
const googlechat = closed({
  cardsV2: Type.Array(
    closed({
      cardId: text(64, 1),
      card: closed({
        header: Type.Optional(closed({ title: text(200, 1) })),
        sections: Type.Array(closed({ widgets: Type.Array(Type.Union([chatText, chatButton]), { minItems: 1, maxItems: 100 }) }), {
          minItems: 1,
        }),
      }),
    }),
    { minItems: 1, maxItems: 1 },
  ),
  thread: closed({ threadKey: text(4_000, 1) }),
});

const telegram = closed({
  chat_id: text(64, 1),
  message_id: Type.Optional(Type.Integer()),
  text: Type.String({ minLength: 1 }),
  parse_mode: Type.Literal('HTML'),
  link_preview_options: closed({ is_disabled: Type.Literal(true) }),
});

/** PagerDuty's `events-v2` OpenAPI. */
const pagerduty = Type.Union([
  closed({ routing_key: text(64, 1), dedup_key: text(255, 1), event_action: Type.Literal('resolve') }),
  closed({
    routing_key: text(64, 1),
    dedup_key: text(255, 1),
    event_action: Type.Literal('trigger'),
    client: Type.String(),
    client_url: Type.Optional(url),
    links: Type.Optional(Type.Array(closed({ href: url, text: text(40, 1) }))),
    payload: closed({
      summary: text(1_024, 1),
      source: text(1_024, 1),
      severity: Type.Enum(['critical', 'error', 'warning', 'info']),
      timestamp: stamp,
      component: Type.String(),
      group: Type.String(),
      class: Type.String(),
      custom_details: Type.Record(Type.String(), Type.String()),
    }),
  }),
]);

/** Opsgenie's Alert API: create, note, close. Jira Service Management uses the same one. */
const opsgenie = Type.Union([
  closed({
    message: text(130, 1),
    alias: text(512, 1),
    description: text(15_000),
    entity: text(512),
    source: text(100),
    priority: Type.Enum(['P1', 'P2', 'P3', 'P4', 'P5']),
    details: Type.Record(Type.String(), text(8_000)),
  }),
  closed({ source: text(100), note: text(25_000) }),
]);

const incidentio = closed({
  title: text(1_000, 1),
  description: Type.String(),
  deduplication_key: text(255, 1),
  status: Type.Enum(['firing', 'resolved']),
  source_url: Type.Optional(url),
  metadata: Type.Record(Type.String(), Type.String()),
});

/** Alertmanager's OpenAPI v2, `postableAlerts`. Label names follow the rules of Prometheus. */
const alertmanager = Type.Array(
  closed({
    labels: Type.Record(Type.String({ pattern: '^[a-zA-Z_][a-zA-Z0-9_]*$' }), Type.String({ minLength: 1 })),
    annotations: Type.Record(Type.String({ pattern: '^[a-zA-Z_][a-zA-Z0-9_]*$' }), Type.String()),
    startsAt: stamp,
    endsAt: stamp,
    generatorURL: Type.Optional(url),
  }),
  { minItems: 1 },
);

/** The envelope of Standard Webhooks, or a CloudEvent in structured mode. */
const webhook = Type.Union([
  closed({ type: Type.String({ pattern: '^podmend\\.[a-z_]+$' }), timestamp: stamp, data: Type.Object({ key: Type.String() }) }),
  closed({
    specversion: Type.Literal('1.0'),
    id: text(255, 1),
    source: text(1_000, 1),
    type: Type.String({ pattern: '^dev\\.podmend\\.[a-z_]+$' }),
    subject: text(255, 1),
    time: stamp,
    datacontenttype: Type.Literal('application/json'),
    data: Type.Object({ key: Type.String() }),
  }),
]);

export const SCHEMAS = {
  slack,
  teams,
  discord,
  mattermost,
  googlechat,
  telegram,
  pagerduty,
  opsgenie,
  jsm: opsgenie,
  incidentio,
  alertmanager,
  webhook,
};
export type HttpType = keyof typeof SCHEMAS;

/** The largest size of a body. */
export const MAX_BYTES: Record<HttpType, number> = {
  slack: 13_200,
  teams: 21_000,
  discord: 25_000,
  mattermost: 65_535,
  googlechat: 32_000,
  telegram: 65_535,
  pagerduty: 512_000,
  opsgenie: 512_000,
  jsm: 512_000,
  incidentio: 512_000,
  alertmanager: 512_000,
  webhook: 512_000,
};
