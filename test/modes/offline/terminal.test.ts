import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { forTerminal } from '../../../src/modes/offline/terminal.ts';

const test = suite('Markdown on a terminal');

const TABLE: [what: string, markdown: string, shown: string][] = [
  ['a title and a heading', '# shop/web: Error\n\n## What happened\n', 'shop/web: Error\n\nWHAT HAPPENED\n'],
  ['code and bold words', '**Culprit:** `key a` in **b**', 'Culprit: "key a" in b'],
  ['code that stands alone', '- **Culprit:** `key a`\n- `spec.x`: why', '- Culprit: key a\n- spec.x: why'],
  ['code after a colon with more behind it', 'set: `x` now', 'set: "x" now'],
  ['code at the start of a line', '`x` is y', '"x" is y'],
  ['bold words, and code in them', '**a `b`:** c', 'a "b": c'],
  ['a title and a heading with code', '# `a`\n## `b` c', '"a"\n"B" C'],
  ['code with blanks at its ends', 'it is `` `a` `` here', 'it is "`a`" here'],
  ['code of several backticks inside', 'it is ``` a``b ``` here', 'it is "a``b" here'],
  ['a fence with another word', '```Sh\na', '```Sh\na'],
  ['code that holds quotes', 'run `echo "a"` now', `run 'echo "a"' now`],
  ['code that holds asterisks', 'the path `a/**/b` stays', 'the path "a/**/b" stays'],
  ['code that holds backticks', 'it is `` a`b `` here', 'it is "a`b" here'],
  ['a backtick alone', "don't ` touch", "don't ` touch"],
  ['fenced text is indented and stays', '```sh\necho `date` **\n# no heading\n```\nend', '  echo `date` **\n  # no heading\nend'],
  ['a longer fence', '````text\n```\n````', '  ```'],
];
for (const [what, markdown, shown] of TABLE) test(what, () => assert.is(forTerminal(markdown, false), shown));

test('colours change no character', () => {
  const markdown = '# a\n\n## b\n\n**c** `d`\n\n```diff\n- e\n+ f\n```\n';
  const coloured = forTerminal(markdown, true);
  assert.ok(coloured.includes('\u001b['));
  // oxlint-disable-next-line no-control-regex
  assert.is(coloured.replaceAll(/\u001b\[[\d;]*m/g, ''), forTerminal(markdown, false));
});

test.run();
