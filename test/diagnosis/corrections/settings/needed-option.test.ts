import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { neededOption } from '../../../../src/diagnosis/corrections/settings/needed-option.ts';
import { anInput } from '../../../support/builders/cases.ts';
import { correctionRows, env, inWords, likely } from '../../../support/builders/corrections.ts';

const test = suite('options that a message asks for');
const rows = correctionRows(test);

const wants = (text: string, container: object = { args: ['x'] }, files: string[] = []) =>
  neededOption(
    anInput(
      { ...container, volumeMounts: [{ name: 'v', mountPath: '/v' }] },
      { volumes: [{ name: 'v', secret: { secretName: 's' } }] },
      { logs: `==> app (previous) <==\n${text}\n`, surroundings: { secrets: [{ name: 's', keys: files }] } },
    ),
  );
const POD_NAME = { name: 'POD_NAME', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } };
const ETCD = 'couldn\'t find local name "default" in the initial cluster configuration';
const TLS = 'Failed to configure TLS: No tls-cert-file configured!';
const MONGO = 'BadValue: security.keyFile is required when authorization is enabled with replica sets';
const LOKI = 'unknown ${HOST}. Use `-config.expand-env=true` flag if you want to expand environment variables';
const tls = (...files: string[]) => wants(TLS, { args: ['x'] }, files);
const PAIR = (cert: string, key: string) =>
  likely({ 'args[1]': '--tls-cert-file', 'args[2]': `/v/${cert}`, 'args[3]': '--tls-key-file', 'args[4]': `/v/${key}` });
const NAME = likely({ env: [POD_NAME], 'args[1]': '--name=$(POD_NAME)' });
rows('an option', {
  'with the name of an etcd member': [wants(ETCD), NAME],
  'with the name of an etcd member, in escaped quotes': [wants(ETCD.replaceAll('"', String.raw`\"`)), NAME],
  'with the name of an etcd member, in other words': [wants('"default" is not listed in the initial cluster'), NAME],
  'with the name of another etcd member': [wants(ETCD.replace('default', 'kv')), []],
  'with the only certificate of Redis': [tls('ca.crt', 'tls.crt', 'tls.key'), PAIR('tls.crt', 'tls.key')],
  'with the certificate of a server beside its key': [tls('server-1.pem', 'server-key.pem'), PAIR('server-1.pem', 'server-key.pem')],
  'with the certificate of a server and its key': [tls('Server.pem', 'my.key'), PAIR('Server.pem', 'my.key')],
  'with the certificate called after Redis': [tls('redis.cert', 'redis.key'), PAIR('redis.cert', 'redis.key')],
  'with a certificate and a key in PEM': [tls('cert.crt', 'key.pem'), PAIR('cert.crt', 'key.pem')],
  'with one of two certificates': [tls('tls.crt', 'server.crt', 'tls.key'), []],
  'with one of two keys': [tls('tls.crt', 'tls.key', 'other.key'), []],
  'without a key': [tls('tls.crt'), []],
  'without a certificate': [tls('ca.crt', 'tls.key'), []],
  'with the file of MongoDB': [
    wants(MONGO, { args: ['x'] }, ['mongo-keyfile', 'ca.crt']),
    likely({ 'args[1]': '--keyFile', 'args[2]': '/v/mongo-keyfile' }),
  ],
  'with the file of MongoDB, in a container without arguments': [wants(MONGO, {}, ['key']), likely({ args: ['--keyFile', '/v/key'] })],
  'with the file of MongoDB, in a container with a command': [
    wants(MONGO, { command: ['mongod', '--auth'] }, ['key']),
    likely({ 'command[2]': '--keyFile', 'command[3]': '/v/key' }),
  ],
  'with the file of MongoDB, that it has': [wants(MONGO, { args: ['--keyFile', '/a'] }, ['key']), []],
  'without a value': [wants(LOKI), likely({ 'args[1]': '-config.expand-env=true' })],
  'without a value, that it has': [wants(LOKI, { args: ['-config.expand-env=false'] }), []],
  'far behind in the log': [wants(`${'x'.repeat(100_000)} ${ETCD}`), []],
  'in a long log': [wants(`${'x'.repeat(60_000)} ${ETCD}`), NAME],
  'beside a name of another field': [
    wants(ETCD, { args: ['x'], env: [{ name: 'N', valueFrom: { fieldRef: { fieldPath: 'metadata.namespace' } } }] }),
    likely({ 'env[1]': POD_NAME, 'args[1]': '--name=$(POD_NAME)' }),
  ],
  'without a container': [neededOption(anInput({}, {}, { container: 'gone', logs: ETCD })), []],
});
test('an option, in words', () => {
  const found = tls('tls.crt', 'tls.key');
  assert.is(found?.name, '--tls-cert-file');
  assert.equal(inWords(found?.correction), [
    'Add `--tls-cert-file` and `--tls-key-file`',
    'The program ends with the wish for it.',
    ...Array.from({ length: 4 }, () => 'the port with TLS needs a certificate and its key'),
  ]);
  assert.is(found?.correction.mirrorable, true);
  const name = wants(ETCD, { args: ['x'], ...env({ A: 'b' }) });
  assert.is(name?.name, '--name');
  assert.equal(inWords(name?.correction), [
    'Add `--name=$(POD_NAME)`',
    'The program ends with the wish for it.',
    'the option takes the name from it',
    'each member finds itself in the list by its name',
  ]);
  assert.is(wants(MONGO, {}, ['key'])?.correction.changes[0]?.why, 'the members know each other by this file');
  assert.is(wants(LOKI)?.correction.changes[0]?.why, 'the program replaces `${NAME}` in its file only then');
});

test.run();
