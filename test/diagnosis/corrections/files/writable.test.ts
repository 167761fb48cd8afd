import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Correction } from '../../../../src/diagnosis/corrections/correction.ts';
import { otherCertificate } from '../../../../src/diagnosis/corrections/files/other-certificate.ts';
import { mountedAt, startedIn } from '../../../../src/diagnosis/corrections/files/other-folder.ts';
import { otherSubPath } from '../../../../src/diagnosis/corrections/files/other-sub-path.ts';
import { quarkusProfile } from '../../../../src/diagnosis/corrections/files/profile-of-file.ts';
import { socketFolder } from '../../../../src/diagnosis/corrections/files/socket-folder.ts';
import { writableCopy } from '../../../../src/diagnosis/corrections/files/writable-copy.ts';
import { isKept, readOnlyVolume, whereToWrite, writableFolder } from '../../../../src/diagnosis/corrections/files/writable-folder.ts';
import { aPlace, anInput } from '../../../support/builders/cases.ts';
import { correctionRows, env, guess, likely, NO_MIRROR } from '../../../support/builders/corrections.ts';
import { claim, configMap, empty, mount, mounts, volumes } from '../../../support/builders/volumes.ts';

const test = suite('folders that a program writes to');
const rows = correctionRows(test);

const texts = ([one]: Correction[]) => [one?.title, one?.explanation, ...(one?.changes.map(({ why }) => why) ?? [])];
const user = (id: number, more: object = {}) => ({ securityContext: { runAsUser: id, ...more } });
const secret = (name: string, more: object = {}) => ({ name, secret: { secretName: name, ...more } });
const host = (name: string) => ({ name, hostPath: { path: `/srv/${name}` } });

const write = (
  path: string,
  isFolder: boolean,
  container: object = {},
  spec: object = {},
  claims: { name: string; storageClass?: string }[] = [],
) =>
  writableFolder(
    aPlace(container, spec),
    path,
    isFolder,
    claims.map((one) => ({ phase: 'Bound', ...one })),
  );
