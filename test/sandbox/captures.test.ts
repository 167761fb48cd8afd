import { readFileSync, readdirSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadManifests } from '../../src/crd/manifest.ts';
import { startSandbox, type Sandbox } from '../../src/sandbox/sandbox.ts';
import { type Capture, capture } from '../support/expected/recordings.ts';
import { type RestClient, restClient } from '../support/cluster/rest.ts';
import { until } from '../support/runner/wait.ts';

/**
 * Compares what the sandbox writes for a manifest with what a real node wrote: states, conditions, every event, and the order of events.
 */

// oxlint-disable-next-line typescript/no-explicit-any
type Loose = any;

const CASES = new URL('cases/', import.meta.url);
const SHOP = new URL('../../src/modes/shop.yaml', import.meta.url);
const SPEED = 25;
/** The source pod of the restart story. */
const BROKEN =
  "{apiVersion: v1, kind: Pod, metadata: {name: broken}, spec: {containers: [{name: app, image: 'web:1', command: [/app/start]}]}}";
/** The characters of random names, in the kubelet and the sandbox. There are no vowels, so this matches no word. */
const HASH = '[bcdfghjklmnpqrstvwxz2456789]';

/** Replaces what differs from run to run or from machine to machine by its kind. */
const plain = (text: string): string =>
  text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID')
    .replace(/[0-9a-f]{64}/g, 'ID')
    .replace(/10\.244\.\d+\.\d+/g, 'IP')
    .replace(new RegExp(`\\b([a-z]+(?:-[a-z]+)*)-${HASH}{8,10}(-${HASH}{5})?(?![a-z0-9])`, 'g'), '$1-HASH')
    .replace(/\bapp-[a-z0-9]{5}\b/g, 'app-HASH')
    .replace(/in \d+ms \(\d+ms including waiting\)/g, 'in TIME')
    .replaceAll('sandbox-node', 'node-1')
    .replace(/capacity: \d+/, 'capacity: N');

/** A container's state and its last state, as one line. */
function stateText(container: Loose): string {
  const part = (state: Loose) =>
    Object.entries((state ?? {}) as Record<string, Loose>)
      .map(([name, { reason = '', message = '', exitCode = '' }]) => `${name} ${reason} ${exitCode} ${message}`.trim())
      .join();
  return plain(`${container.name}: ${part(container.state)} before: ${part(container.lastState)}`).replace(
    /back-off \S+ restarting/,
    'back-off restarting',
  );
}

/** The conditions of a pod, each with its reason and message. A recording has them as texts already. */
const conditionTexts = (conditions: Loose): string[] =>
  Array.isArray(conditions)
    ? conditions.map(({ type, status, reason = '', message = '' }) => plain(`${type}: ${`${status} ${reason} ${message}`.trim()}`))
    : Object.entries((conditions ?? {}) as Record<string, string>).map(([type, text]) => plain(`${type}: ${text}`.trim()));

const seen = (status: Loose): string[] => [
  ...conditionTexts(status.conditions),
  ...[...(status.initContainers ?? status.initContainerStatuses ?? []), ...(status.containers ?? status.containerStatuses ?? [])].map(
    stateText,
  ),
  `${status.phase} ${status.reason ?? ''} ${plain(status.message ?? '')}`.trim(),
];

const eventText = (event: Loose): string =>
  plain([event.type, event.reason, event.message, event.involvedObject.kind, event.involvedObject.fieldPath ?? ''].join(' | '));

/** When an event was first seen, in nanoseconds: its name ends in that number, in hexadecimal digits. */
const bornAt = (event: Loose): bigint => BigInt(`0x${event.metadata.name.split('.').at(-1)}`);

/**
 * The events of each object in the order in which they were first seen, without repeats. Events of different objects have no order, because
 * several programs write them.
 */
