import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { ModelStatus } from '../../../src/contract/model.ts';
import { inMinutes, minutesAgo } from '../../support/builders/answers.ts';
import { chromiumFor } from '../../support/network/browser.ts';
import { until } from '../../support/runner/wait.ts';
import { cannedDashboard, marksOf, refuse, Reply, textOf, textsOf } from '../../support/worlds/canned-dashboard.ts';

// The tabs of administration with given answers.

const chromium = chromiumFor('administration with given answers');
const test = suite('administration on the screen');
const dashboard = cannedDashboard(test, chromium);

test('the parts of the installation say how they are, and how they are mended', async () => {
  const parts = [
    { id: 'db', name: 'Database', state: 'ok', says: 'It answers.', mend: null },
    { id: 'agents', name: 'Agents', state: 'degraded', says: 'One is silent.', mend: 'Run `kubectl get pods`.' },
    { id: 'mirrors', name: 'Mirrors', state: 'down', says: 'No rights.', mend: null },
    { id: 'model', name: 'Model', state: 'off', says: 'None.', mend: null },
  ];
  const { page, shows } = await dashboard.open('/admin', { 'GET /api/about': { version: '1.2.3', cluster: 'harbour', parts } }, 'read');
  await shows('heading "Admin"', 'Podmend 1.2.3, cluster', '/url: /docs');
  assert.equal(await textsOf(page.getByRole('list', { name: 'Parts' }).getByRole('listitem')), [
    ...[
      'Works Database It answers.',
      'Works in part Agents One is silent. Run kubectl get pods.',
      'Does not work Mirrors No rights.',
      'Not set up Model None.',
    ],
  ]);
  const tabs = page.getByRole('navigation', { name: 'Administration' }).getByRole('link');
  assert.equal(await textsOf(tabs), ['About', 'Agents', 'Users', 'Model', 'Settings', 'Audit log', 'Your account']);
  assert.is(await tabs.first().getAttribute('aria-current'), 'page');
  for (const tab of ['users', 'model', 'settings', 'audit']) {
    const hidden = await dashboard.open(`/admin/${tab}`, {}, 'write');
    await hidden.shows('This is for administrators', 'Your role is write. It can be seen by: admin.');
  }
  const gone = await dashboard.open('/admin/nothing', {}, 'admin');
  await gone.shows('There is no such page here. Choose one above.');
});

test('agents are listed by node, the silent ones first', async () => {
  const agent = (node: string, live: boolean) => ({
    node,
    version: '1.2.3',
    pods: 4,
    failing: 3,
    spooled: 2,
    dropped: 1,
    last_seen: minutesAgo(5),
    live,
  });
  const { page, shows } = await dashboard.open(
    '/admin/agents',
    { 'GET /api/agents': [agent('b', true), agent('a', true), agent('z', false)] },
    'read',
  );
  await shows('heading "Admin: Agents"', 'The operator watches the node of a silent agent itself, more slowly.');
  assert.equal(await textsOf(page.getByRole('row')), [
    'Node State Last heard Pods Failing Reports waiting Reports lost Version',
    'z Silent 5 minutes ago 4 3 2 1 1.2.3',
    'a Reports 5 minutes ago 4 3 2 1 1.2.3',
    'b Reports 5 minutes ago 4 3 2 1 1.2.3',
  ]);
  assert.equal(
    await page.locator('main [data-state]').evaluateAll((all: { dataset: { state: string } }[]) => all.map(({ dataset }) => dataset.state)),
    ['down', 'ok', 'ok'],
  );
  const none = await dashboard.open('/admin/agents', { 'GET /api/agents': [] }, 'read');
  await none.shows('No agent was heard yet', 'Install the DaemonSet podmend-agent: it watches the pods of each node.');
});

