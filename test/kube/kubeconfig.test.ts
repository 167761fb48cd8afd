import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { clusterInfo, fromKubeconfig } from '../../src/kube/kubeconfig.ts';

const test = suite('kubeconfigs');

const folder = mkdtempSync(join(tmpdir(), 'podmend-kubeconfigs-'));
test.after(() => rmSync(folder, { recursive: true }));

const INFO: [what: string, cluster: object, tls: object, info: object][] = [
  ['the address alone', {}, {}, {}],
  ['a name for TLS', {}, { servername: 'n' }, { 'tls-server-name': 'n' }],
  ['no check of the certificate', {}, { rejectUnauthorized: false }, { 'insecure-skip-tls-verify': true }],
  ['a CA, in base64', {}, { ca: 'CA' }, { 'certificate-authority-data': 'Q0E=' }],
  ['a proxy', { 'proxy-url': 'http://p' }, {}, { 'proxy-url': 'http://p' }],
  [
    'what is meant for the plugin',
    {
      extensions: [
        { name: 'other', extension: 1 },
        { name: 'client.authentication.k8s.io/exec', extension: { a: 1 } },
      ],
    },
    {},
    { config: { a: 1 } },
  ],
];
for (const [what, cluster, tls, info] of INFO)
  test(`an exec plugin is told of its cluster: ${what}`, () =>
    assert.equal(clusterInfo('https://a', cluster as never, tls), { server: 'https://a', ...info }));

const written = (parts: { cluster?: object; user?: object; current?: string }): string => {
  const path = join(folder, `config-${Math.random()}`);
  const { cluster = {}, user, current = 'two' } = parts;
  const contexts = ['one', 'two'].map((name) => ({ name, context: { cluster: name, user: name } }));
  const clusters = [
    { name: 'one', cluster: { server: 'https://one' } },
    { name: 'two', cluster: { server: 'https://two/', ...cluster } },
  ];
  const users = [{ name: 'one', user: { token: 'other' } }, ...(user ? [{ name: 'two', user }] : [])];
  writeFileSync(path, JSON.stringify({ 'current-context': current, contexts, clusters, users }));
  return path;
};

const ACCESS: [what: string, parts: Parameters<typeof written>[0], access: object][] = [
  ['of the current context', {}, {}],
  ['a user without anything', { user: {} }, {}],
  ['a name without a password', { user: { username: 'a' } }, { authorization: `Basic ${btoa('a:')}` }],
  ['a proxy', { cluster: { 'proxy-url': 'http://p:1' } }, { proxy: 'http://p:1' }],
  ['an empty proxy', { cluster: { 'proxy-url': '' } }, {}],
  ['an auth-provider that is none', { user: { 'auth-provider': null } }, {}],
];
for (const [what, parts, access] of ACCESS)
  test(what, () => assert.equal(fromKubeconfig(written(parts)), { server: 'https://two', tls: {}, ...access }));

const BAD: [what: string, parts: Parameters<typeof written>[0], says: RegExp][] = [
  ['no such context', { current: 'three' }, /the current context names no cluster with a server$/],
  ['a cluster without an address', { cluster: { server: '' } }, /names no cluster with a server$/],
  ['a proxy of another kind', { cluster: { 'proxy-url': 'socks5://p' } }, /proxy-url must begin with http:\/\/ or https:\/\/$/],
  [
    'an auth-provider',
    { user: { 'auth-provider': { name: 'gcp' } } },
    /the auth-provider "gcp" is not supported; use exec credentials or a token$/,
  ],
  ['a file that is not there', { cluster: { 'certificate-authority': 'none' } }, /ENOENT/],
];
for (const [what, parts, says] of BAD)
  test(`refused, with the file: ${what}`, () => {
    const path = written(parts);
    assert.throws(
      () => fromKubeconfig(path),
      (error: Error) => error.message.startsWith(`${path}: `) && says.test(error.message),
    );
  });

test.run();
