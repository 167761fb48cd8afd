import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Delivery, NotificationSetting } from '../../../src/contract/notification.ts';
import { minutesAgo } from '../../support/builders/answers.ts';
import { chromiumFor } from '../../support/network/browser.ts';
import { until } from '../../support/runner/wait.ts';
import { type Answers, cannedDashboard, marksOf, Reply, textOf, textsOf } from '../../support/worlds/canned-dashboard.ts';

// The providers of notifications with given answers.

const chromium = chromiumFor('providers with given answers');
const test = suite('providers on the screen');
const dashboard = cannedDashboard(test, chromium);

const status = (over: object = {}) => ({
  ready: true,
  reason: 'Sending',
  message: '',
  last_delivery_at: minutesAgo(5),
  last_error: null,
  ...over,
});
const setting = (provider: string, over: Partial<NotificationSetting> = {}): NotificationSetting => ({
  ...{ provider, type: 'slack', enabled: true, config: { token: '***', channel: '#on-call' }, source: 'api', status: status() },
  ...over,
});
const silent = (event: string, silence: string | null) => ({
  event,
  silence,
  requests: [{ method: 'POST', url: 'https://x', headers: { a: 'b' }, body: '{"text":"🔴 hello"}' }],
  mail: null,
});
const ANSWERS: Answers = {
  'GET /api/admin/notifications': [setting('ops')],
  'POST /api/admin/notifications/preview': {
    type: 'slack',
    messages: [silent('incident_opened', null), silent('verdict', 'It is filtered.'), silent('resolved', null)],
  },
};
const open = (search = '', over: Answers = {}, role: 'read' | 'admin' = 'admin') =>
  dashboard.open(`/notifications${search}`, { ...ANSWERS, ...over }, role);

test('each provider says whether it works, where it sends and what, and can be tested', async () => {
  const all = [
    setting('ops', { config: { token: '***', channel: '#on-call', filter: { namespaces: ['shop'] } } }),
    setting('off', { enabled: false, status: status({ ready: false, message: 'not asked', last_delivery_at: null }) }),
    setting('bad', { status: status({ ready: false, message: 'There is no token' }), source: 'Argo CD' }),
    setting('late', { type: 'pagerduty', config: {}, status: status({ last_error: 'It timed out' }) }),
  ];
  const { page, shows, nextSent, answer, readAgain } = await open('', {
    'GET /api/admin/notifications': all,
    'POST /api/admin/notifications/ops/test': { delivered: true, reason: null, detail: 'It said ok' },
  });
  await shows('heading "Notifications"', '/url: /notifications?provider=ops');
  const rows = page.getByRole('list', { name: 'Providers' }).locator('> li');
  const texts = await textsOf(rows);
  for (const [index, words] of [
    [0, ['Ready ops Slack #on-call told:', 'shop', 'last sent 5 minutes ago Test']],
    [1, ['Off off Slack', 'nothing sent yet']],
    [2, ['Not ready bad Slack', 'managed by Argo CD', 'There is no token']],
    [3, ['Has errors late PagerDuty', 'It timed out']],
  ] as const)
    for (const word of words) assert.ok(texts[index]?.includes(word), `${word} in ${texts[index]}`);
  assert.not.ok(texts[1]?.includes('not asked'), 'one that is off need not be ready');
  assert.equal(await marksOf(rows, 'tone'), ['good: Ready', 'plain: Off', 'bad: Not ready', 'unsure: Has errors']);
  await rows.first().getByRole('button', { name: 'Test' }).click();
  assert.equal(await nextSent(), ['POST /api/admin/notifications/ops/test']);
  await readAgain('/api/admin/notifications');
  await shows('The test message was sent', 'It said ok');
  answer({ 'POST /api/admin/notifications/ops/test': { delivered: false, reason: 'Timeout', detail: 'slow' } });
  await rows.first().getByRole('button', { name: 'Test' }).click();
  await shows('The test message was not sent: it did not answer in time', 'slow');
  const none = await open('', { 'GET /api/admin/notifications': [] });
  await none.shows('No provider yet', 'A provider tells people of failures: a chat, an on-call service, e-mail or a webhook.');
  const gone = await open('?provider=lost');
  await gone.shows('There is no provider lost', 'Somebody may have removed it.');
  const reader = await open('', {}, 'read');
  await reader.shows(
    'Providers are for administrators',
    'Your role is read. They can be seen by: admin. An incident says itself who was told about it.',
  );
});

