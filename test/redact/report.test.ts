import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ContainerEvidence, EventEvidence, FailureReport } from '../../src/contract/failure.ts';
import { maskedEvent, maskedStatus, reportMask } from '../../src/redact/report.ts';

const test = suite('the mask of reports');

const SECRET = 'password=h7Jq-2xPz-9Lw';
const HIDDEN = 'password=***';

const EVENT: EventEvidence = { type: 'Warning', reason: 'Failed', message: 'it fails', source: 'kubelet', timestamp: 'now' };
for (const field of ['reason', 'message', 'source'] as const)
  test(`a secret in the ${field} of an event is hidden, and nothing else changes`, () =>
    assert.equal(maskedEvent({ ...EVENT, [field]: SECRET }), { ...EVENT, [field]: HIDDEN }));

const STATUS: ContainerEvidence = {
  name: 'app',
  image: 'registry.example/web:1',
  state: 'waiting',
  reason: 'Error',
  message: 'it fails',
  last_state: { state: 'terminated', reason: 'Error', message: 'it failed', exit_code: 1 },
};
for (const [what, given, shown] of [
  ['the reason', { reason: SECRET }, { reason: HIDDEN }],
  ['the message', { message: SECRET }, { message: HIDDEN }],
  ['the image', { image: 'https://eve:h7Jq2xPz9Lw@registry.example/web:1' }, { image: 'https://eve:***@registry.example/web:1' }],
  [
    'the last message',
    { last_state: { ...STATUS.last_state, message: SECRET } },
    { last_state: { ...STATUS.last_state, message: HIDDEN } },
  ],
  ['the last reason', { last_state: { ...STATUS.last_state, reason: SECRET } }, { last_state: { ...STATUS.last_state, reason: HIDDEN } }],
] as [string, Partial<ContainerEvidence>, Partial<ContainerEvidence>][])
  test(`a secret in ${what} of a container is hidden, and nothing else changes`, () =>
    assert.equal(maskedStatus({ ...STATUS, ...given }), { ...STATUS, ...shown }));

const REPORT: FailureReport = {
  pod_name: 'web-1',
  namespace: 'shop',
  failure_reason: 'Error',
  failure_message: 'it fails',
  logs: 'it fails',
  manifest: 'kind: Pod\n',
  labels: { app: 'web' },
  images: ['registry.example/web:1'],
  events: [EVENT],
  container_statuses: [STATUS],
};
for (const [field, given, shown] of [
  ['failure_reason', SECRET, HIDDEN],
  ['failure_message', SECRET, HIDDEN],
  ['logs', `begin\n${SECRET}\n`, `begin\n${HIDDEN}\n`],
  ['manifest', `kind: Pod\nmetadata: {annotations: {db-password: h7Jq-2xPz-9Lw}}\n`, undefined],
  ['labels', { 'db-password': 'h7Jq-2xPz-9Lw' }, { 'db-password': '***' }],
  ['images', ['web:1', 'https://eve:h7Jq2xPz9Lw@registry.example/web:1'], ['web:1', 'https://eve:***@registry.example/web:1']],
  ['events', [EVENT, { ...EVENT, reason: SECRET }], [EVENT, { ...EVENT, reason: HIDDEN }]],
  ['container_statuses', [STATUS, { ...STATUS, reason: SECRET }], [STATUS, { ...STATUS, reason: HIDDEN }]],
] as [keyof FailureReport, unknown, unknown][])
  test(`a secret in ${field} is hidden, and all other fields stay`, () => {
    const masked = reportMask()({ ...REPORT, [field]: given });
    assert.not.match(JSON.stringify(masked), /h7Jq/);
    assert.equal(masked, { ...REPORT, [field]: shown ?? masked[field] });
  });

test('what has no secret is returned itself', () => {
  assert.is(maskedEvent(EVENT), EVENT);
  assert.is(maskedStatus(STATUS), STATUS);
  assert.is(reportMask()(REPORT), REPORT);
});

test('a report without optional fields gets none', () => {
  const bare: FailureReport = { pod_name: 'web-1', namespace: 'shop', failure_reason: SECRET };
  assert.equal(reportMask()(bare), { ...bare, failure_reason: HIDDEN });
});

test.run();