test('a user is invited with a password that is shown once, changed and deleted, but not oneself', async () => {
  const user = (id: number, username: string, role: string) => ({ id, username, role, created_at: minutesAgo(60) });
  const { page, shows, nextSent, sent, readAgain } = await dashboard.open(
    '/admin/users',
    {
      'GET /api/admin/users': [user(7, 'eve', 'admin'), user(8, 'bob', 'write')],
      'POST /api/admin/users': (body: { username: string }) => user(9, body.username, 'read'),
      'PATCH /api/admin/users/8': user(8, 'bob', 'admin'),
      'DELETE /api/admin/users/8': new Reply(204),
    },
    'admin',
  );
  const rows = page.getByRole('list', { name: 'Users' }).locator('> li');
  await rows.first().waitFor();
  const own = rows.first();
  assert.ok((await textOf(own)).startsWith('eve you added 1 hour ago'));
  assert.equal(await own.getByRole('combobox').isDisabled(), true);
  for (const [name, title] of [
    ['New password', 'Set your own under Your account.'],
    ['Delete', 'This is you: another administrator can do it.'],
  ] as const) {
    assert.ok(await own.getByRole('button', { name }).isDisabled());
    assert.is(await own.getByRole('button', { name }).getAttribute('title'), title);
  }
  const form = page.getByRole('form', { name: 'Invite somebody' });
  assert.equal(await form.getByLabel('Role').locator('option').allTextContents(), [
    'read: sees everything',
    'write: also acts',
    'admin: also people and settings',
  ]);
  assert.is(await form.getByLabel('Role').inputValue(), 'read');
  await form.getByLabel('Invite').fill('zoe');
  await form.getByLabel('Role').selectOption('write');
  await form.getByRole('button', { name: 'Invite' }).click();
  await shows('Send this to zoe. It is not shown again.');
  const [line = ''] = sent();
  const invited = JSON.parse(line.replace('POST /api/admin/users ', '')) as Record<string, string>;
  assert.equal([invited['username'], invited['role']], ['zoe', 'write']);
  assert.match(invited['password'] ?? '', /^([a-zA-Z2-9]{5}-){3}[a-zA-Z2-9]{5}$/);
  const letter = `Podmend: ${new URL(page.url()).origin}\nName: zoe\nPassword: ${invited['password']}\nSet your own password under Admin, Your account.`;
  assert.ok((await page.getByRole('main').innerText()).includes(letter));
  await page.getByRole('button', { name: 'Copy', exact: true }).click();
  await page.getByRole('button', { name: 'Copied' }).waitFor();
  assert.is(await page.evaluate('navigator.clipboard.readText()'), letter);
  assert.is(await form.getByLabel('Invite').inputValue(), '');
  await page.getByLabel('Role of bob').selectOption('admin');
  assert.equal(await nextSent(), ['PATCH /api/admin/users/8 {"role":"admin"}']);
  await readAgain('/api/admin/users');
  await shows('Open sessions have ended.');
  await rows.nth(1).getByRole('button', { name: 'New password' }).click();
  await rows.nth(1).getByRole('button', { name: 'Set a new one: sessions and tokens end' }).click();
  await shows('The new password of bob. It is not shown again.');
  assert.match(sent()[0] ?? '', /^PATCH \/api\/admin\/users\/8 \{"password":".{23}"\}$/);
  await rows.nth(1).getByRole('button', { name: 'Delete' }).click();
  await rows.nth(1).getByRole('button', { name: 'Delete this user' }).click();
  assert.equal(await nextSent(), ['DELETE /api/admin/users/8']);
  await readAgain('/api/admin/users');
});

test('one makes and revokes tokens below one’s role, and sets a password', async () => {
  const token = { id: 3, name: 'ci', role: 'read', created_at: minutesAgo(60), expires_at: inMinutes(60 * 24 * 3), last_used_at: null };
  const { page, shows, nextSent, sent, readAgain } = await dashboard.open('/admin/account', {
    'GET /api/tokens': [token, { ...token, id: 4, name: 'old', expires_at: null, last_used_at: minutesAgo(120) }],
    'POST /api/tokens': { ...token, name: 'bot', token: 'pm_secret' },
    'DELETE /api/tokens/3': new Reply(204),
    'POST /api/auth/password': refuse(403, 'Wrong password'),
  });
  await shows('You are', 'eve', ', role write.');
  assert.equal(await textsOf(page.getByRole('list', { name: 'API tokens' }).locator('> li')), [
    ...['ci role read made 1 hour ago ends in 3 days never used Revoke', 'old role read made 1 hour ago used 2 hours ago Revoke'],
  ]);
  const form = page.getByRole('form', { name: 'New API token' });
  assert.equal(await form.getByLabel('Role').locator('option').allTextContents(), ['read', 'write']);
  await form.getByLabel('What it is for').fill('bot');
  await form.getByRole('button', { name: 'Make a token' }).click();
  await shows('The token bot. It is not shown again.', 'pm_secret');
  assert.equal(sent(), ['POST /api/tokens {"name":"bot","role":"read"}']);
  await form.getByLabel('What it is for').fill('other');
  await form.getByLabel('Role').selectOption('write');
  await form.getByLabel('Days').fill('7');
  await form.getByRole('button', { name: 'Make a token' }).click();
  assert.equal(await nextSent(), ['POST /api/tokens {"name":"other","role":"write","expires_in_days":7}']);
  await readAgain('/api/tokens');
  await page.getByRole('button', { name: 'Revoke' }).first().click();
  await page.getByRole('button', { name: 'Revoke it now' }).click();
  assert.equal(await nextSent(), ['DELETE /api/tokens/3']);
  await readAgain('/api/tokens');
  const password = page.getByRole('form', { name: 'New password' });
  await password.getByLabel('Current password').fill('old one');
  await password.getByRole('textbox', { name: 'New password' }).fill('short');
  await password.getByRole('button', { name: 'Set the password' }).click();
  assert.equal(sent(), [], 'the browser refuses a short one');
  await password.getByRole('textbox', { name: 'New password' }).fill('long enough');
  await password.getByLabel('Keep my API tokens').check();
  await password.getByRole('button', { name: 'Set the password' }).click();
  await shows('Wrong password', 'Your other sessions end, and this page loads again.');
  assert.equal(sent(), ['POST /api/auth/password {"current_password":"old one","password":"long enough","keep_tokens":true}']);
  const none = await dashboard.open('/admin/account', { 'GET /api/tokens': [] }, 'read');
  await none.shows('You have no API token', 'A script sends it in the header Authorization, after the word Bearer.');
  assert.equal(await form.getByLabel('Role').locator('option').allTextContents(), ['read']);
});

