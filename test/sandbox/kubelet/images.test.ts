import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { nameError, pull } from '../../../src/sandbox/kubelet/images.ts';
import { imageStore } from '../../../src/sandbox/kubelet/imagestore.ts';
import { fetchImage } from '../../../src/sandbox/kubelet/fetch-image.ts';
import type { Loose } from '../../../src/sandbox/store/object.ts';
import { aPodBody, bareApi } from '../../support/builders/sandbox-api.ts';

const images = suite('images of the sandbox');

const DIGEST = `sha256:${'a'.repeat(64)}`;
for (const [image, name] of [
  ['web:1', 'docker.io/library/web:1'],
  ['library/web:1', 'docker.io/library/web:1'],
  ['docker.io/web:1', 'docker.io/library/web:1'],
  ['busybox:1.35', 'docker.io/library/busybox:1.35'],
  ['localhost/web:1', 'localhost/web:1'],
  ['host:5000/web:1', 'host:5000/web:1'],
  ['quay.io/private/app:1', 'quay.io/private/app:1'],
] as const)
  images(`${image} is ${name}`, () => {
    const found = pull(image, true);
    assert.is('image' in found ? found.image.name : found.error, name);
  });

const PREFIX = 'failed to pull and unpack image';
const NOT_THERE = 'pull access denied, repository does not exist or may require authorization:';
for (const [image, isAuthorized, error] of [
  [
    'web',
    true,
    `rpc error: code = NotFound desc = ${PREFIX} "docker.io/library/web:latest": failed to resolve image: docker.io/library/web:latest: not found`,
  ],
  [
    `web@${DIGEST}`,
    true,
    `rpc error: code = NotFound desc = ${PREFIX} "docker.io/library/web@${DIGEST}": failed to resolve image: docker.io/library/web@${DIGEST}: not found`,
  ],
  [
    `web:1@${DIGEST}`,
    true,
    `rpc error: code = NotFound desc = ${PREFIX} "docker.io/library/web@${DIGEST}": failed to resolve image: docker.io/library/web@${DIGEST}: not found`,
  ],
  [
    'nothing:1',
    true,
    `${PREFIX} "docker.io/library/nothing:1": failed to resolve image: ${NOT_THERE} server message: insufficient_scope: authorization failed`,
  ],
  [
    'private/app:1',
    false,
    `${PREFIX} "docker.io/private/app:1": failed to resolve image: ${NOT_THERE} authorization failed: no basic auth credentials`,
  ],
  [
    'registry.example/web:1',
    true,
    `${PREFIX} "registry.example/web:1": failed to resolve image: failed to do request: Head "https://registry.example/v2/web/manifests/1": dial tcp: lookup registry.example: no such host`,
  ],
] as const)
  images(`${image} cannot be pulled`, () => assert.equal(pull(image, isAuthorized), { error }));

images('an image has what its program needs', () => {
  const of = (name: string): Loose => (pull(name, true) as Loose).image;
  assert.equal([of('web:1').entrypoint, of('web:1').command, of('web:1').executables], [['/web'], [], ['/web']]);
  assert.equal([of('busybox:1.35').entrypoint, of('busybox:1.35').command, of('busybox:1.35').environment], [[], ['sh'], { PATH: '/bin' }]);
  assert.ok(of('busybox:1.35').executables.includes('/bin/sh'));
  assert.equal([of('no-command:1').entrypoint, of('no-command:1').command], [[], []]);
  assert.equal(
    ['web:1', 'busybox:1.35', 'no-command:1', 'private/app:1'].map((name) => of(name).sizeBytes),
    [3_023_274, 1_069_204, 3_023_220, 3_023_274],
  );
  assert.match(of('web:1').digest, /^sha256:[0-9a-f]{64}$/);
  assert.is(of('web:1').digest, of('docker.io/library/web:1').digest);
  assert.is.not(of('web:1').digest, of('localhost/web:1').digest);
});

const INVALID = (image: string) =>
  `Failed to apply default image tag "${image}": couldn't parse image name "${image}": invalid reference format`;
