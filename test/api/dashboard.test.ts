import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { SESSION_COOKIE } from '../../src/contract/auth.ts';
import { DatabaseUnavailable } from '../../src/db/errors.ts';
import { type TestApp, testApp } from '../support/worlds/app.ts';

const test = suite('serving the dashboard');

const INLINE = 'document.title = "x"';
const HEAD = '<meta property="csp-nonce" nonce="__CSP_NONCE__"><script src="/assets/index-1.js" nonce="__CSP_NONCE__"></script>';
const PAGE = `<head>${HEAD}<script nonce="__CSP_NONCE__">${INLINE}</script></head>`;
const CHUNKS = { overview: ['assets/overview-1.js'], incidents: ['assets/incidents-1.js', 'assets/incidents-1.css'], incident: [] };
const SCRIPT = 'console.log("hello");'.repeat(100);
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

let folder: string;
let it: TestApp;
test.before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'podmend-dashboard-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), PAGE);
  writeFileSync(join(folder, 'console.html'), `${PAGE}<nav></nav>`);
  writeFileSync(join(folder, 'chunks.json'), JSON.stringify(CHUNKS));
  writeFileSync(join(folder, 'sources'), 'secret of the build');
  writeFileSync(join(folder, 'assets/index-1.js'), SCRIPT);
  writeFileSync(join(folder, 'assets/index-1.js.gz'), gzipSync(SCRIPT));
  it = await testApp(() => ({ dashboard: folder }));
});
test.after(async () => {
  await it.close();
  rmSync(folder, { recursive: true });
});

const get = (url: string, headers: Record<string, string> = BROWSER) => it.send('nobody', { method: 'GET', url, headers });

for (const url of ['/', '/failures/12', '/failures/12?list=ignored', '/anything', '/apis', '/index.html']) {
  test(`${url} is the page, which must not be cached`, async () => {
    const answer = await get(url);
    assert.is(answer.statusCode, 200);
    assert.match(String(answer.headers['content-type']), 'text/html');
    assert.is(answer.headers['cache-control'], 'no-store');
    assert.match(answer.body, 'csp-nonce');
  });
}

test('scripts come from here alone; styles too, or carry the nonce of this very answer', async () => {
  const [one, two] = [await get('/'), await get('/')];
  const policies = [one, two].map(({ headers }) => String(headers['content-security-policy']));
  const nonces = [one, two].map(({ body }) => /nonce="([^"]{24})"/.exec(body)?.[1] ?? 'none');
  assert.is.not(nonces[0], nonces[1]);
  for (const [index, policy] of policies.entries()) {
    assert.match(policy, `style-src 'self' 'nonce-${nonces[index]}'`);
    assert.match(policy, /default-src 'none';.*frame-ancestors 'none';.*script-src 'self' 'sha256-[\w+/=]{44}'(;|$)/);
    assert.match(policy, `'sha256-${createHash('sha256').update(INLINE).digest('base64')}'`);
    assert.not.match(policy, /unsafe|https?:/);
    assert.not.match([one, two][index]?.body ?? '', 'CSP_NONCE');
  }
});

for (const [url, asked] of [
  ['/', ['modulepreload" crossorigin href="/assets/overview-1.js']],
  [
    '/incidents',
    ['modulepreload" crossorigin href="/assets/incidents-1.js', 'preload" as="style" crossorigin href="/assets/incidents-1.css'],
  ],
  ['/incidents?list=resolved', ['modulepreload" crossorigin href="/assets/incidents-1.js', 'incidents-1.css']],
  ['/incidents/12', []],
  ['/constructor', []],
  ['//', ['assets/overview-1.js']],
] as const) {
  test(`with a session ${url} shows the frame, and asks for ${asked.length} files of its screen early`, async () => {
    const { body, statusCode } = await it.send('read', { method: 'GET', url, headers: BROWSER });
    assert.is(statusCode, 200);
    assert.match(body, '<nav>');
    assert.is(body.split('preload').length - 1, asked.length, body);
    for (const one of asked) assert.match(body, one);
    assert.not.match((await get(url)).body, /<nav>|preload/);
  });
}

test('the page with a session names its user, whatever the name is, and nothing of the session', async () => {
  const username = `"><script>$&'`;
  await it.store.db.updateTable('users').set({ username }).where('username', '=', 'the-write').execute();
  const { body } = await it.send('write', { method: 'GET', url: '/', headers: BROWSER });
  const [, content = ''] = /<meta name="user" content="([^"]*)">/.exec(body) ?? [];
  assert.not.match(content, /[<>]/);
  const text = content.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
  const me = await it.send('write', { method: 'GET', url: '/api/auth/me' });
  assert.equal(JSON.parse(text), me.json());
  assert.is(me.json<{ username: string }>().username, username);
  assert.not.match((await get('/')).body, 'name="user"');
});

