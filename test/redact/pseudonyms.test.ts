import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { redactOutbound } from '../../src/redact/outbound.ts';
import { pseudonyms, type PseudonymRules } from '../../src/redact/pseudonyms.ts';

const KEY = Buffer.from('a key of the test, 32 bytes long!');
const of = (rules: Partial<PseudonymRules>, key = KEY) => pseudonyms(key, { names: [], emails: false, addresses: false, ...rules });

const HIDDEN: [sentence: string, rules: Partial<PseudonymRules>, text: string, gone: string[]][] = [
  ['an e-mail address', { emails: true }, 'mail ada.l+x@shop.example now', ['ada', 'shop.example']],
  ['an IPv4 address, also with its port', { addresses: true }, 'dial tcp 10.2.3.4:5432: refused', ['10.2.3.4']],
  ['an IPv6 address', { addresses: true }, 'dial tcp [2001:db8::17]:5432 fd00:1:2:3:4:5:6:7', ['2001:db8', 'fd00']],
  ['a pod and its workload', { names: ['web-7c9d-x2x4z', 'web', 'shop'] }, 'pod web-7c9d-x2x4z of web in shop', ['web', 'shop', '7c9d']],
];
for (const [sentence, rules, text, gone] of HIDDEN) {
  test(`${sentence} is hidden and comes back`, () => {
    const { hide, restore } = of(rules);
    const hidden = hide(text);
    for (const part of gone) assert.not.ok(hidden.includes(part), hidden);
    assert.is(restore(hidden), text);
    assert.is(of(rules).hide(text), hidden, 'the same value has the same pseudonym');
    assert.is.not(of(rules, Buffer.from('another key')).hide(text), hidden, 'only who has the key can make it');
    assert.is(of({}).hide(text), text, 'not asked for, nothing is hidden');
    assert.is(hide(hidden), hidden, 'twice changes nothing');
  });
}

const PLAIN: [string, string][] = [
  ['loopback and all', 'listening on 127.0.0.1:80, 0.0.0.0:8080 and [::1]:9 or ::'],
  ['a digest', 'registry.example/app@sha256:abcdef0123456789'],
  ['times and versions', 'at 10:11:12 with v1.2.3.4 and 999.1.1.1'],
  ['a name within a word', 'webbing cobweb my-web web-1'],
];
for (const [sentence, text] of PLAIN) {
  test(`${sentence} stay readable`, () =>
    assert.is(of({ emails: true, addresses: true, names: ['web', 'default', 'ab'] }).hide(text), text));
}

test('a single name is hidden', () => {
  const { hide, restore } = of({ names: ['billing'] });
  assert.match(hide('billing fails'), /^name_[\da-f]{12} fails$/);
  assert.is(restore(hide('billing fails')), 'billing fails');
});

test('a pseudonym of something else is called what it is', () => {
  const { hide, restore } = of({ addresses: true });
  assert.is(restore('ip_0123456789ab and name_0123456789ab, email_0123456789ab'), '(an IP address) and (a name), (an e-mail address)');
  assert.is(restore(hide('10.0.0.7')), '10.0.0.7');
});

test('secrets are gone for good, wherever they stand, keys included', () => {
  const { hide, restore } = of({ addresses: true });
  const data = {
    line: 'password=hunter22 and postgres://app:hunter22@10.0.0.8/x',
    spec: {
      containers: [{ name: 'ghp_' + 'a'.repeat(36), env: [{ name: 'DB_PASSWORD', value: 'hunter22' }], args: ['--token', 'hunter22'] }],
    },
    ['AKIA' + 'B'.repeat(16)]: 1,
  };
  const out = JSON.stringify(redactOutbound(data, { hide }));
  for (const secret of ['hunter22', 'ghp_aaa', 'AKIAB', '10.0.0.8']) assert.not.ok(out.includes(secret), out);
  assert.not.match(restore(out), 'hunter22');
  assert.match(restore(out), '10.0.0.8');
});

test('long hostile texts take bounded time', () => {
  const { hide } = of({ emails: true, addresses: true, names: ['web'] });
  for (const part of ['a@', '1.', ':', 'a.', '1.1.1.1', 'f:', 'a@b.', 'web-']) {
    const begun = process.cpuUsage();
    hide(part.repeat(Math.ceil(200_000 / part.length)));
    assert.ok(process.cpuUsage(begun).user < 3_000_000, part);
  }
});

test.run();
