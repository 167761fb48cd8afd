import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { caBundleExpiring } from '../../src/advice/detectors/ca-bundle-expiring.ts';
import { CLUSTER_KINDS, type ClusterKindName, trustBundlesOf } from '../../src/advice/detectors/cluster-view.ts';
import { CLUSTER_DETECTORS } from '../../src/advice/detectors/list.ts';
import type { KubeObject } from '../../src/crd/kubernetes.ts';

// Three certificates that openssl made on 2026-11-23T07:33:59Z. `now` decides whether one is valid, about to expire or expired.

/** CN=webhook-ca-365, valid until 2027-11-23T07:33:59Z. A tenth of its time is 36.5 days. */
const YEAR =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJoakNDQVMyZ0F3SUJBZ0lVY2VjaXMxUjlzVXhMdTM2SllBUnN1T2M5cTlvd0NnWUlLb1pJemowRUF3SXcKR1RFWE1CVUdBMVVFQXd3T2QyVmlhRzl2YXkxallTMHpOalV3SGhjTk1qWXhNVEl6TURjek16VTVXaGNOTWpjeApNVEl6TURjek16VTVXakFaTVJjd0ZRWURWUVFEREE1M1pXSm9iMjlyTFdOaExUTTJOVEJaTUJNR0J5cUdTTTQ5CkFnRUdDQ3FHU000OUF3RUhBMElBQkJhTURGTkpQTTM5RWM1R2JuSHQ3VkZ5V1phTGxKMC8xSnZsUC9PRUZjY3YKc3ZLT1RpNTVsY0w5SzBjUlV3cW9ZVHlwME5Ra0g5azlNZ1ZjenpvNzV0T2pVekJSTUIwR0ExVWREZ1FXQkJRNAp3K3BWU29rVmJycVczbUNLQjBubHA5eEcxakFmQmdOVkhTTUVHREFXZ0JRNHcrcFZTb2tWYnJxVzNtQ0tCMG5sCnA5eEcxakFQQmdOVkhSTUJBZjhFQlRBREFRSC9NQW9HQ0NxR1NNNDlCQU1DQTBjQU1FUUNJSFJrMDhWbTdCSXIKY3BCSUpaZ25GQkVLTjRZWm1jU3gxWUxyWHFYNXFlQURBaUJNblZRZVJjUlhDME5yc244bldkZEs2T0pZbFdmSwpZV1ZJekwyc0kzVmNsZz09Ci0tLS0tRU5EIENFUlRJRklDQVRFLS0tLS0K';
/** CN=webhook-ca-90, valid until 2027-02-21T07:33:59Z. A tenth of its time is 9 days. */
const QUARTER =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJoVENDQVN1Z0F3SUJBZ0lVVDdza1QvMTRhWWQrSWJJekVVZFV4OVMzSzlJd0NnWUlLb1pJemowRUF3SXcKR0RFV01CUUdBMVVFQXd3TmQyVmlhRzl2YXkxallTMDVNREFlRncweU5qRXhNak13TnpNek5UbGFGdzB5TnpBeQpNakV3TnpNek5UbGFNQmd4RmpBVUJnTlZCQU1NRFhkbFltaHZiMnN0WTJFdE9UQXdXVEFUQmdjcWhrak9QUUlCCkJnZ3Foa2pPUFFNQkJ3TkNBQVMyYkFObTllZ0RjSzhEa0lRRHh3YmNEUklSb0NYVW9sdjNTMkJrcEF1NlJmWUIKOWRhTWZtd2FWbUlQRmVsODJKYUtidGNuVlROaXBmNEFFdXExZGRBM28xTXdVVEFkQmdOVkhRNEVGZ1FVZE9ROQpjWTFMV2xrSVZJWDkxTjFOb2FvQ3dzd3dId1lEVlIwakJCZ3dGb0FVZE9ROWNZMUxXbGtJVklYOTFOMU5vYW9DCndzd3dEd1lEVlIwVEFRSC9CQVV3QXdFQi96QUtCZ2dxaGtqT1BRUURBZ05JQURCRkFpRUFoYXRlZFJJeE9DaVEKSzhUbFNGaDYwRVhqZkNsVzliZktjams0cm1uSFVvTUNJQ0poQ2d1OVpGYlJkSVRnMkN1elRsd2QzdFgrOW53MgpVZk1LcWo1ditGb3kKLS0tLS1FTkQgQ0VSVElGSUNBVEUtLS0tLQo=';
/** CN=webhook-ca-3650, valid until 2036-11-20T07:33:59Z. */
const DECADE =
  'LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1JSUJpVENDQVMrZ0F3SUJBZ0lVS0hkb2gvaGQyNnZ6MEQra1ZWcUNuWnpwYlFjd0NnWUlLb1pJemowRUF3SXcKR2pFWU1CWUdBMVVFQXd3UGQyVmlhRzl2YXkxallTMHpOalV3TUI0WERUSTJNVEV5TXpBM016TTFPVm9YRFRNMgpNVEV5TURBM016TTFPVm93R2pFWU1CWUdBMVVFQXd3UGQyVmlhRzl2YXkxallTMHpOalV3TUZrd0V3WUhLb1pJCnpqMENBUVlJS29aSXpqMERBUWNEUWdBRWZkRXZiWW90NCt1SHc5Q3poZGg4QUVuSU9DM1Z6cWVLZ1A5VDJQTDgKUjZnNitkY0tUYVMrY2xUTS9XcmU5K3pSR1ROOVZvUElBMEQ1OFZmdE1zMmpPcU5UTUZFd0hRWURWUjBPQkJZRQpGQkIrbHZReDNLM2F2ekw0M1RFc21wQnNBMkFDTUI4R0ExVWRJd1FZTUJhQUZCQitsdlF4M0szYXZ6TDQzVEVzCm1wQnNBMkFDTUE4R0ExVWRFd0VCL3dRRk1BTUJBZjh3Q2dZSUtvWkl6ajBFQXdJRFNBQXdSUUloQVBWODFCZ2wKeUJzaUxTaVl6NzhFU3BWbG5oanVzVk1LUjUrbVRaQlBhUGJBQWlCZ0FpUElGYUgxZlVRVFZ0UVVwb0QzZDhwLwp1ZDlPem5RL0xRY083ZkFRQXc9PQotLS0tLUVORCBDRVJUSUZJQ0FURS0tLS0tCg==';
