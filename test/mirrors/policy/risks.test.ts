import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { PodSpec } from '../../../src/crd/kubernetes.ts';
import { risksOf } from '../../../src/mirrors/policy/risks.ts';
import { aSource, aTemplate } from '../../support/builders/mirror.ts';

type Around = Parameters<typeof risksOf>[2];
const NONE: Around = { policies: [], unsharedClaims: [], quotas: [], openBudgets: [] };
const risks = (spec: object = {}, around: Partial<Around> = {}, source = aSource(aTemplate(spec as PodSpec))) =>
  risksOf(source, aTemplate(spec as PodSpec), { ...NONE, ...around });
const app = (more: object) => ({ containers: [{ name: 'app', image: 'web:1', ...more }] });
const volumes = (...all: object[]) => ({ volumes: all.map((one) => ({ name: 'data', ...one })) });
const claim = { persistentVolumeClaim: { claimName: 'db' } };
const owned = (kind: string) => aSource(aTemplate(), { owner: { kind, metadata: { name: 'x' } } as never });
const policy = (podSelector: object) => ({ metadata: { name: 'open' }, spec: { podSelector } });

type Told = [says: string, given: string[], expected: RegExp | undefined];
const told: Told[] = [
  ['a plain web server', risks(), undefined],
  ['a job', risks({ restartPolicy: 'Never' }), /^It runs the job once more/],
  [
    'init containers, without sidecars',
    risks({ initContainers: [{ name: 'migrate' }, { name: 'proxy', restartPolicy: 'Always' }] }),
    /^Its init containers run again: migrate\.$/,
  ],
  ['a sidecar alone', risks({ initContainers: [{ name: 'proxy', restartPolicy: 'Always' }] }), undefined],
  ['host ports', risks(app({ ports: [{ containerPort: 80, hostPort: 8080 }] })), /^Host ports are left out \(8080\)/],
  ['the network of the node', risks({ hostNetwork: true }), /^It shares the node's network/],
  ['readiness gates', risks({ readinessGates: [{ conditionType: 'x' }] }), /^Readiness gates are left out/],
  ['rules about other pods', risks({ affinity: { podAntiAffinity: {} } }), /^Rules about other pods/],
  ['rules about nodes', risks({ affinity: { nodeAffinity: {} } }), undefined],
  ['a DaemonSet', risks({}, {}, owned('DaemonSet')), /^It runs on one node of the scheduler/],
  ['a Deployment', risks({}, {}, owned('Deployment')), undefined],
  ['scheduling gates', risks({ schedulingGates: [{ name: 'x' }] }), /^Scheduling gates hold it/],
  [
    'a policy about every pod',
    risks({}, { policies: [policy({})] as never }),
    /^NetworkPolicies that select every pod hold for it too.*: open\.$/,
  ],
  ['a policy about some pods', risks({}, { policies: [policy({ matchLabels: { a: 'b' } })] as never }), undefined],
  ['a budget for every pod', risks({}, { openBudgets: ['all'] }), /^PodDisruptionBudgets that select every pod.*: all\.$/],
  [
    'a claim of one node',
    risks(volumes(claim), { unsharedClaims: ['db'] }),
    /^The claim db cannot be shared: an empty volume takes its place/,
  ],
  ['a shared claim', risks(volumes(claim)), /^It uses the same data as its source, and may write to it: claim db\.$/],
  ['an empty volume', risks(volumes({ emptyDir: {} })), undefined],
  ['an ephemeral claim', risks(volumes({ ephemeral: {} })), /^A new claim is made for its volume data/],
  ...['nfs', 'cephfs', 'glusterfs', 'azureFile', 'quobyte', 'flocker', 'flexVolume'].map((kind): Told => [
    `a volume of ${kind}`,
    risks(volumes({ [kind]: {} })),
    /^It uses the same data as its source.*: volume data\.$/,
  ]),
  ...['DB_URL', 'DSN', 'REDIS_HOST', 'MONGO_URI', 'X_ADDR', 'X_ADDRESS', 'X_ENDPOINT', 'X_SERVERS', 'KAFKA_BROKERS', 'PG_DATABASE'].map(
    (name): Told => [
      `the variable ${name}`,
      risks(app({ env: [{ name, value: 'x' }] })),
      new RegExp(`^It reaches the same services as its source.*: see ${name}\\.$`),
    ],
  ),
  ['an address in a variable', risks(app({ env: [{ name: 'X', value: 'redis://db' }] })), /: see X\.$/],
  ['other variables', risks(app({ env: [{ name: 'URLS_OF', value: 'x' }, { name: 'LOG' }] })), undefined],
  ['a Secret', risks(app({ envFrom: [{ secretRef: { name: 'db' } }] })), /: see Secret db\.$/],
];
for (const [says, given, expected] of told)
  test(`${says}: ${expected ? 'told' : 'no risk'}`, () => {
    assert.is(given.length, expected ? 1 : 0, given.join('\n'));
    if (expected) assert.match(given[0] ?? '', expected);
  });

test.run();
