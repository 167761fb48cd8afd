import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Fastify from 'fastify';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { serveRedoc } from '../../src/api/redoc.ts';
import { testApp, type TestApp } from '../support/worlds/app.ts';

const BUNDLE = new URL('../../node_modules/redoc/bundles/redoc.standalone.js', import.meta.url);

let it: TestApp;
const redoc = suite('redoc');
redoc.before(async () => {
  it = await testApp();
});
redoc.after(() => it.close());

const get = (url: string) => it.send('nobody', { url });

redoc('is a page over our own description, with its bundle from here alone', async () => {
  const page = await get('/redoc');
  assert.equal([page.statusCode, page.headers['content-type']], [200, 'text/html; charset=utf-8']);
  assert.match(page.body, 'spec-url="/docs/json"');
  assert.not.match(page.body, /https?:|\/\//);
  const [src = ''] = [...page.body.matchAll(/src="([^"]+)"/g)].map((match) => match[1] ?? '');
  const bundle = await get(src);
  assert.is(bundle.statusCode, 200);
  assert.match(String(bundle.headers['content-type']), 'javascript');
  assert.is(bundle.body, await readFile(BUNDLE, 'utf8'));
  assert.is((await it.send('nobody', { url: src, headers: { 'if-none-match': String(bundle.headers.etag) } })).statusCode, 304);
});

redoc('allows itself styles and a worker of its own, and no script but the bundle', async () => {
  const policy = String((await get('/redoc')).headers['content-security-policy']).split(';');
  const of = (name: string) => policy.find((one) => one.startsWith(`${name} `));
  assert.equal(
    [of('default-src'), of('script-src'), of('connect-src'), of('worker-src'), of('frame-ancestors')],
    ["default-src 'none'", "script-src 'self'", "connect-src 'self'", 'worker-src blob:', "frame-ancestors 'none'"],
  );
  assert.not.match(policy.join(), /unsafe-eval|https?:|\*/);
});

for (const path of ['LICENSE', 'redoc.standalone.js.map', '..%2f..%2fpackage.json', '%2e%2e/package.json', '.', '']) {
  redoc(`serves nothing else from its folder: /redoc/${path}`, async () => {
    const answer = await get(`/redoc/${path}`);
    assert.ok([400, 403, 404].includes(answer.statusCode), `${answer.statusCode}`);
    assert.equal(Object.keys(answer.json()), ['detail']);
  });
}

redoc('reads the bundle again for each request, without a cache', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'podmend-redoc-'));
  const app = Fastify();
  await serveRedoc(app, `${folder}/`);
  for (const text of ['one', 'and another']) {
    await writeFile(join(folder, 'redoc.standalone.js'), text);
    assert.is((await app.inject({ url: '/redoc/redoc.standalone.js' })).body, text);
  }
  await app.close();
  await rm(folder, { recursive: true });
});

redoc.run();
