import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { missingFile, accountToken, variableWith } from '../../../../src/diagnosis/corrections/files/missing-file.ts';
import { profileOfFile } from '../../../../src/diagnosis/corrections/files/profile-of-file.ts';
import { besideMounted, movedMount, writtenElsewhere } from '../../../../src/diagnosis/corrections/files/shared-files.ts';
import { sameSort } from '../../../../src/diagnosis/corrections/files/tls-pair.ts';
import { audiences, otherAudience } from '../../../../src/diagnosis/corrections/files/token-audience.ts';
import { trustedAuthorities, unusedAuthorities } from '../../../../src/diagnosis/corrections/files/trusted-authorities.ts';
import { unbroughtFile } from '../../../../src/diagnosis/corrections/files/unbrought-file.ts';
import { unbroughtFolder } from '../../../../src/diagnosis/corrections/files/unbrought-folder.ts';
import { unmountedObject } from '../../../../src/diagnosis/corrections/files/unmounted-object.ts';
import { unmountedSocket } from '../../../../src/diagnosis/corrections/files/unmounted-socket.ts';
import { inUnusedMount } from '../../../../src/diagnosis/corrections/files/unused-mount.ts';
import { inWritableFolder } from '../../../../src/diagnosis/corrections/files/work-in-volume.ts';
import { aPlace, anInput, type CaseParts } from '../../../support/builders/cases.ts';
import { correctionRows, guess, inShortMarked, likely, NO_MIRROR, type Short } from '../../../support/builders/corrections.ts';
import { claim, configMap, empty, mount, mounts, volumes } from '../../../support/builders/volumes.ts';

const test = suite('a file that is not there');

const rows = correctionRows(test);

const secret = (name: string, more: object = {}) => ({ name, secret: { secretName: name, ...more } });

const AROUND: CaseParts = {
  surroundings: {
    configMaps: [
      { name: 'c', keys: ['app.yml', 'other.txt'] },
      { name: 'one', keys: ['main.yml'] },
      { name: 'mosquitto-conf', keys: ['mosquitto.conf'] },
    ],
    secrets: [
      { name: 's', keys: ['db.key', 'user.txt'] },
      { name: 'only', keys: ['account.json'] },
      { name: 'pair', keys: ['cert.pem', 'key.pem', 'ca.crt'] },
      { name: 'certs', keys: ['a.crt', 'b.crt', 'c.key'] },
      { name: 'shop-auth', keys: ['passwords'] },
      { name: 'ca', keys: ['ca.crt'] },
    ],
  },
};
const missing = (file: string, container: object, spec: object = {}) => inShortMarked(missingFile(anInput(container, spec, AROUND), file));
const TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount';

rows('the token of the account', {
  'that the pod does not want': [
    missing(`${TOKEN}/token`, {}, { automountServiceAccountToken: false }),
    likely({ 'spec.automountServiceAccountToken': true }, NO_MIRROR),
  ],
  'that its account does not want': [missing(`${TOKEN}/token`, {}), likely({ 'spec.automountServiceAccountToken': true }, NO_MIRROR)],
  'that it wants': [missing(`${TOKEN}/token`, {}, { automountServiceAccountToken: true }), []],
  'that is mounted': [
    missing(`${TOKEN}/token`, mounts(mount('x', '/x'), mount('t', `${TOKEN}/`)), { automountServiceAccountToken: false }),
    [],
  ],
  'without its path': [inShortMarked(accountToken(anInput())), likely({ 'spec.automountServiceAccountToken': true }, NO_MIRROR)],
});

const workload = (spec: object) =>
  anInput(
    {},
    {},
    {
      manifest: {
        apiVersion: 'apps/v1',
        kind: 'Deployment',
        metadata: { name: 'web' },
        spec: { template: { spec: { containers: [{ name: 'app', image: 'a' }], ...spec } } },
      },
    },
  );
test('a template says nothing of its token before admission', () => {
  assert.equal(accountToken(workload({})), []);
  assert.equal(accountToken(workload({ automountServiceAccountToken: false })).length, 1);
});