for (const [image, error] of [
  ['web:1', undefined],
  ['a/b-c/d_e.f:v1.2-x', undefined],
  ['Web:1', `${INVALID('Web:1')}: repository name (library/Web) must be lowercase`],
  ['host.example/Web', `${INVALID('host.example/Web')}: repository name (Web) must be lowercase`],
  ['web::1', INVALID('web::1')],
  ['-web', INVALID('-web')],
  ['web/', INVALID('web/')],
] as const)
  images(`the name ${image} is ${error ? 'refused' : 'taken'}`, () => assert.is(nameError(image), error));

const secretOf = (auths: Loose) => ({
  metadata: { name: 'login', namespace: 'shop' },
  type: 'kubernetes.io/dockerconfigjson',
  data: { '.dockerconfigjson': Buffer.from(JSON.stringify({ auths })).toString('base64') },
});
const auth = (text: string) => ({ auth: Buffer.from(text).toString('base64') });

/** What is told while an image is fetched, and the result. */
async function fetched(container: Loose, { secret, spec = {}, before }: { secret?: Loose; spec?: Loose; before?: Loose } = {}) {
  const { api, clock, make } = bareApi();
  if (secret) make('secrets', secret);
  const pod = make('pods', aPodBody('p', { imagePullSecrets: [{ name: 'login' }], ...spec }, {}));
  const store = imageStore(api, clock);
  const told: string[] = [];
  const get = async (one: Loose) => {
    const result = store.get(pod, one, (type, reason, message, isPodWide) =>
      told.push([type, reason, message, ...(isPodWide ? ['of the pod'] : [])].join(' | ')),
    );
    await clock.advance(1000);
    return result;
  };
  if (before) await get(before);
  told.length = 0;
  const result = await get(container);
  return { told, result: 'image' in result ? result.image.name : result.reason };
}
const PRESENT = 'Normal | Pulled | Container image "web:1" already present on machine and can be accessed by the pod';
const PULLED = 'Normal | Pulled | Successfully pulled image "web:1" in 150ms (150ms including waiting). Image size: 3023274 bytes.';
const NO_SECRET =
  'Warning | FailedToRetrieveImagePullSecret | Unable to retrieve some image pull secrets (login); attempting to pull the image may not succeed. | of the pod';
const none = { spec: { imagePullSecrets: [] } };

images('an image is pulled once, unless it is always pulled; private images are pulled for each pod', async () => {
  const web = { image: 'web:1', imagePullPolicy: 'IfNotPresent' };
  const PULLING = 'Normal | Pulling | Pulling image "web:1"';
  assert.equal(await fetched(web, none), { told: [PULLING, PULLED], result: 'docker.io/library/web:1' });
  assert.equal(await fetched(web, { ...none, before: web }), { told: [PRESENT], result: 'docker.io/library/web:1' });
  assert.equal((await fetched({ ...web, imagePullPolicy: 'Always' }, { ...none, before: web })).told, [PULLING, PULLED]);
  assert.equal((await fetched({ ...web, imagePullPolicy: 'Never' }, { ...none, before: web })).told, [PRESENT]);
  assert.equal(await fetched({ ...web, imagePullPolicy: 'Never' }, none), {
    told: ['Warning | ErrImageNeverPull | Container image "web:1" is not present with pull policy of Never'],
    result: 'ErrImageNeverPull',
  });
  const own = { image: 'private/app:1', imagePullPolicy: 'IfNotPresent' };
  const again = await fetched(own, { secret: secretOf({ x: { username: 'user', password: 'password' } }), before: own });
  assert.is(again.told[0], 'Normal | Pulling | Pulling image "private/app:1"');
});

images('an invalid name is not pulled', async () => {
  const { told, result } = await fetched({ image: 'Web', imagePullPolicy: 'Always' }, none);
  assert.equal([told.length, told[0]?.startsWith('Warning | InspectFailed | Failed to apply'), result], [1, true, 'InvalidImageName']);
});

for (const [what, secret, isAuthorized] of [
  ['user and password', secretOf({ x: { username: 'user', password: 'password' } }), true],
  ['both in one text', secretOf({ x: auth('user:password') }), true],
  ['the right one of two', secretOf({ x: auth('a:b'), y: auth('user:password') }), true],
  ['another user', secretOf({ x: { username: 'root', password: 'password' } }), false],
  ['another password', secretOf({ x: auth('user:wrong') }), false],
  ['only the user', secretOf({ x: { username: 'user' } }), false],
  ['no list', { ...secretOf({}), type: 'Opaque', data: { '.dockerconfigjson': 'e30=' } }, false],
  ['no JSON', { ...secretOf({}), type: 'Opaque', data: { '.dockerconfigjson': 'YQ==' } }, false],
] as const)
  images(`a pull secret with ${what} ${isAuthorized ? 'opens' : 'does not open'} private images`, async () => {
    const { told, result } = await fetched({ image: 'private/app:1', imagePullPolicy: 'Always' }, { secret });
    assert.is(result, isAuthorized ? 'docker.io/private/app:1' : 'ErrImagePull');
    assert.is(told.includes(NO_SECRET), false);
  });