/** An empty volume at each folder, in a pod without volumes. */
const made = (...folders: string[]) => {
  const named = folders.map((folder) => `writable${folder.replaceAll('/', '-')}`);
  return {
    'spec.volumes': named.map((name) => ({ name, emptyDir: {} })),
    volumeMounts: folders.map((mountPath, index) => ({ name: named[index], mountPath })),
  };
};
const once = (path: string) => ({ command: ['sh', '-c', `mkdir ${path}; run`] });
const READ_ONLY = { securityContext: { readOnlyRootFilesystem: true } };
rows('an empty volume', {
  'at the folder': [write('/store/out', true), likely(made('/store/out'))],
  'at the folder that ends with a slash': [write('/store/out/', true), likely(made('/store/out'))],
  'at the folder of the file': [write('/store/out/a.txt', false), likely(made('/store/out'))],
  'beside the volumes that are there': [
    write('/store', true, mounts(mount('a', '/a')), volumes(empty('a'))),
    likely({
      'spec.volumes[1]': { name: 'writable-store', emptyDir: {} },
      'volumeMounts[1]': { name: 'writable-store', mountPath: '/store' },
    }),
  ],
  'under a name that is free': [
    write('/store', true, {}, volumes(empty('writable-store'), empty('writable-store-2'))),
    likely({
      'spec.volumes[2]': { name: 'writable-store-3', emptyDir: {} },
      volumeMounts: [{ name: 'writable-store-3', mountPath: '/store' }],
    }),
  ],
  'under the second name that is free': [
    write('/store', true, {}, volumes(empty('writable-store'))).map((one) => ({ ...one, changes: one.changes.slice(0, 1) })),
    likely({ 'spec.volumes[1]': { name: 'writable-store-2', emptyDir: {} } }),
  ],
  'under a short name': [
    write(`/${'x'.repeat(40)}/${'y'.repeat(20)}`, true).map((one) => ({ ...one, changes: one.changes.slice(0, 1) })),
    likely({ 'spec.volumes': [{ name: `writable-${'x'.repeat(40)}`, emptyDir: {} }] }),
  ],
  'above a folder that is made once': [write('/store/out', true, once('/store/out')), guess(made('/store'))],
  'at a folder that is made if it is missing': [write('/store/out', true, once('-p /store/out')), likely(made('/store/out'))],
  'at a folder that is made with its parents': [write('/store/out', true, once('--parents /store/out')), likely(made('/store/out'))],
  'at a folder that is made once in one that the image needs': [write('/app/out', true, once('/app/out')), guess(made('/app/out'))],
  'above a folder of work': [write('/var/cache/nginx/client_temp', true), likely(made('/var/cache/nginx'))],
  'above a folder of work that is made once': [write('/var/run/app/x', true, once('/var/run/app/x')), likely(made('/var/run/app'))],
  'above a temporary folder': [write('/tmp/x', true), likely(made('/tmp'))],
  'above another temporary folder': [write('/var/tmp/x', true), likely(made('/var/tmp'))],
  'where nginx writes': [write('/var/cache/nginx/x', true, READ_ONLY), likely(made('/var/cache/nginx', '/var/run'))],
  'where nginx writes, beside what is mounted': [
    write('/var/cache/nginx/x', true, { ...READ_ONLY, ...mounts(mount('r', '/var/run/')) }, volumes(empty('r'))),
    likely({
      'spec.volumes[1]': { name: 'writable-var-cache-nginx', emptyDir: {} },
      'volumeMounts[1]': { name: 'writable-var-cache-nginx', mountPath: '/var/cache/nginx' },
    }),
  ],
  'where a path in a folder of the image looks like a folder of work': [write('/app/cache', false), likely(made('/app/cache'))],
  'where a path in a folder of the image may be a folder': [write('/app/thing', false), guess(made('/app/thing'))],
  'not over files of the image': [write('/app/thing.txt', false), []],
  'not over programs': [write('/usr/bin/data', false), []],
  'not over a folder of the system': [write('/etc/passwd.lock', false), []],
  'not at the root': [write('/', true), []],
  'not at a path that is none': [write('data', true), []],
});
test('an empty volume, in words', () => {
  assert.equal(texts(write('/var/cache/nginx/x', true, READ_ONLY)), [
    'Mount an empty volume at `/var/cache/nginx` and `/var/run`',
    'What is written there is lost with the pod. Data that must stay needs a PersistentVolumeClaim.',
    'programs can write to an `emptyDir`',
    'every user of the pod can write into it',
  ]);
  assert.equal(writableFolder(undefined, '/a', true), []);
  assert.equal(writableFolder(anInput({}, {}, { container: 'gone' }).place(), '/a', true), []);
});
for (const name of [
  'cache',
  'tmp',
  'temp',
  'log',
  'logs',
  'data',
  'run',
  'state',
  'spool',
  'upload',
  'uploads',
  'work',
  'session',
  'sessions',
].concat(['storage', 'var', 'out', 'output', 'lock', 'locks', 'pid', 'pids', 'my-cache', '.cache', 'x_data']))
  test(`programs write to ${name}`, () => assert.is(write(`/app/${name}`, false)[0]?.confidence, name === '.cache' ? undefined : 'likely'));
for (const folder of [
  '/',
  '/bin',
  '/boot',
  '/dev',
  '/etc',
  '/lib',
  '/lib64',
  '/proc',
  '/root',
  '/sbin',
  '/sys',
  '/usr',
  '/usr/local/bin',
  '/usr/share',
  '/etc/ssl',
  '/etc/ld.so.conf',
  '/etc/',
].concat([
  '/app',
  '/application',
  '/code',
  '/srv',
  '/workspace',
  '/opt/x',
  '/usr/src/x',
  '/usr/share/x',
  '/usr/lib/x',
  '/usr/libexec/x',
  '/home/x',
  '/var/www',
  '/var/www/html',
  '/app/',
]))
  test(`the image needs ${folder}`, () => assert.ok(isKept(folder)));
for (const folder of ['/data', '/var', '/var/lib/x', '/opt', '/opt/x/y', '/home', '/app/data', '/etc/app', '/tmp'])
  test(`the image does not need ${folder}`, () => assert.not.ok(isKept(folder)));

const V = (volume: object, mounted: object = {}, path = '/v') =>
  [mounts(mount('x', '/x'), mount('v', path, mounted)), volumes(empty('x'), volume)] as const;
