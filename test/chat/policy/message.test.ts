import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { fitted, headOf, slackFields, tailOf, teamsBody } from '../../../src/chat/policy/message.ts';

const message = {
  title: 'x'.repeat(5_000),
  lines: ['DB_PASSWORD=hunter2', ...Array.from({ length: 20 }, () => 'y'.repeat(5_000))],
  code: { title: 'Log', text: 'z'.repeat(50_000) },
};

test('an answer is masked and cut for every chat', () => {
  for (const made of [slackFields, teamsBody]) {
    const text = JSON.stringify(made(message));
    assert.not.match(text, 'hunter2');
    assert.ok(text.length < 30_000, `${made.name}: ${text.length} characters`);
  }
});

test('an answer has a title of one line, at most eight lines, and no empty text', () => {
  const { title, lines, code, link } = fitted({
    title: ' a\n b ',
    lines: ['', ...Array.from({ length: 9 }, () => ' x ')],
    code: { title: 'Log', text: '' },
    link: 'l',
  });
  assert.equal([title, lines, code, link], ['a b', ['-', ...Array.from({ length: 7 }, () => 'x')], { title: 'Log', text: '-' }, 'l']);
  assert.is(fitted({ title: '', lines: [] }).title, '-');
});

test('of a long text whole lines are kept, and the others are counted', () => {
  // With its end, each of the 20 lines has 200 characters; 14 of them fit into 2,800.
  const lines = Array.from({ length: 20 }, (_, n) => String(n).padStart(199, '0'));
  assert.equal(tailOf(`${lines.join('\n')}\n\n`), { text: lines.slice(6).join('\n'), cut: 6 });
  assert.equal(headOf(lines.join('\n')), { text: lines.slice(0, 14).join('\n'), cut: 6 });
  assert.equal(tailOf(lines.slice(6).join('\n')).cut, 0);
  assert.is(tailOf('x'.repeat(500)).text.length, 400);
});

test('Slack gets the title, the lines, the code and our own link; nothing else is markup', () => {
  const { text, blocks, ...quiet } = slackFields({
    title: '<@U1> *a*',
    lines: ['b'],
    code: { title: 'Log', text: 'c' },
    link: 'https://p/1',
  }) as {
    text: string;
    blocks: object[];
  };
  const section = (said: string) => ({ type: 'section', text: { type: 'plain_text', text: said, emoji: false } });
  assert.match(text, '&lt;@');
  assert.equal(blocks, [
    ...[section('<@U1> *a*'), section('b'), section('Log')],
    { type: 'rich_text', elements: [{ type: 'rich_text_preformatted', elements: [{ type: 'text', text: 'c' }] }] },
    { type: 'section', text: { type: 'mrkdwn', verbatim: true, text: '<https://p/1|Open in Podmend>' } },
  ]);
  assert.equal(quiet, { unfurl_links: false, unfurl_media: false, parse: 'none', link_names: false, mrkdwn: false });
  const bare = slackFields({ title: 'a', lines: [], subject: { incident: 7, record: 70 } }) as { blocks: { type: string }[] };
  assert.equal(
    bare.blocks.map(({ type }) => type),
    ['section', 'actions'],
  );
});

test('Teams gets them as lines of a card', () => {
  const card = teamsBody({ title: 'a', lines: ['b'], code: { title: 'Log', text: 'c' }, link: 'https://p/1' }) as {
    attachments: [
      { content: { body: { inlines: { text: string; fontType?: string; weight?: string }[] }[]; actions?: [{ url: string }] } },
    ];
  };
  const { body, actions } = card.attachments[0].content;
  assert.equal(
    body.map(({ inlines: [run] }) => [run?.text, run?.weight, run?.fontType]),
    [
      ['a', 'Bolder', undefined],
      ['b', undefined, undefined],
      ['Log', 'Bolder', undefined],
      ['c', undefined, 'Monospace'],
    ],
  );
  assert.is(actions?.[0].url, 'https://p/1');
});

test.run();
