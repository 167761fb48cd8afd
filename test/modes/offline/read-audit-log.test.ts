import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Use } from '../../../src/access/usage.ts';
import { InputError } from '../../../src/modes/mode.ts';
import { readAuditLog } from '../../../src/modes/offline/read-audit-log.ts';

const test = suite('reading an audit log');

let file = '';
test.before(async () => void (file = join(await mkdtemp(join(tmpdir(), 'podmend-audit-')), 'audit.log')));
test.after(() => rm(join(file, '..'), { recursive: true }));

const event = (at: string, name = 'web'): string =>
  JSON.stringify({
    kind: 'Event',
    apiVersion: 'audit.k8s.io/v1',
    stage: 'ResponseComplete',
    verb: 'get',
    user: { username: 'ann' },
    objectRef: { namespace: 'shop', resource: 'pods', name },
    requestReceivedTimestamp: at,
  });

async function read(...lines: string[]) {
  await writeFile(file, lines.join('\n'));
  const uses: Use[] = [];
  return { ...(await readAuditLog(file, (use) => uses.push(use))), uses };
}

const DAY = '2026-05-01T';
const SPANS: [to: string, span: string][] = [
  [`${DAY}10:00:00.250Z`, '2026-05-01T10:00:00Z to 2026-05-01T10:00:00Z (0 minutes)'],
  [`${DAY}10:59:00Z`, '2026-05-01T10:00:00Z to 2026-05-01T10:59:00Z (59 minutes)'],
  [`${DAY}11:00:00Z`, '2026-05-01T10:00:00Z to 2026-05-01T11:00:00Z (1 hours)'],
  ['2026-05-04T09:00:00Z', '2026-05-01T10:00:00Z to 2026-05-04T09:00:00Z (71 hours)'],
  ['2026-05-04T10:00:00Z', '2026-05-01T10:00:00Z to 2026-05-04T10:00:00Z (3 days)'],
];
for (const [to, span] of SPANS)
  test(`the time of the log is from its first to its last event, in any order: ${span}`, async () => {
    assert.is((await read(event(to), event(`${DAY}10:00:00Z`))).span, span);
  });

test('each use is counted, blank lines are skipped, and what is no event is named with its first line', async () => {
  const good = event(`${DAY}10:00:00Z`);
  assert.equal((await read(good, '', '  ', good)).problems, []);
  const { events, problems, uses } = await read(good, '', 'broken', event(`${DAY}10:00:00Z`, 'db'), '{}');
  assert.equal([events, problems], [2, [`${file}:3: 2 lines are no audit event`]]);
  assert.equal(
    uses.map(({ request }) => 'name' in request && request.name),
    ['web', 'db'],
  );
  assert.equal((await read(good, '{}')).problems, [`${file}:2: a line is no audit event`]);
});

test('a log without an event, or without a time, tells nothing', async () => {
  for (const lines of [[], ['{}'], [event('yesterday')]]) {
    const error: unknown = await read(...lines).catch((reason: unknown) => reason);
    assert.instance(error, InputError);
    assert.is((error as Error).message, `--audit-log ${file}: no event of audit.k8s.io with a time in it`);
  }
});

test.run();