const ARGS = (value: string, more: object = {}) => ({ args: [`--x=${value}`], ...more });
rows('a file', {
  'without a name': [missing('', ARGS('x')), []],
  'in a folder that is mounted under its last name': [
    missing(
      '/db/migrations',
      { env: [{ name: 'A', value: 'file:///db/migrations/' }], ...mounts(mount('m', '/migrations/')) },
      volumes(empty('m')),
    ),
    likely({ 'env[0].value': 'file:///migrations/' }),
  ],
  'under a short last name': [missing('/db/up', ARGS('/db/up', mounts(mount('c', '/up'))), volumes(configMap('c'))), []],
  'of which two volumes have the last name': [
    missing('/db/mig', ARGS('/db/mig', mounts(mount('m', '/a/mig'), mount('n', '/b/mig'))), volumes(empty('m'), empty('n'))),
    [],
  ],
  'that two settings name': [
    missing('/db/mig', { args: ['--x=/db/mig', '--y=/db/mig'], ...mounts(mount('m', '/mig')) }, volumes(configMap('c'))),
    [],
  ],
  'in a volume that is mounted elsewhere': [
    missing('/app/app.yml', mounts(mount('x', '/x'), mount('c', '/etc/c')), volumes(empty('x'), configMap('c'))),
    likely({ 'volumeMounts[1].mountPath': '/app' }),
  ],
  'in a volume, of which a part is mounted elsewhere': [
    missing('/app/app.yml', mounts(mount('c', '/etc/c', { subPath: 'app.yml' })), volumes(configMap('c'))),
    [],
  ],
  'at the root': [missing('/app.yml', mounts(mount('c', '/etc/c')), volumes(configMap('c'))), []],
  'at the folder of all secrets': [missing('/run/secrets/app.yml', mounts(mount('c', '/etc/c')), volumes(configMap('c'))), []],
  'at the other folder of all secrets': [missing('/var/run/secrets/app.yml', mounts(mount('c', '/etc/c')), volumes(configMap('c'))), []],
  'at a folder that has another volume': [
    missing('/app/app.yml', mounts(mount('c', '/etc/c'), mount('x', '/app')), volumes(configMap('c'), empty('x'))),
    [],
  ],
  'that `items` puts elsewhere': [
    missing(
      '/etc/c/app.yml',
      mounts(mount('x', '/x'), mount('c', '/etc/c')),
      volumes(
        empty('x'),
        configMap('c', {
          items: [
            { key: 'other.txt', path: 'a' },
            { key: 'app.yml', path: 'sub/b.yml' },
          ],
        }),
      ),
    ),
    likely({ 'spec.volumes[1].configMap.items[1].path': 'app.yml' }),
  ],
  'that `items` of a Secret puts into a folder': [
    missing('/s/x.txt', mounts(mount('s', '/s/')), volumes(secret('s', { items: [{ key: 'user.txt', path: 'deep/x.txt' }] }))),
    likely({ 'spec.volumes[0].secret.items[0].path': 'x.txt' }),
  ],
  'that `items` leaves out': [
    missing('/etc/c/app.yml', mounts(mount('c', '/etc/c')), volumes(configMap('c', { items: [{ key: 'other.txt', path: 'o' }] }))),
    likely({ 'spec.volumes[0].configMap.items[1]': { key: 'app.yml', path: 'app.yml' } }),
  ],
  'that `items` leaves out, with a folder': [
    missing('/etc/c/d/app.yml', mounts(mount('c', '/etc/c')), volumes(configMap('c', { items: [{ key: 'other.txt', path: 'o' }] }))),
    likely({ 'spec.volumes[0].configMap.items[1]': { key: 'app.yml', path: 'd/app.yml' } }),
  ],
  'that the pod has and this container does not mount': [
    missing('/conf/app.yml', mounts(mount('x', '/x')), volumes(empty('x'), configMap('c'))),
    likely({ 'volumeMounts[1]': { name: 'c', mountPath: '/conf' } }),
  ],
  'that the pod has, for a container without volumes': [
    missing('/conf/app.yml', {}, volumes(configMap('c'))),
    likely({ volumeMounts: [{ name: 'c', mountPath: '/conf' }] }),
  ],
  'that the pod has, where another volume is': [
    missing('/conf/app.yml', mounts(mount('x', '/conf/')), volumes(empty('x'), configMap('c'))),
    [],
  ],
  'at the root that the pod has': [missing('/app.yml', {}, volumes(configMap('c'))), []],
  'with a near name, in a setting': [
    missing('/etc/c/apps.yml', ARGS('/etc/c/apps.yml', mounts(mount('c', '/etc/c'))), volumes(configMap('c'))),
    likely({ 'args[0]': '--x=/etc/c/app.yml' }),
  ],
  'with a near name, of which a setting has only the name': [
    missing(
      '/etc/c/apps.yml',
      {
        env: [
          { name: 'F', value: 'apps.yml' },
          { name: 'G', value: 'my-apps.yml' },
        ],
        ...mounts(mount('c', '/etc/c')),
      },
      volumes(configMap('c')),
    ),
    likely({ 'env[0].value': 'app.yml' }),
  ],
  'with a near name, that no setting names': [
    missing('/etc/c/apps.yml', mounts(mount('x', '/x'), mount('c', '/etc/c')), volumes(empty('x'), configMap('c'))),
    likely({
      'spec.volumes[1].configMap.items': [
        { key: 'app.yml', path: 'apps.yml' },
        { key: 'other.txt', path: 'other.txt' },
      ],
    }),
  ],
  'with a near name in a Secret': [
    missing('/s/users.txt', mounts(mount('s', '/s/')), volumes(secret('s'))),
    likely({
      'spec.volumes[0].secret.items': [
        { key: 'db.key', path: 'db.key' },
        { key: 'user.txt', path: 'users.txt' },
      ],
    }),
  ],
  'with a near name among `items`': [
    missing('/s/users.txt', mounts(mount('s', '/s')), volumes(secret('s', { items: [{ key: 'db.key', path: 'user.txt', mode: 4 }] }))),
    likely({ 'spec.volumes[0].secret.items': [{ key: 'db.key', path: 'users.txt', mode: 4 }] }),
  ],
  'with another number': [
    missing('/s/user2.txt', mounts(mount('s', '/s')), volumes(secret('s', { items: [{ key: 'db.key', path: 'user1.txt' }] }))),
    guess({ 'spec.volumes[0].secret.items': [{ key: 'db.key', path: 'user2.txt' }] }),
  ],
  'that is the only one of a Secret': [
    missing('/s/gcp.json', ARGS('/s/gcp.json', mounts(mount('only', '/s'))), volumes(secret('only'))),
    likely({ 'args[0]': '--x=/s/account.json' }),
  ],
  'that is the only one of a ConfigMap, which a setting names': [
    missing('/s/web.yml', ARGS('/s/web.yml', mounts(mount('one', '/s'))), volumes(configMap('one'))),
    likely({ 'args[0]': '--x=/s/main.yml' }),
  ],
  'that is the only one of a ConfigMap, which no setting names': [
    missing('/s/web.yml', mounts(mount('one', '/s')), volumes(configMap('one'))),
    guess({ 'volumeMounts[0].mountPath': '/s/main.yml', 'volumeMounts[0].subPath': 'main.yml' }),
  ],
  'with another ending than the only one of a Secret': [
    missing('/s/gcp.pem', ARGS('/s/gcp.pem', mounts(mount('only', '/s'))), volumes(secret('only'))),
    guess({ 'volumeMounts[0].mountPath': '/s/account.json', 'volumeMounts[0].subPath': 'account.json' }),
  ],
  'of several that a volume has': [missing('/s/gcp.bin', ARGS('/s/gcp.bin', mounts(mount('s', '/s'))), volumes(secret('s'))), []],
  'in a folder of work': [
    missing('/var/run/app/', {}).map(([sure, changes]): Short[number] => [
      sure,
      { at: (changes['volumeMounts'] as { mountPath: string }[])[0]?.mountPath },
    ]),
    guess({ at: '/var/run/app' }),
  ],
  'that is a socket': [missing('/var/run/app/a.sock', {}), []],
  'among the secrets': [missing('/var/run/secrets/app/', {}), []],
  'in no folder of work': [missing('/var/lib/app/', {}), []],
});

