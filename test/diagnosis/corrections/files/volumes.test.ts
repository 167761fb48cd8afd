import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { escalation, onlyOwnerWrites, ownerOnly } from '../../../../src/diagnosis/corrections/files/file-mode.ts';
import { fileVariable, otherKey } from '../../../../src/diagnosis/corrections/files/file-variable.ts';
import { ownerOfFilled } from '../../../../src/diagnosis/corrections/files/filled-volume.ts';
import { hiddenProgram } from '../../../../src/diagnosis/corrections/files/hidden-program.ts';
import { writableHome } from '../../../../src/diagnosis/corrections/files/home.ts';
import { hostDevice } from '../../../../src/diagnosis/corrections/files/host-device.ts';
import { besideProgram, oneFile } from '../../../../src/diagnosis/corrections/files/mount-one-file.ts';
import { allKeys, keysOf, mountedFiles, mountOf, volumeAt } from '../../../../src/diagnosis/corrections/files/mounted-files.ts';
import { makeIfMissing, nearFolder } from '../../../../src/diagnosis/corrections/files/near-folder.ts';
import { otherContext } from '../../../../src/diagnosis/corrections/files/nginx-context.ts';
import { asOrdinaryUser, asRoot } from '../../../../src/diagnosis/corrections/files/other-user.ts';
import { otherProjection } from '../../../../src/diagnosis/corrections/files/projected-file.ts';
import { withoutPidFile } from '../../../../src/diagnosis/corrections/files/stale-pid-file.ts';
import { swappedPair } from '../../../../src/diagnosis/corrections/files/swapped-pair.ts';
import type { ContainerPlace, RuleInput } from '../../../../src/diagnosis/facts/input.ts';
import { aPlace, anInput } from '../../../support/builders/cases.ts';
import { correctionRows, guess, inShortMarked, NO_MIRROR, type Short } from '../../../support/builders/corrections.ts';
import { claim, configMap, empty, mount, mounts, volumes } from '../../../support/builders/volumes.ts';

const test = suite('volumes and what lies in them');

const rows = correctionRows(test);

const secret = (name: string, secretName = name, more: object = {}) => ({ name, secret: { secretName, ...more } });
const user = (runAsUser: number, more: object = {}) => ({ securityContext: { runAsUser, ...more } });

const modes = (container: object, spec: object): [ContainerPlace, string] => [
  aPlace({ ...mounts(mount('a', '/other'), mount('k', '/keys')), ...container }, { ...volumes(empty('a'), secret('k')), ...spec }),
  '/keys/id',
];
const MODE = 'spec.volumes[1].secret.defaultMode';
rows('a file that others may write', {
  'gets the usual mode': [inShortMarked(onlyOwnerWrites(...modes({}, {}))), [['likely', { [MODE]: 0o644 }]]],
  'of a ConfigMap': [
    inShortMarked(onlyOwnerWrites(...modes({}, volumes(empty('a'), configMap('k'))))),
    [['likely', { 'spec.volumes[1].configMap.defaultMode': 420 }]],
  ],
  'of several sources': [
    inShortMarked(onlyOwnerWrites(...modes({}, volumes({ name: 'k', projected: { sources: [] } })))),
    [['likely', { 'spec.volumes[0].projected.defaultMode': 420 }]],
  ],
  'of a claim': [inShortMarked(onlyOwnerWrites(...modes({}, volumes(claim('k'))))), []],
  'that no volume has': [inShortMarked(onlyOwnerWrites(modes({}, {})[0], '/else/id')), []],
  'of nothing that is known': [inShortMarked(onlyOwnerWrites(undefined, '/keys/id')), []],
});
rows('a file that others may read', {
  'for root': [inShortMarked(ownerOnly(...modes({}, {}))), [['likely', { [MODE]: 0o400 }]]],
  'for another user, who then cannot read it': [inShortMarked(ownerOnly(...modes(user(5), {}))), [['guess', { [MODE]: 0o400 }]]],
  'for another user of the pod': [inShortMarked(ownerOnly(...modes({}, user(5)))), [['guess', { [MODE]: 0o400 }]]],
  'for root in a pod of another user': [inShortMarked(ownerOnly(...modes(user(0), user(5)))), [['likely', { [MODE]: 0o400 }]]],
  'without a name': [inShortMarked(ownerOnly(modes({}, {})[0], undefined)), []],
});
rows('rights that a program gains', {
  'where that is forbidden': [
    inShortMarked(escalation(aPlace({ securityContext: { allowPrivilegeEscalation: false } }))),
    guess({ 'securityContext.allowPrivilegeEscalation': null }, NO_MIRROR),
  ],
  'where it is not': [inShortMarked(escalation(aPlace({ securityContext: { allowPrivilegeEscalation: true } }))), []],
  'where nothing is said': [inShortMarked(escalation(aPlace())), []],
});

