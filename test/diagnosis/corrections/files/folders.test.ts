import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { makeIfMissing, nearFolder, nearMount } from '../../../../src/diagnosis/corrections/files/near-folder.ts';
import { otherProjection, tokenElsewhere } from '../../../../src/diagnosis/corrections/files/projected-file.ts';
import { besideMounted, movedMount, writtenElsewhere } from '../../../../src/diagnosis/corrections/files/shared-files.ts';
import { socketFolder } from '../../../../src/diagnosis/corrections/files/socket-folder.ts';
import { unbroughtFile } from '../../../../src/diagnosis/corrections/files/unbrought-file.ts';
import { unbroughtFolder } from '../../../../src/diagnosis/corrections/files/unbrought-folder.ts';
import { variableForFile } from '../../../../src/diagnosis/corrections/files/variable-for-file.ts';
import { anInput, aPlace } from '../../../support/builders/cases.ts';
import { correctionRows, env, guess, inWords, likely } from '../../../support/builders/corrections.ts';

const test = suite('files and folders where a program does not look');
const rows = correctionRows(test);

const args = (...words: string[]) => ({ args: words });
const mount = (name: string, mountPath: string, more: object = {}) => ({ name, mountPath, ...more });
const mounts = (...all: object[]) => ({ volumeMounts: all });
const empty = (...names: string[]) => names.map((name) => ({ name, emptyDir: {} }));
const PATH = (index: number) => `volumeMounts[${index}].mountPath`;

const near = (folder: string, container: object) => nearFolder(anInput(container), folder);
const nearData = (from: string, ...paths: string[]) =>
  near(from, { ...args(`--x=${from}`), ...mounts(...paths.map((path) => mount('v', path))) });
rows('a folder beside a volume', {
  'with a slip': [nearData('/srv/dtaa', '/srv/data/', '/other/data'), likely({ 'args[0]': '--x=/srv/data' })],
  'that is longer': [nearData('/srv/database', '/srv/data'), likely({ 'args[0]': '--x=/srv/data' })],
  'that is shorter': [nearData('/srv/dat', '/srv/data'), likely({ 'args[0]': '--x=/srv/data' })],
  'that is too short': [nearData('/srv/da', '/srv/data'), []],
  'with another word for it': [nearData('/srv/db', '/srv/database'), likely({ 'args[0]': '--x=/srv/database' })],
  'in another folder': [nearData('/srv/dtaa', '/opt/data'), []],
  'of two': [nearData('/srv/dat', '/srv/data', '/srv/date'), []],
  'where the volume is': [nearData('/srv/data', '/srv/data'), []],
  'with another name': [nearData('/srv/logs', '/srv/data'), []],
  'that the container does not name': [near('/srv/dtaa', { ...args('x'), ...mounts(mount('v', '/srv/data')) }), []],
});
test('a folder beside a volume, in words', () =>
  assert.equal(inWords(nearData('/srv/dtaa', '/srv/data')[0]), [
    'Write `/srv/data`',
    'Nothing is at `/srv/dtaa`.',
    'a volume is mounted there',
  ]));

const relative = (file: string, ...all: object[]) => nearMount(aPlace(mounts(...all)), file);
rows('a relative path', {
  'below a near folder': [relative('confg/a.yml', mount('v', '/x'), mount('v', '/app/config/')), likely({ [PATH(1)]: '/app/confg' })],
  'with points before it': [relative('./././confg/a.yml', mount('v', '/config')), likely({ [PATH(0)]: '/confg' })],
  'below a folder that is there': [relative('config/a.yml', mount('v', '/app/config'), mount('w', '/app/confi')), []],
  'of a file alone': [relative('config', mount('v', '/app/confi')), []],
  'below a folder of three letters': [relative('cob/a', mount('v', '/app/coc')), likely({ [PATH(0)]: '/app/cob' })],
  'below a folder of two letters': [relative('co/a', mount('v', '/app/cob')), []],
  'beside a folder of two letters': [relative('cob/a', mount('v', '/app/co')), []],
  'below one of two near folders': [relative('confg/a', mount('v', '/app/config'), mount('w', '/srv/config')), []],
  'beside a single file': [relative('confg/a', mount('v', '/app/config', { subPath: 'x' })), []],
});
test('a relative path, in words', () =>
  assert.equal(inWords(relative('confg/a.yml', mount('v', '/app/config'))[0]), [
    'Mount the volume at `/app/confg`',
    'A relative path begins in the working directory of the program.',
    'the program looks for `confg/a.yml`',
  ]));