const relative = (file: string, more: object = {}) =>
  inShortMarked(
    missingFile(
      anInput(
        { args: [`--c=${file}`], ...mounts(mount('x', '/x'), mount('c', '/etc/c/')), ...more },
        volumes(empty('x'), configMap('c')),
        AROUND,
      ),
      file,
    ),
  );
rows('a name without a folder', {
  'that a volume has': [relative('./app.yml'), likely({ workingDir: '/etc/c/' })],
  'that the working directory has': [relative('app.yml', { workingDir: '/etc/c' }), []],
  'that is near to one in the working directory': [relative('apps.yml', { workingDir: '/etc/c' }), likely({ 'args[0]': '--c=app.yml' })],
  'that is near to one below the working directory': [
    relative('c/apps.yml', { workingDir: '/etc/' }),
    likely({ 'args[0]': '--c=c/app.yml' }),
  ],
  'that is near to one elsewhere': [relative('apps.yml', { workingDir: '/srv' }), []],
  'that is near to one, without a working directory': [relative('apps.yml'), []],
});

test('an optional object that is not there, in the file’s volume', () => {
  const of = (more: object, at = '/etc/c/app.yml') =>
    inShortMarked(
      missingFile(
        anInput(
          mounts(mount('x', '/x'), mount('v', '/etc/c')),
          {
            volumes: [
              { name: 'w', configMap: { name: 'onn', optional: true } },
              { name: 'v', configMap: { name: 'cc', ...more } },
            ],
          },
          { surroundings: { configMaps: [{ name: 'c-c', keys: ['app.yml'] }] } },
        ),
        at,
      ),
    );
  assert.equal(of({ optional: true }), likely({ 'spec.volumes[1].configMap.name': 'c-c' }));
  assert.equal(of({}), []);
});

const init = (name: string, args: string[] = [], at = '/d') => ({ name, args, ...mounts(mount('d', at)) });
const later = (...inits: object[]) =>
  inShortMarked(
    missingFile(anInput({ name: 'main' }, { ...volumes(empty('d')), initContainers: inits }, { container: 'read' }), '/d/file'),
  ).map(([sure, changes]) => [
    sure,
    { order: (changes['spec.initContainers'] as { name: string }[] | undefined)?.map(({ name }) => name) },
  ]);
test('an init container that writes the file too late comes before the one that reads it', () => {
  const all = [init('a'), init('read'), init('b'), init('write', ['echo > /d/file']), init('c')];
  assert.equal(later(...all), likely({ order: ['a', 'write', 'read', 'b', 'c'] }));
  assert.equal(later(init('write', ['echo > /d/file']), init('read')), []);
  assert.equal(later(init('read'), init('write', ['echo > /d/other'])), []);
  assert.equal(later(init('read'), { ...init('write', ['echo > /d/file']), ...mounts(mount('other', '/d')) }), []);
  assert.equal(
    later(init('read', [], '/e'), init('write', ['x /d/file'])).map(([sure]) => sure),
    ['likely'],
  );
});

test('the variable that holds a path, in each of its forms', () => {
  for (const value of ['/a/b', 'file:/a/b', 'file:///a/b', 'optional:file:/a/b', '@/a/b'])
    assert.is(
      variableWith(
        aPlace({
          env: [
            { name: 'X', value: '/a' },
            { name: 'P', value },
          ],
        }),
        '/a/b',
      ),
      'P',
      value,
    );
  assert.is(variableWith(aPlace({ env: [{ name: 'X', value: 'see /a/b' }] }), '/a/b'), undefined);
  assert.is(variableWith(undefined, '/a/b'), undefined);
});

const sharing = (file: string, other: object, own: object = {}, more: object = {}) =>
  inShortMarked(
    writtenElsewhere(aPlace(own, { ...volumes(empty('d'), configMap('c')), initContainers: [{ name: 'make', ...other }], ...more }), file),
  );
