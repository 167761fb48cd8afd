import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ChatProvider } from '../../src/chat/providers.ts';
import { teller } from '../../src/chat/send-message.ts';
import { HttpError, type HttpAnswer } from '../../src/http.ts';

const NOW = new Date('2026-06-01T00:00:00Z');
const MESSAGE = { title: 'Done', lines: [] };
const chat = (type: 'slack' | 'teams'): ChatProvider => ({
  ...{ name: 'team', type, provider: {} as never },
  target: { address: 'https://chat.example/api', channel: undefined, format: undefined, secret: { token: 'bot' } },
});
const SLACK = { chat: 'slack' as const, channel: 'C', thread: 'T' };
const TEAMS = { chat: 'teams' } as never;

function world(answer: Partial<HttpAnswer> | Error = {}) {
  const asked: [path: string, authorization: string | undefined, fields: Record<string, unknown>][] = [];
  const clientFor =
    () =>
    async (url: string, { headers, body }: { headers?: Record<string, string>; body?: string } = {}) => {
      const { blocks: _1, text: _2, ...fields } = JSON.parse(body ?? '{}') as Record<string, unknown>;
      asked.push([new URL(url).pathname, headers?.['authorization'], fields]);
      if (answer instanceof Error) throw answer;
      return { status: 200, headers: {}, body: '{"ok":true,"ts":"9.9","channel":"C"}', ...answer };
    };
  return { tell: teller({ clientFor: clientFor as never, now: () => NOW }), asked };
}
const QUIET = { unfurl_links: false, unfurl_media: false, parse: 'none', link_names: false, mrkdwn: false };

test('a new message goes into the thread, and says where it is', async () => {
  const { tell, asked } = world();
  assert.equal(await tell.say(chat('slack'), SLACK, MESSAGE), { ok: true, place: { ...SLACK, message: '9.9' } });
  assert.equal(asked, [['/api/chat.postMessage', 'Bearer bot', { channel: 'C', thread_ts: 'T', ...QUIET }]]);
});

test('a message that is there is changed; without one, a new one is posted', async () => {
  const { tell, asked } = world();
  await tell.update(chat('slack'), { ...SLACK, message: '1.1' }, MESSAGE);
  await tell.update(chat('slack'), SLACK, MESSAGE);
  assert.equal(asked, [
    ['/api/chat.update', 'Bearer bot', { channel: 'C', ts: '1.1', ...QUIET }],
    ['/api/chat.postMessage', 'Bearer bot', { channel: 'C', thread_ts: 'T', ...QUIET }],
  ]);
});

test('a whisper is for one person, and its message cannot be changed later', async () => {
  const { tell, asked } = world();
  assert.equal(await tell.whisper(chat('slack'), { place: SLACK, user: 'U' }, MESSAGE), { ok: true, place: SLACK });
  assert.equal(asked, [['/api/chat.postEphemeral', 'Bearer bot', { channel: 'C', user: 'U', thread_ts: 'T', ...QUIET }]]);
});

test('Teams gets everything as a new message, without a token', async () => {
  const { tell, asked } = world({ status: 202, body: '' });
  for (const sent of [
    tell.say(chat('teams'), TEAMS, MESSAGE),
    tell.update(chat('teams'), TEAMS, MESSAGE),
    tell.whisper(chat('teams'), { place: TEAMS, user: 'U' }, MESSAGE),
  ])
    assert.equal(await sent, { ok: true, place: { chat: 'teams' } });
  assert.equal(
    asked.map(([path, authorization, { type }]) => [path, authorization, type]),
    Array.from({ length: 3 }, () => ['/api', undefined, 'message']),
  );
});

test('what the chat refuses, or does not answer, is told with the wait that it asks for', async () => {
  const said = async (answer: Partial<HttpAnswer> | Error) =>
    world(answer).tell.whisper(chat('slack'), { place: SLACK, user: 'U' }, MESSAGE);
  assert.equal(await said({ body: '{"ok":false,"error":"channel_not_found"}' }), { ok: false, reason: 'NoSuchChannel' });
  assert.equal(await said({ status: 429, headers: { 'retry-after': '7' }, body: '' }), {
    ok: false,
    reason: 'RateLimited',
    retryAfterMs: 7_000,
  });
  assert.equal(await said(new HttpError('https://chat.example', 'TIMEOUT', 'late')), { ok: false, reason: 'Timeout' });
});

test.run();