const fromFile = (key: string, volumeName = 'f', path = 'vars.env') => ({ valueFrom: { fileKeyRef: { volumeName, path, key } } });
const writer = (name: string, script: string, volume = 'f') => ({ name, args: [script], ...mounts(mount(volume, '/f')) });
const keyed = (initContainers: object[], more: object = {}): RuleInput =>
  anInput(
    {
      env: [
        { name: 'A', value: '1' },
        { name: 'PASS', ...fromFile('DB_PSS') },
        { name: 'U', ...fromFile('DB_USER') },
      ],
    },
    { initContainers, ...more },
  );
const WRITES = writer('make', 'printf "DB_PASS=x\\nDB_USER=$(id)\\n" > /f/vars.env');
rows('a key of a file with variables', {
  'that the writer spells otherwise': [
    inShortMarked(otherKey(keyed([WRITES]), 'DB_PSS')),
    [['likely', { 'env[1].valueFrom.fileKeyRef.key': 'DB_PASS' }]],
  ],
  'for the right variable': [
    inShortMarked(otherKey(keyed([writer('make', 'echo DB_USR=1 > /f/vars.env')]), 'DB_USER')),
    [['likely', { 'env[2].valueFrom.fileKeyRef.key': 'DB_USR' }]],
  ],
  'that may be one of two': [
    inShortMarked(otherKey(keyed([writer('make', 'DB_PASS=1 DB_PSSS=2 vars.env')]), 'DB_PSS')).map(([sure]): Short[number] => [sure, {}]),
    [['guess', {}]],
  ],
  'that no writer is near to': [inShortMarked(otherKey(keyed([writer('make', 'X=1')]), 'DB_PSS')), []],
  'that the container does not ask for': [inShortMarked(otherKey(keyed([WRITES]), 'OTHER')), []],
  'that nobody writes': [inShortMarked(otherKey(keyed([writer('make', 'DB_PASS=1', 'other')]), 'DB_PSS')), []],
  'that only options and references resemble': [inShortMarked(otherKey(keyed([writer('make', 'x --DB_PASS=1 $DB_PASS=2')]), 'DB_PSS')), []],
});
test('the file of a variable: who writes it, and what', () => {
  const input = keyed([writer('other', 'Z=1'), WRITES]);
  assert.equal(fileVariable(input, 'DB_USER'), { name: 'U', path: 'vars.env', volume: 'f', writer: 'make', keys: ['DB_PASS', 'DB_USER'] });
  assert.is(fileVariable(input, null)?.name, 'PASS');
  assert.equal(fileVariable(keyed([]), null), { name: 'PASS', path: 'vars.env', volume: 'f', writer: undefined, keys: [] });
  assert.is(fileVariable(keyed([writer('some', 'Z=1'), writer('more', 'Z=1')]), null)?.writer, 'some');
  assert.is(fileVariable(anInput({ env: [{ name: 'A', value: '1' }] }), null), undefined);
  assert.is(fileVariable(keyed([WRITES]), 'NONE'), undefined);
});

const filled = (init: object, more: object = {}, container: object = {}) =>
  aPlace(
    { ...user(1000), ...mounts(mount('d', '/data')), ...container },
    { ...volumes(claim('c'), empty('d')), initContainers: [{ name: 'make', ...mounts(mount('d', '/made/')), ...init }], ...more },
  );
