import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { slackFields, teamsBody } from '../../../src/chat/policy/message.ts';

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

test.run();