rows('a folder that is there', {
  'is made only if it is missing': [
    makeIfMissing(anInput({ command: ['sh', '-c', 'mkdir /data/x && run'] }), '/data/x'),
    likely({ 'command[2]': 'mkdir -p /data/x && run' }),
  ],
  'is made elsewhere': [makeIfMissing(anInput({ command: ['sh', '-c', 'mkdir /data/xy && run'] }), '/data/x'), []],
});
test('a folder that is there, in words', () =>
  assert.equal(inWords(makeIfMissing(anInput(args('mkdir /d')), '/d')[0]), [
    'Write `mkdir -p /d`',
    'What lies in a volume is there when the container starts again.',
    '`-p` makes it only where it is missing',
  ]));

const socket = (container: object, path = '/run/app/app.sock', volumes: object[] = empty('v', 'w')) =>
  socketFolder(aPlace(container, { volumes }), path);
rows('the folder of a socket', {
  'is that of the empty volume beside it': [
    socket(mounts(mount('s', '/srv'), mount('v', '/run/other'))),
    likely({ [PATH(1)]: '/run/app' }),
  ],
  'is that of the empty volume with a slip': [
    socket(mounts(mount('v', '/run/ap')), '/run/app/a/x.sock'),
    likely({ [PATH(0)]: '/run/app/a' }),
  ],
  'is mounted already': [socket(mounts(mount('v', '/run/app'))), []],
  'is the root': [socket(mounts(mount('v', '/x')), '/app.sock'), []],
  'of a container that is not there': [socketFolder(aPlace({}, {}, { container: 'gone' }), '/run/app/app.sock'), []],
});
test('the folder of a socket where no empty volume can move', () => {
  for (const [sentence, container, volumes] of [
    ['two', mounts(mount('v', '/run/a'), mount('w', '/run/b')), empty('v', 'w')],
    ['one that a text names', { ...args('--data=/run/other/x'), ...mounts(mount('v', '/run/other')) }, empty('v')],
    ['one of a file', mounts(mount('v', '/run/other', { subPath: 'x' })), empty('v')],
    ['one with content', mounts(mount('v', '/run/other')), [{ name: 'v', configMap: { name: 'c' } }]],
    ['one far away', mounts(mount('v', '/data/files')), empty('v')],
  ] as const) {
    const [one] = socket(container, '/run/app/app.sock', [...volumes]);
    assert.equal(
      one?.changes.some(({ to }) => JSON.stringify(to).includes('"mountPath":"/run/app"')),
      true,
      sentence,
    );
  }
  assert.equal(inWords(socket(mounts(mount('v', '/run/other')))[0]), [
    'Mount the volume at `/run/app`',
    'Volume `v` is mounted at `/run/other`, and nothing of the container names that.',
    'the program makes its socket in `/run/app`',
  ]);
  assert.equal(socket({}, '/usr/bin/app.sock'), [], 'a folder of the image keeps its files');
});

const withFiles = (container: object, volumes: Record<string, string[]>, spec: object = {}) =>
  anInput(
    container,
    { volumes: Object.keys(volumes).map((name) => ({ name, configMap: { name } })), ...spec },
    { surroundings: { configMaps: Object.entries(volumes).map(([name, keys]) => ({ name, keys })) } },
  );
const proposed = (line: string, container: object = {}, keys = ['kube.yaml']) =>
  variableForFile(withFiles({ ...container, ...mounts(mount('c', '/etc/kube')) }, { c: keys }), line, '/root/kube.yaml');
