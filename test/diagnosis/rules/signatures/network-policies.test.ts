import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Surroundings } from '../../../../src/diagnosis/case.ts';
import type { Meaning } from '../../../../src/diagnosis/corrections/meaning.ts';
import { nameServerRefused, ofPolicies } from '../../../../src/diagnosis/rules/signatures/network-policies.ts';
import { anInput } from '../../../support/builders/cases.ts';
import { correctionRows, likely, NO_MIRROR } from '../../../support/builders/corrections.ts';

const test = suite('what NetworkPolicies keep from a pod');
const rows = correctionRows(test);

type Spec = NonNullable<Surroundings['networkPolicies']>[number]['spec'];
const having = (matchLabels: Record<string, string>): Spec => ({ podSelector: { matchLabels } });
const DB = { app: 'db' };
const SERVICES = [{ name: 'db', selector: DB }, { name: 'outside' }];
const POD = { app: 'shop' };

/** The pod has the labels `POD`; the Service `db` leads to pods with `podLabels`. */
const input = (specs: Record<string, Spec>, parts: Partial<Surroundings> = {}, labels: Record<string, string> = POD) =>
  anInput(
    {},
    {},
    {
      labels,
      surroundings: { services: SERVICES, networkPolicies: Object.entries(specs).map(([name, spec]) => ({ name, spec })), ...parts },
    },
  );
const LINE: Meaning = { because: '`db:5432` does not answer in time', culprit: 'db:5432', advice: ['Look.'], whereToLook: 'there' };
const told = (one: ReturnType<typeof input>, address = 'db:5432') => ofPolicies(one, address, LINE);

const FROM_CLIENTS: Spec = { ...having(DB), ingress: [{ from: [{ podSelector: { matchLabels: { access: 'db' } } }] }] };
const NO_INGRESS: Spec = { ...having(DB), policyTypes: ['Ingress'] };
const NO_EGRESS: Spec = { podSelector: {}, policyTypes: ['Egress'] };

test('a policy of the server lets in pods with a label', () => {
  const { because, culprit, advice, elsewhere, whereToLook, commands } = told(input({ 'db-clients': FROM_CLIENTS }));
  assert.is(because, '`db:5432` does not answer in time: the NetworkPolicy `db-clients` does not let this pod in');
  assert.is(culprit, 'NetworkPolicy db-clients: db:5432');
  assert.equal(advice, [
    'Add this pod to `ingress` of the NetworkPolicy `db-clients`, or give it the labels that the policy asks for. It lets in pods with `access=db`.',
  ]);
  assert.is(elsewhere, 'The NetworkPolicy `db-clients` decides this, not the manifest of the pod.');
  assert.is(whereToLook, 'the NetworkPolicy `db-clients`');
  assert.equal(commands, ['kubectl get networkpolicy db-clients -o yaml -n shop']);
});

rows('the label that a policy asks for', {
  'is given to the pod': [told(input({ p: FROM_CLIENTS })).corrections, likely({ 'metadata.labels.access': 'db' }, NO_MIRROR)],
  'beside another policy that lets nobody in': [
    told(input({ none: NO_INGRESS, p: FROM_CLIENTS })).corrections,
    likely({ 'metadata.labels.access': 'db' }, NO_MIRROR),
  ],
  'not in place of another value': [told(input({ p: FROM_CLIENTS }, {}, { access: 'web' })).corrections, []],
  'not of two rules': [
    told(
      input({
        p: {
          ...having(DB),
          ingress: [{ from: [{ podSelector: { matchLabels: { a: 'x' } } }, { podSelector: { matchLabels: { b: 'y' } } }] }],
        },
      }),
    ).corrections,
    [],
  ],
  'not of an expression': [
    told(input({ p: { ...having(DB), ingress: [{ from: [{ podSelector: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } }] }] } }))
      .corrections,
    [],
  ],
  'not where nobody is let in': [told(input({ p: NO_INGRESS })).corrections, []],
});

