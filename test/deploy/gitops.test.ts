import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { LuaFactory, LuaLibraries } from 'wasmoon';
import type { KubeObject } from '../../src/crd/kubernetes.ts';
import { loadManifest, loadManifests } from '../../src/crd/manifest.ts';
import type { MirrorPod, MirrorPodStatus } from '../../src/crd/mirrorpod.ts';
import { effectOf } from '../../src/suppressions/policy/match.ts';
import type { Suppression } from '../../src/crd/suppression.ts';
import { statusOf, type MirrorState } from '../../src/mirrors/policy/status.ts';
import type { Judgement } from '../../src/mirrors/policy/verdict.ts';
import { decideSuppression } from '../../src/suppressions/policy/status.ts';
import { type KStatus, kstatusOf } from '../support/cluster/kstatus.ts';
import { aMirrorPod, at } from '../support/builders/mirror.ts';
import { aSuppression } from '../support/builders/suppression.ts';

// The health that GitOps tools show for every state of a MirrorPod (crds/README.md, "States") and of a Suppression.

const read = (file: string): string => readFileSync(new URL(`../../deploy/gitops/${file}`, import.meta.url), 'utf8');
const { data: checks } = loadManifest(read('argocd-cm.yaml')) as unknown as { data: Record<string, string> };

/** Argo CD's health for each status of kstatus. */
const HEALTH: Record<KStatus, string> = { Current: 'Healthy', InProgress: 'Progressing', Failed: 'Degraded', Terminating: 'Progressing' };