const at = (
  volume: object,
  more: { mounted?: object; container?: object; spec?: object; claims?: { name: string; storageClass?: string }[]; path?: string } = {},
) => {
  const [container, spec] = V(volume, more.mounted);
  return write(more.path ?? '/v/file', false, { ...container, ...more.container }, { ...spec, ...more.spec }, more.claims);
};
const GROUP = 'spec.securityContext.fsGroup';
const OWNED = (owner: string, more: object = {}) => ({
  name: 'own-folder',
  image: 'web:1',
  command: ['chown', '-R', owner, '/v'],
  securityContext: { runAsUser: 0, runAsNonRoot: false },
  volumeMounts: [{ name: 'v', mountPath: '/v' }],
  ...more,
});
rows('a volume where a program writes', {
  'for the user of the container': [at(claim('v'), { container: user(5) }), likely({ [GROUP]: 5 })],
  'for the user of the pod': [at(claim('v'), { spec: user(6) }), likely({ [GROUP]: 6 })],
  'for the group of the container': [
    at(claim('v'), { container: user(5, { runAsGroup: 7 }), spec: user(6, { runAsGroup: 8 }) }),
    likely({ [GROUP]: 7 }),
  ],
  'for the group of the pod': [at(claim('v'), { spec: user(6, { runAsGroup: 8 }) }), likely({ [GROUP]: 8 })],
  'for the group of the image': [at(claim('v'), { container: { image: 'grafana/grafana:1' } }), likely({ [GROUP]: 472 })],
  'for nobody who is known': [at(claim('v')), []],
  'for root': [at(claim('v'), { container: user(0) }), []],
  'at its very path': [at(claim('v'), { container: user(5), path: '/v' }), likely({ [GROUP]: 5 })],
  'that root fills first': [
    at(claim('v'), { container: user(5), spec: { initContainers: [{ name: 'i', image: 'a', ...mounts(mount('v', '/w')) }] } }),
    guess({ [GROUP]: 5 }),
  ],
  'that another user fills first': [
    at(claim('v'), { container: user(5), spec: { initContainers: [{ name: 'i', image: 'a', ...user(3), ...mounts(mount('v', '/w')) }] } }),
    likely({ [GROUP]: 5 }),
  ],
  'that root does not fill': [
    at(claim('v'), { container: user(5), spec: { initContainers: [{ name: 'i', image: 'a', ...mounts(mount('x', '/w')) }] } }),
    likely({ [GROUP]: 5 }),
  ],
  'that has a group': [at(empty('v'), { container: user(5), spec: { securityContext: { fsGroup: 5 } } }), []],
  'that takes no group': [
    at(claim('v'), { container: user(5, { runAsGroup: 7 }), spec: { securityContext: { fsGroup: 5 } } }),
    guess({ 'spec.initContainers': [OWNED('5:7')] }, NO_MIRROR),
  ],
  'of the node': [at(host('v'), { container: user(5) }), guess({ 'spec.initContainers': [OWNED('5:5')] }, NO_MIRROR)],
  'of the node, behind an init container': [
    at(host('v'), { container: user(5), spec: { initContainers: [{ name: 'i', image: 'a' }] } }),
    guess({ 'spec.initContainers[1]': OWNED('5:5') }, NO_MIRROR),
  ],
  'of the node, whose owner changes already': [
    at(host('v'), { container: user(5), spec: { initContainers: [{ name: 'own-folder', image: 'a' }] } }),
    [],
  ],
  'of the node, for nobody who is known': [at(host('v')), []],
  'that somebody made by hand': [
    at(claim('v'), { container: user(5), claims: [{ name: 'v', storageClass: '' }] }),
    [...guess({ 'spec.initContainers': [OWNED('5:5')] }, NO_MIRROR), ...guess({ [GROUP]: 5 })],
  ],
  'that somebody made by hand, with a group': [
    at(claim('v'), { container: user(5), spec: { securityContext: { fsGroup: 5 } }, claims: [{ name: 'v', storageClass: '' }] }),
    guess({ 'spec.initContainers': [OWNED('5:5')] }, NO_MIRROR),
  ],
  'of a class': [
    at(claim('v'), {
      container: user(5),
      claims: [
        { name: 'v', storageClass: 'fast' },
        { name: 'w', storageClass: '' },
      ],
    }),
    likely({ [GROUP]: 5 }),
  ],
  'that is mounted for reading': [at(claim('v'), { mounted: { readOnly: true } }), likely({ 'volumeMounts[1].readOnly': null }, NO_MIRROR)],
  'of the node that is mounted for reading': [
    at(host('v'), { mounted: { readOnly: true } }),
    guess({ 'volumeMounts[1].readOnly': null }, NO_MIRROR),
  ],
  'that is empty and mounted for reading': [
    at(empty('v'), { mounted: { readOnly: true } }),
    likely({ 'volumeMounts[1].readOnly': null }, NO_MIRROR),
  ],
  'that is made for the pod and mounted for reading': [
    at({ name: 'v', ephemeral: {} }, { mounted: { readOnly: true } }),
    likely({ 'volumeMounts[1].readOnly': null }, NO_MIRROR),
  ],
  'that is read-only for the whole pod': [
    at({ name: 'v', nfs: { path: '/', readOnly: true } }),
    likely({ 'spec.volumes[1].nfs.readOnly': null }, NO_MIRROR),
  ],
  'of files that only root may read': [at(secret('v', { defaultMode: 0o400 }), { container: user(5) }), likely({ [GROUP]: 5 })],
  'of files of a group that only root may read': [
    at(configMap('v', { defaultMode: 0o440 }), { spec: user(5, { runAsGroup: 9 }) }),
    likely({ [GROUP]: 9 }),
  ],
  'of projected files that only root may read': [
    at({ name: 'v', projected: { sources: [], defaultMode: 0o400 } }, { container: user(5) }),
    likely({ [GROUP]: 5 }),
  ],
  'of files that all may read': [at(secret('v', { defaultMode: 0o404 }), { container: user(5) }), []],
  'of files with the usual mode': [at(secret('v'), { container: user(5) }), []],
  'of files that a group reads already': [
    at(secret('v', { defaultMode: 0o400 }), { container: user(5), spec: { securityContext: { fsGroup: 3 } } }),
    [],
  ],
  'of files that only root may read, for nobody who is known': [at(secret('v', { defaultMode: 0o400 })), []],
});
test('an init container gets no init container before it', () => {
  const spec = { ...volumes(host('v')), initContainers: [{ name: 'i', image: 'a', ...user(5), ...mounts(mount('v', '/v')) }] };
  assert.equal(writableFolder(anInput({}, spec, { container: 'i' }).place(), '/v/a', false), []);
});
test('a volume where a program writes, in words', () => {
  assert.equal(texts(at(claim('v'), { container: user(5) })), [
    'Give the volume to group `5`',
    'A new volume belongs to root; `fsGroup` makes it writable for the group.',
    'kubelet then lets that group write at `/v`',
  ]);
  assert.equal(texts(at(host('v'), { container: user(5) })), [
    'Change the owner of `/v` to user `5` before the program starts',
    'The init container runs as root, with a `chown` that the image must have. Decide first whether the pod may do that.',
    'the folder belongs to another user, and `fsGroup` does not change it',
  ]);
  assert.equal(texts(at(claim('v'), { mounted: { readOnly: true } })), [
    'Mount volume `v` for writing',
    'The mount is read-only.',
    'the program writes there',
  ]);
  assert.equal(texts(at({ name: 'v', nfs: { readOnly: true } })), [
    'Use volume `v` for writing',
    'The volume is read-only for the whole pod.',
    'the program writes at `/v`, and the mount itself allows it',
  ]);
  assert.equal(texts(at(secret('v', { defaultMode: 0o400 }), { container: user(5) })), [
    'Let group `5` read volume `v`',
    'The files of `v` belong to root, and its mode lets nobody else read them.',
    'kubelet then gives the files to that group and lets it read them',
  ]);
});
test('the volume that is read-only for the whole pod, or only at this mount', () => {
  const of = (volume: object, path = '/v/a') => readOnlyVolume(aPlace(...V(volume)), path);
  assert.equal(
    [
      of({ name: 'v', nfs: { readOnly: true } }),
      of({ name: 'v', nfs: { readOnly: false } }),
      of(empty('v')),
      of({ name: 'v', nfs: { readOnly: true } }, '/w'),
      readOnlyVolume(aPlace(...V(empty('v'), { readOnly: true })), '/v/a'),
    ],
    [{ name: 'v', isSource: true }, undefined, undefined, undefined, { name: 'v', isSource: false }],
  );
  assert.is(readOnlyVolume(undefined, '/v'), undefined);
});