test('a policy of the pod lets it out to nothing', () => {
  const { because, advice, corrections } = told(input({ quiet: NO_EGRESS }));
  assert.is(because, '`db:5432` does not answer in time: the NetworkPolicy `quiet` does not let this pod out to it');
  assert.equal(advice, ['Add the server to `egress` of the NetworkPolicy `quiet`, with its port.']);
  assert.equal(corrections, []);
});

const QUIET: Record<string, ReturnType<typeof input>> = {
  'no policy': input({}),
  'policies that nobody could read': anInput({}, {}, { labels: POD, surroundings: { services: SERVICES } }),
  'a policy of other pods': input({ p: { ...having({ app: 'web' }), policyTypes: ['Ingress', 'Egress'] } }),
  'a pod that is let in': input({ p: FROM_CLIENTS }, {}, { access: 'db' }),
  'a policy that lets everybody in': input({ p: { ...having(DB), ingress: [{}] } }),
  'a namespace whose labels are not known': input({
    p: { ...having(DB), ingress: [{ from: [{ namespaceSelector: { matchLabels: { team: 'a' } } }] }] },
  }),
  'one of two pods that lets it in': input(
    { p: { podSelector: { matchLabels: { shard: '1' } }, policyTypes: ['Ingress'] } },
    {
      podLabels: [
        { ...DB, shard: '1' },
        { ...DB, shard: '2' },
      ],
    },
  ),
};
for (const [what, one] of Object.entries(QUIET)) test(`nothing of ${what}`, () => assert.is(told(one), LINE));

test('nothing of a host that is no Service with a selector in this namespace', () => {
  for (const address of ['db2:5432', 'db.other:5432', 'outside:80', 'example.com', ''])
    assert.is(told(input({ quiet: NO_EGRESS }), address), LINE, address);
  assert.is.not(told(input({ quiet: NO_EGRESS }), 'db.shop.svc:5432'), LINE);
});

test('the labels of the pods behind a Service count, if they are known', () => {
  const policy = { p: { podSelector: { matchLabels: { role: 'primary' } }, policyTypes: ['Ingress'] } };
  assert.is(told(input(policy)), LINE);
  assert.is.not(told(input(policy, { podLabels: [{ ...DB, role: 'primary' }, { app: 'web' }] })), LINE);
});

test('a policy keeps the pod from the name server', () => {
  assert.equal(nameServerRefused(input({ quiet: NO_EGRESS })), {
    because: "the NetworkPolicy `quiet` does not let the pod ask the cluster's DNS (port 53)",
    culprit: 'NetworkPolicy quiet: port 53 of the name server',
    advice: ['Allow port 53 (UDP and TCP) to the name server in `egress` of the NetworkPolicy `quiet`.'],
    commands: ['kubectl get networkpolicy quiet -o yaml -n shop'],
    whereToLook: 'the NetworkPolicy `quiet`',
    elsewhere: 'The NetworkPolicy `quiet` decides this, not the manifest of the pod.',
  });
  const toDb: Spec = { podSelector: {}, egress: [{ to: [{ podSelector: { matchLabels: DB } }], ports: [{ port: 5432 }] }] };
  assert.ok(nameServerRefused(input({ toDb })), 'with rules for other ports');
  assert.ok(nameServerRefused(input({ tcp: { ...toDb, egress: [{ ports: [{ port: 53, protocol: 'TCP' }] }] } })), 'with TCP only');
});

test('no policy keeps the pod from the name server', () => {
  const asks = (...ports: object[]): Spec => ({ podSelector: {}, egress: [{ ports }] });
  assert.is(nameServerRefused(input({})), undefined);
  assert.is(nameServerRefused(input({ p: NO_INGRESS })), undefined, 'of other pods');
  assert.is(nameServerRefused(input({ p: { podSelector: {}, policyTypes: ['Ingress'] } })), undefined, 'ingress only');
  assert.is(nameServerRefused(input({ p: asks({ port: 53, protocol: 'UDP' }) })), undefined, 'with UDP');
  assert.is(nameServerRefused(input({ p: asks() })), undefined, 'with all ports');
  assert.is(nameServerRefused(input({ quiet: NO_EGRESS, dns: asks({ port: 53, protocol: 'UDP' }) })), undefined, 'by another policy');
});

test.run();
