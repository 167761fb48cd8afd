import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { RbacSubject } from '../../src/access/objects.ts';
import {
  accountOfUser,
  accountsNamespaceOf,
  canonicalSubject,
  isBuiltIn,
  keyOfSubject,
  keysOfRequester,
  requesterOf,
  userOfAccount,
} from '../../src/access/subjects.ts';

const test = suite('subjects of bindings');

const user = (name: string): RbacSubject => ({ kind: 'User', name });
const group = (name: string): RbacSubject => ({ kind: 'Group', name });
const bot: RbacSubject = { kind: 'ServiceAccount', name: 'bot', namespace: 'shop' };
const BOT = 'system:serviceaccount:shop:bot';

const REQUESTERS: [subject: RbacSubject, groups: string[], user: string, all: string[]][] = [
  [user('ann'), ['dev'], 'ann', ['dev', 'system:authenticated']],
  [user('ann'), ['system:authenticated'], 'ann', ['system:authenticated']],
  [user('system:anonymous'), [], 'system:anonymous', ['system:unauthenticated']],
  [bot, [], BOT, ['system:serviceaccounts', 'system:serviceaccounts:shop', 'system:authenticated']],
  [user(BOT), [], BOT, ['system:serviceaccounts', 'system:serviceaccounts:shop', 'system:authenticated']],
  [group('dev'), ['ops'], '', ['dev', 'ops', 'system:authenticated']],
  [group('system:serviceaccounts:shop'), [], '', ['system:serviceaccounts:shop', 'system:serviceaccounts', 'system:authenticated']],
  [group('system:authenticated'), [], '', ['system:authenticated']],
  [group('system:unauthenticated'), [], '', ['system:unauthenticated']],
];
for (const [subject, groups, name, all] of REQUESTERS)
  test(`${subject.kind} ${subject.name}${groups.length > 0 ? ` in ${groups.join()}` : ''} asks as a member of ${all.join(', ')}`, () =>
    assert.equal(requesterOf(subject, groups), { user: name, groups: all }));

const ACCOUNTS: [name: string, account: { namespace: string; name: string } | undefined][] = [
  [BOT, { namespace: 'shop', name: 'bot' }],
  ['system:serviceaccount:shop', undefined],
  ['system:serviceaccount:shop:', undefined],
  ['system:serviceaccount::bot', undefined],
  ['system:serviceaccount:shop:bot:x', undefined],
  ['serviceaccount:shop:bot', undefined],
];
for (const [name, account] of ACCOUNTS) test(`the account behind ${name}`, () => assert.equal(accountOfUser(name), account));

test('an account has one user name, and its namespace one group', () => {
  assert.is(userOfAccount('shop', 'bot'), BOT);
  assert.equal(['system:serviceaccounts:shop', 'system:serviceaccounts', 'dev'].map(accountsNamespaceOf), ['shop', undefined, undefined]);
});

const CANONICAL: [subject: object, namespace: string | undefined, canonical: RbacSubject | undefined][] = [
  [user('ann'), 'shop', user('ann')],
  [{ ...user('ann'), namespace: 'x', apiGroup: 'y' }, 'shop', user('ann')],
  [user(BOT), undefined, bot],
  [group(BOT), undefined, group(BOT)],
  [{ kind: 'ServiceAccount', name: 'bot' }, 'shop', bot],
  [{ kind: 'ServiceAccount', name: 'bot', namespace: '' }, 'shop', bot],
  [bot, 'bank', bot],
  [{ kind: 'ServiceAccount', name: 'bot' }, undefined, undefined],
  [user(''), undefined, undefined],
  [{ kind: 'User' }, undefined, undefined],
  [{ kind: 'Robot', name: 'bot', namespace: 'shop' }, undefined, undefined],
];
for (const [subject, namespace, canonical] of CANONICAL)
  test(`${JSON.stringify(subject)} in a binding ${namespace ? `of ${namespace}` : 'of the cluster'}`, () =>
    assert.equal(canonicalSubject(subject as RbacSubject, namespace), canonical));

test('a key is the same for one identity in either spelling, and different for a group of its name', () => {
  assert.is(keyOfSubject(bot), keyOfSubject(user(BOT)));
  assert.equal([user('a'), group('a'), bot].map(keyOfSubject), ['user a', 'group a', `user ${BOT}`]);
  assert.equal(keysOfRequester({ user: 'ann', groups: ['a', 'b'] }), ['user ann', 'group a', 'group b']);
  assert.equal(keysOfRequester({ user: '', groups: ['a'] }), ['group a']);
});

test('components of Kubernetes are its system: names and the accounts of kube-system, but nobody that people choose', () => {
  const own = [user('system:kube-scheduler'), group('system:masters'), { ...bot, namespace: 'kube-system' }];
  const others = [
    user('ann'),
    bot,
    ...['authenticated', 'unauthenticated', 'serviceaccounts', 'serviceaccounts:shop'].map((name) => group(`system:${name}`)),
    user('system:anonymous'),
  ];
  for (const subject of own) assert.ok(isBuiltIn(subject), subject.name);
  for (const subject of others) assert.not(isBuiltIn(subject), subject.name);
});

test.run();
