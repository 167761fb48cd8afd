import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addressRule, allowedAddress, HttpError, httpClient, type HttpOptions, type Lookup } from '../src/http.ts';
import { modelClients } from '../src/models/wire.ts';
import { clientsFor } from '../src/notifications/send.ts';
import type { Target } from '../src/notifications/types/service.ts';
import { localCertificate } from './support/network/certificates.ts';
import { type ConnectProxy, connectProxy, type ProxyMood } from './support/network/connect-proxy.ts';

let answer: RequestListener = (_request, response) => response.end();
const server = createServer((request, response) => answer(request, response));
let base = '';

const http = suite('http');
http.before(async () => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
http.after(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

async function failureOf(work: Promise<unknown>): Promise<HttpError> {
  try {
    await work;
  } catch (error) {
    assert.instance(error, HttpError);
    return error as HttpError;
  }
  throw new Error('it answered');
}

http('sends method, headers and body, and answers status, headers and body of any kind', async () => {
  answer = (request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      response.writeHead(422, { 'Content-Type': 'text/plain', 'X-Two': ['a', 'b'] });
      response.end(`${request.method} ${String(request.headers['x-service-token'])} ${body}`);
    });
  };
  const ask = httpClient({ timeoutMs: 2_000, maxBytes: 100 });
  const { status, headers, body } = await ask(`${base}/a`, { method: 'POST', headers: { 'X-Service-Token': 't' }, body: 'grüße' });
  assert.is(status, 422);
  assert.is(body, 'POST t grüße');
  assert.equal([headers['content-type'], headers['x-two']], ['text/plain', 'a, b']);
});

http('does not follow a redirect', async () => {
  answer = (_request, response) => response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end();
  assert.is((await httpClient({ timeoutMs: 2_000, maxBytes: 100 })(base)).status, 302);
});

http('an answer of exactly the cap is taken, one byte more is not', async () => {
  answer = (request, response) => response.end('x'.repeat(Number(request.url?.slice(1))));
  const ask = httpClient({ timeoutMs: 2_000, maxBytes: 100_000 });
  assert.is((await ask(`${base}/100000`)).body.length, 100_000);
  assert.is((await failureOf(ask(`${base}/100001`))).code, 'TOO_LARGE');
});

http('the deadline covers an answer that trickles', async () => {
  answer = (_request, response) => {
    response.write('a');
    const drip = setInterval(() => response.write('a'), 20);
    response.on('close', () => clearInterval(drip));
  };
  const error = await failureOf(httpClient({ timeoutMs: 150, maxBytes: 100_000 })(base));
  assert.is(error.code, 'TIMEOUT');
  assert.match(error.message, 'no answer within 150 ms');
});

http('the deadline covers silence before the first byte', async () => {
  answer = () => {};
  assert.is((await failureOf(httpClient({ timeoutMs: 100, maxBytes: 100 })(base))).code, 'TIMEOUT');
});

http('the caller may give up', async () => {
  answer = () => {};
  const error = await failureOf(httpClient({ timeoutMs: 5_000, maxBytes: 100 })(base, { signal: AbortSignal.timeout(50) }));
  assert.is(error.code, 'ABORTED');
});

http('a connection that is cut in the middle is a failure, not half an answer', async () => {
  answer = (_request, response) => {
    response.writeHead(200, { 'Content-Length': '1000' });
    response.write('half');
    setTimeout(() => response.destroy(), 20);
  };
  assert.match((await failureOf(httpClient({ timeoutMs: 2_000, maxBytes: 10_000 })(base))).code, /UND_ERR_SOCKET|ECONNRESET/);
});

http('nobody listens: the error has the network’s own code, and no secret of the address', async () => {
  const error = await failureOf(
    httpClient({ timeoutMs: 2_000, maxBytes: 100 })('http://user:hunter2@127.0.0.1:1/path?token=hunter2#hunter2'),
  );
  assert.is(error.code, 'ECONNREFUSED');
  assert.is(error.message, 'http://127.0.0.1:1/path: no answer (ECONNREFUSED)');
  assert.not.match(JSON.stringify([error.stack, error]), 'hunter2');
});

http('an address that is no URL is a failure like any other', async () => {
  assert.not.match((await failureOf(httpClient({ timeoutMs: 2_000, maxBytes: 100 })('hunter2 not a url'))).message, 'hunter2');
});

