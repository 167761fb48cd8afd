import type { PreviewedMessage } from '../../contract/notification.ts';
import { type Block, cardHtml, markdown, markdownBlocks, plainMarkdown, type Run, telegramHtml, unescaped } from './markup.ts';

/** A message in its service's layout, without the service's styling. */
export interface Sketch {
  layout: 'message' | 'card' | 'bubble' | 'alert' | 'mail' | 'code';
  /** `reply`: in a thread; `change`: replaces an earlier message. */
  place: 'new' | 'reply' | 'change';
  /** The colour in the payload, as a CSS colour. */
  colour?: string;
  blocks: Block[];
}

/** The visible text of each request or mail. It is read from the payload itself, so that the preview shows only what is sent. */
export function sketchesOf(type: string, { event, requests, mail }: PreviewedMessage): Sketch[] {
  if (mail) return [mailSketch(mail)];
  const draw = Object.hasOwn(DRAWN, type) ? DRAWN[type] : undefined;
  return requests.map((request) => {
    const body: unknown = JSON.parse(request.body);
    try {
      return (draw ?? asJson)(body as never, { ...request, event });
    } catch {
      // A payload of another version is shown as JSON.
      return asJson(body);
    }
  });
}

type Request = PreviewedMessage['requests'][number] & Pick<PreviewedMessage, 'event'>;
type Pairs = Record<string, string>;

const head = (text: string): Block => ({ is: 'head', runs: [{ text }] });
const line = (text: string, style?: Run['style']): Block => ({ is: 'line', runs: [{ text, ...(style && { style }) }] });
const link = (text = 'Open in Podmend'): Block => line(text, 'link');
const code = (text: string | undefined): Block[] => (text ? [{ is: 'code', text }] : []);
const buttons = (names: string[]): Block[] => (names.length === 0 ? [] : [{ is: 'buttons', names }]);
const ended = (text: string): Sketch => ({ layout: 'alert', place: 'change', blocks: [line(text)] });

function facts(pairs: Pairs | undefined): Block[] {
  const all = Object.entries(pairs ?? {}).map(([name, value]) => ({ name, value }));
  return all.length === 0 ? [] : [{ is: 'facts', facts: all }];
}

/** One renderer per type of service; each reads its own payload. */
const DRAWN: Readonly<Record<string, (body: never, request: Request) => Sketch>> = {
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
  webhook: asJson,
};

function asJson(body: unknown): Sketch {
  return { layout: 'code', place: 'new', blocks: [{ is: 'code', text: JSON.stringify(body, null, 2) }] };
}

function mailSketch({ from, to, subject, text }: NonNullable<PreviewedMessage['mail']>): Sketch {
  return { layout: 'mail', place: 'new', blocks: [...facts({ From: from, To: to }), head(subject), ...code(text.trim())] };
}

interface Text {
  text: string;
}
interface SlackBlock {
  type: string;
  text: Text & { type: string };
  fields?: Text[];
  elements?: { text: Text }[];
}

function slack(body: { text: string; ts?: string; thread_ts?: string; blocks?: SlackBlock[] }): Sketch {
  const place = body.thread_ts ? 'reply' : body.ts ? 'change' : 'new';
  return { layout: 'message', place, blocks: body.blocks?.map(slackBlock) ?? [line(unescaped(body.text))] };
}

function slackBlock({ type, text, fields, elements }: SlackBlock): Block {
  if (type === 'header') return head(text.text);
  if (elements) return { is: 'buttons', names: elements.map((element) => element.text.text) };
  if (fields) return { is: 'facts', facts: fields.map((field) => pairOf(field.text)) };
  const [, label] = text.type === 'mrkdwn' ? (/^<[^|>]*\|(.*)>$/.exec(text.text) ?? []) : [];
  return label ? link(unescaped(label)) : line(text.text);
}

function pairOf(text: string): { name: string; value: string } {
  const at = text.indexOf(': ');
  return { name: text.slice(0, at), value: text.slice(at + 2) };
}

interface Inline {
  text: string;
  weight?: string;
  size?: string;
}
interface AdaptiveCard {
  attachments: { content: { body: { inlines: Inline[] }[]; actions?: { title: string }[] } }[];
}

function teams({ attachments }: AdaptiveCard): Sketch {
  const blocks = attachments.flatMap(({ content: { body, actions = [] } }) => [
    ...body.map(({ inlines }): Block => {
      const runs = inlines.map(({ text, weight }): Run => ({ text, ...(weight === 'Bolder' && { style: 'strong' }) }));
      return inlines.some(({ size }) => size === 'Large') ? head(runs.map(({ text }) => text).join('')) : { is: 'line', runs };
    }),
    ...buttons(actions.map(({ title }) => title)),
  ]);
  return { layout: 'card', place: 'new', blocks };
}

interface Embed {
  title: string;
  description?: string;
  color: number;
  fields: { name: string; value: string }[];
}