const MAKES = { args: ['cp x /made/conf/app.ini, then stop'], ...mounts(mount('d', '/made/')) };
rows('a file that another container writes', {
  'is mounted where this one looks': [
    sharing('/etc/app/conf/app.ini', MAKES),
    likely({ volumeMounts: [{ name: 'd', mountPath: '/etc/app' }] }),
  ],
  'moves the volume that this one has': [
    sharing('/etc/app/conf/app.ini', MAKES, mounts(mount('x', '/x'), mount('d', '/data'))),
    likely({ 'volumeMounts[1].mountPath': '/etc/app' }),
  ],
  'moves no part of a volume': [sharing('/etc/app/conf/app.ini', MAKES, mounts(mount('d', '/data', { subPath: 'x' }))), []],
  'hides no folder of the image': [sharing('/etc/conf/app.ini', MAKES), []],
  'may be at the same place in both': [
    sharing('/app/a.ini', { args: ['cp x /app/a.ini'], ...mounts(mount('d', '/app')) }),
    likely({ volumeMounts: [{ name: 'd', mountPath: '/app' }] }),
  ],
  'is not at the root': [sharing('/conf/app.ini', MAKES), []],
  'is not where a volume is': [sharing('/etc/app/conf/app.ini', MAKES, mounts(mount('c', '/etc/app/'))), []],
  'has another name': [sharing('/etc/app/conf/web.ini', MAKES), []],
  'is in no volume': [sharing('/etc/app/conf/app.ini', { args: ['cp x /tmp/conf/app.ini'], ...mounts(mount('d', '/made')) }), []],
  'is in a longer path': [sharing('/etc/app/a.ini', { args: ['cp x /my/made/a.ini'], ...mounts(mount('d', '/made')) }), []],
  'is the second that it writes': [
    sharing('/e/b.ini', { args: ['cp /made/a.ini /made/b.ini'], ...mounts(mount('d', '/made')) }),
    likely({ volumeMounts: [{ name: 'd', mountPath: '/e' }] }),
  ],
  'is in a ConfigMap': [sharing('/etc/app/conf/app.ini', { ...MAKES, ...mounts(mount('c', '/made')) }), []],
  'is in a part of a volume': [sharing('/etc/app/conf/app.ini', { ...MAKES, ...mounts(mount('d', '/made', { subPathExpr: 'x' })) }), []],
  'is written by itself': [sharing('/etc/app/conf/app.ini', { name: 'app', ...MAKES }), []],
});
const sidecar = (...all: object[]) => ({
  ...volumes(empty('d'), secret('s'), empty('e')),
  containers: [
    { name: 'app', image: 'a' },
    { name: 'side', ...mounts(...all) },
  ],
});
const besides = (spec: object, own: object = {}) => inShortMarked(besideMounted(aPlace(own, spec), '/shared/x/file'));
rows('a file below a folder that another container mounts', {
  'mounts it too': [besides(sidecar(mount('d', '/shared'))), guess({ volumeMounts: [{ name: 'd', mountPath: '/shared' }] })],
  'once, where two containers mount it': [
    besides({ ...sidecar(mount('d', '/shared')), initContainers: [{ name: 'i', ...mounts(mount('d', '/shared')) }] }),
    guess({ volumeMounts: [{ name: 'd', mountPath: '/shared' }] }),
  ],
  'none of two': [besides(sidecar(mount('d', '/shared'), mount('e', '/shared/x'))), []],
  'no Secret': [besides(sidecar(mount('s', '/shared'))), []],
  'no other folder': [besides(sidecar(mount('d', '/share'))), []],
});
for (const folder of ['/tmp', '/run', '/var/run', '/var/tmp', '/dev/shm', '/var/lib', '/var/log', '/opt', '/mnt', '/srv', '/'])
  test(`a volume at ${folder} says nothing of a file in it`, () =>
    assert.equal(besideMounted(aPlace({}, sidecar(mount('d', folder))), `${folder.replace(/\/$/, '')}/x/file`), []));
test('a volume that the container has itself, or a folder in which it has one, is not mounted twice', () => {
  const spec = (own: object) => ({
    ...sidecar(),
    containers: [
      { name: 'app', image: 'a', ...mounts(own) },
      { name: 'side', ...mounts(mount('d', '/shared')) },
    ],
  });
  assert.equal(besides(spec(mount('d', '/else'))), []);
  assert.equal(besides(spec(mount('e', '/shared/x'))), []);
  assert.equal(besides(spec(mount('e', '/else'))), guess({ 'volumeMounts[1]': { name: 'd', mountPath: '/shared' } }));
});

const moved = (folder: string, own: object, spec: object = volumes(empty('d'), configMap('c'))) =>
  inShortMarked(movedMount(aPlace(own, spec), folder));
