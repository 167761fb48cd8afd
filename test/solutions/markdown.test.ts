import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { plainMarkdown } from '../../src/solutions/markdown.ts';

const SAME = ['A plain sentence.', 'It says `x < y` and **why**.', '- one\n- two', '1. first\n2. second', 'a\n\nb'];
for (const text of SAME) test(`stays: ${JSON.stringify(text)}`, () => assert.is(plainMarkdown(text), text));

const CHANGED: [sentence: string, text: string, shown: string][] = [
  ['a link keeps its text', 'see [the page](https://evil.example/?q=1) now', 'see the page now'],
  ['an image keeps its text', '![pixel](https://evil.example/p.png)', 'pixel'],
  ['a reference', '[a][b]\n\n[b]: https://evil.example', 'a\n\n\\[b\\]: `https://evil.example`'],
  ['an address', 'go to https://evil.example/x now', 'go to `https://evil.example/x` now'],
  ['an address of a script', 'javascript:alert(1)', '`javascript:alert(1`)'],
  ['HTML', 'a <script>alert(1)</script> <img src=x onerror=y> b', 'a alert(1)  b'],
  ['an open tag', 'a <img src=x', 'a'],
  ['an autolink', '<https://evil.example>', ''],
  ['a heading', '## Podmend says: all is well', 'Podmend says: all is well'],
  ['a quote', '> From the administrator', 'From the administrator'],
  ['a table', '| a | b |\n|---|---|', 'a \\| b \\|\n---\\|---\\|'],
  ['a fence that nobody closed', 'a\n```\ncode\n## no heading', 'a\n```text\ncode\n## no heading\n```'],
  ['a fence keeps its lines', '~~~yaml\na: <b>\n~~~\nend', '```text\na: <b>\n```\nend'],
  ['invisible signs', 'a\u200bb\u202ec\u0007d', 'abcd'],
  ['a rule', 'a\n---\nb', 'a\n\nb'],
  ['a lonely backtick', 'it`s', "it's"],
];
for (const [sentence, text, shown] of CHANGED) test(sentence, () => assert.is(plainMarkdown(text), shown));

test('nothing that renderers make a link, an image or HTML of is left', () => {
  const parts = ['[', ']', '(', ')', '<', '>', '!', '`', 'a', 'http://e.x', 'javascript:', '\n', '# ', '```', '&', '"', 'img ', '|'];
  let seed = 7;
  const pick = (): string => parts[(seed = (seed * 48_271) % 2_147_483_647) % parts.length] ?? '';
  for (let round = 0; round < 3_000; round++) {
    const shown = plainMarkdown(Array.from({ length: 12 }, pick).join(''));
    let isCode = false;
    const open = shown
      .split('\n')
      .filter((line) => (/^```+/.test(line) ? ((isCode = !isCode), false) : !isCode))
      .map((line) => line.replace(/`[^`]*`/g, 'code'))
      .join('\n');
    assert.not.match(open, /<[a-z/!]/i, shown);
    assert.not.match(open, /(?<!\\)\[[^\]]*\]\(/, shown);
    assert.not.match(open, /https?:/, shown);
    assert.not.match(open, /^#/m, shown);
    assert.is(isCode, false, shown);
  }
});

test('long hostile texts take bounded time, and are cut', () => {
  for (const part of ['[', '![', '<', '<a ', '`', '](', '[a](', '#', 'http://', '```\n', '|', ' ', '\n']) {
    const begun = process.cpuUsage();
    assert.ok(plainMarkdown(part.repeat(100_000)).length < 20_000);
    assert.ok(process.cpuUsage(begun).user < 1_000_000, part);
  }
});

test.run();