test('settings are saved within their bounds: lengths with a unit, numbers, and switches', async () => {
  const setting = (key: string, value: string, unit: string, [min, max]: [number, number], about: string) => ({
    key,
    value,
    unit,
    min,
    max,
    about,
    default: value,
  });
  const { page, shows, nextSent, readAgain } = await dashboard.open(
    '/admin/settings',
    {
      'GET /api/admin/settings': [
        setting('history_retention_minutes', '43200', 'minutes', [0, 52_704_000], 'how long'),
        setting('model_calls_per_hour', '1200', 'calls', [0, 100_000], 'how many'),
        setting('model_hide_names', '0', 'switch', [0, 1], 'whether'),
        { ...setting('mirror-ttl', '300', 'seconds', [30, 3600], 'the life'), default: '600' },
      ],
      'POST /api/admin/settings/history_retention_minutes': {},
      'POST /api/admin/settings/model_calls_per_hour': {},
      'POST /api/admin/settings/model_hide_names': {},
      'PUT /api/admin/settings/mirror-ttl': {},
    },
    'admin',
  );
  await shows('A change takes effect at once.');
  const rows = page.getByRole('list', { name: 'Settings' }).locator('> li');
  assert.equal(
    (await textsOf(rows)).map((text) => text.replaceAll('\u202f', ' ')),
    [
      'How long history_retention_minutes 30 days by default, 0 to 36 600 days Save',
      'How many model_calls_per_hour 1 200 calls by default, 0 to 100 000 calls Save',
      'Whether model_hide_names by default no',
      'The life mirror-ttl 10 minutes by default, 30 seconds to 1 hour Save',
    ],
  );
  const field = (index: number) => rows.nth(index).getByRole('textbox');
  const save = (index: number) => rows.nth(index).getByRole('button', { name: 'Save' });
  assert.is(await field(0).inputValue(), '30 days');
  for (const [index, text, isReady] of [
    [0, '30', false],
    [0, '720 h', false],
    [0, '36601 days', false],
    [0, '31 days', true],
    [1, '100001', false],
    [1, '', false],
    [1, '7', true],
    [3, '20 s', false],
    [3, '5 min', false],
    [3, '2 min', true],
  ] as const) {
    await field(index).fill(text);
    assert.is(await save(index).isEnabled(), isReady, `${index} ${text}`);
  }
  await field(0).fill('31');
  await shows('With a unit: 30 days');
  await field(0).fill('31 days');
  await save(0).click();
  assert.equal(await nextSent(), ['POST /api/admin/settings/history_retention_minutes {"value":"44640"}']);
  await field(1).fill('7');
  await save(1).click();
  assert.equal(await nextSent(), ['POST /api/admin/settings/model_calls_per_hour {"value":"7"}']);
  await rows.nth(2).getByRole('switch').press('Space');
  assert.equal(await nextSent(), ['POST /api/admin/settings/model_hide_names {"value":"1"}']);
  await field(3).fill('2 min');
  await save(3).click();
  assert.equal(await nextSent(), ['PUT /api/admin/settings/mirror-ttl {"seconds":120}']);
  await readAgain('/api/admin/settings', '/api/config');
});

