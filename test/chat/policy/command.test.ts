import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Command, readCommand } from '../../../src/chat/policy/command.ts';

const test = suite('commands');
const thread = { kind: 'thread' } as const;
const record = (id: number) => ({ kind: 'record', id }) as const;
const named = (name: string, namespace?: string) => ({ kind: 'name', name, ...(namespace && { namespace }) }) as const;
const action = (name: string, target: object) => ({ kind: 'action', action: name, target }) as Command;
const HELP: Command = { kind: 'help' };

const SAID: [string, Command][] = [
  ['<@U0BOT> why is checkout failing?', { kind: 'why', target: named('checkout') }],
  ['<at>Podmend</at>&nbsp;Why is Checkout failing', { kind: 'why', target: named('checkout') }],
  ['why is `checkout` in shop failing?', { kind: 'why', target: named('checkout', 'shop') }],
  ['why does checkout fail?', { kind: 'why', target: named('checkout') }],
  ['why is deployment/checkout down', { kind: 'why', target: named('deployment/checkout') }],
  ['why is the deployment checkout not ready?', { kind: 'why', target: named('checkout') }],
  ['why?', { kind: 'why', target: thread }],
  ['why is it failing?', { kind: 'why', target: thread }],
  ['why is <http://checkout.shop|checkout.shop> failing?', { kind: 'why', target: named('checkout.shop') }],
  ['what fails in shop?', { kind: 'failing', namespace: 'shop' }],
  ["What's failing in the namespace shop?", { kind: 'failing', namespace: 'shop' }],
  ['what is broken?', { kind: 'failing', namespace: null }],
  ['who changed it?', { kind: 'changed', target: thread }],
  ['who changed checkout in shop?', { kind: 'changed', target: named('checkout', 'shop') }],
  ['what changed?', { kind: 'changed', target: thread }],
  ['acknowledge #12', action('acknowledge', record(12))],
  ['ack', action('acknowledge', thread)],
  ['ack checkout', action('acknowledge', named('checkout'))],
  ['Resolve 12!', action('resolve', record(12))],
  ['ignore #12 for 1 d', action('ignore_1d', record(12))],
  ['ignore 12 7d', action('ignore_7d', record(12))],
  ['ignore checkout for 7 days', action('ignore_7d', named('checkout'))],
  ['ignore it for a week', action('ignore_7d', thread)],
  ['ignore for 1 day', action('ignore_1d', thread)],
  ['try the correction for #12', action('try', record(12))],
  ['try', action('try', thread)],
  ['show the logs of checkout in shop', action('logs', named('checkout', 'shop'))],
  ['logs', action('logs', thread)],
  ['get the patch', action('patch', thread)],
  ['patch #12', action('patch', record(12))],
  // Podmend does nothing for a text that it does not understand.
  ['ignore #12', HELP],
  ['ignore #12 for 30 days', HELP],
  ['resolve all of it', HELP],
  ['do not resolve #12', HELP],
  ['please drop the database', HELP],
  ['resolve #12; resolve #13', HELP],
  ['', HELP],
  ['<@U0BOT>', HELP],
  ['help', HELP],
  ['why is ../../etc/passwd failing', HELP],
  [`why is ${'a'.repeat(600)} failing?`, HELP],
];
for (const [said, expected] of SAID) test(`“${said.slice(0, 60)}”`, () => assert.equal(readCommand(said), expected));

test('every text is parsed in reasonable time', () => {
  for (const unit of ['a ', 'in ', 'why ', 'a-', '<at>', '&nbsp;', '#1 ', 'the namespace ', '\u202e', '* '])
    assert.type(readCommand(unit.repeat(20_000)).kind, 'string');
});

test.run();