rows('a missing folder, and the only volume', {
  'with its last name': [
    moved('/srv/data/uploads/', mounts(mount('d', '/uploads'))),
    guess({ 'volumeMounts[0].mountPath': '/srv/data/uploads' }),
  ],
  'with the last name of its file’s folder': [
    moved('/srv/data/uploads/a.txt', mounts(mount('d', '/uploads'))),
    guess({ 'volumeMounts[0].mountPath': '/srv/data/uploads' }),
  ],
  'at a near path': [moved('/srv/uplaods', mounts(mount('d', '/srv/uploads'))), likely({ 'volumeMounts[0].mountPath': '/srv/uplaods' })],
  'that a setting names': [
    moved('/srv/media', { args: ['--media=/srv/media/'], ...mounts(mount('c', '/c'), mount('d', '/files')) }),
    likely({ 'volumeMounts[1].mountPath': '/srv/media' }),
  ],
  'that a setting names a file in': [
    moved('/srv/media', { args: ['--media=/srv/media/x'], ...mounts(mount('d', '/files')) }),
    likely({ 'volumeMounts[0].mountPath': '/srv/media' }),
  ],
  'whose own path is named too': [
    moved('/srv/media', { args: ['--media=/srv/media', '--x=/files/y'], ...mounts(mount('d', '/files')) }),
    [],
  ],
  'whose own path alone is named': [moved('/srv/uplaods', { args: ['--x=/srv/uploads'], ...mounts(mount('d', '/srv/uploads')) }), []],
  'that has nothing to do with it': [moved('/srv/media', mounts(mount('d', '/files'))), []],
  'of two': [moved('/srv/files', mounts(mount('d', '/files'), mount('e', '/e')), volumes(empty('d'), empty('e'))), []],
  'in which it lies': [moved('/srv/files/sub', mounts(mount('d', '/srv/files'))), []],
  'beside a volume that is there': [moved('/srv/files', mounts(mount('c', '/srv/files/'), mount('d', '/files'))), []],
  'over the program': [moved('/app', mounts(mount('d', '/x/app'))), []],
  'over a common folder': [moved('/var/lib', mounts(mount('d', '/x/lib'))), []],
});

const sort = (file: string, object = 'pair', more: object = {}) =>
  inShortMarked(
    sameSort(
      anInput({}, {}, AROUND),
      aPlace(mounts(mount('t', '/t')), volumes({ name: 't', secret: { secretName: object, ...more } })),
      file,
    ),
  );
const items = (...all: [key: string, path: string][]) => ({ 'spec.volumes[0].secret.items': all.map(([key, path]) => ({ key, path })) });
rows('a certificate under another usual name', {
  'with its key': [sort('/t/tls.crt'), likely(items(['cert.pem', 'tls.crt'], ['key.pem', 'tls.key'], ['ca.crt', 'ca.crt']))],
  'for a key': [sort('/t/privkey.pem'), likely(items(['key.pem', 'privkey.pem'], ['cert.pem', 'cert.pem'], ['ca.crt', 'ca.crt']))],
  'for the key of a pair': [sort('/t/tls.key'), likely(items(['key.pem', 'tls.key'], ['cert.pem', 'tls.crt'], ['ca.crt', 'ca.crt']))],
  'of authorities': [sort('/t/root.pem'), []],
  'with two certificates': [sort('/t/tls.crt', 'certs'), []],
  'for the key beside two certificates': [
    sort('/t/tls.key', 'certs'),
    likely(items(['c.key', 'tls.key'], ['a.crt', 'a.crt'], ['b.crt', 'b.crt'])),
  ],
  'where `items` is set': [sort('/t/tls.crt', 'pair', { items: [] }), []],
  'of no sort': [sort('/t/hello'), []],
  'in no volume': [sort('/u/tls.crt'), []],
});

const tokens = (...all: (string | undefined)[]) =>
  [
    mounts(mount('p', '/p')),
    volumes(
      { name: 'x', projected: { sources: [{ serviceAccountToken: { audience: 'no' } }] } },
      { name: 'p', projected: { sources: all.map((audience) => ({ serviceAccountToken: { audience, path: 'a' } })) } },
    ),
  ] as const;
const meant = (line: string, logs = '', ...all: (string | undefined)[]) =>
  inShortMarked(otherAudience(anInput(...tokens(...all), { logs }), line));
const FOR = (index = 0) => `spec.volumes[1].projected.sources[${index}].serviceAccountToken.audience`;
rows('the audience of a token', {
  'that the line names': [
    meant('invalid audience, expected "https://kube.example:6443"', '', 'api'),
    likely({ [FOR()]: 'https://kube.example:6443' }, NO_MIRROR),
  ],
  'behind a token without one': [meant('expects audience vault', '', undefined, 'api'), likely({ [FOR(1)]: 'vault' }, NO_MIRROR)],
  'for Vault': [meant('invalid audience', '==> app (current) <==\nlogging in to Vault\n', 'api'), guess({ [FOR()]: 'vault' }, NO_MIRROR)],
  'for Vault, which a part of the line only seems to name': [
    meant('unexpected audience (aud)', '==> app (previous) <==\nvault\n==> app (current) <==\nx\n', 'api'),
    guess({ [FOR()]: 'vault' }, NO_MIRROR),
  ],
  'of which nobody says anything': [meant('invalid audience', '==> app (current) <==\nhello\n', 'api'), []],
  'that it has': [meant('expected api', '', 'api'), []],
  'of one of two': [meant('expected vault', '', 'api', 'web'), []],
});
test('only tokens that the container mounts have an audience for it', () =>
  assert.equal(audiences(anInput(...tokens('a', undefined, 'b'))), [
    { audience: 'a', path: FOR() },
    { audience: 'b', path: FOR(2) },
  ]));

for (const name of [
  'SSL_CERT_FILE',
  'NODE_EXTRA_CA_CERTS',
  'REQUESTS_CA_BUNDLE',
  'CURL_CA_BUNDLE',
  'AWS_CA_BUNDLE',
  'GIT_SSL_CAINFO',
  'PGSSLROOTCERT',
])
  test(`authorities that ${name} names and no volume brings`, () => {
    const at = (value: string, variable = name) =>
      trustedAuthorities(
        anInput(
          {
            env: [
              { name: 'X', value: '/t/tls.crt' },
              { name: variable, value },
            ],
            ...mounts(mount('ca', '/t')),
          },
          volumes(secret('ca')),
          AROUND,
        ),
      );
    const { corrections, ...found } = at('/t/cas.crt') ?? {};
    assert.equal(found, { name, file: '/t/cas.crt', advice: `No volume brings the file that \`${name}\` names.` });
    assert.equal(inShortMarked(corrections), likely({ 'env[1].value': '/t/ca.crt' }));
    assert.equal(
      [at('/t/ca.crt'), at('cas.crt'), at('/t/cas.crt', 'OTHER'), at('/u/other.bin')],
      [undefined, undefined, undefined, undefined],
    );
  });
