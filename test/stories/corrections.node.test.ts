import { readFileSync, readdirSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { FailureDetail, FailureRecord } from '../../src/contract/failure.ts';
import type { MirrorPreview, MirrorRecord } from '../../src/contract/mirror.ts';
import type { KubeObject, PodSpec } from '../../src/crd/kubernetes.ts';
import { loadManifests } from '../../src/crd/manifest.ts';
import type { MirrorPod } from '../../src/crd/mirrorpod.ts';
import { type Audited, writesOf } from '../support/cluster/audit.ts';
import { type Installed, installPodmend } from '../support/worlds/installed.ts';
import { until } from '../support/runner/wait.ts';
import { RECORDED_CORRECTIONS, type Edit } from './recorded-corrections.ts';
import { onNode } from '../support/cluster/on-node.ts';

/** Every recorded case on a real node. A right correction is Fixed, a wrong one is StillFailing, and nobody touches the source. */

const FOLDER = new URL('../sandbox/cases/', import.meta.url);
const PREFIX = 'cure-';
const TTL_SECONDS = 120;
const AT_ONCE = 4;
const WORKLOADS = ['Pod', 'Deployment', 'Job'];

type Loose = KubeObject & { spec: PodSpec & { template: { spec: PodSpec } } };

/** The manifests of a case, in a namespace of their own. */
function objectsOf(name: string, node: string): Loose[] {
  const documents = loadManifests(readFileSync(new URL(`${name}.yaml`, FOLDER), 'utf8').replaceAll('node-1', node)) as Loose[];
  const namespace = PREFIX + name;
  const own = documents.find(({ kind }) => kind === 'Namespace') ?? { apiVersion: 'v1', kind: 'Namespace', metadata: {} };
  const others = documents.filter(({ kind }) => kind !== 'Namespace');
  return [
    { ...own, metadata: { ...own.metadata, name: namespace } } as Loose,
    ...others.map((document) => ({ ...document, metadata: { ...document.metadata, namespace } })),
  ];
}

/** The spec of the failing pod after a manual edit. */
function edited(name: string, { container, init, spec: fields }: Edit): PodSpec {
  const source = objectsOf(name, 'node-1').find(({ kind, metadata }) => WORKLOADS.includes(kind ?? '') && metadata.name === 'app');
  if (!source) throw new Error(`${name} has no pod of the name app`);
  const { nodeName: _, ...spec } = source.spec.template?.spec ?? source.spec;
  const first = <T>(list: T[] | undefined, change: object | undefined) => list?.map((one, at) => (at === 0 ? { ...one, ...change } : one));
  const [containers, initContainers] = [first(spec.containers, container) ?? [], first(spec.initContainers, init)];
  return { ...spec, ...fields, containers, ...(initContainers ? { initContainers } : {}) };
}

const names = Object.keys(RECORDED_CORRECTIONS);
const curable = Object.entries(RECORDED_CORRECTIONS).flatMap(([name, one]) =>
  typeof one === 'object' && 'right' in one ? [{ name, ...one }] : [],
);
const uncurable = Object.entries(RECORDED_CORRECTIONS).flatMap(([name, one]) =>
  typeof one === 'object' && !('right' in one) ? [{ name, ...one }] : [],
);

interface Try {
  name: string;
  wanted: string;
  namespace: string;
  mirror: string;
  /** The ids of the failure record and of the mirror, if the API deployed it. */
  record?: number;
  id?: string;
}

function tell(admin: string): void {
  const test = suite('corrections of every recorded case on a real node');
  let podmend: Installed;
  let before: Map<string, string>;
  const tries: Try[] = [];

  const records = async () => (await podmend.client.get<FailureRecord[]>('/api/pods/failed')).filter(isOurs);
  const recordOf = async (name: string, reason: string) => {
    const found = (await records()).find((one) => one.namespace === PREFIX + name && one.failure_reason === reason);
    assert.ok(found, `${name} is listed as ${reason}`);
    return found;
  };
  const apply = (objects: Loose[]) => podmend.kubectl.apply(JSON.stringify({ apiVersion: 'v1', kind: 'List', items: objects }));

  test.before(async () => {
    podmend = await installPodmend(admin);
    await podmend.startOperator({ MIRROR_LIMITS: '10,20,200' });
    podmend.startAgent();
    const signup = await podmend.client.send('POST', '/api/auth/signup', { username: 'admin', password: 'correct horse' });
    assert.is(signup.status, 200);
    const objects = names.flatMap((name) => objectsOf(name, podmend.node));
    await apply(objects.filter(({ kind }) => kind === 'Namespace'));
    await apply(objects.filter(({ kind }) => kind !== 'Namespace' && !WORKLOADS.includes(kind ?? '')));
    await apply(objects.filter(({ kind }) => WORKLOADS.includes(kind ?? '')));
  });
  test.after(() => podmend?.stop(names.map((name) => PREFIX + name)));

  test('every manifest of a recording has its line in the table', () => {
    assert.equal(
      readdirSync(FOLDER)
        .map((file) => file.replace('.yaml', ''))
        .toSorted(),
      names.toSorted(),
    );
  });

  test('every failing pod is recorded with its reason, and no other', async () => {
    let left: string[] = [];
    await until(
      async () => {
        const found = await records();
        left = [...curable, ...uncurable]
          .filter(({ name, reason }) => !found.some((one) => one.namespace === PREFIX + name && one.failure_reason === reason))
          .map(
            ({ name, reason }) =>
              `${name}: wanted ${reason}, found ${found
                .filter((one) => one.namespace === PREFIX + name)
                .map((one) => one.failure_reason)
                .join()}`,
          );
        return left.length === 0;
      },
      { timeoutMs: 90_000, everyMs: 500, what: () => left.join('\n') },
    );
    const healthy = names.filter((name) => RECORDED_CORRECTIONS[name] === 'healthy').map((name) => PREFIX + name);
    assert.equal(
      (await records()).filter(({ namespace }) => healthy.includes(namespace)).map(({ namespace }) => namespace),
      [],
    );
    before = await sourcesNow(podmend);
  });

  for (const one of uncurable)
    test(`${one.name}: ${'none' in one ? `no manifest cures it, because ${one.none}` : `not to be mirrored: ${one.unmirrorable}`}`, async () => {
      const { id } = await recordOf(one.name, one.reason);
      const preview = await podmend.client.send<MirrorPreview>('POST', `/api/mirror/preview/${id}`);
      assert.is(preview.status, 200, JSON.stringify(preview.body));
      assert.is(preview.body.mirrorable, false);
      assert.is(preview.body.candidates.length > 0, 'unmirrorable' in one, JSON.stringify(preview.body.candidates));
      if ('none' in one) assert.match(preview.body.explanation, /No change to the manifest/);
      const deployed = await podmend.client.send('POST', `/api/mirror/deploy/${id}`, { acknowledge_side_effects: true });
      assert.ok([400, 403].includes(deployed.status), `${deployed.status} ${JSON.stringify(deployed.body)}`);
    });

  test('a right and a wrong correction of each of the others runs on a mirror', async () => {
    const refused: string[] = [];
    await atOnce(AT_ONCE, curable, async ({ name, reason, right, wrong, still, through }) => {
      const { id, pod_name } = await recordOf(name, reason);
      const preview = await podmend.client.send<MirrorPreview>('POST', `/api/mirror/preview/${id}`);
      for (const [kind, correction] of Object.entries({ right, wrong })) {
        const wanted = kind === 'right' ? 'Fixed' : `StillFailing ${still}`;
        const namespace = PREFIX + name;
        if (through === 'kubectl') {
          assert.is((await podmend.client.send('POST', `/api/mirror/deploy/${id}`, {})).status, 403);
          const mirror = mirrorOf(`app-${kind}`, namespace, { name: pod_name, spec: edited(name, correction as Edit) });
          await podmend.kubectl.apply(JSON.stringify(mirror));
          tries.push({ name, wanted, namespace, mirror: `app-${kind}` });
          continue;
        }
        if (correction === 'rules' && !preview.body.mirrorable) refused.push(`${name}: ${JSON.stringify(preview.body)}`);
        const manifest = correction === 'rules' ? {} : { manifest: podOf(pod_name, namespace, edited(name, correction)) };
        const body = { ...manifest, ttl_seconds: TTL_SECONDS, acknowledge_side_effects: true };
        const deployed = await podmend.client.send<MirrorRecord>('POST', `/api/mirror/deploy/${id}`, body);
        if (deployed.status === 200)
          tries.push({ name, wanted, namespace, mirror: deployed.body.name, record: id, id: deployed.body.mirror_id });
        else refused.push(`${name}, ${kind}: ${JSON.stringify(deployed.body)}`);
      }
    });
    assert.equal(refused, []);
  });

  test('the right ones are Fixed, the wrong ones StillFailing with the reason', async () => {
    const told = new Map<string, string>();
    const look = async () => {
      const list = JSON.parse(await podmend.kubectl('get', 'mirrorpods', '-A', '-o', 'json')) as { items: MirrorPod[] };
      for (const { metadata, status } of list.items.filter((one) => isOurs(one.metadata as { namespace: string }))) {
        const why = status?.conditions?.find(({ type }) => type === 'Fixed')?.reason ?? '';
        if (status?.verdict)
          told.set(keyOf(metadata.namespace ?? '', metadata.name ?? ''), status.verdict === 'Fixed' ? 'Fixed' : `${status.verdict} ${why}`);
        else if (status?.phase === 'Rejected')
          told.set(keyOf(metadata.namespace ?? '', metadata.name ?? ''), `Rejected ${JSON.stringify(status.conditions)}`);
      }
      // Some verdicts come only at the end of the mirror. After that, only the record still has the trial.
      for (const { record, id, ...one } of tries.filter((each) => !told.has(keyOf(each.namespace, each.mirror)))) {
        if (record === undefined) continue;
        const { body } = await podmend.client.send<FailureDetail>('GET', `/api/pods/failed/${record}`);
        const trial = body.trials.find(({ mirror_id, final }) => mirror_id === id && final);
        if (trial?.verdict) told.set(keyOf(one.namespace, one.mirror), [trial.verdict, trial.reason_after].filter(Boolean).join(' '));
      }
      return tries.every((one) => told.has(keyOf(one.namespace, one.mirror)));
    };
    const wrong = () =>
      tries
        .map((one) => ({ ...one, said: told.get(keyOf(one.namespace, one.mirror)) ?? 'nothing' }))
        .filter(({ wanted, said }) => wanted !== said)
        .map(({ name, wanted, said }) => `${name}: wanted ${wanted}, told ${said}`);
    await until(look, { timeoutMs: (TTL_SECONDS + 60) * 1000, everyMs: 1_000, what: () => wrong().join('\n') });
    assert.equal(wrong(), []);
  });

  test('no source and no owner of one was written to', async () => {
    const after = await sourcesNow(podmend);
    for (const [key, what] of before) assert.is(after.get(key), what, key);
    const log = process.env['TEST_AUDIT_LOG'];
    if (!log) return;
    assert.equal((await writesOf(log, 'podmend-agent')).map(textOf), [], 'the agent only reads');
    const writes = await writesOf(log, 'podmend-operator');
    assert.ok(
      writes.some(({ objectRef }) => objectRef?.resource === 'pods'),
      'the log tells of mirror pods',
    );
    assert.equal(writes.filter((one) => !MAY_WRITE.some((pattern) => pattern.test(textOf(one)))).map(textOf), []);
  });

  test.run();
}

/** Does `work` for each item of the list, `count` items at a time. */
async function atOnce<T>(count: number, list: T[], work: (one: T) => Promise<void>): Promise<void> {
  const queue = list.values();
  await Promise.all(
    Array.from({ length: count }, async () => {
      for (const one of queue) await work(one);
    }),
  );
}

/** Verb and object of every write that the operator may make. */
const MAY_WRITE = [
  /^(create|delete) podmend\.dev\/mirrorpods \S+\/\S+$/,
  /^patch podmend\.dev\/(mirrorpods|suppressions)\/status \S+\/\S+$/,
  /^(create|patch|delete) podmend\.dev\/suppressions podmend\/\S+$/,
  /^(create|delete) pods \S+\/\S+-mirror-[0-9a-z]+$/,
  /^(create|delete) networking\.k8s\.io\/networkpolicies \S+\/\S+-mirror-[0-9a-z]+$/,
  /^(create|update|patch) (events\.k8s\.io\/)?events \S+$/,
  /^(create|update|patch) coordination\.k8s\.io\/leases podmend\/podmend\S*$/,
  /^create secrets podmend\/podmend-keys$/,
];

function textOf({
  verb,
  objectRef: { resource = '', namespace = '', name = '', apiGroup = '', subresource = '' } = {} as never,
}: Audited): string {
  return `${verb} ${apiGroup && `${apiGroup}/`}${resource}${subresource && `/${subresource}`} ${namespace}/${name}`;
}

const isOurs = ({ namespace }: { namespace: string }): boolean => namespace.startsWith(PREFIX);
const keyOf = (namespace: string, name: string): string => `${namespace}/${name}`;

function podOf(name: string, namespace: string, spec: PodSpec): string {
  return JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace }, spec });
}

