import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { aFailureReport } from '../support/builders/report.ts';
import { testApp, type TestApp } from '../support/worlds/app.ts';

// The server compresses long answers for clients that accept it. The content stays the same.

let it: TestApp;
const test = suite('compression');
test.before(async () => {
  it = await testApp();
  for (let n = 0; n < 20; n++) {
    const payload = aFailureReport({ pod_name: `web-${n}`, pod_uid: `uid-${n}`, workload: { kind: 'Deployment', name: `w${n}` } });
    await it.send('service', { method: 'POST', url: '/api/pods/failed', payload });
  }
});
test.after(() => it.close());

const ask = (url: string, accepted?: string, known?: string) =>
  it.send('read', {
    url,
    headers: { ...(accepted !== undefined && { 'accept-encoding': accepted }), ...(known && { 'if-none-match': known }) },
  });

for (const url of ['/api/incidents', '/api/pods/failed?limit=20']) {
  for (const [accepted, encoding] of [
    ['br', 'br'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP;q=0.8', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0.0', undefined],
    ['identity', undefined],
    ['brotli', undefined],
    ['', undefined],
    [undefined, undefined],
  ] as const) {
    test(`${url} for ${accepted ?? '(nothing)'}: ${encoding ?? 'as it is'}`, async () => {
      const plain = await ask(url);
      const answer = await ask(url, accepted);
      assert.is(answer.headers['content-encoding'], encoding);
      if (!encoding) return assert.is(answer.body, plain.body);
      assert.is(answer.headers.vary, 'accept-encoding');
      assert.is(Number(answer.headers['content-length']), answer.rawPayload.length);
      const read = encoding === 'br' ? brotliDecompressSync : gunzipSync;
      assert.is(read(answer.rawPayload).toString(), plain.body);
      assert.ok(answer.rawPayload.length < plain.rawPayload.length / 2);
      assert.is(answer.headers.etag, `W/${String(plain.headers.etag)}`);
      const again = await ask(url, accepted, String(answer.headers.etag));
      assert.equal([again.statusCode, again.rawPayload.length], [304, 0]);
    });
  }
}

test('short answers, errors and pages that are no JSON stay as they are', async () => {
  for (const url of ['/api/config', '/api/incidents?limit=1', '/api/nothing', '/docs'])
    assert.is((await ask(url, 'br')).headers['content-encoding'], undefined, url);
});

test('a list that is streamed is compressed once', async () => {
  const answer = await ask('/api/pods/failed', 'br');
  assert.is(JSON.parse(brotliDecompressSync(answer.rawPayload).toString()).length, 20);
});

test('answers to agents and scanners are never compressed', async () => {
  const events = Array.from({ length: 90 }, (_, n) => ({ reason: `R${n}`, message: 'x'.repeat(900) }));
  const payload = aFailureReport({ pod_name: 'long-1', pod_uid: 'uid-long', events });
  const answer = await it.send('service', { method: 'POST', url: '/api/pods/failed', payload, headers: { 'accept-encoding': 'br' } });
  assert.ok(answer.rawPayload.length > 4_096, String(answer.rawPayload.length));
  assert.is(answer.headers['content-encoding'], undefined);
});

test.run();