const BADGER = volumes(empty('x'), empty('b'));
const badger = (mountPath: string, more: object = {}, container: object = {}, spec: object = BADGER, path = '/badger') =>
  write(path, true, { ...mounts(mount('x', '/x'), mount('b', mountPath, more)), ...container }, spec);
const isMoved = (found: Correction[]) => found[0]?.title.startsWith('Mount the volume at');
rows('a volume that is mounted beside', {
  'comes to the folder': [badger('/data/badger'), likely({ 'volumeMounts[1].mountPath': '/badger' })],
  'comes to the folder without its slash': [
    badger('/data/badger/', {}, {}, BADGER, '/badger/'),
    likely({ 'volumeMounts[1].mountPath': '/badger' }),
  ],
});
test('a volume that is mounted beside stays there', () => {
  assert.equal(
    [
      badger('/data/other'),
      badger('/data/badger', { subPath: 'a' }),
      badger('/data/badger', { readOnly: true }),
      badger('/data/badger', {}, {}, volumes(empty('x'), configMap('b'))),
      badger('/data/badger', {}, { args: ['--dir=/data/badger'] }),
      badger('/data/db', {}, {}, BADGER, '/db'),
      write('/badger', true, mounts(mount('x', '/a/badger'), mount('b', '/b/badger')), BADGER),
    ].map(isMoved),
    Array.from({ length: 7 }, () => false),
  );
  assert.equal(texts(badger('/data/badger')), [
    'Mount the volume at `/badger`',
    'Nothing of the container names `/data/badger`.',
    'the program writes at `/badger`',
  ]);
});