images('a pull secret that does not exist is told, and the pull is tried', async () => {
  const { told, result } = await fetched({ image: 'web:1', imagePullPolicy: 'Always' });
  assert.equal([told[0], result], [NO_SECRET, 'docker.io/library/web:1']);
});

interface Fetching {
  answers: (string | undefined)[];
  /** Changes the image, or stops the container, during this pause. */
  during?: { pause: number; image?: string };
}
/** What fetchImage says and how long it waits, until it has the image. */
async function fetching({ answers, during }: Fetching): Promise<string[]> {
  const said: string[] = [];
  const spec: Loose = { image: 'web:1' };
  let pauses = 0;
  let isStopping = false;
  const found = await fetchImage({
    spec,
    get: () => {
      const reason = answers.shift();
      return Promise.resolve(reason === undefined ? ({ image: { name: spec.image } } as Loose) : { reason, message: 'no' });
    },
    isStopping: () => isStopping,
    event: (type, reason, message) => said.push(`${type} ${reason}: ${message}`),
    waiting: (reason, message) => said.push(`${reason}: ${message}`),
    pause: (ms) => {
      said.push(`${ms} ms`);
      pauses += 1;
      if (during && pauses === during.pause) {
        if (during.image) spec.image = during.image;
        else isStopping = true;
      }
      return Promise.resolve();
    },
  });
  return [...said, found?.name ?? 'nothing'];
}
const FAILED = ['Warning Failed: Error: ErrImagePull', 'ErrImagePull: no', '1200 ms'];
const backOff = (ms: number, image = 'web:1') => [
  `Normal BackOff: Back-off pulling image "${image}"`,
  'Warning Failed: Error: ImagePullBackOff',
  `ImagePullBackOff: Back-off pulling image "${image}": ErrImagePull: no`,
  `${ms} ms`,
];
const FAIL = 'ErrImagePull';
images('a pull that fails is tried again after 10 s, 20 s … and at most 5 minutes', async () => {
  assert.equal(await fetching({ answers: [] }), ['web:1']);
  assert.equal(await fetching({ answers: [FAIL, FAIL] }), [...FAILED, ...backOff(10_000), ...FAILED, ...backOff(20_000), 'web:1']);
  const waits = (await fetching({ answers: Array.from({ length: 7 }, () => FAIL) })).filter(
    (text) => /^\d+ ms$/.test(text) && text !== '1200 ms',
  );
  assert.equal(
    waits,
    [10, 20, 40, 80, 160, 300, 300].map((seconds) => `${seconds}000 ms`),
  );
});

images('another image in the spec is pulled at once, and its backoff begins anew', async () => {
  assert.equal(await fetching({ answers: [FAIL, FAIL], during: { pause: 1, image: 'web:2' } }), [
    ...FAILED,
    ...FAILED,
    ...backOff(10_000, 'web:2'),
    'web:2',
  ]);
  const after = await fetching({ answers: [FAIL, FAIL, FAIL], during: { pause: 4, image: 'web:2' } });
  assert.equal(
    after.filter((text) => /0000 ms$/.test(text)),
    ['10000 ms', '20000 ms', '10000 ms'],
  );
});

images('a name that is refused is tried again after 12 s; a container that is stopped gets no image', async () => {
  assert.equal(await fetching({ answers: ['InvalidImageName'] }), [
    'Warning Failed: Error: InvalidImageName',
    'InvalidImageName: no',
    '12000 ms',
    'web:1',
  ]);
  assert.equal(await fetching({ answers: [FAIL], during: { pause: 1 } }), [...FAILED, 'nothing']);
  assert.equal(await fetching({ answers: [FAIL], during: { pause: 2 } }), [...FAILED, ...backOff(10_000), 'nothing']);
});

images.run();