const GAVE = { command: ['sh', '-c', 'chown -R 82:82 /work && ls'] };
const MADE = { args: ['sh', '-c', 'ssh-keygen -f /made/key'] };
const INIT = 'spec.initContainers[0]';
rows('a file that an init container made for another user', {
  'gives it to the right one': [
    inShortMarked(ownerOfFilled(filled(GAVE), '/data/key')),
    [['likely', { [`${INIT}.command[2]`]: 'chown -R 1000:1000 /work && ls' }]],
  ],
  'and the group of the pod': [
    inShortMarked(ownerOfFilled(filled(GAVE, user(1, { runAsGroup: 7 })), '/data/key')),
    [['likely', { [`${INIT}.command[2]`]: 'chown -R 1000:7 /work && ls' }]],
  ],
  'and the group of the container before that': [
    inShortMarked(ownerOfFilled(filled(GAVE, user(1, { runAsGroup: 7 }), user(1000, { runAsGroup: 8 })), '/data/key')),
    [['likely', { [`${INIT}.command[2]`]: 'chown -R 1000:8 /work && ls' }]],
  ],
  'without a group where it names none': [
    inShortMarked(ownerOfFilled(filled({ args: ['chown --recursive 82 /work'] }), '/data/key')),
    [['likely', { [`${INIT}.args[0]`]: 'chown --recursive 1000 /work' }]],
  ],
  'to the right one already': [inShortMarked(ownerOfFilled(filled({ args: ['chown 1000 /work'] }), '/data/key')), []],
  'runs as this user where it makes the file': [
    inShortMarked(ownerOfFilled(filled(MADE), '/data/key')),
    [['likely', { [`${INIT}.securityContext.runAsUser`]: 1000 }]],
  ],
  'runs as the user of the pod': [
    inShortMarked(ownerOfFilled(filled({ ...MADE, ...user(0) }, user(44), { securityContext: {} }), '/data/key')),
    [['likely', { [`${INIT}.securityContext.runAsUser`]: 44 }]],
  ],
  'is no root already': [inShortMarked(ownerOfFilled(filled({ ...MADE, ...user(5) }), '/data/key')), []],
  'is no root in a pod that has none': [inShortMarked(ownerOfFilled(filled(MADE, user(5)), '/data/key')), []],
  'does not name the file': [inShortMarked(ownerOfFilled(filled(MADE), '/data/other')), []],
  'makes a folder': [inShortMarked(ownerOfFilled(filled(MADE), '/data/')), []],
  'needs root': [inShortMarked(ownerOfFilled(filled({ args: ['apk add openssl; make key'] }), '/data/key')), []],
  'in a claim': [inShortMarked(ownerOfFilled(filled(MADE, volumes(claim('d'))), '/data/key')), []],
  'in another volume': [inShortMarked(ownerOfFilled(filled({ ...MADE, ...mounts(mount('c', '/made')) }), '/data/key')), []],
  'in a part of the volume': [
    inShortMarked(ownerOfFilled(filled({ ...MADE, ...mounts(mount('d', '/made', { subPath: 'x' })) }), '/data/key')),
    [],
  ],
  'where this one mounts a part of it': [
    inShortMarked(ownerOfFilled(filled(MADE, {}, mounts(mount('d', '/data', { subPath: 'x' }))), '/data/key')),
    [],
  ],
  'for a file elsewhere': [inShortMarked(ownerOfFilled(filled(MADE), '/database/key')), []],
  'for a container without a user': [inShortMarked(ownerOfFilled(filled(MADE, {}, { securityContext: {} }), '/data/key')), []],
  'for root': [inShortMarked(ownerOfFilled(filled(MADE, {}, user(0)), '/data/key')), []],
});
test('only init containers before the failing one have filled its volume', () => {
  const init = (name: string) => ({ name, ...MADE, ...mounts(mount('d', '/made')), ...(name === 'app' ? user(9) : {}) });
  const of = (...names: string[]) =>
    inShortMarked(
      ownerOfFilled(
        aPlace({ name: 'main' }, { ...volumes(empty('d')), initContainers: names.map(init) }, { container: 'app' }),
        '/made/key',
      ),
    );
  assert.equal(of('app', 'late'), []);
  assert.equal(of('early', 'app'), [['likely', { [`${INIT}.securityContext.runAsUser`]: 9 }]]);
});

const hidden = (volume: object, init: object[] = [], at = '/app') =>
  hiddenProgram(
    anInput(mounts(mount('x', '/elsewhere'), mount('shop-data', at)), { ...volumes(empty('x'), volume), initContainers: init }),
    '/app/server.js',
  );