for (const [line, name] of [
  ['Error: UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'NODE_EXTRA_CA_CERTS'],
  ['Error: UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'NODE_EXTRA_CA_CERTS'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'NODE_EXTRA_CA_CERTS'],
  ['DEPTH_ZERO_X', 'NODE_EXTRA_CA_CERTS'],
  ['unable to verify the first certificate', 'NODE_EXTRA_CA_CERTS'],
  ['x509: certificate signed by unknown authority', 'SSL_CERT_FILE'],
  ['requests.exceptions.SSLError', 'REQUESTS_CA_BUNDLE'],
  ["HTTPSConnectionPool(host='a'): certificate verify failed", 'REQUESTS_CA_BUNDLE'],
  ['[SSL: CERTIFICATE_VERIFY_FAILED]', 'SSL_CERT_FILE'],
  ['SSL_connect: certificate verify failed', 'SSL_CERT_FILE'],
  ['another failure', undefined],
] as const)
  test(`authorities that a volume brings, for: ${line}`, () => {
    const of = (container: object = {}, ...more: string[]) =>
      unusedAuthorities(
        anInput(
          { ...mounts(...['ca', ...more].map((one) => mount(one, `/${one}`))), ...container },
          volumes(secret('ca'), secret('pair'), secret('certs')),
          AROUND,
        ),
        line,
      );
    const found = of();
    assert.is(found?.name, name);
    if (!name) return;
    assert.is(found?.advice, 'Let the program trust the authorities in `/ca/ca.crt`.');
    assert.equal(inShortMarked(found?.corrections), likely({ env: [{ name, value: '/ca/ca.crt' }] }));
    assert.is(of({}, 'certs')?.file, '/ca/ca.crt');
    assert.equal(
      [of({}, 'pair'), of({ args: ['--ca=/ca/ca.crt'] }), of({ env: [{ name: 'CURL_CA_BUNDLE', value: 'x' }] })],
      [undefined, undefined, undefined],
    );
  });

const unbrought = (env: object, at: object = mount('c', '/etc/c'), volume: object = configMap('c')) => {
  const found = unbroughtFile(
    anInput({ env: Object.entries(env).map(([name, value]) => ({ name, value })), ...mounts(at) }, volumes(volume), AROUND),
  );
  return found && [found.name, found.file, inShortMarked(found.corrections)];
};
test('a setting with a file that its volume does not bring', () => {
  assert.equal(unbrought({ A: '/x', CONFIG: '/etc/c/apps.yml' }), [
    'CONFIG',
    '/etc/c/apps.yml',
    likely({ 'env[1].value': '/etc/c/app.yml' }),
  ]);
  assert.ok(unbrought({ CONFIG_PATH: '/etc/c/apps.yml' }));
  for (const [sentence, ...args] of [
    ['it is there', { CONFIG: '/etc/c/app.yml' }],
    [
      'it is a folder with files',
      { CONFIG: '/etc/c/d' },
      mount('c', '/etc/c'),
      configMap('c', { items: [{ key: 'a', path: 'd/app.yml' }] }),
    ],
    ['it is called a folder', { CONFIG_DIR: '/etc/c/apps.yml' }],
    ['it may be a folder', { CONFIG_PATH: '/etc/c/apps' }],
    ['two have such files', { CONFIG: '/etc/c/apps.yml', OTHER: '/etc/c/ap.yml' }],
    ['it is no path', { CONFIG: '/etc/c/apps.yml now' }],
    ['only a part is mounted', { CONFIG: '/etc/c/apps.yml' }, mount('c', '/etc/c', { subPath: 'x' })],
    ['nobody knows the keys', { CONFIG: '/etc/c/apps.yml' }, mount('c', '/etc/c'), configMap('unknown')],
    ['nothing is near', { CONFIG: '/etc/c/zzz.bin' }],
  ] as [string, object, object?, object?][])
    assert.is(unbrought(...(args as [object])), undefined, sentence);
});

const beside = (args: string[], volume: object, ...all: object[]) => {
  const found = unbroughtFolder(anInput({ args, ...mounts(...all) }, volumes(volume)));
  return found && [found.name, found.folder, inShortMarked(found.corrections)];
};
test('a setting with a folder that no volume brings', () => {
  const at = mount('c', '/etc/c-certs/');
  assert.equal(beside(['--certs-dir=/etc/certs'], configMap('c'), at), [
    '--certs-dir',
    '/etc/certs',
    likely({ 'args[0]': '--certs-dir=/etc/c-certs' }),
  ]);
  assert.ok(beside(['--folder=/etc/c-cert/'], { name: 'c', projected: {} }, at), 'a slip, of a projected volume');
  assert.ok(beside(['--path=/other/c-certs'], secret('c'), at), 'the same last name');
  for (const [sentence, args, volume, ...all] of [
    ['nothing is near', ['--certs-dir=/other/place'], secret('c'), at],
    ['it is mounted', ['--certs-dir=/etc/c-certs/'], secret('c'), at],
    ['it is below a mount', ['--certs-dir=/etc/certs'], secret('c'), at, mount('x', '/etc')],
    ['another setting names the mount', ['--certs-dir=/etc/certs', '--x=/etc/c-certs'], secret('c'), at],
    ['it is no folder by its name', ['--name=/etc/certs'], secret('c'), at],
    ['it is no path', ['--certs-dir=etc certs'], secret('c'), at],
    ['the volume is for files', ['--certs-dir=/etc/certs'], empty('c'), at],
    ['a part of it is mounted', ['--certs-dir=/etc/certs'], secret('c'), mount('c', '/etc/c-certs', { subPath: 'a' })],
    ['it is the token of the account', ['--certs-dir=/run/serviceaccounts'], secret('c'), mount('c', '/run/serviceaccount')],
    ['two are near', ['--certs-dir=/etc/certs', '--other-dir=/etc/certs'], secret('c'), at],
  ] as [string, string[], object, ...object[]][])
    assert.is(beside(args, volume, ...all), undefined, sentence);
});

const object = (file: string, own: object = {}, spec: object = {}) =>
  inShortMarked(unmountedObject(anInput({}, {}, AROUND), aPlace(own, spec), file));
rows('an object that nobody mounts', {
  'a Secret whose name has a word of the folder': [
    object('/etc/auth/passwords'),
    likely(
      {
        'spec.volumes': [{ name: 'shop-auth', secret: { secretName: 'shop-auth' } }],
        volumeMounts: [{ name: 'shop-auth', mountPath: '/etc/auth' }],
      },
      NO_MIRROR,
    ),
  ],
  'a ConfigMap': [
    object('/Mosquitto/config/mosquitto.conf', mounts(mount('x', '/x')), volumes(empty('x'))),
    likely({
      'spec.volumes[1]': { name: 'mosquitto-conf', configMap: { name: 'mosquitto-conf' } },
      'volumeMounts[1]': { name: 'mosquitto-conf', mountPath: '/Mosquitto/config' },
    }),
  ],
  'without such a key': [object('/etc/auth/users'), []],
  'with no word of the folder': [object('/etc/app/passwords'), []],
  'at the root': [object('/passwords'), []],
  'where a volume is': [object('/etc/auth/passwords', mounts(mount('x', '/etc/auth/'))), []],
  'that a volume has': [object('/etc/auth/passwords', {}, volumes(secret('shop-auth'))), []],
});

const socket = (args: string[], ...all: object[]) => {
  const found = unmountedSocket(anInput({ args, ...mounts(...all) }, volumes(empty('v'))));
  return found && [found.name, found.socket, inShortMarked(found.corrections)];
};
test('a socket in a folder that no volume brings', () => {
  const at = mount('v', '/var/run/csi/');
  assert.equal(socket(['--csi-address=unix:///run/csi/csi.sock'], at), [
    '--csi-address',
    'unix:///run/csi/csi.sock',
    likely({ 'args[0]': '--csi-address=unix:///var/run/csi/csi.sock' }),
  ]);
  assert.equal(
    socket(['--a=/run/x/a.sock'], mount('sockets', '/s'))?.[2],
    likely({ 'args[0]': '--a=/s/a.sock' }),
    'by the name of the volume',
  );
  assert.equal(socket(['--a=/run/x/a.sock'], mount('v', '/other'))?.[2], []);
  assert.equal(socket(['--a=/run/csi/a.sock'], at, mount('w', '/x/csi'))?.[2], [], 'two fit');
  assert.equal(socket(['--a=/run/csi/a.sock'], mount('v', '/var/run/csi', { subPath: 'x' }))?.[2], [], 'a part of a volume');
  assert.equal(socket(['--a=/a.sock'], mount('v', '/other'))?.[2], [], 'at the root');
  for (const [sentence, args] of [
    ['it is mounted', ['--a=/var/run/csi/a.sock']],
    ['two settings have one', ['--a=/run/csi/a.sock', '--b=/run/csi/b.sock']],
    ['it is one of the kubelet', ['--kubelet-path=/run/csi/a.sock']],
    ['it is registered', ['--registration=/run/csi/a.sock']],
    ['it is one of the host', ['--host-path=/run/csi/a.sock']],
    ['none is named', ['--a=/run/csi/a']],
  ] as const)
    assert.is(socket([...args], at), undefined, sentence);
});

const unused = (file: string, args: string[], spec: object = volumes(claim('d')), ...all: object[]) => {
  const found = inUnusedMount(anInput({ args, ...mounts(...(all.length > 0 ? all : [mount('d', '/data/')])) }, spec), file);
  return found && [found.name, inShortMarked(found.corrections)];
};
test('a claim that nothing names', () => {
  assert.equal(unused('/srv/flags.db', ['--db=/srv/flags.db']), ['--db', likely({ 'args[0]': '--db=/data/flags.db' })]);
  assert.equal(unused('/srv/state/x', ['--dir=/srv/state']), ['--dir', likely({ 'args[0]': '--dir=/data' })]);
  assert.equal(unused('', ['--x=/srv/x', '--db=/srv/a/flags.sqlite']), ['--db', likely({ 'args[1]': '--db=/data/flags.sqlite' })]);
  for (const [sentence, ...rest] of [
    ['no setting has the path', '/srv/flags.db', ['--db=/srv/other.db']],
    ['two have', '/srv/flags.db', ['--db=/srv/flags.db', '--dir=/srv']],
    ['it is in a volume', '/data/flags.db', ['--db=/data/flags.db']],
    ['another setting names the claim', '/srv/flags.db', ['--db=/srv/flags.db', '--x=/data/x']],
    ['it is no claim', '/srv/flags.db', ['--db=/srv/flags.db'], volumes(empty('d'))],
    ['it is read-only', '/srv/flags.db', ['--db=/srv/flags.db'], volumes(claim('d')), mount('d', '/data', { readOnly: true })],
    ['a part of it is mounted', '/srv/flags.db', ['--db=/srv/flags.db'], volumes(claim('d')), mount('d', '/data', { subPath: 'x' })],
    ['there are two', '/srv/flags.db', ['--db=/srv/flags.db'], volumes(claim('d'), claim('e')), mount('d', '/data'), mount('e', '/more')],
    ['the database is no file', '', ['--db=flags.sqlite']],
  ] as [string, string, string[], object?, ...object[]][])
    assert.is(unused(...rest), undefined, sentence);
  const both = anInput(
    { args: ['--db=/srv/flags.db'], ...mounts(mount('e', '/cache'), mount('d', '/data')) },
    volumes(empty('e'), claim('d')),
  );
  assert.equal(inShortMarked(inUnusedMount(both, '/srv/flags.db', true)?.corrections), likely({ 'args[0]': '--db=/data/flags.db' }));
});

const inFolder = (line: string, container: object, spec: object) => inShortMarked(inWritableFolder(aPlace(container, spec), line));
const MKDIR = 'Error: mkdir cache/x: read-only file system';
const BEAT = { command: ['celery', '-A', 'shop', 'beat'] };
const SCHEDULE = "OSError: [Errno 30] Read-only file system: 'celerybeat-schedule'";
rows('a folder in a working directory that is read-only', {
  'goes to the only volume': [
    inFolder(MKDIR, mounts(mount('c', '/c'), mount('d', '/d')), volumes(configMap('c'), empty('d'))),
    guess({ workingDir: '/d' }),
  ],
  'goes to a claim': [inFolder("open 'x.log': EROFS", mounts(mount('d', '/d')), volumes(claim('d'))), guess({ workingDir: '/d' })],
  'goes to /tmp first': [
    inFolder(MKDIR, mounts(mount('d', '/d'), mount('e', '/tmp/')), volumes(empty('d'), empty('e'))),
    guess({ workingDir: '/tmp/' }),
  ],
  'goes to none of two': [inFolder(MKDIR, mounts(mount('d', '/d'), mount('e', '/e')), volumes(empty('d'), empty('e'))), []],
  'goes to no volume that is read-only': [inFolder(MKDIR, mounts(mount('d', '/d', { readOnly: true })), volumes(empty('d'))), []],
  'goes to no part of a volume': [inFolder(MKDIR, mounts(mount('d', '/d', { subPath: 'x' })), volumes(empty('d'))), []],
  'is not named': [inFolder('read-only file system', mounts(mount('d', '/d')), volumes(empty('d'))), []],
  'is the schedule of Celery': [
    inFolder(SCHEDULE, { ...BEAT, ...mounts(mount('d', '/d/')) }, volumes(empty('d'))),
    likely({ 'command[4]': '--schedule=/d/celerybeat-schedule' }),
  ],
  'is the schedule that an option names': [
    inFolder(SCHEDULE, { command: [...BEAT.command, '-s', 'x'], ...mounts(mount('d', '/d')) }, volumes(empty('d'))),
    [],
  ],
  'is the schedule of another program': [inFolder(SCHEDULE, { command: ['x'], ...mounts(mount('d', '/d')) }, volumes(empty('d'))), []],
});

const profile = (name: string, value: string, ...keys: string[]) => {
  const found = profileOfFile(
    anInput(
      {
        env: [
          { name: 'A', value: 'b' },
          { name, value },
        ],
        ...mounts(mount('p', '/p')),
      },
      volumes(configMap('p')),
      { surroundings: { configMaps: [{ name: 'p', keys }] } },
    ),
  );
  return found && [found.name, found.value, inShortMarked(found.corrections)];
};
for (const [name, file] of [
  ['SPRING_PROFILES_ACTIVE', 'application-prod.yaml'],
  ['MICRONAUT_ENVIRONMENTS', 'application-prod.yml'],
  ['QUARKUS_PROFILE', 'application-prod.properties'],
  ['ASPNETCORE_ENVIRONMENT', 'appsettings.prod.json'],
  ['DOTNET_ENVIRONMENT', 'appsettings.prod.json'],
  ['NODE_CONFIG_ENV', 'prod.json5'],
  ['NODE_ENV', 'config.prod.yaml'],
  ['APP_ENV', 'config-prod.toml'],
  ['RAILS_ENV', 'prod.yml'],
] as const)
  test(`the profile of ${name} that has a file`, () => {
    assert.equal(profile(name, 'production', file), [name, 'production', likely({ 'env[1].value': 'prod' })]);
    assert.equal(profile(name, 'porduction', file.replace('prod', 'production'))?.[2], likely({ 'env[1].value': 'production' }));
    const other = file.replace('prod', 'productionb');
    assert.equal(
      [profile(name, 'prod', file), profile(name, 'zzz', file), profile('OTHER', 'production', file), profile(name, 'prod x', file)],
      [undefined, undefined, undefined, undefined],
    );
    assert.is(profile(name, 'production', file, other), undefined, 'two are near');
  });

test.run();
