import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject } from '../../../src/crd/kubernetes.ts';
import { revisionsOf } from '../../../src/diagnosis/changes/revisions.ts';
import { aDeployment, aSet, type RevisionWish } from '../../support/builders/revisions.ts';

const revisions = suite('the revisions of a workload');

const run = (image: string) => ({ containers: [{ name: 'app', image }] });
const wish = (number: number, ready = 0, replicas = 1): RevisionWish => ({ number, spec: run(`web:${number}`), ready, replicas });
const summary = ({ workload, history }: { workload: KubeObject; history: KubeObject[] }) => {
  const found = revisionsOf(workload, history);
  return found && [found.before, found.previous.containers[0]?.image, found.current.containers[0]?.image, found.serving];
};

revisions('the newest two count, whatever their order', () => {
  assert.equal(summary(aDeployment([wish(2, 0, 0), wish(10), wish(9, 3, 3)])), [9, 'web:9', 'web:10', 3]);
});

revisions('a previous revision that is scaled to zero ran once, but nobody knows whether it works', () => {
  assert.equal(summary(aDeployment([wish(1, 0, 0), wish(2)])), [1, 'web:1', 'web:2', 0]);
});

revisions('a previous revision whose pods do not work either is no way back', () => {
  assert.is(summary(aDeployment([wish(1, 0, 2), wish(2)])), undefined);
});

revisions('an older revision with working pods comes before a newer one without pods', () => {
  assert.equal(summary(aDeployment([wish(1, 2, 2), wish(2, 0, 0), wish(3)])), [1, 'web:1', 'web:3', 2]);
});

const PROBED = { readinessProbe: { httpGet: { path: '/ready', port: 8080 } } };
const TIMES = ['2026-06-01T00:00:00Z', '2026-06-01T01:00:00Z', '2026-06-01T02:00:00Z'];
const dated = (history: KubeObject[]) =>
  history.map((object, index) => ({ ...object, metadata: { ...object.metadata, creationTimestamp: TIMES[index] as string } }));
const asking = (number: number, probes: object[] = [PROBED]): RevisionWish => ({
  ...wish(number, 0, 0),
  spec: { containers: probes.map((probe, index) => ({ name: `c${index}`, image: `web:${number}`, ...probe })) },
});

/** Whether revision 1 of a Deployment counts as one that worked. Revision 2 is an hour newer. */
function worked(over: { status?: string; at?: string; probes?: object[]; minReadySeconds?: number }): boolean | undefined {
  const { status = 'False', at = '2026-06-01T01:00:05Z', probes = [PROBED], minReadySeconds } = over;
  const { workload, history } = aDeployment([asking(1, probes), { ...asking(2), replicas: 1 }]);
  const conditions = [{ type: 'Available', status, lastTransitionTime: at }];
  return revisionsOf({ ...workload, spec: { minReadySeconds }, status: { conditions } } as KubeObject, dated(history))?.worked;
}

revisions('a Deployment that was available until the newest revision had one before that worked', () => {
  assert.is(worked({}), true);
  assert.is(worked({ at: '2026-06-01T00:00:05Z' }), false, 'it never was available');
  assert.is(worked({ status: 'True' }), false);
  assert.is(worked({ at: 'soon' }), false);
});

revisions('being available without a probe does not count, because a crash loop is available too', () => {
  assert.is(worked({ probes: [{}] }), false);
  assert.is(worked({ probes: [PROBED, {}] }), false, 'one of two containers has no probe');
  assert.is(worked({ probes: [{ startupProbe: PROBED.readinessProbe }] }), true);
  assert.is(worked({ probes: [{ livenessProbe: PROBED.readinessProbe }] }), false, 'a pod is ready before its liveness probe fails');
  assert.is(worked({ probes: [{}], minReadySeconds: 1 }), false);
  assert.is(worked({ probes: [{}], minReadySeconds: 30 }), true);
});

/** Revision 1 has one ready pod. Returns how many of its pods count as serving, and whether the revision worked. */
function serving(available: object | undefined, probes: object[] = [{}]): [number | undefined, boolean | undefined] {
  const { workload, history } = aDeployment([
    { ...asking(1, probes), replicas: 1, ready: 1 },
    { ...asking(2, probes), replicas: 1 },
  ]);
  const conditions = available ? [{ type: 'Available', ...available }] : [];
  const found = revisionsOf({ ...workload, status: { conditions } } as KubeObject, dated(history));
  return [found?.serving, found?.worked];
}