function orderOf(events: Loose[]): string[] {
  const objects = [
    ...new Set(events.map((event) => `${event.involvedObject.kind} ${event.involvedObject.fieldPath ? 'container' : 'whole'}`)),
  ].sort();
  return objects.flatMap((object) => [
    ...new Set(
      events
        .filter((event) => `${event.involvedObject.kind} ${event.involvedObject.fieldPath ? 'container' : 'whole'}` === object)
        .map(eventText),
    ),
  ]);
}

/** A new image is pulled. Whether an image is new depends on earlier runs. */
const isAboutPull = (text: string): boolean => /\| (Pulling|Pulled) \|/.test(text);

/** A probe before the program listened, because the node was busy. */
const BY_LUCK =
  /^Warning \| Unhealthy \| Readiness probe failed: Get "http:\/\/IP:80\/".* connection refused \| Pod \| spec\.containers\{web\}$/;

/** Recordings end at different moments. Back-off may begin after the end, and its states may fall between two looks. */
const MAY_BE_MORE =
  /\| BackOff \||waiting (CrashLoopBackOff|ImagePullBackOff|PodInitializing|ContainerCreating|RunContainerError|PostStartHookError)|^\w+: (running|terminated)|Failed \| Error: ImagePullBackOff|\(combined from similar events\)|^PodReadyToStartContainers: False$/;

/** The manifests of a case as they were applied to the real node, in a namespace with its name. */
type Manifests = Record<string, { folder: string; documents: () => Loose[] }>;

/** Deadlines take real seconds, so this shortens the only one. */
const adapted = (text: string): Loose[] =>
  loadManifests(text.replaceAll('node-1', 'sandbox-node').replace('activeDeadlineSeconds: 5', 'activeDeadlineSeconds: 1'));

/** Every workload of the demo's shop, with the other objects of its namespace. */
function shop(): Manifests {
  const all = loadManifests(readFileSync(SHOP, 'utf8')) as Loose[];
  const named = (one: Loose): Loose => ({ ...one, metadata: { ...one.metadata, namespace: undefined } });
  const cases = all.filter(({ kind }) => kind === 'Deployment');
  const beside = ({ metadata }: Loose) =>
    all.filter((one) => !['Namespace', 'Deployment'].includes(one.kind) && one.metadata.namespace === metadata.namespace);
  return Object.fromEntries(
    cases.map((one) => [`shop-${one.metadata.name}`, { folder: 'captures-own', documents: () => [...beside(one), one].map(named) }]),
  );
}

/** Without `preempted`: the sandbox does not preempt pods. */
const RECORDED = readdirSync(CASES)
  .map((file) => file.replace('.yaml', ''))
  .filter((name) => name !== 'preempted');
const MANIFESTS: Manifests = {
  ...Object.fromEntries(
    RECORDED.map((name) => [name, { folder: 'captures', documents: () => adapted(readFileSync(new URL(`${name}.yaml`, CASES), 'utf8')) }]),
  ),
  ...shop(),
  'story-restart': { folder: 'captures-own', documents: () => adapted(BROKEN) },
};
const NAMES = Object.keys(MANIFESTS);

const test = suite('the sandbox writes what a real node wrote');
const states = new Map<string, Set<string>>();
let sandbox: Sandbox;
let client: RestClient;
const stops: (() => void)[] = [];
/** Events in the order of their creation. */
const born: Loose[] = [];

/** All cases run at once, each in a namespace with its name. */
async function begin(name: string): Promise<void> {
  const documents = MANIFESTS[name]!.documents();
  if (!documents.some((d) => d.kind === 'Namespace')) await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  for (const document of documents) await client.create(document, name);
}

