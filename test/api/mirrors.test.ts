import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FailureDiagnosis } from '../../src/contract/diagnosis.ts';
import type { PodLog } from '../../src/contract/log.ts';
import type { MirrorPreview, MirrorRecord, MirrorUse, PastMirror } from '../../src/contract/mirror.ts';
import { instant } from '../../src/crd/condition.ts';
import type { Pod, PodSpec } from '../../src/crd/kubernetes.ts';
import { containerEvidence } from '../../src/failures/detect/evidence.ts';
import type { KubeClient } from '../../src/kube/client.ts';
import { diagnose } from '../../src/diagnosis/diagnose.ts';
import { ClusterUnavailable, KubeError } from '../../src/kube/errors.ts';
import type { MirrorPod } from '../../src/crd/mirrorpod.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { podLogs } from '../../src/kube/pod-logs.ts';
import { withKeptLogs } from '../../src/mirrors/kept-logs.ts';
import { lastLogs } from '../../src/mirrors/last-log.ts';
import { mirrors as mirrorStory } from '../../src/mirrors/deploy.ts';
import { previewer } from '../../src/mirrors/preview.ts';
import { mirrorController, type MirrorController } from '../../src/reconcilers/mirrorpod-controller.ts';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { testApp, type TestApp } from '../support/worlds/app.ts';
import { aMirror, aSourcePod, mirrorWorld, type MirrorWorld } from '../support/worlds/mirrors.ts';
import { until } from '../support/runner/wait.ts';

/** The mirror endpoints, with the sandbox as the cluster and a running reconciler. */
const test = suite('mirror routes');
let sandbox: Sandbox;
let world: MirrorWorld;
let controller: MirrorController;
let app: TestApp;

test.before(async () => {
  sandbox = await startSandbox({ speed: 20 });
  world = await mirrorWorld(sandbox.kubeconfig);
  controller = mirrorController(world.deps);
  const { deps, failures } = world;
  const limits = { perIncident: 2, perNamespace: 10, total: 50 };
  const story = mirrorStory({
    ...deps,
    client: counting(deps.client),
    lastLogs: lastLogs(deps),
    locate: controller.locate,
    previews: world.previews,
    previewer: world.previewer,
    deniedNamespaces: ['kube-*', 'podmend'],
    limits,
  });
  const logs = withKeptLogs(podLogs(deps.client), world.trials);
  app = await testApp(() => ({ failures, intake: world.intake, previewer: world.previewer, mirrors: story, trials: world.trials, logs }));
  await controller.start();
});
test.after(async () => {
  await controller?.stop();
  await app?.close();
  await world?.close();
  await sandbox?.close();
});

/** The API's writes to MirrorPods. `namesTaken` is how many of the next creations are refused because the name exists. */
const writes: string[] = [];
let namesTaken = 0;

function counting(client: KubeClient): KubeClient {
  return {
    ...client,
    async create(kind, object, options) {
      const isMirror = kind.kind === 'MirrorPod' && !options?.dryRun;
      if (isMirror && namesTaken-- > 0) throw new KubeError(409, 'AlreadyExists', 'the name is taken');
      if (isMirror) writes.push('create');
      return client.create(kind, object, options);
    },
    // oxlint-disable-next-line max-params
    async patch(kind, namespace, name, body, options) {
      if (!options.dryRun) writes.push(`patch ${kind.kind}`);
      return client.patch(kind, namespace, name, body, options);
    },
    async remove(kind, namespace, name, options) {
      writes.push(`remove ${kind.kind}`);
      return client.remove(kind, namespace, name, options);
    },
  };
}

/** A YAML bomb: ten lines, each of which refers nine times to the line before. */
const BOMB = [
  ...Array.from(
    { length: 10 },
    (_, line) =>
      `a${line}: &a${line} [${Array(9)
        .fill(line === 0 ? 'x' : `*a${line - 1}`)
        .join(', ')}]`,
  ),
  'spec: {containers: [{name: app, image: "web:1"}], x: *a9}',
].join('\n');
const SECRET = 'hunter2-hunter2';

