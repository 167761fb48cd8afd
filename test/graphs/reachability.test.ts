import { BlockList, isIP } from 'node:net';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { isWithin } from '../../src/graphs/address.ts';
import { type Endpoint, type NetworkView, type Policy, type Reach, reachability } from '../../src/graphs/reachability.ts';
import { loadManifests } from '../../src/crd/manifest.ts';
import { type Random, random } from '../support/builders/random.ts';

// Expected answers are those of the Kubernetes documentation, "Network Policies". No packet is sent here.

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
  ['and not a pod with these labels elsewhere', toDb('{from: [{podSelector: {matchLabels: {app: web}}}]}'), { from: reader }, 'refused'],
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
  ['without a port asked, any one is enough', toDb('{ports: [{port: 5432}]}'), {}, 'allowed'],
  [
    'both directions must allow the same port',
    `${toDb('{ports: [{port: 5432}]}')}\n---\n${policy('{podSelector: {matchLabels: {app: web}}, policyTypes: [Egress], egress: [{ports: [{port: 443}]}]}', { name: 'q' })}`,
    {},
    'refused',
  ],
  [
    'a policy with rules for egress restricts it, without saying so',
    policy('{podSelector: {matchLabels: {app: web}}, egress: [{ports: [{port: 53, protocol: UDP}]}]}'),
    { port: 5432 },
    'refused',
  ],
  ['one without restricts ingress only', policy('{podSelector: {matchLabels: {app: web}}}'), {}, 'allowed'],
  ['policyTypes decide, not the rules', policy('{podSelector: {}, policyTypes: [Egress], ingress: [], egress: [{}]}'), {}, 'allowed'],
  [
    'a named port in egress is the target’s too',
    policy('{podSelector: {matchLabels: {app: web}}, policyTypes: [Egress], egress: [{ports: [{port: sql}]}]}'),
    { port: 5432 },
    'allowed',
  ],
  ['a pod always reaches itself', policy('{podSelector: {}, policyTypes: [Ingress, Egress]}'), { from: db }, 'allowed'],
  ['whether a block holds for a pod cannot be told', toDb('{from: [{ipBlock: {cidr: 10.0.0.0/24}}]}'), {}, 'unknown'],
  ['a block without the pod’s address does not hold', toDb('{from: [{ipBlock: {cidr: 10.9.0.0/24}}]}'), {}, 'refused'],
  ['nor one that excepts it', toDb('{from: [{ipBlock: {cidr: 10.0.0.0/8, except: [10.0.0.0/24]}}]}'), {}, 'refused'],
  [
    'a block beside a selector that holds is of no matter',
    toDb('{from: [{ipBlock: {cidr: 10.0.0.0/24}}, {podSelector: {}}]}'),
    {},
    'allowed',
  ],
  [
    'of a pod without an address nothing can be told',
    toDb('{from: [{ipBlock: {cidr: 10.9.0.0/24}}]}'),
    { from: { ...web, ip: undefined } },
    'unknown',
  ],
  ['policies may not hold for a pod on the node’s network', toDb(''), { to: { ...db, isHostNetwork: true } }, 'unknown'],
  ['and what comes from one may count as the node', toDb(''), { from: { ...web, isHostNetwork: true } }, 'unknown'],
  ['without policies it is allowed there too', '', { to: { ...db, isHostNetwork: true } }, 'allowed'],
  [
    'of a namespace that may not be read nothing can be told',
    toDb('{from: [{namespaceSelector: {matchLabels: {team: x}}}]}'),
    { from: pod('x', { namespace: 'far' }) },
    'unknown',
  ],
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

network('policies that are nonsense are borne', () => {
  const odd = [
    { metadata: {} },
    { metadata: {}, spec: { ingress: 'x', policyTypes: null } },
    { metadata: { namespace: 'shop' }, spec: { podSelector: {}, ingress: [null, { from: 'all', ports: [{ port: {} }] }] } },
  ];
  assert.is(typeof reachability(web, db, { policies: odd as never, namespaces: new Map() }).why, 'string');
});

// The brute-force model. It knows one port at a time, and three truth values.

type Truth = 0 | 0.5 | 1;
const any = (list: Truth[]): Truth => Math.max(0, ...list) as Truth;
const every = (...list: Truth[]): Truth => Math.min(...list) as Truth;
const PORTS = [1, 79, 80, 81, 443, 5432, 8000, 8005, 8010, 65_535];
const WORDS = ['TCP', 'UDP', 'SCTP'] as const;

