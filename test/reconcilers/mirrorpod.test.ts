import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject, Pod } from '../../src/crd/kubernetes.ts';
import type { MirrorPod } from '../../src/crd/mirrorpod.ts';
import { KubeError } from '../../src/kube/errors.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { readNeighbours } from '../../src/mirrors/evidence.ts';
import { type ClusterKind, clusters } from '../support/cluster/clusters.ts';
import { CRASHED_STATUS, readyFor } from '../support/builders/mirror.ts';
import { aMirror, aSourcePod, type MirrorWorld, useMirrorWorld } from '../support/worlds/mirrors.ts';
import { aFailureReport } from '../support/builders/report.ts';

for (const cluster of clusters('mirrorpod passes', { noNode: true })) passesOn(cluster);

/** Whole passes on an API server without a kubelet. The tests write the statuses that a kubelet would write. */
function passesOn(cluster: ClusterKind): void {
  const test = suite(`mirrorpod passes on the ${cluster.name}`);
  let world: MirrorWorld;
  useMirrorWorld(test, cluster, (made) => (world = made));

  const FIXED = { spec: { containers: [{ name: 'app', image: 'web:1' }] } };

  async function started(over: Parameters<typeof aMirror>[1] = {}, source?: (namespace: string) => Pod): Promise<MirrorPod> {
    const namespace = await world.namespace();
    await world.client.create(KINDS.pod, source?.(namespace) ?? aSourcePod(namespace));
    const mirror = await world.apply(aMirror(namespace, { template: FIXED, ...over }));
    await world.pass(mirror);
    return (await world.read(mirror)) as MirrorPod;
  }

  const failureOf = (work: Promise<unknown>): Promise<string> =>
    work.then(
      () => 'it succeeded',
      (error: Error) => error.message,
    );

  const conditionOf = (mirror: MirrorPod | undefined, type: string): string =>
    (mirror?.status?.conditions ?? []).filter((one) => one.type === type).map(({ status, reason }) => `${status}/${reason}`)[0] ?? 'none';

  test('a mirror pod is isolated, owned, limited in time, and its policy lets nobody in', async () => {
    const mirror = await started();
    const pod = (await world.podOf(mirror)) as Pod;
    assert.is(mirror.status?.phase, 'Running');
    assert.is(mirror.status?.podName, pod.metadata.name);
    assert.equal(pod.metadata.labels, { 'podmend.dev/mirror': 'true', 'podmend.dev/mirror-of': mirror.metadata.uid });
    assert.is(pod.metadata.annotations?.['app'], 'web');
    assert.is(pod.metadata.ownerReferences?.[0]?.uid, mirror.metadata.uid);
    assert.is(pod.spec.containers[0]?.image, 'web:1');
    const { activeDeadlineSeconds = 0, terminationGracePeriodSeconds } = pod.spec;
    assert.ok(activeDeadlineSeconds <= 120 && activeDeadlineSeconds > 100);
    assert.is(terminationGracePeriodSeconds, 10);
    const policy = await world.client.read(KINDS.networkPolicy, pod.metadata.namespace, pod.metadata.name ?? '');
    assert.equal((policy as { spec?: unknown } | undefined)?.spec, {
      podSelector: { matchLabels: { 'podmend.dev/mirror-of': mirror.metadata.uid } },
      policyTypes: ['Ingress', 'Egress'],
      egress: [{}],
    });
    assert.is(conditionOf(mirror, 'Validated'), 'True/Valid');
    assert.is(conditionOf(mirror, 'PodCreated'), 'True/Created');
    assert.is(conditionOf(mirror, 'Reconciling'), 'True/NotYetJudged');
    assert.is(mirror.status?.correction?.origin, 'Given');
    assert.equal(
      mirror.status?.correction?.changes?.map(({ path, from, to }) => [path, from, to]),
      [['spec.containers[0].image', 'web:11', 'web:1']],
    );
  });

  test('a pass that is run again changes nothing', async () => {
    const mirror = await started();
    await world.pass(mirror);
    const again = await world.read(mirror);
    assert.is(again?.metadata.resourceVersion, mirror.metadata.resourceVersion);
  });

  test('a pod that is Ready long enough is Fixed, and not before', async () => {
    const mirror = await started();
    // The clock runs during the pass, so 20 s leaves much room before the minute.
    await world.setStatus((await world.podOf(mirror)) as Pod, readyFor(20, world.deps.now()));
    await world.pass(mirror);
    assert.is((await world.read(mirror))?.status?.verdict, undefined);
    await world.setStatus((await world.podOf(mirror)) as Pod, readyFor(61, world.deps.now()));
    await world.pass(mirror);
    const judged = await world.read(mirror);
    assert.is(judged?.status?.verdict, 'Fixed');
    assert.is(judged?.status?.phase, 'Running');
    assert.is(conditionOf(judged, 'Fixed'), 'True/PodReady');
    assert.is(conditionOf(judged, 'Ready'), 'True/Judged');
    await world.setStatus((await world.podOf(mirror)) as Pod, CRASHED_STATUS);
    await world.pass(mirror);
    const revised = await world.read(mirror);
    assert.equal([revised?.status?.verdict, revised?.status?.phase], ['StillFailing', 'Failed']);
    assert.is(conditionOf(revised, 'Fixed'), 'False/Regressed');
    assert.equal(
      revised?.status?.revisions?.map(({ from, verdict, failure }) => [from, verdict, failure]),
      [['Fixed', 'StillFailing', 'CrashLoopBackOff']],
    );
    await world.setStatus((await world.podOf(mirror)) as Pod, readyFor(61, world.deps.now()));
    await world.pass(mirror);
    assert.is(conditionOf(await world.read(mirror), 'Fixed'), 'False/Regressed', 'a regression stays');
  });

  test('a crash is StillFailing, told in the trial and on the socket', async () => {
    const namespace = await world.namespace();
    await world.client.create(KINDS.pod, aSourcePod(namespace));
    const source = await world.client.read(KINDS.pod, namespace, 'web');
    const report = aFailureReport({
      namespace,
      pod_name: 'web',
      pod_uid: source?.metadata.uid ?? null,
      failure_reason: 'ImagePullBackOff',
    });
    const stored = await world.intake.report(report, world.deps.now());
    const id = stored.kind === 'stored' ? stored.record.id : 0;
    const mirror = await world.apply(aMirror(namespace, { template: FIXED }));
    await world.pass(mirror);
    const begun = (await world.failures.record(id))?.trials[0];
    assert.is(begun?.mirror_id, mirror.metadata.uid);
    assert.is(begun?.verdict, null);
    await world.setStatus((await world.podOf(mirror)) as Pod, CRASHED_STATUS);
    await world.pass(mirror);
    const judged = await world.read(mirror);
    assert.is(judged?.status?.phase, 'Failed');
    assert.is(conditionOf(judged, 'Fixed'), 'False/CrashLoopBackOff');
    const trial = (await world.failures.record(id))?.trials[0];
    assert.equal([trial?.verdict, trial?.reason_before, trial?.reason_after], ['StillFailing', 'ImagePullBackOff', 'CrashLoopBackOff']);
    assert.is(trial?.shown_before?.message, report.failure_message);
    assert.equal(trial?.shown_after, { message: 'container app ended with exit code 1', restarts: 1, ready_seconds: 0 });
    const told = world.messages.flatMap((message) =>
      message.type === 'mirror_status' && message.data.mirror_id === mirror.metadata.uid ? message.data : [],
    );
    assert.equal(
      told.map(({ status, verdict }) => [status, verdict]),
      [
        ['Running', null],
        ['Failed', 'StillFailing'],
      ],
    );
    assert.is(told[0]?.pod_id, id);
  });

  test('after its time nothing is left but the trial', async () => {
    const namespace = await world.namespace();
    await world.client.create(KINDS.pod, aSourcePod(namespace));
    const stored = await world.intake.report(aFailureReport({ namespace, pod_name: 'web', pod_uid: `uid-${namespace}` }), world.deps.now());
    const mirror = await world.apply(aMirror(namespace, { template: FIXED }));
    await world.pass(mirror);
    const pod = (await world.podOf(mirror)) as Pod;
    world.advance(121);
    await world.pass(mirror);
    assert.is(await world.read(mirror), undefined);
    assert.is(await world.podOf(mirror), undefined);
    assert.is(await world.client.read(KINDS.networkPolicy, namespace, pod.metadata.name ?? ''), undefined);
    const [trial] = (await world.failures.record(stored.kind === 'stored' ? stored.record.id : 0))?.trials ?? [];
    assert.is(trial?.verdict, 'Inconclusive');
    assert.ok(trial?.ended_at);
  });

  test('with Retain, or when Git tracks it, the object stays and never runs again', async () => {
    const tracked = { annotations: { 'argocd.argoproj.io/tracking-id': 'shop:podmend.dev/MirrorPod:x/try' } };
    for (const [over, metadata] of [
      [{ onExpiry: 'Retain' as const }, {}],
      [{}, tracked],
    ] as const) {
      world.rewind();
      const namespace = await world.namespace();
      await world.client.create(KINDS.pod, aSourcePod(namespace));
      const mirror = await world.apply(aMirror(namespace, { template: FIXED, ...over }, metadata));
      await world.pass(mirror);
      world.advance(121);
      await world.pass(mirror);
      const kept = await world.read(mirror);
      assert.is(kept?.status?.phase, 'Expired');
      assert.is(kept?.status?.verdict, 'Inconclusive');
      await world.pass(mirror);
      assert.is(await world.podOf(mirror), undefined);
      assert.is((await world.read(mirror))?.metadata.resourceVersion, kept?.metadata.resourceVersion);
    }
  });

  test('a MirrorPod whose source does not exist is Stalled, and is checked again', async () => {
    const namespace = await world.namespace();
    const mirror = await world.apply(aMirror(namespace, { template: FIXED }));
    const again = await world.pass(mirror);
    const stalled = await world.read(mirror);
    assert.is(conditionOf(stalled, 'Stalled'), 'True/SourceGone');
    assert.ok(again !== undefined && again <= 5_000);
    await world.client.create(KINDS.pod, aSourcePod(namespace));
    await world.pass(mirror);
    assert.is((await world.read(mirror))?.status?.phase, 'Running');
  });

  test('more power, another namespace and no correction are Rejected with the paths, and nothing is created', async () => {
    const cases: [what: string, template: MirrorPod['spec']['template'], reason: string, path: RegExp][] = [
      [
        'privileged',
        { spec: { containers: [{ name: 'app', image: 'web:1', securityContext: { privileged: true } }] } },
        'MorePower',
        /spec\.template\.spec\.containers\[0\]\.securityContext\.privileged/,
      ],
      ['other namespace', { ...FIXED, metadata: { namespace: 'kube-system' } }, 'OtherNamespace', /metadata\.namespace/],
      ['no containers', { spec: {} as never }, 'Invalid', /spec\.template\.spec\.containers/],
      ['a wrong type', { spec: { containers: [{ name: 'app', image: 7 as never }] } }, 'Invalid', /image/],
      [
        'not a pod to the API server',
        { spec: { containers: [{ name: 'app', image: 'web:1', ports: [{ containerPort: 99_999 }] }] } },
        'Invalid',
        /containerPort/,
      ],
    ];
    for (const [what, template, reason, path] of cases) {
      const mirror = await started({ template: template as never });
      assert.is(mirror.status?.phase, 'Rejected', what);
      assert.is(conditionOf(mirror, 'Stalled'), `True/${reason}`, what);
      const message = mirror.status?.conditions?.find(({ type }) => type === 'Validated')?.message ?? '';
      assert.match(message, path, what);
      assert.is(await world.podOf(mirror), undefined, what);
    }
  });

  test('a job-like source needs acknowledgement', async () => {
    const job = (namespace: string): Pod => aSourcePod(namespace, { restartPolicy: 'Never' });
    const template = { spec: { ...FIXED.spec, restartPolicy: 'Never' } };
    const mirror = await started({ template }, job);
    assert.is(conditionOf(mirror, 'Stalled'), 'True/SideEffects');
    await world.client.patch(
      KINDS.mirrorPod,
      mirror.metadata.namespace,
      'try',
      { spec: { acknowledgeSideEffects: true } },
      { type: 'merge' },
    );
    await world.pass(mirror);
    assert.is((await world.read(mirror))?.status?.phase, 'Running');
    await world.setStatus((await world.podOf(mirror)) as Pod, { phase: 'Succeeded' });
    await world.pass(mirror);
    const judged = await world.read(mirror);
    assert.equal([judged?.status?.phase, judged?.status?.verdict], ['Succeeded', 'Fixed']);
  });

  test('at a limit a mirror waits, and goes on when there is room', async () => {
    const namespace = await world.namespace();
    await world.client.create(KINDS.pod, aSourcePod(namespace));
    const limits = { perIncident: 1, perNamespace: 10, total: 50 };
    const applied = [
      await world.apply(aMirror(namespace, { template: FIXED }, { name: 'one' })),
      await world.apply(aMirror(namespace, { template: FIXED }, { name: 'other' })),
    ];
    for (const mirror of [...applied, ...applied]) await world.pass(mirror, { limits });
    const seen = await Promise.all(applied.map(world.read));
    // Both were created within one second, so their uids decide the order.
    const [running, waiting] = seen.sort((a, b) => (a?.status?.phase === 'Running' ? -1 : b?.status?.phase === 'Running' ? 1 : 0));
    assert.equal(
      seen.map((mirror) => [mirror?.status?.phase, conditionOf(mirror, 'Ready')]),
      [
        ['Running', 'False/NotYetJudged'],
        ['Pending', 'False/LimitReached'],
      ],
    );
    await world.client.remove(KINDS.mirrorPod, namespace, running?.metadata.name ?? '');
    await world.pass(waiting as MirrorPod, { limits });
    assert.is((await world.read(waiting as MirrorPod))?.status?.phase, 'Running');
  });

  test('killed between any two steps, the next pass ends where the first would have', async () => {
    const steps = ['trial', 'networkPolicy', 'pod', 'status'] as const;
    for (const step of steps) {
      const namespace = await world.namespace();
      await world.client.create(KINDS.pod, aSourcePod(namespace));
      const stored = await world.intake.report(
        aFailureReport({ namespace, pod_name: 'web', pod_uid: `uid-${namespace}` }),
        world.deps.now(),
      );
      const mirror = await world.apply(aMirror(namespace, { template: FIXED }));
      const killed = (): never => {
        throw new Error('killed');
      };
      const { client, trials } = world;
      const kindOf = { networkPolicy: 'NetworkPolicy', pod: 'Pod' } as const;
      const dying: typeof client = {
        ...client,
        create: (kind, object, options) =>
          step in kindOf && kind.kind === kindOf[step as 'pod'] && !options?.dryRun ? killed() : client.create(kind, object, options),
        patch: killed,
      };
      const over = { client: dying, trials: { ...trials, ...(step === 'trial' ? { insert: async () => killed() } : {}) } };
      assert.match(await failureOf(world.pass(mirror, over)), /killed/, step);
      await world.pass(mirror);
      const after = await world.read(mirror);
      assert.is(after?.status?.phase, 'Running', step);
      assert.is(after?.status?.correction?.origin, 'Given', step);
      assert.is(conditionOf(after, 'Validated'), 'True/Valid', step);
      const pods = await client.list(KINDS.pod, { namespace });
      assert.is(pods.length, 2, step);
      assert.is((await world.failures.record(stored.kind === 'stored' ? stored.record.id : 0))?.trials.length, 1, step);
    }
  });

  test('with the database away, a mirror still ends on time', async () => {
    const mirror = await started();
    world.advance(121);
    const away = async (): Promise<never> => {
      throw new Error('no database');
    };
    const trials = { insert: away, update: away, end: away, unfinished: away, keepLog: away };
    const over = { trials, settings: { get: away }, failures: { ...world.failures, openByPod: away } };
    assert.match(await failureOf(world.pass(mirror, over)), /no database/);
    assert.is(await world.podOf(mirror), undefined);
    await world.pass(mirror);
    assert.is(await world.read(mirror), undefined);
  });

  test('a mirror that never started ends on time without a look at its source', async () => {
    const mirror = await world.apply(aMirror(await world.namespace(), { template: FIXED }));
    world.advance(121);
    const unexpected = async (): Promise<never> => {
      throw new Error('the failure of the source is read');
    };
    await world.pass(mirror, { failures: { record: unexpected, detail: unexpected, openByPod: unexpected, hasPod: unexpected } });
    assert.is(await world.read(mirror), undefined);
  });

  test('the leftovers of a deleted MirrorPod are removed, objects that only look like ours are not', async () => {
    const namespace = await world.namespace();
    await world.client.create(KINDS.pod, aSourcePod(namespace));
    const stored = await world.intake.report(aFailureReport({ namespace, pod_name: 'web', pod_uid: `uid-${namespace}` }), world.deps.now());
    const mirror = await world.apply(aMirror(namespace, { template: FIXED }));
    await world.pass(mirror);
    const labels = { 'podmend.dev/mirror': 'true', 'podmend.dev/mirror-of': 'someone' };
    await world.client.create(KINDS.pod, aSourcePod(namespace, {}, { name: 'pretender', labels }));
    await world.client.remove(KINDS.mirrorPod, namespace, 'try');
    await world.pass(mirror);
    const left = (await world.client.list(KINDS.pod, { namespace })).map(({ metadata }) => metadata.name);
    assert.equal(
      left.sort((a = '', b = '') => a.localeCompare(b)),
      ['pretender', 'web'],
    );
    assert.equal(await world.client.list(KINDS.networkPolicy, { namespace }), []);
    const [trial] = (await world.failures.record(stored.kind === 'stored' ? stored.record.id : 0))?.trials ?? [];
    assert.ok(trial?.ended_at);
  });

  test('the leftovers of a MirrorPod that was deleted with --cascade=orphan are removed', async () => {
    const mirror = await started();
    const { namespace = '', name = '' } = (await world.podOf(mirror))?.metadata ?? {};
    const orphaned = { metadata: { ownerReferences: null } };
    for (const kind of [KINDS.pod, KINDS.networkPolicy]) await world.client.patch(kind, namespace, name, orphaned, { type: 'merge' });
    await world.client.remove(KINDS.mirrorPod, namespace, 'try');
    await world.pass(mirror);
    assert.equal(
      (await world.client.list(KINDS.pod, { namespace })).map((pod) => pod.metadata.name),
      ['web'],
    );
    assert.equal(await world.client.list(KINDS.networkPolicy, { namespace }), []);
  });

  test('a deleted MirrorPod that a finalizer holds still counts, and its pod and policy end with its time', async () => {
    const namespace = await world.namespace();
    await world.client.create(KINDS.pod, aSourcePod(namespace));
    const limits = { perIncident: 1, perNamespace: 10, total: 50 };
    const held = await world.apply(aMirror(namespace, { template: FIXED }, { name: 'held', finalizers: ['example.com/hold'] }));
    await world.pass(held, { limits });
    const next = await world.apply(aMirror(namespace, { template: FIXED, ttlSeconds: 600 }, { name: 'next' }));
    await world.client.remove(KINDS.mirrorPod, namespace, 'held');
    const dueMs = await world.pass(held, { limits });
    assert.ok(dueMs !== undefined && dueMs > 100_000 && dueMs <= 120_000, `the next pass is at its end, in ${dueMs} ms`);
    await world.pass(next, { limits });
    assert.is(conditionOf(await world.read(next), 'Ready'), 'False/LimitReached');
    world.advance(121);
    await world.pass(held, { limits });
    assert.equal([await world.podOf(held), (await world.read(held))?.status?.phase], [undefined, 'Expired']);
    assert.equal(await world.client.list(KINDS.networkPolicy, { namespace }), []);
    const { resourceVersion } = (await world.read(held))?.metadata ?? {};
    await world.pass(held, { limits });
    assert.is((await world.read(held))?.metadata.resourceVersion, resourceVersion, 'another pass changes nothing');
    await world.pass(next, { limits });
    assert.is((await world.read(next))?.status?.phase, 'Running');
    await world.client.patch(KINDS.mirrorPod, namespace, 'held', { metadata: { finalizers: null } }, { type: 'merge' });
  });

  test('a PodDisruptionBudget with an empty selector counts mirrors, one with labels or without a selector does not', async () => {
    const namespace = await world.namespace();
    const budget = (name: string, selector?: object) =>
      world.client.create(KINDS.podDisruptionBudget, { metadata: { name, namespace }, spec: { minAvailable: 1, selector } } as KubeObject);
    await budget('all', {});
    await budget('labels', { matchLabels: { app: 'web' } });
    await budget('none');
    assert.equal((await readNeighbours(world.client, namespace)).openBudgets, ['all']);
  });

  test('a mirror pod that somebody removes is Inconclusive and not made again', async () => {
    const mirror = await started();
    const pod = (await world.podOf(mirror)) as Pod;
    await world.client.remove(KINDS.pod, pod.metadata.namespace, pod.metadata.name ?? '', { graceSeconds: 0 });
    await world.pass(mirror);
    const judged = await world.read(mirror);
    assert.equal([judged?.status?.verdict, conditionOf(judged, 'Fixed')], ['Inconclusive', 'Unknown/PodGone']);
    await world.pass(mirror);
    assert.is(await world.podOf(mirror), undefined);
  });

  test('a shorter TTL moves the end earlier', async () => {
    const mirror = await started();
    await world.client.patch(KINDS.mirrorPod, mirror.metadata.namespace, 'try', { spec: { ttlSeconds: 60 } }, { type: 'merge' });
    await world.pass(mirror);
    const told = (await world.read(mirror))?.status?.expirationTime ?? '';
    assert.is(Date.parse(told) - Date.parse(mirror.metadata.creationTimestamp ?? ''), 60_000);
  });

  test('a TTL lowered below what has passed ends the mirror at once', async () => {
    const mirror = await started({ onExpiry: 'Retain' });
    world.advance(50);
    await world.client.patch(KINDS.mirrorPod, mirror.metadata.namespace, 'try', { spec: { ttlSeconds: 30 } }, { type: 'merge' });
    await world.pass(mirror);
    assert.is(await world.podOf(mirror), undefined);
    const over = await world.read(mirror);
    assert.equal([over?.status?.phase, over?.status?.verdict], ['Expired', 'Inconclusive']);
  });

  test('a requested pass runs at once, for a MirrorPod that waits, is refused or is long over', async () => {
    const wish = (mirror: MirrorPod, value: string) =>
      world.client.patch(
        KINDS.mirrorPod,
        mirror.metadata.namespace,
        'try',
        { metadata: { annotations: { 'podmend.dev/requestedAt': value } } },
        { type: 'merge' },
      );
    const namespace = await world.namespace();
    const mirror = await world.apply(aMirror(namespace, { template: FIXED, onExpiry: 'Retain' }));
    await world.pass(mirror);
    assert.is(conditionOf(await world.read(mirror), 'Stalled'), 'True/SourceGone');
    await world.client.create(KINDS.pod, aSourcePod(namespace));
    await wish(mirror, 'one');
    await world.pass(mirror);
    const running = await world.read(mirror);
    assert.equal([running?.status?.phase, running?.status?.lastHandledReconcileAt], ['Running', 'one']);
    world.advance(121);
    await world.pass(mirror);
    await wish(mirror, 'two');
    await world.pass(mirror);
    const over = await world.read(mirror);
    assert.equal([over?.status?.phase, over?.status?.lastHandledReconcileAt], ['Expired', 'two']);
    assert.is(await world.podOf(mirror), undefined);
  });

  test('a changed template is noticed if no policy refuses it, and the verdict stays that of the pod that ran', async () => {
    const mirror = await started();
    await world.setStatus((await world.podOf(mirror)) as Pod, readyFor(61, world.deps.now()));
    await world.pass(mirror);
    const hash = (await world.read(mirror))?.status?.templateHash;
    const change = (image: string) =>
      world.client.patch(
        KINDS.mirrorPod,
        mirror.metadata.namespace,
        'try',
        { spec: { template: { spec: { containers: [{ name: 'app', image }] } } } },
        { type: 'merge' },
      );
    await change('web:2');
    await world.pass(mirror);
    const changed = await world.read(mirror);
    assert.equal([changed?.status?.verdict, changed?.status?.templateHash], ['Fixed', hash]);
    assert.equal(
      ['Ready', 'Stalled', 'Fixed'].map((type) => conditionOf(changed, type)),
      ['False/TemplateChanged', 'True/TemplateChanged', 'True/PodReady'],
    );
    assert.is((await world.podOf(mirror))?.spec.containers[0]?.image, 'web:1');
    await change('web:1');
    await world.pass(mirror);
    assert.is(conditionOf(await world.read(mirror), 'Ready'), 'True/Judged');
  });

  /** The client of the world, which refuses to create what `isRefused` names. */
  const refusing = (error: KubeError, isRefused: (...call: Parameters<typeof world.client.create>) => boolean): typeof world.client => {
    const { client } = world;
    return { ...client, create: (...call) => (isRefused(...call) ? Promise.reject(error) : client.create(...call)) };
  };

  test('a webhook that refuses dry run makes Validated Unknown, and the mirror runs', async () => {
    const namespace = await world.namespace();
    await world.client.create(KINDS.pod, aSourcePod(namespace));
    const mirror = await world.apply(aMirror(namespace, { template: FIXED }));
    const error = new KubeError(400, 'BadRequest', 'admission webhook "w.example" does not support dry run');
    await world.pass(mirror, { client: refusing(error, (_kind, _object, options) => options?.dryRun === true) });
    const running = await world.read(mirror);
    assert.equal([running?.status?.phase, conditionOf(running, 'Validated')], ['Running', 'Unknown/DryRunUnsupported']);
  });

  test('no pod runs without its NetworkPolicy: if nobody may create that, the pass fails and is tried again', async () => {
    const namespace = await world.namespace();
    await world.client.create(KINDS.pod, aSourcePod(namespace));
    const mirror = await world.apply(aMirror(namespace, { template: FIXED }));
    const error = new KubeError(403, 'Forbidden', 'networkpolicies.networking.k8s.io is forbidden');
    const client = refusing(error, (kind) => kind.kind === 'NetworkPolicy');
    const failed = await world.pass(mirror, { client }).then(
      () => undefined,
      (error: Error) => error.message,
    );
    assert.match(failed ?? '', 'networkpolicies');
    assert.is(await world.podOf(mirror), undefined);
    await world.pass(mirror);
    assert.ok(await world.podOf(mirror));
  });

  test('what a policy of the cluster refuses is Inconclusive, and its trial is kept', async () => {
    const namespace = await world.namespace();
    await world.client.create(KINDS.pod, aSourcePod(namespace));
    const stored = await world.intake.report(aFailureReport({ namespace, pod_name: 'web', pod_uid: `uid-${namespace}` }), world.deps.now());
    const mirror = await world.apply(aMirror(namespace, { template: FIXED }));
    const { client } = world;
    const refusing: typeof client = {
      ...client,
      create: (kind, object, options) =>
        kind.kind === 'Pod'
          ? Promise.reject(new KubeError(403, 'Forbidden', 'admission webhook "w.example" denied the request: no team label'))
          : client.create(kind, object, options),
    };
    await world.pass(mirror, { client: refusing });
    const judged = await world.read(mirror);
    assert.equal([judged?.status?.verdict, conditionOf(judged, 'Fixed')], ['Inconclusive', 'Unknown/AdmissionRefused']);
    const [trial] = (await world.failures.record(stored.kind === 'stored' ? stored.record.id : 0))?.trials ?? [];
    assert.is(trial?.verdict, 'Inconclusive');
    assert.ok(trial?.ended_at);
  });

  test('a source that became privileged after the API made its mirror is not run for the API', async () => {
    const privileged = (namespace: string): Pod => aSourcePod(namespace, { hostNetwork: true });
    const labels = { 'app.kubernetes.io/managed-by': 'podmend' };
    for (const [metadata, phase] of [
      [{ labels }, 'Rejected'],
      [{}, 'Running'],
    ] as const) {
      const namespace = await world.namespace();
      await world.client.create(KINDS.pod, privileged(namespace));
      const mirror = await world.apply(aMirror(namespace, { template: FIXED }, metadata));
      await world.pass(mirror);
      const seen = await world.read(mirror);
      assert.is(seen?.status?.phase, phase);
      if (phase === 'Rejected') assert.is(conditionOf(seen, 'Validated'), 'False/PrivilegedSource');
    }
  });

  test('a record that is not of the source is refused, and without one it is found by the pod\u2019s uid', async () => {
    const namespace = await world.namespace();
    await world.client.create(KINDS.pod, aSourcePod(namespace));
    const uid = (await world.client.read(KINDS.pod, namespace, 'web'))?.metadata.uid ?? '';
    const report = async (pod_name: string, pod_uid: string): Promise<number> => {
      const stored = await world.intake.report(aFailureReport({ namespace, pod_name, pod_uid }), world.deps.now());
      return stored.kind === 'stored' ? stored.record.id : 0;
    };
    const [own, namesake, other] = [await report('web', uid), await report('web', 'an-earlier-web'), await report('other', 'x')];
    const wrong = await world.apply(aMirror(namespace, { template: FIXED, failureId: other }, { name: 'wrong' }));
    await world.pass(wrong);
    assert.is(conditionOf(await world.read(wrong), 'Stalled'), 'True/FailureMismatch');
    const right = await world.apply(aMirror(namespace, { template: FIXED }, { name: 'right' }));
    await world.pass(right);
    const trials = async (id: number) => (await world.failures.record(id))?.trials.length;
    assert.equal([await trials(own), await trials(namesake)], [1, 0]);
  });

  test('claims of one node and folders of the node are replaced, told, and never judged', async () => {
    const namespace = await world.namespace();
    const claim = {
      metadata: { name: 'data', namespace },
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    };
    await world.client.create(KINDS.persistentVolumeClaim, claim);
    const spec = {
      containers: [
        {
          name: 'app',
          image: 'web:11',
          volumeMounts: [
            { name: 'data', mountPath: '/data' },
            { name: 'spool', mountPath: '/spool' },
            { name: 'logs', mountPath: '/logs', readOnly: true },
          ],
        },
      ],
      volumes: [
        { name: 'data', persistentVolumeClaim: { claimName: 'data' } },
        { name: 'spool', hostPath: { path: '/var/spool' } },
        { name: 'logs', hostPath: { path: '/var/log' } },
      ],
    };
    await world.client.create(KINDS.pod, aSourcePod(namespace, spec));
    const template = { spec: { ...spec, containers: [{ ...spec.containers[0]!, image: 'web:1' }] } };
    const mirror = await world.apply(aMirror(namespace, { template }));
    await world.pass(mirror);
    const pod = (await world.podOf(mirror)) as Pod;
    assert.equal((pod.spec.volumes ?? []).map((volume) => Object.keys(volume).join()).slice(0, 3), [
      'name,emptyDir',
      'name,emptyDir',
      'name,hostPath',
    ]);
    await world.setStatus(pod, readyFor(61, world.deps.now()));
    await world.pass(mirror);
    const judged = await world.read(mirror);
    assert.equal([judged?.status?.verdict, conditionOf(judged, 'Fixed')], ['Inconclusive', 'Unknown/VolumeReplaced']);
    assert.match(judged?.status?.conditions?.find(({ type }) => type === 'Fixed')?.message ?? '', /volumes data, spool cannot be shared/);
  });

  test('in a namespace that is being removed nothing is refused, told or retried without end', async () => {
    const namespace = await world.namespace();
    await world.client.create(KINDS.pod, aSourcePod(namespace));
    const mirror = await world.apply(aMirror(namespace, { template: FIXED }));
    await world.client.remove(KINDS.namespace, undefined, namespace);
    await world.pass(mirror);
    const left = await world.read(mirror);
    // Where namespaces are really emptied, the MirrorPod is gone or terminating. A bare API server keeps it.
    if (cluster.name === 'API server' || (left && !left.metadata.deletionTimestamp))
      assert.is(conditionOf(left, 'Ready'), 'False/NamespaceTerminating');
    assert.equal(await world.client.list(KINDS.event, { namespace }), []);
  });

  test('a clock that was set back gives the mirror pod no more time than the mirror has', async () => {
    world.advance(-7_200);
    const mirror = await started();
    world.rewind();
    const pod = (await world.podOf(mirror)) as Pod;
    assert.is(pod.spec.activeDeadlineSeconds, 120);
  });

  test('after a creation that seemed to fail, the pod that it made counts as our own', async () => {
    const namespace = await world.namespace();
    await world.client.create(KINDS.pod, aSourcePod(namespace));
    const mirror = await world.apply(aMirror(namespace, { template: FIXED }));
    const client: typeof world.client = {
      ...world.client,
      // Creates the pod twice. So the second call fails, as if the first one had arrived late.
      async create(kind, object, options) {
        if (kind.kind === 'Pod' && !options?.dryRun) await world.client.create(kind, object);
        return await world.client.create(kind, object, options);
      },
    };
    assert.match(await failureOf(world.pass(mirror, { client })), /has created the mirror pod/);
    await world.pass(mirror);
    const seen = await world.read(mirror);
    assert.equal([seen?.status?.phase, conditionOf(seen, 'PodCreated')], ['Running', 'True/Created']);
  });

  test('a pod without a record, whose MirrorPod gives no template, gets the rules\u2019 own correction or an honest refusal', async () => {
    const mirror = await started({ template: undefined as never });
    assert.is(conditionOf(mirror, 'Stalled'), 'True/NoCorrection');
  });

  test.run();
}