test('where a program may write', () => {
  const of = (volume: object, spec: object = {}, container: object = {}) => {
    const [mounted, all] = V(volume);
    return whereToWrite(aPlace({ ...mounted, ...container }, { ...all, ...spec }), '/v/a');
  };
  assert.is(
    of(host('v'), user(5)),
    'Change the owner of `/srv/v` on the node (`chown 5`), or in an init container that runs as root. `fsGroup` does nothing for a folder of the node.',
  );
  assert.match(of(host('v')), '(`chown`)');
  assert.is(
    of(claim('v'), { securityContext: { fsGroup: 5 } }, user(4)),
    'The pod has `fsGroup` already: the storage does not take it, or files of another owner are there. Change their owner (`chown 4`) in an init container that runs as root.',
  );
  const usual =
    'Let the program write where its user may write: an `emptyDir`, a volume with `fsGroup`, or a folder that belongs to this user in the image.';
  assert.equal([of(claim('v')), of(empty('v'), { securityContext: { fsGroup: 5 } }), whereToWrite(undefined, '/v')], [usual, usual, usual]);
  assert.match(whereToWrite(aPlace({}, {}), '/v'), /^No volume is mounted there, so the path belongs to the image\./);
  for (const source of [{ secret: { secretName: 's' } }, { configMap: { name: 'c' } }, { projected: { sources: [] } }])
    assert.match(of({ name: 'v', ...source }), /^Files of a Secret or ConfigMap belong to root: `fsGroup`/);
});

const copy = (volume: object, mounted: object = {}, container: object = {}, spec: object = {}, path = '/v/a') => {
  const [of, all] = V(volume, mounted);
  return writableCopy(aPlace({ ...of, ...container }, { ...all, ...spec }), path);
};
const COPY = (name = 'v', folder = '/v') => ({
  name: `copy-${name}`,
  image: 'web:1',
  command: ['sh', '-c', `cp -rL /original/. ${folder}/`],
  volumeMounts: [
    { name, mountPath: '/original' },
    { name: `${name}-copy`, mountPath: folder },
  ],
});
const COPIED = { 'spec.volumes[2]': { name: 'v-copy', emptyDir: {} }, 'spec.initContainers': [COPY()], 'volumeMounts[1].name': 'v-copy' };
rows('a copy of files that are read-only', {
  'of a ConfigMap': [copy(configMap('v')), guess(COPIED)],
  'of a Secret': [copy(secret('v')), guess(COPIED)],
  'behind the init containers': [
    copy(configMap('v'), {}, {}, { initContainers: [{ name: 'i' }] }),
    guess({ 'spec.volumes[2]': COPIED['spec.volumes[2]'], 'spec.initContainers[1]': COPY(), 'volumeMounts[1].name': 'v-copy' }),
  ],
  'of one file': [copy(configMap('v'), { subPath: 'a' }), []],
  'of a folder that can be written': [copy(empty('v')), []],
  'of no volume': [copy(configMap('v'), {}, {}, {}, '/else'), []],
});
test('a copy of files that are read-only, in words', () => {
  assert.equal(texts(copy(configMap('v'))), [
    'Copy `/v` to a folder that can be written',
    'The image must have `sh` and `cp`. What the program writes is lost with the pod.',
    'it lives as long as the pod',
    'it copies the files before the program starts',
    'files of a ConfigMap or Secret are always read-only',
  ]);
  const long = 'x'.repeat(50);
  const [one] = writableCopy(aPlace(mounts(mount(long, '/v')), volumes(configMap(long))), '/v/a');
  assert.is(one?.changes[2]?.to, `${'x'.repeat(40)}-copy`);
  assert.match(JSON.stringify(one?.changes[1]?.to), `{"name":"copy-${'x'.repeat(40)}"`);
  const spec = { ...volumes(configMap('v')), initContainers: [{ name: 'i', image: 'a', ...mounts(mount('v', '/v')) }] };
  assert.equal(writableCopy(anInput({}, spec, { container: 'i' }).place(), '/v/a'), [], 'for an init container');
  assert.equal(writableCopy(undefined, '/v/a'), []);
});

