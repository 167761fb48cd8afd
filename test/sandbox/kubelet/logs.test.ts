import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { ApiError } from '../../../src/sandbox/api/errors.ts';
import { podLogs } from '../../../src/sandbox/kubelet/logs.ts';
import { steppedClock } from '../../../src/sandbox/sandbox.ts';
import type { Loose } from '../../../src/sandbox/store/object.ts';

const logs = suite('logs of the sandbox');

const START = new Date('2030-01-01T00:00:00Z');
const runOf = (id: string, ...texts: string[]) => ({
  id,
  size: 0,
  log: texts.map((text, index) => ({ at: new Date(START.getTime() + index * 1000), text })),
});
const RUN = runOf('now', 'one\n', 'two\nthr', 'ee\n', 'four');

interface Asked {
  query?: string;
  pod?: Loose;
  /** The node's runners by container; null: none. */
  runner?: Loose;
}
const POD = { metadata: { name: 'web' }, spec: { nodeName: 'n', containers: [{ name: 'app' }] }, status: {} };

/** The answer, or the refusal; `next` continues a log that is followed. */
function asked({ query = '', pod = POD, runner = { current: RUN, lastState: {}, restartCount: 0, machine: {} } }: Asked) {
  const clock = steppedClock(new Date(START.getTime() + 10_000));
  const written: string[] = [];
  const response: Loose = {
    destroyed: false,
    writeHead: (...head: unknown[]) => {
      response.head = head;
      return response;
    },
    write: (text: string) => written.push(text),
    end: (text?: string) => written.push(...(text === undefined ? ['END'] : [text, 'END'])),
  };
  const api = { clock } as never;
  try {
    podLogs({ start: () => () => undefined, runner: (_pod, name) => (name === 'app' ? runner : undefined) }, api, clock).send(
      pod as never,
      new URLSearchParams(query),
      response,
    );
  } catch (error) {
    assert.ok(error instanceof ApiError);
    return { text: `${error.code} ${error.message}`, clock, written, runner, response };
  }
  return { text: written.join(''), clock, written, runner, response };
}

for (const [query, text] of [
  ['', 'one\ntwo\nthree\nfourEND'],
  ['tailLines=2', 'three\nfourEND'],
  ['tailLines=0', 'END'],
  ['tailLines=9', 'one\ntwo\nthree\nfourEND'],
  ['limitBytes=5', 'one\ntEND'],
  ['sinceSeconds=8', 'ee\nfourEND'],
  ['sinceTime=2030-01-01T00:00:03Z', 'fourEND'],
  ['sinceTime=2030-01-01T00:00:04Z', 'END'],
  ['container=app&tailLines=1', 'fourEND'],
  [
    'timestamps=true',
    '2030-01-01T00:00:00.000000000Z one\n2030-01-01T00:00:01.000000000Z two\n2030-01-01T00:00:01.000000000Z three\n2030-01-01T00:00:03.000000000Z fourEND',
  ],
  ['tailLines=-1', '422 PodLogOptions "web" is invalid: tailLines: Invalid value: -1: must be greater than or equal to 0'],
  ['sinceSeconds=0', '422 PodLogOptions "web" is invalid: sinceSeconds: Invalid value: 0: must be greater than 0'],
  ['limitBytes=0', '422 PodLogOptions "web" is invalid: limitBytes: Invalid value: 0: must be greater than 0'],
  ['tailLines=x', '400 strconv.ParseInt: parsing "x": invalid syntax'],
  ['container=other', '400 container other is not valid for pod web'],
] as const)
  logs(`asked for ${query || 'all'}`, () => assert.is(asked({ query }).text, text));

