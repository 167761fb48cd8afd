import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { existingDataSignatures } from '../../../../src/diagnosis/rules/signatures/existing-data.ts';
import { type LogRow, logRows, otherLogs, readingOf } from '../../../support/builders/log-lines.ts';

const test = suite('rows in the way of a constraint');

const old = (log: string, more: LogRow[3] = {}): LogRow => [
  log,
  log,
  `data that is in the database already stands in the way of its change: \`${log}\``,
  { advice: 'Correct the rows', where: 'the rows of the table', ...more },
];
const row = (log: string, more: LogRow[3] = {}): LogRow => [
  log,
  log,
  `the database refuses a row for what it holds already or must hold: \`${log}\``,
  { advice: 'Compare what the program writes', where: 'the rows of the table', ...more },
];
/** A row that breaks a constraint, in a line that speaks of a migration. */
const ROWS = [
  ...['not-null', 'unique', 'foreign key', 'check', 'exclusion'].map((what) => `value violates ${what} constraint "c"`),
  ...['NOT NULL', 'UNIQUE', 'FOREIGN KEY', 'CHECK'].map((what) => `${what} constraint failed: t.c`),
  "Duplicate entry 'a' for key 't.c'",
  'Cannot add or update a child row: a',
  'cannot delete or update a parent row: a',
  "Check constraint 'c' is violated.",
  "Column 'c' cannot be null",
  "Cannot insert the value NULL into column 'c'",
  "Violation of PRIMARY KEY 'c'",
  "Violation of UNIQUE KEY 'c'",
  'E11000 duplicate key: c',
  'Unique constraint failed on the fields: (c)',
  ...['0001', '1400', '2290', '2291', '2292'].map((number) => `ORA-0${number}: c`),
  ...['NotNull', 'Unique', 'ForeignKey', 'Check'].map((what) => `psycopg2.errors.${what}Violation`),
];

logRows(test, existingDataSignatures, {
  'rows-against-migration': [
    old('column "c" contains null values'),
    old('column c of relation "t" contains null values'),
    old('could not create unique index "i"'),
    old('check constraint "c" is violated by some row'),
    old('The ALTER statement conflicted with the FOREIGN KEY'),
    old('The ALTER statement conflicted with the CHECK'),
    old('terminated because a duplicate key was found'),
    ...['2296', '2293', '2298', '2299', '2437', '1452'].map((number) => old(`ORA-0${number}: no`)),
    old('Invalid use of NULL value'),
    old('invalid use of NULL value'),
    ...ROWS.map((line) => old(`Migration 5: ${line}`)),
    ...['migrating', 'Changeset', 'LIQUIBASE', 'flyway', 'alembic', 'goose', 'alter table', 'ADD CONSTRAINT', 'create unique index'].map(
      (word) => old(`${word}: NOT NULL constraint failed: t.c`),
    ),
    old('NOT NULL constraint failed: t.c (migration 5)'),
    old('Invalid use of NULL value', {
      parts: {
        surroundings: { revisions: { kind: 'Deployment', name: 'web', before: 3, serving: 2 } },
      } as object,
      commands: ['kubectl rollout undo deployment/web --to-revision=3 -n shop'],
    }),
  ],
  'row-refused': ROWS.map((line) => row(line)),
});
otherLogs(test, {
  'rows-against-migration': [
    'alter tables: NOT NULL is set',
    'E11000 duplicate key error of mongoose',
    'Migration 5 adds a unique index',
    'NOT NULL constraint failed: t.alter tables',
    'ORA-00001x',
  ],
});

const advised = (serving: number) =>
  readingOf('Invalid use of NULL value', {
    parts: { surroundings: { revisions: { kind: 'Deployment', name: 'web', before: 3, serving } } } as object,
  }).meaning;

test('where pods of an older revision serve, going back to it is advised', () => {
  assert.is(advised(1)?.advice[1], 'Pods of revision 3 still serve. Going back to it gives time to see to the data.');
  assert.equal([advised(0)?.advice.length, advised(0)?.commands], [1, undefined]);
});

test('of both lines a more specific one of the log is the cause', () => {
  const specific = 'Error: listen EADDRINUSE: address already in use :::3000';
  assert.is(readingOf(`E11000 duplicate key: c\n${specific}`).id, 'port-in-use');
  assert.is(readingOf(`Migration 5: E11000 duplicate key: c\n${specific}`).id, 'rows-against-migration');
});

test.run();