for (const line of [
  'set the path with KUBE_CONFIG',
  'using the environment variable KUBE_CONFIG',
  'via KUBE_CONFIG variable',
  'set KUBE_CONFIG environment variable',
  'by setting KUBE_CONFIG',
  'look in KUBE_CONFIG',
  'set by KUBE_CONFIG',
])
  rows('the variable for a file', { [line]: [proposed(line), likely({ env: [{ name: 'KUBE_CONFIG', value: '/etc/kube/kube.yaml' }] })] });
rows('the variable for a file', {
  'beside others': [
    proposed('set KUBE_CONFIG', env({ A: 'x' })),
    likely({ 'env[1]': { name: 'KUBE_CONFIG', value: '/etc/kube/kube.yaml' } }),
  ],
  'that is set': [proposed('set KUBE_CONFIG', env({ KUBE_CONFIG: 'x' })), []],
  'that is one word': [proposed('set KUBECONFIG'), []],
  'that the line only names': [proposed('KUBE_CONFIG is bad'), []],
  'that no volume brings': [proposed('set KUBE_CONFIG', {}, ['other.yaml', 'mykube.yaml']), []],
  'that two volumes bring': [
    variableForFile(
      withFiles(mounts(mount('c', '/a'), mount('d', '/b')), { c: ['k.yaml'], d: ['k.yaml'] }),
      'set KUBE_CONFIG',
      '/root/k.yaml',
    ),
    [],
  ],
  'that is there': [variableForFile(withFiles(mounts(mount('c', '/a')), { c: ['k.yaml'] }), 'set KUBE_CONFIG', '/a/k.yaml'), []],
  'that is a folder': [variableForFile(withFiles(mounts(mount('c', '/a')), { c: ['k.yaml'] }), 'set KUBE_CONFIG', '/root/'), []],
});
test('the variable for a file, in words', () => {
  assert.is(proposed('set KUBE_CONFIG')?.name, 'KUBE_CONFIG');
  assert.equal(inWords(proposed('set KUBE_CONFIG')?.correction), [
    'Set `KUBE_CONFIG` to `/etc/kube/kube.yaml`',
    'The message says that this variable names the file.',
    'a volume brings `kube.yaml` there',
  ]);
});

const brought = (container: object, all: Record<string, string[]> = { c: ['app.yaml'] }, at: object[] = [mount('c', '/etc/app')]) =>
  unbroughtFile(withFiles({ ...container, ...mounts(...at) }, all));
test('the setting of a file that no volume brings', () => {
  const of = (all: Record<string, string>) => brought(env(all))?.file;
  assert.equal(
    [brought(env({ A: 'x', CONF: '/etc/app/ap.yaml' }))].map((one) => [one?.name, one?.file, one?.corrections.length !== 0]),
    [['CONF', '/etc/app/ap.yaml', true]],
  );
  assert.is(of({ CONF: '/etc/app/app.yaml' }), undefined, 'that is there');
  assert.is(of({ A: '/etc/app/ap.yaml', B: '/etc/app/app.yml' }), undefined, 'of two');
  assert.is(of({ CONF_DIR: '/etc/app/ap.yaml' }), undefined, 'of a folder');
  assert.is(of({ CONF_PATH: '/etc/app/ap' }), undefined, 'of a path that may be a folder');
  assert.is(of({ CONF_PATH: '/etc/app/ap.yaml' }), '/etc/app/ap.yaml', 'of a path with an ending');
  assert.is(of({ CONF: '/app.yam' }), undefined, 'in the root');
  assert.is(of({ CONF: '/etc/app/ap.yaml?x' }), undefined, 'that is no path');
  assert.is(brought(env({ CONF: '/etc/app/ap.yaml' }), { c: [] }), undefined, 'where no keys are known');
  assert.is(
    brought(env({ CONF: '/etc/app/x' }), { c: ['x'] }, [mount('c', '/etc/app/x', { subPath: 'x' })]),
    undefined,
    'of a single file',
  );
  assert.is(unbroughtFile(anInput({}, {}, { manifest: 'x' })), undefined);
});
test('the setting of a file that a volume brings to another folder', () => {
  const of = (value: string, more: object = {}) => brought({ ...env({ CONF: value }), ...more })?.file;
  assert.is(of('/srv/app.yaml'), '/srv/app.yaml');
  assert.is(of('/srv/other.yaml'), undefined, 'with another name');
  assert.is(of('/srv/app.yaml', args('--dir=/etc/app')), undefined, 'that another text names');
  assert.is(brought(env({ CONF: '/srv/app' }), { c: ['app'] }), undefined, 'without an ending');
  const twice = { c: ['app.yaml'], d: ['app.yaml'] };
  const at = [mount('c', '/etc/app'), mount('d', '/etc/other')];
  assert.is(brought(env({ CONF: '/conf/app.yaml', DIR: '/etc/other' }), twice, at)?.file, '/conf/app.yaml', 'of two, one of them named');
});

