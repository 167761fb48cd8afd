import { test } from 'uvu';
import * as assert from 'uvu/assert';
import {
  clipped,
  codeBlock,
  escaped,
  fitted,
  HTML,
  inert,
  mapTexts,
  MARKDOWN,
  oneLine,
  plain,
  shortened,
  unlinked,
  withoutLinks,
} from '../../../src/notifications/types/text.ts';
import { colourOf, headOf, linesOf } from '../../../src/notifications/types/words.ts';
import { aNotification } from '../../support/notifications/incident.ts';

/** Shows the invisible joiner. */
const seen = (text: string) => text.replaceAll('\u2060', '·');

const texts: [says: string, made: string, expected: string][] = [
  ['a text that fits is whole', clipped('abc', 3), 'abc'],
  ['a cut text ends with an ellipsis, within its length', clipped('abcd', 3), 'ab…'],
  ['characters of two units are not halved', clipped('a😀b', 3), 'a…'],
  ['the encoded length counts', clipped('<<a', 8, HTML), '&lt;…'],
  ['control characters and directions are replaced', plain('a\u0000\u202eb\u200bc\td\ne'), 'a\ufffd\ufffdb\ufffdc\td\ne'],
  ['Windows line ends are plain ones', plain('a\r\nb'), 'a\nb'],
  ['half a character is none', plain('a\ud83d'), 'a\ufffd'],
  ['a long text is cut to 8,000 characters', String(plain('x'.repeat(9_000)).length), '8000'],
  ['blanks on one line are one', oneLine(' a \n\t b '), 'a b'],
  [
    'addresses are no links',
    seen(withoutLinks('http://a www.a mailto:b xwww.a tel:1 sip:x xmpp:y')),
    'http:·//a www·.a mailto·:b xwww.a tel·:1 sip·:x xmpp·:y',
  ],
  ['nobody is mentioned', seen(unlinked('@all a@b @ c')), '@·all a@·b @ c'],
  ['neither tags nor Markdown links', seen(inert('<a> < b [x](y)')), '<·a> < b [x]·(y)'],
  ['HTML', escaped('<a href="x">&'), '&lt;a href=&quot;x&quot;&gt;&amp;'],
  [
    'Markdown',
    Array.from('\\`*_{}[]()#+-!|<>~:&.a1 ', MARKDOWN).join(''),
    '\\\\\\`\\*\\_\\{\\}\\[\\]\\(\\)\\#\\+\\-\\!\\|\\<\\>\\~\\:\\&\\.a1 ',
  ],
  ['a block cannot be ended from inside', codeBlock('a```b', 100), "```\na'''b\n```"],
  ['a block has its length with its fences', String(codeBlock('x'.repeat(100), 50).length), '50'],
];
for (const [says, made, expected] of texts) test(says, () => assert.is(made, expected));

test('a mapping reaches every text of a message, and nothing else', () => {
  const { id, key, event, link, startedAt, at, ...said } = mapTexts(aNotification(), (text) => `<${text}>`);
  const before = aNotification();
  assert.equal([id, key, event, link, startedAt, at], [before.id, before.key, before.event, before.link, before.startedAt, before.at]);
  assert.equal(said, {
    ...{ title: `<${before.title}>`, text: `<${before.text}>`, news: `<${before.news}>`, cluster: '<test>', namespace: '<shop>' },
    ...{ workload: '<Deployment/web>', reason: '<CrashLoopBackOff>', facts: [{ name: '<Cluster>', value: '<test>' }] },
    sections: [{ title: '<Why>', text: '<The command does not exist.>' }],
  });
});

const long = 'x'.repeat(7_000);
const LONG = aNotification({
  ...{ title: long, text: long, news: long, cluster: long, namespace: long, workload: long, reason: long },
  facts: Array.from({ length: 12 }, () => ({ name: long, value: long })),
  sections: Array.from({ length: 7 }, () => ({ title: long, text: long })),
});
const sizes = (share: number) => {
  const said = shortened(LONG, share);
  const [fact, section] = [said.facts[0], said.sections[0]];
  const names = [said.title, said.news, said.cluster, said.namespace, said.workload, said.reason].map(({ length }) => length);
  return {
    names,
    text: said.text.length,
    facts: [said.facts.length, fact?.name.length, fact?.value.length],
    sections: [said.sections.length, section?.title.length, section?.text.length],
  };
};
test('a message is shortened by shares: names stay, texts and sections shrink', () => {
  const names = [200, 300, 100, 100, 200, 100];
  assert.equal(sizes(1), { names, text: 2_000, facts: [10, 60, 300], sections: [5, 100, 6_000] });
  assert.equal(sizes(0.5), { names, text: 1_000, facts: [10, 60, 150], sections: [3, 100, 3_000] });
  assert.equal(sizes(0), { names, text: 200, facts: [10, 60, 80], sections: [0, undefined, undefined] });
});

test('what is empty gets a word where services want one', () => {
  const empty = { title: ' ', text: ' ', news: '', cluster: '', namespace: '', workload: '', reason: '' };
  const said = shortened(aNotification({ ...empty, facts: [{ name: '', value: '' }], sections: [{ title: '', text: '' }] }), 1);
  assert.equal([said.title, said.text, said.news], ['Failure', '', '']);
  assert.equal([said.cluster, said.namespace, said.workload, said.reason], ['-', '-', '-', '-']);
  assert.equal([said.facts, said.sections], [[{ name: '-', value: '-' }], [{ title: '-', text: '-' }]]);
});

test('the body is the longest that fits; if none does, the shortest', () => {
  const sections = (max: number) => (JSON.parse(fitted(LONG, max, (said) => said)) as { sections: unknown[] }).sections.length;
  assert.equal([sections(100_000), sections(20_000), sections(10_000), sections(5_000), sections(100)], [5, 3, 2, 1, 0]);
  const whole = Buffer.byteLength(fitted(LONG, 100_000, (said) => said));
  assert.equal([sections(whole), sections(whole - 1)], [5, 3]);
});

test('a message begins with the sign of its state, and has its colour', () => {
  const of = (event: 'resolved' | 'test' | 'finding' | 'verdict') => [
    headOf(aNotification({ event, title: 't' })),
    colourOf({ event }).toString(16),
  ];
  assert.equal(
    [of('resolved'), of('test'), of('finding'), of('verdict')],
    [
      ['🟢 t', '2ea043'],
      ['🔵 t', '1f6feb'],
      ['🟠 t', 'd29922'],
      ['🔴 t', 'cf222e'],
    ],
  );
});

test('as plain text, a message has news, text, facts and sections, without empty parts', () => {
  assert.is(
    linesOf(aNotification()),
    'A new incident\n\nback-off 5m0s restarting failed container\n\nCluster: test\n\nWhy\nThe command does not exist.',
  );
  assert.is(linesOf(aNotification({ news: '', text: '', facts: [], sections: [] })), '');
});

test.run();