test('a program that a volume hides', () => {
  const found = hidden(empty('shop-data'));
  assert.equal(
    [found?.volume, found?.folder, inShortMarked(found?.corrections)],
    ['shop-data', '/app', [['guess', { 'volumeMounts[1].mountPath': '/app/data' }]]],
  );
  assert.equal(inShortMarked(hidden(claim('shop-data'), [], '/app/')?.corrections), [
    ['guess', { 'volumeMounts[1].mountPath': '/app/data' }],
  ]);
  assert.is(hidden(empty('shop-data'), [{ name: 'other', ...mounts(mount('x', '/x')) }])?.volume, 'shop-data');
  assert.is(hidden(empty('shop-data'), [{ name: 'fill', ...mounts(mount('x', '/x'), mount('shop-data', '/x')) }]), undefined, 'filled');
  assert.equal(hidden(configMap('shop-data')), { volume: 'shop-data', folder: '/app', corrections: [] }, 'of a ConfigMap');
  assert.is(hidden(empty('shop-data'), [], '/application'), undefined, 'beside it');
  assert.is(
    hiddenProgram(anInput(mounts(mount('v', '/app', { subPath: 'x' })), volumes(empty('v'))), '/app/a'),
    undefined,
    'a part of a volume',
  );
});

const home = (container: object, spec: object = {}, path = '/.cache/pip') => inShortMarked(writableHome(aPlace(container, spec), path));
const HOME = { name: 'HOME', value: '/tmp' };
const READ_ONLY = { securityContext: { readOnlyRootFilesystem: true } };
const TMP = (more: object = {}) => mounts(mount('t', '/tmp/', more));
rows('a home', {
  'for a user that has none': [home({}), [['likely', { env: [HOME] }]]],
  'behind other variables': [home({ env: [{ name: 'A', value: 'b' }] }), [['likely', { 'env[1]': HOME }]]],
  'in place of one that is no folder for it': [
    home({ env: [{ name: 'A' }, { name: 'HOME', value: '/' }] }),
    [['likely', { 'env[1].value': '/tmp' }]],
  ],
  'of root for another user': [home({}, user(7), '/root/.npm'), [['likely', { env: [HOME] }]]],
  'not for root': [home({}, user(0), '/root/.npm'), []],
  'not for root in the container': [home(user(0), user(7), '/root/.npm'), []],
  'for the container’s user in a pod of root': [home(user(7), user(0), '/root/.npm'), [['likely', { env: [HOME] }]]],
  'not for a folder of another kind': [home({}, {}, '/root/.ssh/key'), []],
  'not for a longer name': [home({}, {}, '/root/.cached'), []],
  'not where another variable names the folder': [home({ env: [{ name: 'XDG_CACHE_HOME', value: '/.cache' }] }), []],
  'not where the home is elsewhere': [home({ env: [{ name: 'HOME', value: '/home/a' }] }), []],
  'not where the home comes from an object': [home({ env: [{ name: 'HOME', valueFrom: {} }] }), []],
  'not where a volume is mounted there': [home(mounts(mount('v', '/.cache/'))), []],
  'not where a volume is mounted at the very path': [home(mounts(mount('v', '/.cache/pip'))), []],
  'not where a volume is the home': [home(mounts(mount('v', '/root/')), {}, '/root/.npm'), []],
  'not where a volume is the root': [home(mounts(mount('v', '/'))), []],
  'at the side of what a volume brings into it': [
    home(mounts(mount('ssh', '/root/.ssh')), volumes(secret('ssh')), '/root/.npm/_logs').map(([sure, changes]): Short[number] => [
      sure,
      { at: changes['volumeMounts[1]'] },
    ]),
    [['likely', { at: { name: 'writable-root-npm', mountPath: '/root/.npm' } }]],
  ],
  'in an empty volume, as the root is read-only': [
    home({ ...READ_ONLY, ...mounts(mount('c', '/conf'), mount('e', '/scratch')) }, volumes(configMap('c'), empty('e'))),
    [['likely', { env: [{ name: 'HOME', value: '/scratch' }] }]],
  ],
  'in an empty volume at /tmp first': [
    home({ ...READ_ONLY, ...mounts(mount('e', '/scratch'), mount('t', '/tmp/')) }, volumes(empty('e'), empty('t'))),
    [['likely', { env: [HOME] }]],
  ],
  'nowhere, as all is read-only': [home({ ...READ_ONLY, ...mounts(mount('e', '/scratch', { readOnly: true })) }, volumes(empty('e'))), []],
  'nowhere, as /tmp is read-only': [home(TMP({ readOnly: true }), volumes(empty('t'))), []],
  'in /tmp, which somebody mounted': [home(TMP(), volumes(claim('t'))), [['likely', { env: [HOME] }]]],
});

const device = (container: object, path = '/dev/fuse', volume: object = { name: 'f', hostPath: { path: '/dev' } }) =>
  inShortMarked(
    hostDevice(aPlace({ ...mounts(mount('x', '/x'), mount('f', '/dev/fuse')), ...container }, volumes(empty('x'), volume)), path),
  );