const joined = (...bundles: string[]) => Buffer.concat(bundles.map((one) => Buffer.from(one, 'base64'))).toString('base64');
const base64 = (text: string) => Buffer.from(text).toString('base64');
const GARBAGE = base64('-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');

const webhook = (caBundle: unknown, name = 'pods.admission.example.com') => ({ name, clientConfig: { service: {}, caBundle } });
const configuration = (...webhooks: unknown[]) => ({ metadata: { name: 'admission' }, webhooks });
const found = (now: string, kind: ClusterKindName, object: unknown) =>
  caBundleExpiring.run({ bundles: trustBundlesOf(kind, object as KubeObject) }, new Date(now));

const WEEK_BEFORE = '2027-11-16T00:00:00Z';
const SOON =
  'The last certificate that ValidatingWebhookConfiguration admission trusts for pods.admission.example.com expires on 2027-11-23.';

/** Situation, now, kind, object, expected summary (null: no advice). Written before the detector. */
const CASES: [string, string, ClusterKindName, unknown, string | null][] = [
  ['a week before the end of a year', WEEK_BEFORE, 'ValidatingWebhookConfiguration', configuration(webhook(YEAR)), SOON],
  ['a month before, to the second', '2027-10-24T07:33:59Z', 'ValidatingWebhookConfiguration', configuration(webhook(YEAR)), SOON],
  ['a second sooner', '2027-10-24T07:33:58Z', 'ValidatingWebhookConfiguration', configuration(webhook(YEAR)), null],
  [
    'it has expired',
    '2027-11-24T00:00:00Z',
    'MutatingWebhookConfiguration',
    configuration(webhook(YEAR)),
    'The last certificate that MutatingWebhookConfiguration admission trusts for pods.admission.example.com expired on 2027-11-23.',
  ],
  [
    '20 of 90 days are left: cert-manager renews it then',
    '2027-02-01T00:00:00Z',
    'APIService',
    { metadata: { name: 'v1.x' }, spec: { caBundle: QUARTER } },
    null,
  ],
  [
    'eight of 90 days are left',
    '2027-02-13T12:00:00Z',
    'APIService',
    { metadata: { name: 'v1beta1.metrics.k8s.io' }, spec: { caBundle: QUARTER } },
    'The last certificate that APIService v1beta1.metrics.k8s.io trusts expires on 2027-02-21.',
  ],
  [
    'of a definition that converts',
    WEEK_BEFORE,
    'CustomResourceDefinition',
    {
      metadata: { name: 'tills.example.com' },
      spec: { conversion: { strategy: 'Webhook', webhook: { clientConfig: { caBundle: YEAR } } } },
    },
    'The last certificate that CustomResourceDefinition tills.example.com trusts expires on 2027-11-23.',
  ],
  [
    'one replaces the other: both are trusted',
    WEEK_BEFORE,
    'ValidatingWebhookConfiguration',
    configuration(webhook(joined(YEAR, DECADE))),
    null,
  ],
  ['in any order', WEEK_BEFORE, 'ValidatingWebhookConfiguration', configuration(webhook(joined(DECADE, YEAR))), null],
  ['two, both near or past their end', WEEK_BEFORE, 'ValidatingWebhookConfiguration', configuration(webhook(joined(QUARTER, YEAR))), SOON],
  [
    'with another one that cannot be read',
    WEEK_BEFORE,
    'ValidatingWebhookConfiguration',
    configuration(webhook(joined(GARBAGE, YEAR))),
    SOON,
  ],
  ['a clock before its beginning', '2026-01-01T00:00:00Z', 'ValidatingWebhookConfiguration', configuration(webhook(YEAR)), null],
  [
    'two of three webhooks: one piece of advice, and the first end is told',
    WEEK_BEFORE,
    'ValidatingWebhookConfiguration',
    configuration(webhook(YEAR, 'a'), webhook(DECADE, 'b'), webhook(QUARTER, 'c')),
    'The last certificate that ValidatingWebhookConfiguration admission trusts for a and c expired on 2027-02-21.',
  ],
  ...(
    [
      ['no PEM', base64('not a certificate')],
      ['no Base64', '%%%'],
      ['the line break that cert-manager’s manifests have before it is injected', 'Cg=='],
      ['a certificate of four bytes', GARBAGE],
      ['empty: the system’s root certificates count', ''],
      ['no text', 7],
      ['null', null],
      ['half a certificate', YEAR.slice(0, 400)],
      ['a private key', base64('-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n')],
    ] as [string, unknown][]
  ).map(([what, bundle]): [string, string, ClusterKindName, unknown, null] => [
    `the bundle is ${what}`,
    '2030-01-01T00:00:00Z',
    'ValidatingWebhookConfiguration',
    configuration(webhook(bundle)),
    null,
  ]),
  ['an API server’s own group', '2040-01-01T00:00:00Z', 'APIService', { metadata: { name: 'v1.' }, spec: { version: 'v1' } }, null],
  ['no webhooks', '2040-01-01T00:00:00Z', 'ValidatingWebhookConfiguration', { metadata: { name: 'empty' } }, null],
];

