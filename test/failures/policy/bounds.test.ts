import { isDeepStrictEqual } from 'node:util';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ContainerEvidence, EventEvidence, FailureReport } from '../../../src/contract/failure.ts';
import { REPORT_BOUNDS } from '../../../src/contract/report-bounds.ts';
import { boundReport } from '../../../src/failures/policy/bounds.ts';
import { aCrash, aFailureReport } from '../../support/builders/report.ts';
import { type Capture, capture, captureNames } from '../../support/expected/recordings.ts';
import { containerEvidence, eventEvidence } from '../../../src/failures/detect/evidence.ts';
import { dumpManifest } from '../../../src/crd/manifest.ts';

const bytes = (value: unknown): number => Buffer.byteLength(typeof value === 'string' ? value : JSON.stringify(value));
const numbered = (count: number, message = (n: number) => `event ${n}`): EventEvidence[] =>
  Array.from({ length: count }, (_, n) => ({ type: 'Warning', reason: 'BackOff', message: message(n) }));
const SHAPES: Record<string, Partial<FailureReport>> = {
  'an empty report': { events: null, container_statuses: null, logs: null, manifest: null, failure_message: null },
  'a report as agents send it': {},
  '150,000 events': { events: numbered(150_000) },
  'events of 1 MB': { events: numbered(5, () => 'x '.repeat(500_000)) },
  'events whose every field is long': {
    events: [
      { type: 't'.repeat(9e3), reason: 'r'.repeat(9e3), message: '"'.repeat(9e3), source: 's'.repeat(9e3), timestamp: 'n'.repeat(9e3) },
    ],
  },
  '5,000 statuses': { container_statuses: Array.from({ length: 5_000 }, (_, n) => aCrash(1, `app-${n}`)) },
  '50 statuses with long messages': {
    container_statuses: Array.from({ length: 50 }, (_, n) => ({
      ...aCrash(1, `app-${n}`),
      message: 'm'.repeat(50_000),
      last_state: { state: 'terminated', message: 'é'.repeat(50_000) },
    })),
  },
  'one long line': { logs: 'x'.repeat(5_000_000) },
  'a long log beyond Latin letters': { logs: '日本語のログ😀\n'.repeat(200_000) },
  'a long manifest': { manifest: 'a: b\n'.repeat(500_000) },
  'a long message': { failure_message: 'no '.repeat(100_000) },
  'many labels and images': {
    labels: Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`l${n}`, 'v'])),
    images: Array.from({ length: 1_000 }, (_, n) => `web:${n}`),
  },
};

for (const [what, fields] of Object.entries(SHAPES)) {
  test(`${what}: the result is within bounds, and a second pass changes nothing`, () => {
    const report = Object.freeze(aFailureReport(fields));
    const kept = boundReport(report);
    const { events, container_statuses: statuses, logs, manifest, failure_message, labels, images } = kept;
    assert.ok((events ?? []).length <= 100 && (events ?? []).every((event) => bytes(Object.values(event).join('')) <= 4096), 'events');
    assert.ok((statuses ?? []).length <= 50, 'statuses');
    for (const { message, last_state } of statuses ?? []) {
      assert.ok(bytes(message ?? '') <= 32_768 && bytes(last_state?.message ?? '') <= 32_768, 'messages of statuses');
    }
    assert.ok(bytes(statuses ?? []) <= REPORT_BOUNDS.statusMessagesBytes + 50 * 1024, 'statuses together');
    assert.ok(bytes(logs ?? '') <= 1_048_576 && bytes(manifest ?? '') <= 524_288 && bytes(failure_message ?? '') <= 32_768, 'texts');
    assert.ok(Object.keys(labels ?? {}).length <= 100 && (images ?? []).length <= 100);
    assert.ok(isDeepStrictEqual(boundReport(kept), kept), 'within them again');
  });
}

test('a report within bounds is left as it is', () => {
  const report = aFailureReport({ events: numbered(100, () => 'm'.repeat(1_000)), logs: 'x'.repeat(1_048_576) });
  assert.ok(isDeepStrictEqual(boundReport(report), report));
});

test('the reports of all recordings are left as they are', () => {
  const reports = ['captures', 'captures-own'].flatMap((folder) => captureNames(folder).map((name) => reportOf(capture(name, folder))));
  assert.ok(reports.length > 40, `${reports.length}`);
  for (const report of reports) assert.equal(boundReport(report), report);
});

