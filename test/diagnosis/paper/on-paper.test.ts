import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { Surroundings } from '../../../src/diagnosis/case.ts';
import type { Correction } from '../../../src/diagnosis/corrections/correction.ts';
import { joined } from '../../../src/diagnosis/corrections/combine.ts';
import { factsOfCase } from '../../../src/diagnosis/facts/facts.ts';
import { onPaper } from '../../../src/diagnosis/paper/on-paper.ts';
import { ruleInput } from '../../../src/diagnosis/facts/input.ts';
import { aCase, aPodManifest, type CaseParts } from '../../support/builders/cases.ts';

const paper = suite('a correction on paper');

const node = (name: string, more: Partial<NonNullable<Surroundings['nodes']>[number]> = {}) => ({
  name,
  labels: {},
  allocatable: { cpu: '2', memory: '4Gi' },
  taints: [],
  ...more,
});
const aCorrection = (path: string, to: unknown, more: Partial<Correction> = {}): Correction => ({
  title: 'Change it',
  changes: [{ path, from: null, to, why: 'because' }],
  confidence: 'likely',
  explanation: 'It helps.',
  mirrorable: true,
  ...more,
});
const homeless = { failure_reason: 'Unschedulable', container: null, container_statuses: [] };

/** The correction's changes, confidence and explanation after it was tried on paper. */
function tried(correction: Correction, parts: CaseParts) {
  const subject = aCase(parts);
  const { changes, confidence, explanation } = onPaper(ruleInput(subject, factsOfCase(subject)), correction);
  return { changes: Object.fromEntries(changes.map(({ path, to }) => [path, to])), confidence, explanation };
}

paper('stays as it is when the pod then fits a node', () => {
  const answer = tried(aCorrection('spec.nodeSelector.disk', 'ssd'), {
    ...homeless,
    manifest: aPodManifest({}, { nodeSelector: { disk: 'sdd' } }),
    surroundings: { nodes: [node('a', { labels: { disk: 'ssd' } })] },
  });
  assert.equal(answer, { changes: { 'spec.nodeSelector.disk': 'ssd' }, confidence: 'likely', explanation: 'It helps.' });
});

paper('also gets the changes for the next obstacle on the same node', () => {
  const { changes, confidence } = tried(aCorrection('spec.nodeSelector.disk', 'ssd'), {
    ...homeless,
    manifest: aPodManifest({ resources: { requests: { cpu: '8' } } }, { nodeSelector: { disk: 'sdd' } }),
    surroundings: { nodes: [node('big', { allocatable: { cpu: '64' } }), node('small', { labels: { disk: 'ssd' } })] },
  });
  assert.equal(Object.keys(changes), ['spec.nodeSelector.disk', 'spec.containers[0].resources.requests.cpu']);
  assert.equal(changes['spec.containers[0].resources.requests.cpu'], '1');
  assert.is(confidence, 'likely');
});

paper('also lets pods be spread unevenly over a label that no node has', () => {
  const spread = (whenUnsatisfiable: string, zone: object) =>
    tried(aCorrection('spec.containers[0].resources.requests.cpu', '200m'), {
      ...homeless,
      manifest: aPodManifest(
        { resources: { requests: { cpu: '200' } } },
        { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'zone', whenUnsatisfiable, labelSelector: {} }] },
      ),
      surroundings: { nodes: [node('a', { labels: { host: 'a', ...zone } })] },
    }).changes['spec.topologySpreadConstraints[0].whenUnsatisfiable'];
  assert.is(spread('DoNotSchedule', {}), 'ScheduleAnyway');
  assert.is(spread('DoNotSchedule', { zone: 'b' }), undefined);
  assert.is(spread('ScheduleAnyway', {}), undefined);
});

paper('is a guess when a taint of the control plane remains', () => {
  const { confidence, explanation } = tried(aCorrection('spec.nodeSelector.disk', 'ssd'), {
    ...homeless,
    manifest: aPodManifest({}, { nodeSelector: { disk: 'sdd' } }),
    surroundings: {
      nodes: [node('a', { labels: { disk: 'ssd' }, taints: [{ key: 'node-role.kubernetes.io/control-plane', effect: 'NoSchedule' }] })],
    },
  });
  assert.is(confidence, 'guess');
  assert.match(explanation, /the taint `node-role\.kubernetes\.io\/control-plane`/);
});

