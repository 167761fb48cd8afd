import { formats } from './format.ts';

/** Metrics, logs and alarms. */
export const MONITORING = [
  ...formats('Grafana: Service accounts, access policies', [
    ['Grafana service account token', 'glsa_', 'base64url', 30],
    ['Grafana Cloud access policy token', 'glc_', 'padded', 30],
    ['Grafana Cloud access policy token, Base64', 'glc_', 'base64', 30],
    ['Grafana API key', 'eyJrIjoi', 'base64', 40],
  ]),
  ...formats('New Relic: API keys', [
    ['New Relic user key', 'NRAK-', 'BASE36', 27],
    ['New Relic browser key', 'NRJS-', 'hex', 19],
    ['New Relic insert key', 'NRII-', 'base64url', 30],
    ['New Relic query key', 'NRIQ-', 'base64url', 30],
    ['New Relic REST key', 'NRRA-', 'hex', 40],
    ['New Relic admin key', 'NRAA-', 'hex', 27],
    ['New Relic synthetics key', 'NRSP-', 'base64url', 30],
    ['New Relic license key, Europe', 'eu01xx', 'hex', 30],
  ]),
  ...formats('Datadog: API and application keys', [
    ['Datadog application key', 'ddapp_', 'base62', 32],
    ['Datadog client token', 'pub', 'hex', 32, 32],
    ['Datadog personal token', 'ddpat_', 'base62', 32],
  ]),
  ...formats('Sentry: Auth tokens', [
    ['Sentry organization token', 'sntrys_', 'parts', 30],
    ['Sentry user token', 'sntryu_', 'hex', 64],
    ['Sentry app token', 'sntrya_', 'hex', 64],
    ['Sentry internal app token', 'sntryi_', 'hex', 64],
  ]),
  ...formats('Dynatrace: Token format', [
    ['Dynatrace API token', 'dt0c01.', 'dotted', 60],
    ['Dynatrace OAuth client secret', 'dt0s02.', 'dotted', 60],
    ['Dynatrace platform token', 'dt0s16.', 'dotted', 60],
    ['Dynatrace cluster token', 'dt0a01.', 'dotted', 60],
    ['Dynatrace token of another kind', 'dt0s01.', 'dotted', 60],
  ]),
  ...formats('Honeycomb: API keys', [
    ['Honeycomb ingest key', 'hcaik_', 'base36', 40],
    ['Honeycomb configuration key', 'hcxik_', 'base36', 40],
    ['Honeycomb management key', 'hcamk_', 'base36', 40],
    ['Honeycomb ingest key, classic', 'hcaic_', 'base36', 40],
    ['Honeycomb management key, Europe', 'hcxmk_', 'base36', 40],
  ]),
  ...formats('PagerDuty, Better Stack, incident.io, Rootly: API keys', [
    ['PagerDuty user token', 'pdus+', 'base64url', 20],
    ['PagerDuty OAuth token', 'pdeu+', 'base64url', 20],
    ['incident.io key', 'inc_live_', 'base62', 30],
    ['Rootly token', 'rootly_', 'hex', 60],
  ]),
  ...formats('PostHog, Axiom, Chronosphere, Coralogix, Highlight, Statsig: keys', [
    ['PostHog personal key', 'phx_', 'base62', 30],
    ['PostHog feature flags key', 'phs_', 'base62', 30],
    ['PostHog project key', 'phc_', 'base62', 30],
    ['Axiom API token', 'xaat-', 'uuid', 36],
    ['Axiom personal token', 'xapt-', 'uuid', 36],
    ['Coralogix data key', 'cxtp_', 'base62', 30],
    ['Coralogix user key', 'cxup_', 'base62', 30],
    ['Logfire write token', 'pylf_v1_', 'base64url', 30],
    ['Checkly key', 'cu_', 'hex', 32],
    ['Statsig server secret', 'secret-', 'base62', 40],
  ]),
  ...formats('Elastic: API keys', [['Elastic Cloud key', 'essu_', 'padded', 40]]),
];
