import { readFileSync, readdirSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { loadManifests } from '../../src/crd/manifest.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import type { Sandbox } from '../../src/sandbox/sandbox.ts';
import { until } from '../support/wait.ts';
import { type RestClient, restClient } from '../support/rest.ts';

/** What a node wrote for the same manifest, against what the sandbox writes: states, conditions, every event, and the order of events. */

// oxlint-disable-next-line typescript/no-explicit-any
type Loose = any;

const CASES = new URL('cases/', import.meta.url);
const CAPTURES = new URL('../captures/', import.meta.url);
const SPEED = 25;

/** What differs from run to run or machine to machine, by its kind. */
const plain = (text: string): string =>
  text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, 'UID')
    .replace(/[0-9a-f]{64}/g, 'ID')
    .replace(/10\.244\.\d+\.\d+/g, 'IP')
    .replace(/\bapp-[a-z0-9]{8,10}(-[a-z0-9]{5})?\b/g, 'app-HASH')
    .replace(/\bapp-[a-z0-9]{5}\b/g, 'app-HASH')
    .replace(/in \d+ms \(\d+ms including waiting\)/g, 'in TIME')
    .replaceAll('sandbox-node', 'node-1')
    .replace(/capacity: \d+/, 'capacity: N');

/** One line for a container's state and the one before it. */
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

/** The conditions of a pod, each with its reason and message. In a recording they are texts already. */
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

/** An event's name ends in the nanosecond of its first sight, in hexadecimal digits. */
const bornAt = (event: Loose): bigint => BigInt(`0x${event.metadata.name.split('.').at(-1)}`);

/**
 * Events of one object in the order of their first sight, without repeats. Between objects there is no order: several programs write.
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

const lines = (name: string, file: string): Loose[] => {
  try {
    return readFileSync(new URL(`${name}/${file}`, CAPTURES), 'utf8')
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line));
  } catch {
    return [];
  }
};

/** A pull happens where the image is new, whether it is depends on what ran before. */
const isAboutPull = (text: string): boolean => /\| (Pulling|Pulled) \|/.test(text);

/** How far a recording goes differs: back-off may begin after its end, and its states come and go between two looks. */
const MAY_BE_MORE =
  /\| BackOff \||waiting (CrashLoopBackOff|ImagePullBackOff|PodInitializing|ContainerCreating|RunContainerError|PostStartHookError)|^\w+: (running|terminated)|Failed \| Error: ImagePullBackOff/;

/** `preempted` is left out: pods do not take each other's place here. */
const NAMES = readdirSync(CASES)
  .map((file) => file.replace('.yaml', ''))
  .filter((name) => name !== 'preempted');

const test = suite('the sandbox writes what a real node wrote');
const states = new Map<string, Set<string>>();
let sandbox: Sandbox;
let client: RestClient;
const stops: (() => void)[] = [];
/** Events as they were made, in that order. */
const born: Loose[] = [];

/** All cases run at once, each in a namespace of its name. Deadlines are real seconds: the one there is shortened. */
async function begin(name: string): Promise<void> {
  const text = readFileSync(new URL(`${name}.yaml`, CASES), 'utf8')
    .replaceAll('node-1', 'sandbox-node')
    .replace('activeDeadlineSeconds: 5', 'activeDeadlineSeconds: 1');
  const documents = loadManifests(text) as Loose[];
  if (!documents.some((d) => d.kind === 'Namespace')) await client.create({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  for (const document of documents) await client.create(document, name);
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
    const wantedStates = [...new Set(lines(name, 'timeline.jsonl').flatMap((entry) => seen(entry.status)))];
    const wantedEvents = [...new Set(lines(name, 'events.jsonl').map(eventText))].filter((text) => !isAboutPull(text));
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
    // What is in both stands in the same order.
    const real = orderOf(lines(name, 'events.jsonl').toSorted((a, b) => (bornAt(a) < bornAt(b) ? -1 : 1)));
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
