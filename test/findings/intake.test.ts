import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { SocketMessage } from '../../src/contract/socket.ts';
import type { Store } from '../../src/db/connect.ts';
import { findingRepository } from '../../src/db/findings.ts';
import { findingSuppressionRepository } from '../../src/db/suppressible.ts';
import { eventHub } from '../../src/events.ts';
import { findingIntake } from '../../src/findings/intake.ts';
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
test.run();