/** A value as Lua writes it. */
function luaOf(value: unknown): string {
  if (Array.isArray(value)) return `{${value.map(luaOf).join(', ')}}`;
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .map(([key, one]) => `[${JSON.stringify(key)}] = ${luaOf(one)}`)
      .join(', ')}}`;
  return value === null || value === undefined ? 'nil' : JSON.stringify(value);
}

/** Runs a health check as Argo CD does: with `obj`, and only the Lua libraries base and table. */
async function healthOf(object: KubeObject): Promise<{ status: string; message: string }> {
  const script = checks[`resource.customizations.health.podmend.dev_${object.kind}`];
  assert.ok(script, `a health check for ${object.kind}`);
  const engine = await new LuaFactory().createEngine({ openStandardLibs: false });
  try {
    for (const library of [LuaLibraries.Base, LuaLibraries.Table]) engine.global.loadLibrary(library);
    return (await engine.doString(`obj = ${luaOf(object)}\n${script}`)) as { status: string; message: string };
  } finally {
    engine.global.close();
  }
}

const judged = (verdict: Judgement['verdict'], completed = false): MirrorState => ({
  kind: 'judged',
  judgement: { verdict, reason: 'PodReady', message: 'It was Ready long enough.' } as Judgement,
  completed,
});
const running: MirrorState = { kind: 'running' };
const refused: MirrorState = { kind: 'refused', reason: 'MorePower', message: 'It asks for more power.' };
const waiting: MirrorState = { kind: 'pending', reason: 'LimitReached', message: 'It waits.' };
const gone: MirrorState = { kind: 'stalled', reason: 'SourceGone', message: 'Nothing is left.' };
const expired: MirrorState = { kind: 'expired' };
const standing: MirrorState = { kind: 'standing' };
const UNSEEN = { observedGeneration: -1 } as MirrorPodStatus;

/** A mirror after these states. `then` changes the object after the last state. */
function mirrorAfter(states: MirrorState[], then: (mirror: MirrorPod) => MirrorPod = (mirror) => mirror): MirrorPod {
  let mirror = aMirrorPod({ onExpiry: 'Retain', template: { spec: { containers: [{ name: 'app', image: 'web:1' }] } } }, UNSEEN);
  for (const [step, state] of states.entries()) {
    const facts = { expiresAt: at(120), ...(state === running ? { podName: 'web-mirror-12345678' } : {}) };
    mirror = { ...mirror, status: statusOf(mirror, state, facts, at(step)) };
  }
  return then(mirror);
}
const ofNextGeneration = <T extends KubeObject>(object: T): T => ({ ...object, metadata: { ...object.metadata, generation: 2 } });
const deleted = <T extends KubeObject>(object: T): T => ({
  ...object,
  metadata: { ...object.metadata, deletionTimestamp: '2026-05-01T10:05:00Z' },
});

const MIRRORS: [what: string, mirror: MirrorPod, is: KStatus][] = [
  ['not seen yet', mirrorAfter([]), 'InProgress'],
  ['waiting', mirrorAfter([waiting]), 'InProgress'],
  ['without a source', mirrorAfter([gone]), 'Failed'],
  ['with a source in the end', mirrorAfter([gone, waiting]), 'InProgress'],
  ['running, not yet judged', mirrorAfter([waiting, running]), 'InProgress'],
  ['judged good', mirrorAfter([running, judged('Fixed')]), 'Current'],
  ['job-like, judged good', mirrorAfter([running, judged('Fixed', true)]), 'Current'],
  ['judged bad', mirrorAfter([running, judged('StillFailing')]), 'Current'],
  ['cannot tell', mirrorAfter([running, judged('Inconclusive')]), 'Current'],
  ['judged after it was stalled', mirrorAfter([gone, running, judged('Fixed')]), 'Current'],
  ['looked at again after its verdict', mirrorAfter([running, judged('Fixed'), standing]), 'Current'],
  ['refused', mirrorAfter([refused]), 'Failed'],
  ['expired after its verdict', mirrorAfter([running, judged('StillFailing'), expired]), 'Current'],
  ['expired while it waited', mirrorAfter([waiting, expired]), 'Failed'],
  ['expired, refused before', mirrorAfter([refused, expired]), 'Failed'],
  ['changed after its verdict, not seen yet', mirrorAfter([running, judged('Fixed')], ofNextGeneration), 'InProgress'],
  ['being deleted', mirrorAfter([running], deleted), 'Terminating'],
];

const NOW = new Date('2026-05-01T10:00:00Z');
function suppressionAfter(
  over: Partial<Suppression['spec']>,
  { matched = 0, seen = true, status }: { matched?: number; seen?: boolean; status?: Suppression['status'] } = {},
): Suppression {
  const given = aSuppression({ pods: ['web-*'] }, over as never);
  const metadata = { ...given.metadata, generation: 1, creationTimestamp: '2026-01-01T00:00:00Z' };
  const suppression: Suppression = {
    ...given,
    apiVersion: 'podmend.dev/v1alpha1',
    kind: 'Suppression',
    metadata,
    status: status ?? { observedGeneration: -1 },
  };
  Object.assign(suppression.spec, over);
  if (!seen) return suppression;
  const effect = effectOf(suppression, NOW, 'podmend');
  return { ...suppression, status: decideSuppression({ suppression, effect, matched: { failures: matched, findings: 0 }, now: NOW }) };
}
const invalid = suppressionAfter({ match: {} });
const SUPPRESSIONS: [what: string, suppression: Suppression, is: KStatus][] = [
  ['not seen yet', suppressionAfter({}, { seen: false }), 'InProgress'],
  ['in effect', suppressionAfter({}, { matched: 3 }), 'Current'],
  ['unused for long', suppressionAfter({}), 'Current'],
  ['suspended', suppressionAfter({ suspend: true }), 'Current'],
  ['expired', suppressionAfter({ expirationTime: '2026-04-01T00:00:00Z' }), 'Current'],
  ['wrong', invalid, 'Failed'],
  ['wrong before, right now', suppressionAfter({}, { status: invalid.status! }), 'Current'],
  ['changed, not seen yet', ofNextGeneration(suppressionAfter({})), 'InProgress'],
  ['being deleted', deleted(suppressionAfter({})), 'Terminating'],
];

const PROVIDER = { apiVersion: 'podmend.dev/v1alpha1', kind: 'NotificationProvider', metadata: { name: 'chat', generation: 1 } };

const test = suite('what GitOps tools see');
const ALL: [string, KubeObject & { status?: object }, KStatus][] = [
  ...MIRRORS.map(([what, object, is]) => [`a MirrorPod, ${what}`, object, is] as [string, KubeObject, KStatus]),
  ...SUPPRESSIONS.map(([what, object, is]) => [`a Suppression, ${what}`, object, is] as [string, KubeObject, KStatus]),
  ['a NotificationProvider without a status', PROVIDER, 'Current'],
];
for (const [what, object, is] of ALL)
  test(`${what}: ${is}`, async () => {
    assert.is(kstatusOf(object), is, JSON.stringify(object.status));
    const { status, message } = await healthOf(object);
    assert.is(status, HEALTH[is], message);
    assert.type(message, 'string');
  });

test('every state has exactly one of Ready, Reconciling and Stalled', () => {
  const contradictory = ALL.filter(([, { status }]) => {
    const conditions = (status as MirrorPodStatus | undefined)?.conditions ?? [];
    return conditions.filter(({ type, status: is }) => ['Ready', 'Reconciling', 'Stalled'].includes(type) && is === 'True').length > 1;
  });
  assert.equal(
    contradictory.map(([what]) => what),
    [],
  );
});

test('after a pass all conditions are of the generation that was seen', () => {
  const mirror = ofNextGeneration(mirrorAfter([running, judged('Fixed')]));
  const { conditions = [], observedGeneration } = statusOf(mirror, standing, { expiresAt: at(120) }, at(9));
  assert.equal([observedGeneration, ...conditions.map((one) => one.observedGeneration)], [2, ...conditions.map(() => 2)]);
});

test('the examples are whole', () => {
  const kinds = ['argocd-cm.yaml', 'argocd-application.yaml', 'flux-kustomization.yaml'].flatMap((file) =>
    loadManifests(read(file)).map((one) => (one as KubeObject).kind),
  );
  assert.equal(kinds, ['ConfigMap', 'Application', 'GitRepository', 'Kustomization', 'Kustomization']);
  assert.is(Object.keys(checks).length, 3);
});

test.run();
