import type { ProviderType } from '../../crd/notificationprovider.ts';
import { alertmanager } from './alertmanager.ts';
import { discord } from './discord.ts';
import { googleChat } from './google-chat.ts';
import { incidentio } from './incidentio.ts';
import { jsm } from './jsm.ts';
import { mattermost } from './mattermost.ts';
import { opsgenie } from './opsgenie.ts';
import { pagerduty } from './pagerduty.ts';
import type { Service } from './service.ts';
import { slack } from './slack.ts';
import { teams } from './teams.ts';
import { telegram } from './telegram.ts';
import { webhook } from './webhook.ts';

/** All services that receive messages over HTTP. */
export const SERVICES = {
  slack,
  teams,
  discord,
  mattermost,
  googlechat: googleChat,
  telegram,
  pagerduty,
  opsgenie,
  jsm,
  incidentio,
  alertmanager,
  webhook,
} satisfies Record<Exclude<ProviderType, 'email'>, Service>;
