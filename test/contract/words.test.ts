import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ADVICE_SORTS } from '../../src/contract/advice.ts';
import { MAX_ALERTS } from '../../src/contract/alert.ts';
import { MAX_TOKEN_DAYS, ROLES, SESSION_COOKIE } from '../../src/contract/auth.ts';
import { COMMENT } from '../../src/contract/comment.ts';
import { FAILURE_STATUSES, LOG_DUE, NO_LOG } from '../../src/contract/failure.ts';
import { MAX_LABEL_LENGTH, MAX_NAME_LENGTH, MAX_USER_NAME_LENGTH } from '../../src/contract/fields.ts';
import { CLUSTER_WIDE, DETAILS_DEPTH, SEVERITIES } from '../../src/contract/finding.ts';
import { CLUSTER_WIDE as NO_NAMESPACE, GRAPH_WORKLOADS, SYNTHESIZED_KINDS } from '../../src/contract/graph.ts';
import { INCIDENT_LISTS, listOfStatus } from '../../src/contract/incident.ts';
import { MIRROR_TTL } from '../../src/contract/mirror-ttl.ts';
import { isProvider, needsAddress, needsKey, PROVIDERS } from '../../src/contract/model.ts';
import { MASK } from '../../src/contract/notification.ts';
import { PASSWORD_LENGTH } from '../../src/contract/password-length.ts';
import { managedElsewhere, Refusal } from '../../src/contract/refusal.ts';
import { REPORT_BOUNDS, SHOWN_BOUNDS } from '../../src/contract/report-bounds.ts';
import { SETTINGS } from '../../src/contract/settings.ts';

const test = suite('words and limits of the contract');

test('lists have their words in the order that counts', () => {
  assert.equal([...ROLES], ['read', 'write', 'admin']);
  assert.equal([...SEVERITIES], ['critical', 'high', 'medium', 'low', 'info']);
  assert.equal([...INCIDENT_LISTS], ['active', 'ignored', 'suppressed', 'resolved']);
  assert.equal([...GRAPH_WORKLOADS], ['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob']);
  assert.equal([...SYNTHESIZED_KINDS], ['Permission', 'Subject:User', 'Subject:Group', 'ConfigMapKey', 'ServicePort', 'Group']);
  assert.equal([...ADVICE_SORTS], ['newest', 'severity']);
});

test('words that clients compare', () => {
  assert.equal([SESSION_COOKIE, MASK, CLUSTER_WIDE, NO_NAMESPACE], ['monitor_session', '***', 'cluster-wide', 'cluster-wide']);
  assert.equal([LOG_DUE, NO_LOG], ['log not available yet', 'log not available']);
});

test('limits', () => {
  assert.equal(
    { MAX_NAME_LENGTH, MAX_LABEL_LENGTH, MAX_USER_NAME_LENGTH },
    { MAX_NAME_LENGTH: 253, MAX_LABEL_LENGTH: 63, MAX_USER_NAME_LENGTH: 128 },
  );
  assert.equal({ MAX_ALERTS, MAX_TOKEN_DAYS, DETAILS_DEPTH }, { MAX_ALERTS: 1000, MAX_TOKEN_DAYS: 3650, DETAILS_DEPTH: 100 });
  assert.equal({ ...COMMENT }, { mostCharacters: 4000, most: 200 });
  assert.equal({ ...PASSWORD_LENGTH }, { min: 8, max: 1024 });
  assert.equal({ ...MIRROR_TTL }, { min: 30, max: 3600, default: 180 });
});

test('of a report, a megabyte of log is kept, half of it of the manifest and of the messages, and less of all else', () => {
  assert.equal(
    { ...REPORT_BOUNDS },
    {
      failureMessageBytes: 32_768,
      statusMessageBytes: 32_768,
      statusMessagesBytes: 524_288,
      events: 100,
      eventBytes: 4096,
      statuses: 50,
      labels: 100,
      images: 100,
      logsBytes: 1_048_576,
      manifestBytes: 524_288,
    },
  );
  assert.equal({ ...SHOWN_BOUNDS }, { events: 5, evidenceBytes: 8192, messageBytes: 2048, solutionBytes: 5120 });
  const { evidenceBytes, messageBytes, solutionBytes } = SHOWN_BOUNDS;
  assert.ok(evidenceBytes + messageBytes + solutionBytes < 16 * 1024);
});

const CENTURY = 100 * 366 * 24 * 60;
const RULES: Record<string, [least: number, most: number, otherwise: number, unit: string]> = {
  history_retention_minutes: [0, CENTURY, 30 * 24 * 60, 'minutes'],
  ignored_retention_minutes: [0, CENTURY, 30 * 24 * 60, 'minutes'],
  tenant_suppressions_hide_high: [0, 1, 0, 'switch'],
  model_hide_names: [0, 1, 0, 'switch'],
  model_hide_emails: [0, 1, 1, 'switch'],
  model_hide_addresses: [0, 1, 1, 'switch'],
  model_concurrency: [1, 64, 4, 'calls at once'],
  model_calls_per_hour: [0, 100_000, 120, 'calls'],
  model_tokens_per_hour: [0, 1_000_000_000, 1_000_000, 'tokens'],
  api_token_max_days: [1, 3650, 90, 'days'],
  'mirror-ttl': [30, 3600, 180, 'seconds'],
};
test('settings have their bounds, defaults and units', () => {
  assert.equal(
    Object.fromEntries(Object.entries(SETTINGS).map(([key, rule]) => [key, [rule.min, rule.max, Number(rule.default), rule.unit]])),
    RULES,
  );
});

test('the list of a status', () => {
  assert.equal(FAILURE_STATUSES.map(listOfStatus), ['active', 'active', 'resolved', 'ignored']);
});

test('a model needs a key unless it is self-hosted, and an address where there is no common one', () => {
  assert.equal(
    PROVIDERS.map((provider) => [provider, needsKey(provider), needsAddress(provider)]),
    [
      ['anthropic', true, false],
      ['openai', true, false],
      ['openai-compatible', false, true],
      ['azure', true, true],
      ['gemini', true, false],
    ],
  );
  assert.equal([isProvider('azure'), isProvider('Azure'), isProvider('')], [true, false, false]);
});

test('a refusal has its kind, and the text for people', () => {
  const refusal = managedElsewhere('Flux');
  assert.ok(refusal instanceof Refusal);
  assert.equal([refusal.kind, refusal.name, refusal.message], ['conflict', 'Refusal', 'Managed by Flux: change it at its source']);
});

test.run();