test('the history of a provider has the state of each message, and sends a lost one again', async () => {
  const delivery = (id: number, over: Partial<Delivery>): Delivery => ({
    ...{
      id,
      event: 'verdict',
      title: `Message ${id}`,
      state: 'delivered',
      attempts: 1,
      reason: null,
      detail: null,
      created_at: minutesAgo(5),
      ended_at: null,
    },
    ...{ next_attempt_at: null, resendable: false },
    ...over,
  });
  const { page, shows, nextSent, address, readAgain } = await open('?provider=ops&part=history', {
    'GET /api/admin/notifications/ops/deliveries': [
      delivery(1, {}),
      delivery(2, { state: 'dead', reason: 'Timeout', attempts: 3, resendable: true }),
      delivery(3, { state: 'pending', attempts: 0 }),
    ],
    'POST /api/admin/notifications/ops/deliveries/2/resend': new Reply(202, {}),
  });
  await shows('radio "All 3" [checked]', 'radio "Waiting 1"', 'radio "Not sent 1"', 'heading "ops"');
  const rows = page.getByRole('list', { name: 'Messages' }).locator('> li');
  assert.equal(await textsOf(rows), [
    'Delivered Message 1 Verdict 5 minutes ago',
    'Not sent Message 2 Verdict 5 minutes ago 3 tries Send again Timeout: it did not answer in time.',
    'Waiting Message 3 Verdict 5 minutes ago',
  ]);
  assert.equal(await marksOf(rows, 'tone'), ['good: Delivered', 'bad: Not sent', 'plain: Waiting']);
  await page.getByRole('button', { name: 'Send again' }).click();
  assert.equal(await nextSent(), ['POST /api/admin/notifications/ops/deliveries/2/resend']);
  await readAgain('/api/admin/notifications/ops/deliveries');
  await page.getByText('Waiting 1', { exact: true }).click();
  await until(async () => (await rows.count()) === 1, { what: 'the waiting one' });
  assert.is(address(), '?provider=ops&part=history&show=waiting');
  const none = await open('?provider=ops&part=history', { 'GET /api/admin/notifications/ops/deliveries': [] });
  await none.shows('Nothing was sent yet', 'Test messages are not kept here.');
  const other = await open('?provider=ops&part=history&show=dead', { 'GET /api/admin/notifications/ops/deliveries': [delivery(1, {})] });
  await other.shows('None of these', 'Choose All to see the others.');
});

test('a new provider has a free name, the fields of its type, and is created', async () => {
  const { page, shows, sent, address } = await open('?add=yes', {
    'GET /api/admin/notifications': [setting('slack')],
    'POST /api/admin/notifications': setting('chat-2', { type: 'webhook', config: {} }),
  });
  await shows('heading "New provider"');
  const form = page.getByRole('form', { name: 'New provider' });
  assert.is(await form.getByRole('textbox', { name: 'Name', exact: true }).inputValue(), 'slack-2');
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('slack');
  await shows('There is a provider slack already.', 'button "Create" [disabled]');
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('slack-2');
  await form.getByLabel('Service').selectOption('webhook');
  assert.is(await form.getByRole('textbox', { name: 'Name', exact: true }).inputValue(), 'webhook');
  assert.equal(await form.getByLabel('Format').locator('option').allTextContents(), ['JSON', 'CloudEvents 1.0']);
  await form.getByRole('textbox', { name: 'Name', exact: true }).fill('chat-2');
  await form.getByRole('textbox', { name: 'Address of the webhook' }).fill('https://hook.example/x');
  await form.getByLabel('Format').selectOption('cloudevents');
  await form.getByText('What is told').click();
  await form.getByLabel('Began', { exact: true }).check();
  await form.getByLabel('Only these namespaces').fill('shop, team-*');
  await form.getByLabel('The end of an incident is told').press('Space');
  await form.getByText('How often', { exact: true }).click();
  await form.getByLabel('Wait before the first message, in seconds').fill('10');
  await form.getByText('Quiet hours', { exact: true }).click();
  await form.getByRole('button', { name: 'Add quiet hours' }).click();
  await form.getByRole('group', { name: 'Quiet hours 1' }).getByLabel('To', { exact: false }).last().waitFor();
  await form.getByRole('group', { name: 'Quiet hours 1' }).getByLabel('Time zone').fill('Nowhere');
  await shows('Nobody knows this time zone. Write it as Europe/Berlin.');
  await form.getByRole('group', { name: 'Quiet hours 1' }).getByLabel('Time zone').fill('UTC');
  await page.getByText(/^It is .* there now\.$/).waitFor();
  sent();
  await form.getByRole('button', { name: 'Create' }).click();
  await shows('chat-2 is saved. Test tells whether messages arrive.');
  const body = sent().find((line) => line.startsWith('POST /api/admin/notifications {')) ?? '';
  const { provider, type, enabled, config } = JSON.parse(body.replace('POST /api/admin/notifications ', '')) as NotificationSetting;
  assert.equal([provider, type, enabled], ['chat-2', 'webhook', true]);
  assert.is(config['webhook_url'], 'https://hook.example/x');
  assert.is(config['format'], 'cloudevents');
  assert.equal(config['filter'], { events: ['incident_opened'], namespaces: ['shop', 'team-*'], sendResolved: false });
  assert.equal(config['quietHours'], [{ from: '22:00', to: '07:00', timeZone: 'UTC' }]);
  await until(() => address() === '?provider=chat-2', { what: () => address() });
});