for (const [what, cookie] of [
  ['an invented cookie', async () => 'anything'],
  ['an unsigned cookie', async () => newSession()],
  ['an empty cookie', async () => ''],
  [
    'an ended session',
    async () => {
      const token = await newSession();
      await it.deps.sessions.end((await it.deps.sessions.find(token, it.deps.now()))?.id ?? '');
      return it.app.signCookie(token);
    },
  ],
  ['an expired session', async () => it.app.signCookie(await newSession(8 * 24 * 60 * 60_000))],
] as const) {
  test(`${what} does not show the frame`, async () => {
    const { body, statusCode } = await get('/', { ...BROWSER, cookie: `${SESSION_COOKIE}=${await cookie()}` });
    assert.is(statusCode, 200);
    assert.match(body, 'csp-nonce');
    assert.not.match(body, /<nav>|preload/);
  });
}

/** The token of a session that began `agoMs` ago. */
async function newSession(agoMs = 0): Promise<string> {
  const [user] = await it.store.db.selectFrom('users').select('id').execute();
  return (await it.deps.sessions.begin(user?.id ?? 0, '127.0.0.1', new Date(it.deps.now().getTime() - agoMs))).token;
}

test('without the database, the page comes without the frame', async () => {
  const find = async () => {
    throw new DatabaseUnavailable('test');
  };
  const away = await testApp(({ sessions }) => ({ dashboard: folder, sessions: { ...sessions, find } }));
  const { body, statusCode } = await away.send('read', { method: 'GET', url: '/', headers: BROWSER });
  assert.is(statusCode, 200);
  assert.not.match(body, /<nav>|preload/);
  await away.close();
});

test('files with a hash in their name may be cached for ever, and come compressed to clients that accept it', async () => {
  const plain = await get('/assets/index-1.js', {});
  assert.is(plain.body, SCRIPT);
  assert.is(plain.headers['cache-control'], 'public, max-age=31536000, immutable');
  assert.match(String(plain.headers['content-type']), 'javascript');
  assert.is(plain.headers['x-content-type-options'], 'nosniff');
  const small = await get('/assets/index-1.js', { 'accept-encoding': 'gzip' });
  assert.is(small.headers['content-encoding'], 'gzip');
  assert.match(String(small.headers['content-type']), 'javascript');
  assert.ok(small.rawPayload.length < SCRIPT.length / 4);
});

for (const [what, url, headers] of [
  ['an unknown address of the API', '/api/unknown', BROWSER],
  ['the API itself', '/api', BROWSER],
  ['the API with a query', '/api?x=1', BROWSER],
  ['a file that is not there', '/assets/index-2.js', BROWSER],
  ['the folder of files', '/assets/', BROWSER],
  ['what lies beside that folder', '/assets/../sources', BROWSER],
  ['the same in disguise', '/assets/..%2fsources', BROWSER],
  ['a script that asks for nothing known', '/nothing', { accept: '*/*' }],
  ['a client without Accept', '/nothing', {}],
] as const) {
  test(`${what}: refused in JSON`, async () => {
    const answer = await get(url, { ...headers });
    assert.not.match(answer.body, 'secret');
    if (url.includes('..') && answer.statusCode === 200) return assert.match(answer.body, 'csp-nonce');
    assert.is(answer.statusCode, url.endsWith('/assets/') ? 403 : 404, answer.body);
    assert.type(answer.json<{ detail: string }>().detail, 'string');
    assert.is(answer.headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'");
  });
}

test('only reading an unknown address shows the page', async () => {
  for (const method of ['POST', 'PUT', 'DELETE'] as const) {
    const answer = await it.send('nobody', { method, url: '/failures/1', headers: BROWSER });
    assert.is(answer.statusCode, 404, method);
    assert.equal(answer.json(), { detail: 'Not found' });
  }
});

test('when the dashboard is not built, a page without scripts says so', async () => {
  const bare = await testApp();
  const answer = await bare.send('nobody', { method: 'GET', url: '/', headers: BROWSER });
  assert.is(answer.statusCode, 200);
  assert.match(answer.body, 'npm run build');
  assert.not.match(String(answer.headers['content-security-policy']), 'script-src');
  assert.is((await bare.send('nobody', { method: 'GET', url: '/assets/index-1.js' })).statusCode, 404);
  await bare.close();
});

test.run();