const AROUND = { surroundings: { configMaps: [{ name: 'v', keys: ['ca.pem', 'app.yml', 'tls.key.pem'] }] } };
const certificate = (file: string, container: object = env({ A: 'x', CA: file }), around: object = AROUND) => {
  const [of, all] = V(configMap('v'), {}, '/etc/tls');
  const input = anInput({ ...of, ...container }, all, around);
  return otherCertificate(input, input.place()!, file);
};
const keys = (...all: string[]) => ({ surroundings: { configMaps: [{ name: 'v', keys: all }] } });
rows('a certificate that is not there', {
  'beside the only one': [certificate('/etc/tls/root.crt'), likely({ 'env[1].value': '/etc/tls/ca.pem' })],
  'beside two': [certificate('/etc/tls/root.crt', undefined, keys('a.pem', 'b.crt')), []],
  'beside none': [certificate('/etc/tls/root.crt', undefined, keys('a.yml')), []],
  'in another folder': [certificate('/etc/ssl/root.crt'), []],
  'that is none': [certificate('/etc/tls/root.yml'), []],
  'that no setting names': [certificate('/etc/tls/root.crt', {}), []],
  'that two settings name': [certificate('/etc/tls/root.crt', env({ A: '/etc/tls/root.crt', B: '/etc/tls/root.crt' })), []],
});
for (const ending of ['pem', 'crt', 'cer', 'cert', 'ca-bundle', 'PEM'])
  test(`a certificate ends with ${ending}`, () => {
    assert.is(certificate(`/etc/tls/root.${ending}`).length, 1);
    assert.is(certificate('/etc/tls/root.pem', env({ A: '/etc/tls/root.pem' }), keys(`ca.${ending}`)).length, 1);
  });
test('a certificate that is not there, in words', () =>
  assert.equal(texts(certificate('/etc/tls/root.crt')), [
    'Set `CA` to `/etc/tls/ca.pem`',
    'The volume has no `/etc/tls/root.crt`.',
    'it is the only certificate that the volume has there',
  ]));

const subPath = (key: string, ...all: string[]) => {
  const [of, spec] = V(configMap('v'), { subPath: key }, '/etc/a.yml');
  const input = anInput(of, spec, keys(...all));
  return otherSubPath(input, input.place()!, '/etc/a.yml');
};
rows('one file under a key that is not there', {
  'but in other letters': [subPath('App.yml', 'app.yml', 'App.yaml'), likely({ 'volumeMounts[1].subPath': 'app.yml' })],
  'but a near one': [subPath('ap.yml', 'app.yml', 'zzzzzz'), likely({ 'volumeMounts[1].subPath': 'app.yml' })],
  'but two near ones': [subPath('app.yml', 'appx.yml', 'apps.yml'), []],
  'but none': [subPath('app.yml', 'zzzzzz'), []],
  'which is there': [subPath('app.yml', 'app.yml', 'App.yml'), []],
  'which is empty': [subPath('', 'a'), []],
});
test('one file under a key that is not there, in words', () =>
  assert.equal(texts(subPath('ap.yml', 'app.yml')), [
    'Use the key `app.yml`',
    'Without the key, an empty folder is mounted at `/etc/a.yml`.',
    'there is no key `ap.yml`',
  ]));

