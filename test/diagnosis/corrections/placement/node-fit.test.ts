import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PodSpec } from '../../../../src/crd/kubernetes.ts';
import { refusalsOf } from '../../../../src/diagnosis/corrections/placement/node-fit.ts';

const fit = suite('whether a node takes a pod');

const NODE = {
  name: 'a',
  labels: { zone: 'eu-1', gen: '4' },
  allocatable: { cpu: '2', memory: '4Gi', pods: '110' },
  taints: [{ key: 'dedicated', value: 'db', effect: 'NoSchedule' }],
};
const TOLERATED = { tolerations: [{ key: 'dedicated', operator: 'Exists' }] };
const requires = (key: string, operator: string, ...values: string[]) => ({
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key, operator, ...(values.length > 0 ? { values } : {}) }] }],
      },
    },
  },
});
const asks = (requests: Record<string, string>, limits?: Record<string, string>) => ({
  name: 'c',
  resources: { requests, ...(limits && { limits }) },
});

/** The pod's spec besides the toleration, and the expected kinds of refusals. */
const ROWS: Record<string, [spec: Partial<PodSpec>, kinds: string[]]> = {
  'nothing asked': [{}, []],
  'the taint': [{ tolerations: [] }, ['taint']],
  'a toleration of another effect': [{ tolerations: [{ key: 'dedicated', operator: 'Exists', effect: 'NoExecute' }] }, ['taint']],
  'a toleration of another value': [{ tolerations: [{ key: 'dedicated', value: 'web' }] }, ['taint']],
  'a toleration of everything': [{ tolerations: [{ operator: 'Exists' }] }, []],
  'another label': [{ nodeSelector: { zone: 'eu-2' } }, ['label']],
  'a label that is there': [requires('zone', 'Exists'), []],
  'a label that must not be there': [requires('zone', 'DoesNotExist'), ['affinity']],
  'one of some values': [requires('zone', 'In', 'eu-2', 'eu-1'), []],
  'none of some values': [requires('zone', 'NotIn', 'eu-1'), ['affinity']],
  'a larger number': [requires('gen', 'Gt', '3'), []],
  'a smaller number': [requires('gen', 'Lt', '3'), ['affinity']],
  'an operator of the future': [requires('gen', 'Like', '4'), ['affinity']],
  'two containers that are too large together': [{ containers: [asks({ cpu: '1500m' }), asks({ cpu: '1' })] }, ['resource']],
  'a limit without a request': [{ containers: [asks({}, { memory: '8Gi' })] }, ['resource']],
  'an init container beside a container': [{ containers: [asks({ cpu: '2' })], initContainers: [asks({ cpu: '2' })] }, []],
  'a sidecar beside a container': [
    { containers: [asks({ cpu: '2' })], initContainers: [{ ...asks({ cpu: '1' }), restartPolicy: 'Always' }] },
    ['resource'],
  ],
  'a device that the node lacks': [{ containers: [asks({ 'nvidia.com/gpu': '1' })] }, ['resource']],
  'a quantity that is none': [{ containers: [asks({ cpu: 'many' })] }, []],
};

for (const [sentence, [spec, kinds]] of Object.entries(ROWS))
  fit(sentence, () =>
    assert.equal(
      refusalsOf({ containers: [], ...TOLERATED, ...spec } as PodSpec, NODE).map(({ kind }) => kind),
      kinds,
    ),
  );

fit('a node of unknown size refuses nothing for its size', () =>
  assert.equal(refusalsOf({ containers: [asks({ cpu: '900' })] } as PodSpec, { ...NODE, allocatable: {}, taints: [] }), []));

fit.run();