revisions('a ready pod of a revision that crashes without a probe does not count as working', () => {
  const [before, after] = ['2026-06-01T00:10:00Z', '2026-06-01T01:00:05Z'];
  assert.equal(serving({ status: 'True', lastTransitionTime: before }), [1, true], 'available since before the newest revision');
  assert.equal(serving({ status: 'True', lastTransitionTime: '2026-06-01T01:00:00Z' }), [1, true], 'a rollout right after the first one');
  assert.equal(serving({ status: 'True', lastTransitionTime: after }), [0, false], 'it was not available in between');
  assert.equal(serving({ status: 'False', lastTransitionTime: before }), [0, false]);
  assert.equal(serving({ status: 'True', lastTransitionTime: after }, [PROBED]), [1, true], 'a probe asked it');
  assert.equal(serving(undefined), [1, true], 'nobody knows since when');
});

revisions('the current revision of a StatefulSet was fully ready, or is its first one', () => {
  const workedSet = (currentRevision: string, numbers: number[], probes: object[] = [PROBED]) => {
    const status = { currentRevision, updateRevision: `web-hash${numbers.at(-1)}` };
    const { workload, history } = aSet(
      'StatefulSet',
      numbers.map((number) => asking(number, probes)),
      status,
    );
    return revisionsOf(workload, dated(history))?.worked;
  };
  assert.is(workedSet('web-hash2', [1, 2, 3]), true);
  assert.is(workedSet('web-hash2', [1, 2, 3], [{}]), false, 'nothing asked its pods');
  assert.is(workedSet('web-hash3', [1, 2, 3]), false);
  assert.is(workedSet('web-hash1', [1, 2, 3]), false, 'not the one before');
  assert.is(workedSet('web-hash1', [1, 2]), false, 'it is current because it is the first');
});

revisions('the first revision has no previous one', () => assert.is(summary(aDeployment([wish(1)])), undefined));

revisions('what another Deployment owns is not looked at', () => {
  const { workload, history } = aDeployment([wish(1), wish(2)]);
  const foreign = history.map((set) => ({
    ...set,
    metadata: { ...set.metadata, ownerReferences: [{ ...set.metadata.ownerReferences![0]!, uid: 'x' }] },
  }));
  assert.is(revisionsOf(workload, foreign), undefined);
});

revisions('a StatefulSet that stopped half-way still has pods of the previous revision', () => {
  const status = { currentRevision: 'web-hash1', updateRevision: 'web-hash2', currentReplicas: 2, readyReplicas: 2, replicas: 3 };
  assert.equal(summary(aSet('StatefulSet', [wish(1), wish(2)], status)), [1, 'web:1', 'web:2', 2]);
});

revisions('a DaemonSet still has them on other nodes', () => {
  const status = { desiredNumberScheduled: 3, numberReady: 2, updatedNumberScheduled: 1 };
  assert.equal(summary(aSet('DaemonSet', [wish(1), wish(2)], status)), [1, 'web:1', 'web:2', 1]);
});

revisions('secrets in either are masked', () => {
  const spec = { containers: [{ name: 'app', image: 'web:1', env: [{ name: 'DB_PASSWORD', value: 'hunter2' }] }] };
  const { workload, history } = aDeployment(
    [
      { number: 1, spec },
      { number: 2, spec: run('web:2') },
    ].map((one) => ({ ...one, replicas: 0 })),
  );
  assert.not.match(JSON.stringify(revisionsOf(workload, history)), /hunter2/);
});

revisions('kinds without a history, and garbage, have none', () => {
  const { workload, history } = aDeployment([wish(1), wish(2)]);
  for (const ownerReferences of ['x', [null], {}, [{}], null])
    assert.is(
      revisionsOf(
        workload,
        history.map((set) => ({ ...set, metadata: { ...set.metadata, ownerReferences } }) as KubeObject),
      ),
      undefined,
    );
  assert.is(revisionsOf({ ...workload, kind: 'CronJob' }, history), undefined);
  for (const spec of [null, 7, 'x', { template: 7 }, { template: { spec: { containers: 'no' } } }])
    assert.is(
      revisionsOf(
        workload,
        history.map((set) => ({ ...set, spec }) as KubeObject),
      ),
      undefined,
    );
});

revisions.run();
