import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { addPorts, holdsPort, intersects, type PolicyPort, type PortSet } from '../../src/crd/policy-ports.ts';

const test = suite('ports of NetworkPolicies');

const POD = {
  ports: [
    { name: 'http', port: 8080, protocol: 'TCP' as const },
    { name: 'http', port: 8081, protocol: 'TCP' as const },
    { name: 'dns', port: 53, protocol: 'UDP' as const },
  ],
};
function setOf(...rules: (readonly PolicyPort[] | undefined)[]): PortSet {
  const set: PortSet = new Map();
  for (const ports of rules) addPorts(set, ports, POD);
  return set;
}
const EVERY = [[1, 65_535]];

const SETS: [what: string, ports: PolicyPort[] | undefined, set: object][] = [
  ['no list', undefined, { TCP: EVERY, UDP: EVERY, SCTP: EVERY }],
  ['an empty list', [], { TCP: EVERY, UDP: EVERY, SCTP: EVERY }],
  ['a protocol', [{ protocol: 'UDP' }], { UDP: EVERY }],
  ['a number, which is TCP', [{ port: 80 }], { TCP: [[80, 80]] }],
  ['a range', [{ port: 80, endPort: 90 }], { TCP: [[80, 90]] }],
  ['a range that ends before it begins', [{ port: 80, endPort: 70 }], { TCP: [[80, 80]] }],
  [
    'a name, for all its ports',
    [{ port: 'http' }],
    {
      TCP: [
        [8080, 8080],
        [8081, 8081],
      ],
    },
  ],
  ['a name of another protocol', [{ port: 'dns' }], {}],
  ['a name with its protocol', [{ port: 'dns', protocol: 'UDP' }], { UDP: [[53, 53]] }],
  ['a protocol that nobody knows', [{ protocol: 'ICMP' }, { port: 1 }], { TCP: [[1, 1]] }],
];
for (const [what, ports, set] of SETS) test(`a rule with ${what}`, () => assert.equal(Object.fromEntries(setOf(ports)), set));

test('a set has a port at both ends of its ranges, and none beside them', () => {
  const set = setOf([{ port: 80, endPort: 90 }], [{ port: 100 }]);
  const held = [79, 80, 90, 91, 100].filter((port) => holdsPort(set, { port, protocol: 'TCP' }));
  assert.equal(held, [80, 90, 100]);
  assert.not(holdsPort(set, { port: 80, protocol: 'UDP' }));
});

const PAIRS: [one: PolicyPort, other: PolicyPort, common: boolean][] = [
  [{ port: 80 }, { port: 80 }, true],
  [{ port: 80 }, { port: 81 }, false],
  [{ port: 80, endPort: 90 }, { port: 90, endPort: 95 }, true],
  [{ port: 90, endPort: 95 }, { port: 80, endPort: 90 }, true],
  [{ port: 80, endPort: 90 }, { port: 91, endPort: 95 }, false],
  [{ port: 80 }, { port: 80, protocol: 'UDP' }, false],
  [{ port: 80 }, { protocol: 'TCP' }, true],
];
for (const [one, other, common] of PAIRS)
  test(`${JSON.stringify(one)} and ${JSON.stringify(other)} have ${common ? 'a' : 'no'} port in common`, () =>
    assert.is(intersects(setOf([one]), setOf([other])), common));

test.run();