const PRIVILEGED = guess({ 'securityContext.privileged': true }, NO_MIRROR);
rows('a device of the node', {
  'that a volume brings': [device({}), PRIVILEGED],
  'in a folder that a volume brings': [device(mounts(mount('f', '/dev/dri/')), '/dev/dri/card0'), PRIVILEGED],
  'beside such a folder': [device(mounts(mount('f', '/dev/dri')), '/dev/drive'), []],
  'in a privileged container': [device({ securityContext: { privileged: true } }), []],
  'of another volume': [device({}, '/dev/fuse', empty('f')), []],
  'that is no device': [device(mounts(mount('f', '/data')), '/data'), []],
});

const around = {
  surroundings: {
    configMaps: [
      { name: 'c', keys: ['nginx.conf', 'mime.types'] },
      { name: 'none', keys: [] },
    ],
    secrets: [{ name: 's', keys: ['one.pem'] }],
  },
};
const single = (volume: object, at: object, file: string) =>
  inShortMarked(oneFile(anInput(mounts(mount('x', '/x'), at), volumes(empty('x'), volume), around), file));
const SUB = 'volumeMounts[1].subPath';
rows('a volume in the place of a file', {
  'that is one of its keys': [
    single(configMap('c'), mount('c', '/etc/nginx.conf'), '/etc/nginx.conf'),
    [['likely', { [SUB]: 'nginx.conf' }]],
  ],
  'that is called like one': [
    single(configMap('c'), mount('c', '/etc/ngnix.conf'), '/etc/ngnix.conf'),
    [['likely', { [SUB]: 'nginx.conf' }]],
  ],
  'that is its only key': [single(secret('s'), mount('s', '/etc/ca'), '/etc/ca'), [['likely', { [SUB]: 'one.pem' }]]],
  'that is none of several': [single(configMap('c'), mount('c', '/etc/app'), '/etc/app'), []],
  'whose keys nobody knows': [single(configMap('d'), mount('d', '/etc/app'), '/etc/app'), [['guess', { [SUB]: 'app' }]]],
  'which has no key yet': [single(configMap('none'), mount('none', '/etc/app'), '/etc/app'), [['guess', { [SUB]: 'app' }]]],
  'of a Secret that is called like a ConfigMap': [single(secret('c'), mount('c', '/etc/app'), '/etc/app'), [['guess', { [SUB]: 'app' }]]],
  'by its items': [
    single(configMap('c', { items: [{ key: 'mime.types', path: 'm' }] }), mount('c', '/etc/app'), '/etc/app'),
    [['likely', { [SUB]: 'm' }]],
  ],
  'of which only a part is mounted': [single(configMap('c'), mount('c', '/etc/app', { subPath: 'x' }), '/etc/app'), []],
  'that has no name': [single(configMap('c'), mount('c', ''), ''), []],
  'that is mounted elsewhere': [single(configMap('c'), mount('c', '/etc'), '/etc/app'), []],
});

const beside = (volume: object, at: object, program: string, more: object = {}) =>
  besideProgram(anInput({ ...mounts(mount('x', '/x'), at), ...more }, volumes(empty('x'), volume), around), program);
test('a volume over the folder of the program', () => {
  const only = beside(secret('s'), mount('s', '/app/'), '/app/server');
  assert.equal([only?.volume, only?.folder], ['s', '/app']);
  assert.equal(inShortMarked(only?.corrections), [['likely', { 'volumeMounts[1].mountPath': '/app/one.pem', [SUB]: 'one.pem' }]]);
  const bin = beside(configMap('c'), mount('c', '/usr/bin'), 'server');
  assert.equal(inShortMarked(bin?.corrections), [['likely', { 'volumeMounts[1].mountPath': '/usr/local/bin' }]]);
  const named = beside(configMap('c'), mount('c', '/usr/bin'), 'server', {
    env: [
      { name: 'A', value: 'a' },
      { name: 'B', value: '/usr/bin/tool' },
    ],
  });
  assert.is(named?.corrections[0]?.confidence, 'guess');
  assert.equal(beside(configMap('c'), mount('c', '/app'), '/app/server')?.corrections, []);
  for (const [sentence, volume, at, program] of [
    ['a file of its own', configMap('c'), mount('c', '/app', { subPath: 'x' }), '/app/server'],
    ['the whole root', configMap('c'), mount('c', '/'), '/app/server'],
    ['another folder', configMap('c'), mount('c', '/application'), '/app/server'],
    ['a folder without programs', configMap('c'), mount('c', '/etc'), 'server'],
    ['the program itself', configMap('c'), mount('c', '/app'), '/app/nginx.conf'],
    ['a program that is called so', configMap('c'), mount('c', '/app'), '/app/ngnix.conf'],
  ] as const)
    assert.is(beside(volume, at, program), undefined, sentence);
});