const folder = (container: object, spec: object = { volumes: [{ name: 'c', configMap: { name: 'c' } }, ...empty('e')] }) =>
  unbroughtFolder(anInput(container, spec));
const certs = (value: string, path: string, name = '--certs-dir', more: object = {}) =>
  folder({ ...args(`${name}=${value}`, 'x'), ...mounts(mount('c', path, more)) });
const SET = (path: string, name = '--certs-dir') => likely({ 'args[0]': `${name}=${path}` });
rows('the setting of a folder that no volume brings', {
  'with a longer name beside it': [certs('/app/certs', '/app/app-certs'), SET('/app/app-certs')],
  'with a slip': [certs('/app/cetrs', '/app/certs/'), SET('/app/certs')],
  'with slips in both folders': [certs('/ap/certs', '/app/cert'), SET('/app/cert')],
  'in another folder': [certs('/app/certs', '/srv/certs'), SET('/srv/certs')],
  'with an end': [certs('/app/certs/', '/srv/certs'), SET('/srv/certs')],
  'called after the setting': [certs('/x', '/srv/profiles', '--profiles-dir'), SET('/srv/profiles', '--profiles-dir')],
  'called after part of a word in the setting': [certs('/x', '/srv/profile', '--profiles-dir'), []],
  'with four letters, called after the setting': [certs('/x', '/srv/prof', '--prof-dir'), []],
  'of a single file': [certs('/app/certs', '/srv/certs/ca.crt', '--certs-dir', { subPath: 'ca.crt' }), SET('/srv/certs')],
  'of a single file in the root': [certs('/app/certs', '/certs', '--certs-dir', { subPath: 'ca.crt' }), []],
  'with nothing in common': [certs('/app/certs', '/srv/files'), []],
  'that is a file': [certs('/app/certs', '/srv/certs', '--output'), []],
  'that is no path': [certs('app/certs', '/srv/certs'), []],
  'where a volume is': [certs('/app/certs/x', '/app/certs'), []],
  'of an account': [certs('/app/serviceaccount', '/run/serviceaccount'), []],
  'that is named elsewhere': [folder({ ...args('--certs-dir=/app/certs', '/srv/certs'), ...mounts(mount('c', '/srv/certs')) }), []],
  'of an empty volume': [folder({ ...args('--certs-dir=/app/certs'), ...mounts(mount('e', '/srv/certs')) }), []],
  'of two volumes': [folder({ ...args('--certs-dir=/app/certs'), ...mounts(mount('c', '/srv/certs'), mount('c', '/opt/certs')) }), []],
  'of a Secret': [
    folder(
      { ...args('--certs-dir=/a/certs'), ...mounts(mount('c', '/b/certs')) },
      { volumes: [{ name: 'c', secret: { secretName: 's' } }] },
    ),
    SET('/b/certs'),
  ],
  'of several sources': [
    folder(
      { ...args('--certs-dir=/a/certs'), ...mounts(mount('c', '/b/certs')) },
      { volumes: [{ name: 'c', projected: { sources: [] } }] },
    ),
    SET('/b/certs'),
  ],
});
for (const name of ['CERT_DIR', 'A_FOLDER', 'A_PATH', 'JAVA_HOME', 'CERTS', 'CERT'])
  test(`${name} may name a folder`, () =>
    assert.is(folder({ ...env({ [name]: '/a/certs' }), ...mounts(mount('c', '/b/certs')) })?.name, name));