test('of too many events the newest are kept, and the oldest says how many are missing', () => {
  const { events } = boundReport(aFailureReport({ events: numbered(250) }));
  assert.is(events?.length, 100);
  assert.equal(events?.[0], { type: 'Normal', reason: 'EventsCut', message: '151 older events were cut', source: 'podmend' });
  assert.equal([events?.[1]?.message, events?.at(-1)?.message], ['event 151', 'event 249']);
});

test('of too many statuses the failing container is kept, and the message says how many are missing', () => {
  const container_statuses = Array.from({ length: 60 }, (_, n) => aCrash(1, `app-${n}`));
  const kept = boundReport(aFailureReport({ container: 'app-57', container_statuses, failure_message: 'crashed' }));
  assert.equal(
    kept.container_statuses?.map(({ name }) => name),
    [...Array.from({ length: 49 }, (_, n) => `app-${n}`), 'app-57'],
  );
  assert.is(kept.failure_message, 'crashed [10 more container statuses were cut]');
});

test('of a long log the beginning and more of the end are kept, with a mark between', () => {
  const { logs = '' } = boundReport(aFailureReport({ logs: `==> app (current) <==\n${'line\n'.repeat(400_000)}panic: the end` }));
  assert.match(logs ?? '', /^==> app \(current\) <==\nline\n/);
  assert.match(logs ?? '', /line\npanic: the end$/);
  const [, cut] = /\n\[(\d+) bytes were cut\]\n/.exec(logs ?? '') ?? [];
  assert.ok(Math.abs(Number(cut) + 1_048_576 - 2_000_036) < 100, cut);
});

test('a long manifest ends with a comment, and a long message has a mark', () => {
  const kept = boundReport(aFailureReport({ manifest: 'a: b\n'.repeat(200_000), failure_message: `${'so '.repeat(20_000)}end` }));
  assert.match(kept.manifest ?? '', /a: b\n[^]*\n# \[\d+ more bytes were cut\]\n$/);
  assert.match(kept.failure_message ?? '', /^so so [^]*bytes were cut[^]* so end$/);
});

test('a cut leaves no half of a secret', () => {
  const key = `-----BEGIN RSA PRIVATE KEY-----\n${'MIIEpAIBAAKCAQEA1c7+9z5Pad7OejecsQ0bu3aozN3ti\n'.repeat(30_000)}-----END RSA PRIVATE KEY-----`;
  const { logs } = boundReport(aFailureReport({ logs: `${'before\n'.repeat(30_000)}${key}\nafter` }));
  assert.not.match(logs ?? '', /MIIEpAIBAAKC/);
  assert.match(logs ?? '', /after$/);
});

test('fields that nobody knows are dropped from events and statuses, others stay as they came', () => {
  const deep = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`) as unknown;
  const report = aFailureReport({
    events: [{ reason: 'BackOff', count: null, deep } as EventEvidence],
    container_statuses: [{ ...aCrash(1), deep, last_state: { exit_code: 1, deep } } as ContainerEvidence],
  });
  const kept = boundReport(report);
  assert.equal(kept.events, [{ reason: 'BackOff', count: null }]);
  assert.equal(kept.container_statuses, [{ ...aCrash(1), last_state: { exit_code: 1 } }]);
});

test('the first images are kept, and the name of each is cut', () => {
  const { images } = boundReport(aFailureReport({ images: ['web:1', 'x'.repeat(5_000)] }));
  assert.is(images?.[0], 'web:1');
  assert.ok((images?.[1]?.length ?? 0) <= 1_024);
  const many = Array.from({ length: REPORT_BOUNDS.images + 1 }, (_, n) => `web:${n}`);
  assert.equal(boundReport(aFailureReport({ images: many })).images, many.slice(0, -1));
});

test('a label that is too long is left out: half of it would be another label', () => {
  const { labels } = boundReport(aFailureReport({ labels: { app: 'web', ['k'.repeat(400)]: 'x', long: 'v'.repeat(300) } }));
  assert.equal(labels, { app: 'web' });
});

test.run();

function reportOf({ pod, events, others, logs }: Capture): FailureReport {
  const object = pod ?? others[0];
  return aFailureReport({
    events: eventEvidence(events),
    container_statuses: pod ? containerEvidence(pod) : [],
    manifest: object ? dumpManifest(object) : null,
    logs: logs.map(({ stdout, stderr }) => stdout + stderr).join('\n'),
  });
}