/** Creates a failing pod and reports it. */
async function failure(spec: Partial<PodSpec> = {}, namespace?: string): Promise<{ id: number; namespace: string }> {
  const place = namespace ?? (await world.namespace());
  await world.client.create(KINDS.pod, aSourcePod(place, spec));
  const source = (await world.client.read(KINDS.pod, place, 'web')) as Pod;
  const reported = await until(
    async () => {
      const pod = (await world.client.read(KINDS.pod, place, 'web')) as Pod;
      const waiting = pod.status?.containerStatuses?.[0]?.state?.waiting?.reason;
      return spec.restartPolicy || waiting?.includes('mage') ? pod : undefined;
    },
    { what: 'the source to fail' },
  );
  const stored = await world.intake.report(
    {
      pod_name: 'web',
      namespace: place,
      pod_uid: source.metadata.uid ?? null,
      failure_reason: 'ImagePullBackOff',
      failure_message: 'not found',
      container: 'app',
      container_statuses: containerEvidence(reported),
      events: [{ type: 'Warning', reason: 'Failed', message: 'Failed to pull image "web:11": docker.io/library/web:11: not found' }],
    },
    new Date(),
  );
  return { id: stored.kind === 'stored' ? stored.record.id : 0, namespace: place };
}

/** Creates pod `other`, which runs `web:1`, and waits until it runs. */
async function otherPod(namespace: string): Promise<void> {
  await world.client.create(KINDS.pod, aSourcePod(namespace, { containers: [{ name: 'app', image: 'web:1' }] }, { name: 'other' }));
  await until(async () => (await world.client.read(KINDS.pod, namespace, 'other'))?.status?.containerStatuses?.[0]?.state?.running, {
    what: 'the other pod to run',
  });
}

const manifest = (spec: object): string => JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' }, spec });
const WORKING = manifest({ containers: [{ name: 'app', image: 'web:1' }] });
const deploy = (id: number, payload: object) => app.send('write', { method: 'POST', url: `/api/mirror/deploy/${id}`, payload });
const statusOf = (id: string) => app.send('read', { method: 'GET', url: `/api/mirror/status/${id}` });

test('preview, deploy, status, active, delete', async () => {
  const { id, namespace } = await failure({
    containers: [{ name: 'app', image: 'web:11', env: [{ name: 'DB_PASSWORD', value: SECRET }] }],
  });
  // This pod shows that another tag of the image exists.
  await otherPod(namespace);
  const answer = await app.send('write', { method: 'POST', url: `/api/mirror/preview/${id}` });
  assert.is(answer.statusCode, 200, answer.body);
  const preview = answer.json<MirrorPreview>();
  assert.is(preview.is_fallback, true);
  assert.not.match(answer.body, SECRET);
  assert.match(preview.fixed_manifest, /\*\*\*/);
  const payload = preview.mirrorable
    ? { ttl_seconds: 60 }
    : { ttl_seconds: 60, manifest: preview.fixed_manifest.replace('web:11', 'web:1') };
  const deployed = await deploy(id, payload);
  assert.is(deployed.statusCode, 200, deployed.body);
  const record = deployed.json<MirrorRecord>();
  assert.equal(
    [record.status, record.ttl_seconds, record.pod_id, record.source_pod_name, record.namespace],
    ['Pending', 60, id, 'web', namespace],
  );
  assert.match(record.risks?.join() ?? '', /^Its 60 s may be too short for a verdict/);
  assert.match(record.name, /^web-[a-z0-9]{5}$/);
  assert.match(record.mirror_pod_name, /^web-mirror-[0-9a-f]{8}$/);
  assert.match(record.fixed_manifest, /image: web:1\n/);
  assert.is((await statusOf(record.mirror_id)).statusCode, 200, 'a GET after the POST shows it');
  const pod = await until(() => world.client.read(KINDS.pod, namespace, record.mirror_pod_name), { what: 'the mirror pod' });
  assert.is(pod.spec.containers[0]?.env?.[0]?.value, SECRET, 'the masked value is the source\u2019s own');
  const cr = await world.client.read(KINDS.mirrorPod, namespace, record.name);
  assert.not.match(JSON.stringify(cr), SECRET);
  const active = await app.send('read', { method: 'GET', url: '/api/mirror/active' });
  assert.ok(active.json<MirrorRecord[]>().some(({ mirror_id }) => mirror_id === record.mirror_id));
  const use = (await app.send('read', { url: '/api/mirror/limits' })).json<MirrorUse>();
  assert.equal([use.enabled, use.limit, use.limit_per_namespace, use.limit_per_incident], [true, 50, 10, 2]);
  assert.equal(
    use.namespaces.find((one) => one.namespace === namespace),
    { namespace, live: 1 },
  );
  assert.ok(use.live >= 1);
  assert.is((await app.send('write', { method: 'DELETE', url: `/api/mirror/${record.mirror_id}` })).statusCode, 204);
  const gone = await statusOf(record.mirror_id);
  assert.equal([gone.statusCode, gone.json()], [404, { detail: 'Mirror not found' }]);
  assert.is((await app.send('write', { method: 'DELETE', url: `/api/mirror/${record.mirror_id}` })).statusCode, 404);
});