test('the audit log says who did what to what, and is narrowed in the address', async () => {
  const row = (id: number, over: object = {}) => ({
    id,
    at: minutesAgo(5),
    user_id: 7,
    username: 'eve',
    address: '10.0.0.1',
    action: 'failure.ignore',
    target: 'shop/web',
    details: {},
    ...over,
  });
  const { page, shows, address, read } = await dashboard.open(
    '/admin/audit',
    {
      'GET /api/admin/audit': new Reply(200, [row(1), row(2, { username: '', details: { role: 'read' } })], {
        link: '</api/admin/audit?before=2>; rel="next"',
      }),
      'GET /api/admin/audit?before=2': [row(3, { target: 'older' })],
    },
    'admin',
  );
  await shows('region "Audit log"');
  assert.equal(await textsOf(page.getByRole('row')), [
    ...[
      'When Who What To what From',
      '5 minutes ago eve failure.ignore shop/web 10.0.0.1',
      '5 minutes ago nobody failure.ignore shop/web {"role":"read"} 10.0.0.1',
    ],
  ]);
  await page.getByRole('button', { name: 'Show more' }).click();
  await shows('older');
  const areas = await page.getByLabel('What about').locator('option').allTextContents();
  assert.equal(areas, [
    ...['Everything', 'advice', 'auth', 'excluded-namespace', 'excluded-pod', 'failure', 'finding', 'mirror', 'model', 'notification'],
    ...['scan', 'setting', 'suppression', 'token', 'trusted-registry', 'user'],
  ]);
  await page.getByLabel('What about').selectOption('mirror');
  await page.getByLabel('From', { exact: true }).fill('2026-01-30');
  await page.getByLabel('To', { exact: true }).fill('2026-01-31');
  await page.getByLabel('Who').fill('bob');
  await page.getByLabel('Search').fill('web');
  const asked = 'username=bob&action=mirror&q=web&from=2026-01-30T00%3A00%3A00.000Z&to=2026-02-01T00%3A00%3A00.000Z&limit=50';
  await until(() => read().includes(`GET /api/admin/audit?${asked}`), { what: 'the narrowed log' });
  await until(
    () =>
      [...new URLSearchParams(address())]
        .map((pair) => pair.join('='))
        .sort()
        .join(' ') === 'action=mirror q=web since=2026-01-30 until=2026-01-31 who=bob',
    { what: () => address() },
  );
  const none = await dashboard.open('/admin/audit?since=x', { 'GET /api/admin/audit': [] }, 'admin');
  const shown = await none.shows('Nothing here matches', 'Change what is shown above.');
  assert.not.ok(shown.includes('region "Audit log"'));
  assert.ok(none.read().includes('GET /api/admin/audit?limit=50'));
});

const COST = { calls: 0, failed: 0, input_tokens: 0, output_tokens: 0, since: null, days: [] };
const MODEL: ModelStatus = {
  ...{
    configured: true,
    provider: 'openai',
    model: 'm-1',
    base_url: null,
    api_key: '***',
    source: 'database',
    updated_at: minutesAgo(9),
    problem: null,
  },
  ...{
    available: true,
    held_back: null,
    held_until: null,
    calls_last_hour: 3,
    tokens_last_hour: 4500,
    pending: 1,
    last_error: null,
    cost: COST,
  },
};

test('the model says what it is, how it works and what it cost', async () => {
  const days = [
    { day: '2026-01-01', calls: 1, failed: 0, input_tokens: 10, output_tokens: 5 },
    { day: '2026-01-02', calls: 2, failed: 1, input_tokens: 3000, output_tokens: 6 },
  ];
  const { page, shows } = await dashboard.open(
    '/admin/model',
    { 'GET /api/admin/llm/status': { ...MODEL, cost: { ...days[1], calls: 3, input_tokens: 3010, output_tokens: 11, since: null, days } } },
    'admin',
  );
  await shows('Cost of the last seven days', 'Your provider’s price list says what a token costs.');
  assert.is(
    await textOf(page.locator('main dl')),
    'Model m-1 of openai State Is asked Last hour 3 questions, 4,500 tokens Waiting one incident',
  );
  assert.equal(await marksOf(page.locator('main dl'), 'state'), ['ok: Is asked']);
  assert.equal(await textsOf(page.getByRole('row')), [
    ...[
      'Day (UTC) Questions Without an answer Tokens sent Tokens received',
      '2026-01-02 2 1 3,000 6',
      '2026-01-01 1 0 10 5',
      'All 3 1 3,010 11',
    ],
  ]);
  for (const [over, text] of [
    [
      { available: false, held_back: 'hourly limit', held_until: inMinutes(30), pending: 4, source: 'environment', last_error: 'It broke' },
      'Model m-1 of openai, from the environment of the operator State Is not asked now: hourly limit, again in 30 minutes Last hour 3 questions, 4,500 tokens Waiting 4 incidents Last error It broke',
    ],
    [
      { configured: false, available: false, problem: 'No key' },
      'Model m-1 of openai State No key Last hour 3 questions, 4,500 tokens Waiting one incident',
    ],
  ] as const) {
    const one = await dashboard.open('/admin/model', { 'GET /api/admin/llm/status': { ...MODEL, ...over } }, 'admin');
    await one.shows('It was asked nothing in the last seven days, so it cost nothing.');
    const state = 'source' in over ? 'Is not asked now: hourly limit' : 'No key';
    assert.equal(await marksOf(page.locator('main dl'), 'state'), [`degraded: ${state}`]);
    assert.is(await textOf(page.locator('main dl')), text);
    assert.is(await page.getByRole('button', { name: 'Remove' }).count(), 'source' in over ? 0 : 1);
  }
});