test('a provider is changed, a stored secret is kept or removed, and it is removed after a question', async () => {
  const { page, shows, sent, address, readAgain } = await open('?provider=ops', {
    'GET /api/admin/notifications': [setting('ops', { config: { token: '***', channel: '#on-call', signing_secret: '***' } })],
    'PUT /api/admin/notifications/ops': (body: NotificationSetting) => ({ ...setting('ops'), config: body.config }),
    'DELETE /api/admin/notifications/ops': new Reply(204),
  });
  await shows('button "Save" [disabled]');
  const form = page.getByRole('form', { name: 'Provider ops' });
  assert.is(await form.getByRole('button', { name: 'Save' }).getAttribute('title'), 'Nothing has changed');
  assert.is(await form.getByRole('button', { name: 'Discard' }).count(), 0);
  assert.is(await form.getByRole('textbox', { name: 'Token of the bot' }).getAttribute('placeholder'), 'Stored. Type to replace it');
  await form.getByLabel('Channel').fill('#other');
  await form.getByRole('button', { name: 'Remove signing secret' }).click();
  assert.is(await form.getByRole('textbox', { name: 'Signing secret' }).getAttribute('placeholder'), 'Will be removed');
  await form.getByRole('button', { name: 'Keep it' }).click();
  await form.getByRole('button', { name: 'Remove signing secret' }).click();
  await form.getByLabel('Messages are sent').press('Space');
  sent();
  await form.getByRole('button', { name: 'Save' }).click();
  await shows('ops is saved. Test tells whether messages arrive.');
  const line = sent().find((one) => one.startsWith('PUT')) ?? '';
  const body = JSON.parse(line.replace('PUT /api/admin/notifications/ops ', '')) as NotificationSetting;
  assert.equal([body.provider, body.enabled, body.config['token'], body.config['channel']], ['ops', false, '***', '#other']);
  assert.is.not(body.config['signing_secret'], '***');
  await form.getByRole('button', { name: 'Remove', exact: true }).click();
  await form.getByRole('button', { name: 'Remove ops and its secrets' }).click();
  await shows('ops is removed');
  assert.ok(sent().includes('DELETE /api/admin/notifications/ops'));
  await readAgain('/api/admin/notifications');
  await until(() => address() === '', { what: () => address() });
  const managed = await open('?provider=ops', { 'GET /api/admin/notifications': [setting('ops', { source: 'Flux' })] });
  await managed.shows(
    'Managed by Flux: change it at its source',
    'Flux would undo a change made here. The API refuses it with 409.',
    'button "Save" [disabled]',
    'button "Remove" [disabled]',
  );
  const kubectl = await open('?provider=ops', { 'GET /api/admin/notifications': [setting('ops', { source: 'kubectl' })] });
  await kubectl.shows('It was made with kubectl: whoever applies that file again undoes what changes here.');
});

test('the preview draws what would be sent at each moment, without any secret', async () => {
  const { page, shows, address, sent } = await open('?provider=ops');
  await shows('group "A message in Slack"', 'radio "It begins" [checked]', 'An example, drawn from the real payload. Nothing is sent.');
  const message = page.getByRole('group', { name: 'A message in Slack' });
  assert.is(await textOf(message), 'P Podmend app hello');
  assert.equal(await marksOf(message, 'sign'), ['fails:']);
  const line = sent().find((one) => one.includes('/preview')) ?? '';
  const body = JSON.parse(line.replace('POST /api/admin/notifications/preview ', '')) as NotificationSetting;
  assert.equal([body.provider, body.enabled], ['unnamed', true]);
  await page.getByText('The payload').click();
  assert.is(
    await page.getByRole('region', { name: 'Preview' }).locator('details pre').innerText(),
    'POST https://x\na: b\n\n{\n  "text": "🔴 hello"\n}',
  );
  await page.getByText('A verdict', { exact: true }).click();
  await until(() => address() === '?provider=ops&moment=verdict', { what: () => address() });
  assert.ok((await textOf(page.getByRole('region', { name: 'Preview' }))).includes('Nothing is sent. It is filtered.'));
});

if (chromium) test.run();
