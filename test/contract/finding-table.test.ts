import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { csvHead, csvRows, type Exported, FILE_TABLE, FINDING_TABLE } from '../../src/contract/finding-table.ts';
import { aFindingReport } from '../support/builders/finding.ts';

const asCsv = (finding: Exported): string => csvHead(FINDING_TABLE) + csvRows(FINDING_TABLE, [finding]);

const table = suite('findings as a table');
table('there is a line for the names and one for each finding', () => {
  const [names, line, ...rest] = asCsv(aFindingReport()).split('\r\n');
  assert.is(
    names,
    '"id","severity","check_name","resource_type","namespace","resource_name","container","message","remediation","status","first_seen","last_seen","source"',
  );
  assert.match(line ?? '', /^"","high","privileged","Pod","shop","web-1","app","container app is privileged","Set privileged to false\.",/);
  assert.equal(rest, ['']);
});
table('findings in files have their place instead of times', () => {
  assert.is(
    csvHead(FILE_TABLE),
    '"severity","check_name","resource_type","namespace","resource_name","container","message","remediation","file","line"\r\n',
  );
  const { details: _, ...finding } = { ...aFindingReport(), file: 'a.yaml', line: 7 };
  assert.match(csvRows(FILE_TABLE, [finding, finding]), /^("high","privileged","Pod","shop","web-1","",.*,"a\.yaml","7"\r\n){2}$/);
});
table('what is neither a text nor a number is an empty cell', () => {
  assert.is(
    csvRows(['message', 'id', 'container'], [{ ...aFindingReport(), id: 0, message: null as never, details: { container: {} } }]),
    '"","0",""\r\n',
  );
});
for (const [sentence, message, expected] of [
  ['a comma', 'a, b', '"a, b"'],
  ['a quote', 'a "b"', '"a ""b"""'],
  ['a line break', 'a\nb', '"a\nb"'],
  ['a formula', '=HYPERLINK("x")', `"'=HYPERLINK(""x"")"`],
  ['a formula behind a blank', ' =1', `"' =1"`],
  ['a negative number', '-1', `"'-1"`],
  ['a bar', '|x', `"'|x"`],
  ['a percent sign', '%x', `"'%x"`],
  ['a formula behind a tabulator', '\t=1', `"'\t=1"`],
  ['a sign that is not first', 'a=1', '"a=1"'],
  ['a sum', '+1', `"'+1"`],
  ['a reference', '@SUM(A1)', `"'@SUM(A1)"`],
] as const)
  table(`a text with ${sentence} is safe`, () => assert.ok(asCsv(aFindingReport({ message })).includes(`,${expected},`)));
table.run();
