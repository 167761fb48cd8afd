import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import Markdown from 'react-markdown';
import gfm from 'remark-gfm';
import { plainMarkdown } from '../../../src/models/policy/markdown.ts';

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
  ['a table', '| a | b |\n|---|---|', 'a \\| b \\|'],
  ['a fence that nobody closed', 'a\n```\ncode\n## no heading', 'a\n```text\ncode\n## no heading\n```'],
  ['a fence keeps its lines', '~~~yaml\na: <b>\n~~~\nend', '```text\na: <b>\n```\nend'],
  ['invisible signs', 'a\u200bb\u202ec\u0007d', 'abcd'],
  ['a rule', 'a\n---\nb', 'a\n\nb'],
  ['a backslash before code, which ends it for others', '\\`[x](javascript:alert(1))`', '\\\\`[x](javascript:alert(1))`'],
  ['a backslash before HTML in code', '\\`<img src=x onerror=y>`', '\\\\`<img src=x onerror=y>`'],
  ['a link over two lines with backslashes', '\\[x\ny\\](//evil.example)', '\\\\\\[x\ny\\\\\\](//evil.example)'],
  ['an underline that makes a heading', 'All is well\n-', 'All is well'],
  ['a heading in a list', '- # All is well', '- All is well'],
  ['a quote and a heading in lists', '> - > 1. # All is well', '- 1. All is well'],
  ['a rule of stars', 'a\n* * *\nb', 'a\n\nb'],
  ['a table without lines', 'a\n:-\nb', 'a\n\nb'],
  ['an e-mail address', 'write to admin@evil.example', 'write to `admin@evil.example`'],
  ['a lonely backtick', 'it`s', "it's"],
];
for (const [sentence, text, shown] of CHANGED) test(sentence, () => assert.is(plainMarkdown(text), shown));

/** The output of a renderer that trusts all addresses. */
const rendered = (children: string): string =>
  renderToStaticMarkup(createElement(Markdown, { children, remarkPlugins: [gfm], urlTransform: (address: string) => address }));

test('nothing is left that renderers turn into a link, an image or HTML', () => {
  const parts = [
    '[',
    ']',
    '(',
    ')',
    '<',
    '>',
    '!',
    '`',
    'a',
    'http://e.x',
    'javascript:',
    '\n',
    '# ',
    '```',
    '&',
    '"',
    'img ',
    '|',
    '\\',
    '- ',
    '-',
    '=',
    ':',
    'a@b.c',
  ];
  let seed = 7;
  const pick = (): string => parts[(seed = (seed * 48_271) % 2_147_483_647) % parts.length] ?? '';
  for (let round = 0; round < 3_000; round++) {
    const shown = plainMarkdown(Array.from({ length: 12 }, pick).join(''));
    if (round % 6 === 0)
      assert.not.match(rendered(shown), /<(?!\/|(?:p|ul|ol|li|code|pre|em|strong|del|br)\b)|&lt;(?:img|a)\b(?![^<]*<\/code>)/, shown);
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