test('the setting of a folder that no volume brings, in words', () => {
  const found = certs('/app/certs', '/srv/certs');
  assert.equal([found?.name, found?.folder], ['--certs-dir', '/app/certs']);
  assert.equal(inWords(found?.corrections[0]), [
    'Set `--certs-dir` to `/srv/certs`',
    'No volume is mounted at `/app/certs`.',
    'a volume is mounted at `/srv/certs`, and nothing in the container names that',
  ]);
});

const pod = (own: object, other: object, volumes: object[] = empty('v', 'w')) =>
  aPlace(
    {},
    {
      containers: [
        { name: 'app', image: 'a', ...own },
        { name: 'side', image: 'a', ...other },
      ],
      volumes,
    },
  );
const WRITER = { command: ['sh', '-c', 'make >/out/site/index.html'], ...mounts(mount('v', '/out')) };
const written = (own: object, file = '/www/site/index.html', writer: object = WRITER, volumes?: object[]) =>
  writtenElsewhere(pod(own, writer, volumes), file);
const BOTH = (path: string) => ({ volumeMounts: [mount('v', path)] });
rows('a file that another container writes', {
  'is brought': [written({}), likely(BOTH('/www'))],
  'is brought beside another volume': [written(mounts(mount('w', '/w'))), likely({ 'volumeMounts[1]': mount('v', '/www') })],
  'is brought by moving the volume': [written(mounts(mount('w', '/w'), mount('v', '/data'))), likely({ [PATH(1)]: '/www' })],
  'with the volume in part': [written(mounts(mount('v', '/data', { subPath: 'x' }))), []],
  'where a volume is': [written(mounts(mount('w', '/www/'))), []],
  'in the root': [written({}, '/site/index.html'), []],
  'in a folder of the image': [written({}, '/usr/bin/site/index.html'), []],
  'in a folder of the image, where it is there too': [
    written({}, '/etc/site/index.html', { args: ['>/etc/site/index.html'], ...mounts(mount('v', '/etc')) }),
    likely(BOTH('/etc')),
  ],
  'with another name': [written({}, '/www/site/other.html'), []],
  'with a point behind it': [
    written({}, '/www/a.txt', { args: ['writes /out/a.txt.'], ...mounts(mount('v', '/out/')) }),
    likely(BOTH('/www')),
  ],
  'at the second place of its text': [
    written({}, '/www/b', { args: ['/out/a /out/b'], ...mounts(mount('v', '/out')) }),
    likely(BOTH('/www')),
  ],
  'in a longer folder': [written({}, '/www/a', { args: ['/my/out/a'], ...mounts(mount('v', '/out')) }), []],
  'to a ConfigMap': [written({}, undefined, WRITER, [{ name: 'v', configMap: { name: 'c' } }]), []],
  'to a Secret': [written({}, undefined, WRITER, [{ name: 'v', secret: { secretName: 'c' } }]), []],
  'to projected files': [written({}, undefined, WRITER, [{ name: 'v', projected: { sources: [] } }]), []],
  'to the downward API': [written({}, undefined, WRITER, [{ name: 'v', downwardAPI: {} }]), []],
  'to a part of a volume': [written({}, undefined, { ...WRITER, ...mounts(mount('v', '/out', { subPathExpr: '$(A)' })) }), []],
  'to an unknown volume': [written({}, undefined, WRITER, []), []],
});
test('a file that another container writes, in words', () => {
  assert.equal(inWords(written({})[0]), [
    'Mount volume `v` at `/www`',
    'Containers share files only in a volume that both of them mount.',
    'another container writes `site/index.html` into the volume',
  ]);
  assert.equal(inWords(written(mounts(mount('v', '/data')))[0]), [
    'Mount the volume at `/www`',
    'Volume `v` is mounted at `/data`.',
    'another container writes `site/index.html` into the volume',
  ]);
});

const besides = (own: object, file = '/data/a', ...others: object[]) =>
  besideMounted(pod(own, mounts(...(others.length > 0 ? others : [mount('v', '/data')]))), file);
