/** A value that a type needs: its place in `config`, and its field in the form. */
export interface Member {
  name: string;
  label: string;
  /** A secret can be written but is never shown. */
  isSecret?: true;
  isRequired?: true;
  /** Has lines, like a certificate. */
  isLong?: true;
  example?: string;
  hint?: string;
}

export interface ProviderKind {
  name: string;
  /** What happens to messages after the first one, in a few words. */
  about: string;
  members: readonly Member[];
}

const CERTIFICATE: Member = {
  name: 'ca_certificate',
  label: 'Certificate of your own authority',
  isSecret: true,
  isLong: true,
  example: '-----BEGIN CERTIFICATE-----',
};
const webhookOf = (example: string): Member => ({
  name: 'webhook_url',
  label: 'Address of the webhook',
  isSecret: true,
  isRequired: true,
  example,
});
const keyOf = (label: string): Member => ({ name: 'token', label, isSecret: true, isRequired: true });
const SIGNING: Member = {
  name: 'signing_secret',
  label: 'Signing secret',
  isSecret: true,
  hint: 'Lets people act from the chat',
};

/** All types of providers with their members, named as in the API. A test checks them against the services. */
export const KINDS: Readonly<Record<string, ProviderKind>> = {
  slack: {
    name: 'Slack',
    about: 'A bot changes its message and answers in its thread. A webhook can do neither: it tells the beginning and the end.',
    members: [
      { name: 'token', label: 'Token of the bot', isSecret: true, example: 'xoxb-…', hint: 'Or the address of a webhook below' },
      { name: 'channel', label: 'Channel', example: '#on-call', hint: 'For a bot' },
      { name: 'webhook_url', label: 'Address of a webhook', isSecret: true, example: 'https://hooks.slack.com/services/…' },
      SIGNING,
    ],
  },
  teams: {
    name: 'Microsoft Teams',
    about: 'By a Workflow. It can change nothing, so it tells the beginning and the end.',
    members: [webhookOf('https://….logic.azure.com/workflows/…'), SIGNING],
  },
  discord: {
    name: 'Discord',
    about: 'The message is changed in place.',
    members: [webhookOf('https://discord.com/api/webhooks/…')],
  },
  mattermost: {
    name: 'Mattermost',
    about: 'It can change nothing, so it tells the beginning and the end.',
    members: [webhookOf('https://chat.example/hooks/…'), { name: 'channel', label: 'Channel', example: 'on-call' }, CERTIFICATE],
  },
  googlechat: {
    name: 'Google Chat',
    about: 'Later messages are replies in the thread.',
    members: [webhookOf('https://chat.googleapis.com/v1/spaces/…')],
  },
  telegram: {
    name: 'Telegram',
    about: 'The message is changed in place.',
    members: [
      { ...keyOf('Token of the bot'), example: '123456:ABC…' },
      { name: 'channel', label: 'Id of the chat', isRequired: true, example: '-1001234567890' },
    ],
  },
  pagerduty: {
    name: 'PagerDuty',
    about: 'One alert for each incident, resolved at its end.',
    members: [keyOf('Integration key (Events API v2)')],
  },
  opsgenie: {
    name: 'Opsgenie',
    about: 'One alert for each incident, with notes, then closed. Opsgenie ends on 2027-04-05: choose Jira Service Management instead.',
    members: [
      keyOf('API key of the integration'),
      { name: 'webhook_url', label: 'Address', isSecret: true, example: 'https://api.eu.opsgenie.com' },
    ],
  },
  jsm: {
    name: 'Jira Service Management',
    about: 'One alert for each incident, with notes, then closed.',
    members: [keyOf('API key of the integration')],
  },
  incidentio: {
    name: 'incident.io',
    about: 'One alert for each incident, resolved at its end.',
    members: [
      {
        name: 'webhook_url',
        label: 'Address of the alert source',
        isSecret: true,
        isRequired: true,
        example: 'https://api.incident.io/v2/alert_events/http/…',
      },
      keyOf('Token of the alert source'),
    ],
  },
  alertmanager: {
    name: 'Alertmanager',
    about: 'One alert for each incident, ended with it. Alertmanager routes it further.',
    members: [
      { name: 'webhook_url', label: 'Address', isSecret: true, isRequired: true, example: 'https://alertmanager.example' },
      { name: 'token', label: 'Token', isSecret: true, hint: 'Or user name and password' },
      { name: 'username', label: 'User name' },
      { name: 'password', label: 'Password', isSecret: true },
      CERTIFICATE,
    ],
  },
  email: {
    name: 'E-mail',
    about: 'All mails about an incident are one thread.',
    members: [
      {
        name: 'webhook_url',
        label: 'Mail server',
        isSecret: true,
        isRequired: true,
        example: 'smtp://mail.example:587',
        hint: 'smtp:// with STARTTLS, or smtps://',
      },
      { name: 'from', label: 'Sender', isRequired: true, example: 'podmend@example.com' },
      { name: 'channel', label: 'Recipients', isRequired: true, example: 'team@example.com, boss@example.com' },
      { name: 'username', label: 'User name' },
      { name: 'password', label: 'Password', isSecret: true },
      CERTIFICATE,
    ],
  },
  webhook: {
    name: 'Webhook',
    about: 'Any receiver gets each change as JSON or as a CloudEvent.',
    members: [
      webhookOf('https://receiver.example/podmend'),
      {
        name: 'signing_secret',
        label: 'Signing secret',
        isSecret: true,
        example: 'whsec_…',
        hint: 'Standard Webhooks: whsec_ and 24 to 64 bytes in base64',
      },
      { name: 'token', label: 'Bearer token', isSecret: true },
      CERTIFICATE,
    ],
  },
};

/** The kind of a type; an unknown type of a later version has only its name. */
export const kindOf = (type: string): ProviderKind =>
  (Object.hasOwn(KINDS, type) ? KINDS[type] : undefined) ?? { name: type, about: '', members: [] };

/** Whether people can act from it. */
export const hasChat = (type: string): boolean => type === 'slack' || type === 'teams';