/** A mirror whose log contains a secret. */
async function talking(): Promise<MirrorRecord> {
  const { id, namespace } = await failure();
  const container = { name: 'app', image: 'busybox:1.35', command: ['sh', '-c', 'echo begun; echo API_TOKEN=hunter2secret; sleep 3600'] };
  const manifest = JSON.stringify({ metadata: { namespace }, spec: { containers: [container] } });
  const deployed = await deploy(id, { ttl_seconds: 60, manifest });
  assert.is(deployed.statusCode, 200, deployed.body);
  return deployed.json<MirrorRecord>();
}
const logOf = ({ namespace, mirror_pod_name: name }: MirrorRecord, query = '') =>
  app.send('read', { url: `/api/pods/${namespace}/${name}/logs${query}` });
const pastOf = async ({ mirror_id, namespace }: MirrorRecord) =>
  (await app.send('read', { url: `/api/mirror/past?namespace=${namespace}` }))
    .json<PastMirror[]>()
    .find((one) => one.mirror_id === mirror_id);
const isGone = async ({ namespace, mirror_pod_name: name }: MirrorRecord) => !(await world.client.read(KINDS.pod, namespace, name));
const hasSpoken = async (mirror: MirrorRecord) => {
  const answer = await logOf(mirror);
  return answer.statusCode === 200 && /TOKEN/.test(answer.body);
};

for (const [how, end] of [
  ['by the API', async ({ mirror_id }) => void (await app.send('write', { method: 'DELETE', url: `/api/mirror/${mirror_id}` }))],
  [
    'by its time',
    async ({ namespace, name }) => {
      const status = { expirationTime: instant(new Date(Date.now() + 3_000)) };
      await world.client.patch(KINDS.mirrorPod, namespace, name, { status }, { type: 'merge', subresource: 'status' });
    },
  ],
] as [string, (mirror: MirrorRecord) => Promise<void>][])
  test(`the log of a mirror that was ended ${how} is read as before`, async () => {
    const mirror = await talking();
    await until(() => hasSpoken(mirror), { what: 'the mirror to speak' });
    await end(mirror);
    await until(() => isGone(mirror), { timeoutMs: 60_000, what: 'the mirror pod to go' });
    const past = await until(() => pastOf(mirror), { what: 'the mirror to be over' });
    assert.is(past.log_pod_name, mirror.mirror_pod_name);
    const answer = (await logOf(mirror)).json<PodLog>();
    assert.equal([answer.container, answer.containers, answer.logs], ['app', ['app'], 'begun\nAPI_TOKEN=***\n']);
    assert.is((await logOf(mirror, '?tail_lines=1')).json<PodLog>().logs, 'API_TOKEN=***\n');
    assert.is((await logOf(mirror, '?previous=true')).statusCode, 404);
    const stream = await app.send('read', { url: `/api/pods/${mirror.namespace}/${mirror.mirror_pod_name}/logs/stream` });
    assert.match(stream.body, /data: begun\n\ndata: API_TOKEN=\*\*\*\n\nevent: end/);
    assert.is((await logOf({ ...mirror, namespace: 'hidden' })).statusCode, 404);
  });

