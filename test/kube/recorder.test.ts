import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { OwnEvent } from '../../src/crd/kubernetes.ts';
import { KubeError } from '../../src/kube/errors.ts';
import { type EventNote, eventRecorder, type RecorderDeps } from '../../src/kube/recorder.ts';
import { createLog } from '../../src/log.ts';

const test = suite('event recorder');

/** A recorder over a client that keeps what it gets and can refuse it. */
function recording(refuse: (what: 'create' | 'patch') => Error | undefined = () => undefined) {
  const written: { what: string; body: OwnEvent }[] = [];
  let skippedMs = 0;
  const answer = async (what: 'create' | 'patch', body: unknown): Promise<never> => {
    const error = refuse(what);
    written.push({ what: error ? `refused ${what}` : what, body: body as OwnEvent });
    if (error) throw error;
    return body as never;
  };
  const client: RecorderDeps['client'] = {
    create: (_kind, object) => answer('create', object),
    // oxlint-disable-next-line max-params
    patch: (_kind, _namespace, _name, body) => answer('patch', body),
  };
  const now = () => new Date(Date.parse('2026-05-01T10:00:00Z') + skippedMs);
  const recorder = eventRecorder({ client, instance: 'me', log: createLog({ level: 'silent' }), now });
  return {
    written,
    async record(note: EventNote = NOTE, afterSeconds = 0) {
      skippedMs += afterSeconds * 1000;
      recorder.record(note);
      await recorder.idle();
    },
    steps: () => written.map(({ what, body }) => `${what}${body.series ? ` ${body.series.count}` : ''}`),
  };
}

const ref = { apiVersion: 'podmend.dev/v1alpha1', kind: 'MirrorPod', namespace: 'shop', name: 'try', uid: 'u' };
const NOTE: EventNote = { regarding: ref, type: 'Normal', reason: 'MirrorCreated', action: 'CreatePod', note: 'It runs.' };

test('an event says who, about what, when and why', async () => {
  const { record, written } = recording();
  await record();
  const { metadata, ...event } = written[0]!.body;
  assert.match(metadata.name ?? '', /^try\.[0-9a-f]{16}$/);
  assert.is(metadata.namespace, 'shop');
  assert.equal(event, {
    eventTime: '2026-05-01T10:00:00.000000Z',
    reportingController: 'podmend.dev/operator',
    reportingInstance: 'me',
    regarding: ref,
    type: 'Normal',
    reason: 'MirrorCreated',
    action: 'CreatePod',
    note: 'It runs.',
  });
});

test('a repeated note is a series: written at once, then once a minute, and started anew after a pause', async () => {
  const { record, steps } = recording();
  await record();
  for (let times = 0; times < 20; times++) await record(NOTE, 5);
  assert.equal(steps(), ['create', 'patch 2', 'patch 14']);
  await record({ ...NOTE, note: 'Something else.' });
  await record(NOTE, 361);
  assert.equal(steps().slice(3), ['create', 'create']);
});

test('an event that has expired is written anew', async () => {
  const { record, steps } = recording((what) => (what === 'patch' ? new KubeError(404, 'NotFound', 'gone') : undefined));
  await record();
  await record();
  assert.equal(steps(), ['create', 'refused patch 2', 'create']);
});

test('a refusal causes no error, and a terminating namespace gets no event', async () => {
  const going = new KubeError(403, 'Forbidden', 'unable to create new content in namespace shop because it is being terminated');
  const { record, written } = recording(() => going);
  for (let times = 0; times < 5; times++) await record();
  assert.is(written.length, 1);
  await record(NOTE, 61);
  assert.is(written.length, 2, 'one of that name may have come');
  const forbidden = recording(() => new KubeError(403, 'Forbidden', 'no right'));
  await forbidden.record();
  await forbidden.record();
  assert.is(forbidden.written.length, 2);
});

test('without an object there is no event, and a long note is cut', async () => {
  const { record, written } = recording();
  await record({ ...NOTE, regarding: async () => undefined });
  assert.is(written.length, 0);
  await record({ ...NOTE, note: 'x'.repeat(5_000) });
  assert.is(written[0]?.body.note.length, 1_024);
});

test('events are written one after another, and no more than 500 wait', async () => {
  const order: string[] = [];
  const free = Promise.withResolvers<void>();
  const client = {
    async create(_kind: unknown, event: { note: string }) {
      await free.promise;
      order.push(event.note);
    },
  };
  const recorder = eventRecorder({ client: client as never, instance: 'me', log: createLog({ level: 'silent' }), now: () => new Date(0) });
  for (let number = 0; number < 510; number++) recorder.record({ ...NOTE, note: String(number) });
  free.resolve();
  await recorder.idle();
  assert.equal([order.length, order[0], order.at(-1)], [500, '0', '499']);
  recorder.record({ ...NOTE, note: 'later' });
  await recorder.idle();
  assert.is(order.at(-1), 'later');
});

test('an event may be about an object that is looked up, and names what else it is about', async () => {
  const { record, written } = recording();
  await record({ ...NOTE, regarding: async () => ref, related: { ...ref, name: 'other' } });
  assert.equal([written[0]?.body.regarding, written[0]?.body.related], [ref, { ...ref, name: 'other' }]);
});

test('a note of exactly the limit is whole, and another type, action, reason or object is another series', async () => {
  const { record, written, steps } = recording();
  await record({ ...NOTE, note: 'x'.repeat(1_024) });
  assert.is(written[0]?.body.note, 'x'.repeat(1_024));
  for (const over of [{ type: 'Warning' as const }, { action: 'Other' }, { reason: 'Other' }, { regarding: { ...ref, uid: 'v' } }])
    await record({ ...NOTE, note: 'x'.repeat(1_024), ...over });
  assert.equal(
    steps(),
    Array.from({ length: 5 }, () => 'create'),
  );
});

test.run();
