import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isWithin } from '../../src/crd/address-range.ts';
import { type Endpoint, type NetworkView, type Policy, type Reach, reachability } from '../../src/crd/reachability.ts';
import { loadManifests } from '../../src/crd/manifest.ts';

// The expected answers follow the Kubernetes documentation, "Network Policies". The tests send no packets.

const network = suite('who may talk');

const pod = (name: string, { namespace = 'shop', ip = '10.0.0.1', ...more }: Partial<Endpoint> = {}): Endpoint => ({
  name,
  namespace,
  labels: { app: name },
  ip,
  ports: [],
  ...more,
});
const NAMESPACES = new Map([
  ['shop', { 'kubernetes.io/metadata.name': 'shop', team: 'till' }],
  ['blog', { 'kubernetes.io/metadata.name': 'blog', team: 'news' }],
]);
const web = pod('web');
const db = pod('db', { ip: '10.0.0.2', ports: [{ name: 'sql', port: 5432, protocol: 'TCP' }] });
const reader = pod('web', { namespace: 'blog', ip: '10.1.0.1' });

function view(yaml: string): NetworkView {
  return { policies: loadManifests(yaml) as Policy[], namespaces: NAMESPACES };
}
const policy = (spec: string, { name = 'p', namespace = 'shop' } = {}) =>
  `{metadata: {name: ${name}, namespace: ${namespace}}, spec: ${spec}}`;
const toDb = (ingress: string) => policy(`{podSelector: {matchLabels: {app: db}}, ingress: [${ingress}]}`);

const ofName = (name: string): string => `{from: [{namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: ${name}}}}]}`;

interface Case {
  from?: Endpoint;
  to?: Endpoint;
  port?: number;
  protocol?: 'TCP' | 'UDP';
}
const CASES: [sentence: string, yaml: string, ask: Case, expected: Reach][] = [
  ['without policies everything is allowed', '', {}, 'allowed'],
  ['a policy that selects the target restricts it', toDb(''), {}, 'refused'],
  ['a policy that selects neither does not', policy('{podSelector: {matchLabels: {app: other}}}'), {}, 'allowed'],
  ['a policy of another namespace does not', policy('{podSelector: {}}', { namespace: 'blog' }), {}, 'allowed'],
  ['an empty rule allows all', toDb('{}'), {}, 'allowed'],
  ['a pod selector alone means the policy’s own namespace', toDb('{from: [{podSelector: {matchLabels: {app: web}}}]}'), {}, 'allowed'],
  [
    'but not a pod with these labels in another namespace',
    toDb('{from: [{podSelector: {matchLabels: {app: web}}}]}'),
    { from: reader },
    'refused',
  ],
  [
    'a namespace selector means all its pods',
    toDb('{from: [{namespaceSelector: {matchLabels: {team: news}}}]}'),
    { from: reader },
    'allowed',
  ],
  [
    'not those of a namespace with another label',
    toDb('{from: [{namespaceSelector: {matchLabels: {team: news2}}}]}'),
    { from: reader },
    'refused',
  ],
  [
    'both selectors in one peer must hold',
    toDb('{from: [{namespaceSelector: {matchLabels: {team: news}}, podSelector: {matchLabels: {app: cron}}}]}'),
    { from: reader },
    'refused',
  ],
  [
    'in two peers one is enough',
    toDb('{from: [{namespaceSelector: {matchLabels: {team: news}}}, {podSelector: {matchLabels: {app: cron}}}]}'),
    { from: reader },
    'allowed',
  ],
  ['of two policies one is enough', `${toDb('')}\n---\n${policy('{podSelector: {}, ingress: [{}]}', { name: 'q' })}`, {}, 'allowed'],
  ['a port that is allowed', toDb('{ports: [{port: 5432}]}'), { port: 5432 }, 'allowed'],
  ['the next one is not', toDb('{ports: [{port: 5432}]}'), { port: 5433 }, 'refused'],
  ['another protocol is not', toDb('{ports: [{port: 5432}]}'), { port: 5432, protocol: 'UDP' }, 'refused'],
  ['a range ends with its last port', toDb('{ports: [{port: 5000, endPort: 5432}]}'), { port: 5432 }, 'allowed'],
  ['and not after it', toDb('{ports: [{port: 5000, endPort: 5431}]}'), { port: 5432 }, 'refused'],
  ['a named port is the target’s', toDb('{ports: [{port: sql}]}'), { port: 5432 }, 'allowed'],
  ['a name that the target does not have allows nothing', toDb('{ports: [{port: http}]}'), { port: 5432 }, 'refused'],
  ['a name with another protocol allows nothing', toDb('{ports: [{port: sql, protocol: UDP}]}'), { port: 5432 }, 'refused'],
  ['without a port in the question, any port is enough', toDb('{ports: [{port: 5432}]}'), {}, 'allowed'],
  [
    'both directions must allow the same port',
    `${toDb('{ports: [{port: 5432}]}')}\n---\n${policy('{podSelector: {matchLabels: {app: web}}, policyTypes: [Egress], egress: [{ports: [{port: 443}]}]}', { name: 'q' })}`,
    {},
    'refused',
  ],
  [
    'a policy with rules for egress restricts egress, also without policyTypes',
    policy('{podSelector: {matchLabels: {app: web}}, egress: [{ports: [{port: 53, protocol: UDP}]}]}'),
    { port: 5432 },
    'refused',
  ],
  ['a policy without rules for egress restricts only ingress', policy('{podSelector: {matchLabels: {app: web}}}'), {}, 'allowed'],
  ['policyTypes decide, not the rules', policy('{podSelector: {}, policyTypes: [Egress], ingress: [], egress: [{}]}'), {}, 'allowed'],
  [
    'a named port in egress is the target’s too',
    policy('{podSelector: {matchLabels: {app: web}}, policyTypes: [Egress], egress: [{ports: [{port: sql}]}]}'),
    { port: 5432 },
    'allowed',
  ],
  ['a pod always reaches itself', policy('{podSelector: {}, policyTypes: [Ingress, Egress]}'), { from: db }, 'allowed'],
  ['whether a block matches a pod is unknown', toDb('{from: [{ipBlock: {cidr: 10.0.0.0/24}}]}'), {}, 'unknown'],
  ['a block without the pod’s address does not match', toDb('{from: [{ipBlock: {cidr: 10.9.0.0/24}}]}'), {}, 'refused'],
  [
    'a block that excepts the address does not match',
    toDb('{from: [{ipBlock: {cidr: 10.0.0.0/8, except: [10.0.0.0/24]}}]}'),
    {},
    'refused',
  ],
  [
    'a block beside a matching selector changes nothing',
    toDb('{from: [{ipBlock: {cidr: 10.0.0.0/24}}, {podSelector: {}}]}'),
    {},
    'allowed',
  ],
  [
    'for a pod without an address, the answer is unknown',
    toDb('{from: [{ipBlock: {cidr: 10.9.0.0/24}}]}'),
    { from: { ...web, ip: undefined } },
    'unknown',
  ],
  ['policies may not hold for a pod on the node’s network', toDb(''), { to: { ...db, isHostNetwork: true } }, 'unknown'],
  ['and traffic from such a pod may count as traffic of the node', toDb(''), { from: { ...web, isHostNetwork: true } }, 'unknown'],
  ['without policies, traffic to such a pod is allowed', '', { to: { ...db, isHostNetwork: true } }, 'allowed'],
  [
    'a pod may reach the node it is on, whatever its egress says',
    policy('{podSelector: {matchLabels: {app: web}}, policyTypes: [Egress]}'),
    { to: { ...db, isHostNetwork: true } },
    'unknown',
  ],
  [
    'for a namespace that may not be read, the answer is unknown',
    toDb('{from: [{namespaceSelector: {matchLabels: {team: x}}}]}'),
    { from: pod('x', { namespace: 'far' }) },
    'unknown',
  ],
  [
    'but a selector of all namespaces matches it',
    toDb('{from: [{namespaceSelector: {}}]}'),
    { from: pod('x', { namespace: 'far' }) },
    'allowed',
  ],
  ['and so does a selector of its name', toDb(ofName('far')), { from: pod('x', { namespace: 'far' }) }, 'allowed'],
  ['a selector of another name does not', toDb(ofName('farther')), { from: pod('x', { namespace: 'far' }) }, 'refused'],
];
for (const [sentence, yaml, { from = web, to = db, port, protocol = 'TCP' }, expected] of CASES)
  network(sentence, () => {
    const found = reachability(from, to, view(yaml), port === undefined ? undefined : { port, protocol });
    assert.is(found.reach, expected, found.why);
  });