test('a written correction is offered with its patch when a mirror has proven it, also after the mirror is gone', async () => {
  const { id, namespace } = await failure();
  const { manifest } = (await app.send('read', { url: `/api/pods/failed/${id}/diagnosis` })).json<FailureDiagnosis>();
  const deployed = await deploy(id, {
    ttl_seconds: 120,
    manifest: manifest.replace('web:11', "busybox:1.35\n      command: [sleep, '3600']"),
  });
  assert.is(deployed.statusCode, 200, deployed.body);
  const { mirror_id, mirror_pod_name } = deployed.json<MirrorRecord>();
  const writtenNow = async () => {
    const { preview } = (await app.send('read', { url: `/api/pods/failed/${id}/diagnosis` })).json<FailureDiagnosis>();
    return preview.candidates.find((one) => one.written_for === mirror_id);
  };
  assert.is(await writtenNow(), undefined, 'nothing is proven yet');
  const isReady = async () =>
    (await world.client.read(KINDS.pod, namespace, mirror_pod_name))?.status?.containerStatuses?.some(({ ready }) => ready);
  await until(isReady, { what: 'the mirror to be ready' });
  const early = (await world.failures.detail(id))!;
  world.advance(61);
  const written = await until(writtenNow, { what: 'a verdict' }).finally(() => world.rewind());
  assert.is(written.tried, mirror_id);
  assert.equal(
    written.changes.map(({ path, from, to }) => [path, from, to]),
    [
      ['spec.containers[0].image', 'web:11', 'busybox:1.35'],
      ['spec.containers[0].command', null, ['sleep', '3600']],
    ],
  );
  assert.equal(
    written.formats.map(({ name }) => name),
    ['kubectl patch', 'YAML', 'Git diff', 'Pull request'],
  );
  assert.match(written.formats[0]?.text ?? '', /kubectl replace --force/);
  assert.match(written.formats[2]?.text ?? '', /^-.*image: web:11\n\+.*image: busybox:1.35$/m);
  assert.match(written.formats[3]?.text ?? '', /\*\*Fixed\*\*/);
  const { preview: before } = await world.previewer.explain(early);
  assert.not(
    before.candidates.some((one) => one.written_for === mirror_id),
    'whoever read the record before the verdict is not offered it without its proof',
  );
  assert.is((await app.send('write', { method: 'DELETE', url: `/api/mirror/${mirror_id}` })).statusCode, 204);
  await until(() => pastOf(deployed.json<MirrorRecord>()), { what: 'the mirror to be over' });
  assert.equal(await writtenNow(), written);
  // A written correction can be tried again, as any other correction.
  const preview = (await app.send('write', { method: 'POST', url: `/api/mirror/preview/${id}` })).json<MirrorPreview>();
  const candidate = preview.candidates.findIndex((one) => one.written_for === mirror_id);
  const again = await deploy(id, { ttl_seconds: 60, candidate });
  assert.match(again.json<MirrorRecord>().fixed_manifest, /image: busybox:1.35\n/);
});

test('everybody may see why it fails and what would correct it, and looking stores nothing', async () => {
  const { id, namespace } = await failure({
    containers: [{ name: 'app', image: 'web:11', env: [{ name: 'DB_PASSWORD', value: SECRET }] }],
  });
  await otherPod(namespace);
  const look = async (): Promise<FailureDiagnosis> => {
    const answer = await app.send('read', { url: `/api/pods/failed/${id}/diagnosis` });
    assert.is(answer.statusCode, 200, answer.body);
    assert.not.match(answer.body, SECRET);
    return answer.json<FailureDiagnosis>();
  };
  // The surroundings of a pod are cached for some seconds.
  const seen = await until(async () => [await look()].find(({ preview }) => preview.candidates.length > 0), { what: 'the other image' });
  assert.match(seen.summary, /web:11/);
  assert.is(seen.source, 'live');
  const status = seen.evidence.find(({ source }) => source === 'status of container app');
  assert.equal(status?.place, { in: 'containers', index: 0 }, JSON.stringify(seen.evidence));
  assert.is(await world.previews.latest(id), undefined);
  const made = (await app.send('write', { method: 'POST', url: `/api/mirror/preview/${id}` })).json<MirrorPreview>();
  const candidates = made.candidates.map((one, index) => ({ ...one, tried: null, formats: seen.preview.candidates[index]?.formats }));
  assert.equal({ ...seen.preview, id: made.id }, { ...made, candidates }, 'a preview shows the same');

  await world.client.remove(KINDS.pod, namespace, 'web', {});
  await until(async () => !(await world.client.read(KINDS.pod, namespace, 'web')), { what: 'the pod to go' });
  const later = await look();
  assert.is(later.source, 'gone');
  assert.not.ok(later.preview.candidates.some(({ mirrorable }) => mirrorable));
  for (const unknown of [999_999, 0, 'x']) {
    const answer = await app.send('read', { url: `/api/pods/failed/${unknown}/diagnosis` });
    assert.is(answer.statusCode, unknown === 999_999 ? 404 : 400, answer.body);
  }
});