paper('names the first of the nodes that come equally near', () => {
  const { changes } = tried(aCorrection('spec.nodeSelector.disk', 'ssd'), {
    ...homeless,
    manifest: aPodManifest({}, { nodeSelector: { disk: 'sdd' } }),
    surroundings: {
      nodes: ['first', 'second'].map((key) => node(key, { labels: { disk: 'ssd' }, taints: [{ key, effect: 'NoSchedule' }] })),
    },
  });
  assert.equal(changes['spec.tolerations'], [{ key: 'first', operator: 'Exists', effect: 'NoSchedule' }]);
});

paper('ignores the nodes when not all of them are known', () => {
  const message = "0/3 nodes are available: 3 node(s) didn't match Pod's node affinity/selector.";
  const { changes } = tried(aCorrection('spec.nodeSelector.disk', 'ssd'), {
    ...homeless,
    failure_message: message,
    manifest: aPodManifest({ resources: { requests: { cpu: '8' } } }, { nodeSelector: { disk: 'sdd' } }),
    surroundings: { nodes: [node('a', { labels: { disk: 'ssd' } })] },
  });
  assert.equal(Object.keys(changes), ['spec.nodeSelector.disk']);
});

paper('that asks for more than any node has is a guess', () => {
  const { confidence, explanation } = tried(aCorrection('spec.containers[0].resources.limits.memory', '8Gi'), {
    status: { state: 'running' },
    manifest: aPodManifest({ resources: { limits: { memory: '2Gi' } } }),
    surroundings: { nodes: [node('a')] },
  });
  assert.is(confidence, 'guess');
  assert.match(explanation, /No node of the cluster is large enough/);
});

paper('that Pod Security would refuse is a guess', () => {
  const { confidence, explanation } = tried(aCorrection('spec.hostNetwork', true), { manifest: aPodManifest() });
  assert.is(confidence, 'guess');
  assert.match(explanation, /spec\.hostNetwork/);
});

const crashing = { status: { state: 'running' as const } };
const limit = 'spec.containers[0].resources.limits.memory';
const asking = (memory: string) => aPodManifest({ resources: { limits: { memory } } });

paper('counts what the other pods of a node request', () => {
  const around = (used: number): CaseParts => ({
    ...homeless,
    manifest: aPodManifest({ resources: { requests: { cpu: '1' } } }, { nodeSelector: { disk: 'sdd' } }),
    surroundings: { nodes: [node('a', { labels: { disk: 'ssd' }, used: { cpu: used, pods: 3 } })] },
  });
  assert.equal(Object.keys(tried(aCorrection('spec.nodeSelector.disk', 'ssd'), around(0.5)).changes), ['spec.nodeSelector.disk']);
  const { changes } = tried(aCorrection('spec.nodeSelector.disk', 'ssd'), around(1.5));
  assert.is(changes['spec.containers[0].resources.requests.cpu'], '250m');
  const full = tried(aCorrection('spec.nodeSelector.disk', 'ssd'), around(2));
  assert.is(full.confidence, 'guess');
});

paper('does not count what the failing pod itself holds', () => {
  const manifest = aPodManifest({ resources: { limits: { memory: '2Gi' } } }, { nodeName: 'a' });
  const parts = (used: number) => ({
    ...crashing,
    manifest,
    surroundings: { nodes: [node('a', { used: { memory: used * 2 ** 30, pods: 1 } })] },
  });
  assert.is(tried(aCorrection(limit, '4Gi'), parts(2)).confidence, 'likely');
  const { confidence, explanation } = tried(aCorrection(limit, '4Gi'), parts(3));
  assert.is(confidence, 'guess');
  assert.match(explanation, /No node has that much free/);
});

paper('that a quota has no room for is a guess, and says how much is left', () => {
  const quota = (used: string) => [{ name: 'team', scopes: [], hard: { 'limits.memory': '4Gi' }, used: { 'limits.memory': used } }];
  const { confidence, explanation } = tried(aCorrection(limit, '4Gi'), {
    ...crashing,
    manifest: asking('2Gi'),
    surroundings: { quotas: quota('3Gi') },
  });
  assert.is(confidence, 'guess');
  assert.match(explanation, /Quota `team` has `3Gi` of `limits\.memory` left/);
  assert.is(
    tried(aCorrection(limit, '3Gi'), { ...crashing, manifest: asking('2Gi'), surroundings: { quotas: quota('3Gi') } }).confidence,
    'likely',
  );
});

