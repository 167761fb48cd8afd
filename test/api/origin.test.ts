import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isForeign, isOwnHost, type OwnAddress } from '../../src/api/origin.ts';

const test = suite('where requests go to, and where they come from');

const BASE = 'https://podmend.example:8443';
const HOSTS: [host: string, own: boolean, address?: OwnAddress][] = [
  ['localhost:8000', true],
  ['app.localhost', true],
  ['podmend', true],
  ['podmend.podmend.svc:8000', true],
  ['podmend.podmend.svc.cluster.local', true],
  ['10.0.0.7:8000', true],
  ['[::1]:8000', true],
  ['::1', true],
  ['evil.example', false],
  ['svc.example', false],
  ['localhost.evil.example', false],
  ['evil.localhost.', true],
  ['podmend.example', true, { baseUrl: BASE }],
  ['PODMEND.example.:443', true, { baseUrl: BASE }],
  ['other.example', false, { baseUrl: BASE }],
  ['here.example', true, { host: 'here.example' }],
  ['there.example', false, { host: 'here.example' }],
  ['', false],
  ['a@localhost', false],
  ['localhost/x', false],
  ['localhost?x', false],
  ['local host', false],
];
for (const [host, own, address = {}] of HOSTS)
  test(`${JSON.stringify(host)} is ${own ? '' : 'not '}a name of this process${address.baseUrl || address.host ? ', with an address' : ''}`, () =>
    assert.is(isOwnHost(host, address), own));

interface Page {
  protocol?: string;
  host?: string;
  origin?: string;
  site?: string;
}
const PAGES: [what: string, page: Page, foreign: boolean, baseUrl?: string][] = [
  ['no browser', {}, false],
  ['the same page', { origin: 'http://podmend:8000' }, false],
  ['the same page, says the browser', { site: 'same-origin' }, false],
  ['another site, says the browser', { site: 'cross-site', origin: 'http://podmend:8000' }, true],
  ['a page of another name', { origin: 'http://evil.example' }, true],
  ['a page at another port', { origin: 'http://podmend:9000' }, true],
  ['a page over plain http', { protocol: 'https', origin: 'http://podmend:8000' }, true],
  ['a page without an origin', { origin: 'null' }, true],
  ['no origin at all', { origin: 'what' }, true],
  ['the public address', { origin: BASE }, false, BASE],
  ['the public address over plain http', { origin: 'http://podmend.example:8443' }, true, BASE],
  ['a proxy that ends TLS', { host: 'podmend.example:8443', origin: BASE }, false, BASE],
  ['a page of the proxy over plain http', { host: 'podmend.example:8443', origin: 'http://podmend.example:8443' }, true, BASE],
];
for (const [what, { protocol = 'http', host = 'podmend:8000', origin, site }, foreign, baseUrl] of PAGES)
  test(`${what} is ${foreign ? '' : 'not '}another site`, () =>
    assert.is(isForeign({ protocol, host, origin, site }, { baseUrl }), foreign));

test.run();
