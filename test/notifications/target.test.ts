import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { NotificationProviderSpec } from '../../src/crd/notificationprovider.ts';
import { judgeSecret, judgeTarget, readTarget, SECRET_TYPE, valuesOf } from '../../src/notifications/target.ts';

const spec = (over: Partial<NotificationProviderSpec> = {}): NotificationProviderSpec => ({
  type: 'webhook',
  secretRef: { name: 'hook' },
  ...over,
});
const base64 = (values: Record<string, string>) =>
  Object.fromEntries(Object.entries(values).map(([key, text]) => [key, Buffer.from(text).toString('base64')]));
const secret = (values: Record<string, string>, type = SECRET_TYPE) => ({ metadata: { name: 'hook' }, type, data: base64(values) });
const reasonOf = (ready: ReturnType<typeof judgeTarget>) => ('target' in ready ? 'ready' : `${ready.reason}: ${ready.message}`);

test('the values of a Secret are decoded, without the blanks around them', () => {
  assert.equal(valuesOf(secret({ address: ' https://a.example\n', token: 'ü' })), { address: 'https://a.example', token: 'ü' });
  assert.equal(valuesOf({ metadata: {}, type: SECRET_TYPE }), {});
});

test('a missing Secret, or one of another type, is told by its name', () => {
  assert.is(reasonOf(judgeSecret(spec(), undefined, [])), 'SecretMissing: There is no Secret hook.');
  assert.is(
    reasonOf(judgeSecret(spec(), secret({ address: 'https://a.example' }, 'Opaque'), [])),
    'SecretOfOtherType: The Secret hook is not of type podmend.dev/notification.',
  );
  assert.is(reasonOf(judgeSecret(spec(), secret({ address: 'https://a.example' }), [])), 'ready');
});

const PUBLIC = 'AddressNotAllowed: The address is not a public one. ALLOW_PRIVATE_ADDRESSES names others that may be reached.';
const HTTPS =
  'AddressNotAllowed: The address must begin with https://. http:// works only with ALLOW_PRIVATE_ADDRESSES, and for addresses in it.';
const addresses: [address: string, ranges: string[], expected: string, over?: Partial<NotificationProviderSpec>][] = [
  ['https://a.example/x', [], 'ready'],
  ['http://a.example/x', [], HTTPS],
  ['http://a.example/x', ['10.0.0.0/8'], 'ready'],
  ['ftp://a.example/x', ['10.0.0.0/8'], HTTPS],
  ['https://10.1.2.3/x', [], PUBLIC],
  ['https://10.1.2.3/x', ['10.0.0.0/8'], 'ready'],
  ['https://10.1.2.3/x', ['192.168.0.0/16'], PUBLIC],
  ['https://[fd00::1]/x', [], PUBLIC],
  ['https://8.8.8.8/x', [], 'ready'],
  ['a.example', [], 'AddressNotAllowed: The address in the Secret is not a URL.'],
  ['', [], 'SecretIncomplete: Incomplete: the Secret needs the key address.'],
  ['smtp://mail.example', [], 'ready', { type: 'email', channel: 'a@b.example' }],
  ['smtp://10.1.2.3', [], PUBLIC, { type: 'email', channel: 'a@b.example' }],
];
for (const [address, ranges, expected, over] of addresses)
  test(`${address} with ${ranges.join() || 'no ranges'}: ${expected.split(':', 1)[0]}`, () =>
    assert.is(reasonOf(judgeTarget(spec(over), { address, from: 'p@b.example' }, ranges)), expected));

test('a service with one address needs none in the Secret, but another one is used', () => {
  const target = (values: Record<string, string>) => {
    const ready = judgeTarget(spec({ type: 'pagerduty' }), { token: 't', ...values }, []);
    return 'target' in ready ? ready.target.address : ready.reason;
  };
  assert.is(target({}), 'https://events.pagerduty.com');
  assert.is(target({ address: 'https://events.eu.pagerduty.com' }), 'https://events.eu.pagerduty.com');
});

test('quiet hours in a zone that nobody knows are told', () => {
  const hours = (timeZone: string) => ({ from: '22:00', to: '06:00', timeZone });
  const judged = (...zones: string[]) =>
    reasonOf(judgeTarget(spec({ quietHours: zones.map(hours) }), { address: 'https://a.example' }, []));
  assert.is(judged('UTC', 'Mars/Olympus'), 'UnknownTimeZone: Nobody knows the time zone Mars/Olympus.');
  assert.is(judged('UTC', 'Europe/Berlin'), 'ready');
});

test('the target has what the provider and its Secret say; the Secret is read in the operator’s namespace', async () => {
  const asked: unknown[] = [];
  const read = (async (_kind: unknown, ...given: unknown[]) => (
    asked.push(given),
    secret({ address: 'https://a.example', token: 't' })
  )) as never;
  const provider = { metadata: { name: 'p', namespace: 'other' }, spec: spec({ channel: 'c', format: 'cloudevents' }) };
  assert.equal(await readTarget(provider, { client: { read }, operatorNamespace: 'podmend', allowedRanges: [] }), {
    target: { address: 'https://a.example', channel: 'c', format: 'cloudevents', secret: { address: 'https://a.example', token: 't' } },
  });
  assert.equal(asked, [['podmend', 'hook']]);
});

test.run();