test('while the cluster is away, the diagnosis is that of the report', async () => {
  const { id } = await failure();
  const down = (): never => {
    throw new ClusterUnavailable('connect ECONNREFUSED');
  };
  const { failures, previews, deps } = world;
  const lost = previewer({
    previews,
    settings: deps.settings,
    trials: world.trials,
    client: { ...deps.client, read: async () => down(), list: async () => down() },
    surroundings: async () => down(),
    diagnose: async (subject) => diagnose(subject),
  });
  const detail = await failures.detail(id);
  const answer = await lost.explain(detail!);
  assert.is(answer.source, 'unknown');
  assert.match(answer.summary, /web:11/);
  assert.equal(answer.preview.risks, ['The cluster does not answer: what is shown is what was last reported, and it cannot be tried now.']);
});

test('when the first correction still fails, the next one is the next mirror, until none is left', async () => {
  const { id, namespace } = await failure();
  await otherPod(namespace);
  // This tag ran once, on a node without a kubelet. The registry does not have it any more.
  const containers = [{ name: 'app', image: 'web:111' }];
  const old = await world.client.create(KINDS.pod, aSourcePod(namespace, { containers, schedulerName: 'nobody' }, { name: 'old' }));
  const state = { running: { startedAt: '2026-05-01T10:00:00Z' } };
  const ran = { name: 'app', ready: true, restartCount: 0, image: 'web:111', imageID: 'sha256:1', state };
  await world.setStatus(old, { phase: 'Running', containerStatuses: [ran] });
  const preview = async () => (await app.send('write', { method: 'POST', url: `/api/mirror/preview/${id}` })).json<MirrorPreview>();
  const imagesOf = ({ candidates }: MirrorPreview) => candidates.map(({ changes }) => changes[0]?.to);
  const tryNext = async (): Promise<[unknown, string | null | undefined]> => {
    const answer = await deploy(id, { ttl_seconds: 180 });
    assert.is(answer.statusCode, 200, answer.body);
    const { mirror_id } = answer.json<MirrorRecord>();
    const isSettled = async () => {
      const pod = await world.podOf({ metadata: { namespace, uid: mirror_id }, spec: { source: { name: 'web' } } } as MirrorPod);
      return pod?.status?.containerStatuses?.some(({ ready, state }) => ready || /Pull/.test(state?.waiting?.reason ?? ''));
    };
    await until(isSettled, { what: 'the mirror to run or to fail' });
    world.advance(61);
    return until(
      async () => {
        const trial = (await world.failures.detail(id))?.trials.find((one) => one.mirror_id === mirror_id);
        return trial?.verdict ? ([trial.changes[0]?.to, trial.verdict] as [unknown, string]) : undefined;
      },
      { what: 'a verdict' },
    ).finally(() => world.rewind());
  };
  // The surroundings of a pod are cached for some seconds.
  const first = await until(
    async () => {
      const made = await preview();
      return ['web:1', 'web:111'].every((image) => imagesOf(made).includes(image)) ? made : undefined;
    },
    { what: 'the images of the other pods' },
  );
  assert.equal(imagesOf(first).slice(0, 2), ['web:111', 'web:1']);
  assert.match(first.diff, /^-.*image: web:11\n\+.*image: web:111$/m);
  assert.equal(await tryNext(), ['web:111', 'StillFailing']);
  // This also works without a new preview, when the stored one is older than the verdict.
  assert.equal(await tryNext(), ['web:1', 'Fixed']);
  const { trials } = (await world.failures.detail(id))!;
  const seen = (await app.send('read', { url: `/api/pods/failed/${id}/diagnosis` })).json<FailureDiagnosis>().preview.candidates;
  const triedIn = (image: string) => seen.find(({ changes }) => changes[0]?.to === image)?.tried;
  assert.equal(
    [triedIn('web:111'), triedIn('web:1')],
    trials.map(({ mirror_id }) => mirror_id),
    'each names its mirror',
  );
  const second = await preview();
  assert.is(second.changes[0]?.to, 'web:1');
  assert.is(imagesOf(second).at(-1), 'web:111');
  assert.match(second.candidates.at(-1)?.explanation ?? '', /^A mirror has tried this and was still failing \(ImagePullBackOff\)\./);
});