function discord({ embeds }: { embeds: Embed[] }, { method }: Request): Sketch {
  const blocks = embeds.flatMap(({ title, description = '', fields }) => {
    const isLong = ({ value }: { value: string }) => value.startsWith('```');
    const short = fields.filter((field) => !isLong(field)).map(({ name, value }) => [plainMarkdown(name), plainMarkdown(value)]);
    return [
      head(plainMarkdown(title)),
      ...markdownBlocks(description),
      ...facts(Object.fromEntries(short) as Pairs),
      ...fields.filter(isLong).flatMap(({ name, value }) => [line(plainMarkdown(name), 'strong'), ...markdownBlocks(value)]),
    ];
  });
  const colour = `#${(embeds[0]?.color ?? 0).toString(16).padStart(6, '0')}`;
  return { layout: 'card', place: method === 'PATCH' ? 'change' : 'new', colour, blocks };
}

function mattermost({ text }: Text): Sketch {
  const [first = '', ...rest] = text.split('\n');
  const title: Block = { is: 'head', runs: markdown(first).map(({ text: shown }) => ({ text: shown })) };
  return { layout: 'message', place: 'new', blocks: [title, ...markdownBlocks(rest.join('\n'))] };
}

interface Widget {
  textParagraph?: Text;
  buttonList?: { buttons: Text[] };
}
interface GoogleCard {
  cardsV2: { card: { header?: { title: string }; sections: { widgets: Widget[] }[] } }[];
}

function googlechat({ cardsV2 }: GoogleCard, { event }: Request): Sketch {
  const blocks = cardsV2.flatMap(({ card: { header, sections } }) => [
    ...(header ? [head(header.title)] : []),
    ...sections.flatMap(({ widgets }) => widgets.flatMap(chatWidget)),
  ]);
  // All messages of an incident name the same thread, which the first one starts.
  return { layout: 'card', place: event === 'incident_opened' ? 'new' : 'reply', blocks };
}

function chatWidget({ textParagraph, buttonList }: Widget): Block[] {
  if (buttonList) return buttons(buttonList.buttons.map(({ text }) => text));
  return [{ is: 'line', runs: cardHtml(textParagraph?.text ?? '') }];
}

function telegram({ text, message_id: message }: { text: string; message_id?: number }): Sketch {
  return { layout: 'bubble', place: message === undefined ? 'new' : 'change', blocks: telegramHtml(text) };
}

interface PagerdutyEvent {
  event_action: string;
  links?: Text[];
  payload: Record<'summary' | 'severity' | 'source' | 'component' | 'group' | 'class', string> & { custom_details: Pairs };
}

function pagerduty({ event_action: action, links = [], payload }: PagerdutyEvent): Sketch {
  if (action === 'resolve') return ended('The alert is resolved.');
  const { summary, severity, source, component, group, class: kind, custom_details } = payload;
  const { message, ...details } = custom_details;
  const blocks: Block[] = [
    { is: 'tag', text: severity },
    head(summary),
    ...facts({ Source: source, Component: component, Group: group, Class: kind, ...details }),
    ...code(message),
    ...links.map(({ text }) => link(text)),
  ];
  return { layout: 'alert', place: 'new', blocks };
}

interface OpsgenieAlert {
  message: string;
  priority: string;
  description: string;
  details: Pairs;
  note: string;
}

function opsgenie({ message, priority, description, details, note }: OpsgenieAlert, { url }: Request): Sketch {
  if (url.includes('/close?')) return ended(`The alert is closed: ${note}`);
  if (url.includes('/notes?')) return { layout: 'alert', place: 'reply', blocks: [{ is: 'tag', text: 'note' }, ...code(note)] };
  const blocks: Block[] = [{ is: 'tag', text: priority }, head(message), ...facts(details), ...code(description)];
  return { layout: 'alert', place: 'new', blocks };
}

interface IncidentioAlert {
  title: string;
  description: string;
  status: string;
  metadata: Pairs;
  source_url?: string;
}

function incidentio({ title, description, status, metadata, source_url: source }: IncidentioAlert): Sketch {
  const text = description.replaceAll(/^ {4}/gm, '');
  const blocks: Block[] = [
    { is: 'tag', text: status },
    head(title),
    ...facts(metadata),
    ...code(text),
    ...(source ? [link('Source')] : []),
  ];
  return { layout: 'alert', place: 'new', blocks };
}

interface PrometheusAlert {
  labels: Pairs;
  annotations: Pairs;
  startsAt: string;
  endsAt: string;
  generatorURL?: string;
}

function alertmanager(alerts: PrometheusAlert[]): Sketch {
  const blocks = alerts.flatMap(({ labels, annotations: { summary = '', description, ...others }, startsAt, endsAt, generatorURL }) => [
    head(summary),
    ...facts({ ...labels, ...others, startsAt, endsAt }),
    ...code(description),
    ...(generatorURL ? [link('Source')] : []),
  ]);
  return { layout: 'alert', place: 'new', blocks };
}