rows('a file where another container has a volume', {
  'gets the volume': [besides({}), guess({ volumeMounts: [mount('v', '/data')] })],
  'that is mounted twice': [
    besides({}, '/data/a', mount('v', '/data'), mount('v', '/data')),
    guess({ volumeMounts: [mount('v', '/data')] }),
  ],
  'that is mounted at two folders': [besides({}, '/data/a/b', mount('v', '/data'), mount('v', '/data/a')), []],
  'that is another volume too': [besides({}, '/data/a', mount('v', '/data'), mount('w', '/data')), []],
  'that this one has': [besides(mounts(mount('v', '/x'))), []],
  'below a volume of its own': [besides(mounts(mount('w', '/data'))), []],
  elsewhere: [besides({}, '/other/a'), []],
});
for (const path of ['/', '/tmp', '/run', '/var/run', '/var/tmp', '/dev/shm', '/var/lib', '/var/log', '/opt', '/mnt', '/srv'])
  test(`a volume at ${path} says nothing about a file`, () => assert.equal(besides({}, `${path}/a`, mount('v', path)), []));
test('a file where another container has a volume, in words', () =>
  assert.is(besides({})[0]?.changes[0]?.why, 'another container has the volume there'));

const moved = (missing: string, path: string, more: object = {}, others: object[] = []) =>
  movedMount(aPlace({ ...more, ...mounts(mount('v', path), ...others) }, { volumes: empty('v', 'w') }), missing);
rows('the only volume', {
  'moves to a folder of the same name': [moved('/storage/data/', '/var/data'), guess({ [PATH(0)]: '/storage/data' })],
  'moves to the folder of a file': [moved('/storage/data/a.db', '/var/data'), guess({ [PATH(0)]: '/storage/data' })],
  'moves to a similar folder': [moved('/srv/datta', '/srv/data'), likely({ [PATH(0)]: '/srv/datta' })],
  'moves to a folder that a setting names': [
    moved('/srv/files/x', '/var/data', env({ DIR: '/srv/files' })),
    likely({ [PATH(0)]: '/srv/files' }),
  ],
  'stays where a setting names it': [moved('/srv/files/x', '/var/data', env({ DIR: '/srv/files', D: '/var/data/y' })), []],
  'stays beside another one': [moved('/srv/data', '/var/data', {}, [mount('w', '/w')]), []],
  'stays above the folder': [moved('/srv/data/data', '/srv'), []],
  'stays for a folder of another name': [moved('/srv/files', '/var/data'), []],
  'stays for a common folder': [moved('/opt', '/var/opt'), []],
  'stays for a folder of the image': [moved('/usr/bin', '/var/bin'), []],
});
test('a volume that moves, in words', () =>
  assert.equal(inWords(moved('/srv/data', '/var/data')[0]), [
    'Mount the volume at `/srv/data`',
    'Volume `v` is mounted at `/var/data`.',
    'the program looks for the folder there',
  ]));

const token = (path: string) => ({ serviceAccountToken: { path } });
const projected = (file: string, volume: object, at: object[] = [mount('v', '/t')], more: object = {}) =>
  aPlaceOf(file, { ...mounts(...at), ...more }, [
    { name: 'other', emptyDir: {} },
    { name: 'v', ...volume },
  ]);