const NOT_PUBLIC = (
  '127.0.0.1 127.9.9.9 0.0.0.0 10.0.0.1 172.16.0.1 172.31.255.255 192.168.1.1 169.254.169.254 100.64.0.1 192.0.2.1 198.18.0.1 224.0.0.1 255.255.255.255 ' +
  '::1 :: ::ffff:10.0.0.1 ::ffff:a00:1 ::10.0.0.1 64:ff9b::a00:1 ::ffff:0:a00:1 2002:a00:1:: fe80::1 fc00::1 fd12::1 ff02::1 2001:db8::1'
).split(' ');
const PUBLIC = '1.1.1.1 8.8.8.8 172.15.0.1 172.32.0.1 100.128.0.1 2606:4700::1111 ::ffff:8.8.8.8'.split(' ');

/** Ranges by their first and last address, and public neighbours. */
const RANGES: [first: string, last: string, ...outside: string[]][] = [
  ['0.0.0.0', '0.255.255.255', '1.0.0.0'],
  ['10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
  ['100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
  ['127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
  ['169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
  ['172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
  ['192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
  ['192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
  ['192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
  ['192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
  ['198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
  ['198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
  ['203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
  ['224.0.0.0', '239.255.255.255', '223.255.255.255'],
  ['240.0.0.0', '255.255.255.255'],
  ['::', '::255.255.255.255'],
  ['::ffff:0:0:0', '::ffff:0:ffff:ffff'],
  ['64:ff9b::', '64:ff9b::ffff:ffff'],
  ['64:ff9b:1::', '64:ff9b:1:ffff:ffff:ffff:ffff:ffff'],
  ['100::', '100::ffff:ffff:ffff:ffff'],
  ['2001::', '2001:1ff:ffff:ffff:ffff:ffff:ffff:ffff', '2001:200::'],
  ['2001:db8::', '2001:db8:ffff:ffff:ffff:ffff:ffff:ffff', '2001:db7:ffff::', '2001:db9::'],
  ['2002::', '2002:ffff:ffff:ffff:ffff:ffff:ffff:ffff', '2003::'],
  ['3fff::', '3fff:fff:ffff:ffff:ffff:ffff:ffff:ffff', '3ffe::'],
  ['5f00::', '5f00:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fc00::', 'fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fe80::', 'febf:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['fec0::', 'feff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
  ['ff00::', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'],
];

http('each range that is not public is refused from its first to its last address, and no address beside it', () => {
  const mayReach = addressRule([]);
  for (const [first, last, ...outside] of RANGES) {
    for (const address of [first, last]) assert.is(mayReach(address), false, address);
    for (const address of outside) assert.is(mayReach(address), true, address);
  }
});

http('an address of a host for other protocols is the first one, or none when one of them is not allowed', async () => {
  const found = (...addresses: string[]): Lookup => {
    const rows = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    return (_host, _options, done) => done(null, rows);
  };
  const failing =
    (code: string): Lookup =>
    (_host, _options, done) =>
      done(Object.assign(new Error('no'), { code }), []);
  const never: Lookup = () => assert.unreachable('an address is not looked up');
  assert.is(await allowedAddress('mail.example', [], found('8.8.8.8', '1.1.1.1')), '8.8.8.8');
  assert.is(await allowedAddress('mail.example', ['10.0.0.0/8'], found('10.0.0.1')), '10.0.0.1');
  assert.is(await allowedAddress('8.8.8.8', [], never), '8.8.8.8');
  assert.is(await allowedAddress('fd00::1', ['fd00::/8'], never), 'fd00::1');
  const rows: [host: string, lookup: Lookup, code: string, message: RegExp][] = [
    ['10.0.0.1', never, 'PRIVATE', /^10\.0\.0\.1: not a public address \(ALLOW_PRIVATE_ADDRESSES /],
    ['mail.example', found('8.8.8.8', '10.0.0.1'), 'PRIVATE', /^mail\.example: not a public address/],
    ['mail.example', found(), 'ENOTFOUND', /^mail\.example: no address \(ENOTFOUND\)$/],
    ['mail.example', failing('EAI_AGAIN'), 'EAI_AGAIN', /^mail\.example: no address \(EAI_AGAIN\)$/],
  ];
  for (const [host, lookup, code, message] of rows) {
    const error = await failureOf(allowedAddress(host, [], lookup));
    assert.equal([error.code, error.address], [code, host]);
    assert.match(error.message, message);
  }
});

http('where only some ranges may be reached, a public address may not', async () => {
  answer = (_request, response) => response.end('here');
  const only = (...onlyIn: string[]) => httpClient({ timeoutMs: 5_000, maxBytes: 100, onlyIn })(base);
  for (const range of ['127.0.0.0/8', '127.0.0.1']) assert.is((await only('10.0.0.0/8', range)).body, 'here', range);
  for (const ranges of [[], ['10.0.0.0/8'], ['127.0.0.2']]) assert.is((await failureOf(only(...ranges))).code, 'PRIVATE', ranges.join());
  const publicOne = httpClient({ timeoutMs: 5_000, maxBytes: 100, onlyIn: ['127.0.0.0/8'] })('http://8.8.8.8/');
  assert.is((await failureOf(publicOne)).code, 'PRIVATE');
});

http('of the addresses that users type, only public and allowed ones are reached', () => {
  const [plain, allowed] = [addressRule([]), addressRule(['10.1.0.0/16', '192.168.1.7', 'fd12::/16'])];
  assert.equal(NOT_PUBLIC.filter(plain), []);
  assert.equal(
    PUBLIC.filter((address) => !plain(address)),
    [],
  );
  const tried = ['10.1.255.1', '10.2.0.1', '192.168.1.7', '192.168.1.8', 'fd12::9', 'fd13::9', '::ffff:10.1.0.1', '8.8.8.8'];
  assert.equal(tried.filter(allowed), ['10.1.255.1', '192.168.1.7', 'fd12::9', '::ffff:10.1.0.1', '8.8.8.8']);
});

http('a forbidden address gets no request, however it is written', async () => {
  let asked = 0;
  answer = (_request, response) => {
    asked++;
    response.end();
  };
  const guarded = httpClient({ timeoutMs: 2_000, maxBytes: 100, onlyPublicAnd: [] });
  const { port } = new URL(base);
  for (const host of [
    '127.0.0.1',
    'localhost',
    '0x7f000001',
    '2130706433',
    '127.1',
    '0',
    '[::1]',
    '[::ffff:7f00:1]',
    '[::ffff:127.0.0.1]',
    'user@127.0.0.1',
  ])
    assert.is((await failureOf(guarded(`http://${host}:${port}/`))).code, 'PRIVATE', host);
  assert.is(asked, 0);
  const allowed = httpClient({ timeoutMs: 2_000, maxBytes: 100, onlyPublicAnd: ['127.0.0.0/8', '::1'] });
  assert.is((await allowed(`${base}/`)).status, 200);
  assert.is((await allowed(`http://localhost:${port}/`)).status, 200);
});

for (const [what, addresses] of Object.entries({
  'a public address and then a private one': ['8.8.8.8', '10.0.0.1'],
  'a private address and then a public one': ['10.0.0.1', '8.8.8.8'],
  'a private address of each family': ['127.0.0.1', '::1'],
  'only a private address': ['169.254.169.254'],
})) {
  http(`a name that has ${what} is refused whole`, async () => {
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    const asked: string[] = [];
    const lookup: Lookup = (host, _options, done) => (asked.push(host), done(null, found));
    const guarded = httpClient({ timeoutMs: 5_000, maxBytes: 100, onlyPublicAnd: [], lookup });
    assert.is((await failureOf(guarded('http://rebinding.example/'))).code, 'PRIVATE');
    assert.equal(asked, ['rebinding.example']);
  });
}

http('the client connects to the address that it looked up', async () => {
  answer = (request, response) => response.end(request.headers.host);
  let lookups = 0;
  const lookup: Lookup = (_host, _options, done) => (lookups++, done(null, [{ address: '127.0.0.1', family: 4 }]));
  const guarded = httpClient({ timeoutMs: 5_000, maxBytes: 100, onlyPublicAnd: ['127.0.0.0/8'], lookup });
  const { port } = new URL(base);
  assert.is((await guarded(`http://inside.example:${port}/`)).body, `inside.example:${port}`);
  assert.is(lookups, 1);
});

http("an authority of one's own is trusted where it is named, and nowhere else", async () => {
  const { ca, ...certificate } = await localCertificate();
  const { ca: strange } = await localCertificate();
  const secure = createSecureServer(certificate, (_request, response) => response.end('hello'));
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
  const url = `https://localhost:${(secure.address() as AddressInfo).port}`;
  const asking = (over: { ca?: string }) =>
    httpClient({ timeoutMs: 5_000, maxBytes: 100, onlyPublicAnd: ['127.0.0.0/8', '::1'], ...over })(url);
  try {
    assert.is((await asking({ ca })).body.toString(), 'hello');
    for (const over of [{}, { ca: strange }]) assert.match((await failureOf(asking(over))).message, 'SIGNATURE');
  } finally {
    secure.closeAllConnections();
    await new Promise((resolve) => secure.close(resolve));
  }
});

http.run();

const proxied = suite('proxied');
const LOOPBACK = ['127.0.0.0/8', '::1'];
let proxy: ConnectProxy;
let secure: Server;
let ca = '';
let port = 0;
let reply: RequestListener;
let lookedUp: string[] = [];

/** The proxy's address as a user writes it. Its password is percent-encoded. */
const proxyAddress = () => `http://hunter:hunter%402@127.0.0.1:${proxy.port}/`;
/** Records each lookup and lets it fail. */
const lookup: Lookup = (host, _options, done) => (lookedUp.push(host), done(Object.assign(new Error('no'), { code: 'ENOTFOUND' }), []));
const through = (over: Partial<HttpOptions> = {}, except = '') =>
  httpClient({
    ...{ timeoutMs: 10_000, maxBytes: 100, onlyPublicAnd: [], ca, lookup },
    ...{ proxy: { address: proxyAddress(), except }, ...over },
  });

proxied.before(async () => {
  proxy = await connectProxy();
  const { ca: authority, ...certificate } = await localCertificate();
  ca = authority;
  secure = createSecureServer(certificate, (request, response) => reply(request, response));
  await new Promise<void>((resolve) => secure.listen(0, '127.0.0.1', resolve));
  ({ port } = secure.address() as AddressInfo);
});
proxied.before.each(() => {
  Object.assign(proxy, { mood: 'connects', tunnels: [] });
  lookedUp = [];
  reply = (request, response) => response.end(`hello ${String(request.headers['proxy-authorization'])}`);
});
proxied.after(async () => {
  await proxy.close();
  secure.closeAllConnections();
  await new Promise((resolve) => secure.close(resolve));
});

const targetAt = (address: string): Target => ({ address, channel: undefined, format: undefined, secret: { 'ca.crt': ca } });
const tunnel = () => ({ host: `localhost:${port}`, authorization: `Basic ${Buffer.from('hunter:hunter@2').toString('base64')}` });

proxied('an https address goes through the proxy, which gets the credentials and looks up the name', async () => {
  assert.is((await through()(`https://localhost:${port}/`)).body, 'hello undefined');
  assert.equal(proxy.tunnels, [tunnel()]);
  assert.equal(lookedUp, []);
});

proxied('behind the proxy, the certificate is checked as always', async () => {
  const error = await failureOf(through({ ca: undefined })(`https://localhost:${port}/`));
  assert.match(error.code, /^UNABLE_TO_VERIFY|SIGNATURE/);
  assert.match((await failureOf(through()(`https://other.example:${port}/`))).code, 'ERR_TLS_CERT_ALTNAME_INVALID');
});

proxied('what NO_PROXY names goes directly, under the address rule', async () => {
  const url = `https://localhost:${port}/`;
  const local: Lookup = (host, _options, done) => (lookedUp.push(host), done(null, [{ address: '127.0.0.1', family: 4 }]));
  for (const except of ['localhost', `.svc, localhost:${port}`, '*', '.LOCALHOST'])
    assert.is((await through({ onlyPublicAnd: LOOPBACK, lookup: local }, except)(url)).body, 'hello undefined', except);
  assert.is((await failureOf(through({ lookup: local }, 'localhost')(url))).code, 'PRIVATE');
  assert.equal(lookedUp, Array(5).fill('localhost'));
  assert.equal(proxy.tunnels, []);
  for (const except of ['host', `localhost:${port - 1}`, '*.localhost', '127.0.0.0/8', ' , '])
    assert.is((await through({ lookup: local }, except)(url)).status, 200, except);
  assert.is(proxy.tunnels.length, 5);
});

proxied('an http address goes directly', async () => {
  const plain = createServer((_request, response) => response.end('plain'));
  await new Promise<void>((resolve) => plain.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(plain.address() as AddressInfo).port}/`;
  try {
    assert.is((await through({ onlyPublicAnd: LOOPBACK })(url)).body, 'plain');
    assert.is((await failureOf(through()(url))).code, 'PRIVATE');
    const clientFor = clientsFor({ allowedRanges: LOOPBACK, proxy: { address: proxyAddress(), except: '' } });
    assert.is((await clientFor(targetAt(url))(url)).body, 'plain');
  } finally {
    plain.closeAllConnections();
    await new Promise((resolve) => plain.close(resolve));
  }
  assert.equal(proxy.tunnels, []);
});

proxied('notifications go through it, also with their own certificate authority', async () => {
  const url = `https://localhost:${port}/`;
  const clientFor = clientsFor({ allowedRanges: [], proxy: { address: proxyAddress(), except: '' } });
  assert.is((await clientFor(targetAt(url))(url)).status, 200);
  assert.equal(proxy.tunnels, [tunnel()]);
});

proxied('questions to models go through it, wherever the address of the model comes from', async () => {
  const { typed, configured } = modelClients({ allowPrivateAddresses: [], proxy: { address: proxyAddress(), except: '' } });
  // These clients trust only the system's authorities, so TLS fails inside the tunnel.
  for (const ask of [typed, configured]) assert.match((await failureOf(ask(`https://localhost:${port}/`))).code, 'SIGNATURE');
  assert.equal(proxy.tunnels, [tunnel(), tunnel()]);
  assert.is((await failureOf(typed(`https://127.0.0.1:${port}/`))).code, 'PRIVATE');
});

proxied('an address written as numbers is checked before the proxy is asked', async () => {
  for (const host of ['127.0.0.1', '0x7f000001', '127.1', '[::1]', '[::ffff:127.0.0.1]', '10.0.0.1', '169.254.169.254'])
    assert.is((await failureOf(through()(`https://${host}:${port}/`))).code, 'PRIVATE', host);
  assert.equal(proxy.tunnels, []);
  assert.is((await through({ onlyPublicAnd: LOOPBACK })(`https://127.0.0.1:${port}/`)).status, 200);
  assert.is(proxy.tunnels.length, 1);
});

function assertSilentAboutProxy(error: HttpError): void {
  const told = inspect([error, error.stack, error.message, error.cause, JSON.stringify(error)], { depth: 9, showHidden: true });
  for (const secret of ['hunter', 'aHVudGVy', String(proxy.port)]) assert.not.match(told, secret);
}

const MOODS: [ProxyMood, RegExp][] = [
  [407, /^PROXY_407$/],
  [403, /^PROXY_403$/],
  [502, /^PROXY_502$/],
  ['hangs up', /^UND_ERR_PRX_CONN$|^ECONNRESET$/],
];
for (const [mood, code] of MOODS) {
  proxied(`a proxy that says ${mood}: told without its address, and forgotten when it connects again`, async () => {
    const ask = through();
    proxy.mood = mood;
    const error = await failureOf(ask(`https://localhost:${port}/path?token=t`));
    assert.match(error.code, code);
    assert.is(error.message, `https://localhost:${port}/path: no answer (${error.code})`);
    assertSilentAboutProxy(error);
    proxy.mood = 'connects';
    assert.is((await ask(`https://localhost:${port}/`)).status, 200);
  });
}

proxied('no proxy there, or one whose certificate nobody trusts', async () => {
  const url = `https://localhost:${port}/`;
  const away = await failureOf(through({ proxy: { address: 'http://hunter:hunter2@127.0.0.1:1/', except: '' } })(url));
  assert.is(away.code, 'PROXY_ECONNREFUSED');
  assertSilentAboutProxy(away);
  const strange = await failureOf(through({ proxy: { address: `https://hunter:hunter2@localhost:${port}/`, except: '' } })(url));
  assert.match(strange.code, /^PROXY_.*SIGNATURE/);
  assertSilentAboutProxy(strange);
});

proxied('the deadline covers a silent proxy, and silence behind it', async () => {
  const ask = through({ timeoutMs: 300 });
  proxy.mood = 'silent';
  const error = await failureOf(ask(`https://localhost:${port}/`));
  assert.is(error.code, 'TIMEOUT');
  assertSilentAboutProxy(error);
  proxy.mood = 'connects';
  reply = () => {};
  assert.is((await failureOf(through({ timeoutMs: 1_000 })(`https://localhost:${port}/`))).code, 'TIMEOUT');
});

proxied.run();
