import { undoCommand } from '../../changes/revision-change.ts';
import { code } from '../../rendering/quote.ts';
import { givenIn } from '../../corrections/given-values.ts';
import { writtenInstead } from '../../corrections/replace-text.ts';
import type { RuleInput } from '../../facts/input.ts';
import { phraseIn } from '../../facts/phrase.ts';
import type { Meaning } from '../../corrections/meaning.ts';
import type { Signature } from './signature.ts';

/** The name of the only setting with this value, before an equals sign. */
function givenAs(input: RuleInput, value: string): string {
  const place = input.place();
  const [only, ...more] = place ? givenIn(place).filter((one) => one.value === value) : [];
  return only && more.length === 0 ? `${only.name}=` : '';
}

/** Messages about existing rows that violate a new constraint. Only a change of the schema causes them. */
const ROWS =
  /column ["'`]?[\w.]{1,100}["'`]? (?:of relation "[^"]{1,100}" )?contains null values|could not create unique index|is violated by some row|statement conflicted with the (?:FOREIGN KEY|CHECK)|terminated because a duplicate key was found|ORA-0(?:2296|2293|2298|2299|2437|1452)\b|[Ii]nvalid use of NULL value/;
/** Messages about a row that violates a constraint, whether old or new. */
const ROW =
  /violates (?:not-null|unique|foreign key|check|exclusion) constraint|(?:NOT NULL|UNIQUE|FOREIGN KEY|CHECK) constraint failed|Duplicate entry '[^']{0,200}' for key|[Cc]annot (?:add or update a child|delete or update a parent) row|Check constraint '[^']{1,100}' is violated|Column '[^']{1,100}' cannot be null|Cannot insert the value NULL into column|Violation of (?:PRIMARY|UNIQUE) KEY|E11000 duplicate key|Unique constraint failed on|ORA-0(?:0001|1400|2290|2291|2292)\b|\b(?:NotNull|Unique|ForeignKey|Check)Violation\b/;
const MIGRATES = /migrat|changeset|liquibase|flyway|alembic|\bgoose\b|\balter table\b|\badd constraint\b|create unique index/i;

const HINTS = [
  'unique index',
  'violated',
  'violates',
  'violation',
  'conflicted with',
  'duplicate key',
  'constraint failed',
  'duplicate entry',
  'child row',
  'parent row',
  'cannot be null',
  'value null',
  'null value',
  'ora-0',
];

/** What such a line means. `isOld`: the rows were there before the change of the schema. */
function meaning(input: RuleInput, line: string, isOld: boolean): Meaning {
  const { revisions } = input.subject.surroundings ?? {};
  const back = revisions && revisions.serving > 0 ? revisions : undefined;
  return {
    because: isOld
      ? `data that is in the database already stands in the way of its change: ${code(phraseIn(line), 160)}`
      : `the database refuses a row for what it holds already or must hold: ${code(phraseIn(line), 160)}`,
    culprit: phraseIn(line),
    advice: [
      isOld
        ? 'Correct the rows that break the constraint, or let the migration do so before it adds the constraint. Then it can run again.'
        : 'Compare what the program writes with the rows that are there. It may have written them in an earlier run.',
      ...(back ? [`Pods of revision ${back.before} still serve. Going back to it gives time to see to the data.`] : []),
    ],
    ...(back ? { commands: [undoCommand(input, back)] } : {}),
    whereToLook: 'the rows of the table that the line names, and the constraint',
  };
}

/** Data that violates a constraint, as databases and migration tools report it. */
export const existingDataSignatures: readonly Signature[] = [
  {
    id: 'data-of-another-name',
    hints: ['differs from'],
    // As Cassandra writes it.
    pattern: /\((?<old>[^()\s]{1,60})\) differs from (?:the )?(?:previous|existing|stored|current) [\w ]{2,40}\((?<young>[^()\s]{1,60})\)/,
    explain: ({ old = '', young = '' }, input) => ({
      because: `the data on its volume was made with the name ${code(young)}, and the program is now called ${code(old)}`,
      culprit: `${givenAs(input, old)}${old} (data of ${young})`,
      advice: [`Use the name ${code(young)} again. To rename it, the data must be moved as the program describes it.`],
      corrections: writtenInstead(
        input,
        { from: old, to: young },
        { why: 'the data was made with it', explanation: `The program takes no data of ${code(young)} under another name.` },
      ),
      whereToLook: 'the setting with this name, and the volume with the data',
    }),
  },
  {
    id: 'rows-against-migration',
    hints: HINTS,
    pattern: new RegExp(`${ROWS.source}|^(?=.{0,900}(?:${ROW.source})).{0,900}?(?:${insensitive(MIGRATES.source)})`),
    explain: (_, input, line) => meaning(input, line, true),
  },
  {
    // Programs that keep running log the same, so a more specific line is better.
    id: 'row-refused',
    general: true,
    hints: HINTS,
    pattern: ROW,
    explain: (_, input, line) => meaning(input, line, false),
  },
];

/** Makes the words of a pattern match in upper and lower case, where the rest of the pattern has a fixed case. */
function insensitive(source: string): string {
  return source.replaceAll(/(?<!\\)[a-z]/g, (letter) => `[${letter}${letter.toUpperCase()}]`);
}