const REASON = { why: 'w', explanation: 'E.' };
rows('another folder', {
  'for a volume': [mountedAt(aPlace(), { index: 1, to: '/b' }, REASON), likely({ 'volumeMounts[1].mountPath': '/b' })],
  'for a volume, perhaps': [
    mountedAt(aPlace(), { index: 0, to: '/b' }, { ...REASON, confidence: 'guess' }),
    guess({ 'volumeMounts[0].mountPath': '/b' }),
  ],
  'to start in': [startedIn(aPlace(), '/b', REASON), likely({ workingDir: '/b' })],
  'to start in, perhaps': [startedIn(aPlace(), '/b', { ...REASON, confidence: 'guess' }), guess({ workingDir: '/b' })],
});
test('another folder, in words', () => {
  assert.equal(texts([mountedAt(aPlace(), { index: 1, to: '/b' }, REASON)]), ['Mount the volume at `/b`', 'E.', 'w']);
  assert.equal(texts([mountedAt(aPlace(), { index: 1, to: '/b', what: 'file' }, REASON)])[0], 'Mount the file at `/b`');
  assert.equal(texts([startedIn(aPlace(), '/b', REASON)]), ['Start in the folder `/b`', 'E.', 'w']);
});

const socket = (path: string, container: object = {}, spec: object = {}) => socketFolder(aPlace(container, spec), path);
const RUN = volumes(empty('x'), empty('r'));
const beside = (mountPath: string, more: object = {}) => mounts(mount('x', '/x/y/z'), mount('r', mountPath, more));
rows('the folder of a socket', {
  'gets an empty volume': [socket('/csi/csi.sock'), likely(made('/csi'))],
  'gets the empty volume beside it': [
    socket('/run/app/s.sock', beside('/run/other'), RUN),
    likely({ 'volumeMounts[1].mountPath': '/run/app' }),
  ],
  'gets the empty volume with a near path': [
    socket('/csii/s.sock', beside('/csi/'), RUN),
    likely({ 'volumeMounts[1].mountPath': '/csii' }),
  ],
  'is there': [socket('/csi/csi.sock', beside('/csi'), RUN), []],
  'is the root': [socket('/csi.sock'), []],
  'is one of the image': [socket('/etc/ssl/x.sock'), []],
});
test('a volume beside the folder of a socket stays there', () => {
  const isMoved = (...args: Parameters<typeof socket>) => socket(...args)[0]?.title.startsWith('Mount the volume');
  assert.equal(
    [
      isMoved('/run/app/s.sock', beside('/run/other', { subPath: 'a' }), RUN),
      isMoved('/run/app/s.sock', beside('/run/other'), volumes(empty('x'), claim('r'))),
      isMoved('/run/app/s.sock', { ...beside('/run/other'), args: ['--dir=/run/other'] }, RUN),
      isMoved('/run/app/s.sock', mounts(mount('x', '/run/a'), mount('r', '/run/b')), RUN),
      isMoved('/run/app/s.sock', beside('/else/other'), RUN),
    ],
    [false, false, false, false, false],
  );
  assert.equal(socketFolder(undefined, '/csi/csi.sock'), []);
  assert.equal(texts(socket('/run/app/s.sock', beside('/run/other'), RUN)), [
    'Mount the volume at `/run/app`',
    'Volume `r` is mounted at `/run/other`, and nothing of the container names that.',
    'the program makes its socket in `/run/app`',
  ]);
});
test('the profiles of Quarkus', () => {
  const of = (value: string) => quarkusProfile(anInput(env({ A: 'x', QUARKUS_PROFILE: value })));
  for (const [value, to] of Object.entries({ production: 'prod', development: 'dev', testing: 'test' })) {
    const found = of(value);
    assert.equal([found?.name, found?.value, found?.corrections[0]?.changes[0]?.to], ['QUARKUS_PROFILE', value, to]);
    assert.is(found?.corrections[0]?.changes[0]?.path, 'spec.containers[0].env[1].value');
  }
  assert.equal([of('prod'), of('constructor'), quarkusProfile(anInput())], [undefined, undefined, undefined]);
});

test.run();