test('where a file lies', () => {
  const input = anInput(
    mounts(mount('a', '/a'), mount('c', '/etc/c/'), mount('s', '/s', { subPath: 'one.pem' }), mount('e', '/e')),
    { ...volumes(configMap('a', { items: [{ key: 'k', path: 'p/q' }] }), configMap('c'), secret('s'), empty('e')) },
    around,
  );
  const place = input.place()!;
  const [a, c, s, e] = place.spec.volumes!;
  assert.equal(
    [mountOf(place, '/a/x')?.name, mountOf(place, '/a')?.name, mountOf(place, '/ab')?.name, mountOf(undefined, '/a')],
    ['a', 'a', undefined, undefined],
  );
  assert.equal(volumeAt(place, '/etc/c/d/f'), { volume: c, wanted: 'd/f', items: undefined, path: 'spec.volumes[1].configMap.items' });
  assert.equal(volumeAt(place, '/a/f'), {
    volume: a,
    wanted: 'f',
    items: [{ key: 'k', path: 'p/q' }],
    path: 'spec.volumes[0].configMap.items',
  });
  assert.equal([volumeAt(place, '/s/f'), volumeAt(place, '/e/f'), volumeAt(place, '/none')], [undefined, undefined, undefined]);
  const ofSecret = aPlace(mounts(mount('s', '/s')), volumes(secret('s', 'other', { items: [] })));
  assert.is(volumeAt(ofSecret, '/s/f')?.path, 'spec.volumes[0].secret.items');
  assert.equal(volumeAt(ofSecret, '/s/f')?.items, []);
  assert.equal(
    [a, c, s, e].map((one) => keysOf(input, one!)),
    [['p/q'], ['nginx.conf', 'mime.types'], ['one.pem'], []],
  );
  assert.equal(allKeys(anInput({}, {}, around), configMap('c', { items: [] })), ['nginx.conf', 'mime.types']);
  assert.equal(allKeys(input, secret('x', 's')), ['one.pem']);
  assert.equal(mountedFiles(input, place), ['/a/p/q', '/etc/c/nginx.conf', '/etc/c/mime.types', '/s']);
  assert.equal(mountedFiles(input, place, mount('c', '/only')), ['/only/nginx.conf', '/only/mime.types']);
  assert.equal(
    mountedFiles(anInput(mounts(mount('s', '/s')), volumes(secret('s')), around), aPlace(mounts(mount('s', '/s')), volumes(secret('s')))),
    ['/s/one.pem'],
  );
});

const near = (folder: string, ...at: string[]) =>
  inShortMarked(
    nearFolder(anInput({ args: [`--dir=${folder}`], volumeMounts: at.map((path, index) => mount(`v${index}`, path)) }), folder),
  );
rows('a folder that is mounted beside', {
  'under a longer name': [near('/srv/up', '/srv/uploads'), []],
  'under a longer name of enough letters': [near('/srv/upl', '/srv/uploads/'), [['likely', { 'args[0]': '--dir=/srv/uploads' }]]],
  'under a shorter name': [near('/srv/uploads', '/srv/upload', '/other/uploads'), [['likely', { 'args[0]': '--dir=/srv/upload' }]]],
  'under a name with a slip': [near('/srv/uplaods', '/srv/uploads'), [['likely', { 'args[0]': '--dir=/srv/uploads' }]]],
  'under one of two names': [near('/srv/upload', '/srv/uploads', '/srv/uploading'), []],
  'under the same name': [near('/srv/uploads', '/srv/uploads'), []],
  'under another name': [near('/srv/uploads', '/srv/cache'), []],
});
test('a folder that is there already', () =>
  assert.equal(inShortMarked(makeIfMissing(anInput({ args: ['mkdir /data/x && run'] }), '/data/x')), [
    ['likely', { 'args[0]': 'mkdir -p /data/x && run' }],
  ]));

const NOT_HERE = (directive: string, file: string, line: number) =>
  `nginx: [emerg] "${directive}" directive is not allowed here in ${file}:${line}`;