const SENTENCES: [yaml: string, port: number | undefined, why: string][] = [
  ['', 5432, 'shop/web can reach shop/db on TCP 5432: no NetworkPolicy restricts it'],
  [toDb(''), 5432, 'shop/web cannot reach shop/db on TCP 5432: NetworkPolicy shop/p restricts it, and nothing allows receiving it'],
  [
    policy('{podSelector: {matchLabels: {app: web}}, policyTypes: [Egress]}'),
    undefined,
    'shop/web cannot reach shop/db: NetworkPolicy shop/p restricts it, and nothing allows sending it',
  ],
  [toDb('{}'), undefined, 'shop/web can reach shop/db: allowed by NetworkPolicy shop/p'],
];
for (const [yaml, port, why] of SENTENCES)
  network(why, () => assert.is(reachability(web, db, view(yaml), port === undefined ? undefined : { port, protocol: 'TCP' }).why, why));

network('malformed policies cause no error', () => {
  const odd = [
    { metadata: {} },
    { metadata: {}, spec: { ingress: 'x', policyTypes: null } },
    { metadata: { namespace: 'shop' }, spec: { podSelector: {}, ingress: [null, { from: 'all', ports: [{ port: {} }] }] } },
  ];
  assert.is(typeof reachability(web, db, { policies: odd as never, namespaces: new Map() }).why, 'string');
});

const ADDRESSES: [cidr: string, ip: string, expected: boolean][] = [
  ['10.0.0.0/8', '10.255.0.1', true],
  ['10.0.0.0/8', '11.0.0.0', false],
  ['0.0.0.0/0', '1.2.3.4', true],
  ['0.0.0.0/0', 'fd00::1', false],
  ['10.0.0.1/32', '10.0.0.1', true],
  ['10.0.0.1/33', '10.0.0.1', false],
  ['fd00::/8', 'fd12::1', true],
  ['fd00::/8', 'fe00::1', false],
  ['::ffff:10.0.0.0/104', '::ffff:10.1.2.3', true],
  ['::/0', '::', true],
  ['1::2::3/8', '1::', false],
  ['10.0.0/8', '10.0.0.1', false],
  ['10.0.0.0', '10.0.0.1', false],
  ['10.0.0.0/8/8', '10.0.0.1', false],
  ['10.0.0.0/-1', '10.0.0.1', false],
  ['', '', false],
];
for (const [cidr, ip, expected] of ADDRESSES)
  network(`${ip} is ${expected ? '' : 'not '}in ${cidr}`, () => assert.is(isWithin(cidr, ip), expected));

network.run();
