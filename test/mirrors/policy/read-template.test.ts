import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { PodTemplate } from '../../../src/crd/kubernetes.ts';
import { restoreMasked, manifestOf, readTemplate, templateIn } from '../../../src/mirrors/policy/read-template.ts';
import { maskManifest } from '../../../src/redact/manifest.ts';
import { aSource, aTemplate } from '../../support/builders/mirror.ts';

const refusal = (template: unknown): string => {
  const read = readTemplate(template as PodTemplate, aSource());
  return 'refusal' in read ? `${read.refusal.reason} ${read.refusal.paths.join(', ')}` : 'taken';
};

test('says what is wrong with a template, and where', () => {
  const rows: [unknown, string][] = [
    [aTemplate(), 'taken'],
    [{ ...aTemplate(), metadata: { namespace: 'shop' } }, 'taken'],
    [{ ...aTemplate(), metadata: { namespace: 'kube-system' } }, 'OtherNamespace metadata.namespace'],
    [{ metadata: 'x', spec: { containers: [] } }, 'Invalid metadata, spec.containers'],
    [{ spec: 7 }, 'Invalid spec'],
    [{ spec: { containers: [] } }, 'Invalid spec.containers'],
    [{ spec: { containers: [{ name: 'app', image: 'x' }, null] } }, 'Invalid spec.containers[1]'],
    [{ spec: { containers: [{ image: 'x' }] } }, 'Invalid spec.containers[0].name'],
    [{ metadata: null, spec: aTemplate().spec }, 'taken'],
    [{ ...aTemplate({ volumes: null as never }), metadata: { labels: null, annotations: null } }, 'taken'],
    [{ ...aTemplate(), metadata: { annotations: 'all' } }, 'Invalid metadata.annotations'],
    [aTemplate({ volumes: [{ emptyDir: {} }] as never }), 'Invalid spec.volumes[0].name'],
    [aTemplate({ securityContext: { supplementalGroups: 5 as never } }), 'Invalid spec.securityContext.supplementalGroups'],
    [aTemplate({ activeDeadlineSeconds: 'soon' as never }), 'Invalid spec.activeDeadlineSeconds'],
    [{ ...aTemplate(), spec: { containers: [{ name: 'app', image: 'x', env: [5] }] } }, 'Invalid spec.containers[0].env[0]'],
    [aTemplate({ overhead: nested(9_000) as never }), 'Invalid spec'],
    [aTemplate({ volumes: 'all' as never }), 'Invalid spec.volumes'],
    [
      aTemplate({ volumes: [{ emptyDir: {} }] as never, activeDeadlineSeconds: 'soon' as never }),
      'Invalid spec.volumes[0].name, spec.activeDeadlineSeconds',
    ],
    [aTemplate({ hostPID: true }), 'MorePower spec.hostPID'],
    [aTemplate({ hostname: 'x'.repeat(65 * 1024) }), 'TemplateTooLarge spec'],
  ];
  for (const [template, said] of rows) assert.is(refusal(template), said);
});

test('names each field that Podmend reads, if its type is wrong', () => {
  const [text, whole, list, map] = [
    ['image', 'restartPolicy'],
    ['securityContext.runAsUser', 'securityContext.runAsGroup'],
    ['command', 'args', 'ports', 'env', 'envFrom', 'volumeMounts', 'volumeDevices', 'resources.claims', 'securityContext.capabilities.add'],
    ['resources', 'resources.requests', 'resources.limits', 'securityContext', 'securityContext.capabilities', 'lifecycle.preStop'],
  ];
  const more = [
    'livenessProbe.httpGet',
    'readinessProbe.exec',
    'startupProbe.grpc',
    'lifecycle.postStart',
    'securityContext.seccompProfile',
  ];
  const [ofPod, lists] = [
    ['serviceAccountName', 'serviceAccount', 'terminationGracePeriodSeconds', 'affinity', 'resources', 'securityContext.fsGroup'],
    [
      'volumes',
      'tolerations',
      'imagePullSecrets',
      'resourceClaims',
      'topologySpreadConstraints',
      'readinessGates',
      'securityContext.sysctls',
    ],
  ];
  const nest = (path: string, value: unknown): object =>
    path.split('.').reduceRight<unknown>((inner, step) => ({ [step]: inner }), value) as object;
  const wrong = (path: string) =>
    [...list, ...lists].includes(path) ? 'x' : [...text, 'serviceAccountName', 'serviceAccount'].includes(path) ? 5 : 'x';
  for (const path of [...text, ...whole, ...list, 'securityContext.capabilities.drop', ...map, ...more]) {
    const container = { name: 'app', image: 'x', ...nest(path, wrong(path)) };
    assert.is(refusal({ spec: { containers: [container] } }), `Invalid spec.containers[0].${path}`);
    const init = { spec: { ...aTemplate().spec, initContainers: [container] } };
    assert.is(refusal(init), `Invalid spec.initContainers[0].${path}`);
  }
  for (const path of [...ofPod, ...lists]) assert.is(refusal(aTemplate(nest(path, wrong(path)))), `Invalid spec.${path}`);
});

