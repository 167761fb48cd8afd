import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Finding } from '../../src/contract/finding.ts';
import type { SocketMessage } from '../../src/contract/socket.ts';
import type { Store } from '../../src/db/connect.ts';
import { findingRepository } from '../../src/db/findings.ts';
import { findingSuppressionRepository } from '../../src/db/suppressible.ts';
import { eventHub } from '../../src/events.ts';
import { findingIntake, type FindingIntakeDeps } from '../../src/findings/intake.ts';
import { aFindingReport } from '../support/builders/finding.ts';
import { memoryStore } from '../support/database/store.ts';

const test = suite('findings on their way in');
let store: Store;
test.before(async () => {
  store = await memoryStore();
});
test.before.each(async () => void (await store.db.deleteFrom('findings').execute()));
test.after(() => store.close());

/** An intake with Suppressions. Each lookup finds the next of `hiders`; the last one repeats. */
function world(...hiders: (string | undefined)[]) {
  const messages: SocketMessage['type'][] = [];
  const hub = eventHub();
  hub.subscribe(({ type }) => void messages.push(type));
  const findings = findingRepository(store.db);
  const suppressionOf = () => (hiders.length > 1 ? hiders.shift() : hiders[0]);
  const intake = findingIntake({
    findings,
    hub,
    cluster: 'test',
    suppressionOf,
    findingSuppressions: findingSuppressionRepository(store.db),
  });
  const report = () => intake.report(aFindingReport(), new Date());
  const stored = async (id: number) => (await findings.byId(id))?.suppressed_by;
  return { intake, report, messages, stored };
}

const cases: [says: string, hiders: (string | undefined)[], by: string | null, told: string[]][] = [
  ['that is not suppressed is sent', [undefined], null, ['security_finding']],
  ['that is suppressed is not', ['quiet'], 'quiet', []],
  ['whose Suppression came while it was stored is suppressed, and not sent', [undefined, 'quiet'], 'quiet', []],
  ['whose Suppression went while it was stored is shown', ['quiet', undefined], null, []],
];
for (const [says, hiders, by, told] of cases)
  test(`one ${says}`, async () => {
    const { report, messages, stored } = world(...hiders);
    const { id, suppressed_by } = await report();
    assert.equal([suppressed_by, await stored(id), messages], [by, by, told]);
  });

test('a shown finding that is reported again while it is suppressed is sent as deleted', async () => {
  const { report, messages } = world(undefined, undefined, 'quiet');
  await report();
  await report();
  await report();
  assert.equal(messages, ['security_finding', 'finding_deleted']);
});

test('a shown finding that is suppressed while it is stored again is sent as deleted', async () => {
  const { report, messages } = world(undefined, undefined, undefined, 'quiet');
  await report();
  assert.is((await report()).suppressed_by, 'quiet');
  assert.equal(messages, ['security_finding', 'finding_deleted']);
});
test('a request with more findings than one statement can hold replaces each of its resources as a whole', async () => {
  const { intake, messages } = world(undefined);
  const { resource_type, resource_name: _1, namespace, check_name: _2, ...found } = aFindingReport();
  const replace = (name: string, count: number) =>
    intake.replace(
      { resource_type, namespace, resource_name: name },
      { findings: Array.from({ length: count }, (_, n) => ({ ...found, check_name: `check-${n}` })) },
      new Date(),
    );
  const sizes = [500, 0, 300, 300, 1, 499];
  const all = await Promise.all(sizes.map((size, n) => replace(`web-${n}`, size)));
  assert.equal(
    all.map((some) => [some.length, new Set(some.map(({ resource_name }) => resource_name)).size]),
    sizes.map((size) => [size, Math.min(size, 1)]),
  );
  assert.is(messages.length, 1600);
  await Promise.all(sizes.map((_, n) => replace(`web-${n}`, 1)));
  assert.is(messages.filter((type) => type === 'finding_deleted').length, 1595);
});

