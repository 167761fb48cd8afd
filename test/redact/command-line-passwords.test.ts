import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { maskImage } from '../../src/redact/image.ts';
import { maskManifest, maskManifestText } from '../../src/redact/manifest.ts';
import { redactOutbound } from '../../src/redact/outbound.ts';
import { maskText } from '../../src/redact/text.ts';

const SECRET = 'Tr0ub4dor-9x';
/** The option with which each client takes its password. */
const CLIENTS: Record<string, string> = {
  'p ': 'sshpass mongo mongosh mongodump mongorestore mongoexport mongoimport mongofiles',
  'a ': 'redis-cli valkey-cli keydb-cli',
  'P ': 'sqlcmd bcp ipmitool cypher-shell clickhouse-client impala-shell',
  'w ': 'ldapsearch ldapadd ldapmodify ldapdelete ldapwhoami ldappasswd ldapcompare ldapmodrdn',
  'c ': 'snmpwalk snmpget snmpgetnext snmpset snmpbulkwalk snmpbulkget snmptrap snmptable',
  'U user%': 'smbclient rpcclient',
  p: 'sshpass mysql mysqldump mysql-client mariadb mariadb-dump mysqladmin',
};
const LOGINS = [
  'docker',
  'podman',
  'nerdctl',
  'buildah',
  'skopeo',
  'crane',
  'helm registry',
  'az',
  'az acr',
  'cf',
  'oc',
  'argocd',
  'vault',
];
const commands = [
  ...Object.entries(CLIENTS).flatMap(([option, programs]) =>
    programs.split(' ').map((program) => `${program} -v -${option}${SECRET} host`),
  ),
  ...LOGINS.map((program) => `${program} login -u me -p ${SECRET} host`),
];
for (const command of commands)
  test(`${command.replace(SECRET, '…')}: hidden in a line and in a list of arguments`, () => {
    const hidden = command.replace(SECRET, '***');
    assert.is(maskText(`running ${command} now`), `running ${hidden} now`);
    assert.is(maskText(`"/usr/bin/${command}"`), `"/usr/bin/${hidden}"`);
    assert.equal(maskManifest({ command: command.split(' ') }), { command: hidden.split(' ') });
  });

const KEPT = [
  'mkdir -p Tr0ub4dor-9x',
  'mysql -h Tr0ub4dor-9x',
  'mysqltuner.pl -p Tr0ub4dor-9x',
  'redis-cli -p 6379',
  'redis-cli ping\nls -a Tr0ub4dor-9x',
  'login -p Tr0ub4dor-9x',
  'kubectl login -p Tr0ub4dor-9x',
  'smbclient -U Tr0ub4dor-9x',
  'ldapsearch -W Tr0ub4dor-9x',
];
for (const command of KEPT) test(`${JSON.stringify(command)} stays`, () => assert.is(maskText(command), command));

test('a user without a password stays in a list of arguments too', () => {
  const command = ['smbclient', '-U', 'Tr0ub4dor-9x', '//host/share'];
  assert.equal(maskManifest({ command }), { command });
});

test('an image loses its credentials, and nothing else', () => {
  const images: [string, string][] = [
    ['registry.example/team/password-abcdef0123456789abcdef:1', 'registry.example/team/password-abcdef0123456789abcdef:1'],
    [`https://me:${SECRET}@registry.example/web:1`, 'https://me:***@registry.example/web:1'],
    [`registry.example/web?token=${SECRET}`, 'registry.example/web?token=***'],
  ];
  for (const [image, shown] of images) assert.is(maskImage(image), shown);
});

test('what leaves for a model keeps its form, with every text masked and every name hidden', () => {
  const hide = (text: string) => text.replaceAll('web', 'name_0');
  const data = { count: 3, on: true, none: null, list: ['web', `password=${SECRET}`, 4], deep: { text: 'a web b' } };
  assert.equal(redactOutbound(data, { hide }), {
    count: 3,
    on: true,
    none: null,
    list: ['name_0', 'password=***', 4],
    deep: { text: 'a name_0 b' },
  });
});

test('a manifest stays to the letter, if none of its documents holds a secret', () => {
  const plain = 'kind: Service # a comment\nmetadata: {name: web}\n---\nkind: Pod\n';
  assert.is(maskManifestText(plain, new Map() as never, undefined), plain);
  const secret = `kind: Service\n---\nkind: Pod\nspec: {containers: [{name: app, env: [{name: DB_PASSWORD, value: ${SECRET}}]}]}\n`;
  assert.not.match(maskManifestText(secret, new Map() as never, undefined), SECRET);
  assert.is(maskManifestText(`kind: Pod # password=${SECRET}\n`, new Map() as never, undefined), 'kind: Pod # password=***\n');
});

test.run();