test('deploy without a body takes every default, and a body that is no object is refused', async () => {
  const { id, namespace } = await failure({ containers: [{ name: 'app', image: 'web:11' }] });
  await otherPod(namespace);
  const url = `/api/mirror/deploy/${id}`;
  const answer = await app.send('write', { method: 'POST', url });
  assert.is(answer.statusCode, 200, answer.body);
  assert.is(answer.json<MirrorRecord>().ttl_seconds, 180);
  const headers = { 'content-type': 'application/json' };
  assert.is((await app.send('write', { method: 'POST', url, headers, payload: '' })).statusCode, 200, 'an empty body is none');
  const refused = await app.send('write', { method: 'POST', url, headers, payload: '7' });
  assert.equal([refused.statusCode, refused.json()], [400, { detail: 'The body must be object' }]);
});

test('missing, forbidden and invalid requests get a clear answer', async () => {
  const { id } = await failure();
  const privileged = manifest({ containers: [{ name: 'app', image: 'web:1', securityContext: { privileged: true } }] });
  const secret = manifest({ containers: [{ name: 'app', image: 'web:1', envFrom: [{ secretRef: { name: 'prod' } }] }] });
  const elsewhere = JSON.stringify({ metadata: { namespace: 'kube-system' }, spec: { containers: [{ name: 'app', image: 'web:1' }] } });
  const before = (await world.client.list(KINDS.mirrorPod)).length;
  const rows: [what: string, payload: object, status: number, detail: RegExp][] = [
    ['TTL 29', { ttl_seconds: 29, manifest: WORKING }, 400, /ttl_seconds/],
    ['TTL 3601', { ttl_seconds: 3601, manifest: WORKING }, 400, /ttl_seconds/],
    ['privileged', { manifest: privileged }, 400, /spec\.containers\[0\]\.securityContext\.privileged/],
    ['another Secret', { manifest: secret }, 400, /spec\.containers\[0\]\.envFrom\[0\]\.secretRef\.name/],
    ['another namespace', { manifest: elsewhere }, 400, /metadata\.namespace/],
    ['an empty manifest', { manifest: '' }, 400, /^manifest must not have fewer than 1 char/],
    ['no YAML', { manifest: 'a: [' }, 400, /manifest: not valid YAML/],
    ['an alias bomb', { manifest: BOMB }, 400, /manifest: the aliases of the YAML stand for far more/],
    ['nesting without end', { manifest: `spec: ${'['.repeat(20_000)}` }, 400, /manifest: not valid YAML/],
    ['a NUL', { manifest: 'a: \0' }, 400, /manifest: not valid YAML/],
    ['half a surrogate pair', { manifest: manifest({ containers: [{ name: '\ud800', image: 'web:1' }] }) }, 400, /name/],
    ['a volume without a name', { manifest: manifest({ volumes: [{ emptyDir: {} }] }) }, 400, /spec\.volumes\[0\]\.name/],
    ['a prototype', { manifest: WORKING.replace('"spec":{', '"spec":{"__proto__":{"hostNetwork":true},') }, 400, /spec\.__proto__/],
    ['no pod', { manifest: 'a: 1' }, 400, /manifest: the manifest must be that of a pod/],
    ['refused by the API server', { manifest: manifest({ containers: [{ name: 'app', image: 7 }] }) }, 400, /image/],
    ['a candidate that is not there', { candidate: 99 }, 400, /candidate/],
  ];
  for (const [what, payload, status, detail] of rows) {
    const answer = await deploy(id, payload);
    assert.is(answer.statusCode, status, `${what}: ${answer.body}`);
    assert.match(answer.json<{ detail: string }>().detail, detail, what);
    const checked = await app.send('write', { method: 'POST', url: `/api/mirror/check/${id}`, payload });
    assert.equal([checked.statusCode, checked.body], [answer.statusCode, answer.body], `${what}: a check says the same`);
  }
  const good = await app.send('write', { method: 'POST', url: `/api/mirror/check/${id}`, payload: { manifest: WORKING, ttl_seconds: 30 } });
  assert.is(good.statusCode, 200, good.body);
  assert.match(good.json<{ risks: string[] }>().risks.join(), /^Its 30 s may be too short/);
  assert.is((await app.send('write', { method: 'POST', url: '/api/mirror/check/999', payload: {} })).statusCode, 404);
  assert.is((await world.client.list(KINDS.mirrorPod)).length, before, 'nothing was made');
  for (const [method, url] of [
    ['POST', '/api/mirror/preview/999'],
    ['POST', '/api/mirror/deploy/999'],
  ] as const) {
    const answer = await app.send('write', { method, url, payload: {} });
    assert.equal([answer.statusCode, answer.json()], [404, { detail: 'Pod failure not found' }]);
  }
  assert.is((await app.send('read', { method: 'POST', url: `/api/mirror/deploy/${id}`, payload: {} })).statusCode, 403);
});

