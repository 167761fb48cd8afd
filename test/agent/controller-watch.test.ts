import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { controllerWatch } from '../../src/agent/controller-watch.ts';
import type { CoreEvent, KubeObject } from '../../src/crd/kubernetes.ts';
import { KINDS } from '../../src/kube/kinds.ts';
import { createLog } from '../../src/log.ts';
import { until } from '../support/runner/wait.ts';

// What the examination of one Job reports as its failure changes. The answers of the cluster are given.

const test = suite('the watch over controllers');
const CREATED = '2026-05-01T10:00:00Z';
const refused: CoreEvent = {
  metadata: { name: 'load.1', namespace: 'shop', uid: 'e1', creationTimestamp: CREATED },
  involvedObject: { kind: 'Job', name: 'load', namespace: 'shop', uid: 'j1' },
  type: 'Warning',
  reason: 'FailedCreate',
  message: 'Error creating: pods "load-x" is forbidden: exceeded quota',
  lastTimestamp: CREATED,
} as CoreEvent;
const aJob = (uid: string, status: object = {}): KubeObject =>
  ({
    metadata: { name: 'load', namespace: 'shop', uid, creationTimestamp: CREATED },
    spec: { template: { spec: { containers: [] } } },
    status,
  }) as KubeObject;
const ended = { conditions: [{ type: 'Failed', status: 'True', reason: 'DeadlineExceeded', message: 'too long' }] };

test('a failure is reported once, again for another reason, and again for another object of the name', async () => {
  const said: string[] = [];
  let [job, reads]: [KubeObject | undefined, number] = [aJob('j1'), 0];
  await using begun = new AsyncDisposableStack();
  const watch = controllerWatch({
    client: {
      read: async () => ((reads += 1), job as never),
      list: async ({ kind }: { kind: string }) => (kind === KINDS.event.kind ? [refused] : []) as never[],
      page: async () => ({ items: [], resourceVersion: '1' }) as never,
      watch: () => ({ stop: async () => {} }) as never,
    },
    collect: {
      controller: async (object: KubeObject, failure: { reason: string }) =>
        ({ pod_uid: object.metadata.uid, failure_reason: failure.reason }) as never,
      isOvertaken: async () => false,
    },
    ...{ namespaces: [], graces: { pendingSeconds: 1, unreadySeconds: 1, recoverySeconds: 1 }, now: () => new Date() },
    log: createLog({ level: 'silent' }),
    report: async ({ pod_uid, failure_reason }) => void said.push(`${pod_uid} ${failure_reason}`),
    gone: async (message) => void said.push(`${'pod_uid' in message ? message.pod_uid : ''} ${message.reason}`),
    controllersEveryMs: 5,
  });
  begun.defer(() => watch.stop());
  const examined = async (now: KubeObject | undefined, expected: string[]) => {
    job = now;
    const before = reads;
    await until(() => reads > before + 2, { what: 'the Job to be examined twice more' });
    assert.equal(said.splice(0), expected);
  };
  watch.suspect({ resource_kind: 'Job', namespace: 'shop', pod_name: 'load', pod_uid: null });
  await examined(aJob('j1'), ['j1 FailedCreate']);
  await examined(aJob('j1', ended), ['j1 DeadlineExceeded']);
  await examined(aJob('j2', ended), ['j2 DeadlineExceeded']);
  job = undefined;
  await until(() => said.length > 0, { what: 'the end of the record' });
  assert.equal(said, ['j2 deleted']);
});

test.run();
