import { alerts } from './opsgenie.ts';

/** Jira Service Management Operations, by the API key of an integration (key `token`). */
export const jsm = alerts('https://api.atlassian.com/jsm/ops/integration');
