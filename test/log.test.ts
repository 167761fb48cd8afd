import { spawnSync } from 'node:child_process';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createLog } from '../src/log.ts';

function linesOf(write: (log: ReturnType<typeof createLog>) => void, level = 'info'): string[] {
  const lines: string[] = [];
  write(createLog({ level }, { write: (line) => void lines.push(line) }));
  return lines;
}

const leaks: [string, object | string][] = [
  ['a password field', { password: 'hunter2' }],
  ['a secret with quotes in it', { client_secret: 'x"hunter2' }],
  ['a nested key', { provider: { config: { api_key: 'hunter2' } } }],
  ['a key in a list', { users: [{ name: 'a', token: 'hunter2' }] }],
  ['a header', { headers: { 'X-Service-Token': 'hunter2', authorization: 'Bearer hunter2' } }],
  ['a list of values', { headers: { cookie: ['monitor_session=hunter2', 'b=hunter2'] } }],
  ['a query string', { url: '/api/ws?token=hunter2&after=1' }],
  ['a second parameter', { url: '/api/pods/a/b/logs/stream?tail_lines=5&token=hunter2' }],
  ['an encoded query string', { url: '/api/ws?token=%68unter2hunter2' }],
  ['a connection string', { address: 'postgres://podmend:hunter2@db:5432/podmend' }],
  ['a connection string under its own name', { databaseUrl: 'hunter2' }],
  ['a webhook', { webhook_url: 'https://hooks.example/hunter2' }],
  ['a bearer token in a text', { detail: 'sent Authorization: Bearer hunter2hunter2' }],
  ['a message', 'GET http://podmend:8000/api/ws?token=hunter2 failed'],
  ['an error', { err: new Error('cannot reach postgres://podmend:hunter2@db/podmend') }],
  ['a number', { setup_token: 4711 }],
];

const SECRET_KEYS = [
  ...['password', 'passwd', 'secret', 'token', 'authorization', 'cookie', 'set-cookie', 'x-service-token', 'connection_string'],
  ...['connectionString', 'database_url', 'databaseUrl', 'webhook_url', 'webhookUrl', 'setup_token', 'service-token', 'accessToken'],
  ...['refresh_token', 'id_token', 'session_token', 'bearer_token', 'client_secret', 'sessionSecret', 'signing-secret', 'api_key'],
  ...['apiKey', 'private-key', 'encryption_key', 'secret_key', 'PASSWORD'],
];
test('the value of a secret key is masked, in a field and in an address', () => {
  for (const key of SECRET_KEYS) {
    assert.is((JSON.parse(linesOf((log) => log.info({ [key]: 'hunter2' }))[0] ?? '') as Record<string, unknown>)[key], '***', key);
    assert.match(linesOf((log) => log.info({ url: `/a?b=1&${key}=hunter2#c` }))[0] ?? '', `/a?b=1&${key}=***#c`);
  }
  for (const key of ['tokens', 'keys', 'token_count', 'secretName', 'cookies', 'path'])
    assert.match(linesOf((log) => log.info({ [key]: 'open' }))[0] ?? '', 'open', key);
});

for (const [name, fields] of leaks) {
  test(`${name} never reaches the log`, () => {
    const [line = ''] = linesOf((log) => (typeof fields === 'string' ? log.info(fields) : log.info(fields, 'something happened')));
    assert.not.match(line, /hunter2|4711/);
    assert.match(line, '***');
    assert.type(JSON.parse(line), 'object', 'masking leaves the line JSON');
  });
}

test('of an error, what a driver hangs on it stays out; causes and codes are kept', () => {
  const driver = Object.assign(new Error('no such table'), { code: '42P01', params: ['hunter2'], detail: 'Key (hunter2) exists' });
  const [line = ''] = linesOf((log) => log.error({ err: new Error('cannot store', { cause: driver }) }, 'failed'));
  assert.not.match(line, 'hunter2');
  assert.match(line, 'cannot store: no such table');
  assert.match(linesOf((log) => log.error(driver))[0] ?? '', '"code":"42P01"');
});

const ENDS: [string, string, number][] = [
  ['exits at once', 'process.exit(3)', 3],
  ['throws', 'throw new Error()', 1],
  ['has nothing left to do', '', 0],
];
for (const [what, end, code] of ENDS) {
  test(`no line is lost, and their order is kept, when the process ${what}`, () => {
    const program = `import { createLog } from ${JSON.stringify(new URL('../src/log.ts', import.meta.url).href)};
      const log = createLog({ level: 'info' });
      for (let n = 0; n < 5000; n++) log.info({ n }, 'counted');
      setTimeout(() => { log.info({ n: 5000 }, 'counted'); ${end} }, 10);`;
    const ended = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
    assert.is(ended.status, code);
    const counted = ended.stdout
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { n: number }).n);
    assert.equal(
      counted,
      Array.from({ length: 5001 }, (_, n) => n),
    );
  });
}

test('an ordinary line stays as it is', () => {
  const fields = { namespace: 'shop', pod: 'web-1', tokens: 3, secretName: 'web-tls', url: '/api/pods/failed?limit=10' };
  const line = JSON.parse(linesOf((log) => log.info(fields, 'reported'))[0] ?? '') as Record<string, unknown>;
  const { time, ...rest } = line;
  assert.equal(rest, { level: 'info', ...fields, msg: 'reported' });
  assert.match(String(time), /^\d{4}-.+Z$/);
});

test('a token is masked wherever it stands, and the line stays JSON', () => {
  const token = ['ghp', 'a1B2'.repeat(9)].join('_');
  const key = ['-----BEGIN PRIVATE KEY-----', 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC', 'and "more"'].join('\n');
  const lines = linesOf((log) => {
    log.info({ url: `/x/${token}`, note: `said "token is ${token}"` }, 'sent');
    log.warn({ err: new Error(`cannot use ${token}: ${key}`) }, 'failed');
  });
  assert.is(lines.length, 2);
  for (const line of lines) {
    assert.not.match(line, /a1B2|MIIEv/);
    assert.type(JSON.parse(line), 'object');
  }
});

test('a child logger masks as well, and the level is kept', () => {
  const lines = linesOf((log) => {
    const child = log.child({ component: 'agent', token: 'hunter2' });
    child.info('not shown');
    child.warn('shown');
  }, 'warn');
  assert.is(lines.length, 1);
  assert.match(lines[0] ?? '', '"component":"agent","token":"***"');
});

test.run();
