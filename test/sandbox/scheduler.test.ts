import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Pod } from '../../src/crd/kubernetes.ts';
import { startSandbox, steppedClock, type Sandbox, type SteppedClock } from '../../src/sandbox/sandbox.ts';

const PODS = '/api/v1/namespaces/default/pods';

interface World {
  sandbox: Sandbox;
  clock: SteppedClock;
}
const scheduler = suite<World>('scheduler of the sandbox');

scheduler.before.each(async (world) => {
  world.clock = steppedClock(new Date('2030-01-01T00:00:00Z'));
  world.sandbox = await startSandbox({ clock: world.clock });
});
scheduler.after.each(({ sandbox }) => sandbox.close());

scheduler('a new cluster has the two priorities of the system, and the node comes first', async ({ sandbox }) => {
  const answer = await fetch(`${sandbox.url}/apis/scheduling.k8s.io/v1/priorityclasses`);
  const { items } = (await answer.json()) as { items: { metadata: { name: string }; value: number }[] };
  assert.equal(
    items.map(({ metadata, value }) => [metadata.name, value]),
    [
      ['system-cluster-critical', 2_000_000_000],
      ['system-node-critical', 2_000_001_000],
    ],
  );
});

/** Creates a pod with one container for each of these requests. */
async function create({ sandbox, clock }: World, name: string, ...requests: Record<string, string>[]): Promise<void> {
  const containers = requests.map((asked, i) => ({ name: `c${i}`, image: 'web:1', resources: { requests: asked } }));
  const body = JSON.stringify({ apiVersion: 'v1', kind: 'Pod', metadata: { name }, spec: { containers } });
  const answer = await fetch(sandbox.url + PODS, { method: 'POST', body, headers: { 'content-type': 'application/json' } });
  assert.is(answer.status, 201, await answer.text());
  await clock.advance(5_000);
}

/** The phase of a pod, or why it has no node. */
async function outcome({ sandbox }: World, name: string): Promise<string | undefined> {
  const { status } = (await (await fetch(`${sandbox.url}${PODS}/${name}`)).json()) as Pod;
  return status?.conditions?.find(({ type, status: value }) => type === 'PodScheduled' && value === 'False')?.message ?? status?.phase;
}

const tenth = { cpu: '100m' };
/** The requests of several pods in turn, and what becomes of the last pod. The node has 4 cores, 8 Gi and 110 pods. */
const CASES: [string, Record<string, string>[][], RegExp][] = [
  ['all cores at once', [[{ cpu: '4' }]], /^Running$/],
  ['all cores in forty tenths of a core', [Array<typeof tenth>(40).fill(tenth)], /^Running$/],
  ['the last tenth of a core', [Array<typeof tenth>(39).fill(tenth), [{ cpu: '0.1' }]], /^Running$/],
  ['a millicore too many', [[{ cpu: '3' }], [{ cpu: '1001m' }]], /^0\/1 nodes are available: 1 Insufficient cpu\./],
  ['the last byte', [[{ memory: '6Gi' }], [{ memory: '2147483648' }]], /^Running$/],
  ['a byte too many', [[{ memory: '6Gi' }], [{ memory: '2147483649' }]], /Insufficient memory/],
  ['nothing, beside a pod that has everything', [[{ cpu: '4', memory: '8Gi' }], [{}]], /^Running$/],
];
for (const [sentence, pods, expected] of CASES) {
  scheduler(`decides about ${sentence}`, async (world) => {
    for (const [i, requests] of pods.entries()) await create(world, `pod-${i}`, ...requests);
    assert.match((await outcome(world, `pod-${pods.length - 1}`)) ?? '', expected);
  });
}

scheduler('a Service has the ready and the unready pods of its selector as endpoints, and none that has ended', async (world) => {
  const { sandbox, clock } = world;
  const post = async (path: string, body: object) => {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(sandbox.url + path, { method: 'POST', body: JSON.stringify(body), headers });
    assert.is(answer.status, 201, await answer.text());
  };
  const pod = (name: string, command: string[], more: object = {}) =>
    post(PODS, {
      metadata: { name, labels: { app: name === 'other' ? 'other' : 'web' } },
      spec: { restartPolicy: 'Never', containers: [{ name: 'app', image: 'busybox:1.35', command, ...more }] },
    });
  await post('/api/v1/namespaces/default/services', {
    metadata: { name: 'web' },
    spec: { selector: { app: 'web' }, ports: [{ port: 80 }] },
  });
  await pod('runs', ['sleep', '3600']);
  await pod('unready', ['sleep', '3600'], { readinessProbe: { exec: { command: ['false'] } } });
  await pod('ended', ['true']);
  await pod('failed', ['false']);
  await pod('other', ['sleep', '3600']);
  await clock.advance(30_000);
  const read = async (path: string) => (await (await fetch(sandbox.url + path)).json()) as never;
  interface Address {
    targetRef: { name: string };
  }
  const { subsets } = (await read('/api/v1/namespaces/default/endpoints/web')) as {
    subsets: { addresses?: Address[]; notReadyAddresses?: Address[] }[];
  };
  const names = (all: Address[] = []) => all.map(({ targetRef }) => targetRef.name);
  assert.equal(
    subsets.map(({ addresses, notReadyAddresses }) => [names(addresses), names(notReadyAddresses)]),
    [[['runs'], ['unready']]],
  );
  const { items } = (await read(
    '/apis/discovery.k8s.io/v1/namespaces/default/endpointslices?labelSelector=kubernetes.io%2Fservice-name%3Dweb',
  )) as {
    items: { endpoints: (Address & { conditions: { ready: boolean } })[] }[];
  };
  assert.equal(
    items.flatMap(({ endpoints }) => endpoints.map(({ targetRef, conditions }) => `${targetRef.name} ${conditions.ready}`)).sort(),
    ['runs true', 'unready false'],
  );
});

scheduler.run();
