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

revisions('a revision before that is scaled to nothing ran once: whether it works nobody knows', () => {
  assert.equal(summary(aDeployment([wish(1, 0, 0), wish(2)])), [1, 'web:1', 'web:2', 0]);
});

revisions('a revision before whose pods do not work either is no way back', () => {
  assert.is(summary(aDeployment([wish(1, 0, 2), wish(2)])), undefined);
});

revisions('an older revision whose pods work counts more than a later one of which nothing is left', () => {
  assert.equal(summary(aDeployment([wish(1, 2, 2), wish(2, 0, 0), wish(3)])), [1, 'web:1', 'web:3', 2]);
});

revisions('a Deployment that was available until the newest revision had one before that worked', () => {
  const worked = (status: string, lastTransitionTime: string): boolean | undefined => {
    const { workload, history } = aDeployment([wish(1, 0, 0), wish(2)]);
    const times = ['2026-06-01T00:00:00Z', '2026-06-01T01:00:00Z'];
    const dated = history.map((set, index) => ({ ...set, metadata: { ...set.metadata, creationTimestamp: times[index] as string } }));
    return revisionsOf({ ...workload, status: { conditions: [{ type: 'Available', status, lastTransitionTime }] } } as KubeObject, dated)
      ?.worked;
  };
  assert.is(worked('False', '2026-06-01T01:00:05Z'), true);
  assert.is(worked('False', '2026-06-01T00:00:05Z'), false, 'it never was available');
  assert.is(worked('True', '2026-06-01T01:00:05Z'), false);
  assert.is(worked('False', 'soon'), false);
});

revisions('a StatefulSet calls a revision current that was ready as a whole', () => {
  const worked = (currentRevision: string) =>
    revisionsOf(
      ...(Object.values(aSet('StatefulSet', [wish(1), wish(2)], { currentRevision, updateRevision: 'web-hash2' })) as [
        KubeObject,
        KubeObject[],
      ]),
    )?.worked;
  assert.is(worked('web-hash1'), true);
  assert.is(worked('web-hash2'), false);
});

revisions('a first revision has none before it', () => assert.is(summary(aDeployment([wish(1)])), undefined));

revisions('what another Deployment owns is not looked at', () => {
  const { workload, history } = aDeployment([wish(1), wish(2)]);
  const foreign = history.map((set) => ({
    ...set,
    metadata: { ...set.metadata, ownerReferences: [{ ...set.metadata.ownerReferences![0]!, uid: 'x' }] },
  }));
  assert.is(revisionsOf(workload, foreign), undefined);
});

revisions('a StatefulSet that stopped half-way still has pods of the revision before', () => {
  const status = { currentRevision: 'web-hash1', updateRevision: 'web-hash2', currentReplicas: 2, readyReplicas: 2, replicas: 3 };
  assert.equal(summary(aSet('StatefulSet', [wish(1), wish(2)], status)), [1, 'web:1', 'web:2', 2]);
});

revisions('a DaemonSet has on other nodes', () => {
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