paper('stays within the LimitRange, and is a guess where that undoes it', () => {
  const limitRanges = (memory: string) => [{ name: 'sizes', min: {}, max: { memory } }];
  const within = tried(aCorrection(limit, '4Gi', { changes: [{ path: limit, from: '2Gi', to: '4Gi', why: '' }] }), {
    ...crashing,
    manifest: asking('2Gi'),
    surroundings: { limitRanges: limitRanges('3Gi') },
  });
  assert.equal([within.changes, within.confidence], [{ [limit]: '3Gi' }, 'likely']);
  const undone = tried(aCorrection(limit, '4Gi', { changes: [{ path: limit, from: '2Gi', to: '4Gi', why: '' }] }), {
    ...crashing,
    manifest: asking('2Gi'),
    surroundings: { limitRanges: limitRanges('2Gi') },
  });
  assert.equal([undone.changes, undone.confidence], [{ [limit]: '4Gi' }, 'guess']);
  assert.match(undone.explanation, /LimitRange `sizes`/);
});

paper('meets the level that the namespace enforces, as a guess where the program gets another user', () => {
  const restricted = { podSecurity: { level: 'restricted' as const, minor: Infinity } };
  const { changes, confidence } = tried(aCorrection('spec.containers[0].image', 'web:2'), {
    manifest: aPodManifest(),
    surroundings: restricted,
  });
  assert.is(confidence, 'guess');
  assert.is(changes['spec.securityContext.runAsUser'], 1000);
  assert.is(changes['spec.containers[0].image'], 'web:2');
  const free = tried(aCorrection('spec.hostNetwork', true), { manifest: aPodManifest(), surroundings: { podSecurity: null } });
  assert.is(free.confidence, 'likely');
});

paper('that takes the pod away from the node of its volume is a guess', () => {
  const manifest = aPodManifest(
    {},
    { nodeSelector: { disk: 'sdd' }, volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] },
  );
  const nodes = [node('a', { labels: { disk: 'hdd' } }), node('b', { labels: { disk: 'ssd' } })];
  const claims = (mode: string) => [{ name: 'data', phase: 'Bound', accessModes: [mode], usedOn: ['a'] }];
  const once = tried(aCorrection('spec.nodeSelector.disk', 'ssd'), {
    ...homeless,
    manifest,
    surroundings: { nodes, claims: claims('ReadWriteOnce') },
  });
  assert.is(once.confidence, 'guess');
  assert.match(once.explanation, /claim `data` is in use on node `a`/);
  const many = tried(aCorrection('spec.nodeSelector.disk', 'ssd'), {
    ...homeless,
    manifest,
    surroundings: { nodes, claims: claims('ReadWriteMany') },
  });
  assert.is(many.confidence, 'likely');
});

paper('of a container that has run does not look for what is missing', () => {
  const manifest = aPodManifest({ envFrom: [{ configMapRef: { name: 'settings' } }] });
  const surroundings = { configMaps: [{ name: 'setting', keys: [] }] };
  const path = 'spec.containers[0].image';
  assert.equal(Object.keys(tried(aCorrection(path, 'web:2'), { manifest, surroundings }).changes), [path]);
  const waiting = { name: 'app', kind: 'app' as const, image: 'web:1', ready: false, restart_count: 0, state: 'waiting' as const };
  const { changes } = tried(aCorrection(path, 'web:2'), { manifest, surroundings, container_statuses: [waiting] });
  assert.equal(Object.keys(changes), [path, 'spec.containers[0].envFrom[0].configMapRef.name']);
});

paper('survives a path that is none and a pod without a manifest', () => {
  assert.is(tried(aCorrection('spec..', 1), { manifest: aPodManifest() }).confidence, 'likely');
  assert.is(tried(aCorrection('spec.x', 1), {}).confidence, 'likely');
});

paper('joined with another keeps the lower confidence and the first value before', () => {
  const first = { ...aCorrection('a', 1), changes: [{ path: 'a', from: 0, to: 1, why: '' }] };
  const answer = joined(first, aCorrection('a', 2, { title: 'Use `b`', confidence: 'guess', mirrorable: false, explanation: 'B.' }));
  assert.equal(answer, {
    title: 'Change it and use `b`',
    changes: [{ path: 'a', from: 0, to: 2, why: 'because' }],
    confidence: 'guess',
    explanation: 'It helps. B.',
    mirrorable: false,
  });
});

paper.run();
