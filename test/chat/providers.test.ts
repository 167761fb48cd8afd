import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { chatProviders, type ChatProvidersDeps } from '../../src/chat/providers.ts';
import type { NotificationProvider } from '../../src/crd/notificationprovider.ts';

const SIGNED = { signingSecret: 'secret', token: 'bot' };
const provider = (name: string, over: Partial<NotificationProvider['spec']> = {}, generation = 1): NotificationProvider => ({
  metadata: { name, namespace: 'podmend', generation },
  spec: { type: 'slack', secretRef: { name }, ...over },
});

/** Providers with the values of their Secrets. */
function world(all: NotificationProvider[], secrets: Record<string, Record<string, string>>, synced = true) {
  const read: string[] = [];
  const it = { now: new Date('2026-06-01T00:00:00Z') };
  const deps: ChatProvidersDeps = {
    cache: {
      list: () => all,
      get: (namespace, name) => (namespace === 'podmend' ? all.find(({ metadata }) => metadata.name === name) : undefined),
      synced,
    },
    operatorNamespace: 'podmend',
    async readiness({ metadata: { name = '' } }) {
      read.push(name);
      const secret = secrets[name];
      return secret
        ? { target: { address: 'https://a.example', channel: undefined, format: undefined, secret } }
        : { reason: 'SecretMissing', message: '' };
    },
    now: () => it.now,
  };
  return Object.assign(it, { read, providers: chatProviders(deps) });
}

const cases: [says: string, one: NotificationProvider, secret: Record<string, string> | undefined, isChat: boolean][] = [
  ['Slack with both secrets', provider('a'), SIGNED, true],
  ['Slack without a token', provider('a'), { signingSecret: 'secret' }, false],
  ['Slack without a signing secret', provider('a'), { token: 'bot' }, false],
  ['an empty signing secret', provider('a'), { ...SIGNED, signingSecret: ' ' }, false],
  ['Teams, which needs no token', provider('a', { type: 'teams' }), { signingSecret: 'c2VjcmV0' }, true],
  ['a suspended one', provider('a', { suspend: true }), SIGNED, false],
  ['another type', provider('a', { type: 'discord' }), SIGNED, false],
  ['a Secret that is not there', provider('a'), undefined, false],
];
for (const [says, one, secret, isChat] of cases)
  test(`${says}: ${isChat ? 'people can act from it' : 'no chat'}`, async () => {
    const { providers } = world([one], secret ? { a: secret } : {});
    const found = await providers.byName('a');
    assert.equal(found && [found.name, found.type, found.target.secret], isChat ? ['a', one.spec.type, secret] : undefined);
    assert.is((await providers.signers(one.spec.type as 'slack')).length, isChat ? 1 : 0);
  });

test('a provider that does not exist is none, and none is known before all are', async () => {
  assert.is(await world([], {}).providers.byName('a'), undefined);
  const { providers } = world([provider('a')], { a: SIGNED }, false);
  for (const asked of [() => providers.byName('a'), () => providers.signers('slack')])
    await asked().then(
      () => assert.unreachable(),
      ({ name }: Error) => assert.is(name, 'ClusterUnavailable'),
    );
});

test('signers are those of the type, with their secrets', async () => {
  const { providers } = world([provider('a'), provider('b', { type: 'teams' }), provider('c')], {
    a: SIGNED,
    b: { signingSecret: 't' },
    c: { ...SIGNED, signingSecret: 'one two' },
  });
  assert.equal(await providers.signers('slack'), [
    { provider: 'a', secrets: ['secret'] },
    { provider: 'c', secrets: ['one', 'two'] },
  ]);
});

test('whether a chat may exist is judged by the type, without a Secret', () => {
  const mayExist = (...all: NotificationProvider[]) => world(all, {}).providers.mayExist();
  assert.equal([mayExist(provider('a')), mayExist(provider('a', { type: 'teams' }))], [true, true]);
  assert.equal(
    [mayExist(), mayExist(provider('a', { suspend: true })), mayExist(provider('a', { type: 'webhook' }))],
    [false, false, false],
  );
});

test('a Secret is read every five seconds at most, and at once for a changed provider', async () => {
  const all = [provider('a')];
  const it = world(all, { a: SIGNED });
  for (const ms of [0, 4_999]) {
    it.now = new Date(Date.parse('2026-06-01T00:00:00Z') + ms);
    await it.providers.byName('a');
  }
  assert.equal(it.read, ['a']);
  it.now = new Date('2026-06-01T00:00:05.001Z');
  await it.providers.byName('a');
  assert.equal(it.read, ['a', 'a']);
  all[0] = provider('a', {}, 2);
  await it.providers.byName('a');
  assert.is(it.read.length, 3);
});

test.run();