const bundles = suite('CA bundles');

for (const [situation, now, kind, object, summary] of CASES)
  bundles(situation, () =>
    assert.equal(
      found(now, kind, object).map((one) => one.summary),
      summary === null ? [] : [summary],
    ),
  );

bundles('the evidence names subject, time and number, and how many certificates there are', () => {
  const [one] = found(WEEK_BEFORE, 'ValidatingWebhookConfiguration', configuration(webhook(joined(QUARTER, YEAR))));
  const { bundles: seen, field } = one!.evidence as { bundles: Record<string, unknown>[]; field: string };
  const { serial_number: number, ...rest } = seen[0]!;
  assert.match(String(number), /^[0-9A-F]{30,40}$/);
  assert.equal(
    [one!.kind, one!.name, field, seen.length],
    ['ValidatingWebhookConfiguration', 'admission', 'webhooks[].clientConfig.caBundle', 1],
  );
  assert.equal(rest, {
    webhook: 'pods.admission.example.com',
    certificates: '2 certificates',
    subject: 'CN=webhook-ca-365',
    not_before: '2026-11-23T07:33:59.000Z',
    not_after: '2027-11-23T07:33:59.000Z',
  });
});

bundles('objects of any shape upset nothing', () => {
  const odd: unknown[] = [
    {},
    { spec: null },
    { spec: 'x', webhooks: 'x' },
    { webhooks: [null, 7, {}, { clientConfig: [] }] },
    { spec: { conversion: { webhook: [] } } },
  ];
  for (const kind of CLUSTER_KINDS)
    for (const shape of odd)
      assert.equal(found(WEEK_BEFORE, kind, { metadata: {}, ...(shape as object) }), [], `${kind} ${JSON.stringify(shape)}`);
});

bundles('a bundle of a thousand certificates is read in part', () => {
  const many = joined(...Array.from({ length: 1000 }, () => YEAR));
  assert.equal(found(WEEK_BEFORE, 'APIService', { metadata: { name: 'v1.x' }, spec: { caBundle: many } }).length, 1);
});

bundles('every detector of the cluster has a name of its own, and says why', () => {
  for (const { id, title, why, requires } of CLUSTER_DETECTORS) {
    assert.match(id, /^[a-z]+(-[a-z]+)*$/);
    assert.ok(title.length > 10 && why.length > 60 && requires.length > 0, id);
  }
});

bundles.run();
