import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Io } from '../../../src/modes/mode.ts';
import { coloured, diffLine, isColourful } from '../../../src/modes/offline/colour.ts';
import { forTerminal } from '../../../src/modes/offline/terminal.ts';

const test = suite('colours of a terminal');

const MARKS: Record<string, string> = { 1: 'b', 22: '/b', 36: 'cyan', 32: 'green', 31: 'red', 39: '/', 2: 'dim' };
/** The text with a readable name for each escape sequence. */
// oxlint-disable-next-line no-control-regex
const readable = (text: string): string => text.replaceAll(/\u001b\[(\d+)m/g, (_, code: string) => `<${MARKS[code] ?? code}>`);

const LINES: [what: string, markdown: string, painted: string, inText?: string][] = [
  ['a title', '# a', '<b># a</b>', '<b>a</b>'],
  ['a heading', '## a', '<b><cyan>## a</></b>', '<b><cyan>A</></b>'],
  ['a third level is a line', '### a', '### a', '### a'],
  ['bold words at the start of a line', '**a:** b **c**', '<b>**a:**</b> b **c**', '<b>a:</b> b c'],
  ['a bold mark without words', '****', '<b>****</b>', '<b></b>'],
  ['bold words inside a line', 'a **b**', 'a **b**', 'a b'],
  ['asterisks without an end', '**a', '**a', 'a'],
  ['a line', 'a', 'a', 'a'],
];
for (const [what, markdown, painted, text] of LINES)
  test(what, () => assert.equal([readable(coloured(markdown)), readable(forTerminal(markdown, true))], [painted, text]));

const TERMINALS: [isTTY: boolean | undefined, env: NodeJS.ProcessEnv, colourful: boolean][] = [
  [true, {}, true],
  [true, { NO_COLOR: '' }, true],
  [true, { NO_COLOR: '1' }, false],
  [true, { TERM: 'dumb' }, false],
  [false, {}, false],
  [undefined, {}, false],
];
for (const [isTTY, env, colourful] of TERMINALS)
  test(`${isTTY ? 'a terminal' : 'a file'} ${JSON.stringify(env)} ${colourful ? 'has' : 'has no'} colours`, () =>
    assert.is(isColourful({ stdout: { isTTY }, env } as unknown as Io), colourful));

test('a diff is coloured by its signs, other code is not; a longer fence holds a shorter one', () => {
  const markdown = ['```diff', '- a', '+ b', '  # c', '```', '````sh', '- a', '```', '# d', '````', '# e'].join('\n');
  assert.is(
    readable(coloured(markdown)),
    [
      '<dim>```diff</b>',
      '<red>- a</>',
      '<green>+ b</>',
      '  # c',
      '<dim>```</b>',
      '<dim>````sh</b>',
      '- a',
      '```',
      '# d',
      '<dim>````</b>',
      '<b># e</b>',
    ].join('\n'),
  );
  assert.is(
    readable(forTerminal(markdown, true)),
    ['  <red>- a</>', '  <green>+ b</>', '    # c', '  - a', '  ```', '  # d', '<b>e</b>'].join('\n'),
  );
});

test('a line of a diff has the colour of its first sign', () => {
  assert.equal(
    ['+a-', '-a+', ' +a', ''].map((line) => readable(diffLine(line))),
    ['<green>+a-</>', '<red>-a+</>', ' +a', ''],
  );
});

test.run();
