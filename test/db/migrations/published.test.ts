import { hash } from 'node:crypto';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { MIGRATIONS } from '../../../src/db/migrations/index.ts';

// A published migration never changes, because it has run on databases already. A later one corrects it. This compares the statements, so
// comments and layout may change. Add a line for each new migration.

const PUBLISHED: Record<string, string> = {
  '001-begin': '5c70a99fba7d6bda',
  '002-tokens': '23641a7b17012009',
  '003-trial-evidence': 'bdab85cb09934551',
  '004-findings': '97e0fb8f72b4acef',
  '005-leadership': '1fade2069373cbac',
  '006-lists': 'f4c33adaa00d0261',
  '007-models': 'de7b71705adcb1df',
  '008-advice': 'dfb74a1abea5b09b',
  '009-findings-as-text': '7401c7b279dc0ad4',
  '010-verdicts': '7a0f7131036f6788',
  '011-brief-records': '7490db614c1b59c1',
  '012-notifications': '71a922eba61bb217',
  '013-past-mirrors': '2777593352228c07',
  '014-ignored-advice': '5a537d8dce91f226',
  '014-replica-messages': '06a80322be33db9d',
  '015-incident-lists': '7f08bb271d15c6a8',
  '016-chat': '9981a7307a0a3d91',
  '017-model-claims': '68b1b552ed24b540',
  '018-finding-sources': '848d4cf5cf4d5941',
  '019-finding-messages': '0a8127c4a57359a0',
  '020-workload-images': '3dd6810c741cd518',
  '021-job-records': '91e7f46f3417493d',
  '022-mirror-logs': 'fb874514649352fc',
  '023-written-manifests': 'd87b7201ccac34a0',
  '024-triage': '8823dc573e76b514',
  '025-occurrence-hours': '321b6c146e56ff53',
  '026-ended-jobs': 'd508c31780c03fab',
};

/** All statements that a migration makes on an empty database, with single blanks. */
async function statementsOf(name: string): Promise<string[]> {
  const statements: string[] = [];
  const db = new Kysely<unknown>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (own) => new PostgresIntrospector(own),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    log: ({ query }) => void statements.push(`${query.sql.replaceAll(/\s+/g, ' ').trim()} ${JSON.stringify(query.parameters)}`),
  });
  await MIGRATIONS[name]?.up(db);
  return statements;
}

const test = suite('published migrations');

test('there are those that were published, in their order', () => {
  assert.equal(Object.keys(MIGRATIONS), Object.keys(PUBLISHED));
  assert.equal(Object.keys(MIGRATIONS), Object.keys(MIGRATIONS).toSorted());
});

for (const [name, digest] of Object.entries(PUBLISHED))
  test(`${name} makes the statements with which it was published`, async () => {
    const statements = await statementsOf(name);
    assert.ok(statements.length > 0);
    assert.is(hash('sha256', statements.join('\n')).slice(0, 16), digest, statements.join('\n'));
  });

test.run();
