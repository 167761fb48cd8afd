import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { KubeObject, Pod } from '../../../src/crd/kubernetes.ts';
import { awaitsStarting } from '../../../src/failures/detect/awaited-service.ts';

const awaited = suite('a Service that an init container waits for');
const NS = 'shop';

const service = (name: string, selector: Record<string, string> | undefined, namespace = NS): KubeObject =>
  ({ kind: 'Service', metadata: { name, namespace }, spec: { selector } }) as KubeObject;
const pod = (name: string, app: string, ready: 'True' | 'False'): Pod =>
  ({
    kind: 'Pod',
    metadata: { name, namespace: NS, labels: { app } },
    spec: { containers: [{ name: 'app' }] },
    status: { conditions: [{ type: 'Ready', status: ready }] },
  }) as Pod;
const waiting = {
  kind: 'Pod',
  metadata: { name: 'web', namespace: NS, labels: { app: 'web' } },
  spec: {
    initContainers: [{ name: 'wait', command: ['sh', '-c', 'until nc -z cache 6379; do sleep 1; done'] }],
    containers: [{ name: 'app' }],
  },
} as Pod;

const DB = service('db', { app: 'db' });
const STARTING = pod('db-0', 'db', 'False');
const ROWS: Record<string, [log: string, objects: KubeObject[], is: boolean]> = {
  'its pod is starting': ['db:5432 is not there yet', [DB, STARTING], true],
  'named in full': ['waiting for db.shop.svc.cluster.local', [DB, STARTING], true],
  'named in the command only': ['', [service('cache', { app: 'db' }), STARTING], true],
  'one pod is ready and another starts': ['waiting for db', [DB, STARTING, pod('db-1', 'db', 'True')], true],
  'its pods are ready': ['waiting for db', [DB, pod('db-0', 'db', 'True')], false],
  'its pod fails': ['waiting for db', [DB, pod('broken', 'db', 'False')], false],
  'one pod starts and another fails': ['waiting for db', [DB, STARTING, pod('broken', 'db', 'False')], false],
  'no pod is behind it': ['waiting for db', [DB], false],
  'it selects nothing': ['waiting for db', [service('db', {}), service('db', undefined), STARTING], false],
  'only its own pod is behind it': ['waiting for web', [service('web', { app: 'web' })], false],
  'there is no such Service': ['waiting for database', [DB, STARTING], false],
  'part of another name': ['waiting for my-db and db-main', [DB, STARTING], false],
  'a Service of another namespace': ['waiting for db', [service('db', { app: 'db' }, 'other'), STARTING], false],
  nothing: ['', [], false],
};
for (const [sentence, [log, objects, is]] of Object.entries(ROWS))
  awaited(sentence, () => {
    const isFailing = ({ metadata }: Pod) => metadata.name === 'broken';
    assert.is(awaitsStarting({ pod: waiting, container: 'wait', log }, [waiting, ...objects], isFailing), is);
  });

awaited.run();