test('takes from the source whether the token is mounted, where the template does not say', () => {
  const rows: [source: boolean | undefined, template: boolean | undefined, runs: boolean | 'refused' | undefined][] = [
    [undefined, undefined, undefined],
    [false, undefined, false],
    [true, undefined, true],
    [true, false, false],
    [false, true, 'refused'],
  ];
  const spec = (mounts: boolean | undefined) => aTemplate(mounts === undefined ? {} : { automountServiceAccountToken: mounts });
  for (const [source, template, runs] of rows) {
    const read = readTemplate(spec(template), aSource(spec(source)));
    assert.is('refusal' in read ? 'refused' : read.template.spec.automountServiceAccountToken, runs, `${source}, ${template}`);
  }
});

test('takes labels, images and the account from the source, where the template does not say', () => {
  const source = aTemplate({ serviceAccountName: 'web', initContainers: [{ name: 'init', image: 'init:1' }] }, { app: 'web' });
  const complete = (template: PodTemplate) => {
    const read = readTemplate(template, aSource(source));
    if ('refusal' in read) throw new Error(read.refusal.message);
    const { metadata, spec } = read.template;
    return [
      metadata?.labels,
      spec.containers.map(({ image }) => image),
      spec.initContainers?.map(({ image }) => image),
      spec.serviceAccountName,
    ];
  };
  const [container] = aTemplate().spec.containers;
  const bare = { name: container?.name ?? '' } as never;
  assert.equal(complete({ spec: { containers: [bare], initContainers: [{ name: 'init' } as never] } }), [
    { app: 'web' },
    [container?.image],
    ['init:1'],
    'web',
  ]);
  const own = {
    metadata: { labels: { tier: 'try' } },
    spec: { containers: [{ ...(bare as object), image: 'web:2' } as never], serviceAccount: 'web' },
  };
  assert.equal(complete(own), [{ tier: 'try' }, ['web:2'], undefined, undefined]);
});

function nested(levels: number): unknown {
  let value: unknown = 'x';
  for (let level = 0; level < levels; level += 1) value = [value];
  return value;
}

test('a value that nests too deeply is masked, not walked', () => {
  const masked = maskManifest({ spec: { deep: nested(9_000), plain: 1 } });
  assert.match(JSON.stringify(masked), /^\{"spec":\{"deep":\[+"\*\*\*"\]+,"plain":1\}\}$/);
});

test('a masked value that comes back becomes the source\u2019s own value, only at the same path', () => {
  const source = {
    env: [
      { name: 'A', value: 'one' },
      { name: 'PASSWORD', value: 'hunter2' },
    ],
    args: ['--url', 'postgres://u:p@h/db', '--token', 'abc'],
  };
  const masked = {
    env: [
      { name: 'A', value: 'one' },
      { name: 'PASSWORD', value: '***' },
    ],
    args: ['--url', 'postgres://u:***@h/db', '--token', '***'],
  };
  assert.equal(restoreMasked(masked, masked, source), source);
  const edited = {
    env: [
      { name: 'PASSWORD', value: '***' },
      { name: 'B', value: '***' },
    ],
    args: ['-v', ...masked.args],
  };
  assert.equal(restoreMasked(edited, masked, source), {
    env: [
      { name: 'PASSWORD', value: 'hunter2' },
      { name: 'B', value: '***' },
    ],
    args: ['-v', ...source.args],
  });
  assert.equal(restoreMasked({ env: [{ name: 'PASSWORD', value: 'new' }] }, masked, source), { env: [{ name: 'PASSWORD', value: 'new' }] });
});

test('a template is found in pods and in what makes them', () => {
  const { spec } = aTemplate();
  assert.equal(templateIn({ kind: 'Pod', metadata: { name: 'web' }, spec })?.spec, spec);
  assert.equal(templateIn({ kind: 'Deployment', metadata: { namespace: 'shop' }, spec: { template: { spec } } }), {
    metadata: { namespace: 'shop' },
    spec,
  });
  assert.is(templateIn({ kind: 'ConfigMap', data: {} }), undefined);
  assert.is(templateIn(null), undefined);
});

test('people are shown the live template with secrets masked and host ports left in', () => {
  const container = {
    name: 'app',
    image: 'web:1',
    ports: [{ containerPort: 80, hostPort: 80 }],
    env: [{ name: 'API_TOKEN', value: 'abcdef123456' }],
  };
  const source = aSource(aTemplate({ nodeName: 'n', containers: [container] }));
  const shown = manifestOf(source, 'Pod');
  assert.equal(shown, {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web', namespace: 'shop', labels: { app: 'web' } },
    spec: { containers: [{ ...container, env: [{ name: 'API_TOKEN', value: '***' }] }] },
  });
  const owner = {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: { name: 'web-1', uid: 'u' },
    spec: { replicas: 2, template: source.template },
  };
  const workload = manifestOf({ ...source, owner }, 'ReplicaSet');
  assert.equal([workload.kind, workload.metadata], ['ReplicaSet', { name: 'web-1', namespace: 'shop' }]);
});

test.run();