const aPlaceOf = (file: string, container: object, volumes: object[]) => otherProjection(aPlace(container, { volumes }), file);
const VOLUME = 'spec.volumes[1]';
const ITEMS = (...paths: string[]) => ({ items: paths.map((path) => ({ key: 'k', path })) });
rows('a file that the pod names itself', {
  'is a token with a slip': [
    projected('/t/token', { projected: { sources: [{ configMap: { name: 'x' } }, token('tokne')] } }),
    likely({ [`${VOLUME}.projected.sources[1].serviceAccountToken.path`]: 'token' }),
  ],
  'is the only one': [
    projected('/t/jwt', { projected: { sources: [token('abc')] } }),
    likely({ [`${VOLUME}.projected.sources[0].serviceAccountToken.path`]: 'jwt' }),
  ],
  'is one of two': [projected('/t/jwt', { projected: { sources: [token('abc'), token('xyz')] } }), []],
  'is of the downward API': [
    projected('/t/labels', { downwardAPI: ITEMS('lables') }),
    likely({ [`${VOLUME}.downwardAPI.items[0].path`]: 'labels' }),
  ],
  'is of the downward API among others': [
    projected('/t/labels', { projected: { sources: [{ downwardAPI: ITEMS('xyz', 'lables') }] } }),
    likely({ [`${VOLUME}.projected.sources[0].downwardAPI.items[1].path`]: 'labels' }),
  ],
  'is the only item of a ConfigMap': [
    projected('/t/app.yaml', { configMap: ITEMS('zzzzzz.yaml') }),
    likely({ [`${VOLUME}.configMap.items[0].path`]: 'app.yaml' }),
  ],
  'is the only item of a Secret': [
    projected('/t/a.pem', { secret: ITEMS('zzzzzz.pem', 'b.txt') }),
    likely({ [`${VOLUME}.secret.items[0].path`]: 'a.pem' }),
  ],
  'is an item with another ending': [projected('/t/app.yaml', { configMap: ITEMS('zzzzzz.json') }), []],
  'is an item with a near name': [projected('/t/app.yaml', { configMap: ITEMS('ap.yaml') }), []],
  'is there': [projected('/t/token', { projected: { sources: [token('token')] } }), []],
  'is not below the mount': [projected('/x/token', { projected: { sources: [token('tokne')] } }), []],
  'is mounted in part': [projected('/t/token', { projected: { sources: [token('tokne')] } }, [mount('v', '/t', { subPath: 'x' })]), []],
  'is of Kubernetes': [
    aPlaceOf('/t/token', mounts(mount('kube-api-access-x', '/t')), [
      { name: 'kube-api-access-x', projected: { sources: [token('tokne')] } },
    ]),
    [],
  ],
});
test('a file that the pod names itself, in words', () =>
  assert.equal(inWords(projected('/t/token', { projected: { sources: [token('tokne')] } })[0]), [
    'Name the file `token`',
    'The volume has it as `tokne`.',
    'the program reads `/t/token`',
  ]));

const elsewhere = (file: string, container: object, volumes: object[] = [{ name: 'v', projected: { sources: [token('jwt')] } }]) =>
  tokenElsewhere(aPlace(container, { volumes }), file);
const AT = mounts(mount('x', '/x'), mount('v', '/t/'));
rows('a token in another folder', {
  'is read there': [elsewhere('/run/jwt', { ...AT, ...env({ A: 'x', TOKEN: '/run/jwt' }) }), likely({ 'env[1].value': '/t/jwt' })],
  'is brought there': [elsewhere('/run/jwt', AT), likely({ [PATH(1)]: '/run' })],
  'that two settings name is brought there': [
    elsewhere('/run/jwt', { ...AT, ...env({ A: '/run/jwt', B: '/run/jwt' }) }),
    likely({ [PATH(1)]: '/run' }),
  ],
  'where it is': [elsewhere('/t/jwt', { ...AT, ...env({ A: '/t/jwt' }) }), []],
  'of another name': [elsewhere('/run/token', AT), []],
  'mounted in part': [elsewhere('/run/jwt', mounts(mount('v', '/t', { subPath: 'jwt' }))), []],
  'mounted twice': [elsewhere('/run/jwt', mounts(mount('v', '/t'), mount('v', '/s'))), []],
  'of Kubernetes': [
    elsewhere('/run/jwt', mounts(mount('kube-api-access-x', '/t')), [
      { name: 'kube-api-access-x', projected: { sources: [token('jwt')] } },
    ]),
    [],
  ],
});
test('a token in another folder, in words', () => {
  assert.equal(inWords(elsewhere('/run/jwt', { ...AT, ...env({ TOKEN: '/run/jwt' }) })[0]), [
    'Set `TOKEN` to `/t/jwt`',
    'Nothing is at `/run/jwt`.',
    'volume `v` brings the token there',
  ]);
  assert.equal(inWords(elsewhere('/run/jwt', AT)[0]), [
    'Mount the volume at `/run`',
    'Volume `v` brings it elsewhere.',
    'the program reads the token there',
  ]);
});

test.run();