const several = { ...POD, spec: { nodeName: 'n', containers: [{ name: 'app' }, { name: 'side' }], initContainers: [{ name: 'init' }] } };
logs('of several containers, one must be named', () => {
  assert.is(asked({ pod: several }).text, '400 a container name must be specified for pod web, choose one of: [init app side]');
  const oneAndInit = { ...several, spec: { ...several.spec, containers: [{ name: 'app' }] } };
  assert.is(asked({ pod: oneAndInit }).text, '400 a container name must be specified for pod web, choose one of: [init app]');
  assert.is(asked({ pod: several, query: 'container=app&tailLines=1' }).text, 'fourEND');
  assert.is(asked({ pod: several, query: 'container=init' }).text, '400 container "init" in pod "web" is not available');
});

const waiting = (reason?: string) => ({ ...POD, status: { containerStatuses: [{ name: 'app', state: { waiting: { reason } } }] } });
for (const [what, pod, text] of [
  ['its image is pulled', waiting('ErrImagePull'), `is waiting to start: image can't be pulled`],
  ['its pull is backing off', waiting('ImagePullBackOff'), 'is waiting to start: trying and failing to pull image'],
  ['it is created', waiting(), 'is waiting to start: ContainerCreating'],
  ['its pod is initialized', waiting('PodInitializing'), 'is waiting to start: PodInitializing'],
  ['nothing is known', POD, 'is not available'],
] as const)
  logs(`before the first run: ${what}`, () => assert.is(asked({ pod, runner: null }).text, `400 container "app" in pod "web" ${text}`));

const unplaced = { ...POD, spec: { containers: [{ name: 'app' }] } };
logs('a log is plain text', () => assert.equal(asked({}).response.head, [200, { 'Content-Type': 'text/plain' }]));

logs('a pod without a node has no logs', () => {
  assert.is(asked({ pod: unplaced, runner: null }).text, 'END');
  assert.is(asked({ pod: unplaced, runner: null, query: 'previous=true' }).text, 'END');
});

const EARLIER = runOf('before', 'old\n');
const PREVIOUS = 'previous=true';
logs('the previous run; between two runs it is the last one', () => {
  const restarted = { current: RUN, previous: EARLIER, lastState: { terminated: { containerID: 'containerd://before' } }, restartCount: 1 };
  assert.is(asked({ query: PREVIOUS, runner: restarted }).text, 'old\nEND');
  const between = { ...restarted, lastState: { terminated: { containerID: 'containerd://now' } } };
  assert.is(asked({ query: `${PREVIOUS}&tailLines=1`, runner: between }).text, 'fourEND');
  const first = { current: RUN, previous: EARLIER, lastState: {}, restartCount: 0 };
  assert.is(asked({ query: PREVIOUS, runner: first }).text, '400 previous terminated container "app" in pod "web" not found');
  assert.is(asked({ query: PREVIOUS, runner: null }).text, '400 container "app" in pod "web" is not available');
});

logs('a log that is followed goes on until its run ends', async () => {
  const run = runOf('now', 'one\n');
  const runner: Loose = { current: run, machine: {}, lastState: {}, restartCount: 0 };
  const { written, clock } = asked({ query: 'follow=true&timestamps=true', runner });
  assert.equal(written, ['2030-01-01T00:00:00.000000000Z one\n']);
  run.log.push({ at: new Date('2030-01-01T00:00:10Z'), text: 'two\n' });
  await clock.advance(199);
  assert.is(written.length, 1);
  await clock.advance(1);
  assert.equal(written.slice(1), ['2030-01-01T00:00:10.000000000Z two\n']);
  runner.machine = undefined;
  await clock.advance(200);
  assert.equal(written.slice(2), ['END']);
  await clock.advance(1000);
  assert.is(written.length, 3);
});

logs('it ends too when another run begins, and nothing is written after the client has gone', async () => {
  const runner: Loose = { current: RUN, machine: {}, lastState: {}, restartCount: 0 };
  const first = asked({ query: 'follow=true&tailLines=1', runner });
  runner.current = EARLIER;
  await first.clock.advance(200);
  assert.equal(first.written, ['four', 'END']);
  const gone = asked({ query: 'follow=true&tailLines=1' });
  gone.response.destroyed = true;
  await gone.clock.advance(1000);
  assert.equal(gone.written, ['four']);
});

logs.run();
