import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { csvHead, csvRows, type Exported, FINDING_TABLE } from '../../src/contract/finding-table.ts';
import { aFindingReport } from '../support/builders/finding.ts';

const asCsv = (finding: Exported): string => csvHead(FINDING_TABLE) + csvRows(FINDING_TABLE, [finding]);

const table = suite('findings as a table');
table('there is a line for the names and one for each finding', () => {
  const [names, line, ...rest] = asCsv(aFindingReport()).split('\r\n');
  assert.match(names ?? '', /^"id","severity","check_name","resource_type","namespace","resource_name","container",/);
  assert.match(line ?? '', /^"","high","privileged","Pod","shop","web-1","app","container app is privileged","Set privileged to false\.",/);
  assert.equal(rest, ['']);
});
for (const [sentence, message, expected] of [
  ['a comma', 'a, b', '"a, b"'],
  ['a quote', 'a "b"', '"a ""b"""'],
  ['a line break', 'a\nb', '"a\nb"'],
  ['a formula', '=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
  ['a formula behind a blank', ' =1', `"' =1"`],
  ['a sum', '+1', `"'+1"`],
  ['a reference', '@SUM(A1)', `"'@SUM(A1)"`],
] as const)
  table(`a text with ${sentence} is safe`, () => assert.ok(asCsv(aFindingReport({ message })).includes(`,${expected},`)));
table.run();