interface Hit {
  port: number;
  protocol: string;
}

type Rules = NonNullable<NonNullable<Policy['spec']>['ingress']>;

function chosen(selector: { matchLabels?: Record<string, string> } | null | undefined, labels: Record<string, string>): boolean {
  for (const key of Object.keys(selector?.matchLabels ?? {})) if (labels[key] !== selector?.matchLabels?.[key]) return false;
  return true;
}

function inBlock(block: string, ip: string): boolean {
  const [address = '', bits = ''] = block.split('/');
  if (isIP(address) !== isIP(ip)) return false;
  const list = new BlockList();
  list.addSubnet(address, Number(bits), isIP(ip) === 6 ? 'ipv6' : 'ipv4');
  return list.check(ip, isIP(ip) === 6 ? 'ipv6' : 'ipv4');
}

function peerTruth(
  peer: NonNullable<Rules[number]['from']>[number],
  owner: string,
  other: Endpoint,
  namespaces: NetworkView['namespaces'],
): Truth {
  if (peer.ipBlock) {
    if (!other.ip) return 0.5;
    const hit = inBlock(peer.ipBlock.cidr, other.ip) && !(peer.ipBlock.except ?? []).some((one) => inBlock(one, other.ip ?? ''));
    return hit ? 0.5 : 0;
  }
  const labels = namespaces.get(other.namespace);
  const place: Truth = peer.namespaceSelector
    ? labels
      ? chosen(peer.namespaceSelector, labels)
        ? 1
        : 0
      : 0.5
    : other.namespace === owner
      ? 1
      : 0;
  return every(place, peer.podSelector && !chosen(peer.podSelector, other.labels) ? 0 : 1, other.isHostNetwork ? 0.5 : 1);
}

function ruleTruth(
  rule: Rules[number],
  way: 'ingress' | 'egress',
  { owner, other, to, namespaces }: { owner: string; other: Endpoint; to: Endpoint; namespaces: NetworkView['namespaces'] },
  hit: Hit,
): Truth {
  const peers = (way === 'ingress' ? rule.from : rule.to) ?? [];
  const who: Truth = peers.length === 0 ? 1 : any(peers.map((peer) => peerTruth(peer, owner, other, namespaces)));
  const ports = rule.ports ?? [];
  const where =
    ports.length === 0 ||
    ports.some(({ protocol = 'TCP', port, endPort }) => {
      if (protocol !== hit.protocol) return false;
      if (port === undefined) return true;
      if (typeof port === 'string') return to.ports.some((one) => one.name === port && one.protocol === protocol && one.port === hit.port);
      return endPort === undefined ? port === hit.port : hit.port >= port && hit.port <= endPort;
    });
  return where ? who : 0;
}

function sideTruth(
  way: 'ingress' | 'egress',
  self: Endpoint,
  other: Endpoint,
  { to, view: { policies, namespaces } }: { to: Endpoint; view: NetworkView },
  hit: Hit,
): Truth {
  const type = way === 'ingress' ? 'Ingress' : 'Egress';
  const isolating = policies.filter(
    ({ metadata, spec = {} }) =>
      metadata.namespace === self.namespace &&
      chosen(spec.podSelector, self.labels) &&
      (spec.policyTypes ?? (spec.egress?.length ? ['Ingress', 'Egress'] : ['Ingress'])).includes(type),
  );
  if (isolating.length === 0) return 1;
  const rules = isolating.flatMap(({ metadata, spec }) =>
    (spec?.[way] ?? []).map((rule) => ruleTruth(rule, way, { owner: metadata.namespace ?? '', other, to, namespaces }, hit)),
  );
  const doubt: Truth = self.isHostNetwork || (way === 'ingress' && other.isHostNetwork) ? 0.5 : 0;
  return any([...rules, doubt]);
}

function modelled(from: Endpoint, to: Endpoint, view: NetworkView, hits: Hit[]): Reach {
  const self = from.namespace === to.namespace && from.name === to.name;
  const truth = self
    ? 1
    : any(hits.map((hit) => every(sideTruth('egress', from, to, { to, view }, hit), sideTruth('ingress', to, from, { to, view }, hit))));
  return truth === 1 ? 'allowed' : truth === 0 ? 'refused' : 'unknown';
}

