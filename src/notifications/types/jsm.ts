import { alerts } from './opsgenie.ts';

/** Sends to Jira Service Management Operations with the API key of an integration. The Secret holds that key under `token`. */
export const jsm = alerts('https://api.atlassian.com/jsm/ops/integration');