test('a job-like source needs acknowledgement, an unsafe one and a denied namespace are refused, limits hold', async () => {
  const job = await failure({ restartPolicy: 'Never', containers: [{ name: 'app', image: 'web:11' }] });
  const spec = manifest({ restartPolicy: 'Never', containers: [{ name: 'app', image: 'web:1' }] });
  const unacknowledged = await deploy(job.id, { manifest: spec });
  assert.is(unacknowledged.statusCode, 400);
  assert.match(unacknowledged.body, /acknowledge_side_effects/);
  assert.is((await deploy(job.id, { manifest: spec, acknowledge_side_effects: true })).statusCode, 200);

  const unsafe = await failure({ hostNetwork: true, containers: [{ name: 'app', image: 'web:11' }] });
  const refused = await deploy(unsafe.id, { manifest: WORKING });
  assert.is(refused.statusCode, 403);
  assert.match(refused.body, /baseline: spec\.hostNetwork/);

  const denied = await failure({}, 'kube-public');
  assert.is((await deploy(denied.id, { manifest: WORKING })).statusCode, 403);

  const busy = await failure();
  for (const status of [200, 200, 409]) assert.is((await deploy(busy.id, { manifest: WORKING })).statusCode, status);

  const stormed = await failure();
  const answers = await Promise.all(Array.from({ length: 8 }, () => deploy(stormed.id, { manifest: WORKING })));
  assert.equal(
    answers.map(({ statusCode }) => statusCode).sort((a, b) => a - b),
    [200, 200, 409, 409, 409, 409, 409, 409],
    'at the same instant too',
  );
});

test('role write cannot mirror a privileged source: by its owner\u2019s template, nor when it became so after the report', async () => {
  const namespace = await world.namespace();
  const containers = [{ name: 'app', image: 'web:11' }];
  const unsafe = [{ name: 'app', image: 'web:11', securityContext: { privileged: true } }];
  const labels = { app: 'web' };
  const deployment = (name: string, spec: PodSpec) => ({
    apiVersion: 'apps/v1',
    metadata: { name, namespace },
    spec: { replicas: 1, selector: { matchLabels: { app: name } }, template: { metadata: { labels: { app: name } }, spec } },
  });
  await world.client.create(KINDS.deployment, deployment('root', { containers: unsafe }));
  await world.client.create(KINDS.deployment, deployment('calm', { containers }));
  const podOf = (app: string) =>
    until(async () => (await world.client.list(KINDS.pod, { namespace, labelSelector: `app=${app}` }))[0], { what: `the pod of ${app}` });
  const report = async (name: string, workload?: string): Promise<number> => {
    const about = { pod_name: name, namespace, failure_reason: 'ImagePullBackOff' };
    const stored = await world.intake.report(
      { ...about, ...(workload ? { workload: { kind: 'Deployment', name: workload } } : {}) },
      new Date(),
    );
    return stored.kind === 'stored' ? stored.record.id : 0;
  };
  const refusal = async (id: number): Promise<string> => {
    const answer = await deploy(id, { manifest: WORKING });
    return `${answer.statusCode} ${answer.json<{ detail?: string }>().detail ?? ''}`;
  };
  const baseline = /^403 The source fails Pod Security baseline: spec\.containers\[0\]\.securityContext\.privileged$/;
  assert.match(await refusal(await report((await podOf('root')).metadata.name ?? '', 'root')), baseline);

  const calm = await report((await podOf('calm')).metadata.name ?? '', 'calm');
  assert.is((await app.send('write', { method: 'POST', url: `/api/mirror/preview/${calm}` })).statusCode, 200);
  await world.client.patch(
    KINDS.deployment,
    namespace,
    'calm',
    { spec: { template: { spec: { containers: unsafe } } } },
    { type: 'merge' },
  );
  assert.match(await refusal(calm), baseline);

  const gone = await report('calm-gone', 'calm');
  assert.match(await refusal(gone), baseline, 'the pod gone, its workload there');

  await world.client.create(KINDS.pod, aSourcePod(namespace, { containers }, { name: 'bare', labels }));
  const bare = await report('bare');
  await world.client.remove(KINDS.pod, namespace, 'bare', { graceSeconds: 0 });
  await world.client.create(KINDS.pod, aSourcePod(namespace, { containers, hostPID: true }, { name: 'bare', labels }));
  assert.match(await refusal(bare), /^403 .*spec\.hostPID$/);
  for (const role of ['write', 'admin'] as const) {
    const answer = await app.send(role, { method: 'POST', url: `/api/mirror/deploy/${bare}`, payload: { manifest: WORKING } });
    assert.is(answer.statusCode, 403, role);
  }
  assert.equal(await world.client.list(KINDS.mirrorPod, { namespace }), []);
});