const PLACES = ['a', 'b', 'far'];
const LABELS = [{}, { app: 'x' }, { app: 'y' }, { app: 'x', tier: '1' }];
const BLOCKS = ['0.0.0.0/0', '10.0.0.0/8', '10.0.1.0/24', '10.0.0.7/32', 'fd00::/8', 'fd00:0:0:1::/64'];

function aWorld(dice: Random): { pods: Endpoint[]; view: NetworkView } {
  const selector = () => ({ matchLabels: dice.pick(LABELS) }) as { matchLabels: Record<string, string> };
  const peer = () =>
    dice.chance(0.25)
      ? { ipBlock: { cidr: dice.pick(BLOCKS), ...(dice.chance(0.4) ? { except: [dice.pick(BLOCKS)] } : {}) } }
      : {
          ...(dice.chance(0.6) ? { podSelector: selector() } : {}),
          ...(dice.chance(0.5) ? { namespaceSelector: dice.pick([{}, { matchLabels: { team: 'a' } }]) } : { podSelector: selector() }),
        };
  const port = () => {
    const protocol = dice.chance(0.5) ? { protocol: dice.pick(WORDS) } : {};
    if (dice.chance(0.2)) return protocol;
    if (dice.chance(0.25)) return { ...protocol, port: dice.pick(['http', 'sql']) };
    const first = dice.pick(PORTS);
    const last = dice.pick(PORTS);
    return { ...protocol, port: first, ...(dice.chance(0.3) && last >= first ? { endPort: last } : {}) };
  };
  const list = <T>(most: number, make: () => T): T[] => Array.from({ length: dice.integer(most + 1) }, make);
  const rule = (end: 'from' | 'to') => ({
    ...(dice.chance(0.8) ? { [end]: list(2, peer) } : {}),
    ...(dice.chance(0.6) ? { ports: list(2, port) } : {}),
  });
  const policies = list(5, () => ({
    metadata: { name: `p${dice.integer(1000)}`, namespace: dice.pick(PLACES) },
    spec: {
      podSelector: selector(),
      ...(dice.chance(0.7) ? { policyTypes: dice.pick([['Ingress'], ['Egress'], ['Ingress', 'Egress']]) } : {}),
      ...(dice.chance(0.8) ? { ingress: list(2, () => rule('from')) } : {}),
      ...(dice.chance(0.6) ? { egress: list(2, () => rule('to')) } : {}),
    },
  }));
  const pods = Array.from({ length: 4 }, (_, number): Endpoint => ({
    name: `pod-${number}`,
    namespace: dice.pick(PLACES),
    labels: dice.pick(LABELS) as Record<string, string>,
    ip: dice.chance(0.1) ? undefined : dice.pick(['10.0.0.7', '10.0.1.9', '192.168.0.1', 'fd00::1', 'fd00:0:0:1::2']),
    ...(dice.chance(0.1) ? { isHostNetwork: true } : {}),
    ports: list(2, () => ({ name: dice.pick(['http', 'sql']), port: dice.pick(PORTS), protocol: dice.pick(WORDS) })),
  }));
  const namespaces = new Map<string, Record<string, string>>([
    ['a', { team: 'a' }],
    ['b', {}],
  ]);
  return { pods, view: { policies, namespaces } };
}

const SETS = 2_000;
network(`equals the brute-force model for ${SETS} generated sets of policies`, () => {
  const dice = random(18);
  const every = WORDS.flatMap((protocol) => PORTS.map((port) => ({ port, protocol })));
  const tally: Record<Reach, number> = { allowed: 0, refused: 0, unknown: 0 };
  for (let set = 0; set < SETS; set++) {
    const { pods, view: world } = aWorld(dice);
    for (let pair = 0; pair < 4; pair++) {
      const [from, to] = [dice.pick(pods), dice.pick(pods)];
      const hit = dice.pick(every);
      const told = () => `set ${set}: ${JSON.stringify({ from, to, hit, policies: world.policies })}`;
      const whole = reachability(from, to, world);
      assert.is(whole.reach, modelled(from, to, world, every), told());
      assert.is(reachability(from, to, world, hit).reach, modelled(from, to, world, [hit]), told());
      tally[whole.reach]++;
    }
  }
  for (const [reach, count] of Object.entries(tally)) assert.ok(count > 300, `only ${count} pairs are ${reach}: the sets tell too little`);
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
