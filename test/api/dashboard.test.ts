import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type TestApp, testApp } from '../support/worlds/app.ts';

const test = suite('serving the dashboard');

const PAGE = '<meta property="csp-nonce" nonce="__CSP_NONCE__"><script src="/assets/index-1.js" nonce="__CSP_NONCE__"></script>';
const SCRIPT = 'console.log("hello");'.repeat(100);
const BROWSER = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

let folder: string;
let it: TestApp;
test.before(async () => {
  folder = mkdtempSync(join(tmpdir(), 'podmend-dashboard-'));
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'index.html'), PAGE);
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
  test(`${url} is the page, which nobody keeps`, async () => {
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
    assert.match(policy, /default-src 'none';.*frame-ancestors 'none';.*script-src 'self'(;|$)/);
    assert.not.match(policy, /unsafe|https?:/);
    assert.not.match([one, two][index]?.body ?? '', 'CSP_NONCE');
  }
});

test('files whose name holds a hash may be kept for ever, and come compressed to whoever takes that', async () => {
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
  ['who says nothing of what they take', '/nothing', {}],
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

test('where it is not built, a page without scripts says so', async () => {
  const bare = await testApp();
  const answer = await bare.send('nobody', { method: 'GET', url: '/', headers: BROWSER });
  assert.is(answer.statusCode, 200);
  assert.match(answer.body, 'npm run build');
  assert.not.match(String(answer.headers['content-security-policy']), 'script-src');
  assert.is((await bare.send('nobody', { method: 'GET', url: '/assets/index-1.js' })).statusCode, 404);
  await bare.close();
});

test.run();