/** The printed lines, sorted and without repeats. Standard output and errors have no common order, and the number of probes varies. */
const printed = (text: string): string =>
  [
    ...new Set(
      plain(text)
        .replaceAll(/\d{4}\/\d\d\/\d\d \d\d:\d\d:\d\d/g, 'TIME')
        .split('\n'),
    ),
  ]
    // With cgroups v1, the kernel kills one process, and its shell prints this. With v2, as here, it kills the whole container.
    .filter((line) => line !== 'Killed')
    .sort()
    .join('\n')
    // While it waits, the kubelet alternates between the two.
    .replace(/image can't be pulled|trying and failing to pull image/, 'no image');

/** The log lines of a recording that are missing here. For a container that never ran, the reason why there is no log. */
async function missingLogs(name: string, logs: Capture['logs']): Promise<string[]> {
  const { items } = await client.get(`/api/v1/namespaces/${name}/pods`);
  const missing: string[] = [];
  for (const { pod, container, previous, exitCode, stdout, stderr } of logs) {
    const own = items.find(({ metadata }: Loose) => plain(metadata.name) === plain(pod));
    if (!own || (exitCode !== 0 && previous) || stdout.startsWith('unable to retrieve')) continue;
    const path = `/api/v1/namespaces/${name}/pods/${own.metadata.name}/log?container=${container}&previous=${previous}`;
    const { status, body } = await client.request('GET', path);
    const said = status === 200 ? body : body.message;
    const wanted = exitCode === 0 ? stdout : stderr.replace(/^Error from server \(\w+\): /, '').trimEnd();
    if (printed(said) !== printed(wanted)) missing.push(`${container}, previous: ${previous}: ${wanted} (not ${said})`);
  }
  return missing;
}

test.before(async () => {
  sandbox = await startSandbox({ speed: SPEED });
  client = restClient(sandbox.url);
  for (const name of NAMES) states.set(name, new Set());
  stops.push(
    client.watch('/api/v1/pods', ({ object }) => {
      for (const text of seen(object.status)) states.get(object.metadata.namespace)?.add(text);
    }),
    client.watch('/api/v1/events', ({ type, object }) => {
      if (type === 'ADDED') born.push(object);
    }),
  );
  for (const name of NAMES) await begin(name);
});
test.after(async () => {
  for (const stop of stops) stop();
  await sandbox.close();
});

for (const name of NAMES) {
  test(name, async () => {
    const { timeline, logs, events: told } = capture(name, MANIFESTS[name]!.folder);
    const wantedStates = [...new Set(timeline.flatMap((entry) => seen(entry.status)))];
    const wantedEvents = [...new Set(told.map(eventText))].filter((text) => !isAboutPull(text) && !BY_LUCK.test(text));
    const own = states.get(name) as Set<string>;
    let events: string[] = [];
    const missing = () => [...wantedStates.filter((text) => !own.has(text)), ...wantedEvents.filter((text) => !events.includes(text))];
    await until(
      async () => {
        events = ((await client.get(`/api/v1/namespaces/${name}/events`)).items as Loose[]).map(eventText);
        return missing().length === 0;
      },
      { timeoutMs: 5000, everyMs: 50, what: name },
    ).catch(() => assert.equal(missing(), [], `never seen; seen were\n${[...own, ...events].join('\n')}`));
    let quiet: string[] = [];
    const isSpoken = async () => (quiet = await missingLogs(name, logs)).length === 0;
    await until(isSpoken, { timeoutMs: 5000, everyMs: 100, what: name }).catch(() => assert.equal(quiet, [], 'the logs'));
    // Events that both have must be in the same order.
    const real = orderOf(told.toSorted((a, b) => (bornAt(a) < bornAt(b) ? -1 : 1)));
    const pretended = orderOf(born.filter((event) => event.metadata.namespace === name));
    const isShared = (text: string) => !isAboutPull(text) && real.includes(text) && pretended.includes(text);
    assert.equal(pretended.filter(isShared), real.filter(isShared), 'in another order');
    const invented = [...own, ...events].filter(
      (text) => !isAboutPull(text) && !MAY_BE_MORE.test(text) && ![...wantedStates, ...wantedEvents].includes(text),
    );
    assert.equal(invented, [], 'no real node wrote this');
  });
}

test.run();