test('each request is one write, a taken name is exchanged, another candidate is picked, and Git\u2019s own are listed but not deleted', async () => {
  const { id, namespace } = await failure();
  const detail = await world.failures.detail(id);
  const preview = await world.previewer.make(detail!);
  const candidate = (image: string) => ({
    title: image,
    fixed_manifest: manifest({ containers: [{ name: 'app', image }] }),
    owner_patch: null,
    explanation: `because of ${image}`,
    changes: [],
    diff: '',
    confidence: 'guess' as const,
    is_fallback: image !== 'web:12',
    mirrorable: true,
  });
  const latest = await world.previews.insert(id, { ...preview, candidates: [candidate('web:1'), candidate('web:12')] });
  writes.length = 0;
  namesTaken = 2;
  const answer = await deploy(id, { candidate: 1, ttl_seconds: 60 });
  assert.is(answer.statusCode, 200, answer.body);
  assert.equal(writes, ['create']);
  const record = answer.json<MirrorRecord>();
  assert.match(record.fixed_manifest, /image: web:12\n/);
  assert.is(record.explanation, 'because of web:12');
  const made = await world.client.read(KINDS.mirrorPod, namespace, record.name);
  assert.is(made?.metadata.annotations?.['podmend.dev/preview'], String(latest));
  const correction = await until(async () => (await world.client.read(KINDS.mirrorPod, namespace, record.name))?.status?.correction, {
    what: 'the correction in the status',
  });
  assert.equal(
    [correction.origin, correction.explanation],
    ['Model', 'because of web:12'],
    'origin and explanation are the preview\u2019s',
  );
  writes.length = 0;
  assert.is((await app.send('write', { method: 'DELETE', url: `/api/mirror/${record.mirror_id}` })).statusCode, 204);
  assert.equal(writes, ['remove MirrorPod']);

  for (const [manager, metadata] of [
    ['Argo CD', { annotations: { 'argocd.argoproj.io/tracking-id': 'x' } }],
    ['Flux', { labels: { 'kustomize.toolkit.fluxcd.io/name': 'shop' } }],
    ['Helm', { labels: { 'app.kubernetes.io/managed-by': 'Helm' } }],
  ] as const) {
    const name = manager.toLowerCase().replace(' ', '-');
    const tracked = await world.apply(aMirror(namespace, {}, { name, ...metadata }));
    const uid = tracked.metadata.uid ?? '';
    const listed = (await app.send('read', { method: 'GET', url: '/api/mirror/active' })).json<MirrorRecord[]>();
    assert.ok(
      listed.some(({ mirror_id }) => mirror_id === uid),
      manager,
    );
    const refused = await app.send('write', { method: 'DELETE', url: `/api/mirror/${uid}` });
    assert.equal([refused.statusCode, refused.json()], [409, { detail: `Managed by ${manager}: change it at its source` }]);
    assert.is((await statusOf(uid)).statusCode, 200);
  }
  const plain = await world.apply(aMirror(namespace, {}, { name: 'plain' }));
  assert.is((await app.send('write', { method: 'DELETE', url: `/api/mirror/${plain.metadata.uid}` })).statusCode, 204);
});

test('a failure whose pod is gone is previewed honestly, and not deployed', async () => {
  const { id, namespace } = await failure();
  await world.client.remove(KINDS.pod, namespace, 'web', { graceSeconds: 0 });
  const preview = (await app.send('write', { method: 'POST', url: `/api/mirror/preview/${id}` })).json<MirrorPreview>();
  assert.is(preview.mirrorable, false);
  assert.match(preview.risks.join(), /source is gone/);
  assert.is((await deploy(id, { manifest: WORKING })).statusCode, 409);
});

test.run();