const context = (directive: string, file: string, line = 1, subPath: string | undefined = 'x') =>
  inShortMarked(otherContext(anInput(mounts(mount('x', '/x'), mount('n', file, { subPath }))), NOT_HERE(directive, file, line)));
const AT = 'volumeMounts[1].mountPath';
rows('a file of nginx', {
  'with servers as the main one': [context('server', '/etc/nginx/nginx.conf'), [['likely', { [AT]: '/etc/nginx/conf.d/default.conf' }]]],
  'that is the main one among the servers': [
    context('worker_processes', '/etc/nginx/conf.d/a.conf'),
    [['likely', { [AT]: '/etc/nginx/nginx.conf' }]],
  ],
  'up to its fifth line': [context('events', '/etc/nginx/conf.d/a.conf', 5), [['likely', { [AT]: '/etc/nginx/nginx.conf' }]]],
  'beyond its first lines': [context('server', '/etc/nginx/nginx.conf', 6), []],
  'in a folder that is mounted': [
    inShortMarked(otherContext(anInput(mounts(mount('n', '/etc/nginx/nginx.conf'))), NOT_HERE('server', '/etc/nginx/nginx.conf', 1))),
    [],
  ],
  'with a directive of neither': [context('location', '/etc/nginx/nginx.conf'), []],
  'that is right there': [context('server', '/etc/nginx/conf.d/a.conf'), []],
  'with a directive of the main one in it': [context('events', '/etc/nginx/nginx.conf'), []],
  'of any other name': [context('server', '/etc/nginx/other.conf'), []],
  'among the servers under the name of the main one': [context('server', '/etc/nginx/conf.d/nginx.conf'), []],
});

const ordinary = (container: object, spec: object = {}) => inShortMarked(asOrdinaryUser(aPlace(container, spec)));
const chown = (script: string) => ({ initContainers: [{ name: 'a' }, { name: 'i', command: ['sh'], args: ['-c', script] }] });
const RUN = 'securityContext.runAsUser';
rows('a program that refuses root', {
  'by default': [ordinary({}), [['likely', { [RUN]: 1000 }]]],
  'set in the container': [ordinary(user(0)), [['likely', { [RUN]: 1000 }]]],
  'set in the pod': [ordinary({}, user(0)), [['likely', { [`spec.${RUN}`]: 1000 }]]],
  'set in both': [ordinary(user(0), user(0)), [['likely', { [RUN]: 1000 }]]],
  'which it is not': [ordinary(user(5), user(0)), []],
  'which the pod is not': [ordinary({}, user(5)), []],
  'with the owner that an init container gives': [
    ordinary({ image: 'grafana/loki:3' }, { ...user(0, { fsGroup: 9 }), ...chown('chown -R 101:101 /data') }),
    [['likely', { [RUN]: 101 }]],
  ],
  'with the group of its volumes': [
    ordinary({ image: 'grafana/loki:3' }, { ...user(0, { fsGroup: 9 }), ...chown('chown root /data') }),
    [['likely', { [RUN]: 9 }]],
  ],
  'where root is the user of the whole pod': [ordinary({}, user(0)), [['likely', { [`spec.${RUN}`]: 1000 }]]],
  'with the group of its image': [ordinary({ image: 'grafana/loki:3' }), [['likely', { [RUN]: 10001 }]]],
});
const root = (container: object, spec: object = {}) => inShortMarked(asRoot(aPlace(container, spec)));
rows('a program that must be root', {
  'of a user': [root(user(5)), guess({ [RUN]: null }, NO_MIRROR)],
  'of a user of the pod, and a promise': [
    root({ securityContext: { runAsNonRoot: true } }, user(5)),
    guess({ 'securityContext.runAsNonRoot': null, [`spec.${RUN}`]: null }, NO_MIRROR),
  ],
  'of a promise alone': [root({ securityContext: { runAsNonRoot: true } }), guess({ 'securityContext.runAsNonRoot': null }, NO_MIRROR)],
  'with a promise that is none': [root({ securityContext: { runAsNonRoot: false, runAsUser: 5 } }), guess({ [RUN]: null }, NO_MIRROR)],
  'which it is': [root(user(0)), []],
  'which it is in a pod that is not': [root(user(0), { securityContext: { runAsNonRoot: true } }), []],
  'of which nobody says anything': [root({}), []],
});

const projected = (sources: object[], file: string, more: object = {}) =>
  inShortMarked(
    otherProjection(
      aPlace(mounts(mount('x', '/x'), mount('p', '/tokens/', more)), volumes(empty('x'), { name: 'p', projected: { sources } })),
      file,
    ),
  );