function mirrorOf(name: string, namespace: string, { name: source, spec }: { name: string; spec: PodSpec }): MirrorPod {
  return {
    apiVersion: 'podmend.dev/v1alpha1',
    kind: 'MirrorPod',
    metadata: { name, namespace },
    spec: { source: { kind: 'Pod', name: source }, ttlSeconds: TTL_SECONDS, template: { spec } },
  };
}

/** Spec generation, deletion and writers of each source and owner. They show whether anybody but the cluster and kubectl wrote. */
async function sourcesNow({ kubectl }: Installed): Promise<Map<string, string>> {
  const kinds = 'pods,deployments,replicasets,jobs';
  const list = JSON.parse(await kubectl('get', kinds, '-A', '-l', '!podmend.dev/mirror', '-o', 'json', '--show-managed-fields')) as {
    items: KubeObject[];
  };
  const text = ({ metadata }: KubeObject) => {
    const { generation, deletionTimestamp, managedFields } = metadata as KubeObject['metadata'] & { managedFields?: { manager: string }[] };
    return JSON.stringify({
      uid: metadata.uid,
      generation,
      deletionTimestamp,
      podmend: managedFields?.some(({ manager }) => manager.startsWith('podmend')),
    });
  };
  return new Map(
    list.items
      .filter(({ metadata }) => isOurs(metadata as { namespace: string }))
      .map((one) => [`${one.kind} ${one.metadata.namespace}/${one.metadata.name}`, text(one)]),
  );
}

onNode('corrections of every recorded case on a real node', tell);