test('a model is tested before it is saved, and removed', async () => {
  const none = {
    ...MODEL,
    configured: false,
    provider: null,
    model: null,
    api_key: null,
    source: null,
    updated_at: null,
    available: false,
  };
  const { page, shows, sent, nextSent, answer, readAgain } = await dashboard.open(
    '/admin/model',
    {
      'GET /api/admin/llm/status': none,
      'POST /api/admin/llm/test': { success: false, message: 'No such model', reason: 'unknown-model', duration_ms: 1234 },
      'POST /api/admin/llm/config': {},
    },
    'admin',
  );
  await shows('None is set up, and none is needed: the rules explain every failure. With one, explanations cover what no rule knows.');
  const form = page.getByRole('form', { name: 'Language model' });
  assert.equal(await form.getByLabel('Provider').locator('option').allTextContents(), [
    'Anthropic',
    'OpenAI',
    'A server with OpenAI’s interface',
    'Azure',
    'Gemini',
  ]);
  assert.is(await form.getByLabel('Provider').inputValue(), 'anthropic');
  const key = form.getByRole('textbox', { name: 'Key' });
  const needed = async () => [
    await form.getByLabel('Address').getAttribute('required'),
    await form.getByLabel('Address').getAttribute('placeholder'),
    await key.getAttribute('required'),
  ];
  assert.equal(await needed(), [null, 'the provider’s own', '']);
  assert.ok(await form.getByRole('button', { name: 'Save' }).isDisabled());
  await form.getByLabel('Provider').selectOption('azure');
  await form.getByLabel('Deployment').waitFor();
  assert.equal(await needed(), ['', 'https://…', '']);
  await form.getByLabel('Provider').selectOption('openai-compatible');
  assert.equal(await needed(), ['', 'https://…', null]);
  await form.getByRole('textbox', { name: 'Model' }).fill(' m-2 ');
  await form.getByLabel('Address').fill(' https://llm.example ');
  await form.getByRole('button', { name: 'Test' }).click();
  await shows('It does not work', 'No such model (1.2 s, unknown-model)');
  assert.equal(sent(), ['POST /api/admin/llm/test {"provider":"openai-compatible","model":"m-2","base_url":"https://llm.example"}']);
  answer({
    'POST /api/admin/llm/test': { success: true, message: 'm-2 answered', reason: null, duration_ms: 900 },
    'GET /api/admin/llm/status': { ...MODEL, updated_at: minutesAgo(0) },
    'DELETE /api/admin/llm/config': new Reply(204),
  });
  await key.fill('k');
  await form.getByRole('button', { name: 'Test' }).click();
  await shows('It works', 'm-2 answered (0.9 s)');
  sent();
  await form.getByRole('button', { name: 'Save' }).click();
  assert.equal(await nextSent(), [
    'POST /api/admin/llm/config {"provider":"openai-compatible","model":"m-2","base_url":"https://llm.example","api_key":"k"}',
  ]);
  await until(async () => (await form.getByRole('textbox', { name: 'Model' }).inputValue()) === 'm-1', { what: 'the saved model' });
  sent();
  await form.getByRole('button', { name: 'Test' }).click();
  assert.equal(await nextSent(), ['POST /api/admin/llm/test {"provider":"openai","model":"m-1","base_url":null,"api_key":"***"}']);
  await form.getByRole('button', { name: 'Remove' }).click();
  await form.getByRole('button', { name: 'Remove it: the rules explain' }).click();
  assert.equal(await nextSent(), ['DELETE /api/admin/llm/config']);
  await readAgain('/api/admin/llm/status', '/api/config');
});

if (chromium) test.run();