/** An intake over rows that note what is asked of them, without a database. */
function noted(stale: number[] = []) {
  const [stored, asked]: [string[][], unknown[]] = [[], []];
  const gone = [{ id: 5 } as Finding];
  const messages: SocketMessage[] = [];
  const rows: FindingIntakeDeps['findings'] = {
    async store(ready, replaced) {
      stored.push(ready.map(({ row }) => `${row.resource_name} ${row.check_name}`));
      asked.push(...replaced);
      return { stored: ready.map(({ row }) => ({ finding: { ...row, status: 'open' } as unknown as Finding, isNews: false })), gone: [] };
    },
    stale: async (...given) => (asked.push(given), stale.shift() ?? 0),
    staleOf: async (...given) => (asked.push(given), gone),
    beginPass: async (...given) => void asked.push(given),
    endPasses: async (...given) => void asked.push(given),
  };
  const intake = findingIntake({
    ...{ findings: rows, hub: { publish: (message) => void messages.push(message) }, cluster: 'test' },
    suppressionOf: () => undefined,
    findingSuppressions: { set: async () => [] },
  });
  return { intake, stored, asked, messages };
}
const NOW = new Date('2026-06-01T00:00:00Z');
const pod = (resource_name: string) => ({ resource_type: 'Pod', namespace: 'shop', resource_name });
const checks = (count: number, more = {}) =>
  Array.from({ length: count }, (_, n) => ({ check_name: `c${n}`, severity: 'low' as const, ...more }));

for (const [says, sizes, expected] of [
  ['500 rows', [499, 1, 1], [500, 1]],
  ['a resource with more, alone', [1, 501, 1], [1, 501, 1]],
] as const)
  test(`a statement stores at most ${says}`, async () => {
    const { intake, stored } = noted();
    await Promise.all(sizes.map((size, n) => intake.replace(pod(`web-${n}`), { findings: checks(size) }, NOW)));
    assert.equal(
      stored.map(({ length }) => length),
      [...expected],
    );
  });

test('a statement stores at most a million characters', async () => {
  const { intake, stored } = noted();
  const long = { message: 'x'.repeat(600_000) };
  await Promise.all(['a', 'b', 'c'].map((name) => intake.replace(pod(name), { findings: checks(1, name === 'c' ? {} : long) }, NOW)));
  assert.equal(stored, [['a c0'], ['b c0', 'c c0']]);
});

test('of a finding that is reported twice at once, the later report is stored, and both have its answer', async () => {
  const { intake, stored } = noted();
  const one = (message: string) => ({ check_name: 'c', severity: 'low' as const, message });
  const answered = await intake.replace(pod('web'), { findings: [one('first'), one('second')] }, NOW);
  assert.equal([stored, answered.map(({ message }) => message)], [[['web c']], ['second']]);
});

test('a resource that is replaced or removed is named with its cluster and scanner', async () => {
  const { intake, asked, messages } = noted();
  await intake.replace(pod('web'), { findings: [], source: 'trivy' }, NOW);
  assert.equal(asked.splice(0), [{ cluster: 'test', ...pod('web'), source: 'trivy' }]);
  assert.is(await intake.remove({ ...pod('web'), source: 'trivy' }, NOW), 1);
  assert.equal(asked.splice(0), [[{ cluster: 'test', ...pod('web'), source: 'trivy' }, NOW]]);
  assert.equal(messages, [{ type: 'finding_deleted', data: { id: 5 } }] as never);
  await intake.settle(NOW);
  assert.equal(asked, [['test', NOW]]);
});

test('a new scan marks findings part by part until none is left', async () => {
  const { intake, asked } = noted([1000, 1000, 3]);
  assert.is(await intake.clear('trivy', NOW), 2003);
  const scanner = { cluster: 'test', source: 'trivy' };
  assert.equal(asked, [[scanner, NOW], ...Array.from({ length: 3 }, () => [scanner, NOW, 1000])]);
});

const items: [details: Record<string, unknown> | undefined, item: string][] = [
  [{ key: 'k', container: 'app' }, 'k'],
  [{ key: '', container: 'app' }, 'app'],
  [{ key: 7, container: 'app' }, 'app'],
  [{ container: { name: 'app' } }, ''],
  [{ key: 'k'.repeat(600) }, 'k'.repeat(512)],
  [undefined, ''],
];
for (const [details, item] of items)
  test(`a finding with ${JSON.stringify(details)?.slice(0, 40) ?? 'no details'} is told apart by "${item.slice(0, 10)}"`, async () => {
    const { intake } = noted();
    const report = aFindingReport();
    delete report.details;
    const finding = (await intake.report({ ...report, ...(details && { details }) }, NOW)) as unknown as { item: string; details: object };
    assert.equal([finding.item, finding.details], [item, details ?? {}]);
  });

test('what a report does not say is stored as empty', async () => {
  const { intake } = noted();
  const { message: _1, remediation: _2, ...report } = aFindingReport();
  const { suppressed_by, ...row } = (await intake.report(report, NOW)) as unknown as Record<string, unknown>;
  assert.equal([row['message'], row['remediation'], row['source'], suppressed_by, row['now']], ['', '', '', null, NOW.toISOString()]);
});

test.run();
