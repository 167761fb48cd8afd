import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type FindingPage, findingRepository } from '../../src/db/findings.ts';
import { preparedNames } from '../../src/db/prepared.ts';
import type { Database } from '../../src/db/schema.ts';

const test = suite('which pages are prepared');

const SCOPE = { namespaces: '*' as const, hidden: [] };
const PAGES: [what: string, page: FindingPage, isPrepared: boolean][] = [
  ['a whole list', {}, true],
  ['a page', { limit: 100, scope: SCOPE }, true],
  ['the next page', { limit: 100, before: 7, scope: SCOPE }, true],
  ['a filter that is not set', { limit: 100, namespace: undefined, q: undefined }, true],
  ['a namespace', { limit: 100, namespace: 'shop' }, false],
  ['a search', { q: 'web' }, false],
  ['a severity', { severity: 'high' }, false],
];
for (const [what, page, isPrepared] of PAGES)
  test(`${what} is ${isPrepared ? 'prepared' : 'not prepared'}, with its content and without`, async () => {
    const texts: string[] = [];
    const db = new Kysely<Database>({
      dialect: {
        createAdapter: () => new PostgresAdapter(),
        createDriver: () => new DummyDriver(),
        createIntrospector: (own) => new PostgresIntrospector(own),
        createQueryCompiler: () => new PostgresQueryCompiler(),
      },
      log: ({ query }) => void texts.push(query.sql),
    });
    const { list } = findingRepository(db);
    const { rows, last } = await list.page(page);
    await list.version(page);
    assert.equal([rows, last], [[], undefined]);
    const nameOf = preparedNames();
    assert.equal(
      texts.map((text) => nameOf(text) !== undefined),
      [isPrepared, isPrepared],
    );
  });

test.run();
