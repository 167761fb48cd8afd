import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { MirrorPodSpec, MirrorPodStatus } from '../../../src/crd/mirrorpod.ts';
import type { Pod } from '../../../src/crd/kubernetes.ts';
import { loadManifest } from '../../../src/crd/manifest.ts';
import { mirrorRecord, shownEvidence } from '../../../src/mirrors/policy/mirror-record.ts';
import { aMirrorPod, aMirrorsPod, aTemplate, at, atText, BORN } from '../../support/builders/mirror.ts';
import { anEvent } from '../../support/builders/pod.ts';

const record = (spec: Partial<MirrorPodSpec> = {}, status?: MirrorPodStatus, pod?: Pod) =>
  mirrorRecord({ mirror: aMirrorPod(spec, status), pod, events: [], defaultTtlSeconds: 180 });

test('a new mirror has what its spec says', () => {
  const { mirror_pod_name, ...rest } = record();
  assert.match(mirror_pod_name, /^web-mirror-/);
  assert.equal(rest, {
    ...{ mirror_id: 'uid-try', name: 'try', source_pod_name: 'web', pod_id: null, namespace: 'shop', status: 'Pending', verdict: null },
    ...{ ttl_seconds: 120, created_at: BORN, expires_at: atText(120), fixed_manifest: '', explanation: '' },
    ...{ evidence: null, revisions: [], final: false, conditions: [], events: [] },
  });
});

test('a mirror that has been judged has what its status says, in the words of the API', () => {
  const condition = (type: string, status: 'True' | 'False') => ({ type, status, reason: 'R', message: 'm', lastTransitionTime: BORN });
  const revision = { at: BORN, from: 'Fixed', to: 'StillFailing', reason: 'Regressed', message: 'm' };
  const status = {
    ...{ phase: 'Running', verdict: 'StillFailing', expirationTime: atText(60), correction: { origin: 'Given', explanation: 'Sets it.' } },
    ...{ revisions: [{ ...revision, failure: 'OOMKilled' }], conditions: [{ ...condition('Final', 'True'), observedGeneration: 3 }] },
  } as unknown as MirrorPodStatus;
  const { expires_at, explanation, revisions, final, conditions, verdict, status: phase } = record({ failureId: 70 }, status);
  assert.equal([expires_at, explanation, final, verdict, phase], [atText(60), 'Sets it.', true, 'StillFailing', 'Running']);
  assert.equal(revisions, [revision] as never);
  assert.equal(conditions, [{ type: 'Final', status: 'True', reason: 'R', message: 'm', last_transition_time: BORN }]);
  const open = { ...status, conditions: [condition('Final', 'False'), condition('Ready', 'True')] };
  assert.equal([record({ failureId: 70 }).pod_id, record({}, open).final], [70, false]);
});

test('the failure is that of the spec, or else the one noted on the pod', () => {
  const pod = aMirrorsPod({}, { annotations: { 'podmend.dev/failure': '71' } });
  assert.equal([record({}, undefined, pod).pod_id, record({ failureId: 70 }, undefined, pod).pod_id], [71, 70]);
  assert.is(record({}, undefined, aMirrorsPod()).pod_id, null);
});

test('without a TTL of its own, its time is what is left until its end', () => {
  const mirror = aMirrorPod({}, { phase: 'Running', expirationTime: atText(90) } as MirrorPodStatus);
  delete mirror.spec.ttlSeconds;
  assert.is(mirrorRecord({ mirror, events: [], defaultTtlSeconds: 180 }).ttl_seconds, 90);
  delete mirror.status;
  assert.equal(mirrorRecord({ mirror, events: [], defaultTtlSeconds: 180 }).expires_at, at(180).toISOString());
});

test('the manifest is the template under the name of the source, masked; without one, that of the pod', () => {
  const env = [{ name: 'DB_PASSWORD', value: 'hunter2' }];
  const template = {
    ...aTemplate({ containers: [{ name: 'app', image: 'web:2', env }] }),
    metadata: { labels: { app: 'web' }, annotations: { note: 'n' } },
  };
  const shown = loadManifest(record({ template }).fixed_manifest);
  assert.equal(
    [shown?.kind, shown?.metadata],
    ['Pod', { name: 'web', namespace: 'shop', labels: { app: 'web' }, annotations: { note: 'n' } }],
  );
  assert.match(record({ template }).fixed_manifest, /image: web:2/);
  assert.not.match(record({ template }).fixed_manifest, 'hunter2');
  assert.equal(loadManifest(record({}, undefined, aMirrorsPod()).fixed_manifest)?.metadata, { name: 'web', namespace: 'shop' });
});

test('events are shown masked, without Podmend’s own', () => {
  const events = [anEvent('B', 'password=hunter2', 2), anEvent('A', 'a', 1), anEvent('C', 'c', 3, { reportingComponent: 'podmend' })];
  const { events: shown } = mirrorRecord({ mirror: aMirrorPod(), events, defaultTtlSeconds: 180 });
  assert.equal(
    shown.map(({ type, reason, message }) => [type, reason, message]),
    [
      ['Warning', 'A', 'a'],
      ['Warning', 'B', 'password=***'],
    ],
  );
});

test('evidence has every field of the contract', () => {
  const evidence = {
    ...{ windowSeconds: 1, windowReason: 'w', readySince: BORN, restarts: 2, readinessLost: 3, sourceRuns: 4, longestSourceRunSeconds: 5 },
    ...{ probesAsked: ['p'], weaknesses: ['x'], strength: 'Weak', containers: [], pullErrors: 0, terms: {} },
  } as never;
  assert.equal(shownEvidence(evidence), {
    ...{ window_seconds: 1, window_reason: 'w', ready_since: BORN, restarts: 2, readiness_lost: 3, source_runs: 4 },
    ...{ longest_source_run_seconds: 5, probes_asked: ['p'], weaknesses: ['x'], strength: 'Weak' },
  });
});

test.run();