const token = (path: string) => ({ serviceAccountToken: { path } });
const down = (...paths: string[]) => ({ downwardAPI: { items: paths.map((path) => ({ path })) } });
const SOURCES = 'spec.volumes[1].projected.sources';
rows('a projected file', {
  'that is the only one': [projected([token('vault')], '/tokens/jwt'), [['likely', { [`${SOURCES}[0].serviceAccountToken.path`]: 'jwt' }]]],
  'that is near': [
    projected([token('a'), down('b', 'labels')], '/tokens/labls'),
    [['likely', { [`${SOURCES}[1].downwardAPI.items[1].path`]: 'labls' }]],
  ],
  'that is none of several': [projected([token('a'), down('labels')], '/tokens/vault'), []],
  'that is there': [projected([token('vault')], '/tokens/vault'), []],
  'in a part of the volume': [projected([token('vault')], '/tokens/jwt', { subPath: 'x' }), []],
  elsewhere: [projected([token('vault')], '/token/jwt'), []],
  'of the pod’s fields': [
    inShortMarked(
      otherProjection(aPlace(mounts(mount('d', '/d')), volumes({ name: 'd', downwardAPI: { items: [{ path: 'labels' }] } })), '/d/name'),
    ),
    [['likely', { 'spec.volumes[0].downwardAPI.items[0].path': 'name' }]],
  ],
  'of admission': [
    inShortMarked(
      otherProjection(
        aPlace(mounts(mount('kube-api-access-x', '/d')), volumes({ name: 'kube-api-access-x', projected: { sources: [token('token')] } })),
        '/d/jwt',
      ),
    ),
    [],
  ],
});

const pid = (container: object, file: string, spec: object = {}) => inShortMarked(withoutPidFile(anInput(container, spec), file));
rows('a file with the number of a process', {
  'of Rails': [pid({ command: ['bin/rails'], args: ['server'] }, '/app/tmp/server.pid'), [['likely', { 'args[1]': '--pid=/dev/null' }]]],
  'of Rails as its command alone': [
    pid({ command: ['rails', 's'] }, '/app/tmp/server.pid').map(([sure]): Short[number] => [sure, {}]),
    [['likely', {}]],
  ],
  'of Play in a volume': [
    pid({ args: ['-x'], ...mounts(mount('d', '/d')) }, '/d/RUNNING_PID'),
    [['guess', { 'args[1]': '-Dpidfile.path=/dev/null' }]],
  ],
  'that an option names': [pid({ args: ['x', '--pid=/x/y'] }, '/x/y').map(([sure]): Short[number] => [sure, {}]), [['likely', {}]]],
  'of Rails without Rails': [pid({ args: ['puma'] }, '/app/tmp/server.pid'), []],
  'with an option for another file': [pid({ args: ['rails', '--pid=/x'] }, '/app/tmp/server.pid'), []],
  'without a name': [pid({ args: ['x', '--pid='] }, ''), []],
});

const pair = (...args: string[]) => swappedPair(anInput({ args }));
test('a certificate and a key in each other’s place', () => {
  const found = pair('--tls-cert=/t/tls.key', '--tls-key=/t/tls.crt');
  assert.equal(
    [found?.names, inShortMarked(found?.corrections)],
    [['--tls-cert', '--tls-key'], [['likely', { 'args[0]': '--tls-cert=/t/tls.crt', 'args[1]': '--tls-key=/t/tls.key' }]]],
  );
  assert.ok(pair('--crt=/t/privkey.pem', '--key=/t/fullchain.pem'));
  for (const [sentence, ...args] of [
    ['right', '--cert=/t/tls.crt', '--key=/t/tls.key'],
    ['only a certificate', '--cert=/t/tls.key'],
    ['only a key', '--key=/t/tls.crt'],
    ['two certificates', '--cert=/t/tls.key', '--cert2=/t/a.key', '--key=/t/tls.crt'],
    ['two keys', '--cert=/t/tls.key', '--key=/t/tls.crt', '--key2=/t/b.crt'],
    ['names of nothing', '--a=/t/tls.key', '--b=/t/tls.crt'],
    ['no certificate', '--cert=/t/other', '--key=/t/tls.crt'],
    ['no key', '--cert=/t/tls.key', '--key=/t/other'],
  ])
    assert.is(pair(...args), undefined, sentence);
});

test.run();
