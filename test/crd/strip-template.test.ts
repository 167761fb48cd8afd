import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { PodSpec } from '../../src/crd/kubernetes.ts';
import { generatedVolumes, stripTemplate } from '../../src/crd/strip-template.ts';

const TOKEN = '/var/run/secrets/kubernetes.io/serviceaccount';
const app = { name: 'app', image: 'web:1' };

test('fields that servers, schedulers and controllers write are left out, and all else stays', () => {
  const spec = {
    restartPolicy: 'Always',
    nodeSelector: { disk: 'ssd' },
    containers: [
      {
        ...app,
        ports: [{ name: 'http', containerPort: 80, hostPort: 8080, hostIP: '10.0.0.1' }],
        volumeMounts: [
          { name: 'data', mountPath: '/data' },
          { name: 'kube-api-access-x2x4z', mountPath: TOKEN },
        ],
      },
      { name: 'beside', image: 'log:1' },
    ],
    initContainers: [{ name: 'init', image: 'init:1', volumeMounts: [{ name: 'kube-api-access-x2x4z', mountPath: TOKEN }] }],
    volumes: [
      { name: 'data', emptyDir: {} },
      { name: 'kube-api-access-x2x4z', projected: { sources: [] } },
    ],
    tolerations: [
      { key: 'node.kubernetes.io/not-ready', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
      { key: 'node.kubernetes.io/unreachable', operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 300 },
      { key: 'node.kubernetes.io/not-ready', operator: 'Equal', value: 'x' },
      { key: 'gpu', operator: 'Exists' },
    ],
  };
  const scheduled = {
    nodeName: 'node-1',
    readinessGates: [{ conditionType: 'x' }],
    ephemeralContainers: [{ name: 'debug', image: 'sh:1' }],
    priority: 7,
    priorityClassName: 'high',
    preemptionPolicy: 'Never',
    overhead: { cpu: '1' },
    serviceAccount: 'web',
    serviceAccountName: 'web',
  };
  const given = { spec: { ...spec, ...scheduled } as PodSpec };
  const before = structuredClone(given);
  assert.equal(stripTemplate(given).spec, {
    restartPolicy: 'Always',
    nodeSelector: { disk: 'ssd' },
    containers: [
      { ...app, ports: [{ name: 'http', containerPort: 80 }], volumeMounts: [{ name: 'data', mountPath: '/data' }] },
      { name: 'beside', image: 'log:1' },
    ],
    initContainers: [{ name: 'init', image: 'init:1', volumeMounts: [] }],
    volumes: [{ name: 'data', emptyDir: {} }],
    tolerations: [
      { key: 'node.kubernetes.io/not-ready', operator: 'Equal', value: 'x' },
      { key: 'gpu', operator: 'Exists' },
    ],
    serviceAccountName: 'web',
  });
  assert.equal(given, before, 'the original is as it was');
});

test('a field that the template lacks is not added, and the old name of the account still counts', () => {
  assert.equal(stripTemplate({ spec: { containers: [app] } }), { metadata: { labels: {}, annotations: {} }, spec: { containers: [app] } });
  assert.equal(stripTemplate({ spec: { containers: [app], serviceAccount: 'old' } as PodSpec }).spec, {
    containers: [app],
    serviceAccountName: 'old',
  });
});

const OF_TOOLS = [
  'kubectl.kubernetes.io/last-applied-configuration',
  'kubernetes.io/config.source',
  'kubernetes.io/limit-ranger',
  'kubernetes.io/psp',
  'kustomize.toolkit.fluxcd.io/checksum',
  'helm.toolkit.fluxcd.io/driftDetection',
  'argocd.argoproj.io/tracking-id',
  'meta.helm.sh/release-name',
  'config.k8s.io/owning-inventory',
  'cni.projectcalico.org/podIP',
  'k8s.v1.cni.cncf.io/network-status',
  'cluster-autoscaler.kubernetes.io/safe-to-evict',
  'podmend.dev/request',
];
const OF_PEOPLE = [
  'prometheus.io/scrape',
  'kubectl.kubernetes.io/restartedAt',
  'example.com/podmend.dev/request',
  'k8s.v1.cni.cncf.io/networks',
];

test('annotations that tools act on are left out, all other annotations and all labels stay', () => {
  const mapOf = (keys: string[]) => Object.fromEntries(keys.map((key) => [key, 'x']));
  const labels = { app: 'web', 'helm.toolkit.fluxcd.io/name': 'web' };
  const { metadata } = stripTemplate({
    metadata: { labels, annotations: mapOf([...OF_TOOLS, ...OF_PEOPLE]) },
    spec: { containers: [app] },
  });
  assert.equal(metadata, { labels, annotations: mapOf(OF_PEOPLE) });
});

const VOLUMES: [what: string, name: string, mountPath: string, isGenerated: boolean][] = [
  ['a projected token', 'kube-api-access-abcde', TOKEN, true],
  ['a projected token that is mounted nowhere', 'kube-api-access-abcde', '', true],
  ['a token of Kubernetes before 1.21', 'web-token-x7k2p', TOKEN, true],
  ['a volume with such a name, mounted elsewhere', 'web-token-x7k2p', '/data', false],
  ["a volume in the token's place with another name", 'my-token', TOKEN, false],
  ['a name that goes on after the ending', 'web-token-x7k2p-old', TOKEN, false],
];
for (const [what, name, mountPath, isGenerated] of VOLUMES)
  test(`${what} ${isGenerated ? 'is generated' : 'is not generated'}`, () => {
    const volumeMounts = mountPath ? [{ name, mountPath }] : [];
    const asInit = { volumes: [{ name }], containers: [app], initContainers: [{ ...app, volumeMounts }] };
    for (const spec of [{ volumes: [{ name }], containers: [{ ...app, volumeMounts }] }, asInit])
      assert.equal([...generatedVolumes(spec as PodSpec)], isGenerated ? [name] : []);
  });

test.run();
